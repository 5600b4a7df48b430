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

@test "a command whose answer is lost does not say that nothing was done" {
	start_demo a
	bellhop run --name shell -- sh
	for command in 'send --no-wait a once' 'send --no-wait --json a once' 'kill --json shell' 'dnd a on'; do
		run -5 bash -c "$(declare -p clean_env); env -i \"\${clean_env[@]}\" '$build/bellhop' $command >/dev/full"
		[ "${lines[0]}" = "bellhop: write output: No space left on device" ]
		[ "${lines[1]}" = "bellhop ${command%% *}: its answer is lost, but what it did is done; look before you do it again" ]
	done
	[ "$(bellhop history a --json | jq '.messages | length')" = 2 ]
	# What nothing will wake for is not called done well.
	run -3 bash -c "$(declare -p clean_env); env -i \"\${clean_env[@]}\" '$build/bellhop' send nobody once >/dev/full"
}

@test "a send whose reader is gone says that it is done" {
	start_demo a
	(
		while [ ! -e "$BATS_TEST_TMPDIR/closed" ]; do sleep 0.05; done
		rc=0
		bellhop send --no-wait a once 2>"$BATS_TEST_TMPDIR/err" || rc=$?
		echo "$rc" >"$BATS_TEST_TMPDIR/status"
	) | (
		exec <&-
		touch "$BATS_TEST_TMPDIR/closed"
		while [ ! -s "$BATS_TEST_TMPDIR/status" ]; do sleep 0.05; done
	)
	[ "$(cat "$BATS_TEST_TMPDIR/status")" = 5 ]
	grep -q 'bellhop send: its answer is lost, but what it did is done' "$BATS_TEST_TMPDIR/err"
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
