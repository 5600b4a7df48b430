// Requests that wait for a state: met at once, later, never, or nobody waits any more.
#include "src/server/state_waits.h"

#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static struct bh_terminal *terminal_of(struct world *world)
{
	return bh_terminals_get(world->server.terminals, &world_child(world)->id);
}

/** Ask for a wait, and turn the loop until it has begun. */
static void wait_begin(struct world *world, const char *params)
{
	world_ask(world, "terminal.wait_state", params);
	while (bh_list_is_empty(&terminal_of(world)->state_waits)) {
		world_turn(world);
	}
}

static void waits_end_by_state_exit_or_time(void **state)
{
	struct world world;
	struct world_child *child;
	const cJSON *result;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", "");
	result = world_call(&world, "terminal.wait_state",
	                    "\"name\":\"a\",\"state\":\"idle\",\"timeout_ms\":30");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(result, "timed_out")));
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(result, "reached")));
	assert_null(
		world_call(&world, "terminal.wait_state", "\"name\":\"a\",\"state\":\"asleep\""));
	assert_string_equal(world_word(&world), "params");
	assert_null(world_call(&world, "terminal.wait_state", "\"name\":\"a\",\"state\":[]"));
	world_ask(&world, "terminal.wait_state", "\"name\":\"a\",\"state\":[\"idle\",\"exited\"]");
	world_turn(&world);
	world_exit(&world, child, 0);
	result = world_answer(&world);
	assert_string_equal(world_text(result, "state"), "exited");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(result, "reached")));
	// It will never be idle any more: told at once.
	result = world_call(&world, "terminal.wait_state", "\"name\":\"a\",\"state\":\"idle\"");
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(result, "reached")));
	world_close(&world);
}

static void a_restart_leaves_waits_to_the_next_server(void **state)
{
	struct world world;
	char byte;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	wait_begin(&world, "\"name\":\"a\",\"state\":\"idle\"");
	world.server.is_restarting = true;
	bh_state_waits_end(terminal_of(&world));
	while (read(world.client, &byte, 1) < 0) { // the end, and no answer
		assert_int_equal(errno, EAGAIN);
		world_turn(&world);
	}
	assert_int_equal(read(world.client, &byte, 1), 0);
	world.server.is_restarting = false;
	world_close(&world);
}

static void what_is_so_already_is_told_at_once(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	world_run(&world, "a", ",\"profile\":\"claude\"");
	result = world_call(&world, "terminal.wait_state",
	                    "\"name\":\"a\",\"state\":[\"working\",\"starting\"]");
	assert_string_equal(world_text(result, "state"), "starting");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(result, "reached")));
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(result, "timed_out")));
	assert_string_equal(world_text(result, "terminal_id"), terminal_of(&world)->id_text);
	assert_true(bh_list_is_empty(&terminal_of(&world)->state_waits));
	world_close(&world);
}

static void a_change_answers_those_who_wait_for_it_only(void **state)
{
	struct world world;
	struct world_child *child;
	const cJSON *result;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", ",\"profile\":\"claude\"");
	wait_begin(&world, "\"name\":\"a\",\"state\":\"exited\"");
	world_ask(&world, "terminal.wait_state", "\"name\":\"a\",\"state\":\"working\"");
	world_print(&world, child, "\033]7501;state=working:app=claude-code\007");
	result = world_answer(&world);
	assert_string_equal(world_text(result, "state"), "working");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(result, "reached")));
	assert_false(bh_list_is_empty(&terminal_of(&world)->state_waits));
	world_exit(&world, child, 0);
	result = world_answer(&world);
	assert_string_equal(world_text(result, "state"), "exited");
	world_close(&world);
}

static void a_client_that_goes_takes_its_wait_along(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	wait_begin(&world, "\"name\":\"a\",\"state\":\"exited\"");
	world_come_as(&world, BH_CALLER_OPERATOR);
	while (!bh_list_is_empty(&terminal_of(&world)->state_waits)) {
		world_turn(&world);
	}
	world_close(&world);
}

static void the_end_of_the_terminal_answers_all(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	wait_begin(&world, "\"name\":\"a\",\"state\":\"working\"");
	bh_state_waits_end(terminal_of(&world));
	assert_true(bh_list_is_empty(&terminal_of(&world)->state_waits));
	result = world_answer(&world);
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(result, "reached")));
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(result, "timed_out")));
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_end_by_state_exit_or_time),
		cmocka_unit_test(a_restart_leaves_waits_to_the_next_server),
		cmocka_unit_test(what_is_so_already_is_told_at_once),
		cmocka_unit_test(a_change_answers_those_who_wait_for_it_only),
		cmocka_unit_test(a_client_that_goes_takes_its_wait_along),
		cmocka_unit_test(the_end_of_the_terminal_answers_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
