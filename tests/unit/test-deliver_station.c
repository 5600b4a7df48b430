#include "tests/unit/deliver-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void every_closed_gate_is_told_and_nothing_is_typed(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static const struct {
		enum bh_state state;
		const char *reason;
		enum bh_reason expected;
		enum bh_prospect prospect;
	} rows[] = {
		{BH_STATE_STARTING, "", BH_REASON_STARTING, BH_PROSPECT_WHEN_FREE},
		{BH_STATE_AWAITING, "", BH_REASON_AWAITING, BH_PROSPECT_NEEDS_A_PERSON},
		{BH_STATE_UNKNOWN, "", BH_REASON_UNKNOWN_STATE, BH_PROSPECT_WHEN_FREE},
		{BH_STATE_IDLE, "dialog", BH_REASON_DIALOG, BH_PROSPECT_NEEDS_A_PERSON},
		{BH_STATE_IDLE, "human_typing", BH_REASON_HUMAN_TYPING, BH_PROSPECT_WHEN_FREE},
	};
	struct sent sent;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		agent_block(agent, rows[i].state, rows[i].reason);
		world_send(world, "coder", "reviewer", "x", &sent);
		assert_int_equal(sent.count, 1);
		assert_int_equal(sent.path, BH_PATH_TERMINAL);
		assert_int_equal(sent.fate, BH_FATE_QUEUED);
		assert_int_equal(sent.reason, rows[i].expected);
		assert_int_equal(sent.prospect, rows[i].prospect);
		assert_int_equal(agent->pastes, 0);
	}
	agent->composer = strdup("a person's draft");
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 100000);
	assert_int_equal(agent->pastes, 0);
	assert_string_equal(agent->composer, "a person's draft");
	world_send(world, "coder", "reviewer", "x", &sent);
	assert_int_equal(sent.reason, BH_REASON_DRAFT);
	// The draft goes: all six go in one submission, in order.
	free(agent->composer);
	agent->composer = NULL;
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
	assert_non_null(strstr(agent->turns[0], "Mail m1 "));
	assert_true(strstr(agent->turns[0], "Mail m6 ") > strstr(agent->turns[0], "Mail m2 "));
}

static void unknown_state_needs_a_person_after_a_minute(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent_be(agent, BH_STATE_UNKNOWN);
	world_pass(world, 61000);
	world_send(world, "coder", "reviewer", "x", &sent);
	assert_int_equal(sent.reason, BH_REASON_UNKNOWN_STATE);
	assert_int_equal(sent.prospect, BH_PROSPECT_NEEDS_A_PERSON);
}

static void a_new_terminal_gets_what_came_meanwhile(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent_exit(agent);
	world_send(world, "coder", "reviewer", "for your successor", &sent);
	agent = world_run(world, 1, "reviewer");
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
	assert_non_null(strstr(agent->turns[0], "for your successor"));
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)
	const struct CMUnitTest tests[] = {
		CASE(every_closed_gate_is_told_and_nothing_is_typed),
		CASE(unknown_state_needs_a_person_after_a_minute),
		CASE(a_new_terminal_gets_what_came_meanwhile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
