#!/usr/bin/env bats
# Terminals: run, look, type, resize, end, respawn; environment and signals of children.

# shellcheck disable=SC2016,SC2034,SC2154  # code for other shells; loop counters; names from helper
load helper

test_all_ended() {
	[ "$(bellhop list --json | jq '.terminals | length')" = 0 ]
}

@test "run and list: table and JSON" {
	bellhop run --name shell --size 100x30 --cwd / -- sh
	bellhop list | grep -E '^shell .*100x30'
	[ "$(terminal shell program)" = sh ]
	[ "$(terminal shell cols)x$(terminal shell rows)" = 100x30 ]
	[ "$(terminal shell unread)" = 0 ]
	[ "$(terminal shell cwd)" = / ]
	[[ "$(terminal shell terminal_id)" =~ ^[0-9a-f]{8}-[0-9a-f]{4}-4 ]]
}

@test "run tells how sure it is that mail wakes what it started" {
	run -0 bellhop run --name shell -- sh
	[[ "$output" == *"wake: NONE (nothing wakes it; mail is durable)"* ]]
	run -0 bellhop run --name agent --cwd "$BATS_TEST_TMPDIR" -- "$build/bellhop-demo-agent"
	[[ "$output" == *"wake: CONDITIONAL"*"condition: "* ]]
	[ "$(bellhop run --json --name other -- sh | jq -r .wake.tier)" = NONE ]
}

@test "a terminal without a name gets one after its program" {
	bellhop run -- sleep 60
	bellhop run -- sleep 60
	[ "$(bellhop list --json | jq -r '[.terminals[].identity] | unique | length')" = 2 ]
	bellhop list --json | jq -e '.terminals | all(.identity | startswith("sleep"))'
}

@test "a taken name is refused and nothing runs" {
	bellhop run --name one -- sleep 60
	run -1 bellhop run --name ONE -- sleep 60
	[[ "$output" == *one* ]]
	[ "$(bellhop list --json | jq '.terminals | length')" = 1 ]
}

@test "names that cannot be are refused" {
	for name in operator bellhop all '#room' '-x' 'a b' "$(printf 'x%.0s' {1..65})"; do
		run ! bellhop run --name "$name" -- sleep 60
	done
	[ "$(bellhop list --json | jq '.terminals | length')" = 0 ]
}

@test "a program that is not there is told at once" {
	run -1 bellhop run --name x -- /no/such/program
	[[ "$output" == *"/no/such/program"*"is it installed"* ]]
	: >"$BATS_TEST_TMPDIR/plain"
	run -1 bellhop run --name x -- "$BATS_TEST_TMPDIR/plain"
	[[ "$output" == *"is it an executable file"* ]]
	[ "$(bellhop list --json | jq '.terminals | length')" = 0 ]
	run -1 bellhop run --name x --cwd /no/such/folder -- sleep 1
}

@test "screen, type and keys" {
	bellhop run --name shell --size 80x24 -- sh
	bellhop type shell 'echo $((6*7))'
	bellhop keys shell Enter
	wait_screen shell 42
	bellhop screen shell --json | jq -e '.cols == 80 and .rows == 24 and .cursor.visible'
	bellhop type shell 'printf "\033[31mred\033[m"'
	bellhop keys shell Enter
	wait_screen shell red
	bellhop screen shell --ansi | grep -q $'\033\[[0-9;]*31m'
	run -1 bellhop keys shell NoSuchKey
	[[ "$output" == *NoSuchKey* ]]
}

@test "a terminal is found by its id and a prefix of it" {
	bellhop run --name shell -- sleep 60
	id=$(terminal shell terminal_id)
	bellhop screen "$id"
	bellhop screen "${id:0:8}"
	run -1 bellhop screen "${id:0:3}"
}

@test "resize reaches the program" {
	bellhop run --name shell --size 80x24 -- sh
	bellhop resize shell 100x33
	bellhop type shell 'stty size'
	bellhop keys shell Enter
	wait_screen shell '33 100'
	run ! bellhop resize shell 1x1
	run ! bellhop resize shell 99999x24
}

@test "kill, exit status, forget" {
	bellhop run --name term -- sleep 60
	bellhop kill --signal TERM term
	bellhop wait-state term exited --timeout 30s
	[ "$(terminal term exit.signal)" = SIGTERM ]
	bellhop run --name code -- sh -c 'exit 3'
	bellhop wait-state code exited --timeout 30s
	[ "$(terminal code exit.code)" = 3 ]
}

@test "of those that end all at once no more are kept than of others" {
	local pids server
	for i in {1..40}; do
		bellhop run -- sleep 600 >/dev/null
	done
	pids=$(bellhop list --json | jq -r '.terminals[].pid')
	server=$(bellhop server status --json | jq .pid)
	kill -STOP "$server"
	# shellcheck disable=SC2086  # words
	kill $pids
	for pid in $pids; do
		within 30 is_gone "$pid"
	done
	kill -CONT "$server"
	within 30 test_all_ended
	[ "$(bellhop list --all --json | jq '.terminals | length')" -le 32 ]
}

@test "an exit is told when the child is gone, not when the terminal closes" {
	bellhop run --name parent -- sh -c 'sleep 300 & exit 5'
	bellhop wait-state parent exited --timeout 30s
	[ "$(terminal parent exit.code)" = 5 ]
}

@test "respawn policies" {
	bellhop run --name never --respawn never -- sh -c 'exit 1'
	bellhop run --name failed --respawn on-failure -- sh -c 'sleep 0.3; exit 1'
	bellhop run --name fine --respawn on-failure -- sh -c 'sleep 0.3; exit 0'
	bellhop run --name always --respawn always -- sh -c 'sleep 1'
	first=$(terminal always terminal_id)
	another() { [ "$(terminal "$1" terminal_id)" != "$2" ]; }
	is_state() { [ "$(terminal "$1" state)" = "$2" ]; }
	within 30 another always "$first"
	within 30 is_state never exited
	within 30 is_state fine exited
	bellhop list --all --json | jq -e '[.terminals[] | select(.identity == "failed")] | length >= 1'
	bellhop respawn never
	within 30 is_state never exited
}

# An agent that says with its hook which session it is; writes its command lines to `lines`.
agent_with_session() {
	mkdir -p "$BATS_TEST_TMPDIR/bin" "$BATS_TEST_TMPDIR/claude/projects/x"
	cat >"$BATS_TEST_TMPDIR/bin/claude" <<-'EOF'
		#!/bin/sh
		record=$CLAUDE_CONFIG_DIR/projects/x/5e55.jsonl
		: >"$record"
		printf '{"hook_event_name":"SessionStart","transcript_path":"%s"}' "$record" | bellhop hook claude
		echo "$*" >>"$CLAUDE_CONFIG_DIR/lines"
		exec sleep 600
	EOF
	chmod +x "$BATS_TEST_TMPDIR/bin/claude"
}

lines_are() { [ "$(grep -c . "$BATS_TEST_TMPDIR/claude/lines")" = "$1" ]; }

@test "an agent is respawned with its session" {
	agent_with_session
	bellhop run --name agent --env CLAUDE_CONFIG_DIR="$BATS_TEST_TMPDIR/claude" -- "$BATS_TEST_TMPDIR/bin/claude" "fix it"
	within 30 lines_are 1
	bellhop kill agent
	bellhop wait-state agent exited --timeout 30s
	bellhop respawn --resume agent
	within 30 lines_are 2
	tail -n 1 "$BATS_TEST_TMPDIR/claude/lines" | grep -e ' --resume 5e55$'
	bellhop explain agent | grep 'only when it is told to'
	run -1 bellhop respawn --resume agent
	[[ "$output" == *"still runs"* ]]
	bellhop respawn --force agent
	within 30 lines_are 3
	tail -n 1 "$BATS_TEST_TMPDIR/claude/lines" | grep -e ' fix it$'
}

@test "what has no session is not resumed, and says why" {
	bellhop run --name shell -- sh -c 'exit 1'
	bellhop wait-state shell exited --timeout 30s
	run -1 bellhop respawn --resume shell
	[[ "$output" == *"knows no way to resume"*"starts it afresh"* ]]
	run -1 bellhop run --respawn always --resume -- sh -c 'exit 1'
	[[ "$output" == *"knows no way to resume"* ]]
	run -1 bellhop run --resume -- claude
	[[ "$output" == *"needs a respawn policy"* ]]
}

@test "a shell is not starting for ever" {
	bellhop run --name quiet -- cat
	[ "$(bellhop wait-state quiet unknown --timeout 60s)" = unknown ]
}

@test "what is respawned is ended for good by kill --for-good" {
	bellhop run --name again --respawn always -- sleep 60
	run -0 bellhop kill again
	[ "$output" = "again is started again (respawn: always); \`bellhop kill --for-good again\` ends it for good" ]
	# Whether it runs again by now or is still due makes no difference.
	run -0 bellhop kill --for-good again
	[ -z "$output" ]
	run ! bellhop wait-state again idle
	[ "$(bellhop list --json | jq '.terminals | length')" = 0 ]
	run -1 bellhop kill --for-good again
	[[ "$output" == *"has ended"* || "$output" == *"no terminal"* ]]
	run -2 bellhop kill --for-good --signal TERM again
}

@test "kill --for-good gives up a respawn that is due" {
	bellhop run --name brief --respawn always -- sh -c 'sleep 0.2'
	is_due() {
		bellhop list --all --json |
			jq -e '.terminals | any(.respawn_at != null and .respawn_at > now * 1000 + 2000)' >/dev/null
	}
	within 60 is_due
	run -0 bellhop kill --for-good brief
	bellhop list --all --json | jq -e '.terminals | all(.respawn_at == null)'
}

@test "kill --for-good ends what does not hear" {
	bellhop run --name deaf --respawn always -- sh -c 'trap "" HUP; echo deaf; while :; do sleep 1; done'
	is_deaf() { bellhop screen deaf | grep -q deaf; }
	within 30 is_deaf
	run -0 bellhop kill --for-good deaf
	[ "$(bellhop wait-state deaf exited --timeout 60s)" = exited ]
	[ "$(bellhop list --json | jq '.terminals | length')" = 0 ]
}

@test "mail to a shell whose respawn is due is not promised to be typed" {
	bellhop run --name brief --respawn on-failure -- sh -c 'exit 1'
	# Whether it runs just now or waits to run again: nothing is ever typed into it.
	for _ in 1 2 3 4 5 6; do
		run bellhop send brief hello --json
		[ "$status" = 3 ]
		[ "$(jq -r .reason <<<"$output")" = typing_off ]
		[ "$(bellhop can-wake brief --json | jq -r .tier)" = NONE ]
		sleep 0.2
	done
}

@test "list counts the mail of a name whose respawn is due" {
	bellhop run --name brief --respawn on-failure -- sh -c 'sleep 0.3; exit 1'
	send brief hello
	bellhop wait-state brief exited --timeout 30s
	[ "$(terminal brief unread)" = 1 ]
}

@test "wait-state: reached, and given up" {
	start_demo a
	hold a
	run -1 bellhop wait-state a idle --timeout 300ms
	release a
	bellhop wait-state a idle --timeout 30s
	run -1 bellhop wait-state a awaiting --timeout 300ms
	tell a "DEMO:ask may I"
	bellhop wait-state a awaiting --timeout 30s
}

@test "log gives scrollback" {
	bellhop run --name rows --size 80x10 -- sh -c 'seq 1 100; sleep 60'
	wait_screen rows 100
	bellhop log rows | grep -qx '1 *'
	[ "$(bellhop log rows --lines 5 | wc -l)" -le 5 ]
}

@test "the child's environment: ours set, other agents' gone" {
	env -i "${clean_env[@]}" BELLHOP_SESSION=default CLAUDECODE=1 CLAUDE_CODE_CHILD_SESSION=1 \
		CLAUDE_CODE_SESSION_ID=x AI_AGENT=x CODEX_THREAD_ID=x CLAUDE_CONFIG_DIR=/keep KEPT=yes \
		"$build/bellhop" run --name child --env EXTRA=more --size 200x50 -- \
		sh -c 'env | sort; echo end of env; sleep 60'
	wait_screen child "end of env"
	bellhop log child >"$BATS_TEST_TMPDIR/env"
	for line in 'BELLHOP_IDENTITY=child' 'TERM=xterm-256color' 'COLORTERM=truecolor' 'EXTRA=more' \
		'CLAUDE_CONFIG_DIR=/keep'; do
		grep -q "^$line" "$BATS_TEST_TMPDIR/env" || {
			echo "no $line"
			return 1
		}
	done
	for name in BELLHOP_TERMINAL BELLHOP_SOCKET BELLHOP_SPOOL BELLHOP_TOKEN; do
		grep -q "^$name=." "$BATS_TEST_TMPDIR/env"
	done
	run ! grep -E '^(CLAUDECODE|CLAUDE_CODE_CHILD_SESSION|CLAUDE_CODE_SESSION_ID|AI_AGENT|CODEX_THREAD_ID)=' \
		"$BATS_TEST_TMPDIR/env"
}

@test "the child's signals are as a new program expects them" {
	# The starter ignores what an agent must not inherit.
	(
		trap '' CHLD HUP PIPE INT
		bellhop run --name child --size 200x50 -- sh -c 'grep Sig /proc/self/status; echo end; sleep 60'
	)
	wait_screen child end
	bellhop log child | grep -q 'SigIgn:[[:space:]]*0000000000000000'
	bellhop log child | grep -q 'SigBlk:[[:space:]]*0000000000000000'
}

@test "agents find bellhop itself" {
	bellhop run --name shell -- sh -c 'command -v bellhop; echo found; sleep 60'
	wait_screen shell found
	bellhop screen shell | grep -q '/bellhop'
}

@test "operator verbs are refused from inside a terminal" {
	start_demo a
	start_demo b
	for verb in 'type b hello' 'keys b Enter' 'kill b' 'respawn --force b' 'ring b' 'resize b 90x30'; do
		run agent_run a "bellhop $verb"
		[ "$status" = 1 ]
		[[ "$output" == *operator* || "$output" == *person* ]] || {
			echo "$verb: $output"
			return 1
		}
		bellhop wait-state a idle --timeout 30s
	done
	[ "$(terminal b state)" != exited ]
	run ! screen_has b hello
}

@test "attach shows the terminal and detaches" {
	bellhop run --name shell --size 80x24 -- sh -c 'echo painted; exec cat'
	wait_screen shell painted
	# script gives it a terminal.
	mkfifo "$BATS_TEST_TMPDIR/keys"
	env -i "${clean_env[@]}" BELLHOP_SESSION=default timeout 100 \
		script -qec "stty cols 80 rows 24; '$build/bellhop' attach shell" /dev/null \
		<"$BATS_TEST_TMPDIR/keys" >"$BATS_TEST_TMPDIR/attached" 3>&- &
	attached=$!
	exec 9>"$BATS_TEST_TMPDIR/keys"
	within 30 grep -q painted "$BATS_TEST_TMPDIR/attached"
	printf 'typed\r' >&9
	wait_screen shell typed
	printf '\002d' >&9
	wait "$attached"
	exec 9>&-
	grep -q "detached from" "$BATS_TEST_TMPDIR/attached"
	[ "$(terminal shell state)" != exited ]
}

# spool_call METHOD-AND-MORE: what a program does that may write files but not connect.
spool_call() {
	cat >"$BATS_TEST_TMPDIR/call.sh" <<-EOF
	cd "\$BELLHOP_SPOOL"
	printf '{"jsonrpc":"2.0","id":1,"token":"%s","method":%s}' "\$BELLHOP_TOKEN" '$1' >x
	mv x req-1.json
	while [ ! -e ans-1.json ]; do sleep 0.1; done
	cat ans-1.json
	rm ans-1.json
	ls
	EOF
	agent_run a "sh $BATS_TEST_TMPDIR/call.sh"
}

@test "the spool serves who cannot connect, as the terminal it belongs to" {
	start_demo a
	run spool_call '"identity.whoami"'
	[[ "$output" == *'"kind":"inside"'* && "$output" == *'"by":"token"'* && "$output" == *'"identity":"a"'* ]]
	[[ "$output" != *req-1* ]]
	run spool_call '"terminal.type","params":{"name":"a","text":"x"}'
	[[ "$output" == *operator_only* ]]
	run spool_call '"nonsense"'
	[[ "$output" == *'"word":"method"'* ]]
}

col_is() {
	[ "$(bellhop screen "$1" --json 2>/dev/null | jq .cursor.col)" = "$2" ]
}

@test "a profile that says so has clusters counted, and a new server goes on so" {
	local pid
	mkdir -p "$home/config/bellhop/profiles"
	echo '{"profile": "emoji", "programs": ["emoji"], "clusters": true}' >"$home/config/bellhop/profiles/emoji.json"
	bellhop run --name one --profile emoji -- sh -c 'printf "\342\235\244\357\270\217"; sleep 100'
	bellhop run --name two -- sh -c 'printf "\342\235\244\357\270\217"; sleep 100'
	within 30 col_is one 2
	within 30 col_is two 1
	pid=$(bellhop server status --json | jq .pid)
	kill -KILL "$pid"
	within 30 col_is one 2
	within 30 col_is two 1
}
