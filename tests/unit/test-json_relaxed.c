#include "src/base/json_relaxed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void what_people_write_becomes_plain(void **state)
{
	static const struct {
		const char *text, *plain;
	} cases[] = {
		{"", ""},
		{"/", "/"},
		{"{}", "{}"},
		{"// all\n{\"a\": 1} // end", "      \n{\"a\": 1}       "},
		{"{/* a\nb */\"a\":1}", "{    \n    \"a\":1}"},
		{"[1,2,]", "[1,2 ]"},
		{"{\"a\":[1,], // x\n}", "{\"a\":[1 ]      \n}"},
		{"[1, /* , */ ]", "[1          ]"},
		{"[1,2]", "[1,2]"},
		{"[\"a//b\", \"/*\", \",]\", \"\\\"//\"]",
	         "[\"a//b\", \"/*\", \",]\", \"\\\"//\"]"},
		{"\"not ended // ,", "\"not ended // ,"},
		{"\"\\", "\"\\"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[80];
		size_t at = 0;

		(void)snprintf(text, sizeof(text), "%s", cases[i].text);
		assert_int_equal(bh_json_relaxed_plain(text, strlen(text), &at, NULL), 0);
		assert_string_equal(text, cases[i].plain);
	}
}

static void a_comment_must_end(void **state)
{
	static const struct {
		const char *text;
		size_t at;
	} cases[] = {{"/*", 0}, {"/*/", 0}, {"{\n/* a * /", 2}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[80];
		size_t at = 99;
		struct bh_err err = {0};

		(void)snprintf(text, sizeof(text), "%s", cases[i].text);
		assert_int_equal(bh_json_relaxed_plain(text, strlen(text), &at, &err), BH_EINVALID);
		assert_int_equal(at, cases[i].at);
		assert_string_equal(err.text, "this comment does not end");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_people_write_becomes_plain),
		cmocka_unit_test(a_comment_must_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
