#!/usr/bin/env bats
# Waits: what is handed to a wait is seen or unread again, whatever dies; and a wait outlives servers.

# shellcheck disable=SC2016,SC2034,SC2154  # code for other shells; loop counters; names from helper
load helper

setup_case() {
	out=$BATS_TEST_TMPDIR/wait
	cli="$build/bellhop"
}

# waiter NAME COMMAND: a terminal whose child is a shell that runs COMMAND, and stays. Nothing is typed
# into it: only its readers see mail.
waiter() {
	bellhop run --name "$1" --size 80x24 -- bash -c "$2; sleep 600" >/dev/null
}

# A wait is open in the terminal.
waiting() {
	wait_waiter "$1" || {
		cat "$out" 2>/dev/null
		return 1
	}
}

has_no_waiter() {
	! has_waiter "$1"
}

server_pid() {
	bellhop server status --json | jq .pid
}

is_another() {
	local pid
	pid=$(server_pid 2>/dev/null) && [ -n "$pid" ] && [ "$pid" != null ] && [ "$pid" != "$1" ]
}

# unread NAME: how many.
unread() {
	bellhop rpc inbox.peek "{\"name\":\"$1\"}" | jq '.messages | length'
}

has_unread() {
	[ "$(unread "$1")" = "$2" ]
}

# The pid of the process that runs `bellhop wait` in the terminal NAME.
wait_pid() {
	pgrep -f "^$cli wait" -P "$(terminal "$1" pid)"
}

@test "a wait goes on over an upgrade, an end and many kills of the server" {
	waiter w "'$cli' wait --timeout 1h >'$out' 2>&1"
	waiting w
	pid=$(server_pid)
	bellhop upgrade >/dev/null
	within 30 is_another "$pid"
	waiting w
	for _ in 1 2 3; do
		sleep 0.5 # a server that dies at once of a request is not asked for ever
		pid=$(server_pid)
		kill -KILL "$pid"
		within 30 is_another "$pid"
		waiting w
	done
	pid=$(server_pid)
	kill -TERM "$pid"
	within 30 is_another "$pid"
	waiting w
	[ ! -s "$out" ]
	send w "at last"
	[ "$status" = 0 ]
	expect_answer delivered=true delivery_path=waiter
	grep -q "at last" "$out"
}

@test "a wait by the spool goes on over an upgrade and a kill of the server" {
	waiter w "BELLHOP_SOCKET=/nonexistent/socket '$cli' wait --timeout 1h >'$out' 2>&1"
	waiting w
	pid=$(server_pid)
	bellhop upgrade >/dev/null
	within 30 is_another "$pid"
	waiting w
	pid=$(server_pid)
	kill -KILL "$pid"
	within 30 is_another "$pid"
	waiting w
	[ ! -s "$out" ]
	send w "at last"
	expect_answer delivered=true delivery_path=waiter
	grep -q "at last" "$out"
}

@test "waits are told of a server that is stopped, by socket and spool, and go on after it" {
	waiter w "'$cli' wait --timeout 1h >'$out' 2>&1"
	waiter v "BELLHOP_SOCKET=/nonexistent/socket '$cli' wait --timeout 1h >'$out.spool' 2>&1"
	waiting w
	waiting v
	pid=$(server_pid)
	kill -STOP "$pid"
	within 90 grep -q "waiting for the server (process $pid), which was stopped" "$out"
	within 90 grep -q "waiting for the server, which has not reacted" "$out.spool"
	kill -CONT "$pid"
	within 30 grep -q "reacts again" "$out"
	within 30 grep -q "reacts again" "$out.spool"
	send w "at last"
	expect_answer delivered=true delivery_path=waiter
	grep -q "at last" "$out"
	send v "at last"
	expect_answer delivered=true delivery_path=waiter
	grep -q "at last" "$out.spool"
}

@test "send --wait seen and wait-state go on over an upgrade" {
	waiter w "true"
	env -i "${clean_env[@]}" "$cli" send w hello --wait seen --timeout 60s >"$out" 3>&- &
	sender=$!
	env -i "${clean_env[@]}" "$cli" wait-state w exited --timeout 60s >"$out.state" 3>&- &
	watcher=$!
	within 30 has_unread w 1
	pid=$(server_pid)
	bellhop upgrade >/dev/null
	within 30 is_another "$pid"
	sleep 0.5
	kill -0 "$sender"
	kill -0 "$watcher"
	bellhop rpc inbox.confirm "{\"confirm\":$(bellhop rpc inbox.read '{"name":"w"}' | jq .confirm)}" >/dev/null
	wait "$sender"
	grep -q "delivered: true" "$out"
	[ "$(bellhop history --json | jq '.messages | length')" = 1 ]
	bellhop kill w
	wait "$watcher"
	[ "$(cat "$out.state")" = exited ]
}

@test "a wait whose time is over says so and ends well" {
	waiter w "'$cli' wait --timeout 100ms --json >'$out' 2>'$out.err'; echo \$? >'$out.status'"
	within 30 grep -qs . "$out.status"
	[ "$(cat "$out.status")" = 0 ]
	jq -e '.timed_out and .messages == [] and .next_seq == 1' "$out"
	send w "for the next"
	[ "$(unread w)" = 1 ]
}

@test "a wait that is killed while it waits takes nothing" {
	waiter w "'$cli' wait --timeout 1h >'$out' 2>&1"
	waiting w
	kill -KILL "$(wait_pid w)"
	within 30 has_no_waiter w
	send w "nobody waits"
	[ "$status" = 3 ]
	expect_answer delivery_path=inbox_only
	[ "$(unread w)" = 1 ]
}

@test "a wait that is stopped when mail comes loses it to nobody" {
	waiter w "'$cli' wait --timeout 1h >'$out' 2>&1"
	waiting w
	kill -STOP "$(wait_pid w)"
	send w "held up"
	# Handed over, not confirmed: after 2 s it is unread again, and the sender is told what is true.
	[ "$status" = 3 ]
	expect_answer delivered=false delivery_path=inbox_only
	receipt_has m1 handed_over
	receipt_has m1 returned
	[ "$(unread w)" = 1 ]
	# It prints then, but its confirmation comes too late: the mail stays unread, marked as shown.
	kill -CONT "$(wait_pid w)"
	within 30 grep -q "held up" "$out"
	[ "$(bellhop rpc inbox.peek '{"name":"w"}' | jq '.messages[0].shown_before')" = true ]
}

# lent ID: a reader has it.
lent() {
	bellhop receipt "$1" | grep -q handed_over
}

@test "what a reader has not printed when it dies is unread at once, not after its lease" {
	waiter w "true"
	bellhop send w --no-wait "for whom it may concern" >/dev/null || [ $? = 3 ]
	# The pipe is full, so that the output waits; then the reader dies.
	mkfifo "$BATS_TEST_TMPDIR/full"
	exec 8<>"$BATS_TEST_TMPDIR/full"
	timeout 0.5 cat /dev/zero >&8 || true
	env -i "${clean_env[@]}" "$cli" inbox w >&8 3>&- &
	reader=$!
	within 30 lent m1
	[ "$(unread w)" = 0 ]
	kill -KILL "$reader"
	within 30 has_unread w 1
	exec 8>&-
	bellhop receipt m1 | grep -q "returned  *reader gone"
	# Scripts confirm from another connection: what they read stays theirs for its lease.
	token=$(bellhop rpc inbox.read '{"name":"w"}' | jq .confirm)
	[ "$(unread w)" = 0 ]
	bellhop rpc inbox.confirm "{\"confirm\":$token}" | jq -e '.seen == 1'
}

@test "a wait whose reader is gone confirms nothing" {
	waiter w "'$cli' wait --timeout 1h | exec 0<&-"
	waiting w
	send w "for a broken pipe"
	expect_answer delivered=false
	within 30 receipt_has m1 returned
	[ "$(unread w)" = 1 ]
}

# has_asked FILE: the wait that writes to FILE has its connection.
has_asked() {
	local pid
	for pid in $(wait_pid w); do
		[ "$(readlink "/proc/$pid/fd/1")" = "$1" ] || continue
		! readlink "/proc/$pid/fd/"* | grep -q '^socket:' || return 0
	done
	return 1
}

@test "the newest wait gets it, the next one is the one before" {
	waiter w "'$cli' wait --timeout 1h >'$out.1' 2>&1 & read -r _; '$cli' wait --timeout 1h >'$out.2' 2>&1"
	waiting w
	bellhop keys w Enter
	within 30 has_asked "$out.2"
	sleep 0.5 # no word tells of the second one
	send w one
	expect_answer delivered=true delivery_path=waiter
	grep -q one "$out.2"
	[ ! -s "$out.1" ]
	waiting w
	send w two
	expect_answer delivered=true delivery_path=waiter
	grep -q two "$out.1"
}

@test "of many waits and many messages each message goes to exactly one" {
	waiter w "for i in 1 2 3 4; do (while :; do '$cli' wait --timeout 20s --json >>'$out.'\$i || break; done) & done; wait"
	waiting w
	for i in $(seq 40); do
		bellhop send --no-wait w "text $i" >/dev/null
	done
	within 30 has_unread w 0
	sleep 2.5 # what was not confirmed would be unread again
	has_unread w 0
	cat "$out".? | jq -r '.messages[].seq' | sort -n >"$out.all"
	[ "$(wc -l <"$out.all")" = 40 ]
	[ "$(uniq "$out.all" | wc -l)" = 40 ]
}

# readers KIND SEED: 150 messages to readers that are killed at random moments, and so is the server.
# What counts as seen was printed by one of them, whole.
readers() {
	local i pid
	bellhop run --name w --size 80x24 --respawn never -- \
		python3 "$BATS_TEST_DIRNAME/readers.py" "$1" "$cli" "$out" "$2" >/dev/null
	for i in $(seq 150); do
		bellhop send --no-wait w "text $i" >/dev/null || true
		sleep 0.03
		if [ $((i % 50)) = 25 ]; then
			pid=$(server_pid)
			kill -KILL "$pid"
			within 30 is_another "$pid"
		fi
	done
	touch "$out.calm"
	within 60 has_unread w 0
	sleep 2.5 # what was not confirmed is unread again
	within 60 has_unread w 0
	touch "$out.end"
	[ "$(bellhop history --json --limit 1000 | jq '[.messages[] | select(.to == "w")] | length')" = 150 ]
	sort -n "$out" | uniq >"$out.printed"
	bellhop history --json --limit 1000 | jq '.messages[] | select(.to == "w" and .state == "seen") | .seq' |
		sort -n >"$out.seen"
	[ -z "$(comm -13 <(sort "$out.printed") <(sort "$out.seen"))" ]
}

@test "readers: waits that are killed at random, and the server, lose nothing" {
	readers wait 1
}

@test "readers: channels that are killed at random, and the server, lose nothing and keep order" {
	readers channel 2
	# The first sight of each message is in order.
	awk '!seen[$1]++' "$out" >"$out.first"
	sort -n -c "$out.first"
}

@test "a wait that was cut off from its agent never swallows mail" {
	waiter w "bash -c '\"$cli\" wait --timeout 1h >\"$out\" 2>&1 & read -r _'; true"
	waiting w
	bellhop keys w Enter # the shell between them ends
	within 30 has_no_waiter w
	send w "for a living reader"
	expect_answer delivery_path=inbox_only
	sleep 1
	[ "$(unread w)" = 1 ]
	run ! grep -q "living" "$out"
}
