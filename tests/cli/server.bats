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
	within 10 is_restarted "$pid"
	[ "$(terminal a pid)" = "$child" ]
	wait_idle a
	[ "$(bellhop screen a)" = "$before" ]
	bellhop history --json a | jq -e '.messages | any(.body == "before the crash" and .state == "seen")'
	send a "after the crash"
	expect_answer terminal=typed
	[ "$(turns a "before the crash")" = 1 ]
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
		within 10 is_gone "$pid"
	done
	run -0 bellhop
	[[ "$output" == *"No server runs for this session yet"* ]]
	bellhop list
	grep -q 'lost.*is lost: no keeper holds it' "$state/default/server.log"
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
		'i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo "line $i"; sleep 0.01; done; sleep 60'
	sleep 0.5
	pid=$(server_pid)
	kill -KILL "$pid"
	within 10 is_restarted "$pid"
	wait_screen counter "line 400"
	bellhop log counter --lines 1000 >"$BATS_TEST_TMPDIR/log"
	for i in $(seq 1 400); do
		grep -qx "line $i *" "$BATS_TEST_TMPDIR/log" || {
			echo "line $i is lost"
			return 1
		}
	done
}

has_exited_with() {
	[ "$(terminal short exit.code)" = "$1" ]
}

@test "an exit during a crash is not lost" {
	bellhop run --name short -- sh -c 'sleep 1; exit 7'
	pid=$(server_pid)
	kill -KILL "$pid"
	within 10 is_restarted "$pid"
	within 10 has_exited_with 7
}

@test "queued mail survives a crash and is typed once" {
	start_demo a
	tell a "DEMO:work 6"
	bellhop wait-state a working --timeout 5s
	send a "patience"
	expect_answer terminal=queued reason=working
	pid=$(server_pid)
	kill -KILL "$pid"
	within 10 is_restarted "$pid"
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
	within 5 test -S "$runtime/default/server.sock"
	[ "$(bellhop server status --json | jq .pid)" = "$pid" ]
	[ "$(stat -c %a "$runtime/default")" = 700 ]
	send a "still there?"
	expect_answer terminal=typed
	# Inside, too; its spool is there again.
	[ -d "$runtime/default/spool/$(terminal a terminal_id)" ]
	# The next server finds all that, and no second keeper can take the session.
	kill -KILL "$pid"
	within 20 is_restarted "$pid"
	run ! flock --nonblock "$runtime/default/keeper.lock" true
	wait_idle a
}
