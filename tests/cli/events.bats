#!/usr/bin/env bats
# Events: the state of the session, and what happens in it, for people and tools.

# shellcheck disable=SC2034,SC2154  # loop counters; names from helper
load helper

setup_case() {
	out=$BATS_TEST_TMPDIR/events
	bellhop server start >/dev/null
}

# follow ARG...: in the background, into $out.
follow() {
	env -i "${clean_env[@]}" BELLHOP_SESSION="$session" "$build/bellhop" events --follow "$@" \
		>"$out" 2>"$out.err" 3>&- &
	events_pid=$!
	within 30 grep -qs . "$out"
}

# told TEXT: a line with that text comes.
told() {
	within 30 grep -qF -- "$1" "$out" || {
		cat "$out" "$out.err"
		return 1
	}
}

line_matches() {
	jq -e -n "[inputs | select($1)] | length > 0" "$out" >/dev/null
}

# told_json FILTER: a line comes for which jq says true.
told_json() {
	within 30 line_matches "$1" || {
		cat "$out" "$out.err"
		return 1
	}
}

@test "without --follow: what is, then the end" {
	start_demo a
	bellhop send --no-wait nobody hello >/dev/null || true
	run bellhop events
	[ "$status" = 0 ]
	[[ "$output" == *"a  "*idle* ]]
	[[ "$output" == *"nobody"*"mail: 1 unread (unknown_recipient)"* ]]
	run bellhop events --json
	[ "${#lines[@]}" = 1 ]
	jq -e '.event == "events.state" and .params.terminals[0].identity == "a"' <<<"$output"
}

@test "with --follow: starts, states, mail, exits, for people" {
	start_demo first
	follow
	start_demo a
	told "started: "
	send a "hello"
	told "mail: 1 unread"
	told "mail: 0 unread"
	told "working"
	bellhop kill a
	told "exited: "
	bellhop server stop --force >/dev/null
	told "the session is stopped"
	wait "$events_pid"
}

@test "people are not told the same twice" {
	start_demo a
	follow
	for text in one two three; do
		send a "$text"
		wait_step "m$(field seq)" seen
	done
	bellhop wait-state a idle --timeout 30s >/dev/null
	told "mail: 0 unread"
	bellhop server stop --force >/dev/null
	told "the session is stopped"
	wait "$events_pid"
	for what in "mail: " "idle\|working\|completed"; do
		[ "$(grep "  $what" "$out" | sed 's/^[^ ]* [^ ]* //' | uniq -d | wc -l)" = 0 ]
	done
}

@test "with --json: lines as the protocol has them" {
	follow --json
	start_demo a
	told_json '.event == "events.state"'
	told_json '.event == "terminal.started" and .params.terminal.identity == "a"'
	told_json '.event == "terminal.state" and .params.state == "idle" and .at > 0'
	send a "hello"
	told_json '.event == "mail.changed" and .params.identity == "a" and .params.unread == 1'
	kill "$events_pid"
}

@test "it goes on when the server is killed" {
	start_demo a
	follow
	kill -KILL "$(bellhop server status --json | jq .pid)"
	told "connected again"
	send a "hello"
	told "mail: 1 unread"
	kill "$events_pid"
}

@test "it ends with its reader, and tells that no server runs" {
	start_demo a
	bellhop events --follow | head -n 1
	session=none
	run bellhop events --follow
	[ "$status" = 1 ]
	[[ "$output" == *"no server runs"* ]]
	session=default
}
