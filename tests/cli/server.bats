#!/usr/bin/env bats
# Keeper and server: start, stop, sessions, crashes.

# shellcheck disable=SC2016,SC2030,SC2031,SC2034,SC2154  # code for other shells; cases are subshells; loop counters; names from helper
load helper

server_pid() {
	bellhop server status --json | jq -r .pid
}

# The server answers and is another process than $1.
is_restarted() {
	local pid
	pid=$(server_pid 2>/dev/null) && [ -n "$pid" ] && [ "$pid" != null ] && [ "$pid" != "$1" ]
}

# The rule of the case below keeps it from being idle.
awaits_start() {
	bellhop explain a | grep -q 'rule fresh'
}

@test "the first command starts the server, stop ends it" {
	bellhop list
	[ -S "$runtime/default/server.sock" ]
	bellhop server status
	bellhop server stop
	run ! bellhop server status
}

@test "server start and stop are explicit, too" {
	run ! bellhop server status
	bellhop server start
	bellhop server start
	bellhop server status
	bellhop server stop
	run ! bellhop server status
}

@test "to stop a session that does not run is no failure, to ask for its status is" {
	for _ in before after; do
		run -0 bellhop server stop
		[[ "$output" == *"no server runs"* ]]
		bellhop server stop --force --json | jq -e '.stopping == false and .killed == 0'
		run -1 bellhop server status
		run -0 bellhop server start
		run -0 bellhop server stop
	done
}

@test "the session's folder is the user's alone" {
	bellhop list
	[ "$(stat -c %a "$runtime/default")" = 700 ]
}

@test "ten first commands at once start exactly one server" {
	for i in 1 2 3 4 5 6 7 8 9 10; do
		bellhop server status --json >"$BATS_TEST_TMPDIR/status.$i" 2>&1 ||
			bellhop list --json >"$BATS_TEST_TMPDIR/list.$i" &
	done
	wait
	compgen -G "$BATS_TEST_TMPDIR/list.*"
	for list in "$BATS_TEST_TMPDIR"/list.*; do
		jq -e '.terminals == []' "$list"
	done
	[ "$(pgrep -fc "^bellhop-keeper.*$runtime|keeper.*$runtime" || true)" -le 1 ]
	[ "$(bellhop server status --json | jq .restarts)" = 0 ]
}

@test "sessions know nothing of each other" {
	bellhop -S red run --name only-red -- sleep 60
	bellhop -S blue run --name only-blue -- sleep 60
	bellhop -S red list | grep only-red
	run ! bash -c "$(declare -p clean_env); env -i \"\${clean_env[@]}\" '$build/bellhop' -S red list | grep only-blue"
}

@test "stop with living terminals wants --force" {
	bellhop run --name sleeper -- sleep 60
	run -1 bellhop server stop
	[[ "$output" == *force* ]]
	bellhop server status
	bellhop server stop --force
}

@test "kill -9 of the server: children live, screens are back, mail is there" {
	start_demo a
	send a "before the crash"
	expect_answer terminal=typed
	wait_idle a
	child=$(terminal a pid)
	wait_idle a
	before=$(bellhop screen a)
	pid=$(server_pid)
	kill -KILL "$pid"
	within 30 is_restarted "$pid"
	[ "$(terminal a pid)" = "$child" ]
	wait_idle a
	[ "$(bellhop screen a)" = "$before" ]
	bellhop history --json a | jq -e '.messages | any(.body == "before the crash" and .state == "seen")'
	send a "after the crash"
	expect_answer terminal=typed
	[ "$(turns a "before the crash")" = 1 ]
}

@test "kill -9 of the server: an agent is as old as it was, its start is not awaited again" {
	mkdir -p "$home/config/bellhop/profiles"
	jq '.rules += [{name: "fresh", says: "starting", priority: 400, region: "footer", all: ["."], within_ms: 8000}]' \
		"$BELLHOP_TEST_SRCDIR/src/agent/profiles/demo.json" >"$home/config/bellhop/profiles/demo.json"
	run_demo a
	within 30 awaits_start
	wait_idle a
	pid=$(server_pid)
	kill -KILL "$pid"
	within 30 is_restarted "$pid"
	for ((i = 0; i < 300; i++)); do
		run ! awaits_start
		[ "$(terminal a state)" != idle ] || return 0
	done
	false
}

@test "a shell that outlived its session is told the way out" {
	clean_env+=(BELLHOP_SOCKET="$runtime/gone/server.sock" BELLHOP_TOKEN=0123456789abcdef)
	run -1 bellhop list
	[[ "$output" == *"unset BELLHOP_SOCKET and BELLHOP_TOKEN"* ]]
}

@test "what dies with its keeper is told in the log, and the bare program helps on" {
	bellhop run --name lost -- sleep 300
	local pids
	pids=$(session_pids)
	# shellcheck disable=SC2086  # a list
	kill -KILL $pids
	for pid in $pids; do
		within 30 is_gone "$pid"
	done
	run -0 bellhop
	[[ "$output" == *"No server runs for this session yet"* ]]
	bellhop list
	grep -q 'lost.*is lost: no keeper holds it' "$state/default/server.log"
}

@test "a server that ends under the first question is no server" {
	mkdir -p "$runtime/$session"
	chmod 700 "$runtime/$session"
	: >"$runtime/$session/keeper.lock"
	# What a server does that its keeper started and did not outlive: it listens, and is gone.
	python3 - "$runtime/$session/server.sock" 3>&- <<-'END' &
		import os, socket, sys
		listener = socket.socket(socket.AF_UNIX)
		listener.bind(sys.argv[1])
		listener.listen()
		listener.accept()
		os.unlink(sys.argv[1])
	END
	within 30 test -S "$runtime/$session/server.sock"
	run -0 bellhop
	wait
	[[ "$output" == *"No server runs for this session yet"* ]]
}

@test "a keeper that was stopped: who waits for a server is told, and stop --force ends all" {
	bellhop run --name sleeper -- sleep 300
	child=$(terminal sleeper pid)
	keeper=$(bellhop server status --json | jq .keeper_pid)
	kill -STOP "$keeper"
	for command in upgrade list; do
		run -1 bellhop "$command"
		[[ "$output" == *"keeper (process $keeper)"*"\`kill -CONT $keeper\`"* ]]
	done
	kill -CONT "$keeper"
	within 60 bellhop list
	[ "$(terminal sleeper pid)" = "$child" ]
	kill -STOP "$keeper"
	bellhop server stop --force
	is_gone "$child"
	is_gone "$keeper"
}

history_reaches() {
	bellhop log -n 3 "$1" | grep -qx "$2"
}

@test "upgrade: all of the history is there afterwards, of a screen of another size, too" {
	bellhop run --name long -- sh -c 'seq 1 9000; exec cat'
	within 30 history_reaches long 9000
	bellhop resize long 60x20
	for _ in 1 2; do
		bellhop upgrade
		[ "$(bellhop log -n 10000 long | grep -cE '^[0-9]+$')" = 9000 ]
		[ "$(bellhop log -n 10000 long | head -n 1)" = 1 ]
	done
}

@test "upgrade: another server, and it is there when the command ends" {
	bellhop run --name a -- sleep 60
	local before i
	for i in 1 2 3; do
		before=$(bellhop server status --json | jq .pid)
		run -0 bellhop upgrade
		[[ "$output" == *"terminals go on"* ]]
		[ "$(bellhop server status --json | jq .pid)" != "$before" ]
	done
	bellhop upgrade --json | jq -e .upgrading
	[ "$(bellhop list --json | jq '.terminals | length')" = 1 ]
	bellhop server stop --force
	run -1 bellhop upgrade
	[[ "$output" == *"no server runs"* ]]
}

@test "output during a crash is not lost" {
	bellhop run --name counter --size 80x24 -- sh -c \
		'i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo "line $i"; sleep 0.02; done; sleep 600'
	wait_screen counter "line 10"
	pid=$(server_pid)
	kill -KILL "$pid"
	within 30 is_restarted "$pid"
	within 90 screen_has counter "line 200" # so many processes take their time on a busy machine
	bellhop log counter --lines 1000 | sed 's/ *$//' | grep . >"$BATS_TEST_TMPDIR/log"
	seq -f 'line %g' 200 | diff - "$BATS_TEST_TMPDIR/log"
}

has_exited_with() {
	[ "$(terminal short exit.code)" = "$1" ]
}

@test "an exit during a crash is not lost" {
	bellhop run --name short -- sh -c 'sleep 1; exit 7'
	pid=$(server_pid)
	kill -KILL "$pid"
	within 30 is_restarted "$pid"
	within 30 has_exited_with 7
}

@test "queued mail survives a crash and is typed once" {
	start_demo a
	hold a
	send a "patience"
	expect_answer terminal=queued reason=working
	pid=$(server_pid)
	kill -KILL "$pid"
	within 30 is_restarted "$pid"
	[ "$(turns a patience)" = 0 ]
	release a
	wait_step "m$(field seq)" typed
	sleep 1
	[ "$(turns a patience)" = 1 ]
}

@test "a server that crashes again and again is given up with words" {
	bellhop run --name sleeper -- sleep 300
	child=$(terminal sleeper pid)
	for i in $(seq 1 60); do
		bellhop server status 2>&1 | grep -q crashed && break
		pid=$(server_pid 2>/dev/null)
		[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || true
		sleep 0.2
	done
	run ! bellhop server status
	[[ "$output" == *crashed*"its log is $state/default/server.log"* ]]
	run ! bellhop
	[[ "$output" == *crashed* ]]
	kill -0 "$child"
	# The next command has it tried again.
	within 60 bellhop list
	[ "$(terminal sleeper pid)" = "$child" ]
}

@test "what has ended stays in the list over restarts, until it is forgotten or the session ends" {
	bellhop run --name keeper -- sleep 300
	bellhop run --name one -- sh -c "exit 3"
	bellhop run --name two -- sh -c "kill -TERM \$\$"
	within 30 ended_is one,two
	pid=$(server_pid)
	kill -KILL "$pid"
	within 30 is_restarted "$pid"
	within 30 ended_is one,two
	[ "$(terminal one exit.code)" = 3 ]
	[ "$(terminal two exit.signal)" = SIGTERM ]
	[ "$(bellhop list --all --json | jq -c '[.terminals[].identity]')" = '["one","two","keeper"]' ]
	# One can be started again; the other was seen enough of.
	bellhop respawn one
	bellhop forget two
	bellhop upgrade
	within 30 ended_is one,one
	bellhop server stop --force
	bellhop server start
	sleep 0.5
	ended_is ""
}

@test "what waits for its respawn goes on after a crash, and not after stop --force" {
	bellhop run --name again --respawn always -- sh -c 'echo run >>"$HOME/runs"; sleep 0.2' >/dev/null
	is_due() { bellhop list --all --json | jq -e '.terminals | any(.respawn_at != null)' >/dev/null; }
	within 30 is_due
	pid=$(server_pid)
	kill -KILL "$pid"
	within 30 is_restarted "$pid"
	bellhop list --all --json | jq -e '.terminals | any(.identity == "again")'
	within 30 is_due
	bellhop server stop --force
	bellhop server start
	[ "$(bellhop list --all --json | jq '.terminals | length')" = 0 ]
	# Its name is free, its mailbox stays.
	bellhop run --name again -- sleep 60
}

@test "what an ended program showed last is there after restarts, and what is not kept is said" {
	local id
	bellhop run --name stay -- sleep 300
	bellhop run --name one --size 60x10 -- sh -c 'seq 1 40; printf "\033[31mred\033[0m end"; exit 3'
	bellhop run --name two -- true
	within 30 ended_is one,two
	id=$(terminal one terminal_id)
	for how in KILL upgrade KILL; do
		pid=$(server_pid)
		if [ "$how" = KILL ]; then
			kill -KILL "$pid"
		else
			bellhop upgrade
		fi
		within 30 is_restarted "$pid"
		within 30 ended_is one,two
		bellhop screen one | tail -n 1 | grep -qx "red end"
		bellhop screen one --ansi | grep -q "31m"
		[ "$(bellhop log one | head -n 1)" = 1 ]
		[ "$(bellhop rpc terminal.screen '{"name":"one"}' | jq -c '[.cols, .rows]')" = "[60,10]" ]
		run -1 bellhop capture one
		[[ "$output" == *"earlier server"*"bellhop log one"* ]]
	done
	# Where it is not kept that is said, by all that would show it.
	rm "$runtime/default/history-$id"
	pid=$(server_pid)
	kill -KILL "$pid"
	within 30 is_restarted "$pid"
	within 30 ended_is one,two
	for command in screen log capture; do
		run -1 bellhop "$command" one
		[[ "$output" == *"one ended under an earlier server"*"not kept"* ]]
	done
	run -1 bellhop rpc terminal.history '{"name":"one"}'
	[[ "$output" == *"not kept"* ]]
	bellhop explain one | grep -q "not kept"
	bellhop forget two
	[ "$(find "$runtime/default" -name 'history-*' | wc -l)" = 0 ]
	bellhop server stop --force
}

ended_is() {
	[ "$(bellhop list --all --json | jq -r '[.terminals[] | select(.state == "exited") | .identity] | join(",")')" = "$1" ]
}

@test "a session whose server was given up is stopped by force, at once" {
	bellhop run --name sleeper -- sleep 300
	child=$(terminal sleeper pid)
	keeper=$(bellhop server status --json | jq .keeper_pid)
	for i in $(seq 1 60); do
		[ -e "$runtime/default/keeper.state" ] && break
		pid=$(server_pid 2>/dev/null)
		[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || true
		sleep 0.2
	done
	run ! bellhop server stop
	[[ "$output" == *crashed* ]]
	kill -0 "$child"
	bellhop server stop --force
	is_gone "$child"
	is_gone "$keeper"
	[ ! -e "$runtime/default/server.sock" ]
	run ! compgen -G "$runtime/default/environ-*"
	run -0 bellhop server stop --force
	[[ "$output" == *"no server runs"* ]]
}

@test "a session whose server hangs is stopped by force" {
	bellhop run --name sleeper -- sleep 300
	child=$(terminal sleeper pid)
	pid=$(server_pid)
	keeper=$(bellhop server status --json | jq .keeper_pid)
	kill -STOP "$pid"
	bellhop server stop --force
	is_gone "$child"
	is_gone "$pid"
	is_gone "$keeper"
}

# ask ID COMMAND...: the command in the background; ID.out, ID.err and ID.status are what came of it.
ask() {
	local id=$BATS_TEST_TMPDIR/$1
	shift
	(
		status=0
		env -i "${clean_env[@]}" BELLHOP_SESSION="$session" timeout 150 "$build/bellhop" "$@" \
			>"$id.out" 2>"$id.err" 3>&- </dev/null || status=$?
		echo "$status" >"$id.status"
	) &
}

# says ID TEXT: on standard error of ask().
says() {
	grep -qF -- "$2" "$BATS_TEST_TMPDIR/$1.err"
}

@test "who waits for a stopped server is told so, and has the answer when that goes on" {
	local id pid
	start_demo a
	pid=$(server_pid)
	ask follow events --follow
	within 30 test -s "$BATS_TEST_TMPDIR/follow.out"
	ask wait wait-state a exited --timeout 300s
	kill -STOP "$pid"
	ask send send --no-wait a "are you there?"
	ask list list
	ask history history
	ask tasks task list
	ask rpc rpc server.info
	for id in wait send list history tasks rpc; do
		within 30 says "$id" "waiting for the server (process $pid), which was stopped: \`kill -CONT $pid\`"
	done
	kill -CONT "$pid"
	for id in send list history tasks rpc; do
		within 30 test -s "$BATS_TEST_TMPDIR/$id.status"
		[ "$(cat "$BATS_TEST_TMPDIR/$id.status")" = 0 ]
		[ -s "$BATS_TEST_TMPDIR/$id.out" ]
	done
	# Those that wait for something else were only told, and wait on.
	within 30 says wait "the server (process $pid) reacts again"
	bellhop kill --signal KILL a
	within 30 test -s "$BATS_TEST_TMPDIR/wait.status"
	[ "$(cat "$BATS_TEST_TMPDIR/wait.status")" = 0 ]
	within 30 grep -q exited "$BATS_TEST_TMPDIR/follow.out"
}

@test "a send to a server that hangs ends with what is not known, and how to ask again" {
	local message pid
	start_demo a
	pid=$(server_pid)
	kill -STOP "$pid"
	ask send send a "once and no more"
	ask keys keys a x
	ask list list
	within 60 test -s "$BATS_TEST_TMPDIR/send.status"
	[ "$(cat "$BATS_TEST_TMPDIR/send.status")" = 5 ]
	says send "whether it was stored is not known"
	message=$(grep -o -e '--message-id [0-9a-f-]*' "$BATS_TEST_TMPDIR/send.err" | cut -d' ' -f2)
	[ -n "$message" ]
	within 60 test -s "$BATS_TEST_TMPDIR/keys.status"
	[ "$(cat "$BATS_TEST_TMPDIR/keys.status")" = 5 ]
	says keys "whether terminal.keys was done is not known"
	within 60 test -s "$BATS_TEST_TMPDIR/list.status"
	[ "$(cat "$BATS_TEST_TMPDIR/list.status")" = 1 ]
	kill -CONT "$pid"
	send a "once and no more" --message-id "$message"
	[ "$(bellhop history a --json | jq '[.messages[] | select(.body == "once and no more")] | length')" = 1 ]
}

@test "killed at any moment: no mail is lost, none comes twice, all in order" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	env -i "${clean_env[@]}" BELLHOP_SESSION="$session" python3 "$BATS_TEST_DIRNAME/crashes.py" \
		"$build" "$BATS_TEST_TMPDIR" "$RANDOM" 10
}

@test "a runtime folder that somebody removes is there again, and so are the agents" {
	local pid
	start_demo a
	pid=$(bellhop server status --json | jq .pid)
	rm -rf "${runtime:?}/default"
	within 30 test -S "$runtime/default/server.sock"
	[ "$(bellhop server status --json | jq .pid)" = "$pid" ]
	[ "$(stat -c %a "$runtime/default")" = 700 ]
	send a "still there?"
	expect_answer terminal=typed
	# Inside, too; its spool is there again.
	[ -d "$runtime/default/spool/$(terminal a terminal_id)" ]
	# The next server finds all that, and no second keeper can take the session.
	kill -KILL "$pid"
	within 30 is_restarted "$pid"
	run ! flock --nonblock "$runtime/default/keeper.lock" true
	wait_idle a
}

# deaf STORED: a server that never answers a send; see deaf.py.
deaf() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	mkdir -m 700 "$runtime/default"
	python3 "$BATS_TEST_DIRNAME/deaf.py" "$runtime/default/server.sock" "$1" >"$BATS_TEST_TMPDIR/deaf" 3>&- &
	deaf_pid=$!
	within 30 grep -q ready "$BATS_TEST_TMPDIR/deaf"
}

end_deaf() {
	kill "$deaf_pid"
	rm -f "$runtime/default/server.sock"
}

@test "a send that no server lived to answer: stored, and said so" {
	deaf late
	send coder "hello"
	end_deaf
	[ "$status" = 0 ]
	expect_answer seq=7 idempotent_replay=true
	# All were one message: the client has made its id, before anybody answered.
	[ "$(sed -n 's/^message.send //p' "$BATS_TEST_TMPDIR/deaf" | wc -l)" -ge 3 ]
	[ "$(sed -n 's/^message.send //p' "$BATS_TEST_TMPDIR/deaf" | jq -r .message_id | sort -u | wc -l)" = 1 ]
	[ "$(sed -n 's/^message.send //p' "$BATS_TEST_TMPDIR/deaf" | jq -r .message_id | head -n 1 | wc -c)" = 37 ]
}

@test "a wait takes 100 s when nobody says how long" {
	deaf no
	bellhop wait >/dev/null || true
	end_deaf
	[ "$(sed -n 's/^inbox.wait //p' "$BATS_TEST_TMPDIR/deaf" | jq -r .timeout_ms)" = 100000 ]
}

@test "a send that no server can answer: stored, and not to be sent again" {
	deaf yes
	send coder "hello"
	end_deaf
	[ "$status" = 3 ]
	[[ "$(field message)" == *"is stored, as m7: do not send it again"* ]]
}

@test "a send that was lost: nothing was stored" {
	deaf no
	send coder "hello"
	end_deaf
	[ "$status" = 1 ]
	[[ "$(field message)" == *"nothing was stored"* ]]
}
