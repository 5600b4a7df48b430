#!/usr/bin/env bats
# Recordings judged from the command line.

# shellcheck disable=SC2154  # names from helper
load helper

casts=${BELLHOP_TEST_SRCDIR:?run by make check}/tests/casts

# A recording of a composer of Claude Code that is idle all the time, with the labels given.
record_idle() {
	local rule='────────────'
	printf '{"version":2,"width":40,"height":8,"title":"claude x"}\n'
	printf '[0,"m","state:starting"]\n'
	printf '[1,"o","\\u001b[?2004h%s\\r\\n❯ \\r\\n%s\\r\\n  ⏵⏵ auto mode on\\u001b[2;3H"]\n' "$rule" "$rule"
	printf '[1.1,"m","state:unsettled"]\n[4,"m","state:%s"]\n[8,"m","state:unsettled"]\n' "$1"
}

@test "states: one line of JSON at the start and at each change, no server" {
	bellhop replay "$casts/claude/turns-80x24.cast" >"$BATS_TEST_TMPDIR/out"
	jq -es 'length > 5 and .[0].t == 0 and .[0].state == "starting" and all(.[]; has("typable") and has("why"))' \
		"$BATS_TEST_TMPDIR/out"
	jq -es 'any(.[]; .typable and .state == "completed" and .composer == "empty")' "$BATS_TEST_TMPDIR/out"
	[ ! -e "$runtime/default/server.sock" ]
}

@test "check: the last line is the result" {
	bellhop replay --check "$casts/codex/perm-80x24.cast" "$casts/claude/perm-80x24.cast" >"$BATS_TEST_TMPDIR/out"
	tail -n 1 "$BATS_TEST_TMPDIR/out" |
		jq -e '.file == "all" and .passed and .false_typable.events == 0 and .idle_recall == 1 and .awaiting_recall == 1'
}

@test "check: a moment wrongly typable is exit status 1" {
	record_idle idle >"$BATS_TEST_TMPDIR/good.cast"
	record_idle working >"$BATS_TEST_TMPDIR/bad.cast"
	bellhop replay --check "$BATS_TEST_TMPDIR/good.cast"
	run -1 bellhop replay --check "$BATS_TEST_TMPDIR/bad.cast"
	echo "$output" | jq -e '.passed == false and .false_typable.seconds == 3.3 and .false_typable.first_in == "working"'
}

@test "the profile: named, the user's own, broken" {
	record_idle working >"$BATS_TEST_TMPDIR/x.cast"
	bellhop replay --check --profile generic "$BATS_TEST_TMPDIR/x.cast"
	run -1 bellhop replay --profile nobody "$BATS_TEST_TMPDIR/x.cast"
	[[ "$output" == *nobody* ]]
	mkdir -p "$home/config/bellhop/profiles"
	printf '{"profile":"claude",\n"rules":7}' >"$home/config/bellhop/profiles/claude.json"
	run -1 bellhop replay --check "$BATS_TEST_TMPDIR/x.cast"
	[[ "$output" == *"claude.json:2: rules: must be a list"* ]]
	printf '{"profile":"claude"}' >"$home/config/bellhop/profiles/claude.json"
	bellhop replay --check "$BATS_TEST_TMPDIR/x.cast"
}

# The recording is as long as the terminal was judged, less the moment that the command took.
is_captured_typable() {
	bellhop capture "$1" >"$BATS_TEST_TMPDIR/$1.cast"
	bellhop replay "$BATS_TEST_TMPDIR/$1.cast" | tail -n 1 |
		jq -e '(.state == "idle" or .state == "completed") and .typable'
}

@test "a capture is judged as its terminal was, by the same profile" {
	start_demo seen
	send seen 'hello'
	wait_typable seen
	within 30 is_captured_typable seen
}

@test "hands: told beside, or counted" {
	record_idle idle >"$BATS_TEST_TMPDIR/x.cast"
	printf '[9,"i","\\u001b[A"]\n[9.2,"o","\\u001b[2;3H"]\n' >>"$BATS_TEST_TMPDIR/x.cast"
	bellhop replay "$BATS_TEST_TMPDIR/x.cast" | tail -n 1 | jq -e .typable
	bellhop replay --strict "$BATS_TEST_TMPDIR/x.cast" | tail -n 1 |
		jq -e '.typable == false and .reason == "human_typing"'
}
