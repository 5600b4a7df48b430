// What doctor asks the server to try.
#include "src/base/mem.h"
#include "tests/unit/server-world.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void store_and_keeper_are_tried(void **state)
{
	struct world world;
	const cJSON *result = NULL;

	(void)state;
	world_open(&world);
	result = world_call(&world, "doctor.store", "\"x\":1");
	assert_true(cJSON_IsNumber(cJSON_GetObjectItem(result, "took_ms")));
	result = world_call(&world, "doctor.keeper", "\"x\":1");
	assert_true(cJSON_IsNumber(cJSON_GetObjectItem(result, "took_ms")));
	assert_int_equal(cJSON_GetObjectItem(result, "used")->valueint, 3);
	assert_int_equal(cJSON_GetObjectItem(result, "entries")->valueint, 512);
	world_close(&world);
}

static void only_a_person_may_ask(void **state)
{
	static const char *const methods[] = {"doctor.store", "doctor.keeper", "doctor.terminals"};
	struct world world;

	(void)state;
	world_open(&world);
	world_come_as(&world, BH_CALLER_EXTERNAL);
	for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
		assert_null(world_call(&world, methods[i], "\"x\":1"));
		assert_string_not_equal(world_word(&world), "");
	}
	world_close(&world);
}

static void agents_are_told_apart_from_other_programs(void **state)
{
	struct world world;
	const cJSON *result = NULL;
	const cJSON *agents = NULL;
	const cJSON *agent = NULL;

	(void)state;
	world_open(&world);
	(void)world_run(&world, "shell", "");
	(void)world_run(&world, "coder", ",\"profile\":\"claude\"");
	(void)world_run(&world, "tester", ",\"profile\":\"demo\"");
	result = world_call(&world, "doctor.terminals", "\"x\":1");
	agents = cJSON_GetObjectItem(result, "terminals");
	assert_int_equal(cJSON_GetArraySize(agents), 2);
	agent = cJSON_GetArrayItem(agents, 0);
	assert_string_equal(world_text(agent, "identity"), "coder");
	assert_string_equal(world_text(agent, "hooks"), "waiting");
	assert_string_equal(world_text(agent, "version"), "");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(agent, "supported")));
	agent = cJSON_GetArrayItem(agents, 1);
	assert_string_equal(world_text(agent, "hooks"), "none");
	assert_int_equal(access(world_text(agent, "spool"), F_OK), 0);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(result, "drift")), 2);
	world_close(&world);
}

static void versions_are_told_apart(void **state)
{
	struct world world;
	const cJSON *drift = NULL;
	const cJSON *fit = NULL;

	(void)state;
	world_open(&world);
	world_print(&world, world_run(&world, "a", ",\"profile\":\"demo\""),
	            "bellhop demo agent 9.1\r\n");
	world_print(&world, world_run(&world, "b", ",\"profile\":\"demo\""),
	            "bellhop demo agent 0.1.0\r\n");
	world_print(&world, world_run(&world, "c", ",\"profile\":\"demo\""),
	            "bellhop demo agent 9.1\r\n");
	(void)world_call(&world, "doctor.terminals", "\"x\":1"); // judges each
	drift = cJSON_GetObjectItem(world_call(&world, "doctor.terminals", "\"x\":1"), "drift");
	assert_int_equal(cJSON_GetArraySize(drift), 2);
	fit = cJSON_GetArrayItem(drift, 0);
	assert_string_equal(world_text(fit, "version"), "9.1");
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(fit, "supported")));
	assert_int_equal(cJSON_GetObjectItem(fit, "terminals")->valueint, 2);
	fit = cJSON_GetArrayItem(drift, 1);
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(fit, "supported")));
	world_close(&world);
}

static void what_belongs_to_nothing_is_named(void **state)
{
	struct world world;
	const cJSON *result = NULL;
	const cJSON *stale = NULL;
	char *path = NULL;

	(void)state;
	world_open(&world);
	(void)world_run(&world, "coder", "");
	path = bh_xasprintf("%s/11111111-1111-4111-8111-111111111111",
	                    world.server.paths.spool_dir);
	assert_int_equal(mkdir(path, 0700), 0);
	result = world_call(&world, "doctor.terminals", "\"x\":1");
	stale = cJSON_GetObjectItem(result, "stale");
	assert_int_equal(cJSON_GetArraySize(stale), 1);
	assert_string_equal(cJSON_GetArrayItem(stale, 0)->valuestring, path);
	assert_int_equal(rmdir(path), 0);
	free(path);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(store_and_keeper_are_tried),
		cmocka_unit_test(only_a_person_may_ask),
		cmocka_unit_test(agents_are_told_apart_from_other_programs),
		cmocka_unit_test(versions_are_told_apart),
		cmocka_unit_test(what_belongs_to_nothing_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
