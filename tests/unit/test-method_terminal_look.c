// What terminals show: screens, logs, recordings, explanations; and waits for a state.
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <string.h>

static void screens_come_in_three_forms(void **state)
{
	struct world world;
	struct world_child *child;
	const cJSON *result;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", ",\"cols\":20,\"rows\":3");
	world_print(&world, child, "one\r\ntwo\r\nthree\r\n\033[31mfour\033[m\033]0;title\007");
	result = world_call(&world, "terminal.screen", "\"name\":\"a\"");
	assert_string_equal(world_text(result, "text"), "two\nthree\nfour\n");
	assert_string_equal(world_text(result, "title"), "title");
	assert_int_equal(
		cJSON_GetObjectItem(cJSON_GetObjectItem(result, "cursor"), "col")->valueint, 4);
	result = world_call(&world, "terminal.screen", "\"name\":\"a\",\"history\":5");
	assert_string_equal(world_text(result, "text"), "one\ntwo\nthree\nfour\n");
	result = world_call(&world, "terminal.screen", "\"name\":\"a\",\"format\":\"ansi\"");
	assert_non_null(strstr(world_text(result, "ansi"), "\033["));
	result = world_call(&world, "terminal.screen", "\"name\":\"a\",\"format\":\"json\"");
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(result, "lines")), 3);
	assert_null(world_call(&world, "terminal.screen", "\"name\":\"a\",\"format\":\"png\""));
	assert_string_equal(world_word(&world), "params");
	world_close(&world);
}

static void the_log_gives_the_last_lines(void **state)
{
	struct world world;
	struct world_child *child;
	const cJSON *result;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", ",\"cols\":20,\"rows\":3");
	result = world_call(&world, "terminal.log", "\"name\":\"a\"");
	assert_string_equal(world_text(result, "text"), "");
	world_print(&world, child, "1\r\n2\r\n3\r\n4\r\n5\r\n6");
	result = world_call(&world, "terminal.log", "\"name\":\"a\",\"lines\":4");
	assert_string_equal(world_text(result, "text"), "3\n4\n5\n6\n");
	result = world_call(&world, "terminal.log", "\"name\":\"a\",\"lines\":2");
	assert_string_equal(world_text(result, "text"), "5\n6\n");
	result = world_call(&world, "terminal.log", "\"name\":\"a\"");
	assert_string_equal(world_text(result, "text"), "1\n2\n3\n4\n5\n6\n");
	world_close(&world);
}

static void an_explanation_names_what_is_missing(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	result = world_call(&world, "terminal.explain", "\"name\":\"a\"");
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(result, "typable")));
	assert_string_equal(world_text(result, "reason"), "typing_off");
	world_close(&world);
}

static void an_explanation_is_of_now(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", ",\"profile\":\"claude\"");

	world_print(&world, child, "\033]7501;state=working:app=claude-code\007");
	result = world_call(&world, "terminal.explain", "\"name\":\"a\"");
	assert_string_equal(world_text(result, "identity"), "a");
	assert_string_equal(world_text(result, "profile"), "claude");
	assert_string_equal(world_text(result, "state"), "working");
	world_close(&world);
}

static void a_recording_comes_with_its_terminal(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", "");

	world_print(&world, child, "seen");
	result = world_call(&world, "terminal.capture", "\"name\":\"a\"");
	assert_string_equal(world_text(result, "terminal_id"),
	                    bh_terminals_get(world.server.terminals, &child->id)->id_text);
	assert_int_equal(strncmp(world_text(result, "cast"), "{\"version\":2", 12), 0);
	assert_non_null(strstr(world_text(result, "cast"), "seen"));
	world_close(&world);
}

static void numbers_and_states_are_checked(void **state)
{
	static const char *const rows[][2] = {
		{"terminal.screen", "\"history\":-1"},
		{"terminal.screen", "\"history\":\"all\""},
		{"terminal.screen", "\"format\":7"},
		{"terminal.log", "\"lines\":0"},
		{"terminal.log", "\"lines\":20001"},
		{"terminal.wait_state", "\"timeout_ms\":5"},
		{"terminal.wait_state", "\"state\":[\"idle\",\"asleep\"]"},
		{"terminal.wait_state", "\"state\":[\"idle\",7]"},
		{"terminal.wait_state", "\"state\":\"idle\",\"timeout_ms\":-1"},
	};
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (world_call(&world, rows[i][0], "\"name\":\"a\",%s", rows[i][1]) != NULL ||
		    strcmp(world_word(&world), "params") != 0) {
			fail_msg("%s %s: %s", rows[i][0], rows[i][1], world_word(&world));
		}
	}
	world_close(&world);
}

static void an_end_is_no_reason_not_to_look(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", "");

	world_print(&world, child, "last words");
	world_exit(&world, child, 0);
	result = world_call(&world, "terminal.log", "\"name\":\"a\"");
	assert_string_equal(world_text(result, "text"), "last words\n");
	result = world_call(&world, "terminal.explain", "\"name\":\"a\"");
	assert_string_equal(world_text(result, "state"), "exited");
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(screens_come_in_three_forms),
		cmocka_unit_test(the_log_gives_the_last_lines),
		cmocka_unit_test(an_explanation_names_what_is_missing),
		cmocka_unit_test(an_explanation_is_of_now),
		cmocka_unit_test(a_recording_comes_with_its_terminal),
		cmocka_unit_test(numbers_and_states_are_checked),
		cmocka_unit_test(an_end_is_no_reason_not_to_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
