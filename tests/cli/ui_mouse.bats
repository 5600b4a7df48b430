#!/usr/bin/env bats
# The mouse in the UI: reports as a terminal sends them, in, what becomes of them, out.

# shellcheck disable=SC2016,SC2034,SC2154  # code for other shells; loop counters; names from helper
load ui_helper

# mouse BUTTON ROW COL [m]: a report (1006) at a cell from 0; with m the button is released there.
mouse() {
	outer send-keys -l $'\e'"[<$1;$(($3 + 1));$(($2 + 1))${4:-M}"
}

click() {
	mouse 0 "$1" "$2"
	mouse 0 "$1" "$2" m
}

# drag FROM-ROW FROM-COL TO-ROW TO-COL
drag() {
	mouse 0 "$1" "$2"
	mouse 32 "$3" "$4"
	mouse 0 "$3" "$4" m
}

wheel_up() {
	mouse 64 "$@"
}

wheel_down() {
	mouse 65 "$@"
}

# double_click ROW COL: in one piece, as four processes may be further apart than two clicks.
double_click() {
	local press=$'\e'"[<0;$(($2 + 1));$(($1 + 1))"
	outer send-keys -l "${press}M${press}m${press}M${press}m"
}

# modes WANTED: whether the person's terminal reports the mouse: any, buttons and drags, all, as 1006.
expect_modes() {
	within 30 eval '[ "$(outer display-message -p "#{mouse_any_flag}#{mouse_button_flag}#{mouse_all_flag}#{mouse_sgr_flag}")" = '"$1 ]"
}

# Two shells beside each other, 60 columns wide, without a sidebar; the right one has the focus.
two_shells() {
	open_outer 121x24
	see '1:sh*'
	keys b
	expect_layout '.area.cols' 121
	keys %
	expect_layout '[.tabs[0].panes[].cols] | join(" ")' '60 60'
	see '━ sh-2'
}

@test "mouse: a click moves the focus and goes to no program that did not ask" {
	two_shells
	say 'cat -v'
	click 10 5
	see '━ sh ━'
	say 'cat -v'
	click 10 90
	see '━ sh-2 ━'
	click 12 90
	click 12 5
	say here-$((1))
	see '━ sh ━'
	outer_lacks '[<'
	outer_lacks '^['
	detach
	outer_is_clean
}

@test "mouse: the program that asked gets its own cells" {
	two_shells
	expect_modes 1101
	say 'printf "\033[?1003h\033[?1006h"; exec cat -v'
	expect_modes 1011
	mouse 0 5 70
	mouse 32 6 71
	mouse 0 6 71 m
	mouse 35 7 80
	wheel_up 8 90
	outer send-keys Enter
	# Its first cell is that of row 2 and column 61.
	see '^[[<0;10;4M^[[<32;11;5M^[[<0;11;5m^[[<35;20;6M^[[<64;30;7M'
	# One step beside it only moves the focus.
	click 10 5
	see '━ sh ━'
	expect_modes 1101
	say 'echo still-$((40+2))'
	see still-42
	detach
	outer_is_clean
}

@test "mouse: a report that comes in pieces is one" {
	# An Escape waits for what follows it by this setting; each piece is a process of its own here.
	mkdir -p "$home/config/bellhop"
	echo '{"escape_ms": 1000}' >"$home/config/bellhop/config.json"
	two_shells
	say 'cat -v'
	for piece in $'\e' '[' '<0' ';5' ';10' M; do
		outer send-keys -l "$piece"
	done
	see '━ sh ━'
	say 'echo clean'
	see clean
	outer_lacks '[<'
	detach
}

@test "mouse: tabs and agents are clicked" {
	start_demo coder
	start_demo tester
	open_outer 100x24 attach
	see '1:coder*'
	see '2:tester'
	click 0 12
	see '2:tester*'
	click 0 3
	see '1:coder*'
	click 3 5
	see '2:tester*'
	click 2 5
	see '1:coder*'
	detach
}

@test "mouse: borders are dragged" {
	two_shells
	drag 10 60 10 40
	expect_layout '[.tabs[0].panes[].cols] | join(" ")' '40 80'
	keys '"'
	expect_layout '.tabs[0].panes | length' 3
	expect_layout '[.tabs[0].panes[].rows] | join(" ")' '21 10 10'
	# The line above the lower one is its title, too.
	drag 12 100 7 100
	expect_layout '[.tabs[0].panes[].rows] | join(" ")' '21 5 15'
	# As far as there is room.
	drag 10 40 10 0
	expect_layout '.tabs[0].panes[0].cols | . < 5' true
	detach
}

@test "mouse: the edge of the sidebar is dragged, and stays where it was left" {
	open_outer 120x24 attach
	see '1:sh*'
	expect_layout .area.cols 96
	drag 10 23 10 30
	expect_layout .area.cols 89
	drag 10 30 10 2
	expect_layout .area.cols 102
	detach
	outer kill-server
	open_outer 120x24 attach
	see '1:sh*'
	expect_layout .area.cols 102
	keys b
	expect_layout .area.cols 120
	keys b
	expect_layout .area.cols 102
	double_click 10 17
	expect_layout .area.cols 96
	detach
}

@test "mouse: the wheel moves the text of a program that has the whole screen" {
	two_shells
	say 'seq -f "line %g" 100 | less'
	see 'line 1'
	wheel_down 10 100
	see 'line 23'
	see_gone 'line 3 '
	wheel_up 10 100
	see 'line 1'
	see_gone 'line 23'
	detach
}

@test "mouse: switched off, the person's terminal keeps it" {
	mkdir -p "$home/config/bellhop"
	echo '{"mouse": false}' >"$home/config/bellhop/config.json"
	two_shells
	expect_modes 0000
	detach
}
