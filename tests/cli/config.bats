#!/usr/bin/env bats
# The user's settings: found, checked, reloaded, and felt by who is looking on.

# shellcheck disable=SC2034,SC2154  # names for and from helper
load ui_helper

settings_file() {
	bellhop config path
}

# settings TEXT: write the file.
settings() {
	local file
	file=$(settings_file)
	mkdir -p "$(dirname "$file")"
	printf '%s\n' "$1" >"$file"
}

@test "config: without a file there are defaults, and what is shown is a file" {
	run -0 bellhop config check
	[ "$output" = 'there is no file; all settings have their defaults' ]
	run -0 bellhop config
	[[ "$output" == *'"prefix": "C-b"'* ]]
	settings "$output"
	run -0 bellhop config check
	[ "$output" = 'the settings are right' ]
	run -0 bellhop config show --defaults
	[ "$output" = "$(cat "$(settings_file)")" ]
	run -2 bellhop config dance
}

@test "config: faults are named by file, line and key, and stop nothing" {
	settings '{
	"mose": true, // a slip
	"history_lines": 5,
	"keys": {"zoom": "Upp"},
}'
	local file
	file=$(settings_file)
	run -1 bellhop config check
	[ "${lines[0]}" = "bellhop config: $file:2: there is no key \"mose\"; did you mean \"mouse\"?" ]
	[ "${lines[1]}" = "bellhop config: $file:3: history_lines must be a whole number from 100 to 1000000" ]
	[[ "${lines[2]}" == "bellhop config: $file:4: keys.zoom: there is no key \"Upp\""* ]]
	run -0 bellhop run --name one -- sh
	run -1 bellhop reload
	[[ "$output" == *'nothing was changed'* ]]
	run -1 bellhop rpc server.reload
	[[ "$output" == *":2: there is no key"*"nothing was changed"* ]]
	open_outer 120x24 attach
	see 'config.json:2: there is no key "mose"'
	detach
}

@test "config: reload changes prefix and keys under who is looking on" {
	settings '{"prefix": "C-a", "keys": {"split-right": ["|"], "zoom": ""}}'
	open_outer 100x24
	see 'C-a ? help'
	outer send-keys C-a '|'
	expect_layout '.tabs[0].panes | length' 2
	outer send-keys C-a z
	see 'that key does nothing after C-a'
	rm "$(settings_file)"
	run -0 bellhop reload
	[ "$output" = "there is no file $(settings_file); all settings have their defaults" ]
	see 'C-b ? help'
	settings '{"prefix": "C-Space", "sidebar_columns": 18}'
	run -0 bellhop reload
	[ "$output" = "reloaded $(settings_file)" ]
	see 'C-Space ? help'
	expect_layout '.area.cols' 82
	# What was the prefix goes to the program, twice pressed the new one does, too.
	say 'cat -v'
	outer send-keys C-a C-Space C-Space x Enter
	see '^A^@x'
	outer send-keys C-Space z
	see zoomed
	# A new server and who comes back to it read the file, too.
	settings '{"prefix": "C-t"}'
	run -0 bellhop upgrade
	see_gone 'connected again'
	see 'C-t ? help'
	expect_layout '.area.cols' 78
	settings '{"prefix": "M-a"}'
	run -0 bellhop reload
	see 'M-a ? help'
	outer send-keys M-a M-a C-t M-b Enter
	see '^[a^T^[b'
	outer send-keys M-a d
	see 'rc=0'
}

@test "config: keys with alt and shift, and keys without the prefix" {
	settings '{"keys": {"split-right": "M-v", "zoom": "S-F5"},
		"direct_keys": {"next-pane": ["M-o", "C-Tab"], "split-down": "M-C-s"}}'
	open_outer 100x24 attach
	see '1:sh*'
	outer send-keys C-b M-v
	expect_layout '.tabs[0].panes | length' 2
	outer send-keys C-b S-F5
	expect_layout '.tabs[0].is_zoomed' true
	outer send-keys C-b S-F5
	expect_layout '.tabs[0].is_zoomed' false
	see '━ sh-2 ━'
	outer send-keys M-o
	see '━ sh ━'
	outer send-keys C-M-s
	expect_layout '.tabs[0].panes | length' 3
	# The table's own: arrangements by number, borders by five; at once, as keys repeat only for a moment.
	outer send-keys C-b M-1
	expect_layout '[.tabs[0].panes[].cols] | join(" ")' '25 26 25'
	outer send-keys C-b M-Left M-Right
	expect_layout '[.tabs[0].panes[].cols] | join(" ")' '20 36 20'
	# Alt and what nobody bound is the program's.
	say 'stty -echo -icanon; exec cat -v'
	outer send-keys M-x M-v
	see '^[x^[v'
	outer send-keys C-b d
	see 'detached from session'
}

@test "config: the server keeps as much history, and runs what is said" {
	settings '{"history_lines": 100, "default_command": "echo mine; exec sh", "size_policy": "90x20"}'
	open_outer 100x24
	see 'mine'
	say 'stty size'
	see '19 90'
	say 'seq 1000'
	see 1000
	[ "$(bellhop log sh -n 1000 | wc -l)" -le 130 ]
	detach
	clean_env+=(BELLHOP_CONFIG=/nowhere/x.json)
	run -1 bellhop config check
	[[ "$output" == *'/nowhere/x.json: No such file'* ]]
}

@test "config: attach takes a size policy and the prefix of one terminal" {
	settings '{"prefix": "C-x"}'
	open_outer 100x24 attach --size-policy 60x15
	see 'C-x ? help'
	expect_layout '.area | "\(.cols)x\(.rows)"' 60x15
	expect_layout '.policy.policy' fixed
	outer send-keys C-x d
	see 'rc=0'
	run -2 bellhop attach --size-policy big
	[[ "$output" == *'"big" is not latest, smallest or a size like 120x40'* ]]
	run -2 bellhop attach --size-policy latest sh
	person=two
	open_outer 80x24 attach sh
	see 'C-x d detach'
	outer send-keys C-x '?'
	see 'after C-x:  d detach'
	outer send-keys C-x d
	see 'rc=0'
	settings '{"prefix": "M-q"}'
	say "clear; $build/bellhop attach sh"
	see 'M-q d detach'
	outer send-keys M-q d
	see 'detached from sh'
}
