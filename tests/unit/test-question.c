#include "src/ui/question.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_line_is_edited(void **state)
{
	struct bh_question question = {0};

	(void)state;
	bh_question_ask(&question, "name:", "api");
	assert_int_equal(bh_question_keys(&question, bh_span_of("-ü")), BH_QUESTION_OPEN);
	assert_string_equal(question.text, "api-ü");
	(void)bh_question_keys(&question, bh_span_of("\x7f\x7f"));
	assert_string_equal(question.text, "api");
	(void)bh_question_keys(&question, bh_span_of(" two words \x17"));
	assert_string_equal(question.text, "api two ");
	(void)bh_question_keys(&question, bh_span_of("\x15\x7f"));
	assert_string_equal(question.text, "");
	(void)bh_question_keys(&question, bh_span_of("\x1b[A"));
	assert_string_equal(question.text, "");
	// What comes after Enter answers nothing.
	assert_int_equal(bh_question_keys(&question, bh_span_of("x\ry")), BH_QUESTION_ACCEPTED);
	assert_string_equal(question.text, "x");
	assert_int_equal(bh_question_keys(&question, bh_span_of("z")), BH_QUESTION_ACCEPTED);
	assert_string_equal(question.text, "x");
}

static void a_full_line_takes_no_more(void **state)
{
	struct bh_question question = {0};

	(void)state;
	bh_question_ask(&question, "name:", "");
	for (int i = 0; i < 100; i++) {
		(void)bh_question_keys(&question, bh_span_of("€"));
	}
	assert_int_equal(strlen(question.text), 78); // 26 whole characters of 3 bytes
	(void)bh_question_keys(&question, (struct bh_span){.data = "\xff\xc3", .len = 2});
	assert_int_equal(strlen(question.text), 78);
}

static void escape_gives_up(void **state)
{
	struct bh_question question = {0};

	(void)state;
	bh_question_ask(&question, "name:", "");
	assert_int_equal(bh_question_keys(&question, bh_span_of("\x1b")), BH_QUESTION_CANCELLED);
	bh_question_ask(&question, "name:", "");
	assert_int_equal(bh_question_keys(&question, bh_span_of("\x03")), BH_QUESTION_CANCELLED);
}

static void only_y_is_yes(void **state)
{
	static const char *const no[] = {"n", "\r", "\x1b", " ", "ny"};
	struct bh_question question = {0};

	(void)state;
	bh_question_confirm(&question, "sure?");
	assert_int_equal(bh_question_keys(&question, bh_span_of("y")), BH_QUESTION_ACCEPTED);
	bh_question_confirm(&question, "sure?");
	assert_int_equal(bh_question_keys(&question, bh_span_of("Yes")), BH_QUESTION_ACCEPTED);
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
		bh_question_confirm(&question, "sure?");
		assert_int_equal(bh_question_keys(&question, bh_span_of(no[i])),
		                 BH_QUESTION_CANCELLED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_edited),
		cmocka_unit_test(a_full_line_takes_no_more),
		cmocka_unit_test(escape_gives_up),
		cmocka_unit_test(only_y_is_yes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
