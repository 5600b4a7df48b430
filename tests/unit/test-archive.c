#include "tests/unit/mail-driver.h"

#include "src/mail/archive.h"
#include "src/mail/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The seqs of a history as "1 2 5".
static const char *history(struct driver *driver, struct bh_history history)
{
	static char text[512];
	size_t len = 0;
	const struct outcome *outcome = driver_wait(
		driver, bh_store_history(driver->store, &history, driver_done, driver, NULL));

	assert_int_equal(outcome->code, 0);
	text[0] = '\0';
	for (size_t i = 0; i < outcome->message_count; i++) {
		assert_non_null(outcome->messages[i].body);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%llu", i == 0 ? "" : " ",
		                        (unsigned long long)outcome->messages[i].seq);
	}
	return text;
}

/** What a history with a name is refused with. */
static int history_code(struct driver *driver, const char *with)
{
	struct bh_history history = {.with = with};

	return driver_wait(driver,
	                   bh_store_history(driver->store, &history, driver_done, driver, NULL))
	        ->code;
}

static void a_talk(struct driver *driver)
{
	(void)driver_put(driver, 1, "coder", "reviewer", "1");
	(void)driver_put(driver, 2, "reviewer", "coder", "2");
	(void)driver_put(driver, 3, "coder", "tester", "3");
	(void)driver_put(driver, 4, "tester", "reviewer", "4");
	(void)driver_put(driver, 5, "coder", "coder", "5");
	(void)driver_put(driver, 6, "coder", "reviewer", "6");
}

static void history_is_what_one_sent_and_got(void **state)
{
	struct driver *driver = *state;
	const char *coder[] = {"Coder"};
	const char *both[] = {"coder", "tester"};
	const char *nobody[] = {"nobody"};

	a_talk(driver);
	assert_string_equal(history(driver, (struct bh_history){0}), "1 2 3 4 5 6");
	assert_string_equal(history(driver, (struct bh_history){.names = coder, .name_count = 1}),
	                    "1 2 3 5 6");
	assert_string_equal(history(driver, (struct bh_history){.names = both, .name_count = 2}),
	                    "1 2 3 4 5 6");
	assert_string_equal(history(driver, (struct bh_history){.names = nobody, .name_count = 1}),
	                    "");
}

static void history_with_one_name(void **state)
{
	struct driver *driver = *state;
	const char *coder[] = {"coder"};

	a_talk(driver);
	assert_string_equal(
		history(driver,
	                (struct bh_history){.names = coder, .name_count = 1, .with = "Reviewer"}),
		"1 2 6");
	assert_string_equal(history(driver, (struct bh_history){.with = "tester"}), "3 4");
	// Nothing with somebody is another answer than nobody of that name.
	(void)driver_put(driver, 7, "reviewer", "silent", "7");
	assert_string_equal(
		history(driver,
	                (struct bh_history){.names = coder, .name_count = 1, .with = "silent"}),
		"");
	assert_int_equal(history_code(driver, "nobody"), BH_ENOTFOUND);
	assert_int_equal(history_code(driver, "#nowhere"), BH_ENOTFOUND);
}

static void history_is_paged_forward_and_back(void **state)
{
	struct driver *driver = *state;
	const char *coder[] = {"coder"};

	a_talk(driver);
	assert_string_equal(history(driver, (struct bh_history){.limit = 2}), "5 6"); // the newest
	assert_string_equal(history(driver, (struct bh_history){.after_seq = 1, .limit = 2}),
	                    "2 3");
	assert_string_equal(history(driver, (struct bh_history){.names = coder,
	                                                        .name_count = 1,
	                                                        .after_seq = 3,
	                                                        .limit = 2}),
	                    "5 6");
	assert_string_equal(
		history(driver,
	                (struct bh_history){.names = coder, .name_count = 1, .after_seq = 2}),
		"3 5 6");
	assert_string_equal(history(driver, (struct bh_history){.names = coder,
	                                                        .name_count = 1,
	                                                        .with = "reviewer",
	                                                        .after_seq = 2}),
	                    "6");
	assert_string_equal(
		history(driver, (struct bh_history){.names = coder, .name_count = 1, .limit = 3}),
		"3 5 6");
	assert_string_equal(history(driver, (struct bh_history){.after_seq = 6}), "");
}

static void long_texts_make_short_pages(void **state)
{
	struct driver *driver = *state;
	char *body = malloc(BH_MESSAGE_BODY_MAX + 1);
	const char *name = "b";
	unsigned seen = 0;

	memset(body, 'x', BH_MESSAGE_BODY_MAX);
	body[BH_MESSAGE_BODY_MAX] = '\0';
	for (unsigned i = 1; i <= 5; i++) {
		assert_int_equal(driver_put(driver, i, "a", "b", body)->code, 0);
	}
	assert_string_equal(history(driver, (struct bh_history){0}), "4 5");
	assert_string_equal(history(driver, (struct bh_history){.after_seq = 1}), "2 3");
	(void)driver_wait(driver, bh_store_peek(driver->store,
	                                        &(struct bh_take){.names = &name, .name_count = 1},
	                                        driver_done, driver, NULL));
	assert_int_equal(driver->outcome.message_count, 2);
	assert_int_equal(driver->outcome.unread_left, 3);
	while (driver_take(driver, BH_CLAIM_INBOX, 0, "b", 0)->claim_id != 0) {
		seen += (unsigned)driver->outcome.message_count; // nothing is skipped
	}
	assert_int_equal(seen, 5);
	free(body);
}

static void peek_marks_nothing(void **state)
{
	struct driver *driver = *state;
	const char *names[] = {"reviewer", "tester"};

	a_talk(driver);
	for (int i = 0; i < 2; i++) {
		const struct outcome *outcome = driver_wait(
			driver, bh_store_peek(driver->store,
		                              &(struct bh_take){
						      .names = names, .name_count = 2, .limit = 3},
		                              driver_done, driver, NULL));

		assert_int_equal(outcome->message_count, 3);
		assert_int_equal(outcome->messages[2].seq, 4);
		assert_int_equal(outcome->unread_left, 1);
		assert_int_equal(outcome->messages[0].ownership, BH_OWNER_NONE);
	}
	assert_string_equal(driver_receipts(driver, 1), "stored");
}

static void receipts_come_with_the_message(void **state)
{
	struct driver *driver = *state;
	const struct outcome *outcome;

	a_talk(driver);
	outcome = driver_wait(driver,
	                      bh_store_receipts(driver->store, "id-4", driver_done, driver, NULL));
	assert_int_equal(outcome->code, 0);
	assert_int_equal(outcome->seq, 4);
	assert_int_equal(outcome->message_count, 1);
	assert_string_equal(outcome->messages[0].mailbox, "reviewer");
	assert_string_equal(outcome->receipts[0].mailbox, "reviewer");
	outcome = driver_wait(driver,
	                      bh_store_receipts(driver->store, "m40", driver_done, driver, NULL));
	assert_int_equal(outcome->code, BH_ENOTFOUND);
	assert_non_null(strstr(outcome->text, "m40"));
	outcome =
		driver_wait(driver, bh_store_resume(driver->store, 40, driver_done, driver, NULL));
	assert_int_equal(outcome->code, BH_ENOTFOUND);
}

// Ranges of all sizes, some of which hold the message, with its mailbox and others.
static void a_message_has_the_ranges_that_hold_it(void **state)
{
	static const int64_t sizes[] = {1,   2,    15,   16,   17,    255,   256,   257,
	                                400, 4095, 4096, 4097, 65535, 65536, 65537, 300000};
	static const char *const moves[] = {"UPDATE message SET seq = 500000 WHERE seq = 4",
	                                    "UPDATE delivery SET seq = 500000 WHERE seq = 4",
	                                    "UPDATE receipt SET seq = 500000 WHERE seq = 4"};
	struct driver *driver = *state;
	struct bh_effects effects = {0};
	struct bh_ledger ledger;
	const struct outcome *outcome;
	size_t wanted = 1; // it was stored

	a_talk(driver);
	driver_close(driver);
	assert_int_equal(bh_ledger_open(&ledger, driver->path, 0, &effects, NULL), 0);
	bh_effects_clear(&effects);
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		assert_int_equal(bh_query_run(&ledger.db, moves[i], ""), 0);
	}
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const int64_t size = sizes[i];
		const int64_t ends[] = {-1, 0, 1, size - 2, size - 1, size}; // behind it

		for (size_t e = 0; e < sizeof(ends) / sizeof(ends[0]); e++) {
			wanted += ends[e] >= 0 && ends[e] < size;
			assert_int_equal(
				bh_query_run(
					&ledger.db,
					"INSERT INTO range_receipt (mailbox, from_seq, to_seq,"
					" at_ms, step, cause) SELECT id, ?1 - ?2 + 1, ?1, 9, 1,"
					" 'x' FROM identity",
					"nn", 500000 + ends[e], size),
				0);
		}
	}
	bh_ledger_close(&ledger);
	assert_int_equal(driver_open(driver, NULL), 0);
	outcome = driver_wait(
		driver, bh_store_receipts(driver->store, "m500000", driver_done, driver, NULL));
	assert_int_equal(outcome->code, 0);
	assert_int_equal(outcome->receipt_count, wanted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(history_is_what_one_sent_and_got),
		driver_test(history_with_one_name),
		driver_test(history_is_paged_forward_and_back),
		driver_test(long_texts_make_short_pages),
		driver_test(peek_marks_nothing),
		driver_test(receipts_come_with_the_message),
		driver_test(a_message_has_the_ranges_that_hold_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
