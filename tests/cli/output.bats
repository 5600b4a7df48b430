#!/usr/bin/env bats
# Output that nobody takes: said, or kept quiet, and mail in it is not lost.

# shellcheck disable=SC2016,SC2034,SC2154  # code for other shells; loop counters; names from helper
load helper

@test "a reader that has seen enough is no error worth words" {
	bellhop help 2>"$BATS_TEST_TMPDIR/err" | head -n 1 | grep -q bellhop
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
}

@test "output that cannot be written is told" {
	bellhop run --name shell -- sh
	for command in list inbox events; do
		run -1 bash -c "$(declare -p clean_env); env -i \"\${clean_env[@]}\" '$build/bellhop' $command >/dev/full"
		[ "$output" = "bellhop: write output: No space left on device" ]
	done
}

is_unread() {
	[ "$(bellhop peek --json "$1" | jq '.messages | length')" = 1 ]
}

@test "mail whose reader took nothing is unread again" {
	bellhop run --name shell -- sh
	send shell "precious"
	[ "$status" = 3 ]
	run -1 bash -c "$(declare -p clean_env); env -i \"\${clean_env[@]}\" '$build/bellhop' inbox shell >/dev/full"
	within 30 is_unread shell
	bellhop peek shell | grep -q 'shown before'
	# Not piped to a reader that goes when it has seen enough: what it did not take would be unread again.
	run -0 bellhop inbox shell
	[[ "$output" == *precious* ]]
	run -0 bellhop inbox shell
	[[ "$output" == *"No unread mail"* ]]
}
