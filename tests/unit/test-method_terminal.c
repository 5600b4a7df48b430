// Life of terminals as the protocol has it: run, list, kill, respawn, forget.
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void a_run_binds_and_starts(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	result =
		world_call(&world, "terminal.run",
	                   "\"argv\":[\"/bin/cat\",\"-u\"],\"identity\":\"Coder\",\"cwd\":\"/tmp\","
	                   "\"env\":{\"A\":\"1\"},\"cols\":90,\"rows\":30,\"headless\":true,"
	                   "\"mode\":\"notice\",\"respawn\":\"on-failure\"");
	assert_non_null(result);
	assert_string_equal(world_text(result, "identity"), "Coder");
	assert_string_equal(world_text(result, "program"), "cat");
	assert_string_equal(world_text(result, "profile"), "generic");
	assert_string_equal(world_text(result, "mode"), "notice");
	assert_string_equal(world_text(result, "respawn"), "on-failure");
	assert_int_equal(cJSON_GetObjectItem(result, "cols")->valueint, 90);
	assert_non_null(cJSON_GetObjectItem(result, "wake"));
	char *id = strdup(world_text(result, "terminal_id"));

	// Found by its name in any case, by its id and by a beginning of it.
	assert_string_equal(
		world_text(world_call(&world, "terminal.get", "\"name\":\"cODER\""), "terminal_id"),
		id);
	assert_non_null(world_call(&world, "terminal.get", "\"name\":\"%s\"", id));
	assert_non_null(world_call(&world, "terminal.get", "\"name\":\"%.8s\"", id));
	assert_null(world_call(&world, "terminal.get", "\"name\":\"%.3s\"", id));
	// The child knows where it is.
	const char *env = world_child(&world)->env;

	assert_non_null(strstr(env, "\nBELLHOP_IDENTITY=Coder\n"));
	assert_non_null(strstr(env, id));
	assert_non_null(strstr(env, "A=1\n"));
	free(id);
	world_close(&world);
}

static void signals_have_names_and_numbers(void **state)
{
	static const struct {
		const char *params;
		int signal;
	} rows[] = {
		{"", SIGHUP},
		{",\"signal\":\"TERM\"", SIGTERM},
		{",\"signal\":\"sigint\"", SIGINT},
		{",\"signal\":\"9\"", SIGKILL},
		{",\"signal\":\"Usr1\"", SIGUSR1},
	};
	static const char *const bad[] = {"LOUD", "0", "-1", "9x", "65", "", "SIG"};
	struct world world;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", "");

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		assert_non_null(
			world_call(&world, "terminal.kill", "\"name\":\"a\"%s", rows[i].params));
		assert_int_equal(child->signal, rows[i].signal);
	}
	child->signal = 0;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_null(world_call(&world, "terminal.kill", "\"name\":\"a\",\"signal\":\"%s\"",
		                       bad[i]));
		assert_string_equal(world_word(&world), "invalid");
	}
	assert_int_equal(child->signal, 0);
	world_close(&world);
}

static void the_list_has_ended_ones_when_asked(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	world_exit(&world, world_run(&world, "gone", ""), 0);
	world_run(&world, "here", "");
	result = cJSON_GetObjectItem(world_call(&world, "terminal.list", "\"all\":false"),
	                             "terminals");
	assert_int_equal(cJSON_GetArraySize(result), 1);
	assert_string_equal(world_text(cJSON_GetArrayItem(result, 0), "identity"), "here");
	result = cJSON_GetObjectItem(world_call(&world, "terminal.list", "\"all\":true"),
	                             "terminals");
	assert_int_equal(cJSON_GetArraySize(result), 2);
	assert_string_equal(world_text(cJSON_GetArrayItem(result, 0), "identity"), "gone");
	world_close(&world);
}

static void only_what_has_ended_is_forgotten(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", "");

	assert_null(world_call(&world, "terminal.forget", "\"name\":\"a\""));
	assert_string_equal(world_word(&world), "busy");
	world_exit(&world, child, 0);
	result = world_call(&world, "terminal.forget", "\"name\":\"a\"");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(result, "forgotten")));
	assert_null(world_call(&world, "terminal.get", "\"name\":\"a\""));
	assert_string_equal(world_word(&world), "not_found");
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_binds_and_starts),
		cmocka_unit_test(signals_have_names_and_numbers),
		cmocka_unit_test(the_list_has_ended_ones_when_asked),
		cmocka_unit_test(only_what_has_ended_is_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
