// The line into which is written what is looked for.
#include "src/ui/copyprompt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static enum bh_copyprompt_state press(struct bh_copyprompt *prompt, uint32_t key, bool is_control)
{
	struct bh_layer_key pressed = {.key = key, .is_control = is_control};

	return bh_copyprompt_key(prompt, &pressed);
}

static void text_is_written_and_taken_back(void **state)
{
	struct bh_copyprompt prompt = {0};

	(void)state;
	bh_copyprompt_open(&prompt, BH_COPY_SEARCH_UP);
	assert_string_equal(bh_copyprompt_label(&prompt), "?");
	assert_int_equal(press(&prompt, 'a', false), BH_COPYPROMPT_CHANGED);
	assert_int_equal(press(&prompt, 0xe9, false), BH_COPYPROMPT_CHANGED);
	assert_string_equal(prompt.text, "a\u00e9");
	assert_int_equal(press(&prompt, 0x7f, false), BH_COPYPROMPT_CHANGED);
	assert_string_equal(prompt.text, "a");
	bh_copyprompt_paste(&prompt, bh_span_of("bc de\nf"));
	assert_string_equal(prompt.text, "abc de");
	assert_int_equal(press(&prompt, 'w', true), BH_COPYPROMPT_CHANGED);
	assert_string_equal(prompt.text, "abc ");
	assert_int_equal(press(&prompt, 'u', true), BH_COPYPROMPT_CHANGED);
	assert_string_equal(prompt.text, "");
	assert_true(prompt.is_open);
}

static void it_ends_in_one_of_two_ways(void **state)
{
	static const struct {
		uint32_t key;
		bool is_control;
		enum bh_copyprompt_state state;
	} rows[] = {
		{'\r', false, BH_COPYPROMPT_ACCEPTED},  {'j', true, BH_COPYPROMPT_ACCEPTED},
		{0x1b, false, BH_COPYPROMPT_CANCELLED}, {'c', true, BH_COPYPROMPT_CANCELLED},
		{'g', true, BH_COPYPROMPT_CANCELLED},   {0x7f, false, BH_COPYPROMPT_CANCELLED},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bh_copyprompt prompt = {0};

		bh_copyprompt_open(&prompt, BH_COPY_SEARCH_DOWN);
		assert_int_equal(press(&prompt, rows[i].key, rows[i].is_control), rows[i].state);
		assert_false(prompt.is_open);
	}
}

static void other_keys_change_nothing(void **state)
{
	struct bh_copyprompt prompt = {0};

	(void)state;
	bh_copyprompt_open(&prompt, BH_COPY_SEARCH_DOWN);
	assert_int_equal(press(&prompt, 'x', true), BH_COPYPROMPT_OPEN);
	assert_int_equal(press(&prompt, 0x110000, false), BH_COPYPROMPT_OPEN);
	assert_int_equal(press(&prompt, 's', true), BH_COPYPROMPT_NEXT_DOWN);
	assert_int_equal(press(&prompt, 'r', true), BH_COPYPROMPT_NEXT_UP);
	assert_string_equal(prompt.text, "");
	assert_true(prompt.is_open);
}

static void a_full_line_takes_no_more(void **state)
{
	struct bh_copyprompt prompt = {0};

	(void)state;
	bh_copyprompt_open(&prompt, BH_COPY_SEARCH_DOWN);
	for (int i = 0; i < BH_COPYPROMPT_MAX - 1; i++) {
		assert_int_equal(press(&prompt, 'x', false), BH_COPYPROMPT_CHANGED);
	}
	assert_int_equal(press(&prompt, 'x', false), BH_COPYPROMPT_OPEN);
	assert_int_equal(strlen(prompt.text), BH_COPYPROMPT_MAX - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_written_and_taken_back),
		cmocka_unit_test(it_ends_in_one_of_two_ways),
		cmocka_unit_test(other_keys_change_nothing),
		cmocka_unit_test(a_full_line_takes_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
