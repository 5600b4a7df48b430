#include "src/ui/strings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void equal_strings_have_equal_numbers(void **state)
{
	struct bh_strings strings = {0};
	uint16_t one = bh_strings_number(&strings, "one!", 3);
	uint16_t two = bh_strings_number(&strings, "on", 2);

	(void)state;
	assert_int_not_equal(one, 0);
	assert_int_not_equal(one, two);
	assert_int_equal(bh_strings_number(&strings, "one", 3), one);
	assert_string_equal(bh_strings_text(&strings, one), "one");
	assert_string_equal(bh_strings_text(&strings, two), "on");
	assert_string_equal(bh_strings_text(&strings, 0), "");
	assert_string_equal(bh_strings_text(&strings, 99), "");
	bh_strings_clear(&strings);
	assert_string_equal(bh_strings_text(&strings, one), "");
	assert_int_equal(bh_strings_number(&strings, "two", 3), 1);
	bh_strings_clear(&strings);
}

static void a_full_table_knows_what_it_has(void **state)
{
	struct bh_strings strings = {0};
	char text[16];

	(void)state;
	for (int i = 0; i < BH_STRINGS_MAX; i++) {
		int len = snprintf(text, sizeof(text), "s%d", i);

		assert_int_equal(bh_strings_number(&strings, text, (size_t)len), i + 1);
	}
	assert_int_equal(bh_strings_number(&strings, "another", 7), 0);
	assert_int_equal(bh_strings_number(&strings, "s0", 2), 1);
	(void)snprintf(text, sizeof(text), "s%d", BH_STRINGS_MAX - 1);
	assert_int_equal(bh_strings_number(&strings, text, strlen(text)), BH_STRINGS_MAX);
	assert_string_equal(bh_strings_text(&strings, BH_STRINGS_MAX), text);
	bh_strings_clear(&strings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_strings_have_equal_numbers),
		cmocka_unit_test(a_full_table_knows_what_it_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
