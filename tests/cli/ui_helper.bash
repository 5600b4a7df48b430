# Cases of the UI on a person's terminal, which tmux plays.
# shellcheck shell=bash disable=SC2016,SC2154

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
	within 30 outer_has "$1" || {
		echo "never seen: $1"
		shown
		return 1
	}
}

see_gone() {
	within 30 outer_lacks "$1" || {
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
	within 30 layout_is "$1" "$2" || {
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
