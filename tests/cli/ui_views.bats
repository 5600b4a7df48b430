#!/usr/bin/env bats
# What stands over the panes: help, the list of tabs, mail, explanations, new agents.

# shellcheck disable=SC2016,SC2154  # code for other shells; names from helper
load ui_helper

@test "views: help is searched, explanations are shown" {
	open_outer 80x24
	see '1:sh*'
	keys '?'
	see 'a new tab with a shell'
	outer send-keys -l 'split right'
	see 'split: a shell to the right'
	see_gone 'a shell below'
	outer send-keys Enter
	see_gone 'keys after C-b'
	keys e
	see 'why sh is in its state'
	see 'the profile does not allow typing'
	outer send-keys q
	see_gone 'why sh is'
	keys w
	# The keys were the views' alone.
	outer send-keys Escape
	see_gone 'tabs and panes'
	say 'echo only-$((40+2))'
	see only-42
	outer_lacks 'split right'
}

@test "views: an explanation follows the agent" {
	start_demo coder
	open_outer 100x30 attach
	see '1:coder*'
	keys e
	see '│ idle for'
	tell coder 'DEMO:ask touch something'
	see '│ awaiting for'
	bellhop keys coder Enter
	see_gone '│ awaiting for'
	outer send-keys q
	see_gone 'why coder is'
}

@test "views: the list of tabs goes to any pane, and to terminals without one" {
	start_demo coder
	open_outer 100x24
	see '1:'
	keys c
	expect_layout '.tabs | length' 2
	bellhop run --name helper -- cat
	keys w
	see 'in no pane: · helper'
	outer send-keys -l 'helper'
	see_gone '2: '
	outer send-keys Enter
	expect_layout '.tabs | length' 3
	expect_layout '.tabs[2].panes[0].identity' helper
	expect_layout '.tabs[2].is_active' true
	keys w
	see 'tabs and panes'
	outer send-keys -l 'coder demo'
	outer send-keys Enter
	see '━ coder'
	detach
}

@test "views: mail is read with its receipt, only the operator's is marked" {
	start_demo coder
	bellhop send operator 'look at this' || [ "$?" -eq 3 ]
	bellhop send nobody $'first line\nsecond \e[31mline' || [ "$?" -eq 3 ]
	open_outer 120x30
	see '✉ 1 for you'
	keys m
	see '1 unread, for you'
	see '1 unread; it has no terminal now'
	outer send-keys G k Enter
	see 'mail: nobody'
	see 'second \x1b[31mline'
	see 'unknown_recipient'
	outer send-keys h g Enter
	see 'mail: operator'
	see 'from operator to nobody'
	outer send-keys j
	see 'from operator to operator'
	see 'look at this'
	see_gone '✉ 1 for you'
	see 'seen'
	outer send-keys h
	see 'nothing unread'
	[ "$(bellhop peek nobody --json | jq '.messages | length')" -eq 1 ]
	outer send-keys q
	see_gone 'Enter opens'
	detach
}

@test "views: an agent is picked, named and started beside the pane" {
	clean_env+=("PATH=$build:$PATH")
	open_outer 120x30
	see '1:sh*'
	keys N
	see 'bellhop-demo-agent'
	outer send-keys -l 'rev iewer'
	see 'name:  reviewer'
	outer send-keys Tab
	see 'place: right of this pane'
	outer send-keys Enter
	expect_layout '.tabs[0].panes[1].identity' reviewer
	see '━ reviewer · idle'
	[ "$(bellhop list --json | jq -r '.terminals[] | select(.identity == "reviewer") | .profile')" = demo ]
	# The name is taken: it is said, and another one can be typed.
	keys N
	see 'bellhop-demo-agent'
	outer send-keys -l reviewer
	outer send-keys Enter
	see 'the name reviewer is taken'
	outer send-keys -l 2
	outer send-keys Enter
	expect_layout '.tabs[1].panes[0].identity' reviewer2
	detach
}

@test "views: a program is let into the clipboard by the person alone" {
	open_outer 100x20
	outer set-option -s set-clipboard on
	see '1:sh*'
	say "printf '\\033]52;c;aGVsbG8=\\033\\\\'"
	see 'wants to put 5 bytes into your clipboard: C-b y lets it'
	run ! outer show-buffer
	keys y
	see 'it is in your clipboard'
	[ "$(outer show-buffer)" = hello ]
	detach
}
