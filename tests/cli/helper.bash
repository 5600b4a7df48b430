# Black-box cases: each has a session of its own, folders of its own and a clean environment. At the
# end the server is stopped and must be gone, keeper, children and all.
# shellcheck shell=bash disable=SC2154

bats_require_minimum_version 1.5.0

build=${BELLHOP_TEST_BUILDDIR:?run by make check}

setup() {
	# Short: names of Unix sockets end at 107 bytes.
	runtime=$(mktemp -d /tmp/bh.XXXXXX)
	state=$BATS_TEST_TMPDIR/state
	home=$BATS_TEST_TMPDIR/home
	mkdir -p "$home"
	clean_env=(HOME="$home" PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 TERM=xterm-256color
		BELLHOP_RUNTIME_DIR="$runtime" BELLHOP_STATE_DIR="$state" XDG_CONFIG_HOME="$home/config"
		TMPDIR="$BATS_TEST_TMPDIR" BELLHOP_TOP_PID="$$")
	session=default
	setup_case
}

# Redefined by files whose cases share a beginning.
setup_case() {
	:
}

teardown() {
	local name
	[ -n "$BATS_TEST_COMPLETED" ] || evidence
	for name in "$runtime"/*/; do
		[ -d "$name" ] || continue
		session=$(basename "$name")
		stop_session
	done
	rm -rf "$runtime"
}

# stop_session: end the server with all that runs in it, and see that nothing is left of it.
stop_session() {
	local pids pid
	pids=$(session_pids)
	bellhop server stop --force >/dev/null 2>&1 || true
	for pid in $pids; do
		within 30 is_gone "$pid" || {
			echo "process $pid outlived its session: $(tr '\0' ' ' <"/proc/$pid/cmdline")"
			kill -KILL "$pid"
			return 1
		}
	done
}

# The processes of this session's server and keeper, and of the terminals' children.
session_pids() {
	bellhop server status --json 2>/dev/null | jq -r '.pid, .keeper_pid | values' || true
	bellhop list --json 2>/dev/null | jq -r '.terminals[].pid | values' || true
}

is_gone() {
	[ ! -d "/proc/$1" ] || grep -q '^State:[[:space:]]*Z' "/proc/$1/status" 2>/dev/null
}

# bellhop ARG...: the program, as an operator, in the session $session.
bellhop() {
	env -i "${clean_env[@]}" BELLHOP_SESSION="$session" "$build/bellhop" "$@"
}

# within SECONDS COMMAND...: until it succeeds.
within() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.1
	done
}

# start_demo NAME [OPTION-OF-RUN]... [-- OPTION-OF-AGENT...]: a demo agent, idle, with its log in
# $BATS_TEST_TMPDIR/NAME.log.
start_demo() {
	run_demo "$@"
	wait_idle "$1"
}

run_demo() {
	local name=$1 options=()
	shift
	while [ $# != 0 ] && [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	[ $# = 0 ] || shift
	bellhop run --name "$name" --cwd "$BATS_TEST_TMPDIR" --size 80x24 "${options[@]}" -- \
		"$build/bellhop-demo-agent" --log "$(log_of "$name")" "$@" >/dev/null
}

log_of() {
	echo "$BATS_TEST_TMPDIR/$1.log"
}

wait_idle() {
	bellhop wait-state "$1" idle --timeout 30s >/dev/null
}

is_typable() {
	[ "$(terminal "$1" typable)" = true ]
}

# wait_typable NAME: until mail would be typed at once: a person's keys, a case's too, keep it off for 3 s.
wait_typable() {
	within 30 is_typable "$1" || {
		bellhop explain "$1"
		return 1
	}
}

# hold NAME: by mail, so that no keys are in the way, NAME is made to work until `release NAME`.
hold() {
	rm -f "$BATS_TEST_TMPDIR/$1.go"
	send "$1" "DEMO:run timeout 100 sh -c 'until [ -e $BATS_TEST_TMPDIR/$1.go ]; do sleep 0.05; done'"
	expect_answer terminal=typed
	bellhop wait-state "$1" working --timeout 30s >/dev/null
}

release() {
	: >"$BATS_TEST_TMPDIR/$1.go"
}

has_waiter() {
	[ "$(bellhop can-wake "$1" --json | jq -r .by)" = waiter ]
}

# wait_waiter NAME: until a `bellhop wait` is open there.
wait_waiter() {
	within 30 has_waiter "$1" || {
		bellhop can-wake "$1" --json
		return 1
	}
}

# send NAME TEXT [OPTION]...: the answer in $answer, the exit status in $status.
send() {
	local to=$1 text=$2
	shift 2
	status=0
	answer=$(bellhop send --json "$@" "$to" - <<<"$text") || status=$?
}

# field NAME: of the last answer.
field() {
	jq -r ".$1" <<<"$answer"
}

# expect_answer FIELD=VALUE...: of the last answer.
expect_answer() {
	local pair
	for pair in "$@"; do
		[ "$(field "${pair%%=*}")" = "${pair#*=}" ] || {
			echo "expected $pair, got $answer (exit status $status)"
			return 1
		}
	done
}

# terminal NAME FIELD: of the terminal object.
terminal() {
	bellhop list --all --json |
		jq -r --arg name "$1" ".terminals | map(select(.identity == \$name)) | last | .$2"
}

screen_has() {
	bellhop screen "$1" | grep -qF -- "$2"
}

wait_screen() {
	within 30 screen_has "$1" "$2" || {
		bellhop screen "$1"
		return 1
	}
}

# turns NAME: how many turns users began; turns NAME TEXT: with that text in them.
turns() {
	[ -f "$(log_of "$1")" ] || {
		echo 0
		return
	}
	jq -s --arg text "${2:-}" '[.[] | select(.event == "user" and (.text | contains($text)))] | length' \
		"$(log_of "$1")"
}

has_turns() {
	[ "$(turns "$1" "$3")" = "$2" ]
}

# The exact text of the last turn of NAME.
last_turn() {
	jq -rs '[.[] | select(.event == "user")] | last | .text' "$(log_of "$1")"
}

receipt_has() {
	bellhop receipt --json "$1" | jq -e --arg step "$2" '.steps | any(.step == $step)' >/dev/null
}

wait_step() {
	within 30 receipt_has "$1" "$2" || {
		bellhop receipt "$1"
		return 1
	}
}

# tell NAME TEXT: what a person types to an agent.
tell() {
	bellhop type "$1" "$2"
	wait_screen "$1" "${2:0:60}"
	bellhop keys "$1" Enter
}

# agent_run NAME COMMAND: the demo agent NAME runs COMMAND as its tool; waits for the end, gives its
# output. A person typed it, so the caller waits 3.5 s before mail may be typed.
agent_run() {
	local out=$BATS_TEST_TMPDIR/out.$RANDOM
	tell "$1" "DEMO:run ($2) >$out 2>&1; echo \$? >$out.status"
	within 30 test -s "$out.status" || {
		bellhop screen "$1"
		return 1
	}
	cat "$out"
	return "$(cat "$out.status")"
}

# Shown after a failed case.
evidence() {
	local name
	bellhop list --all || true
	for name in $(bellhop list --json 2>/dev/null | jq -r '.terminals[].identity'); do
		echo "--- $name"
		bellhop screen "$name" || true
		bellhop explain "$name" || true
	done
	tail -n 30 "$state"/*/server.log 2>/dev/null || true
}
