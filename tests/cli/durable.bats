#!/usr/bin/env bats
# What was answered is true after kill -9 and with a disk that fails. `make check-long` does it with
# 20,000 messages and each kind of disk; here is a short form.

# shellcheck disable=SC2034,SC2154  # names from helper
load helper

setup_case() {
	command -v python3 >/dev/null || skip "python3 is not installed"
}

# durable DISK OPERATIONS
durable() {
	python3 "$BATS_TEST_DIRNAME/durable.py" "$build" --agents 4 --disk "$1" --operations "$2"
}

@test "what was answered survives kill -9 at any moment" {
	durable none 2400
}

@test "what was answered survives a disk whose syncs fail, and one that is full" {
	local full status=0
	[ -x "$build/tests/faults/bellhop" ] || skip "built by make check"
	durable full 1500 >"$BATS_TEST_TMPDIR/full" 2>&1 &
	full=$!
	durable sync 1500 || status=1
	wait "$full" || {
		cat "$BATS_TEST_TMPDIR/full"
		status=1
	}
	[ "$status" = 0 ]
}
