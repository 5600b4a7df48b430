#!/usr/bin/env bats
# Copy mode: reading back, searching, marking, copying and pasting.

# shellcheck disable=SC2016,SC2154  # code for other shells; names from helper
load ui_helper

# settings JSON: what the UI reads.
settings() {
	export BELLHOP_CONFIG=$BATS_TEST_TMPDIR/config.json
	echo "$1" >"$BELLHOP_CONFIG"
	clean_env+=("BELLHOP_CONFIG=$BELLHOP_CONFIG")
}

# fill: 200 lines in the pane.
fill() {
	say 'clear; i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo "row $i of all"; done'
	see 'row 200 of all'
}

@test "copy: vi keys read, search, mark, copy and paste" {
	settings '{"mode_keys": "vi"}'
	open_outer 80x24
	see '1:sh*'
	fill
	keys '['
	see '[0/'
	outer send-keys -l '?ROW'
	see '?ROW'
	see 'not found: ROW'
	# A capital counts.
	outer send-keys C-u
	outer send-keys -l 'row 17 '
	outer send-keys Enter
	see 'row 17 of all'
	see 'row 10 of all'
	outer_lacks 'row 200'
	# What is read stands still while the terminal goes on.
	bellhop type sh 'echo more-$((20+2))'
	bellhop keys sh Enter
	within 30 screen_has sh more-22
	see 'row 17 of all'
	outer_lacks more-22
	outer send-keys -l 'v$y'
	see 'copied 13 characters'
	see_gone 'row 17 of all'
	say 'cat'
	keys ']'
	see 'row 17 of all'
	outer send-keys C-c
	# The oldest row is there, too.
	keys '['
	outer send-keys g
	outer send-keys -l '/row 1 '
	outer send-keys Enter
	see 'row 1 of all'
	outer send-keys q
	see_gone 'row 1 of all'
	detach
}

@test "copy: patterns are looked for, by vi's keys and by C-M-s" {
	settings '{"mode_keys": "vi"}'
	open_outer 80x24
	see '1:sh*'
	fill
	keys '['
	see '[0/'
	outer send-keys -l '?^row [3-5]7 of (all|none)$'
	outer send-keys Enter
	see 'row 57 of all'
	outer_lacks 'row 200'
	outer send-keys n
	see 'row 47 of all'
	outer send-keys n n
	see 'row 57 of all'
	outer send-keys -l '?('
	outer send-keys Enter
	see 'no pattern: missing closing parenthesis'
	outer send-keys -l 'v$y'
	see 'copied 13 characters'
	keys ']'
	see '$ row 57 of all'
	outer send-keys C-u
	# The prefix that is shown tells that the UI has them.
	settings '{"mode_keys": "emacs", "prefix": "C-t"}'
	bellhop reload
	see 'C-t ? help'
	outer send-keys C-t '['
	see '[0/'
	outer send-keys C-M-r
	outer send-keys -l 'row 1.7'
	see 'row 197 of all'
	outer send-keys C-r
	see 'row 187 of all'
	outer send-keys C-u
	outer send-keys -l 'row 10*2 '
	see 'row 102 of all'
	outer send-keys C-g q C-t d
	see "detached from session"
	see "rc=0"
}

@test "copy: emacs keys are the default" {
	open_outer 80x24
	see '1:sh*'
	fill
	keys PageUp
	see 'row 170 of all'
	outer send-keys C-r
	outer send-keys -l 'row 60'
	see 'row 60 of all'
	outer send-keys Enter
	outer send-keys C-a C-Space C-e M-w
	see 'copied 13 characters'
	keys ']'
	see '$ row 60 of all'
	outer send-keys C-u
	detach
}

@test "copy: another size, and another pane meanwhile" {
	settings '{"mode_keys": "vi"}'
	open_outer 80x24
	see '1:sh*'
	fill
	keys '['
	outer send-keys -l '?row 90 '
	outer send-keys Enter
	see 'row 90 of all'
	# In a split it stays over its own pane, at its place: the lines above are wrapped anew.
	keys '%'
	expect_layout '.tabs[0].panes | length' 2
	see 'row 90 of all'
	say 'echo right-$((40+2))'
	see right-42
	keys h
	outer send-keys -l 'v$y'
	see 'copied 13 characters'
	keys l
	keys ']'
	see '$ row 90 of all'
	outer send-keys C-u
	detach
}
