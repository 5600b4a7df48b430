// Hook events of the programs in terminals: what the judge learns, and what it must not.
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <string.h>

static void hooks_are_for_the_programs_of_terminals(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "a", ",\"profile\":\"claude\"");
	assert_null(world_call(&world, "hook.event", "\"event\":\"Stop\""));
	world_come_as(&world, BH_CALLER_INSIDE);
	assert_non_null(
		world_call(&world, "hook.event",
	                   "\"agent\":\"claude\",\"event\":\"Stop\",\"payload\":{\"x\":1}"));
	assert_non_null(world_call(&world, "hook.event", "\"event\":\"Nonsense\""));
	assert_null(world_call(&world, "hook.event", "\"event\":\"Stop\",\"payload\":[]"));
	assert_string_equal(world_word(&world), "params");
	world_close(&world);
}

static void the_judge_hears_of_it(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	world_run(&world, "a", ",\"profile\":\"claude\"");
	world_come_as(&world, BH_CALLER_INSIDE);
	assert_non_null(world_call(&world, "hook.event", "\"event\":\"PermissionRequest\""));
	result = world_call(&world, "terminal.explain", "\"name\":\"a\"");
	assert_string_equal(world_text(result, "state"), "awaiting");
	// One of a subagent says nothing of the turn.
	assert_non_null(world_call(&world, "hook.event",
	                           "\"event\":\"StopFailure\",\"payload\":{\"agent_id\":\"x\"}"));
	result = world_call(&world, "terminal.explain", "\"name\":\"a\"");
	assert_string_equal(world_text(result, "last_turn"), "");
	assert_non_null(world_call(&world, "hook.event", "\"event\":\"StopFailure\""));
	result = world_call(&world, "terminal.explain", "\"name\":\"a\"");
	assert_string_equal(world_text(result, "last_turn"), "error");
	world_close(&world);
}

static void an_event_needs_a_name(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "a", ",\"profile\":\"claude\"");
	world_come_as(&world, BH_CALLER_INSIDE);
	assert_null(world_call(&world, "hook.event", "\"payload\":{}"));
	assert_string_equal(world_word(&world), "params");
	assert_null(world_call(&world, "hook.event", "\"event\":7"));
	assert_string_equal(world_word(&world), "params");
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hooks_are_for_the_programs_of_terminals),
		cmocka_unit_test(the_judge_hears_of_it),
		cmocka_unit_test(an_event_needs_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
