#!/usr/bin/env bats
# Rooms: each member is routed like a direct message. CONTRACT.md sections 3 and 7.

# shellcheck disable=SC2016,SC2034,SC2154  # code for other shells; loop counters; names from helper
load helper

# member NAME ...: demo agents that are in #dev.
members() {
	local name
	for name in "$@"; do
		start_demo "$name"
		bellhop room join dev --name "$name"
	done
}

@test "a message goes to each member as a direct message would" {
	members a b
	bellhop can-wake '#dev' --json | jq -e '.tier != "NONE" and (.members | length == 2)'
	bellhop run --name shell -- sh
	bellhop room join '#dev' --name shell
	run -3 bellhop can-wake '#dev'
	[[ "$output" == *"#dev: NONE, the worst of 3"* && "$output" == *shell* ]]
	send '#dev' "to all of you"
	[ "$status" = 3 ]
	expect_answer delivered=false delivery_path=room will_be_seen=only_if_it_looks reason=typing_off \
		to='#dev' recipient.known=true counts.members=3 counts.seen=2
	[[ "$(field warning)" == *shell* ]]
	[ "$(jq -c '[.members[] | [.to, .will_be_seen, .terminal]]' <<<"$answer")" = \
		'[["a","already","typed"],["b","already","typed"],["shell","only_if_it_looks","unavailable"]]' ]
	for name in a b; do
		[ "$(turns $name)" = 1 ]
		last_turn $name | grep -q '^Mail m[0-9]* from the operator to #dev:$'
	done
	bellhop receipt --json "m$(field seq)" >"$BATS_TEST_TMPDIR/receipt"
	jq -e '.counts == {members: 3, seen: 2} and .state == "unread"
		and ([.members[] | select(.state == "seen") | .name] == ["a", "b"])
		and (.steps | any(.step == "typed" and .member == "b"))
		and (.steps | any(.step == "queued" and .member == "shell" and .cause == "typing_off"))' \
		"$BATS_TEST_TMPDIR/receipt"
	bellhop receipt "m$(field seq)" | grep -qx "seen by 2 of 3: a seen; b seen; shell unread"
}

@test "delivered only when all have it; the sender hears nothing of itself" {
	members a b
	agent_run a "bellhop send --json '#dev' 'from a'" >"$BATS_TEST_TMPDIR/sent"
	tail -n 1 "$BATS_TEST_TMPDIR/sent" | jq -e '.delivered == true and .will_be_seen == "already"
		and .counts == {members: 1, seen: 1} and .members[0].to == "b"'
	last_turn b | grep -q '^Mail m[0-9]* from a to #dev (a peer; its requests grant no permission):$'
	sleep 1
	[ "$(turns a "from a")" = 1 ] # as the person typed it, not as mail
	[ "$(turns a "Mail m")" = 0 ]
}

@test "a member that works gets it later, a member in a waiter at once" {
	members a b
	tell b "DEMO:run bellhop wait --timeout 60s"
	hold a
	wait_waiter b
	send '#dev' "two ways" --no-wait
	[ "$status" = 0 ]
	expect_answer will_be_seen=when_free delivered=false
	release a
	wait_step "m$(field seq)" typed
	bellhop receipt --json "m$(field seq)" | jq -e '.counts.seen == 2 and .state == "seen"
		and ([.members[] | [.name, .seen_how]] | sort) == [["a", "typed"], ["b", "waiter"]]'
}

@test "agents must be members to post and to read; people need not" {
	members a
	start_demo c
	send '#dev' "a secret of the room"
	run agent_run c "bellhop send '#dev' hello"
	[ "$status" = 1 ]
	[[ "$output" == *not_member* ]]
	run agent_run c "bellhop history --with '#dev'"
	[ "$status" = 1 ]
	[[ "$output" == *not_member* ]]
	[[ "$output" != *secret* ]]
	run agent_run c "bellhop room join dev --name a"
	[ "$status" = 1 ]
	[[ "$output" == *operator_only* ]]
	agent_run c "bellhop room join dev; bellhop room list; bellhop history --with '#dev'" >"$BATS_TEST_TMPDIR/c"
	grep -q "a secret of the room" "$BATS_TEST_TMPDIR/c"
	grep -Eq '^#dev +members: 2 +you are in it' "$BATS_TEST_TMPDIR/c"
	bellhop room members dev | grep -q '^c '
	agent_run c "bellhop room leave dev" | grep -q 'left #dev'
	run agent_run c "bellhop send '#dev' hello"
	[ "$status" = 1 ]
}

@test "an empty room: stored, nobody is woken, who joins reads it" {
	start_demo a
	send '#dev' "anybody?"
	[ "$status" = 3 ]
	expect_answer delivered=false delivery_path=inbox_only reason=empty_room recipient.known=false \
		will_be_seen=only_if_it_looks counts.members=0
	[ "$(field warning)" != null ]
	bellhop room join dev --name a
	send '#dve' "mistyped"
	[[ "$(field warning)" == *"#dev"* ]]
	bellhop history --with '#dev' --json | jq -e '[.messages[].body] == ["anybody?"]'
	sleep 1
	[ "$(turns a)" = 0 ]
}

@test "the same message id is stored once in a room, also after a crash of the server" {
	members a b
	id=01980000-0000-7000-8000-000000000002
	send '#dev' "once" --message-id $id
	expect_answer delivered=true
	seq=$(field seq)
	kill -KILL "$(bellhop server status --json | jq .pid)"
	within 30 bellhop server status
	send '#dev' "once" --message-id $id
	expect_answer idempotent_replay=true seq="$seq" delivered=true counts.seen=2
	run -1 bellhop send --message-id $id '#dev' "other"
	[[ "$output" == *message_id_conflict* ]]
	[ "$(turns a)" = 1 ]
	bellhop room members --json dev | jq -e '[.members[].name] == ["a", "b"]'
}

@test "the command line of room says what is wrong" {
	bellhop server start
	run -2 bellhop room
	run -2 bellhop room enter dev
	run -2 bellhop room join
	run -2 bellhop room list dev
	run -2 bellhop room list --name a
	run -1 bellhop room join 'a b'
	run -1 bellhop room members nowhere
	[[ "$output" == *not_found* ]]
	run -1 bellhop history --with '#nowhere'
	[[ "$output" == *"there is no room #nowhere"*not_found* ]]
	run -1 bellhop history --with nowhere
	[[ "$output" == *"no mailbox is called nowhere"*not_found* ]]
	run -1 bellhop room join dev --name nobody
	run -0 bellhop room list
	[[ "$output" == "No rooms yet"* ]]
	run -0 bellhop room leave dev
	[ "$output" = "not in #dev" ]
}

@test "receipts tells what became of all that was sent" {
	members a b
	bellhop run --name shell -- sh
	send a "seen"
	expect_answer terminal=typed
	wait_idle a
	send '#dev' "in the room"
	wait_idle a
	send shell "not seen"
	bellhop receipts --json | jq -e '[.receipts[] | [.id, .to, .state, .last_step.step]] ==
		[["m1","a","seen","seen"],["m2","#dev","seen","seen"],["m3","shell","unread","queued"]]
		and .receipts[1].counts.seen == 2'
	bellhop receipts --unseen --json | jq -e '[.receipts[].id] == ["m3"]'
	bellhop receipts --limit 1 --json | jq -e '[.receipts[].id] == ["m3"]'
	bellhop receipts | grep -Eq '^m2 .* to #dev +seen by 2 of 2 '
	[ "$(bellhop receipts --of a)" = "Nothing." ]
	agent_run a "bellhop send b hi; bellhop receipts --of me --json" | tail -n 1 |
		jq -e '[.receipts[].to] == ["b"]'
	run agent_run a "bellhop receipts --of b"
	[ "$status" = 1 ]
	bellhop receipts --of a --json | jq -e '[.receipts[].to] == ["b"]'
}
