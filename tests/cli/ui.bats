#!/usr/bin/env bats
# The tabbed UI on a person's terminal, played by tmux.

# shellcheck disable=SC2016,SC2034,SC2154  # code for other shells; loop counters; names from helper
load helper

eval "$(declare -f teardown | sed '1s/teardown/end_session/')"

setup_case() {
	command -v tmux >/dev/null || skip "tmux is not installed"
}

teardown() {
	for person in one two; do
		outer kill-server 2>/dev/null || true
	done
	end_session
}

# outer ARG...: the tmux that plays the terminal of $person.
person=one
outer() {
	env -i "${clean_env[@]}" SHELL=/bin/sh PS1='$ ' tmux -S "$runtime/tmux-$person" -f /dev/null "$@"
}

# open_outer COLSxROWS ARG...: a terminal in which bellhop runs; what follows it tells its end.
open_outer() {
	local size=$1
	shift
	printf '%q ' "$build/bellhop" "$@" >"$BATS_TEST_TMPDIR/outer.sh"
	printf '\necho "rc=$?"; exec sh\n' >>"$BATS_TEST_TMPDIR/outer.sh"
	outer new-session -d -x "${size%x*}" -y "${size#*x}" "sh $BATS_TEST_TMPDIR/outer.sh"
	outer set-option -g status off
	outer set-option -g window-size manual
	outer resize-window -x "${size%x*}" -y "${size#*x}"
}

shown() {
	outer capture-pane -p
}

outer_has() {
	shown | grep -qF -- "$1"
}

outer_lacks() {
	! outer_has "$1"
}

see() {
	within 15 outer_has "$1" || {
		echo "never seen: $1"
		shown
		return 1
	}
}

see_gone() {
	within 15 outer_lacks "$1" || {
		echo "still seen: $1"
		shown
		return 1
	}
}

# keys KEY...: to the UI, after the prefix.
keys() {
	outer send-keys C-b "$@"
}

say() {
	outer send-keys -l "$1"
	outer send-keys Enter
}

# layout FILTER: of the layout object, by jq.
layout() {
	bellhop rpc layout.get '{}' | jq -r "$1"
}

layout_is() {
	[ "$(layout "$1")" = "$2" ]
}

expect_layout() {
	within 10 layout_is "$1" "$2" || {
		echo "expected $1 to be $2"
		bellhop rpc layout.get '{}' | jq .
		return 1
	}
}

detach() {
	keys d
	see "detached from session"
	see "rc=0"
}

outer_is_clean() {
	say 'echo still $((40+2))'
	see "still 42"
	[ "$(outer display-message -p '#{alternate_on}#{mouse_any_flag}#{cursor_flag}')" = 001 ]
}

@test "ui: alone it opens a shell, detaches, and comes back to it" {
	open_outer 100x24
	see '1:sh*'
	see 'C-b ? help'
	say 'echo $((6*7)); stty size'
	see 42
	see '21 80'
	detach
	see 'where 1 terminal goes on; come back with: bellhop attach'
	outer_is_clean
	say "clear; $build/bellhop attach"
	see '1:sh*'
	see 42
	keys d
	see 'detached from session'
}

@test "ui: tabs are made, chosen, named and closed" {
	open_outer 80x24
	see '1:sh*'
	say 'echo in-$((1+0))'
	see in-1
	keys c
	see '2:sh-2*'
	say 'echo in-$((1+1))'
	see in-2
	see_gone in-1
	keys p
	see in-1
	keys n
	see in-2
	keys 1
	see in-1
	keys ,
	see 'name of the tab'
	outer send-keys C-u
	say 'my work'
	see '1:my work*'
	expect_layout '.tabs[0].name' 'my work'
	keys '&'
	see 'close tab my work and end its 1 program?'
	outer send-keys n
	see_gone 'close tab'
	keys '&'
	see 'close tab my work'
	outer send-keys y
	expect_layout '.tabs | length' 1
	see '1:sh-2*'
	detach
}

@test "ui: panes are split, focused, zoomed, resized, swapped and closed" {
	open_outer 120x30
	see '1:sh*'
	keys %
	expect_layout '.tabs[0].panes | length' 2
	keys '"'
	expect_layout '.tabs[0].panes | length' 3
	see '━ sh-3'
	keys Left
	see '━ sh ━'
	say 'stty size'
	see '27 48'
	keys z
	see zoomed
	say 'stty size'
	see '27 96'
	keys z
	see_gone zoomed
	keys C-Right
	expect_layout '.tabs[0].panes[0].cols' 49
	keys C-Right C-Right C-Left C-Right
	expect_layout '.tabs[0].panes[0].cols' 51
	keys o
	see '━ sh-2'
	keys '}'
	expect_layout '[.tabs[0].panes[].identity] | join(" ")' 'sh sh-3 sh-2'
	keys Space
	expect_layout '[.tabs[0].panes[].row] | join(" ")' '1 1 1'
	keys '!'
	expect_layout '.tabs | length' 2
	keys x
	see 'close this pane and end sh-2? (y/n)'
	outer send-keys y
	expect_layout '.tabs | length' 1
	detach
}

@test "ui: the last program that ends takes the UI with it" {
	open_outer 80x24
	see '1:sh*'
	say exit
	see 'the last pane of session default has closed'
	see 'rc=0'
	outer_is_clean
}

@test "ui: terminals that run already get tabs" {
	bellhop run --name one -- sh
	bellhop run --name two -- sh
	open_outer 80x24 attach
	see '1:one*'
	see '2:two'
	detach
}

@test "ui: help lists the keys; an unknown key says so" {
	open_outer 120x40
	see '1:sh*'
	keys '?'
	see 'keys after C-b'
	see 'the next agent that needs you'
	outer send-keys q
	see_gone 'keys after C-b'
	keys Q
	see 'that key does nothing after C-b'
	detach
}

@test "ui: the sidebar comes and goes, and the panes follow" {
	open_outer 100x24
	see '1:sh*'
	see 'no agents'
	keys b
	see_gone 'no agents'
	expect_layout '.area.cols' 100
	keys b
	see 'no agents'
	expect_layout '.area.cols' 80
	outer resize-window -x 60 -y 20
	see_gone 'no agents'
	expect_layout '"\(.area.cols)x\(.area.rows)"' 60x18
	detach
}

@test "ui: a goes to the agent that waits" {
	start_demo coder
	open_outer 100x24
	see '1:coder*'
	see 'coder'
	keys c
	see '2:sh*'
	bellhop send --no-wait coder 'ask please' >/dev/null
	see 'next needing you: coder'
	keys a
	see '1:coder*'
	detach
}

@test "ui: the server is killed and comes back; the terminal is left clean" {
	open_outer 80x24
	see '1:sh*'
	keys %
	expect_layout '.tabs[0].panes | length' 2
	say 'echo before-$((1+1))'
	see before-2
	kill -KILL "$(bellhop server status --json | jq .pid)"
	see 'connected again'
	see before-2
	say 'echo after-$((1+1))'
	see after-2
	expect_layout '.tabs[0].panes | length' 2
	bellhop server stop --force >/dev/null
	see 'rc=1'
	outer_is_clean
}

@test "ui: two people see the same; one who only looks changes nothing" {
	open_outer 100x24
	see '1:sh*'
	person=two
	open_outer 100x24 attach --observe
	see 'only looking'
	outer send-keys -l 'echo typed-by-looker'
	keys c
	see 'you only look here'
	person=one
	say 'echo seen-$((1+1))'
	see seen-2
	person=two
	see seen-2
	outer_lacks typed-by-looker
	expect_layout '.tabs | length' 1
	detach
	person=one
	detach
}

@test "ui: a terminal that cannot be drawn on is refused with words" {
	run -1 bellhop attach </dev/null
	[[ "$output" == *"must be a terminal"* ]]
	printf 'TERM=dumb %q attach\necho "rc=$?"; exec sh\n' "$build/bellhop" >"$BATS_TEST_TMPDIR/dumb.sh"
	outer new-session -d -x 80 -y 24 "sh $BATS_TEST_TMPDIR/dumb.sh"
	outer set-option -g status off
	see 'can only print lines'
	see 'rc=1'
}

@test "ui: nothing is drawn when nothing changes" {
	open_outer 80x24
	see '1:sh*'
	sleep 1
	local pid before after
	pid=$(pgrep -P "$(outer display-message -p '#{pane_pid}')" | head -n 1)
	before=$(awk '/^voluntary_ctxt/ {print $2}' "/proc/$pid/status")
	sleep 3
	after=$(awk '/^voluntary_ctxt/ {print $2}' "/proc/$pid/status")
	[ $((after - before)) -le 1 ] || {
		echo "woken $((after - before)) times in 3 s"
		return 1
	}
	detach
}
