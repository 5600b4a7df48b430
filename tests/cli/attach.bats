#!/usr/bin/env bats
# Attach: a person's terminal, played by tmux.

# shellcheck disable=SC2016,SC2034,SC2154  # code for other shells; loop counters; names from helper
load ui_helper

detach() {
	outer send-keys C-b d
	see "detached from"
	see "rc=0"
}

@test "attach: see, type, detach, come back" {
	bellhop run --name shell --size 120x40 -- sh
	open_outer 80x24 attach shell
	see ' shell'
	see 'C-b d detach'
	outer send-keys 'echo $((6*7)); stty size' Enter
	see '42'
	see '23 80'
	detach
	see "come back with: bellhop attach shell"
	outer_is_clean
	bellhop screen shell | grep -q 42
	outer send-keys "$build/bellhop attach shell" Enter
	see '23 80'
	detach
}

@test "attach: colours and attributes arrive" {
	bellhop run --name shell -- sh
	bellhop type shell 'printf "\033[1;31mred\033[0m \033[38;5;200mpink\033[0m \033[7mback\033[0m\n"'
	bellhop keys shell Enter
	wait_screen shell 'red pink back'
	open_outer 100x30 attach shell
	see 'red pink back'
	outer capture-pane -pe >"$BATS_TEST_TMPDIR/drawn"
	grep -q $'\033\[1m\033\[31mred' "$BATS_TEST_TMPDIR/drawn"
	grep -q $'\033\[38;5;200mpink' "$BATS_TEST_TMPDIR/drawn"
	grep -q $'\033\[7mback' "$BATS_TEST_TMPDIR/drawn"
	detach
}

# has_cols NAME COLUMNS: its program was told so.
has_cols() {
	[ "$(terminal "$1" cols)" = "$2" ]
}

@test "attach: the last resized terminal gives the size" {
	bellhop run --name shell -- sh
	open_outer 80x24 attach shell
	see ' shell'
	outer resize-window -x 101 -y 31
	within 30 has_cols shell 101
	outer send-keys 'stty size' Enter
	see '30 101'
	bellhop resize shell 60x20
	within 30 has_cols shell 60
	outer send-keys 'stty size' Enter
	see '20 60'
	detach
}

@test "attach: the end of the program is told" {
	bellhop run --name shell -- sh
	open_outer 80x24 attach shell
	see ' shell'
	outer send-keys 'exit 3' Enter
	see "shell has ended with exit status 3"
	outer_is_clean
}

@test "attach: who comes after the end is told of it, too" {
	bellhop run --name brief -- sh -c 'echo bye; exit 3'
	bellhop wait-state brief exited --timeout 30s
	open_outer 80x24 attach brief
	see "brief has ended with exit status 3"
	see "its last screen: bellhop screen brief"
	see "rc=0"
	outer_is_clean
	bellhop screen brief | grep -q bye
}

@test "attach: run --attach of a program that ends at once tells its end" {
	open_outer 80x24 run --attach --name brief -- sh -c 'exit 4'
	see "brief has ended with exit status 4"
	see "rc=0"
}

@test "attach: run --attach without a terminal starts nothing" {
	run -1 bellhop run --attach --name here -- sleep 60 </dev/null
	[[ "$output" == *"must be a terminal"* ]]
	[ "$(bellhop list --all --json | jq '.terminals | length')" = 0 ]
}

@test "attach: the end of the keeper is told, without a way back that leads nowhere" {
	bellhop run --name shell -- sh
	open_outer 80x24 attach shell
	see ' shell'
	local keeper server
	keeper=$(bellhop server status --json | jq .keeper_pid)
	server=$(bellhop server status --json | jq .pid)
	kill -KILL "$keeper" "$server"
	within 30 is_gone "$server"
	bellhop server start
	see "shell is gone: its session was ended and a new one began"
	see "rc=1"
	run ! outer_has "come back with"
}

@test "attach: a crash of the server is survived" {
	bellhop run --name shell -- sh
	open_outer 80x24 attach shell
	see ' shell'
	outer send-keys 'echo before $((1+1))' Enter
	see 'before 2'
	kill -KILL "$(bellhop server status --json | jq .pid)"
	see 'connected again'
	see 'before 2'
	outer send-keys 'echo after $((1+1))' Enter
	see 'after 2'
	detach
	outer_is_clean
}

@test "attach: an upgrade of the server is survived" {
	bellhop run --name shell -- sh
	open_outer 80x24 attach shell
	see ' shell'
	bellhop upgrade
	see 'connected again'
	outer send-keys 'echo after $((1+1))' Enter
	see 'after 2'
	detach
}

@test "attach: the end of the session is told" {
	bellhop run --name shell -- sh
	open_outer 80x24 attach shell
	see ' shell'
	bellhop server stop --force
	see 'rc='
	outer_is_clean
}

@test "attach: an observer sees and types nothing" {
	bellhop run --name shell --size 70x20 -- sh
	open_outer 80x24 attach --observe shell
	see 'only looking'
	outer send-keys 'echo typed' Enter
	sleep 0.5
	run ! bash -c "$(declare -p clean_env); env -i \"\${clean_env[@]}\" '$build/bellhop' screen shell | grep typed"
	[ "$(terminal shell cols)x$(terminal shell rows)" = 70x20 ]
	detach
}

@test "attach: C-b C-b goes to the program, other keys are explained" {
	bellhop run --name cat -- cat -v
	open_outer 80x24 attach cat
	see ' cat'
	outer send-keys x C-b C-b y Enter
	see 'x^By'
	outer send-keys C-b '?'
	see 'after C-b:'
	outer send-keys C-b Q
	see 'does nothing'
	outer send-keys C-b '['
	see 'bellhop log cat'
	detach
}

@test "attach: run --attach in a terminal of bellhop starts nothing" {
	bellhop run --name inside -- sh >/dev/null
	bellhop type inside "'$build/bellhop' run --attach --name here -- sleep 60; echo status \$?"
	bellhop keys inside Enter
	wait_screen inside "status 1"
	bellhop screen inside | tr -d '\n' | grep -q "is for people outside"
	[ "$(bellhop list --all --json | jq '.terminals | length')" = 1 ]
}

@test "attach: run --attach shows it at once" {
	open_outer 80x24 run --attach --name shell -- sh
	see ' shell'
	outer send-keys 'stty size' Enter
	see '23 80'
	detach
}

@test "attach: unknown names and no terminal are refused with words" {
	run -1 bellhop attach nobody </dev/null
	[[ "$output" == *terminal* ]]
	bellhop server start
	open_outer 80x24 attach nobody
	see 'nobody'
	see 'rc=1'
}
