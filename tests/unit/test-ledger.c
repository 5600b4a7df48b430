#include "tests/unit/mail-driver.h"

#include <stdlib.h>
#include <string.h>

// What a crash leaves: the file as it is, without the goodbye of bh_store_close(). The store under
// test is closed first only because one process at a time may open it; closing changes no row.
static void restart(struct driver *driver)
{
	driver_reopen(driver);
	driver_check(driver);
}

static void terminal_with_mail(struct driver *driver, unsigned n, const char *name)
{
	(void)driver_bind(driver, n, name);
	(void)driver_put(driver, n * 10 + 1, "coder", name, "one");
	(void)driver_put(driver, n * 10 + 2, "coder", name, "two");
}

static void what_readers_held_is_unread_again(void **state)
{
	static const enum bh_claim_kind kinds[] = {BH_CLAIM_INBOX, BH_CLAIM_WAITER,
	                                           BH_CLAIM_CHANNEL};
	struct driver *driver = *state;

	for (unsigned i = 0; i < 3; i++) {
		uint64_t claim_id;

		terminal_with_mail(driver, 1, "reviewer");
		claim_id = driver_take(driver, kinds[i], 1, NULL, 0)->claim_id;
		assert_int_equal(driver->outcome.message_count, 2);
		restart(driver);
		assert_null(bh_store_next_claim(driver->store, NULL));
		assert_int_equal(driver_mailbox(driver, "reviewer")->unread, 2);
		assert_true(bh_mailbox_first(driver_mailbox(driver, "reviewer"))->is_shown_before);
		// A client that comes back with the old claim hears that it has to read again.
		assert_int_equal(driver_wait(driver, bh_store_confirm(driver->store, claim_id,
		                                                      driver_done, driver, NULL))
		                         ->code,
		                 BH_ENOTFOUND);
	}
	assert_string_equal(driver_receipts(driver, 1),
	                    "stored handed_over(inbox) returned(restart) handed_over(waiter) "
	                    "returned(restart) handed_over(channel) returned(restart)");
}

static void an_attempt_is_left_at_its_phase(void **state)
{
	static const enum bh_phase path[] = {BH_PHASE_CLAIMED, BH_PHASE_WRITING, BH_PHASE_ECHOED,
	                                     BH_PHASE_CR_SENT, BH_PHASE_UNCERTAIN};
	struct driver *driver = *state;

	for (unsigned end = 0; end < 5; end++) {
		unsigned n = end + 1;
		char name[] = "reviewer-0";
		const struct bh_claim *claim;
		uint64_t claim_id;

		name[9] = (char)('0' + n);
		terminal_with_mail(driver, n, name);
		claim_id = driver_take(driver, BH_CLAIM_TYPING, n, NULL, 0)->claim_id;
		for (unsigned i = 1; i <= end; i++) {
			driver_advance(driver, claim_id, path[i], 0);
		}
		restart(driver);
		claim = bh_store_attempt(driver->store, uuid_of(n));
		if (end == 0) { // not a byte was written
			assert_null(claim);
			assert_int_equal(driver_mailbox(driver, name)->unread, 2);
			assert_false(
				bh_mailbox_first(driver_mailbox(driver, name))->is_shown_before);
			continue;
		}
		assert_non_null(claim);
		assert_true(claim->is_recovered);
		assert_int_equal(claim->id, claim_id);
		assert_int_equal(claim->phase, path[end]);
		assert_int_equal(claim->kind, BH_CLAIM_TYPING);
		assert_int_equal(claim->item_count, end == 4 ? 0 : 2);
		assert_int_equal(driver_mailbox(driver, name)->unread, end == 4 ? 2 : 0);
		assert_int_equal(bh_mailbox_first(driver_mailbox(driver, name))->typings, 1);
		assert_int_equal(driver_wait(driver, bh_store_resume(driver->store, claim_id,
		                                                     driver_done, driver, NULL))
		                         ->message_count,
		                 2);
		assert_string_equal(driver->outcome.messages[1].body, "two");
		driver_advance(driver, claim_id, end == 4 ? BH_PHASE_PROVED : BH_PHASE_UNCERTAIN,
		               0);
	}
	driver_check(driver);
}

static void a_ring_survives_as_written(void **state)
{
	struct driver *driver = *state;
	uint64_t claim_id;

	terminal_with_mail(driver, 1, "reviewer");
	claim_id = driver_take(driver, BH_CLAIM_NOTICE, 1, NULL, 0)->claim_id;
	restart(driver);
	assert_null(bh_store_claim(driver->store, claim_id));
	claim_id = driver_take(driver, BH_CLAIM_NOTICE, 1, NULL, 0)->claim_id;
	driver_advance(driver, claim_id, BH_PHASE_WRITING, 0);
	restart(driver);
	assert_int_equal(bh_store_claim(driver->store, claim_id)->notice_id, 1);
	assert_int_equal(bh_store_terminal(driver->store, uuid_of(1))->notice.rings, 1);
}

static void claim_numbers_are_never_used_twice(void **state)
{
	struct driver *driver = *state;
	uint64_t before = 0;

	for (int i = 0; i < 3; i++) {
		uint64_t claim_id;

		terminal_with_mail(driver, 1, "reviewer");
		claim_id = driver_take(driver, BH_CLAIM_INBOX, 1, NULL, 0)->claim_id;
		assert_true(claim_id > before);
		assert_true(claim_id < UINT64_C(1) << 53);
		before = claim_id;
		restart(driver);
	}
}

static void a_refused_change_leaves_nothing(void **state)
{
	struct driver *driver = *state;
	struct bh_put put = {.message_id = "x",
	                     .from = "newcomer",
	                     .to = "stranger",
	                     .reply_to = "m99",
	                     .body = bh_span_of("x")};

	assert_int_equal(
		driver_wait(driver, bh_store_put(driver->store, &put, driver_done, driver, NULL))
			->code,
		BH_ENOTFOUND);
	assert_null(bh_store_mailbox(driver->store, "newcomer"));
	restart(driver);
	assert_null(bh_store_mailbox(driver->store, "newcomer"));
	assert_null(bh_store_mailbox(driver->store, "stranger"));
	assert_int_equal(driver_put(driver, 1, "a", "b", "x")->seq, 1); // no number was lost
}

static void the_standing_mailboxes_are_there(void **state)
{
	struct driver *driver = *state;

	assert_int_equal(driver_mailbox(driver, "Operator")->kind, BH_IDENTITY_OPERATOR);
	assert_int_equal(driver_mailbox(driver, "operator")->id, BH_LEDGER_OPERATOR_ID);
	assert_int_equal(driver_mailbox(driver, "bellhop")->id, BH_LEDGER_BELLHOP_ID);
	assert_int_equal(driver_put(driver, 1, "bellhop", "operator", "x")->code, 0);
	assert_int_equal(driver_mailbox(driver, "operator")->unread, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(what_readers_held_is_unread_again),
		driver_test(an_attempt_is_left_at_its_phase),
		driver_test(a_ring_survives_as_written),
		driver_test(claim_numbers_are_never_used_twice),
		driver_test(a_refused_change_leaves_nothing),
		driver_test(the_standing_mailboxes_are_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
