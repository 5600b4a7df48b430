#include "src/base/json.h"

#include "src/base/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static cJSON *parse(const char *text)
{
	return bh_json_parse(text, strlen(text), NULL);
}

static void test_parses_exactly_one_text(void **state)
{
	cJSON *value = parse(" {\"a\":[1,true,null,\"x\"]} \n");
	char *text = bh_json_print(value);

	(void)state;
	assert_string_equal(text, "{\"a\":[1,true,null,\"x\"]}");
	free(text);
	cJSON_Delete(value);
}

static void test_refuses_what_is_not_json(void **state)
{
	static const char *const bad[] = {"",    "{",      "{}x",      "{\"a\":1}{}",
	                                  "nul", "[1,]",   "\"\xff\"", "\"\\u0000\"",
	                                  "'a'", "{\"a\"}"};
	struct bh_err err = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_null(bh_json_parse(bad[i], strlen(bad[i]), &err));
		assert_int_equal(err.code, BH_EINVALID);
		assert_true(err.text[0] != '\0');
	}
	assert_null(bh_json_parse("\"a\0b\"", 5, &err));
	assert_null(bh_json_parse_object("[]", 2, &err));
}

static void test_refuses_deep_nesting(void **state)
{
	char text[4 * BH_LIMIT_JSON_DEPTH];
	size_t deep = BH_LIMIT_JSON_DEPTH + 1;
	cJSON *value;

	(void)state;
	memset(text, '[', deep);
	memset(text + deep, ']', deep);
	assert_null(bh_json_parse(text, 2 * deep, NULL));
	value = bh_json_parse(text + 2, 2 * (deep - 2), NULL);
	assert_non_null(value);
	cJSON_Delete(value);
}

static void test_gets_typed_values(void **state)
{
	cJSON *object = parse(
		"{\"s\":\"text\",\"n\":42,\"b\":true,\"o\":{},\"a\":[\"x\",\"y\"],\"z\":null}");
	const char *text = NULL;
	const char **strings = NULL;
	const cJSON *child = NULL;
	int64_t number = 0;
	bool flag = false;

	(void)state;
	assert_int_equal(bh_json_get_str(object, "s", 4, &text, NULL), 0);
	assert_string_equal(text, "text");
	assert_int_equal(bh_json_get_int(object, "n", 0, 42, &number, NULL), 0);
	assert_int_equal(number, 42);
	assert_int_equal(bh_json_get_bool(object, "b", &flag, NULL), 0);
	assert_true(flag);
	assert_int_equal(bh_json_get_object(object, "o", &child, NULL), 0);
	assert_int_equal(bh_json_get_array(object, "a", 2, &child, NULL), 0);
	assert_int_equal(bh_json_get_strv(object, "a", 2, &strings, NULL), 0);
	assert_string_equal(strings[1], "y");
	assert_null(strings[2]);
	free(strings);
	cJSON_Delete(object);
}

static void test_optional_fields_may_be_missing(void **state)
{
	cJSON *object = parse("{\"z\":null,\"n\":\"no number\"}");
	const char *text = "before";
	int64_t number = 7;
	bool flag = true;

	(void)state;
	assert_int_equal(bh_json_opt_str(object, "s", 4, &text, NULL), 0);
	assert_string_equal(text, "before");
	assert_int_equal(bh_json_opt_int(object, "z", 0, 9, &number, NULL), 0);
	assert_int_equal(number, 7);
	assert_int_equal(bh_json_opt_bool(object, "b", &flag, NULL), 0);
	assert_true(flag);
	assert_int_equal(bh_json_opt_int(object, "n", 0, 9, &number, NULL), BH_EINVALID);
	assert_int_equal(bh_json_get_str(object, "s", 4, &text, NULL), BH_EINVALID);
	cJSON_Delete(object);
}

static void expect_bad_int(const char *json)
{
	cJSON *object = parse(json);
	struct bh_err err = {0};
	int64_t number = 7;

	assert_int_equal(bh_json_get_int(object, "n", 2, 1000, &number, &err), BH_EINVALID);
	assert_int_equal(number, 7);
	assert_non_null(strstr(err.text, "n"));
	assert_non_null(strstr(err.text, "1000"));
	cJSON_Delete(object);
}

static void test_checks_numbers(void **state)
{
	(void)state;
	expect_bad_int("{\"n\":1}");
	expect_bad_int("{\"n\":1001}");
	expect_bad_int("{\"n\":2.5}");
	expect_bad_int("{\"n\":1e300}");
	expect_bad_int("{\"n\":true}");
	expect_bad_int("{\"n\":[3]}");
}

static void test_checks_lengths_and_kinds(void **state)
{
	cJSON *object = parse("{\"s\":\"four\",\"a\":[\"x\",1],\"n\":1}");
	const char *text = NULL;
	const char **strings = NULL;
	const cJSON *child = NULL;
	bool flag = false;

	(void)state;
	assert_true(bh_json_get_str(object, "s", 3, &text, NULL) < 0);
	assert_true(bh_json_get_str(object, "n", 3, &text, NULL) < 0);
	assert_true(bh_json_get_array(object, "a", 1, &child, NULL) < 0);
	assert_true(bh_json_get_object(object, "a", &child, NULL) < 0);
	assert_true(bh_json_get_strv(object, "a", 9, &strings, NULL) < 0);
	assert_true(bh_json_get_bool(object, "n", &flag, NULL) < 0);
	assert_null(text);
	assert_null(strings);
	assert_null(child);
	cJSON_Delete(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parses_exactly_one_text),
		cmocka_unit_test(test_refuses_what_is_not_json),
		cmocka_unit_test(test_refuses_deep_nesting),
		cmocka_unit_test(test_gets_typed_values),
		cmocka_unit_test(test_optional_fields_may_be_missing),
		cmocka_unit_test(test_checks_numbers),
		cmocka_unit_test(test_checks_lengths_and_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
