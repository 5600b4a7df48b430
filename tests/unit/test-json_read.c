// The strict reader: each kind of wrong value, told with file, line and key; the first counts.
#include "src/agent/json_read.h"

#include "src/base/err.h"
#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

static const char text[] = "{\n"
			   "\t\"text\": \"t\",\n"
			   "\t\"number\": 7,\n"
			   "\t\"half\": 0.5,\n"
			   "\t\"yes\": true,\n"
			   "\t\"list\": [\"a\", \"b\"],\n"
			   "\t\"mixed\": [\"a\", 1],\n"
			   "\t\"object\": {\"in\": 1}\n"
			   "}";
static const int range[2] = {1, 10};
static const char *const words[] = {"s", "t", NULL};

struct desk {
	struct bh_json_reader reader;
	struct bh_err err;
	cJSON *tree;
};

static int desk_open(void **state)
{
	struct desk *desk = bh_xmalloc(sizeof *desk);

	*state = desk;
	desk->tree = bh_json_read_start(&desk->reader, "f.json", text, strlen(text), &desk->err);
	return desk->tree ? 0 : -1;
}

static int desk_close(void **state)
{
	struct desk *desk = *state;

	cJSON_Delete(desk->tree);
	free(desk);
	return 0;
}

static void texts_free(char **texts)
{
	for (char **at = texts; *at; at++) {
		free(*at);
	}
	free(texts);
}

static void right_values_are_given(void **state)
{
	struct desk *desk = *state;
	char **texts = bh_json_read_texts(&desk->reader, desk->tree, "list");

	assert_string_equal(texts[0], "a");
	assert_string_equal(texts[1], "b");
	assert_null(texts[2]);
	texts_free(texts);
	assert_string_equal(bh_json_read_text(&desk->reader, desk->tree, "text", "f"), "t");
	assert_int_equal(bh_json_read_number(&desk->reader, desk->tree, "number", range, 3), 7);
	assert_true(bh_json_read_bool(&desk->reader, desk->tree, "yes", false));
	assert_int_equal(bh_json_read_word(&desk->reader, desk->tree, "text", words, 0), 1);
	assert_int_equal(cJSON_GetArraySize(bh_json_read_array(&desk->reader, desk->tree, "list")),
	                 2);
	assert_non_null(bh_json_read_object(&desk->reader, desk->tree, "object"));
	assert_false(desk->reader.has_failed);
}

static void what_is_not_there_is_the_fallback(void **state)
{
	struct desk *desk = *state;
	char **texts = bh_json_read_texts(&desk->reader, desk->tree, "no");

	assert_null(texts[0]);
	texts_free(texts);
	assert_string_equal(bh_json_read_text(&desk->reader, desk->tree, "no", "f"), "f");
	assert_int_equal(bh_json_read_number(&desk->reader, desk->tree, "no", range, 3), 3);
	assert_true(bh_json_read_bool(&desk->reader, desk->tree, "no", true));
	assert_int_equal(bh_json_read_word(&desk->reader, desk->tree, "no", words, 5), 5);
	assert_null(bh_json_read_array(&desk->reader, desk->tree, "no"));
	assert_null(bh_json_read_object(&desk->reader, desk->tree, "no"));
	// Keys are told apart by case.
	assert_null(bh_json_read_text(&desk->reader, desk->tree, "TEXT", NULL));
	assert_false(desk->reader.has_failed);
}

/** Read the value of @key as each kind in turn and compare what is told. */
static void wrong(const char *kind, const char *key, const char *expected)
{
	struct desk *desk = NULL;

	assert_int_equal(desk_open((void **)&desk), 0);
	if (strcmp(kind, "text") == 0) {
		assert_null(bh_json_read_text(&desk->reader, desk->tree, key, NULL));
	} else if (strcmp(kind, "number") == 0) {
		assert_int_equal(bh_json_read_number(&desk->reader, desk->tree, key, range, -1),
		                 -1);
	} else if (strcmp(kind, "bool") == 0) {
		assert_false(bh_json_read_bool(&desk->reader, desk->tree, key, false));
	} else if (strcmp(kind, "array") == 0) {
		assert_null(bh_json_read_array(&desk->reader, desk->tree, key));
	} else if (strcmp(kind, "object") == 0) {
		assert_null(bh_json_read_object(&desk->reader, desk->tree, key));
	} else if (strcmp(kind, "texts") == 0) {
		texts_free(bh_json_read_texts(&desk->reader, desk->tree, key));
	} else {
		assert_int_equal(bh_json_read_word(&desk->reader, desk->tree, key,
		                                   (const char *const[]){"s", "u", NULL}, -1),
		                 -1);
	}
	assert_true(desk->reader.has_failed);
	assert_string_equal(desk->err.text, expected);
	assert_int_equal(desk_close((void **)&desk), 0);
}

static void wrong_values_are_told_with_line_and_key(void **state)
{
	(void)state;
	wrong("text", "number", "f.json:3: number: must be a string");
	wrong("number", "text", "f.json:2: text: must be a whole number from 1 to 10");
	wrong("number", "half", "f.json:4: half: must be a whole number from 1 to 10");
	wrong("bool", "number", "f.json:3: number: must be true or false");
	wrong("array", "object", "f.json:8: object: must be a list");
	wrong("object", "list", "f.json:6: list: must be an object");
	wrong("texts", "mixed", "f.json:7: mixed: must be a list of strings");
	wrong("word", "text", "f.json:2: text: \"t\" is not one of s, u");
}

static void a_number_outside_its_range_is_wrong(void **state)
{
	struct desk *desk = *state;

	assert_int_equal(
		bh_json_read_number(&desk->reader, desk->tree, "number", (const int[]){7, 7}, -1),
		7);
	assert_int_equal(
		bh_json_read_number(&desk->reader, desk->tree, "number", (const int[]){8, 9}, -1),
		-1);
	assert_true(desk->reader.has_failed);
}

static void unknown_keys_are_refused(void **state)
{
	struct desk *desk = *state;
	static const char *const keys[] = {"text", "number", "yes", "list", NULL};

	bh_json_read_only(&desk->reader, cJSON_GetObjectItem(desk->tree, "object"),
	                  (const char *const[]){"in", NULL});
	assert_false(desk->reader.has_failed);
	bh_json_read_only(&desk->reader, desk->tree, keys);
	assert_string_equal(desk->err.text, "f.json:4: half: no such key");
}

static void the_first_failure_counts(void **state)
{
	struct desk *desk = *state;

	bh_json_read_fail(&desk->reader, "number", "is %s", "odd");
	bh_json_read_fail(&desk->reader, "text", "is odd too");
	assert_string_equal(desk->err.text, "f.json:3: number: is odd");
	// From then on all is as if it were not there.
	assert_string_equal(bh_json_read_text(&desk->reader, desk->tree, "text", "f"), "f");
	assert_false(bh_json_read_bool(&desk->reader, desk->tree, "yes", false));
	assert_null(bh_json_read_array(&desk->reader, desk->tree, "list"));
}

static void the_path_grows_and_shrinks(void **state)
{
	struct desk *desk = *state;
	size_t outer = bh_json_read_enter(&desk->reader, "list", 0);
	size_t inner = bh_json_read_enter(&desk->reader, NULL, 1);

	assert_string_equal(desk->reader.path, "list.1");
	bh_json_read_leave(&desk->reader, inner);
	assert_string_equal(desk->reader.path, "list");
	bh_json_read_leave(&desk->reader, outer);
	assert_string_equal(desk->reader.path, "");
	// A path that is too long is cut, and comes back whole all the same.
	for (int i = 0; i < BH_JSON_PATH_MAX; i++) {
		(void)bh_json_read_enter(&desk->reader, "deep", 0);
	}
	assert_int_equal(strlen(desk->reader.path), BH_JSON_PATH_MAX - 1);
	bh_json_read_leave(&desk->reader, outer);
	bh_json_read_fail(&desk->reader, NULL, "is odd");
	assert_string_equal(desk->err.text, "f.json:1: profile: is odd");
}

static void damaged_text_is_told_with_its_line(void **state)
{
	static const struct {
		const char *text;
		const char *told;
	} cases[] = {
		{"{\n\"a\": 1,\n\"b\" 2}", "o:3: not valid JSON"},
		{"", "o:1: not valid JSON"},
		{"{}\n\nx", "o:1: something follows the JSON value"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bh_json_reader reader;
		struct bh_err err = {0};

		assert_null(bh_json_read_start(&reader, "o", cases[i].text, strlen(cases[i].text),
		                               &err));
		assert_true(reader.has_failed);
		assert_string_equal(err.text, cases[i].told);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(right_values_are_given, desk_open, desk_close),
		cmocka_unit_test_setup_teardown(what_is_not_there_is_the_fallback, desk_open,
	                                        desk_close),
		cmocka_unit_test(wrong_values_are_told_with_line_and_key),
		cmocka_unit_test_setup_teardown(a_number_outside_its_range_is_wrong, desk_open,
	                                        desk_close),
		cmocka_unit_test_setup_teardown(unknown_keys_are_refused, desk_open, desk_close),
		cmocka_unit_test_setup_teardown(the_first_failure_counts, desk_open, desk_close),
		cmocka_unit_test_setup_teardown(the_path_grows_and_shrinks, desk_open, desk_close),
		cmocka_unit_test(damaged_text_is_told_with_its_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
