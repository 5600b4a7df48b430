#include "src/mail/notice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void states_have_words(void **state)
{
	(void)state;
	assert_string_equal(bh_notice_state_word(BH_NOTICE_OPEN), "open");
	assert_string_equal(bh_notice_state_word(BH_NOTICE_PARKED), "parked");
	assert_string_equal(bh_notice_state_word(BH_NOTICE_CLOSED), "closed");
	assert_string_equal(bh_notice_state_word((enum bh_notice_state)99), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
