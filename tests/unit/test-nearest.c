#include "src/base/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void slips_are_found_and_nothing_else(void **state)
{
	static const char *const names[] = {"send", "screen", "server", "inbox", NULL};

	(void)state;
	assert_string_equal(bh_nearest("sned", names), "send");
	assert_string_equal(bh_nearest("inbx", names), "inbox");
	assert_string_equal(bh_nearest("scr", names), "screen");
	assert_null(bh_nearest("mail", names));
	assert_null(bh_nearest("", names));
	assert_null(bh_nearest("a-word-that-is-much-too-long-for-any-option", names));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slips_are_found_and_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
