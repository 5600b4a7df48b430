#!/usr/bin/env bats
# Something happens between two steps of a typing. `make check-typing` runs all pairs of point and
# fault, and all kinds of demo agents; here are some.

# shellcheck disable=SC2034,SC2154  # names from helper
load helper

setup_case() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	[ -x "$build/tests/faults/bellhop" ] || skip "built by make check"
}

@test "between the steps: an agent that dies, dialogs, keys, resizes, turns, stops, kill -9" {
	python3 "$BATS_TEST_DIRNAME/faults.py" "$build" --some --jobs 4
}
