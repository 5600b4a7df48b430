#!/usr/bin/env bats
# doctor: what is well is told as tried, what is broken is found and named with what to do.

# shellcheck disable=SC2034,SC2154  # names for and from helper
load helper

# examine: the findings in $found, the exit status in $status.
examine() {
	status=0
	found=$(bellhop doctor --json) || status=$?
}

# finding CHECK LEVEL [TEXT]: there is one, with that text in what it says or is about.
finding() {
	jq -e --arg check "$1" --arg level "$2" --arg text "${3-}" \
		'.findings | any(.check == $check and .level == $level and ((.says + " " + (.about // "")) | contains($text)))' \
		<<<"$found" >/dev/null || {
		echo "no finding $*: $found"
		return 1
	}
}

keeper_pid() {
	bellhop server status --json | jq .keeper_pid
}

@test "a session that is well: each thing is tried, and nothing is left of it" {
	start_demo coder
	examine
	[ "$status" = 0 ]
	[ "$(jq .problems <<<"$found")" = 0 ]
	[ "$(jq .warnings <<<"$found")" = 0 ]
	finding permissions works
	finding server works
	finding store works "$state/default/mail.db"
	finding keeper works
	finding agent works coder
	finding wake works coder
	finding wake works "CONDITIONAL: no submission has been proved in this terminal yet"
	finding profile works demo
	finding spawn works
	finding mail works proved
	bellhop list --all --json | jq -e '.terminals | length == 1' >/dev/null
	# The probe agent had its mail typed, as any other.
	bellhop history --with doctor-probe | grep -q Loop-back
	# Its turn was cut short, which makes its mail unread again: nobody is to look after that.
	[ "$(bellhop peek doctor-probe)" = "No unread mail." ]
	[ "$(turns coder)" = 0 ]
	bellhop doctor | grep -q '^0 problems, 0 warnings$'
}

@test "every finding that is not well says what to do" {
	start_demo coder
	rm -rf "$runtime/default/spool/$(terminal coder terminal_id)"
	chmod 755 "$state/default"
	examine
	[ "$status" = 1 ]
	jq -e '.findings | map(select(.level != "works" and .advice == null)) | length == 0' <<<"$found"
	jq -e '.findings | map(select(.level != "works")) | length >= 2' <<<"$found"
	chmod 700 "$state/default"
}

@test "without a server one is started, and stopped again" {
	examine
	[ "$status" = 0 ]
	finding mail works
	run bellhop server status
	[ "$status" = 1 ]
	[ ! -e "$runtime/default/server.sock" ]
}

@test "a server that cannot start is one finding, and not each folder that it would make" {
	chmod 755 "$runtime"
	examine
	[ "$status" = 1 ]
	finding server problem "chmod 700"
	finding permissions problem "$runtime"
	jq -e '.findings | any(.says | contains("No such file")) | not' <<<"$found"
	chmod 700 "$runtime"
}

@test "what others may read is found, and the advice mends it" {
	start_demo coder
	chmod 750 "$state/default"
	examine
	[ "$status" = 1 ]
	finding permissions problem "$state/default"
	eval "$(jq -r '.findings[] | select(.check == "permissions") | .advice' <<<"$found")"
	examine
	[ "$status" = 0 ]
}

@test "a spool folder that is gone is found, and the advice mends it" {
	start_demo coder
	rm -rf "$runtime/default/spool/$(terminal coder terminal_id)"
	examine
	[ "$status" = 1 ]
	finding agent problem coder
	bellhop upgrade >/dev/null
	examine
	[ "$status" = 0 ]
	finding agent works coder
}

@test "a keeper that hangs is found, and nothing is started by it later" {
	bellhop server start >/dev/null
	kill -STOP "$(keeper_pid)"
	examine
	kill -CONT "$(keeper_pid)"
	[ "$status" = 1 ]
	finding keeper problem
	finding spawn warning "not tried"
	bellhop list --all --json | jq -e '.terminals == []' >/dev/null
	examine
	[ "$status" = 0 ]
}

@test "files of terminals that are gone are found, and an upgrade removes them" {
	bellhop server start >/dev/null
	mkdir -m 700 "$runtime/default/spool/11111111-1111-4111-8111-111111111111"
	echo SECRET=1 >"$runtime/default/environ-22222222-2222-4222-8222-222222222222"
	examine
	[ "$status" = 0 ]
	finding stale warning spool/11111111
	finding stale warning environ-22222222
	bellhop upgrade >/dev/null
	examine
	[ "$(jq .warnings <<<"$found")" = 0 ]
}

@test "the socket of a session that was killed is found" {
	session=other
	bellhop server start >/dev/null
	server=$(bellhop server status --json | jq .pid)
	kill -KILL "$server" "$(keeper_pid)" # the machine lost power, nearly
	session=default
	examine
	[ "$status" = 0 ]
	finding stale warning "$runtime/other/server.sock"
	session=other
	bellhop server start >/dev/null # the advice
	session=default
	examine
	[ "$(jq .warnings <<<"$found")" = 0 ]
}

@test "a program of a version that its profile was not made for is told" {
	mkdir -p "$home/config/bellhop/profiles"
	sed 's/"versions": \["0\."\]/"versions": ["9."]/' \
		"$BELLHOP_TEST_SRCDIR/src/agent/profiles/demo.json" >"$home/config/bellhop/profiles/demo.json"
	start_demo coder
	examine
	[ "$status" = 0 ]
	finding profile warning "not made for this version"
}

# hooks NAME: what doctor knows of the hooks of its agent.
hooks() {
	bellhop rpc doctor.terminals | jq -r --arg name "$1" '.terminals[] | select(.identity == $name) | .hooks'
}

@test "an agent whose hooks are silent is found, until one is heard" {
	local program=$BATS_TEST_TMPDIR/mute-agent
	# It gets hooks as Claude does, and does not look at the options that bring them.
	mkdir -p "$home/config/bellhop/profiles"
	jq '.profile = "mute" | .programs = ["mute-agent"] | .launch = "claude"' \
		"$BELLHOP_TEST_SRCDIR/src/agent/profiles/demo.json" >"$home/config/bellhop/profiles/mute.json"
	printf '#!/bin/sh\nexec "%s" --log "%s"\n' "$build/bellhop-demo-agent" "$(log_of coder)" >"$program"
	chmod +x "$program"
	start_demo plain
	bellhop run --name coder --cwd "$BATS_TEST_TMPDIR" --size 80x24 -- "$program" >/dev/null
	wait_idle coder
	# No turn was seen yet: nothing is amiss.
	[ "$(hooks coder)" = waiting ]
	[ "$(hooks plain)" = none ]
	examine
	[ "$(jq '[.findings[] | select(.check == "hooks")] | length' <<<"$found")" = 0 ]
	send coder "DEMO:work 1"
	expect_answer terminal=typed
	wait_idle coder
	[ "$(hooks coder)" = silent ]
	examine
	[ "$status" = 0 ]
	finding hooks warning "coder"
	finding hooks warning "none of its hooks told of it"
	jq -e '.findings[] | select(.check == "hooks") | .advice | contains("bellhop run")' <<<"$found"
	agent_run coder "echo '{\"hook_event_name\":\"Stop\"}' | bellhop hook mute"
	[ "$(hooks coder)" = heard ]
	examine
	[ "$(jq '[.findings[] | select(.check == "hooks")] | length' <<<"$found")" = 0 ]
}

@test "faults of settings and profiles are findings" {
	mkdir -p "$home/config/bellhop/profiles"
	echo '{"prefix": 7}' >"$home/config/bellhop/config.json"
	echo '{' >"$home/config/bellhop/profiles/claude.json"
	examine
	[ "$status" = 0 ]
	finding settings warning config.json
	finding profile warning claude.json
	# One that is named and not there has no line to be mended.
	clean_env+=("BELLHOP_CONFIG=$home/gone.json")
	examine
	[ "$status" = 0 ]
	[[ "$found" == *"BELLHOP_CONFIG names no file"* ]]
}

@test "an agent whose environment was emptied is found" {
	bellhop run --name coder --profile demo --cwd "$BATS_TEST_TMPDIR" -- \
		/usr/bin/env -i TERM=xterm-256color PATH=/nowhere "$build/bellhop-demo-agent" >/dev/null
	wait_idle coder
	examine
	[ "$status" = 1 ]
	finding agent problem "does not name the session"
	finding agent warning "PATH"
}

@test "agents may not" {
	start_demo coder 
	bellhop run --name sh --cwd / -- /bin/sh -c "'$build/bellhop' doctor --json; sleep 100" >/dev/null
	wait_screen sh operator_only
	bellhop list --all --json | jq -e '.terminals | length == 2' >/dev/null
}
