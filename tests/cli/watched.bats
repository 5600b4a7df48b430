#!/usr/bin/env bats
# An agent that a person types into a shell is watched, and never typed into. CONTRACT.md section 5,
# PROTOCOL.md section 6.

# shellcheck disable=SC2034,SC2154  # names from helper
load helper

setup_case() {
	shell="sh"
	bellhop run --name sh --cwd "$BATS_TEST_TMPDIR" --size 80x24 -- bash --norc --noprofile >/dev/null
	bellhop run --name other --cwd "$BATS_TEST_TMPDIR" -- cat >/dev/null
}

# type_agent: the demo agent, typed at the prompt of $shell.
type_agent() {
	tell "$shell" "$build/bellhop-demo-agent --log $(log_of "$shell")"
	within 30 is_watched demo
}

tell() {
	bellhop type "$1" "$2"
	bellhop keys "$1" Enter
}

is_watched() {
	[ "$(terminal "$shell" watched)" = "$1" ]
}

has_state() {
	[ "$(terminal "$shell" state)" = "$1" ]
}

server_pid() {
	bellhop server status --json 2>/dev/null | jq -r '.pid // empty'
}

is_another_than() {
	local pid
	pid=$(server_pid)
	[ -n "$pid" ] && [ "$pid" != "$1" ]
}

# Nothing of the mail became a turn or stands on the screen.
nothing_was_typed() {
	local text
	for text in "secret words" "Mail m" "unread"; do
		[ "$(turns "$shell" "$text")" = 0 ]
		run screen_has "$shell" "$text"
		[ "$status" = 1 ]
	done
}

@test "an agent typed into a shell is watched as long as it runs" {
	is_watched null
	type_agent
	wait_idle sh
	[ "$(terminal sh profile)" = generic ]
	[ "$(terminal sh typable)" = false ]
	[ "$(terminal sh reason)" = typing_off ]
	bellhop list | grep -q "^sh .*idle.*demo"
	bellhop explain sh | grep -q "typed into a shell"
	# A turn is seen, and its end.
	tell sh "DEMO:run timeout 100 sh -c 'until [ -e $BATS_TEST_TMPDIR/sh.go ]; do sleep 0.05; done'"
	within 30 has_state working
	release sh
	within 30 has_state completed
	# The agent ends: a shell as before.
	tell sh "DEMO:exit 0"
	within 30 is_watched null
	[ "$(terminal sh profile)" = generic ]
	# And another one.
	type_agent
	wait_idle sh
}

# Whether the shell NAME itself has its terminal: nothing that it ran is in the foreground.
at_prompt() {
	local pid
	pid=$(terminal "$1" pid)
	[ "$(ps -o tpgid= -p "$pid")" -eq "$(ps -o pgid= -p "$pid")" ]
}

@test "however it is typed it is found: in a pipeline, behind wrappers" {
	local agent="$build/bellhop-demo-agent" line program
	printf '#!/bin/sh\n"%s" "$@"\nexit 0\n' "$agent" >"$BATS_TEST_TMPDIR/inner"
	printf '#!/bin/bash\n"%s/inner" "$@"\nexit 0\n' "$BATS_TEST_TMPDIR" >"$BATS_TEST_TMPDIR/outer"
	printf '#!/bin/sh\nexec </dev/tty 3<&0 "%s"\n' "$agent" >"$BATS_TEST_TMPDIR/piped"
	chmod +x "$BATS_TEST_TMPDIR"/{inner,outer,piped}
	for line in \
		"$BATS_TEST_TMPDIR/outer" \
		"env A=1 nice $agent" \
		"sleep 1000 | $BATS_TEST_TMPDIR/piped" \
		"true | $BATS_TEST_TMPDIR/piped" \
		"sleep 1000 | cat | env $BATS_TEST_TMPDIR/piped" \
		"(sleep 1000 & $agent)" \
		"sh -c 'true; $agent; true'" \
		"bash --norc -ic '$agent; true'"; do
		tell sh "$line"
		within 30 is_watched demo || {
			echo "not found: $line"
			return 1
		}
		wait_idle sh
		tell sh "DEMO:exit 0"
		within 30 is_watched null
		bellhop keys sh C-c
		within 30 at_prompt sh
	done
	# What only mentions it, or reads a pipe, is none.
	for program in "sleep 1000 # $agent" "cat | $agent --help | cat" "tail -f $BATS_TEST_TMPDIR/inner"; do
		tell sh "$program"
		sleep 1
		is_watched null
		bellhop keys sh C-c
	done
}

@test "one that is stopped, killed or replaced is not watched any more" {
	local pid
	type_agent
	wait_idle sh
	pid=$(pgrep -P "$(terminal sh pid)")
	kill -STOP "$pid"
	within 30 is_watched null
	tell sh fg
	within 30 is_watched demo
	kill -KILL "$pid"
	within 30 is_watched null
	# Nobody prints anything when it ends: its end is noticed all the same.
	tell sh "exec sh -c '$build/bellhop-demo-agent; exec sleep 1000'"
	within 30 is_watched demo
	wait_idle sh
	pkill -KILL -P "$(terminal sh pid)"
	within 30 is_watched null
}

@test "it is never typed into, in no mode and at no moment" {
	local mode
	for mode in message notice off; do
		bellhop run --name "sh-$mode" --mode "$mode" --cwd "$BATS_TEST_TMPDIR" --size 80x24 -- \
			bash --norc --noprofile >/dev/null
		shell=sh-$mode
		type_agent
		wait_idle "$shell"
		send "$shell" "secret words"
		[ "$status" = 3 ]
		expect_answer delivered=false will_be_seen=only_if_it_looks delivery_path=inbox_only \
			terminal=unavailable reason=typing_off
		[[ "$(field warning)" == *"typed into a shell"*"bellhop run bellhop-demo-agent"* ]]
		run bellhop ring "$shell"
		[ "$status" != 0 ]
		# While it works, when it comes to rest, and when it ends with mail that waits.
		tell "$shell" "DEMO:work 1"
		send "$shell" "secret words"
		within 30 has_state completed
		sleep 1
		nothing_was_typed
		tell "$shell" "DEMO:exit 0"
		within 30 is_watched null
		send "$shell" "secret words"
		expect_answer reason=typing_off
		[[ "$(field warning)" != *"typed into a shell"* ]]
		nothing_was_typed
		[ "$(terminal "$shell" unread)" = 3 ]
	done
}

@test "can-wake says why and what to do; a wait inside it works" {
	type_agent
	wait_idle sh
	run bellhop can-wake sh --json
	[ "$(jq -r .tier <<<"$output")" = NONE ]
	[ "$(jq -r .reason <<<"$output")" = typing_off ]
	jq -r '.conditions[]' <<<"$output" | grep -q "typed into a shell"
	bellhop can-wake sh | grep -q "typed into a shell"
	tell sh "DEMO:run bellhop wait --timeout 100s >$BATS_TEST_TMPDIR/out 2>&1"
	wait_waiter sh
	send sh "for the waiter" --wait seen --timeout 30s
	expect_answer delivered=true delivery_path=waiter
	within 30 grep -q "for the waiter" "$BATS_TEST_TMPDIR/out"
}

@test "it is found again after a crash and an upgrade of the server" {
	local pid
	type_agent
	wait_idle sh
	pid=$(server_pid)
	kill -KILL "$pid"
	within 30 is_another_than "$pid"
	within 30 is_watched demo
	wait_idle sh
	send sh "secret words"
	expect_answer reason=typing_off
	bellhop upgrade >/dev/null
	within 30 is_watched demo
	wait_idle sh
	nothing_was_typed
}

@test "listeners are told: its state, and once that it is only watched" {
	bellhop events --follow --json >"$BATS_TEST_TMPDIR/events" 3>&- &
	local follower=$!
	within 30 grep -q . "$BATS_TEST_TMPDIR/events"
	type_agent
	wait_idle sh
	within 30 grep -q '"session.notice".*typed into a shell' "$BATS_TEST_TMPDIR/events"
	within 30 grep -q '"terminal.state".*"watched":"demo"' "$BATS_TEST_TMPDIR/events"
	tell sh "DEMO:exit 0"
	within 30 is_watched null
	type_agent
	wait_idle sh
	kill "$follower"
	[ "$(grep -c 'typed into a shell' "$BATS_TEST_TMPDIR/events")" = 1 ]
}

@test "a program that only mentions an agent is not watched" {
	tell sh "cat /dev/null $build/bellhop-demo-agent; tail -f $build/bellhop-demo-agent >/dev/null"
	sleep 1
	is_watched null
}

@test "one behind a wrapper script is found, one without the terminal is not" {
	printf '#!/bin/sh\n%s/bellhop-demo-agent "$@"\n' "$build" >"$BATS_TEST_TMPDIR/agent"
	chmod +x "$BATS_TEST_TMPDIR/agent"
	tell sh "$BATS_TEST_TMPDIR/agent"
	within 30 is_watched demo
	wait_idle sh
	tell sh "DEMO:exit 0"
	within 30 is_watched null
	tell sh "sh -c 'sleep 2 | $build/bellhop-demo-agent >/dev/null 2>&1; sleep 2'"
	sleep 1
	is_watched null
}
