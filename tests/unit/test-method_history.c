// Rows that have left the top of a screen: which are given, and how they are named.
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A world with a terminal of two rows through which @count lines have gone. */
static void world_open_with_lines(struct world *world, int count)
{
	world_open(world);
	struct world_child *child = world_run(world, "a", ",\"cols\":20,\"rows\":2");

	for (int i = 0; i < count; i++) {
		char line[16];

		(void)snprintf(line, sizeof line, "%d\r\n", i);
		world_print(world, child, line);
	}
}

static int number_of(const cJSON *result, const char *name)
{
	const cJSON *item = cJSON_GetObjectItem(result, name);

	assert_true(cJSON_IsNumber(item));
	return item->valueint;
}

/** Compare the rows of an answer, written as "1,2,". */
static void assert_rows(const cJSON *result, const char *expected)
{
	const cJSON *row = NULL;
	char text[256] = "";

	cJSON_ArrayForEach(row, cJSON_GetObjectItem(result, "rows"))
	{
		size_t len = strlen(text);

		(void)snprintf(text + len, sizeof text - len, "%s,", world_text(row, "ansi"));
	}
	assert_string_equal(text, expected);
}

static void the_newest_rows_are_given(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open_with_lines(&world, 10);
	// Ten lines and the cursor's: the last line and the cursor's row are on the screen.
	result = world_call(&world, "terminal.history", "\"name\":\"a\",\"count\":3");
	assert_int_equal(number_of(result, "oldest"), 0);
	assert_int_equal(number_of(result, "end"), 9);
	assert_int_equal(number_of(result, "first"), 6);
	assert_int_equal(number_of(result, "cols"), 20);
	assert_rows(result, "6,7,8,");
	result = world_call(&world, "terminal.history", "\"name\":\"a\"");
	assert_int_equal(number_of(result, "first"), 0);
	assert_rows(result, "0,1,2,3,4,5,6,7,8,");
	world_close(&world);
}

static void rows_are_given_from_where_it_is_asked(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open_with_lines(&world, 10);
	result = world_call(&world, "terminal.history", "\"name\":\"a\",\"first\":2,\"count\":2");
	assert_int_equal(number_of(result, "first"), 2);
	assert_rows(result, "2,3,");
	// Fewer than asked for at the end, none behind it, none when none are asked for.
	result = world_call(&world, "terminal.history", "\"name\":\"a\",\"first\":8,\"count\":5");
	assert_rows(result, "8,");
	result = world_call(&world, "terminal.history", "\"name\":\"a\",\"first\":1000");
	assert_int_equal(number_of(result, "first"), 9);
	assert_rows(result, "");
	result = world_call(&world, "terminal.history", "\"name\":\"a\",\"count\":0");
	assert_rows(result, "");
	world_close(&world);
}

static void rows_before_another_are_given(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open_with_lines(&world, 10);
	result = world_call(&world, "terminal.history", "\"name\":\"a\",\"before\":5,\"count\":2");
	assert_int_equal(number_of(result, "first"), 3);
	assert_rows(result, "3,4,");
	result = world_call(&world, "terminal.history", "\"name\":\"a\",\"before\":2");
	assert_int_equal(number_of(result, "first"), 0);
	assert_rows(result, "0,1,");
	result = world_call(&world, "terminal.history", "\"name\":\"a\",\"first\":1,\"before\":3");
	assert_rows(result, "1,2,");
	// The screen itself comes only when it is asked for.
	assert_null(cJSON_GetObjectItem(result, "screen"));
	world_close(&world);
}

static void the_screen_is_of_the_same_moment(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open_with_lines(&world, 10);
	world_print(&world, world_child(&world), "\033[31mred\033[m");
	result = world_call(&world, "terminal.history",
	                    "\"name\":\"a\",\"count\":1,\"screen\":true");
	assert_rows(result, "8,");
	result = cJSON_GetObjectItem(result, "screen");
	assert_int_equal(number_of(result, "count"), 2);
	assert_rows(result, "9,\033[0;31mred\033[0m,");
	world_close(&world);
}

static void an_answer_has_a_limit(void **state)
{
	struct world world;
	const cJSON *result;
	char line[1024];

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", ",\"cols\":1000,\"rows\":2");

	memset(line, 'x', sizeof line - 1);
	(void)memcpy(line + 990, "\r\n", 3);
	for (int i = 0; i < 1200; i++) {
		world_print(&world, child, line);
	}
	result = world_call(&world, "terminal.history", "\"name\":\"a\",\"count\":2000");
	// Of 1199 rows of 990 bytes, those that make a mebibyte: the newest.
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(result, "rows")), 1060);
	assert_int_equal(number_of(result, "first"), 139);
	result =
		world_call(&world, "terminal.history", "\"name\":\"a\",\"first\":0,\"count\":2000");
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(result, "rows")), 1060);
	assert_int_equal(number_of(result, "first"), 0);
	world_close(&world);
}

static void looks_and_wraps_are_kept(void **state)
{
	struct world world;
	const cJSON *result;
	const cJSON *rows;

	(void)state;
	world_open_with_lines(&world, 0);
	world_print(&world, world_child(&world),
	            "\033[31mred\033[m\r\n0123456789012345678901234\r\n\r\n\r\n");
	result = world_call(&world, "terminal.history", "\"name\":\"a\"");
	rows = cJSON_GetObjectItem(result, "rows");
	assert_non_null(strstr(world_text(cJSON_GetArrayItem(rows, 0), "ansi"), "\033["));
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(cJSON_GetArrayItem(rows, 0), "wrapped")));
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetArrayItem(rows, 1), "wrapped")));
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(cJSON_GetArrayItem(rows, 2), "wrapped")));
	world_close(&world);
}

static void numbers_and_names_are_checked(void **state)
{
	static const char *const rows[] = {
		"\"first\":-2",      "\"first\":0.5", "\"count\":-1", "\"count\":2001",
		"\"count\":\"all\"", "\"before\":-1", "\"screen\":1",
	};
	struct world world;

	(void)state;
	world_open_with_lines(&world, 3);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		assert_null(world_call(&world, "terminal.history", "\"name\":\"a\",%s", rows[i]));
		assert_string_equal(world_word(&world), "params");
	}
	assert_null(world_call(&world, "terminal.history", "\"name\":\"b\""));
	assert_string_equal(world_word(&world), "not_found");
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_rows_are_given),
		cmocka_unit_test(rows_are_given_from_where_it_is_asked),
		cmocka_unit_test(rows_before_another_are_given),
		cmocka_unit_test(the_screen_is_of_the_same_moment),
		cmocka_unit_test(an_answer_has_a_limit),
		cmocka_unit_test(looks_and_wraps_are_kept),
		cmocka_unit_test(numbers_and_names_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
