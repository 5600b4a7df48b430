#include "tests/unit/deliver-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void receipt_is(struct world *world, uint64_t seq, const char *expected)
{
	char *receipt = world_receipt(world, seq);

	assert_string_equal(receipt, expected);
	free(receipt);
}

static void nobody_there_is_told_at_once(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	char id[BH_UUID_TEXT];
	struct sent sent;

	world_send(world, "coder", "reviewr", "x", &sent);
	assert_int_equal(sent.count, 1);
	assert_int_equal(sent.path, BH_PATH_INBOX_ONLY);
	assert_int_equal(sent.fate, BH_FATE_UNAVAILABLE);
	assert_int_equal(sent.reason, BH_REASON_UNKNOWN_RECIPIENT);
	assert_string_equal(sent.nearest, "reviewer");
	// Who takes an id of `list` for a name is told the name.
	world_send(world, "coder", bh_uuid_format(&agent->id, id), "x", &sent);
	assert_int_equal(sent.reason, BH_REASON_UNKNOWN_RECIPIENT);
	assert_string_equal(sent.nearest, "reviewer");
	agent_exit(agent);
	world_send(world, "coder", "reviewer", "x", &sent);
	assert_int_equal(sent.reason, BH_REASON_NO_TERMINAL);
	assert_int_equal(sent.prospect, BH_PROSPECT_ONLY_IF_IT_LOOKS);
	receipt_is(world, sent.seq, "stored queued(no_terminal)");
	agent = world_run(world, 1, "shell");
	agent->can_type = false;
	world_send(world, "coder", "shell", "x", &sent);
	assert_int_equal(sent.reason, BH_REASON_TYPING_OFF);
	world_send(world, "coder", "operator", "x", &sent);
	assert_int_equal(sent.reason, BH_REASON_NO_TERMINAL);
	assert_int_equal(sent.prospect, BH_PROSPECT_ONLY_IF_IT_LOOKS);
	world->has_ui = true;
	world_send(world, "coder", "operator", "x", &sent);
	assert_int_equal(sent.prospect, BH_PROSPECT_NEEDS_A_PERSON);
}

static void no_wait_answers_before_the_outcome(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct bh_deliver_send what = {.put = {.message_id = "x",
	                                       .to = "reviewer",
	                                       .from = "operator",
	                                       .body = bh_span_of("hello")},
	                               .no_wait = true};
	struct sent sent;

	world_send_with(world, &what, &sent);
	assert_int_equal(sent.count, 1);
	assert_int_equal(sent.reason, BH_REASON_TYPING_NOW);
	assert_int_equal(sent.fate, BH_FATE_QUEUED);
	// Our own text in the composer is no person's draft to those who ask beforehand, either.
	assert_int_equal(bh_deliver_can_wake(world->deliver, "reviewer").blocked,
	                 BH_REASON_TYPING_NOW);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
	// The same id again is the same message.
	world_send_with(world, &what, &sent);
	world_pass(world, 1000);
	assert_true(sent.is_replay);
	assert_true(sent.is_seen);
	assert_int_equal(sent.path, BH_PATH_TERMINAL);
	assert_int_equal(agent->turn_count, 1);
	what.put.body = bh_span_of("another");
	world_send_with(world, &what, &sent);
	assert_int_equal(sent.code, BH_EEXISTS);
}

static void wait_seen_answers_only_then(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct bh_deliver_send what = {.put = {.message_id = "x",
	                                       .to = "reviewer",
	                                       .from = "operator",
	                                       .body = bh_span_of("hello")},
	                               .wait_seen_ms = 60000};
	struct sent sent;

	agent_be(agent, BH_STATE_WORKING);
	world_send_with(world, &what, &sent);
	world_pass(world, 30000);
	assert_int_equal(sent.count, 0);
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 1000);
	assert_int_equal(sent.count, 1);
	assert_true(sent.is_seen);
	assert_false(sent.is_timed_out);
	what.put.message_id = "y";
	agent_be(agent, BH_STATE_WORKING);
	world_send_with(world, &what, &sent);
	world_pass(world, 61000);
	assert_int_equal(sent.count, 1);
	assert_false(sent.is_seen);
	assert_true(sent.is_timed_out);
}

static void what_becomes_of_a_dying_terminal_is_awaited(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;

	agent->is_alive = false; // its exit is not worked up yet
	world_send(world, "coder", "reviewer", "x", &sent);
	world_pass(world, 200);
	assert_int_equal(sent.count, 0);
	agent_exit(agent);
	assert_int_equal(sent.count, 1);
	assert_int_equal(sent.reason, BH_REASON_NO_TERMINAL);
	// One that nobody ever works up is answered all the same.
	agent = world_run(world, 1, "coder");
	agent->is_alive = false;
	world_send(world, "reviewer", "coder", "x", &sent);
	world_pass(world, 8001);
	assert_int_equal(sent.count, 1);
	assert_int_equal(sent.prospect, BH_PROSPECT_ONLY_IF_IT_LOOKS);
}

static void what_the_store_ends_while_the_server_stops_is_answered(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct bh_deliver_send what = {.put = {.message_id = "x",
	                                       .to = "reviewer",
	                                       .from = "operator",
	                                       .body = bh_span_of("two")}};
	static struct sent first, sent, rung;

	sent = rung = (struct sent){0};
	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "one", &first);
	assert_int_equal(bh_deliver_send(world->deliver, &what, on_sent, &sent, NULL), 0);
	assert_int_equal(bh_deliver_ring(world->deliver, "reviewer", on_sent, &rung, NULL), 0);
	bh_deliver_stop(world->deliver);
	assert_int_equal(sent.count + rung.count, 0); // it is not stored yet
	// No tick comes any more, and when the store has closed nobody can be asked about it.
	while (bh_store_pending(world->store) > 0) {
		uv_run(&world->loop, UV_RUN_ONCE);
	}
	assert_int_equal(sent.count, 1);
	assert_int_equal(sent.seq, 2);
	assert_int_equal(rung.count, 1);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)
	const struct CMUnitTest tests[] = {
		CASE(nobody_there_is_told_at_once),
		CASE(no_wait_answers_before_the_outcome),
		CASE(wait_seen_answers_only_then),
		CASE(what_becomes_of_a_dying_terminal_is_awaited),
		CASE(what_the_store_ends_while_the_server_stops_is_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
