// What the server tells of itself, and how it is stopped and replaced.
#include "tests/unit/server-world.h"

#include <string.h>
#include <unistd.h>

static void the_server_tells_of_itself_and_stops(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	result = world_call(&world, "server.info", "\"x\":1");
	assert_int_equal(cJSON_GetObjectItem(result, "protocol")->valueint, 1);
	assert_int_equal(cJSON_GetObjectItem(result, "pid")->valueint, getpid());
	assert_int_equal(cJSON_GetObjectItem(result, "terminals")->valueint, 0);
	world_run(&world, "a", "");
	assert_null(world_call(&world, "server.stop", "\"force\":false"));
	assert_string_equal(world_word(&world), "busy");
	assert_false(world.is_stopped);
	assert_non_null(world_call(&world, "server.stop", "\"force\":true"));
	assert_true(world.is_stopped);
	assert_non_null(world_call(&world, "server.upgrade", "\"x\":1"));
	assert_true(world.is_restarted);
	assert_true(world.is_keeper_upgraded);
	world_close(&world);
}

static void the_session_and_its_folders_are_told(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	result = world_call(&world, "server.info", "\"x\":1");
	assert_string_equal(world_text(result, "version"), PACKAGE_VERSION);
	assert_string_equal(world_text(result, "session"), "default");
	assert_string_equal(world_text(result, "runtime_dir"), world.server.paths.runtime_dir);
	assert_string_equal(world_text(result, "state_dir"), world.server.paths.state_dir);
	assert_int_equal(cJSON_GetObjectItem(result, "keeper_pid")->valueint, 100);
	assert_int_equal(cJSON_GetObjectItem(result, "restarts")->valueint, 0);
	world_close(&world);
}

static void only_living_terminals_are_in_the_way_of_a_stop(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	world_run(&world, "b", "");
	result = world_call(&world, "server.info", "\"x\":1");
	assert_int_equal(cJSON_GetObjectItem(result, "terminals")->valueint, 2);
	assert_non_null(world_call(&world, "events.subscribe", "\"x\":1"));
	assert_null(world_call(&world, "server.stop", "\"force\":\"yes\""));
	assert_string_equal(world_word(&world), "params");
	assert_null(world_call(&world, "server.stop", "\"force\":false"));
	assert_non_null(strstr(world_sentence(&world), "terminals that still run: 2;"));
	world_exit(&world, &world.children[0], 0);
	world_exit(&world, &world.children[1], 0);
	result = world_call(&world, "server.stop", "\"force\":false");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(result, "stopping")));
	assert_int_equal(cJSON_GetObjectItem(result, "killed")->valueint, 0);
	assert_non_null(world_told(&world, "server.stopping"));
	assert_true(world.is_stopped);
	assert_false(world.is_restarted || world.is_keeper_upgraded);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_server_tells_of_itself_and_stops),
		cmocka_unit_test(the_session_and_its_folders_are_told),
		cmocka_unit_test(only_living_terminals_are_in_the_way_of_a_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
