// The user's settings in a whole server without a keeper.
#include "src/server/settings.h"

#include "src/base/file.h"
#include "src/base/mem.h"
#include "src/server/layout_clients.h"
#include "tests/unit/server-world.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Write the session's settings. */
static void settings_write(const struct world *world, const char *text)
{
	const struct bh_paths *paths = &world->server.paths;
	char *above = bh_xasprintf("%s/.config", world->folder);

	(void)bh_paths_make_dir(above, NULL);
	(void)bh_paths_make_dir(paths->config_dir, NULL);
	assert_int_equal(
		bh_file_replace(paths->config_file, bh_span_of(text), 0600, BH_FILE_ATOMIC, NULL),
		0);
	free(above);
}

static void a_start_takes_what_is_right_and_leaves_the_rest(void **state)
{
	struct world world;
	struct bh_layout_clients clients = {.policy = BH_SIZE_LATEST};

	(void)state;
	world_open(&world);
	settings_write(&world,
	               "{\"history_lines\": 600, \"mouse\": 1, \"size_policy\": \"70x20\"}");
	bh_settings_close(&world.server);
	bh_settings_open(&world.server);
	assert_int_equal(world.server.config.history_lines, 600);
	assert_true(world.server.config.mouse);
	bh_settings_size_policy(&world.server, &clients);
	assert_int_equal(clients.policy, BH_SIZE_FIXED);
	assert_int_equal(clients.fixed_cols, 70);
	assert_int_equal(clients.fixed_rows, 20);
	world_close(&world);
}

static void a_fault_changes_nothing_and_is_told(void **state)
{
	struct world world;
	struct bh_err err = {0};

	(void)state;
	world_open(&world);
	settings_write(&world, "{\"history_lines\": 700,\n\"mouse\": 1}");
	assert_int_equal(bh_settings_reload(&world.server, &err), BH_EINVALID);
	assert_non_null(strstr(err.text, ".json:2: mouse must be true or false"));
	assert_null(strstr(err.text, "more"));
	assert_int_equal(world.server.config.history_lines, 10000);
	// A file that was named must be there; else that there is none is all defaults.
	assert_int_equal(unlink(world.server.paths.config_file), 0);
	assert_int_equal(bh_settings_reload(&world.server, NULL), 0);
	world.server.paths.is_config_named = true;
	assert_int_equal(bh_settings_reload(&world.server, &err), BH_EINVALID);
	assert_non_null(strstr(err.text, "No such file"));
	world_close(&world);
}

static void settings_are_read_again_when_they_are_right(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	assert_int_equal(world.server.config.history_lines, 10000);
	result = world_call(&world, "server.reload", "\"x\":1");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(result, "reloaded")));
	settings_write(&world, "{\"history_lines\": 500, \"size_policy\": \"90x30\"}");
	result = world_call(&world, "server.reload", "\"x\":1");
	assert_string_equal(world_text(result, "config_file"), world.server.paths.config_file);
	assert_int_equal(world.server.config.history_lines, 500);
	result = world_call(&world, "session.size_policy", "\"x\":1");
	assert_string_equal(world_text(result, "policy"), "fixed");
	assert_int_equal(cJSON_GetObjectItem(result, "cols")->valueint, 90);

	// With a fault nothing of the file holds.
	settings_write(&world, "{\"history_lines\": 700,\n\"mouse\": 1, \"sidebar\": 1}");
	assert_null(world_call(&world, "server.reload", "\"x\":1"));
	assert_string_equal(world_word(&world), "invalid");
	assert_non_null(strstr(world_sentence(&world), ".json:2: mouse must be true or false (and "
	                                               "1 more: `bellhop config check`)"));
	assert_int_equal(world.server.config.history_lines, 500);
	world_close(&world);
}

static void a_policy_set_by_hand_stays_until_its_setting_is_another(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	assert_non_null(world_call(&world, "session.size_policy", "\"policy\":\"smallest\""));
	settings_write(&world, "{\"history_lines\": 500}");
	assert_non_null(world_call(&world, "server.reload", "\"x\":1"));
	assert_string_equal(
		world_text(world_call(&world, "session.size_policy", "\"x\":1"), "policy"),
		"smallest");
	settings_write(&world, "{\"size_policy\": \"80x24\"}");
	assert_non_null(world_call(&world, "server.reload", "\"x\":1"));
	assert_string_equal(
		world_text(world_call(&world, "session.size_policy", "\"x\":1"), "policy"),
		"fixed");
	world_close(&world);
}

static void new_tabs_run_the_command_of_the_settings(void **state)
{
	struct world world;
	const cJSON *result;
	const cJSON *argv;

	(void)state;
	world_open(&world);
	settings_write(&world, "{\"default_command\": \"fish --login\", \"history_lines\": 100}");
	assert_non_null(world_call(&world, "events.subscribe", "\"x\":1"));
	assert_non_null(world_call(&world, "server.reload", "\"x\":1"));
	assert_non_null(world_told(&world, "config.changed"));
	result = cJSON_GetObjectItem(world_call(&world, "tab.new", "\"cwd\":\"/\""), "terminal");
	argv = cJSON_GetObjectItem(result, "argv");
	assert_int_equal(cJSON_GetArraySize(argv), 2);
	assert_string_equal(cJSON_GetArrayItem(argv, 0)->valuestring, "fish");
	assert_string_equal(cJSON_GetArrayItem(argv, 1)->valuestring, "--login");
	// A program that was asked for is that one.
	result = cJSON_GetObjectItem(
		world_call(&world, "pane.split", "\"cwd\":\"/\",\"argv\":[\"/bin/cat\"]"),
		"terminal");
	argv = cJSON_GetObjectItem(result, "argv");
	assert_string_equal(cJSON_GetArrayItem(argv, 0)->valuestring, "/bin/cat");
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_start_takes_what_is_right_and_leaves_the_rest),
		cmocka_unit_test(a_fault_changes_nothing_and_is_told),
		cmocka_unit_test(settings_are_read_again_when_they_are_right),
		cmocka_unit_test(a_policy_set_by_hand_stays_until_its_setting_is_another),
		cmocka_unit_test(new_tabs_run_the_command_of_the_settings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
