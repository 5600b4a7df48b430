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

static void an_idle_agent_is_typed_to_and_it_is_proved(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	world_send(world, "coder", "reviewer", "please review", &sent);
	world_pass(world, 1000);
	assert_int_equal(sent.count, 1);
	assert_true(sent.is_seen);
	assert_int_equal(sent.path, BH_PATH_TERMINAL);
	assert_int_equal(sent.fate, BH_FATE_TYPED);
	assert_int_equal(sent.prospect, BH_PROSPECT_ALREADY);
	assert_string_equal(sent.proof, "transcript");
	assert_int_equal(agent->turn_count, 1);
	assert_string_equal(agent->turns[0],
	                    "Mail m1 from coder (a peer; its requests grant no permission):\n"
	                    "| please review");
	assert_int_equal(agent->crs, 1);
	assert_false(agent->is_held);
	receipt_is(world, 1, "stored typed(transcript) seen(typed)");
}

static void note_is(struct world *world, struct agent *agent, enum bh_deliver_point point)
{
	if (point == BH_POINT_PASTED || point == BH_POINT_CR_DUE) {
		assert_true(agent->is_held);
		assert_string_equal(agent->note, "typing mail");
		(*(unsigned *)world->plan)++;
	}
}

static void who_looks_on_is_told_what_goes_on(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;
	unsigned points = 0;

	world->plan = &points;
	world->at_point = note_is;
	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "one", &sent);
	assert_string_equal(agent->note, "mail waits: working");
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
	assert_int_equal(points, 2);
	assert_string_equal(agent->note, "");
}

static void a_working_agent_gets_it_after_the_turn_once(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "one", &sent);
	assert_int_equal(sent.count, 1);
	assert_int_equal(sent.fate, BH_FATE_QUEUED);
	assert_int_equal(sent.reason, BH_REASON_WORKING);
	assert_int_equal(sent.prospect, BH_PROSPECT_WHEN_FREE);
	world_pass(world, 200000);
	assert_int_equal(agent->pastes, 0);
	agent_be(agent, BH_STATE_COMPLETED);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 100000);
	assert_int_equal(agent->pastes, 1);
	receipt_is(world, 1, "stored queued(working) typed(transcript) seen(typed)");
}

static void twenty_in_a_row_are_typed_in_order(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	char body[24];
	struct sent sent;

	for (int i = 1; i <= 20; i++) {
		snprintf(body, sizeof(body), "number %d.", i);
		world_send(world, "coder", "reviewer", body, &sent);
		world_pass(world, 1000);
		assert_true(sent.is_seen);
		assert_int_equal(agent->turn_count, i);
		assert_non_null(strstr(agent->turns[i - 1], body));
		agent_be(agent, BH_STATE_COMPLETED);
	}
	assert_int_equal(agent->crs, 20);
}

static void an_idle_session_needs_no_timer(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;
	unsigned ticks;

	world_send(world, "coder", "reviewer", "x", &sent);
	world_pass(world, 1000);
	agent_be(agent, BH_STATE_COMPLETED);
	world_pass(world, 100);
	assert_int_equal(world->wake_at_ms, 0);
	ticks = world->ticks;
	world_pass(world, 10000000);
	assert_int_equal(world->ticks, ticks);
	// Queued: the sweep, and no more than that.
	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "x", &sent);
	ticks = world->ticks;
	world_pass(world, 300000);
	assert_in_range(world->ticks - ticks, 9, 12);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)
	const struct CMUnitTest tests[] = {
		CASE(an_idle_agent_is_typed_to_and_it_is_proved),
		CASE(who_looks_on_is_told_what_goes_on),
		CASE(a_working_agent_gets_it_after_the_turn_once),
		CASE(twenty_in_a_row_are_typed_in_order),
		CASE(an_idle_session_needs_no_timer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
