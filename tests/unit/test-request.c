#include "tests/unit/mail-driver.h"

#include "src/base/mem.h"

#include <stdlib.h>
#include <string.h>

// Arguments are borrowed for the call: nothing of them may be needed afterwards.
static void arguments_may_vanish_at_once(void **state)
{
	struct driver *driver = *state;
	char *to = bh_xstrdup("reviewer"), *from = bh_xstrdup("coder"), *body = bh_xstrdup("text"),
	     *id = bh_xstrdup("id");
	struct bh_put put = {.message_id = id, .to = to, .from = from, .body = bh_span_of(body)};
	int code = bh_store_put(driver->store, &put, driver_done, driver, NULL);

	memset(to, 'x', strlen(to));
	memset(body, 'x', strlen(body));
	free(to);
	free(from);
	free(body);
	free(id);
	assert_int_equal(driver_wait(driver, code)->code, 0);
	assert_string_equal(driver_take(driver, BH_CLAIM_INBOX, 0, "reviewer", 0)->messages[0].body,
	                    "text");
}

static void long_words_are_cut_and_name_nothing(void **state)
{
	struct driver *driver = *state;
	char text[1000];
	const char *name = text;

	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	(void)driver_put(driver, 1, "coder", "reviewer", "x");
	assert_int_equal(driver_wait(driver, bh_store_ack(driver->store,
	                                                  &(struct bh_ack){.names = &name,
	                                                                   .name_count = 1,
	                                                                   .ref = text,
	                                                                   .how = BH_SEEN_ACK},
	                                                  driver_done, driver, NULL))
	                         ->code,
	                 BH_ENOTFOUND);
	assert_int_equal(
		driver_wait(driver, bh_store_note(driver->store,
	                                          &(struct bh_note){.mailbox = "reviewer",
	                                                            .seq = 1,
	                                                            .step = BH_RECEIPT_QUEUED,
	                                                            .cause = text},
	                                          driver_done, driver, NULL))
			->code,
		0);
	(void)driver_receipts(driver, 1);
	assert_int_equal(strlen(driver->outcome.receipts[1].cause), BH_RECEIPT_CAUSE_SIZE - 1);
	assert_int_equal(driver_wait(driver, bh_store_retire(driver->store,
	                                                     &(struct bh_retire){.terminal = text,
	                                                                         .exit_status = 0},
	                                                     driver_done, driver, NULL))
	                         ->code,
	                 BH_ENOTFOUND);
}

static void a_request_may_have_no_callback(void **state)
{
	struct driver *driver = *state;

	(void)driver_put(driver, 1, "coder", "reviewer", "x");
	assert_int_equal(bh_store_note(driver->store,
	                               &(struct bh_note){.mailbox = "reviewer",
	                                                 .seq = 0,
	                                                 .step = BH_RECEIPT_QUEUED,
	                                                 .cause = "working"},
	                               NULL, NULL, NULL),
	                 0);
	assert_string_equal(driver_receipts(driver, 1), "stored queued(working)");
}

static void a_terminal_needs_a_uuid(void **state)
{
	struct driver *driver = *state;
	struct bh_terminal_record record = {.identity = "x"};
	struct bh_err err;

	assert_int_equal(bh_store_bind(driver->store, &(struct bh_bind){.record = &record},
	                               driver_done, driver, &err),
	                 BH_EINVALID);
	assert_non_null(strstr(err.text, "UUID"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(arguments_may_vanish_at_once),
		driver_test(long_words_are_cut_and_name_nothing),
		driver_test(a_request_may_have_no_callback),
		driver_test(a_terminal_needs_a_uuid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
