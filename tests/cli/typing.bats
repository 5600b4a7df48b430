#!/usr/bin/env bats
# What may stand in a body, and agents that are slow or queue. CONTRACT.md sections 4 and 5.

# shellcheck disable=SC2154  # names from helper
load helper

setup_case() {
	start_demo a
}

@test "bodies of every kind are typed exactly, noticed when too long, or refused" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	env -i "${clean_env[@]}" BELLHOP_SESSION="$session" python3 "$BATS_TEST_DIRNAME/bodies.py" "$build" "$(log_of a)" a
}

@test "a screen that lags by seconds costs time, nothing else" {
	start_demo slow -- --lag 3000
	send slow "sent to a slow one" --wait seen --timeout 30s
	expect_answer delivered=true terminal=typed
	[ "$(turns slow "sent to a slow one")" = 1 ]
	sleep 4
	[ "$(turns slow)" = 1 ]
}

@test "a screen that lags by more than the echo limit: no Enter goes out blindly, and nothing comes twice" {
	start_demo slow -- --lag 7000
	send slow "sent to a very slow one" --wait seen --timeout 60s
	expect_answer delivered=true terminal=typed
	[ "$(turns slow)" = 1 ]
	receipt_has "m$(field seq)" unproved
	sleep 8
	[ "$(turns slow)" = 1 ]
}
