#!/usr/bin/env bats
# Tabs and panes by `bellhop rpc`: what a script can do, and what outlives the server.

# shellcheck disable=SC2016,SC2154  # code for other programs; names from helper
load helper

# rpc METHOD [PARAMS]
rpc() {
	bellhop rpc "$@"
}

# panes: each as "identity:colsxrows+col+row", tab by tab, the active tab marked.
panes() {
	rpc layout.get | jq -r '.tabs[] | "\(if .is_active then "*" else "" end)\(.name): " +
		([.panes[] | "\(.identity):\(.cols)x\(.rows)+\(.col)+\(.row)"] | join(" "))'
}

has_size() {
	[ "$(terminal "$1" cols)x$(terminal "$1" rows)" = "$2" ]
}

# A program that got a size just now gets the next one a little later.
sizes_follow() {
	within 30 has_size "$@"
}

@test "a terminal of a script has no pane and keeps its size" {
	bellhop run --name script --size 80x24 -- sleep 60
	[ "$(rpc layout.get | jq '.tabs | length')" = 0 ]
	rpc tab.new '{"identity":"a","argv":["sleep","60"]}'
	sizes_follow script 80x24
	[ "$(panes)" = "*a: a:120x39+0+1" ]
}

@test "tabs and panes are made, arranged and closed" {
	rpc tab.new '{"identity":"a","argv":["sleep","60"],"name":"first"}'
	rpc pane.split '{"identity":"b","argv":["sleep","60"]}'
	rpc pane.split '{"identity":"c","argv":["sleep","60"],"direction":"down"}'
	[ "$(panes)" = "*first: a:60x39+0+1 b:59x19+61+1 c:59x19+61+21" ]
	sizes_follow c 59x19
	rpc pane.resize '{"name":"a","direction":"right","cells":10}' | jq -e '.moved == 10'
	sizes_follow a 70x39
	rpc layout.arrange '{"preset":"even-vertical"}'
	[ "$(panes)" = "*first: a:120x12+0+1 b:120x13+0+14 c:120x12+0+28" ]
	rpc pane.break '{"name":"c"}'
	[ "$(rpc layout.get | jq -r '[.tabs[].name] | join(" ")')" = "first c" ]
	sizes_follow c 120x39
	rpc pane.close '{"name":"c"}'
	within 30 eval '[ "$(rpc layout.get | jq ".tabs | length")" = 1 ]'
}

@test "what makes no sense is refused with words" {
	run -1 rpc pane.split '{}'
	[[ "$output" == *"no pane"* ]]
	run -1 rpc tab.select '{"tab":7}'
	[[ "$output" == *"no such tab"* ]]
	run -2 rpc layout.get 'nonsense'
	run -1 rpc no.method
	[[ "$output" == *no.method* ]]
}

@test "an agent that works is closed only with force" {
	start_demo coder
	rpc pane.show '{"name":"coder"}'
	bellhop type coder 'work 60'
	bellhop keys coder Enter
	bellhop wait-state coder working --timeout 30s
	run -1 rpc pane.close '{"name":"coder"}'
	[[ "$output" == *coder*force* ]]
	rpc pane.close '{"name":"coder","force":true}'
	within 30 eval '[ "$(rpc layout.get | jq ".tabs | length")" = 0 ]'
}

@test "the layout outlives a killed server" {
	rpc tab.new '{"identity":"a","argv":["sleep","60"],"name":"one"}'
	rpc pane.split '{"identity":"b","argv":["sleep","60"],"direction":"down"}'
	rpc tab.new '{"identity":"c","argv":["sleep","60"],"focus":false}'
	rpc session.size_policy '{"policy":"fixed","cols":100,"rows":30}'
	local before
	before=$(panes)
	[ "$before" = $'*one: a:100x14+0+1 b:100x14+0+16\nc: c:100x29+0+1' ]
	kill -KILL "$(bellhop server status --json | jq .pid)"
	within 30 bellhop list
	[ "$(panes)" = "$before" ]
	sizes_follow b 100x14
	rpc session.size_policy | jq -e '.policy == "fixed" and .cols == 100'
}
