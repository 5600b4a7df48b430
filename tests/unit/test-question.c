#include "src/ui/question.h"

#include "src/ui/token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** Press keys, as a plain terminal sends them. */
static enum bh_question_state press(struct bh_question *question, const char *keys)
{
	enum bh_question_state state = question->state;
	size_t len = strlen(keys);

	while (len > 0) {
		struct bh_token token = bh_token_read(keys, len);

		if (token.kind == BH_TOKEN_PARTIAL) {
			token = bh_token_give_up(keys, len);
		}
		if (token.kind == BH_TOKEN_KEY) {
			state = bh_question_key(question, &token.key);
		}
		keys += token.len;
		len -= token.len;
	}
	return state;
}

static void a_line_is_edited(void **state)
{
	struct bh_question question = {0};

	(void)state;
	bh_question_ask(&question, "name:", "api");
	assert_int_equal(press(&question, "-ü"), BH_QUESTION_OPEN);
	assert_string_equal(question.text, "api-ü");
	(void)press(&question, "\x7f\x7f");
	assert_string_equal(question.text, "api");
	(void)press(&question, " two words \x17");
	assert_string_equal(question.text, "api two ");
	(void)press(&question, "\x15\x7f");
	assert_string_equal(question.text, "");
	(void)press(&question, "\x1b[A");
	assert_string_equal(question.text, "");
	// What comes after Enter answers nothing.
	assert_int_equal(press(&question, "x\ry"), BH_QUESTION_ACCEPTED);
	assert_string_equal(question.text, "x");
	assert_int_equal(press(&question, "z"), BH_QUESTION_ACCEPTED);
	assert_string_equal(question.text, "x");
}

static void a_full_line_takes_no_more(void **state)
{
	struct bh_question question = {0};

	(void)state;
	bh_question_ask(&question, "name:", "");
	for (int i = 0; i < 100; i++) {
		(void)press(&question, "€");
	}
	assert_int_equal(strlen(question.text), 198); // 66 whole characters of 3 bytes
	bh_question_paste(&question, (struct bh_span){.data = "\xff\xc3", .len = 2});
	assert_int_equal(strlen(question.text), 198);
}

static void escape_gives_up(void **state)
{
	struct bh_question question = {0};

	(void)state;
	bh_question_ask(&question, "name:", "");
	assert_int_equal(press(&question, "\x1b"), BH_QUESTION_CANCELLED);
	bh_question_ask(&question, "name:", "");
	assert_int_equal(press(&question, "\x03"), BH_QUESTION_CANCELLED);
}

static void only_y_is_yes(void **state)
{
	static const char *const no[] = {"n", "\r", "\x1b", " ", "ny"};
	struct bh_question question = {0};

	(void)state;
	bh_question_confirm(&question, "sure?");
	assert_int_equal(press(&question, "y\rn\x1b"), BH_QUESTION_OPEN); // it was not seen yet
	question.is_shown = true;
	assert_int_equal(press(&question, "y"), BH_QUESTION_ACCEPTED);
	bh_question_confirm(&question, "sure?");
	assert_false(question.is_shown);
	question.is_shown = true;
	assert_int_equal(press(&question, "Yes"), BH_QUESTION_ACCEPTED);
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
		bh_question_confirm(&question, "sure?");
		question.is_shown = true;
		assert_int_equal(press(&question, no[i]), BH_QUESTION_CANCELLED);
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
