#!/usr/bin/env bats
# What is written to terminals of several kinds, and to slow ones, and what is taken from them.

# shellcheck disable=SC2154  # names from helper
load helper

setup_case() {
	command -v python3 >/dev/null || skip "python3 is not installed"
}

# play CASE: see outer.py.
play() {
	bellhop run --headless -- sleep 600 >/dev/null
	env -i "${clean_env[@]}" SHELL=/bin/sh BELLHOP_SESSION="$session" \
		python3 "$BATS_TEST_DIRNAME/outer.py" "$build" "$1"
}

@test "outer: the kernel's console gets eight colours and nothing of xterm's" {
	play linux
}

@test "outer: a VT100 gets no colours" {
	play vt100
}

@test "outer: one that does not answer is not waited for" {
	play screen
}

@test "outer: answers are believed and reach no program" {
	# A piece waits for what follows it by this setting; on a busy machine that may take longer than by default.
	mkdir -p "$home/config/bellhop"
	echo '{"escape_ms": 1000}' >"$home/config/bellhop/config.json"
	play answers
}

@test "outer: answers that come late reach nobody" {
	play late
}

@test "outer: the UI ends with its terminal, the session goes on" {
	play hangup
}

@test "outer: signals give the terminal back" {
	play signals
}

@test "outer: a client that reads 1 KB/s is bounded, and shows the present" {
	play slow
}

@test "outer: a terminal that takes 1 KB/s is bounded, and shows the present" {
	play slow_terminal
}
