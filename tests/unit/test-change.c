#include "src/mail/change.h"

#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void arguments_are_copies(void **state)
{
	char name[] = "coder";
	const char *names[] = {
		name, "0123456789012345678901234567890123456789012345678901234567890123456789"};
	struct bh_take take = {.kind = BH_CLAIM_WAITER,
	                       .terminal = "t",
	                       .names = names,
	                       .name_count = 2,
	                       .limit = 7,
	                       .lease_ms = 2000};
	struct bh_change *change = bh_change_new(BH_CHANGE_TAKE, NULL, NULL);

	(void)state;
	bh_change_set_take(change, &take);
	name[0] = 'x';
	assert_string_equal(change->names[0], "coder");
	assert_int_equal(strlen(change->names[1]), BH_IDENTITY_SIZE - 1); // cut, not overrun
	assert_string_equal(change->terminal, "t");
	assert_int_equal(change->limit, 7);
	assert_int_equal(change->lease_ms, 2000);
	bh_change_free(change);
}

static void reset_forgets_the_result_only(void **state)
{
	struct bh_change *change = bh_change_new(BH_CHANGE_PUT, NULL, NULL);

	(void)state;
	change->seq = 5;
	change->text = bh_xstrdup("why");
	for (int i = 0; i < 5; i++) {
		bh_change_add_message(change)->body = bh_xstrdup("x");
		bh_change_add_receipt(change)->at_ms = i;
	}
	assert_ptr_equal(change->answer.messages, change->messages);
	assert_int_equal(change->answer.message_count, 5);
	assert_int_equal(change->receipts[4].at_ms, 4);
	change->answer.seq = 9;
	bh_change_reset(change);
	assert_int_equal(change->answer.message_count, 0);
	assert_int_equal(change->answer.seq, 0);
	assert_null(change->answer.messages);
	assert_string_equal(change->text, "why");
	assert_int_equal(change->seq, 5);
	assert_int_equal(bh_change_add_message(change)->seq, 0);
	bh_change_free(change);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_are_copies),
		cmocka_unit_test(reset_forgets_the_result_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
