#!/usr/bin/env bats
# Who is speaking. CONTRACT.md section 9.

# shellcheck disable=SC2016,SC2034,SC2154  # code for other shells; names from helper
load helper

# outside NAME CODE: a program called NAME, started by a person outside, runs CODE in a shell; $b is
# bellhop there with an emptied environment.
outside() {
	cp /bin/bash "$BATS_TEST_TMPDIR/$1"
	env -i "${clean_env[@]}" b="$(emptied)" "$BATS_TEST_TMPDIR/$1" -c "$2; :"
}

# The command line of a bellhop without any variable but those that find the session.
emptied() {
	echo "env -i BELLHOP_RUNTIME_DIR=$runtime BELLHOP_STATE_DIR=$state HOME=$home BELLHOP_SESSION=$session $build/bellhop"
}

# agent_daemon NAME CODE: the agent's tool leaves a daemon behind, with other parents and a session of
# its own, that runs CODE. Its output.
agent_daemon() {
	local out=$BATS_TEST_TMPDIR/daemon.$RANDOM
	printf '%s\n' "$2" >"$out.sh"
	agent_run "$1" "setsid -f sh -c \"(sh $out.sh; echo \\\$?) >$out 2>&1; mv $out $out.done\"; echo left" >/dev/null
	within 30 test -s "$out.done"
	cat "$out.done"
}

token_of() {
	tr '\0' '\n' <"/proc/$(terminal "$1" pid)/environ" | sed -n 's/^BELLHOP_TOKEN=//p'
}

# The sender of the last message that NAME got.
last_sender() {
	bellhop history --json --with "$1" | jq -r '.messages | last | .from'
}

@test "a person is the operator" {
	bellhop server start
	answer=$(bellhop whoami --json)
	expect_answer kind=operator by=none identity=operator
}

@test "an agent outside is external, however empty its environment" {
	bellhop server start
	answer=$(outside claude '$b whoami --json')
	expect_answer kind=external identity=null
	run -1 outside claude '$b send operator hello || exit'
	[[ "$output" == *"not started by bellhop"* ]]
	run -1 outside codex '$b server stop || exit'
	[[ "$output" == *"not started by bellhop"* ]]
	# A name that only looks like it.
	answer=$(outside claudette '$b whoami --json')
	expect_answer kind=operator
	# Variables of an agent that we do not know, in any process above.
	answer=$(outside sh 'AI_AGENT=x bash -c "$b whoami --json; :"')
	expect_answer kind=external
}

@test "an agent inside is known by the kernel, whatever its environment says" {
	start_demo a
	start_demo b
	answer=$(agent_run a "$(emptied) whoami --json")
	expect_answer kind=inside by=kernel identity=a "terminal_id=$(terminal a terminal_id)"
	answer=$(agent_run a 'bellhop whoami --json')
	expect_answer kind=inside by=both identity=a
	# Nothing wakes a person: status 3.
	run -3 agent_run a "BELLHOP_IDENTITY=operator BELLHOP_TERMINAL=$(terminal b terminal_id) bellhop send operator one"
	[ "$(last_sender operator)" = a ]
	agent_run a "bellhop rpc message.send '{\"to\":\"operator\",\"body\":\"two\",\"from\":\"operator\",\"name\":\"b\",\"no_wait\":true,\"message_id\":\"3f8e1b6a-0f4e-4c0e-9d5a-0a6c2f8a7b11\"}'" >"$BATS_TEST_TMPDIR/rpc"
	[ "$(bellhop history --json --with operator | jq -r '.messages | last | [.from, .body, .from_operator] | @csv')" = '"a","two",false' ]
	# No word of its own for who sends.
	run agent_run a 'bellhop send --from operator b three'
	[ "$status" = 2 ]
}

@test "a stolen token is a contradiction, and no help to a daemon" {
	start_demo a
	start_demo b
	stolen=$(token_of b)
	[ ${#stolen} = 32 ]
	run agent_run a "BELLHOP_TOKEN=$stolen bellhop send operator forged"
	[ "$status" = 1 ]
	[[ "$output" == *"name different terminals"* ]]
	run agent_daemon a "BELLHOP_TOKEN=$stolen bellhop send operator forged"
	[ "${lines[-1]}" = 1 ]
	[[ "$output" == *"no terminal can be named"* ]]
	[ "$(bellhop history --json --with operator | jq '.messages | length')" = 0 ]
}

@test "a daemon is itself by its own token, nobody without" {
	start_demo a
	run agent_daemon a 'bellhop whoami --json'
	answer=${lines[0]}
	expect_answer kind=inside by=token identity=a
	run agent_daemon a "$(emptied) whoami --json"
	answer=${lines[0]}
	expect_answer kind=unverified by=none identity=null
	for command in 'send operator x' inbox list 'screen a' 'type a x' 'kill a' 'history' 'run true'; do
		run agent_daemon a "$(emptied) $command"
		[ "${lines[-1]}" = 1 ]
		[[ "$output" == *"no terminal can be named"* ]] || {
			echo "$command: $output"
			return 1
		}
	done
}

@test "an agent of another session is external" {
	bellhop server start
	there=$(emptied)
	session=other
	start_demo x
	answer=$(agent_run x "$there whoami --json")
	expect_answer kind=external identity=null
	run agent_run x "$there server stop --force"
	[ "$status" = 1 ]
	session=default
	bellhop server status >/dev/null
}

@test "two sessions of one agent: a daemon of one is nobody in the other" {
	start_demo a
	there=$(emptied)
	session=other
	start_demo x
	run agent_daemon x "BELLHOP_TOKEN=\$BELLHOP_TOKEN $there whoami --json"
	answer=${lines[0]}
	expect_answer kind=external
}

@test "a subagent without the secret speaks as its terminal" {
	start_demo a
	run -3 agent_run a "env -u BELLHOP_TOKEN -u BELLHOP_IDENTITY sh -c 'setsid sh -c \"bellhop send operator sub\"'"
	[ "$(last_sender operator)" = a ]
}

@test "a program of another version is told so, and can still restart the server" {
	bellhop server start
	cat >"$BATS_TEST_TMPDIR/ask.py" <<-'PY'
		import json, socket, sys
		s = socket.socket(socket.AF_UNIX)
		s.connect(sys.argv[1])
		s.sendall((json.dumps({"jsonrpc": "2.0", "id": 1, "method": sys.argv[2], "protocol": 2}) + "\n").encode())
		print(s.makefile().readline())
	PY
	ask() {
		python3 "$BATS_TEST_TMPDIR/ask.py" "$runtime/default/server.sock" "$1"
	}
	[ "$(ask terminal.list | jq -r .error.data.word)" = version ]
	[[ "$(ask terminal.list | jq -r .error.message)" == *'`bellhop upgrade`'* ]]
	[ "$(ask server.info | jq -r .result.protocol)" = 1 ]
	[ "$(ask server.upgrade | jq -r .result.upgrading)" = true ]
}

@test "an agent outside registers, sends, reads and is waited for" {
	start_demo a
	cat >"$BATS_TEST_TMPDIR/script" <<-'SH'
		$b register outside --lease 1h --json
		$b whoami --json
		$b send a hello --no-wait --json
		$b wait --timeout 100s --json
		$b inbox --json
		read -r _
	SH
	mkfifo "$BATS_TEST_TMPDIR/in"
	outside claude ". $BATS_TEST_TMPDIR/script" <"$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	exec {in}>"$BATS_TEST_TMPDIR/in"
	within 30 sh -c "[ \$(wc -l <$BATS_TEST_TMPDIR/out) -ge 3 ]"
	answer=$(sed -n 2p "$BATS_TEST_TMPDIR/out")
	expect_answer kind=external by=kernel identity=outside
	[ "$(last_sender a)" = outside ]
	within 30 sh -c "env -i BELLHOP_RUNTIME_DIR=$runtime BELLHOP_STATE_DIR=$state HOME=$home $build/bellhop register | grep -q outside"
	wait_waiter outside
	send outside "for the waiter"
	expect_answer delivered=true delivery_path=waiter will_be_seen=already
	send outside "for the inbox"
	within 30 sh -c "[ \$(wc -l <$BATS_TEST_TMPDIR/out) -ge 5 ]"
	[[ "$(sed -n 4p "$BATS_TEST_TMPDIR/out")" == *"for the waiter"* ]]
	# Nothing is typed to it, and nobody else may have its name.
	run -1 bellhop run --name outside -- true
	[[ "$output" == *"is taken"* ]]
	# It ends, and the name is free at once.
	exec {in}>&-
	within 30 sh -c "[ \$(env -i BELLHOP_RUNTIME_DIR=$runtime BELLHOP_STATE_DIR=$state HOME=$home $build/bellhop register --json | jq '.programs | length') = 0 ]"
	send outside "too late"
	expect_answer reason=no_terminal will_be_seen=only_if_it_looks recipient.known=true
}

@test "a registered program may hold a channel, which holds its lease" {
	bellhop server start
	token=$(bellhop register plugin --lease 5s --json | jq -r .token)
	env -i "${clean_env[@]}" BELLHOP_TOKEN="$token" "$build/bellhop" channel --ack-on-flush \
		</dev/null >"$BATS_TEST_TMPDIR/channel" 3>&- &
	channel=$!
	within 30 sh -c "$(emptied) can-wake plugin --json | grep -q channel"
	sleep 6
	send plugin "by the channel"
	expect_answer delivered=true delivery_path=channel will_be_seen=already
	grep -q "by the channel" "$BATS_TEST_TMPDIR/channel"
	kill "$channel"
	within 30 sh -c "[ \$($(emptied) register --json | jq '.programs | length') = 0 ]"
}

nobody_is_registered() {
	[ "$(bellhop register --json | jq '.programs | length')" = 0 ]
}

@test "a person's script speaks by its token, until its lease runs out, also over a crash" {
	bellhop server start
	eval "$(bellhop register ci --lease 8s | sed 's/; export.*//')"
	[ ${#BELLHOP_TOKEN} = 32 ]
	ci() {
		env -i "${clean_env[@]}" BELLHOP_TOKEN="$BELLHOP_TOKEN" "$build/bellhop" "$@"
	}
	answer=$(ci whoami --json)
	expect_answer kind=external by=token identity=ci
	answer=$(bellhop whoami --json)
	expect_answer kind=operator
	run -1 ci server stop
	kill -KILL "$(bellhop server status --json | jq .pid)"
	within 30 ci whoami --json
	answer=$(ci whoami --json)
	expect_answer kind=external by=token identity=ci
	run -3 ci send operator "still here"
	[ "$(last_sender operator)" = ci ]
	within 60 nobody_is_registered
	# It does not become a person by that.
	answer=$(ci whoami --json)
	expect_answer kind=external by=none identity=null
	run -1 ci send operator "who am I"
	# The same program again, and it has its name back.
	answer=$(ci register ci --json)
	expect_answer identity=ci "token=$BELLHOP_TOKEN"
	bellhop register --end ci
	nobody_is_registered
	[ "$(bellhop register)" = "no program is registered" ]
	run -1 bellhop register --end ci
}

# bound NAME: mail to NAME reaches the living terminal that has the name, and the program in there is
# NAME by the kernel's word.
bound() {
	local id
	within 30 is_bound "$1" || {
		echo "$1 is not bound: $(bellhop send --json --no-wait "$1" x)"
		return 1
	}
	id=$(terminal "$1" terminal_id)
	within 30 grep -qs '"identity":"'"$1"'"' "$BATS_TEST_TMPDIR/who.$id" || {
		echo "$1 takes itself for $(cat "$BATS_TEST_TMPDIR/who.$id")"
		return 1
	}
	answer=$(cat "$BATS_TEST_TMPDIR/who.$id")
	expect_answer kind=inside by=both "terminal_id=$id"
}

is_bound() {
	local id
	id=$(terminal "$1" terminal_id)
	[ "$(terminal "$1" exit)" = null ] &&
		[ "$(bellhop send --json --no-wait "$1" x | jq -r '[.recipient.known, .recipient.terminal_id] | @csv')" = "true,\"$id\"" ]
}

# A program that writes down who it is, and ends when its terminal gets a line.
who_program() {
	printf '%s\n' "bellhop whoami --json >$BATS_TEST_TMPDIR/who.\$BELLHOP_TERMINAL; read -r line; exit 3" \
		>"$BATS_TEST_TMPDIR/who.sh"
	jq -nc --arg script "$BATS_TEST_TMPDIR/who.sh" '["sh", $script]'
}

pid_of() {
	terminal "$1" pid
}

@test "every way in which a terminal comes to be binds its name" {
	argv=$(who_program)
	# run; with an automatic name; by an agent
	bellhop run --name one --respawn on-failure -- sh "$BATS_TEST_TMPDIR/who.sh" >/dev/null
	bound one
	bellhop run -- sh "$BATS_TEST_TMPDIR/who.sh" >/dev/null
	bound sh
	start_demo boss
	agent_run boss "bellhop run --name helper -- sh $BATS_TEST_TMPDIR/who.sh" >/dev/null
	bound helper
	[ "$(terminal helper started_by)" = boss ]
	# a new tab, a split
	bellhop rpc tab.new "{\"identity\":\"tab\",\"argv\":$argv}" >/dev/null
	bound tab
	bellhop rpc pane.split "{\"identity\":\"split\",\"argv\":$argv}" >/dev/null
	bound split
	# respawn: by its policy, by a person (of a living one)
	before=$(terminal one terminal_id)
	bellhop keys one Enter
	within 30 sh -c "[ \$($(emptied) list --json | jq -r '.terminals[] | select(.identity == \"one\") | .terminal_id') != $before ]"
	bound one
	bellhop respawn --force tab >/dev/null
	bound tab
	# a server that crashed, one that was upgraded
	kill -KILL "$(bellhop server status --json | jq .pid)"
	bound one
	bound helper
	bellhop upgrade >/dev/null
	bound split
	# one more name
	agent_run boss 'bellhop announce chief' >/dev/null
	[ "$(bellhop send --json --no-wait chief x | jq -r .recipient.terminal_id)" = "$(terminal boss terminal_id)" ]
	# a child whose record is lost with the store: a name like a new one
	children=$(bellhop list --json | jq '.terminals | length')
	bellhop upgrade >/dev/null
	[ "$(bellhop send --json --no-wait chief x | jq -r .recipient.terminal_id)" = "$(terminal boss terminal_id)" ]
	rm -f "$state"/default/mail.db*
	kill -KILL "$(bellhop server status --json | jq .pid)"
	within 30 bellhop list
	[ "$(bellhop list --json | jq '.terminals | length')" = "$children" ]
	for name in $(bellhop list --json | jq -r '.terminals[].identity'); do
		is_bound "$name"
	done
}

@test "there is no other way than those" {
	cd "$BELLHOP_TEST_SRCDIR/src"
	# Names of terminals and of registered programs; who finds more here adds them to the case above.
	[ "$(grep -l 'bh_store_bind(' server/*.c | xargs -n1 basename | sort | tr '\n' ' ')" = "externals.c terminals.c " ]
	[ "$(grep -c '[^_]bh_store_bind(' server/terminals.c)" = 1 ]
	[ "$(grep -l 'bh_store_announce(' server/*.c | xargs -n1 basename | sort | tr '\n' ' ')" = "externals.c method_channel.c method_mail_identity.c " ]
	[ "$(grep -lE 'bh_terminals_(run|respawn|adopt)\(' server/*.c | xargs -n1 basename | sort | tr '\n' ' ')" = \
		"method_layout_run.c method_terminal.c server.c terminals.c " ]
}

@test "of many who announce a name at once one gets it" {
	for i in 1 2 3 4 5 6; do
		bellhop run --name "p$i" -- sh -c "until [ -e $BATS_TEST_TMPDIR/go ]; do sleep 0.02; done
			bellhop announce --json Chief >$BATS_TEST_TMPDIR/result.$i 2>&1
			echo \$? >$BATS_TEST_TMPDIR/status.$i; exec sleep 600" >/dev/null
	done
	touch "$BATS_TEST_TMPDIR/go"
	for i in 1 2 3 4 5 6; do
		within 30 test -s "$BATS_TEST_TMPDIR/status.$i"
	done
	[ "$(cat "$BATS_TEST_TMPDIR"/status.* | grep -c '^0$')" = 1 ]
	[ "$(cat "$BATS_TEST_TMPDIR"/result.* | grep -c '"error":"identity_taken"')" = 5 ]
	winner=$(grep -l '^0$' "$BATS_TEST_TMPDIR"/status.* | sed 's/.*\.//')
	[ "$(bellhop send --json --no-wait chief x | jq -r .recipient.terminal_id)" = "$(terminal "p$winner" terminal_id)" ]
	for i in 1 2 3 4 5 6; do
		[ "$i" = "$winner" ] || grep -q "$(terminal "p$winner" terminal_id)" "$BATS_TEST_TMPDIR/result.$i"
	done
}

@test "a name with a holder, one that waits, and one with mail are refused with words" {
	bellhop run --name holder -- sleep 600 >/dev/null
	start_demo b
	run -1 bellhop run --name Holder -- true
	[[ "$output" == *"the live terminal $(terminal holder terminal_id) holds it"* ]]
	[[ "$output" == *'`bellhop kill holder`'* ]]
	# To an agent another's life is no way out.
	run agent_run b 'bellhop announce holder'
	[ "$status" = 1 ]
	[[ "$output" == *"holds it"*"let the operator give it"* ]]
	[ "$(bellhop rpc terminal.run '{"argv":["true"],"identity":"holder"}' 2>&1 | grep -c identity_taken)" = 1 ]
	# Its exit frees the name at once, for whoever comes.
	kill -KILL "$(pid_of holder)"
	within 30 bellhop run --name holder -- sleep 600
	# Mail that its last holder did not read keeps a name from other agents, not from a person.
	bellhop send --no-wait holder unread >/dev/null || true
	bellhop kill holder --signal KILL
	within 30 sh -c "$(emptied) list --all --json | jq -e '.terminals | map(select(.identity == \"holder\")) | last | .exit != null' >/dev/null"
	sleep 0.3
	run agent_run b 'bellhop announce holder'
	[ "$status" = 1 ]
	[[ "$output" == *"unread mail"* ]] || {
		echo "$output"
		return 1
	}
	# A name that waits for its respawn.
	bellhop run --name again --respawn always -- sh -c 'sleep 0.2' >/dev/null
	within 30 sh -c "$(emptied) list --all --json | jq -e '.terminals | any(.identity == \"again\" and .respawn_at != null)' >/dev/null && ! $(emptied) run --name again -- true"
	bellhop forget again || true
}

@test "a grant lets an agent type into one terminal, and is logged" {
	start_demo a
	bellhop run --name target -- cat >/dev/null
	run agent_run a 'bellhop type target "by an agent"'
	[ "$status" = 1 ]
	[[ "$output" == *"only a person types into target"* ]]
	run agent_run a 'bellhop grant a target'
	[ "$status" = 1 ]
	[ "$(bellhop grant)" = "no agent may type into another terminal" ]
	[ "$(bellhop grant a target)" = "a may type into target" ]
	[ "$(bellhop grant)" = "a may type into target" ]
	agent_run a 'bellhop type target "by an agent" && bellhop keys target Enter'
	wait_screen target "by an agent"
	grep -q "a types into it, as it was granted" "$state/default/server.log"
	run agent_run a 'bellhop type a x'
	[ "$status" = 1 ]
	kill -KILL "$(bellhop server status --json | jq .pid)"
	within 30 bellhop list
	agent_run a 'bellhop type target "after a crash"'
	[ "$(bellhop grant --revoke a target)" = "a may type no more into target" ]
	run agent_run a 'bellhop type target again'
	[ "$status" = 1 ]
	run -1 bellhop grant --revoke a target
	run -2 bellhop grant a
	# Its own dialogs are a person's, too.
	run -1 bellhop grant a a
	[[ "$output" == *"would answer its own dialogs"* ]]
	# A successor has none.
	bellhop grant a target
	bellhop respawn --force target >/dev/null
	run agent_run a 'bellhop type target again'
	[ "$status" = 1 ]
}

@test "an agent ends its own children, nobody else's" {
	start_demo boss
	bellhop run --name other -- sleep 600 >/dev/null
	agent_run boss 'bellhop run --name helper -- sleep 600' >/dev/null
	for command in 'kill other' 'respawn other' 'forget other' 'ring other' 'resize other 80x24' 'keys helper Enter' 'type helper x'; do
		run agent_run boss "bellhop $command"
		[ "$status" = 1 ] || [ "$status" = 2 ]
		[[ "$output" == *operator_only* ]] || [[ "$output" == *"only the operator"* ]] || [[ "$output" == *"only a person"* ]] || {
			echo "$command: $output"
			return 1
		}
	done
	[ "$(terminal other exit)" = null ]
	agent_run boss 'bellhop respawn --force helper' >/dev/null
	agent_run boss 'bellhop kill helper --signal KILL' >/dev/null
	within 30 sh -c "[ \"\$($(emptied) list --json --all | jq -r '.terminals | map(select(.identity == \"helper\")) | last | .exit.signal')\" = SIGKILL ]"
}
