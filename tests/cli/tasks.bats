#!/usr/bin/env bats
# Tasks: opened, moved and ended by mail. CONTRACT.md section 7.

# shellcheck disable=SC2016,SC2034,SC2154  # code for other shells; loop counters; names from helper
load helper

state_of() {
	bellhop task show --json "$1" | jq -r .task.state
}

# by NAME COMMAND: the agent NAME runs it; its last line of output.
by() {
	wait_idle "$1"
	agent_run "$@" | tail -n 1
}

@test "a task is opened, worked on, asked about, completed" {
	start_demo b
	send b "mend the build" --task fix-1
	expect_answer terminal=typed
	last_turn b | grep -q '^Mail m[0-9]* from the operator, task fix-1:$'
	[ "$(state_of fix-1)" = submitted ]
	by b "bellhop send --task fix-1 --status working operator 'on it'"
	[ "$(state_of fix-1)" = working ]
	by b "bellhop send --task fix-1 --status input_required operator 'which branch?'"
	[ "$(state_of fix-1)" = input_required ]
	wait_typable b
	send b "main" --task fix-1 --reply-to m3
	last_turn b | grep -q '^Mail m4 from the operator, reply to m3, task fix-1:$'
	by b "bellhop task list" | grep -Eq '^fix-1 +input_required +operator -> b .* mend the build$'
	by b "bellhop task complete fix-1 done at last"
	[ "$(state_of fix-1)" = completed ]
	run -0 bellhop inbox
	[[ "$output" == *"Mail m5 from b, task fix-1 completed (a peer"* ]]
	bellhop task list | grep -q '^No tasks'
	bellhop task list --all --json | jq -e '.tasks | length == 1 and .[0].assignee == "b" and .[0].last_message == "m5"'
	bellhop task show fix-1 --json | jq -e '[.messages[].body] ==
		["mend the build", "on it", "which branch?", "main", "done at last"]'
}

# all_of COMMAND...: the members of .$key of all pages, one a line as jq's $pick has them.
all_of() {
	local before=() page
	for _ in 1 2 3 4 5 6 7 8 9; do
		page=$(bellhop "$@" --json "${before[@]}")
		jq -r ".${key}[] | $pick" <<<"$page"
		[ "$(jq .more <<<"$page")" = true ] || return 0
		before=(--before-seq "$(jq .next_before_seq <<<"$page")")
	done
}

@test "lists that are cut say so, and go on from there" {
	local i
	for i in $(seq 1 53); do
		bellhop send --task "t$i" --no-wait nobody "number $i" >/dev/null || [ $? = 3 ]
	done
	run -0 bellhop task list
	[ "${#lines[@]}" = 51 ]
	[[ "${lines[0]}" == t53\ * ]]
	[ "${lines[50]}" = "There are more: bellhop task list --before-seq 4" ]
	run -0 bellhop task list --before-seq 4
	[ "${#lines[@]}" = 3 ]
	[[ "$output" != *"There are more"* ]]
	# A task that changes meanwhile is no task that is left out.
	bellhop send --task t2 --no-wait nobody "more about it" >/dev/null || [ $? = 3 ]
	key=tasks pick=.task_id
	[ "$(all_of task list --limit 20 | sort | uniq -c | wc -l)" = 53 ]
	bellhop task show t1 --json | jq -e '.more == false'
	run -0 bellhop history
	[[ "$output" == *"There are older ones: --before-seq 5"* ]]
	[[ "$output" == *"next: --after-seq 54" ]]
	run -0 bellhop history --before-seq 5
	[[ "$output" != *"older ones"* && "$output" == *"number 4"* && "$output" != *"number 5"* ]]
	run -0 bellhop history --after-seq 1 --limit 2
	[[ "$output" == *"There are more: --after-seq 3" ]]
	key=messages pick=.seq
	[ "$(all_of history --limit 13 | sort -n | uniq | wc -l)" = 54 ]
	[ "$(all_of history --with nobody --limit 13 | sort -n | uniq | wc -l)" = 54 ]
	run -0 bellhop receipts
	[[ "${lines[50]}" == "There are older ones: bellhop receipts --before-seq 5" ]]
	key=receipts pick=.seq
	[ "$(all_of receipts --limit 13 | sort -n | uniq | wc -l)" = 54 ]
	run -0 bellhop receipts --before-seq 3
	[ "${#lines[@]}" = 2 ]
}

@test "what has ended stays ended, and says so" {
	start_demo b
	send b "one" --task t1 --no-wait
	send b "two" --task t2 --no-wait
	run -0 bellhop task cancel t1
	[[ "$output" == *"to b"* ]]
	run -1 bellhop send --task t1 b "go on"
	[[ "$output" == *task_ended* && "$output" == *canceled* ]]
	run -1 bellhop task complete t1
	[[ "$output" == *task_ended* ]]
	wait_step m3 typed
	run by b "bellhop send --task t1 --status failed operator late"
	[[ "$output" == *task_ended* ]]
	[ "$(state_of t1)" = canceled ]
	[ "$(state_of t2)" = submitted ]
	run -1 bellhop send --task t3 --status working b "no such task"
	[[ "$output" == *not_found* ]]
	run -1 bellhop task show t3
	[[ "$output" == *not_found* ]]
}

@test "a complete is answered again for ever, also after a crash of the server" {
	start_demo b
	send b "one" --task t1
	id=01980000-0000-7000-8000-000000000003
	first=$(bellhop task complete t1 --message-id $id --json)
	jq -e '.to == "b" and .idempotent_replay == null' <<<"$first"
	for _ in 1 2; do
		again=$(bellhop task complete t1 --message-id $id --json || true)
		jq -e --argjson first "$first" '.idempotent_replay and .seq == $first.seq and .to == "b"' <<<"$again"
		kill -KILL "$(bellhop server status --json | jq .pid)"
		within 30 bellhop server status
	done
	run -1 bellhop task cancel t1 --message-id $id
	[[ "$output" == *message_id_conflict* ]]
	[ "$(state_of t1)" = completed ]
}

@test "updates wake nobody, not even a waiter; the newest one is read with the next mail" {
	start_demo a
	start_demo b
	by a "bellhop send --task t1 b 'do it'"
	within 30 has_turns b 1 'do it'
	[ "$(turns b)" = 1 ]
	wait_idle b
	tell a "DEMO:run bellhop wait --timeout 300s"
	wait_waiter a
	for i in 1 2 3; do
		by b "bellhop send --json --task t1 --status update a 'step $i'" >"$BATS_TEST_TMPDIR/update"
		jq -e '.delivery_path == "inbox_only" and .reason == "update" and .warning == null
			and .will_be_seen == "only_if_it_looks" and .delivered == false' "$BATS_TEST_TMPDIR/update"
	done
	[ "$(state_of t1)" = working ]
	[ "$(terminal a state)" = working ] # it waits on
	receipt_has m2 superseded
	receipt_has m3 superseded
	run ! receipt_has m2 seen
	by b "bellhop send --task t1 a 'a question'"
	within 30 screen_has a "a question"
	screen_has a "step 3"
	run ! screen_has a "step 1"
	wait_step m4 seen
	bellhop task show t1 --json | jq -e '[.messages[].body] == ["do it", "step 1", "step 2", "step 3", "a question"]'
}

@test "an update does not ring, and exits 0" {
	start_demo b --mode notice
	bellhop send --no-wait --task t1 b "DEMO:none" || true
	wait_step m1 seen
	wait_typable b
	count=$(turns b)
	send b "half way" --task t1 --status update
	[ "$status" = 0 ]
	expect_answer reason=update delivered=false warning=null
	sleep 2
	[ "$(turns b)" = "$count" ]
	bellhop peek b | grep -q "half way"
}

@test "tasks are for their parties" {
	start_demo a
	start_demo b
	start_demo c
	by a "bellhop send --task t1 b 'private work'"
	run by c "bellhop task list --all"
	[[ "$output" == "No tasks"* ]]
	run agent_run c "bellhop task show t1"
	[ "$status" = 1 ]
	run agent_run c "bellhop task complete t1"
	[ "$status" = 1 ]
	run agent_run c "bellhop send --task t1 b mine"
	[ "$status" = 1 ]
	[ "$(state_of t1)" = submitted ]
	[[ "$(by b "bellhop task list")" == t1* ]]
}

@test "a thread is read from any of its messages" {
	start_demo a
	send a "question" --no-wait
	send a "another matter" --no-wait
	wait_step m2 typed
	by a "bellhop send --reply-to m1 operator answer"
	bellhop history --thread m3 --json | jq -e '[.messages[].body] == ["question", "answer"]'
	by a "bellhop history --thread m1" >"$BATS_TEST_TMPDIR/thread"
	start_demo b
	run agent_run b "bellhop history --thread m1"
	[ "$status" = 1 ]
	[[ "$output" == *not_found* && "$output" != *question* ]]
	run -2 bellhop history --thread m1 --with a
}

@test "the command line of task says what is wrong" {
	bellhop server start
	run -2 bellhop task
	run -2 bellhop task begin t1
	run -2 bellhop task show
	run -2 bellhop task list t1
	run -2 bellhop task show t1 --all
	run -2 bellhop task show t1 words
	run -2 bellhop task complete t1 --message-id nonsense
	run -2 bellhop send --status working operator x
	run -1 bellhop send --task t1 --status finished operator x
	[[ "$output" == *input_required* ]]
	run -1 bellhop send --task t1 --status submitted operator x
	run -1 bellhop send --task 'a b' operator x
	run -1 bellhop task show 'a b'
}
