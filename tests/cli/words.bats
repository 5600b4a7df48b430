#!/usr/bin/env bats
# Help and MCP tools use the words of doc/CONTRACT.md and no others. The program's answers take them
# from src/base/words.h, which tests/unit/test-words.c compares with the document.

# shellcheck disable=SC2154,SC2013  # names from helper; words are meant
load helper

contract=${BELLHOP_TEST_SRCDIR:?run by make check}/doc/CONTRACT.md

# The rows of a table of the document, first column: words LIST.
words() {
	sed -n "/^<!-- words: $1 -->/,/^<!-- end -->/s/^| \`\([^\`]*\)\`.*/\1/p" "$contract"
}

all_help() {
	local command
	bellhop help
	for command in $(bellhop help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'); do
		bellhop help "$command"
	done
}

all_tools() {
	printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | bellhop mcp |
		jq -r '.result.tools[] | .description, (.inputSchema.properties[]?.description // empty)'
}

@test "the document has its tables" {
	[ "$(words prospect | wc -l)" = 4 ]
	[ "$(words reason | wc -l)" -ge 20 ]
	[ "$(words tier | wc -l)" = 3 ]
}

@test "help and tools have no word of their own" {
	all_help >"$BATS_TEST_TMPDIR/text"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/text")" -gt 200 ]
	all_tools >"$BATS_TEST_TMPDIR/tools"
	[ -s "$BATS_TEST_TMPDIR/tools" ]
	cat "$BATS_TEST_TMPDIR/tools" >>"$BATS_TEST_TMPDIR/text"
	for word in $(grep -oE '\b[a-z]+(_[a-z]+)+\b' "$BATS_TEST_TMPDIR/text" | sort -u); do
		grep -qw -- "$word" "$contract" || {
			grep -nw -- "$word" "$BATS_TEST_TMPDIR/text"
			echo "$word is no word of the contract"
			return 1
		}
	done
}

@test "the help of send explains every value of will_be_seen" {
	bellhop help send >"$BATS_TEST_TMPDIR/send"
	for word in $(words prospect); do
		grep -q "^  $word " "$BATS_TEST_TMPDIR/send"
	done
}

@test "the help that lists states lists them all" {
	bellhop help list >"$BATS_TEST_TMPDIR/list"
	for word in $(words state); do
		grep -qw "$word" "$BATS_TEST_TMPDIR/list"
	done
}

@test "a test program that hangs fails with words, and says what it had done" {
	local hanging=$BATS_TEST_TMPDIR/test-hanging
	printf '#!/bin/sh\necho 1..2\necho ok 1 - first\nexec sleep 600\n' >"$hanging"
	chmod +x "$hanging"
	run env HOME="$home" TMPDIR="$BATS_TEST_TMPDIR" XDG_RUNTIME_DIR="$runtime" BELLHOP_TEST_LIMIT=2 \
		"${BELLHOP_TEST_SRCDIR:?run by make check}/tests/run-test" "$hanging"
	[[ "$output" == *"ok 1 - first"* ]]
	[[ "$output" == *"not ok 2 - did not end in 2 s"* ]]
	[[ "$output" == *"test-hanging did not end in 2 s: it waits for what does not come"* ]]
}
