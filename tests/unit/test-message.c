#include "src/mail/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void numbers_are_read_strictly(void **state)
{
	static const char *const bad[] = {"",
	                                  "m",
	                                  "m0",
	                                  "m01",
	                                  "42",
	                                  "n42",
	                                  "M42",
	                                  "m42 ",
	                                  "m-1",
	                                  "m4.2",
	                                  "m+4",
	                                  "mm4",
	                                  "m9999999999999999",
	                                  "m9007199254740993"};

	(void)state;
	assert_int_equal(bh_message_number('m', "m42"), 42);
	assert_int_equal(bh_message_number('n', "n17"), 17);
	assert_int_equal(bh_message_number('m', "m9007199254740992"), UINT64_C(1) << 53);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(bh_message_number('m', bad[i]), 0);
	}
}

static void ids_of_clients_are_checked(void **state)
{
	char id[BH_MESSAGE_ID_SIZE + 1];

	(void)state;
	memset(id, 'a', sizeof(id));
	id[BH_MESSAGE_ID_SIZE] = '\0';
	assert_false(bh_message_id_is_valid(id));
	id[BH_MESSAGE_ID_SIZE - 1] = '\0';
	assert_true(bh_message_id_is_valid(id));
	assert_true(bh_message_id_is_valid("0198c0de-1111-7abc-8def-0123456789ab"));
	assert_false(bh_message_id_is_valid(""));
	assert_false(bh_message_id_is_valid("a b"));
	assert_false(bh_message_id_is_valid("a\n"));
	assert_false(bh_message_id_is_valid("\xc3\xa4"));
}

static void everything_has_a_word(void **state)
{
	enum bh_task_status status;
	struct bh_err err;

	(void)state;
	for (int i = BH_TASK_SUBMITTED; i <= BH_TASK_CANCELED; i++) {
		const char *word = bh_task_status_word((enum bh_task_status)i);

		assert_int_equal(bh_task_status_parse(word, &status, NULL), 0);
		assert_int_equal(status, i);
	}
	assert_int_equal(bh_task_status_parse("", &status, &err), BH_EINVALID);
	assert_non_null(strstr(err.text, "input_required"));
	assert_string_equal(bh_ownership_word(BH_OWNER_NONE), "unread");
	assert_string_equal(bh_ownership_word((enum bh_ownership)99), "unknown");
	assert_string_equal(bh_seen_word(BH_SEEN_TYPED), "typed");
	assert_string_equal(bh_seen_word(BH_SEEN_NOT), "");
	assert_string_equal(bh_seen_word((enum bh_seen_how)99), "unknown");
	assert_string_equal(bh_task_status_word((enum bh_task_status)99), "unknown");
}

static void clear_leaves_nothing(void **state)
{
	struct bh_message message = {.seq = 4, .body = strdup("x"), .body_len = 1};

	(void)state;
	bh_message_clear(&message);
	assert_null(message.body);
	assert_int_equal(message.seq, 0);
	bh_message_clear(&message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read_strictly),
		cmocka_unit_test(ids_of_clients_are_checked),
		cmocka_unit_test(everything_has_a_word),
		cmocka_unit_test(clear_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
