#!/usr/bin/env bats
# The tabbed UI on a person's terminal, played by tmux.

# shellcheck disable=SC2016,SC2034,SC2154  # code for other shells; loop counters; names from helper
load ui_helper

@test "ui: alone it opens a shell, detaches, and comes back to it" {
	open_outer 100x24
	see '1:sh*'
	see 'C-b ? help'
	say 'echo $((6*7)); stty size'
	see 42
	see '21 78'
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
	see 'close tab my work and end its program?'
	outer send-keys n
	see_gone 'close tab'
	keys '&'
	see 'close tab my work'
	outer send-keys y
	expect_layout '.tabs | length' 1
	see '1:sh-2*'
	detach
}

# size_is NAME COLSxROWS: the program has been told.
size_is() {
	[ "$(bellhop list --json | jq -r --arg name "$1" \
		'.terminals[] | select(.identity == $name) | "\(.cols)x\(.rows)"')" = "$2" ]
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
	within 30 size_is sh 48x27
	say 'stty size'
	see '27 48'
	keys z
	see zoomed
	within 30 size_is sh 96x27 # not at once, when it was resized a moment before
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

@test "ui: a shell has the smallest free number" {
	open_outer 100x24
	see '1:sh*'
	keys c
	see '2:sh-2*'
	keys c
	see '3:sh-3*'
	keys 2
	see '2:sh-2*'
	say exit
	expect_layout '[.tabs[].name] | join(" ")' 'sh sh-3'
	keys c
	see '3:sh-2*'
	keys c
	see '4:sh-4*'
	bellhop send --no-wait sh-4 'are you there?' >/dev/null || true
	say exit
	expect_layout '.tabs | length' 3
	keys c
	see '4:sh-5*'
	detach
}

@test "ui: tabs are moved, swapped, and the one before is a key away" {
	open_outer 100x24
	see '1:sh*'
	keys c
	see '2:sh-2*'
	keys c
	see '3:sh-3*'
	keys '<'
	see '1:sh  2:sh-3*'
	see '3:sh-2-'
	keys L
	see '3:sh-2*'
	keys L
	see '2:sh-3*'
	keys .
	see ': move-tab'
	say 1
	see '1:sh-3*'
	keys '<'
	see '3:sh-3*'
	keys '>'
	see '1:sh-3*'
	keys :
	say 'swap-tab sh-2'
	expect_layout '[.tabs[].name] | join(" ")' 'sh-2 sh sh-3'
	# The order is kept by a server that comes after this one.
	bellhop upgrade
	expect_layout '[.tabs[].name] | join(" ")' 'sh-2 sh sh-3'
	detach
}

@test "ui: sessions are listed, gone to and begun" {
	open_outer 100x24
	see '1:sh*'
	keys s
	see 'sessions'
	see 'default *'
	outer send-keys -l side
	see 'begin a session side'
	outer send-keys Enter
	see 'bellhop · side'
	see '1:sh*'
	say 'echo in-$BELLHOP_SESSION'
	keys '('
	see 'bellhop · default'
	keys s
	see 'side'
	outer send-keys Down Enter
	see 'bellhop · side'
	run --separate-stderr bellhop sessions
	[[ "${lines[1]}" == "default *"*running*1*0* ]]
	[[ "${lines[2]}" == "side"*running*1*0* ]]
	# One that cannot be shown leads back, and says why.
	mkdir -p "$runtime/bad"
	chmod 755 "$runtime/bad"
	keys s
	outer send-keys -l bad
	see 'begin a session bad'
	outer send-keys Enter
	see 'bellhop · side'
	see "$runtime/bad"
	keys d
	see 'come back with: bellhop -S side attach'
	bellhop -S side server stop --force
	run --separate-stderr bellhop sessions
	[ "${#lines[@]}" -eq 2 ]
}

@test "ui: actions are taken by their names, with what they are about" {
	open_outer 100x24
	see '1:sh*'
	keys :
	say 'rename-tab my work'
	see '1:my work*'
	keys :
	outer send-keys -l spl
	outer send-keys Tab
	see 'split-right  split-down'
	say 'right echo $((6*7)); exec sleep 100'
	expect_layout '.tabs[0].panes | length' 2
	see 42
	keys :
	say 'even-verticl'
	see 'there is no action even-verticl; do you mean even-vertical?'
	# The line before comes back and is mended.
	keys :
	outer send-keys Up
	see ': even-verticl'
	outer send-keys BSpace
	say al
	expect_layout '.tabs[0].panes[1].col' 0
	keys :
	say 'size-policy 70x20'
	expect_layout '.area.cols' 70
	keys :
	say 'size-policy latest'
	keys :
	say size-policy
	see 'size-policy needs something to act on'
	keys :
	say detach
	see 'detached from session'
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
	expect_layout '.area.cols' 78
	outer resize-window -x 60 -y 20
	see_gone 'no agents'
	expect_layout '"\(.area.cols)x\(.area.rows)"' 60x18
	keys b
	see 'the sidebar comes when the terminal is wider'
	outer resize-window -x 80 -y 20
	see 'no agents'
	detach
}

@test "ui: panes have their widths back when the terminal has its own" {
	local before
	open_outer 120x40
	see '1:sh*'
	keys %
	expect_layout '.tabs[0].panes | length' 2
	keys %
	expect_layout '.tabs[0].panes | length' 3
	keys '"'
	expect_layout '.tabs[0].panes | length' 4
	keys C-Left C-Left C-Left
	keys C-Up
	expect_layout '[.tabs[0].panes[].cols] | join(" ")' '48 20 26 26'
	before=$(layout '.tabs')
	for size in '60 20' '200 50' '61 30' '120 40'; do
		outer resize-window -x "${size% *}" -y "${size#* }"
		expect_layout .area.rows "$((${size#* } - 2))"
	done
	expect_layout '.tabs' "$before"
	detach
}

@test "ui: an agent that is typed into a pane is in the sidebar while it runs" {
	open_outer 100x24
	see 'no agents'
	say "$build/bellhop-demo-agent --log $(log_of sh)"
	see 'demo typed into a shell is only watched'
	see_gone 'no agents'
	keys c
	see '2:sh-2*'
	bellhop type sh 'DEMO:ask for me'
	bellhop keys sh Enter
	see 'next needing you: sh'
	keys a
	see '1:sh*'
	outer send-keys Escape
	see 'Type a message'
	say 'DEMO:exit 0'
	see 'no agents'
	detach
}

@test "ui: what a flood does beside the screen reaches the person" {
	yes 'a line that nobody could have read in all this' | head -n 60000 >"$BATS_TEST_TMPDIR/flood"
	open_outer 100x24
	see '1:sh*'
	cat >"$BATS_TEST_TMPDIR/flood.sh" <<-'SCRIPT'
		cat "$1"
		printf '\033]52;c;aGVsbG8=\033\\'
		cat "$1"
	SCRIPT
	say "clear; sh $BATS_TEST_TMPDIR/flood.sh $BATS_TEST_TMPDIR/flood"
	see 'wants to put 5 bytes into your clipboard'
	outer set-option -s set-clipboard on
	keys y
	within 30 has_buffer hello
	detach
}

has_buffer() {
	[ "$(outer show-buffer 2>/dev/null)" = "$1" ]
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
	see 'was stopped'
	see 'rc=0'
	outer_is_clean
}

@test "ui, attach: every key typed about the death of the server reaches the program once" {
	run env -i "${clean_env[@]}" python3 "$BATS_TEST_DIRNAME/ui_deaths.py" "$build" --kills 6 --seed 11
	[ "$status" != 77 ] || skip "$output"
	echo "$output"
	[ "$status" = 0 ]
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

@test "ui: bellhop alone is no command: its errors name none, its help says what it does" {
	printf 'BELLHOP_RUNTIME_DIR=/dev/null/no %q\necho "rc=$?"; exec sh\n' "$build/bellhop" >"$BATS_TEST_TMPDIR/no.sh"
	outer new-session -d -x 80 -y 24 "sh $BATS_TEST_TMPDIR/no.sh"
	see 'rc=1'
	outer_has 'bellhop: '
	outer_lacks 'overview'
	run -0 bellhop help
	[[ "$output" == *"Without a command: show the session's tabs and panes"* ]]
	run -2 bellhop -S 'no name'
	[ "${lines[0]}" = 'bellhop: "no name" is no session; a name has 1 to 64 letters, digits, '"'.', '_' or '-' and begins with a letter or digit" ]
	[[ "$output" != *overview* ]]
	run -2 bellhop ls
	[[ "$output" == *'there is `bellhop sessions`'* ]]
	run -2 bellhop lst
	[[ "$output" == *'did you mean list?'* ]]
}

@test "ui: a session is not shown inside itself" {
	open_outer 120x24
	see '1:sh*'
	say "$build/bellhop attach"
	see 'this terminal is inside the session already'
	detach
}

# sleeps_on PID: it is woken at most once in 3 s.
sleeps_on() {
	local before after
	before=$(awk '/^voluntary_ctxt/ {print $2}' "/proc/$1/status")
	sleep 3
	after=$(awk '/^voluntary_ctxt/ {print $2}' "/proc/$1/status")
	[ $((after - before)) -le 1 ] || {
		echo "woken $((after - before)) times in 3 s"
		return 1
	}
}

@test "ui: nothing is drawn when nothing changes" {
	open_outer 80x24
	see '1:sh*'
	local pid
	pid=$(pgrep -P "$(outer display-message -p '#{pane_pid}')" | head -n 1)
	# Its start may go on behind its first picture.
	within 30 sleeps_on "$pid"
	detach
}
