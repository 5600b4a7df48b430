#include "src/mail/receipt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Numbers are on disk and words are in the contract: neither may ever change.
static void steps_keep_their_numbers_and_words(void **state)
{
	static const char *const words[] = {"stored", "queued",   "noticed", "handed_over", "typed",
	                                    "seen",   "returned", "parked",  "unproved"};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		assert_string_equal(bh_receipt_word((enum bh_receipt_step)i), words[i]);
	}
	assert_string_equal(bh_receipt_word((enum bh_receipt_step)99), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_keep_their_numbers_and_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
