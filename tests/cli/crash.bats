#!/usr/bin/env bats
# The server dies at some moment of a typing: nothing is lost, nothing is typed twice, no key is
# held for ever. CONTRACT.md section 5, "Uncertain".

# shellcheck disable=SC2034,SC2154  # names from helper
load helper

setup_case() {
	start_demo a
}

server_pid() {
	bellhop server status --json 2>/dev/null | jq -r '.pid // empty'
}

# crash_after SECONDS: kill -9 the server, and wait for its successor.
crash_after() {
	local pid
	pid=$(server_pid)
	sleep "$1"
	kill -KILL "$pid"
	within 30 is_another_than "$pid"
}

is_another_than() {
	local pid
	pid=$(server_pid)
	[ -n "$pid" ] && [ "$pid" != "$1" ]
}

@test "a crash at any moment of a typing: each message is a turn, once" {
	local number=0 delay
	for delay in 0.02 0.05 0.08 0.12 0.2; do
		number=$((number + 1))
		bellhop send --json a "number $number." >"$BATS_TEST_TMPDIR/answer" 2>&1 &
		crash_after "$delay"
		# The client sends again with the same id when the connection breaks.
		wait "$!"
		answer=$(cat "$BATS_TEST_TMPDIR/answer")
		wait_step "m$(field seq)" seen
		wait_idle a
		# Five crashes in a row are borne, six are not.
		sleep 1
	done
	for number in 1 2 3 4 5; do
		[ "$(turns a "number $number.")" = 1 ] || {
			cat "$(log_of a)"
			return 1
		}
	done
	# The keys of people go through.
	tell a "my own words"
	within 30 has_turns a 1 "my own words"
}

@test "a crash leaves a person's draft and the mail behind it alone" {
	bellhop type a "half a thought"
	wait_screen a "half a thought"
	send a "patience"
	expect_answer terminal=queued
	crash_after 0
	sleep 5
	screen_has a "half a thought"
	[ "$(turns a)" = 0 ]
	bellhop keys a C-u
	wait_step "m$(field seq)" seen
	[ "$(turns a patience)" = 1 ]
}

@test "crashes ring no notice more than twice" {
	start_demo lead --mode notice
	bellhop send --no-wait lead "DEMO:say nothing" >/dev/null
	within 30 has_turns lead 1 "you have mail"
	for _ in 1 2 3; do
		crash_after 0.1
		wait_idle lead
		sleep 1
	done
	[ "$(turns lead)" = 1 ]
}

# sender NUMBER: eight messages, to a and b in turn.
sender() {
	local number to
	for number in 1 2 3 4 5 6 7 8; do
		to=$([ $((number % 2)) = 0 ] && echo a || echo b)
		bellhop send --no-wait "$to" "s$1.$number;" >/dev/null || echo "s$1.$number was not stored"
		sleep 0.2
	done
}

all_seen() {
	bellhop history --json --limit 1000 2>/dev/null |
		jq -e '(.messages | length) == 32 and all(.messages[]; .state == "seen")' >/dev/null
}

@test "four senders and two crashes: each message is a turn, once, in order" {
	start_demo b
	for number in 1 2 3 4; do
		sender "$number" &
	done >"$BATS_TEST_TMPDIR/failed"
	crash_after 0.7
	crash_after 1
	wait
	[ ! -s "$BATS_TEST_TMPDIR/failed" ] || {
		cat "$BATS_TEST_TMPDIR/failed"
		return 1
	}
	within 60 all_seen
	cat "$(log_of a)" "$(log_of b)" | jq -r 'select(.event == "user") | .text' >"$BATS_TEST_TMPDIR/texts"
	[ "$(grep -o '| s[0-9].[0-9];' "$BATS_TEST_TMPDIR/texts" | sort | uniq -c | awk '$1 == 1' | wc -l)" = 32 ]
	for name in a b; do
		jq -r 'select(.event == "user") | .text' "$(log_of "$name")" |
			sed -n 's/^Mail m\([0-9]*\) from.*/\1/p' >"$BATS_TEST_TMPDIR/order"
		sort -n -c "$BATS_TEST_TMPDIR/order"
	done
}
