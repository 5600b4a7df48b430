#include "src/server/held_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void answers_are_dropped(void **state)
{
	static const struct {
		const char *held, *kept;
	} rows[] = {
		{"", ""},
		{"hello", "hello"},
		{"yes\r", "yes"},
		{"1a2b\n", "ab"},
		{"0123456789", ""},
		{"a\033[Ab", "ab"},    // an arrow goes whole
		{"a\033[1;5Cb", "ab"}, // with modifiers, too
		{"a\033OAb", "ab"},
		{"a\033", "a"},
		{"a\033[", "a"},
		{"a\033xb", "axb"}, // Alt-x: the Esc goes, the letter is no answer
		{"\303\251\r", "\303\251"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct bh_buf held = {0};

		bh_buf_puts(&held, rows[i].held);
		size_t dropped = bh_held_keys_drop_answers(&held);

		assert_int_equal(held.len, strlen(rows[i].kept));
		assert_int_equal(dropped, strlen(rows[i].held) - strlen(rows[i].kept));
		if (held.len > 0) {
			assert_memory_equal(held.data, rows[i].kept, held.len);
		}
		bh_buf_clear(&held);
	}
}

static void reports_are_no_keys(void **state)
{
	(void)state;
	assert_true(bh_held_keys_is_report("\033[I", 3));
	assert_true(bh_held_keys_is_report("\033[O", 3));
	assert_true(bh_held_keys_is_report("\033[<0;1;1M", 9));
	assert_true(bh_held_keys_is_report("\033[?62c", 6));
	assert_true(bh_held_keys_is_report("\033]11;rgb:0/0/0\033\\", 16));
	assert_false(bh_held_keys_is_report("\033[A", 3));
	assert_false(bh_held_keys_is_report("\033", 1));
	assert_false(bh_held_keys_is_report("abc", 3));
	assert_false(bh_held_keys_is_report("\033[\0", 3));
	assert_false(bh_held_keys_is_report("", 0));
}

static void the_focus_is_not_given_by_hand(void **state)
{
	(void)state;
	assert_true(bh_held_keys_is_focus("\033[I", 3));
	assert_true(bh_held_keys_is_focus("\033[O", 3));
	assert_false(bh_held_keys_is_focus("\033[Ix", 4));
	assert_false(bh_held_keys_is_focus("\033[A", 3));
	assert_false(bh_held_keys_is_focus("\033[<0;1;1M", 9));
	assert_false(bh_held_keys_is_focus("", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_dropped),
		cmocka_unit_test(reports_are_no_keys),
		cmocka_unit_test(the_focus_is_not_given_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
