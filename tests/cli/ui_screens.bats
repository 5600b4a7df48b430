#!/usr/bin/env bats
# Whole screens of the UI at four sizes, compared with those in screens/. After a change that is
# meant, UPDATE_SCREENS=1 writes them anew: look at the difference before you commit it.

# shellcheck disable=SC2034,SC2154  # loop counters; names from helper
load ui_helper

screens=$BATS_TEST_DIRNAME/screens

# What the person sees, without what differs from run to run.
stable() {
	shown | sed -E ':again; s/(bellhop demo agent [N.]*)[0-9]/\1N/; t again'
}

is_screen() {
	[ "$(stable)" = "$(cat "$1")" ]
}

# expect_screen NAME: what the person sees is the screen NAME of this size.
expect_screen() {
	local file=$screens/$1-$size.txt
	if [ -n "${UPDATE_SCREENS:-}" ]; then
		sleep 1
		stable >"$file"
		return
	fi
	within 30 is_screen "$file" || {
		diff -u "$file" <(stable)
		return 1
	}
}

# Texts that stand at every edge: wide characters, one cell further with each row; clusters; styles.
write_wide() {
	local i
	for i in 0 1 2 3; do
		printf "%${i}s" ''
		printf '日本語文字幅%.0s' 1 2 3 4 5 6 7 8 9 10
		printf '\n'
	done
	printf 'e\314\201 \360\237\216\211 \033[1mbold\033[m \033[7mreverse\033[m\n'
}

# Three agents, of which one waits for an answer, and two shells beside the first one.
fill_session() {
	write_wide >"$BATS_TEST_TMPDIR/wide"
	for name in coder reviewer tester; do
		start_demo "$name"
	done
	open_outer "$size" attach
	see '1:coder*'
	keys %
	expect_layout '.tabs[0].panes | length' 2
	keys '"'
	expect_layout '.tabs[0].panes | length' 3
	expect_layout '[.tabs[0].panes[].identity] | join(" ")' 'coder sh sh-2'
	say "clear; cat $BATS_TEST_TMPDIR/wide"
	see 日本語
	bellhop send --no-wait operator 'to be read' >/dev/null || true # it is for a person
	tell reviewer 'DEMO:ask touch something'
	bellhop wait-state reviewer awaiting --timeout 30s >/dev/null
	see reviewer
}

check_screens() {
	size=$1
	fill_session
	expect_screen panes
	keys z
	expect_screen zoom
	keys z
	keys Left
	expect_screen focus
	keys Space
	expect_screen arranged
	keys '?'
	see 'keys after'
	outer send-keys -l split
	expect_screen help
	outer send-keys Escape
	see_gone 'C-b: split'
	outer send-keys Escape
	see_gone 'keys after'
	keys w
	expect_screen list
	outer send-keys Escape
	see_gone 'tabs and panes'
	keys s
	outer send-keys -l def
	expect_screen sessions
	outer send-keys Escape
	see_gone '━ sessions'
	keys m
	expect_screen mail
	outer send-keys Escape
	see_gone '━ mail'
	keys '&'
	expect_screen question
	outer send-keys n
	see_gone '(y/n)'
	keys o
	see '━ sh ━'
	keys o
	see '━ sh-2 ━'
	keys '['
	outer send-keys -l '?'
	see '?'
	outer send-keys -l 文字
	expect_screen search
	outer send-keys Enter
	outer send-keys q
	keys b
	expect_screen no-sidebar
	keys b
	keys d
	see 'rc=0'
}

@test "screens: 60x20" {
	check_screens 60x20
}

@test "screens: 80x24" {
	check_screens 80x24
}

@test "screens: 120x40" {
	check_screens 120x40
}

@test "screens: 200x50" {
	check_screens 200x50
}
