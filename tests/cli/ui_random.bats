#!/usr/bin/env bats
# A person who presses anything; ui_random.py says what must hold. Others: RANDOM_SEEDS="7 8 9".

# shellcheck disable=SC2154  # names from helper
load helper

setup_case() {
	command -v tmux >/dev/null || skip "tmux is not installed"
}

@test "ui random: after any keys, mouse reports and sizes a person sees what there is" {
	for seed in ${RANDOM_SEEDS:-1 2 3}; do
		env -i "${clean_env[@]}" SHELL=/bin/sh PS1='$ ' BELLHOP_TEST_BUILDDIR="$build" \
			python3 "$BATS_TEST_DIRNAME/ui_random.py" "$seed" 150
	done
}
