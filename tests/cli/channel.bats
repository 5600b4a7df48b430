#!/usr/bin/env bats
# Channels: a plugin is given mail line by line, and what it acknowledges is seen. CONTRACT.md section 4.

# shellcheck disable=SC2016,SC2034,SC2154  # code for other shells; loop counters; names from helper
load helper

setup_case() {
	out=$BATS_TEST_TMPDIR/channel
	bellhop server start >/dev/null
}

# channel ARG...: a channel in the background: lines in $out, acknowledgements by `ack`.
channel() {
	mkfifo "$out.in"
	env -i "${clean_env[@]}" BELLHOP_SESSION="$session" "$build/bellhop" channel "$@" \
		<"$out.in" >"$out" 2>"$out.err" 3>&- &
	channel_pid=$!
	exec 9>"$out.in"
}

ack() {
	printf '{"ack":"%s"}\n' "$1" >&9
}

# lines N: so many lines were printed.
has_lines() {
	[ "$(wc -l <"$out")" -ge "$1" ]
}

lines() {
	within 20 has_lines "$1" || {
		cat "$out" "$out.err"
		return 1
	}
}

is_free() {
	[ "$(bellhop can-wake "$1" --json | jq -r .by)" = channel ]
}

# opened NAME: its channel is open.
opened() {
	within 30 is_free "$1" || {
		cat "$out.err"
		return 1
	}
}

# line N FIELD
line() {
	sed -n "$1p" "$out" | jq -r ".$2"
}

@test "acknowledged is seen, and then comes the next" {
	channel robot
	opened robot
	send robot one --no-wait
	expect_answer delivered=false delivery_path=channel will_be_seen=when_free
	send robot two --no-wait
	lines 1
	[ "$(line 1 type)" = message ]
	[ "$(line 1 body)" = one ]
	[ "$(line 1 text)" = $'Mail m1 from the operator:\n| one' ]
	sleep 0.5
	run ! has_lines 2
	ack m1
	lines 2
	[ "$(line 2 body)" = two ]
	wait_step m1 seen
	[ "$(bellhop receipt m1 --json | jq -r '.steps | map(.step + ":" + (.cause // "")) | join(" ")')" = \
		"stored: handed_over:channel seen:channel" ]
	exec 9>&-
	wait "$channel_pid"
}

@test "ack-on-flush: what was printed is seen; the sender hears so" {
	channel robot --ack-on-flush
	opened robot
	send robot hello
	[ "$status" = 0 ]
	expect_answer delivered=true delivery_path=channel will_be_seen=already
	[ "$(line 1 body)" = hello ]
	kill "$channel_pid"
}

@test "a plugin that is killed loses nothing" {
	channel robot
	opened robot
	send robot one --no-wait
	lines 1
	kill -KILL "$channel_pid"
	wait_step m1 returned
	run bellhop can-wake robot --json
	[ "$status" = 3 ]
	send robot two --no-wait
	[ "$status" = 3 ]
	expect_answer delivery_path=inbox_only reason=no_terminal
	rm "$out.in"
	channel robot --ack-on-flush
	lines 2
	[ "$(line 1 id) $(line 1 shown_before) $(line 2 id)" = "m1 true m2" ]
	kill "$channel_pid"
}

@test "three messages that nobody acknowledges close it" {
	channel robot --lease 500ms
	opened robot
	send robot one --no-wait
	lines 3
	status=0
	wait "$channel_pid" || status=$?
	[ "$status" = 1 ]
	grep -q "three messages in a row" "$out.err"
	[ "$(bellhop peek --json 2>/dev/null | jq '.messages | length')" = 0 ]
	[ "$(bellhop rpc inbox.peek '{"name":"robot"}' | jq '.messages | length')" = 1 ]
}

@test "who is not to be disturbed is given nothing until that ends" {
	channel robot --ack-on-flush
	opened robot
	bellhop dnd robot on --until 6s
	[ "$(bellhop can-wake robot --json | jq -r .reason)" = do_not_disturb ]
	send robot one
	[ "$status" = 0 ]
	expect_answer delivered=false delivery_path=channel reason=do_not_disturb will_be_seen=when_free
	receipt_has m1 queued
	run ! has_lines 1
	within 30 receipt_has m1 seen
	bellhop dnd robot on
	send robot two
	[ "$status" = 3 ]
	expect_answer reason=do_not_disturb will_be_seen=needs_a_person
	bellhop dnd robot off
	lines 2
	kill "$channel_pid"
}

@test "it comes back by itself when the server is killed" {
	channel robot
	opened robot
	send robot one --no-wait
	lines 1
	kill -KILL "$(bellhop server status --json | jq .pid)"
	lines 2 # it was not acknowledged: the same again
	[ "$(line 2 id) $(line 2 shown_before)" = "m1 true" ]
	ack m1
	wait_step m1 seen
	send robot two --no-wait
	lines 3
	[ "$(line 3 body)" = two ]
	kill "$channel_pid"
}

@test "inside a terminal it serves that terminal, and can be steered by a person" {
	bellhop run --name p --size 80x24 -- sh -c \
		"bellhop channel --steer --ack-on-flush >$out 2>$out.err; sleep 60" >/dev/null
	opened p
	bellhop can-wake p --json | jq -e '.tier == "CONDITIONAL" and .now == "free"'
	send p "by the plugin"
	[ "$status" = 0 ]
	expect_answer delivered=true delivery_path=channel
	bellhop can-wake p --json | jq -e '.last_proof.what == "channel" and .last_proof.age_ms < 60000'
	[ "$(bellhop steer p "look left")" = "p has taken it." ]
	[ "$(line 2 type) $(line 2 text) $(line 2 from)" = "steer look left operator" ]
	# The newest wins; outside nobody gets at it.
	run bellhop channel p
	[ "$status" = 1 ]
	[[ "$output" == *"has a terminal"* ]]
}

@test "outside of a terminal it can be steered by a person alone" {
	start_demo a
	channel robot --steer
	opened robot
	bellhop steer robot "look left" >"$BATS_TEST_TMPDIR/steered" &
	lines 1
	[ "$(line 1 type) $(line 1 text) $(line 1 from)" = "steer look left operator" ]
	ack "$(line 1 id)"
	wait "$!"
	[ "$(cat "$BATS_TEST_TMPDIR/steered")" = "robot has taken it." ]
	run agent_run a 'bellhop steer robot "look right"'
	[ "$status" = 1 ]
	kill "$channel_pid"
}

@test "steer: only by the agent that started it, only over a channel that takes it" {
	start_demo a
	start_demo b
	run bellhop steer a "look left"
	[ "$status" = 1 ]
	[[ "$output" == *"no channel that can be steered"* ]]
	run agent_run b 'bellhop steer a "look left"'
	[ "$status" = 1 ]
	[[ "$output" == *"only the operator, or the agent that started a"* ]]
	agent_run b "bellhop run --name child --size 80x24 -- sh -c 'bellhop channel --steer --ack-on-flush >$out; sleep 60'"
	opened child
	[ "$(agent_run b 'bellhop steer child "look left"')" = "child has taken it." ]
	[ "$(line 1 from) $(line 1 text)" = "b look left" ]
}

@test "a program that registered holds a channel, also one whose parents have ended" {
	token=$(bellhop register ci --lease 10m | sed -n 's/^BELLHOP_TOKEN=\([^;]*\);.*/\1/p')
	clean_env+=(BELLHOP_TOKEN="$token")
	env -i "${clean_env[@]}" sh -c "'$build/bellhop' channel --ack-on-flush >'$out' 2>'$out.err' & sleep 1" 3>&- &
	parent=$!
	unset 'clean_env[-1]'
	opened ci
	wait "$parent"
	send ci "for the build"
	[ "$status" = 0 ]
	expect_answer delivered=true delivery_path=channel
	[ "$(line 1 body)" = "for the build" ]
	bellhop register ci --end
	within 30 grep -q "has ended" "$out.err"
	send ci "too late"
	expect_answer delivery_path=inbox_only
}

@test "a channel that is cut off from its agent is closed, and gets nothing" {
	bellhop run --name p --size 80x24 -- sh -c \
		"sh -c '\"$build/bellhop\" channel --ack-on-flush >\"$out\" 2>\"$out.err\" & read -r line'; sleep 600" >/dev/null
	opened p
	bellhop keys p Enter # the shell between them ends
	within 30 sh -c "! pgrep -P \"$(terminal p pid)\" -x sh >/dev/null"
	run is_free p
	[ "$status" = 1 ]
	send p "for a living reader"
	expect_answer delivery_path=inbox_only reason=typing_off
	within 30 grep -q . "$out.err"
	[ ! -s "$out" ]
}

@test "a plugin whose agent is gone gets nothing" {
	start_demo a
	agent_run a "(bellhop channel --ack-on-flush >$out 2>&1 &); sleep 0.5"
	wait_typable a
	send a "for the agent itself"
	expect_answer delivery_path=terminal terminal=typed
	run ! grep -q "for the agent" "$out"
}
