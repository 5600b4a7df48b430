#!/usr/bin/env bats
# The guards: dnd, block, parked, loops and rates. CONTRACT.md section 8.

# shellcheck disable=SC2016,SC2034,SC2086,SC2154  # code for other shells; loop counters; words to split; names from helper
load helper

setup_case() {
	start_demo a
}

@test "dnd: nothing is typed, wait and inbox work, off types it" {
	[[ "$(bellhop dnd a)" == *"may be disturbed"* ]]
	bellhop dnd a on >/dev/null
	send a "not now"
	[ "$status" = 3 ]
	expect_answer reason=do_not_disturb will_be_seen=needs_a_person terminal=queued
	[ "$(bellhop can-wake a --json | jq -r .reason)" = do_not_disturb ]
	bellhop explain a | grep -q "mail waits all the same: do_not_disturb"
	bellhop explain a --json | jq -e '.typable and .mail_reason == "do_not_disturb"' >/dev/null
	sleep 1
	[ "$(turns a)" = 0 ]
	bellhop dnd a off >/dev/null
	bellhop explain a --json | jq -e '.mail_reason != "do_not_disturb"' >/dev/null
	wait_step "m$(field seq)" seen
	[ "$(turns a "not now")" = 1 ]
}

@test "dnd: until a time, until idle; words that are none" {
	[ "$(bellhop dnd a on --until 6s --json | jq -r .dnd)" = until ]
	send a "in six seconds"
	[ "$status" = 0 ]
	expect_answer reason=do_not_disturb will_be_seen=when_free
	wait_step "m$(field seq)" seen
	[ "$(bellhop dnd a --json | jq -r .dnd)" = off ]
	[ "$(bellhop dnd a on --until idle --json | jq -r .dnd)" = until_idle ]
	bellhop dnd a on --until 23:59 --json | jq -e '.until > now * 1000'
	for words in 'a perhaps' 'a on --until 25:00' 'a on --until yesterday' 'a off --until 5m' ''; do
		run bellhop dnd $words
		[ "$status" = 2 ]
	done
	run -1 bellhop dnd operator on
	[[ "$output" == *"operator is no agent"* ]]
	run bellhop dnd nobody on
	[ "$status" = 1 ]
	[[ "$output" == *not_found* ]]
}

@test "dnd and block: an agent for itself only" {
	start_demo b
	agent_run b "bellhop dnd me on; bellhop block me a"
	[ "$(bellhop dnd b --json | jq -r .dnd)" = on ]
	[ "$(bellhop block b --json | jq -c .blocked)" = '["a"]' ]
	run agent_run b "bellhop dnd a on"
	[ "$status" != 0 ]
	[[ "$output" == *operator_only* ]]
	run agent_run b "bellhop block a b"
	[[ "$output" == *operator_only* ]]
	run agent_run b "bellhop parked discard a"
	[[ "$output" == *operator_only* ]]
	[ "$(bellhop dnd a --json | jq -r .dnd)" = off ]
}

@test "block: stored, told, seen by inbox only; unblock types it" {
	start_demo b
	bellhop block a b >/dev/null
	answer=$(agent_run b "bellhop send --json a pestering" | head -n 1)
	expect_answer reason=blocked_sender will_be_seen=only_if_it_looks delivery_path=inbox_only \
		terminal=unavailable
	seq=$(field seq)
	send a "from a person"
	wait_step "m$(field seq)" seen
	[ "$(turns a pestering)" = 0 ]
	[ "$(bellhop peek a --json | jq -r '.messages[].body')" = pestering ]
	bellhop unblock a b >/dev/null
	wait_step "m$seq" seen
	[ "$(turns a pestering)" = 1 ]
	run bellhop block a operator
	[ "$status" = 1 ]
}

@test "dnd and block outlive the server" {
	bellhop dnd a on >/dev/null
	bellhop block a pest >/dev/null
	kill -KILL "$(bellhop server status --json | jq -r .pid)"
	[ "$(bellhop dnd a --json | jq -r .dnd)" = on ]
	[ "$(bellhop block a --json | jq -c .blocked)" = '["pest"]' ]
}

@test "two agents that answer each other without end stop, and all are told" {
	local name last
	start_demo b
	cat >"$BATS_TEST_TMPDIR/pong" <<-'EOF'
		#!/bin/sh
		bellhop send --no-wait "$1" "DEMO:run $0 $2 $1" >/dev/null
	EOF
	chmod +x "$BATS_TEST_TMPDIR/pong"
	send a "DEMO:run $BATS_TEST_TMPDIR/pong b a" --no-wait
	stopped() {
		[ "$(bellhop parked --json | jq -r '.parked[0].reason')" = loop ]
	}
	within 300 stopped
	[ "$(($(turns a) + $(turns b)))" = 50 ]
	name=$(bellhop parked --json | jq -r '.parked[0].name')
	# The recipient was told, but not woken.
	bellhop peek "$name" --json |
		jq -e '.messages | any(.from == "bellhop" and (.body | contains("without a person")))'
	last=$(bellhop peek "$name" --json | jq -r '.messages[0].id')
	receipt_has "$last" queued
	bellhop receipt "$last" | grep -q loop
	bellhop parked | grep -q loop
	# A person rings: one more chain may begin.
	bellhop parked ring "$name" >/dev/null
	wait_step "$last" seen
}

# program NAME PEER [TEXT [reply]]: a registered program with a channel that answers each message with
# TEXT, in the background, until its channel ends; with `reply` by --reply-to.
program() {
	local log=$BATS_TEST_TMPDIR/$1.sent token
	token=$(bellhop register "$1" --lease 1h --json | jq -r .token)
	# shellcheck disable=SC2094 # it is read only afterwards
	env -i "${clean_env[@]}" BELLHOP_TOKEN="$token" PATH="$build:$PATH" bash -c '
		bellhop channel --ack-on-flush </dev/null | while read -r line; do
			id=$(jq -r ".id // empty" <<<"$line")
			[ -n "$id" ] || continue
			[ -z "$3" ] || reply=(--reply-to "$id")
			bellhop send --no-wait --json "${reply[@]}" "$1" "$2"
		done' - "$2" "${3-again}" "${4-}" >"$log" 2>&1 3>&- &
	within 30 has_channel "$1"
}

has_channel() {
	[ "$(bellhop can-wake "$1" --json | jq -r .by)" = channel ]
}

# A loop has stopped.
is_stopped() {
	[ "$(bellhop parked --json | jq -r '.parked[0].reason')" = loop ]
}

# last_sent NAME: reason of the last answer that its program got.
last_reason() {
	tail -n 1 "$BATS_TEST_TMPDIR/$1.sent" | jq -r .reason
}

@test "two registered programs that answer each other without end stop, and all are told" {
	local count name
	bellhop server start >/dev/null
	program p q
	program q p
	send p "begin" --no-wait
	within 300 is_stopped
	count=$(bellhop history --json --limit 1000 | jq '[.messages[] | select(.from == "p" or .from == "q")] | length')
	# Each hop is one message; a program that answers before its acknowledgement was heard has a hop more.
	[ "$count" -ge 50 ]
	[ "$count" -le 150 ]
	sleep 2
	[ "$(bellhop history --json --limit 1000 | jq '[.messages[] | select(.from == "p" or .from == "q")] | length')" = "$count" ]
	name=$(bellhop parked --json | jq -r '.parked[0].name')
	bellhop peek "$name" --json |
		jq -e '.messages | any(.from == "bellhop" and (.body | contains("without a person")))'
	[ "$(last_reason p)" = loop ] || [ "$(last_reason q)" = loop ]
	# A person lets it go on.
	bellhop parked ring "$name"
	within 30 goes_beyond "$count"
}

goes_beyond() {
	[ "$(bellhop history --json --limit 1000 | jq '[.messages[] | select(.from == "p" or .from == "q")] | length')" -gt "$1" ]
}

@test "a program and an agent that answer each other without end stop" {
	local pong=$BATS_TEST_TMPDIR/pong
	printf '#!/bin/sh\nbellhop send --no-wait p answer >/dev/null\n' >"$pong"
	chmod +x "$pong"
	program p a "DEMO:run $pong" reply
	send a "DEMO:run $pong" --no-wait
	within 300 is_stopped
	[ "$(turns a)" -ge 25 ]
	[ "$(turns a)" -le 40 ]
	sleep 2
	is_stopped
}

@test "parked: usage" {
	[ "$(bellhop parked)" = "nothing is parked" ]
	[ "$(bellhop parked list --json)" = '{"parked":[]}' ]
	for words in 'list a' 'ring' 'discard' 'other' 'ring a b'; do
		run bellhop parked $words
		[ "$status" = 2 ]
	done
	run bellhop parked discard a
	[ "$status" = 1 ]
}

# letter NAME TEXT: NAME has unread mail of bellhop that says so.
letter() {
	bellhop peek "$1" --json |
		jq -e --arg text "$2" '.messages | any(.from == "bellhop" and (.body | contains($text)))' >/dev/null
}

@test "lifecycle: the end of a child is told to the agent that started it" {
	agent_run a "bellhop run --name kid --cwd $BATS_TEST_TMPDIR -- $build/bellhop-demo-agent"
	agent_run a "bellhop run --name kid2 --cwd $BATS_TEST_TMPDIR -- $build/bellhop-demo-agent"
	wait_idle kid
	wait_idle kid2
	send kid "DEMO:exit 3" --no-wait
	within 30 letter a "kid has failed: its program ended with status 3"
	# It is woken by a notice, as it has children to mind.
	within 30 has_turns a 1 "you have mail"
	# The one that it ends itself is no news.
	agent_run a "bellhop kill kid2"
	within 30 letter a "kid2 has failed: its program ended with status 129"
	sleep 4.5
	[ "$(turns a "you have mail")" = 1 ]
	# Nobody is told of what a person started.
	start_demo b
	send b "DEMO:exit 1" --no-wait
	bellhop wait-state b exited --timeout 30s >/dev/null
	run letter a "b has failed"
	[ "$status" != 0 ]
}

@test "rate: the thirty-first in a minute waits, others do not" {
	start_demo b
	cat >"$BATS_TEST_TMPDIR/flood" <<-'SCRIPT'
		#!/bin/sh
		# Five in one turn: 30 turns may take more than the minute.
		for i in $(seq 30); do
			how=--no-wait
			[ $((i % 5)) != 0 ] || how='--wait seen --timeout 30s'
			bellhop send $how a "number $i" >/dev/null || echo "number $i: $?"
		done
		bellhop wait-state a idle --timeout 30s >/dev/null
		bellhop send --json a "number 31"
	SCRIPT
	chmod +x "$BATS_TEST_TMPDIR/flood"
	tell b "DEMO:run $BATS_TEST_TMPDIR/flood >$BATS_TEST_TMPDIR/flood.out 2>&1; echo done >>$BATS_TEST_TMPDIR/flood.out"
	within 50 grep -q '^done' "$BATS_TEST_TMPDIR/flood.out"
	answer=$(grep '^{' "$BATS_TEST_TMPDIR/flood.out")
	expect_answer reason=rate_limited will_be_seen=when_free terminal=queued
	[ "$(turns a "number 30")" = 1 ]
	[ "$(turns a "number 31")" = 0 ]
	# A person is not limited, and what waits goes along.
	send a "from a person"
	[ "$status" = 0 ]
	wait_step "m$(field seq)" seen
	[ "$(turns a "number 31")" = 1 ]
}

@test "an exit before the end of the turn returns the mail, also after a crash of the server" {
	send a "DEMO:work 60" --no-wait
	id=m$(field seq)
	wait_step "$id" typed
	kill -KILL "$(bellhop server status --json | jq -r .pid)"
	bellhop wait-state a working --timeout 30s >/dev/null
	receipt_has "$id" seen
	bellhop kill --signal KILL a >/dev/null
	wait_step "$id" returned
	bellhop peek a --json | jq -e '.messages[0].shown_before'
}

@test "ring of a name without a terminal says what would start one" {
	start_demo gone
	bellhop kill gone >/dev/null
	bellhop wait-state gone exited --timeout 30s >/dev/null
	send gone "are you there?"
	run ! bellhop ring gone
	[[ "$output" == *"gone has ended"*"1 unread"*"bellhop respawn"* ]]
	bellhop forget gone >/dev/null
	run ! bellhop ring gone
	[[ "$output" == *"bellhop run --name gone"* ]]
	run ! bellhop ring gon
	[[ "$output" == *"no terminal is called gon"* ]]
	run ! bellhop ring --json gone
	[ "$(jq -r .error <<<"${lines[0]}")" = not_found ] || [ "$(jq -r .error <<<"${lines[1]}")" = not_found ]
}
