// Requests to start a terminal: what is read of them, and the words of a failure.
#include "src/server/start_request.h"

#include "src/base/err.h"
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bad_parameters_are_told(void **state)
{
	static const char *const rows[] = {
		"",
		"\"argv\":[]",
		"\"argv\":[\"\"]",
		"\"argv\":\"cat\"",
		"\"argv\":[1]",
		"\"argv\":[\"cat\"],\"cwd\":\"relative\"",
		"\"argv\":[\"cat\"],\"cols\":1",
		"\"argv\":[\"cat\"],\"rows\":100000",
		"\"argv\":[\"cat\"],\"env\":{\"A\":1}",
		"\"argv\":[\"cat\"],\"env\":{\"A=B\":\"1\"}",
		"\"argv\":[\"cat\"],\"environ\":[]",
		"\"argv\":[\"cat\"],\"respawn\":\"sometimes\"",
		"\"argv\":[\"claude\"],\"respawn\":\"always\",\"resume\":1",
		"\"argv\":[\"claude\"],\"resume\":true",
		"\"argv\":[\"cat\"],\"respawn\":\"always\",\"resume\":true",
		"\"argv\":[\"cat\"],\"mode\":\"loud\"",
		"\"argv\":[\"cat\"],\"profile\":\"none\"",
		"\"argv\":[\"cat\"],\"identity\":\"a b\"",
	};
	struct world world;

	(void)state;
	world_open(&world);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (world_call(&world, "terminal.run", "%s", rows[i]) != NULL ||
		    strcmp(world_word(&world), "invalid") != 0) {
			fail_msg("%s: %s", rows[i], world_word(&world));
		}
	}
	assert_int_equal(world.child_count, 0);
	world_close(&world);
}

static void a_failed_start_tells_stage_and_reason(void **state)
{
	static const struct {
		int error;
		const char *reason;
	} rows[] = {{ENOENT, "No such file"}, {EACCES, "Permission denied"}};
	struct world world;

	(void)state;
	world_open(&world);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		world.spawn_error = rows[i].error;
		assert_null(world_call(&world, "terminal.run", "\"argv\":[\"/bin/cat\"]"));
		assert_string_equal(world_word(&world), "exec_failed");
		assert_non_null(strstr(world_sentence(&world), "run the program"));
		assert_non_null(strstr(world_sentence(&world), rows[i].reason));
	}
	world_close(&world);
}

static void what_is_not_said_has_a_default(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	assert_non_null(world_call(&world, "terminal.run", "\"argv\":[\"/bin/cat\"]"));
	const struct bh_terminal *terminal =
		bh_terminals_get(world.server.terminals, &world_child(&world)->id);

	assert_string_equal(terminal->setup.cwd, "/");
	assert_int_equal(terminal->setup.cols, 80);
	assert_int_equal(terminal->setup.rows, 24);
	assert_int_equal(terminal->setup.respawn, BH_RESPAWN_NEVER);
	assert_int_equal(terminal->setup.mode, BH_MODE_DEFAULT);
	assert_null(terminal->setup.profile_name);
	assert_null(terminal->setup.environ_base);
	assert_false(terminal->setup.is_headless);
	assert_true(bh_uuid_is_none(&terminal->setup.launched_by));
	world_close(&world);
}

static void all_that_is_said_is_read(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	assert_non_null(world_call(
		&world, "terminal.run",
		"\"argv\":[\"/bin/cat\",\"-u\"],\"cwd\":\"/tmp\",\"env\":{\"A\":\"x=y\"},"
		"\"environ\":{\"B\":\"\"},\"cols\":90,\"rows\":30,\"respawn\":\"always\","
		"\"mode\":\"off\",\"profile\":\"codex\",\"headless\":true"));
	const struct bh_setup *setup =
		&bh_terminals_get(world.server.terminals, &world_child(&world)->id)->setup;

	assert_string_equal(setup->argv[0], "/bin/cat");
	assert_string_equal(setup->argv[1], "-u");
	assert_null(setup->argv[2]);
	assert_string_equal(setup->cwd, "/tmp");
	assert_string_equal(setup->env[0], "A=x=y");
	assert_null(setup->env[1]);
	assert_string_equal(setup->environ_base[0], "B=");
	assert_null(setup->environ_base[1]);
	assert_int_equal(setup->cols, 90);
	assert_int_equal(setup->rows, 30);
	assert_int_equal(setup->respawn, BH_RESPAWN_ALWAYS);
	assert_int_equal(setup->mode, BH_MODE_OFF);
	assert_string_equal(setup->profile_name, "codex");
	assert_true(setup->is_headless);
	world_close(&world);
}

static void what_an_agent_starts_is_its_own(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "boss", "");
	const struct bh_uuid boss = world_child(&world)->id;

	world_come_as(&world, BH_CALLER_INSIDE);
	assert_non_null(world_call(&world, "terminal.run", "\"argv\":[\"/bin/cat\"]"));
	const struct bh_terminal *terminal =
		bh_terminals_get(world.server.terminals, &world_child(&world)->id);

	assert_true(bh_uuid_is_equal(&terminal->setup.launched_by, &boss));
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_parameters_are_told),
		cmocka_unit_test(a_failed_start_tells_stage_and_reason),
		cmocka_unit_test(what_is_not_said_has_a_default),
		cmocka_unit_test(all_that_is_said_is_read),
		cmocka_unit_test(what_an_agent_starts_is_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
