#include "tests/unit/mail-driver.h"

#include "src/mail/custody.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A reviewer in terminal 1 with mail m1 "one" and m2 "two".
static void reviewer_with_mail(struct driver *driver)
{
	assert_int_equal(driver_bind(driver, 1, "reviewer")->code, 0);
	assert_int_equal(driver_put(driver, 1, "coder", "reviewer", "one")->seq, 1);
	assert_int_equal(driver_put(driver, 2, "coder", "reviewer", "two")->seq, 2);
}

static int confirm(struct driver *driver, uint64_t claim_id)
{
	return driver_wait(driver,
	                   bh_store_confirm(driver->store, claim_id, driver_done, driver, NULL))
	        ->code;
}

static int release(struct driver *driver, uint64_t claim_id, bool was_shown)
{
	return driver_wait(driver, bh_store_release(driver->store,
	                                            &(struct bh_release){.claim_id = claim_id,
	                                                                 .was_shown = was_shown,
	                                                                 .why = "gone"},
	                                            driver_done, driver, NULL))
	        ->code;
}

static void pages_never_skip(void **state)
{
	struct driver *driver = *state;
	const struct outcome *outcome;
	char body[8];

	(void)driver_bind(driver, 1, "reviewer");
	for (unsigned i = 1; i <= 25; i++) {
		(void)snprintf(body, sizeof(body), "%u", i);
		(void)driver_put(driver, i, "coder", "reviewer", body);
	}
	for (unsigned page = 0; page < 3; page++) {
		outcome = driver_take(driver, BH_CLAIM_INBOX, 1, NULL, 10);
		assert_int_equal(outcome->message_count, page < 2 ? 10 : 5);
		assert_int_equal(outcome->messages[0].seq, page * 10 + 1);
		assert_int_equal(outcome->unread_left, page == 0 ? 15 : page == 1 ? 5 : 0);
		assert_int_equal(bh_store_claim(driver->store, outcome->claim_id)->is_complete,
		                 page == 2);
		assert_int_equal(confirm(driver, outcome->claim_id), 0);
	}
	outcome = driver_take(driver, BH_CLAIM_INBOX, 1, NULL, 10);
	assert_int_equal(outcome->code, 0);
	assert_int_equal(outcome->claim_id, 0);
	assert_int_equal(outcome->message_count, 0);
	driver_check(driver);
}

static void a_message_has_one_owner(void **state)
{
	struct driver *driver = *state;
	uint64_t first, second;

	reviewer_with_mail(driver);
	first = driver_take(driver, BH_CLAIM_INBOX, 1, NULL, 1)->claim_id;
	second = driver_take(driver, BH_CLAIM_WAITER, 1, NULL, 0)->claim_id;
	assert_int_equal(driver->outcome.message_count, 1);
	assert_int_equal(driver->outcome.messages[0].seq, 2);
	assert_int_equal(release(driver, first, false), 0);
	assert_int_equal(confirm(driver, first), BH_ENOTFOUND);
	assert_non_null(strstr(driver->outcome.text, "read the inbox again"));
	assert_int_equal(release(driver, first, false), BH_ENOTFOUND);
	assert_int_equal(confirm(driver, second), 0);
	assert_int_equal(driver_mailbox(driver, "reviewer")->unread, 1);
	assert_false(bh_mailbox_first(driver_mailbox(driver, "reviewer"))->is_shown_before);
	assert_string_equal(driver_receipts(driver, 1), "stored handed_over(inbox) returned(gone)");
	assert_string_equal(driver_receipts(driver, 2), "stored handed_over(waiter) seen(waiter)");
	driver_check(driver);
}

static void what_was_shown_is_marked(void **state)
{
	struct driver *driver = *state;

	reviewer_with_mail(driver);
	(void)driver_take(driver, BH_CLAIM_CHANNEL, 1, NULL, 0);
	assert_int_equal(release(driver, driver->outcome.claim_id, true), 0);
	(void)driver_take(driver, BH_CLAIM_INBOX, 1, NULL, 0);
	assert_true(driver->outcome.messages[0].is_shown_before);
	assert_true(driver->outcome.messages[1].is_shown_before);
	assert_int_equal(driver->outcome.messages[0].seq, 1); // oldest first again
}

static void all_names_of_a_terminal_are_read_in_order(void **state)
{
	struct driver *driver = *state;

	(void)driver_bind(driver, 1, "reviewer");
	assert_int_equal(
		driver_wait(driver, bh_store_announce(driver->store,
	                                              &(struct bh_announce){.terminal = uuid_of(1),
	                                                                    .name = "checker"},
	                                              driver_done, driver, NULL))
			->code,
		0);
	(void)driver_put(driver, 1, "coder", "checker", "1");
	(void)driver_put(driver, 2, "coder", "reviewer", "2");
	(void)driver_put(driver, 3, "coder", "checker", "3");
	(void)driver_put(driver, 4, "coder", "somebody", "4");
	(void)driver_take(driver, BH_CLAIM_INBOX, 1, NULL, 2);
	assert_int_equal(driver->outcome.message_count, 2);
	assert_string_equal(driver->outcome.messages[0].mailbox, "checker");
	assert_string_equal(driver->outcome.messages[1].mailbox, "reviewer");
	assert_int_equal(driver->outcome.unread_left, 1);
	assert_false(bh_store_claim(driver->store, driver->outcome.claim_id)->is_complete);
}

static void texts_must_fit_together(void **state)
{
	struct driver *driver = *state;
	struct bh_take take = {.kind = BH_CLAIM_TYPING, .terminal = uuid_of(1), .body_max = 6};
	const struct outcome *outcome;

	reviewer_with_mail(driver);
	(void)driver_put(driver, 3, "coder", "reviewer", "x");
	outcome =
		driver_wait(driver, bh_store_take(driver->store, &take, driver_done, driver, NULL));
	assert_int_equal(outcome->message_count, 2); // 3 + 3 bytes; the third may not overtake
	driver_advance(driver, outcome->claim_id, BH_PHASE_WITHDRAWN, 0);
	take.body_max = 2;
	outcome =
		driver_wait(driver, bh_store_take(driver->store, &take, driver_done, driver, NULL));
	assert_int_equal(outcome->claim_id, 0); // too long to type: a notice is due
	take.body_max = 0;
	take.lines_max = 2;
	outcome =
		driver_wait(driver, bh_store_take(driver->store, &take, driver_done, driver, NULL));
	assert_int_equal(outcome->message_count, 2);
	driver_advance(driver, outcome->claim_id, BH_PHASE_WITHDRAWN, 0);
	take.kind = BH_CLAIM_INBOX;
	take.lines_max = 0;
	take.body_max = 1;
	outcome =
		driver_wait(driver, bh_store_take(driver->store, &take, driver_done, driver, NULL));
	assert_int_equal(outcome->message_count, 1); // a reader always gets the first
	driver_check(driver);
}

static void a_proved_attempt_is_seen(void **state)
{
	struct driver *driver = *state;
	uint64_t claim_id;

	reviewer_with_mail(driver);
	claim_id = driver_take(driver, BH_CLAIM_TYPING, 1, NULL, 0)->claim_id;
	assert_ptr_equal(bh_store_attempt(driver->store, uuid_of(1)),
	                 bh_store_claim(driver->store, claim_id));
	assert_int_equal(driver_take(driver, BH_CLAIM_TYPING, 1, NULL, 0)->code, BH_EBUSY);
	assert_int_equal(driver_take(driver, BH_CLAIM_NOTICE, 1, NULL, 0)->code, BH_EBUSY);
	driver_advance(driver, claim_id, BH_PHASE_ECHOED, BH_EINVALID); // nothing was written
	driver_advance(driver, claim_id, BH_PHASE_WRITING, 0);
	assert_int_equal(bh_mailbox_first(driver_mailbox(driver, "reviewer"))->typings, 1);
	driver_advance(driver, claim_id, BH_PHASE_ECHOED, 0);
	driver_advance(driver, claim_id, BH_PHASE_CR_SENT, 0);
	assert_int_equal(bh_store_claim(driver->store, claim_id)->phase, BH_PHASE_CR_SENT);
	driver_advance(driver, claim_id, BH_PHASE_PROVED, 0);
	assert_null(bh_store_claim(driver->store, claim_id));
	driver_advance(driver, claim_id, BH_PHASE_PROVED, BH_ENOTFOUND);
	assert_string_equal(driver_receipts(driver, 2), "stored typed(detail) seen(typed)");
	assert_int_equal(driver_mailbox(driver, "reviewer")->claimed, 0);
	driver_check(driver);
}

static void readers_and_attempts_do_not_mix(void **state)
{
	struct driver *driver = *state;
	uint64_t claim_id;

	reviewer_with_mail(driver);
	claim_id = driver_take(driver, BH_CLAIM_INBOX, 1, NULL, 1)->claim_id;
	driver_advance(driver, claim_id, BH_PHASE_WRITING, BH_EINVALID);
	// Nothing overtakes what a reader holds: it may be unread again.
	assert_int_equal(driver_take(driver, BH_CLAIM_TYPING, 1, NULL, 0)->claim_id, 0);
	assert_int_equal(driver_take(driver, BH_CLAIM_CHANNEL, 1, NULL, 0)->claim_id, 0);
	assert_int_equal(release(driver, claim_id, false), 0);
	claim_id = driver_take(driver, BH_CLAIM_TYPING, 1, NULL, 0)->claim_id;
	assert_int_equal(confirm(driver, claim_id), BH_EINVALID);
	assert_int_equal(release(driver, claim_id, false), BH_EINVALID);
	driver_check(driver);
}

// The gate closed between the commit and the first byte: that costs nothing.
static void an_attempt_that_wrote_nothing_does_not_count(void **state)
{
	struct driver *driver = *state;
	struct bh_advance advance = {
		.phase = BH_PHASE_WITHDRAWN, .detail = "gate", .was_unwritten = true};

	reviewer_with_mail(driver);
	for (int i = 0; i < 5; i++) {
		enum bh_claim_kind kind = i % 2 == 0 ? BH_CLAIM_TYPING : BH_CLAIM_NOTICE;

		advance.claim_id = driver_take(driver, kind, 1, NULL, 0)->claim_id;
		assert_int_not_equal(advance.claim_id, 0);
		driver_advance(driver, advance.claim_id, BH_PHASE_WRITING, 0);
		assert_int_equal(driver_wait(driver, bh_store_advance(driver->store, &advance,
		                                                      driver_done, driver, NULL))
		                         ->code,
		                 0);
	}
	assert_int_equal(bh_mailbox_first(driver_mailbox(driver, "reviewer"))->typings, 0);
	assert_int_equal(bh_store_terminal(driver->store, uuid_of(1))->notice.rings, 0);
	driver_check(driver);
}

// Bring an attempt on all mail of terminal 1 to `uncertain`.
static uint64_t uncertain_attempt(struct driver *driver)
{
	uint64_t claim_id = driver_take(driver, BH_CLAIM_TYPING, 1, NULL, 0)->claim_id;

	driver_advance(driver, claim_id, BH_PHASE_WRITING, 0);
	driver_advance(driver, claim_id, BH_PHASE_ECHOED, 0);
	driver_advance(driver, claim_id, BH_PHASE_CR_SENT, 0);
	driver_advance(driver, claim_id, BH_PHASE_UNCERTAIN, 0);
	return claim_id;
}

static void uncertain_mail_is_unread_but_not_typed(void **state)
{
	struct driver *driver = *state;
	uint64_t claim_id, reader;

	reviewer_with_mail(driver);
	claim_id = uncertain_attempt(driver);
	assert_int_equal(driver_mailbox(driver, "reviewer")->unread, 2);
	assert_int_equal(driver_take(driver, BH_CLAIM_TYPING, 1, NULL, 0)->code, BH_EBUSY);
	reader = driver_take(driver, BH_CLAIM_WAITER, 1, NULL, 1)->claim_id; // m1
	assert_int_equal(driver->outcome.message_count, 1);
	driver_check(driver);
	assert_int_equal(driver_wait(driver, bh_store_resume(driver->store, claim_id, driver_done,
	                                                     driver, NULL))
	                         ->message_count,
	                 2);
	// Only the CR was missing: what the waiter did not take is ours again.
	driver_advance(driver, claim_id, BH_PHASE_CR_SENT, 0);
	assert_int_equal(bh_store_claim(driver->store, claim_id)->item_count, 1);
	driver_check(driver);
	// The proof names both, so the reader's copy was the second showing.
	driver_advance(driver, claim_id, BH_PHASE_PROVED, 0);
	assert_int_equal(confirm(driver, reader), 0);
	assert_string_equal(driver_receipts(driver, 2),
	                    "stored unproved(detail) typed(detail) seen(typed)");
	assert_int_equal(driver_mailbox(driver, "reviewer")->unread, 0);
	driver_check(driver);
}

static void nothing_is_typed_a_third_time(void **state)
{
	struct driver *driver = *state;

	reviewer_with_mail(driver);
	for (int i = 0; i < BH_ITEM_TYPINGS_MAX; i++) {
		uint64_t claim_id = uncertain_attempt(driver);

		assert_int_not_equal(claim_id, 0);
		driver_advance(driver, claim_id, BH_PHASE_WITHDRAWN, 0);
	}
	(void)driver_put(driver, 3, "coder", "reviewer", "behind them");
	assert_int_equal(driver_take(driver, BH_CLAIM_TYPING, 1, NULL, 0)->claim_id, 0);
	assert_int_equal(driver_take(driver, BH_CLAIM_INBOX, 1, NULL, 0)->message_count, 3);
	driver_check(driver);
}

static void a_claim_without_a_byte_costs_nothing(void **state)
{
	struct driver *driver = *state;

	reviewer_with_mail(driver);
	for (int i = 0; i < 5; i++) {
		uint64_t claim_id = driver_take(driver, BH_CLAIM_TYPING, 1, NULL, 0)->claim_id;

		assert_int_not_equal(claim_id, 0);
		driver_advance(driver, claim_id, BH_PHASE_WITHDRAWN, 0);
	}
	assert_string_equal(driver_receipts(driver, 1), "stored");
	assert_int_equal(bh_mailbox_first(driver_mailbox(driver, "reviewer"))->typings, 0);
	assert_false(bh_mailbox_first(driver_mailbox(driver, "reviewer"))->is_shown_before);
}

static void an_attempt_needs_a_terminal(void **state)
{
	struct driver *driver = *state;

	reviewer_with_mail(driver);
	assert_int_equal(driver_take(driver, BH_CLAIM_TYPING, 0, "reviewer", 0)->code, BH_EINVALID);
	assert_int_equal(driver_take(driver, BH_CLAIM_INBOX, 0, "nobody", 0)->claim_id, 0);
	assert_int_equal(driver_take(driver, BH_CLAIM_INBOX, 0, NULL, 0)->claim_id, 0);
}

static void cut_and_sort_keep_the_order(void **state)
{
	struct bh_custody_items items = {0};
	static const uint64_t order[] = {4, 1, 3, 1, 2, 4};

	(void)state;
	bh_custody_sort(&items);
	for (size_t i = 0; i < 6; i++) {
		struct bh_custody_item item = {.seq = order[i], .body_len = 10, .body_lines = 2};

		bh_custody_add(&items, &item);
	}
	bh_custody_sort(&items);
	assert_int_equal(items.count, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(items.rows[i].seq, i + 1);
	}
	bh_custody_cut(&items, 0, 0, false);
	assert_int_equal(items.count, 4);
	bh_custody_cut(&items, 30, 0, false);
	assert_int_equal(items.count, 3);
	bh_custody_cut(&items, 0, 5, false);
	assert_int_equal(items.count, 2);
	bh_custody_cut(&items, 5, 0, true);
	assert_int_equal(items.count, 1);
	bh_custody_cut(&items, 5, 0, false);
	assert_int_equal(items.count, 0);
	free(items.rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(pages_never_skip),
		driver_test(a_message_has_one_owner),
		driver_test(what_was_shown_is_marked),
		driver_test(all_names_of_a_terminal_are_read_in_order),
		driver_test(texts_must_fit_together),
		driver_test(a_proved_attempt_is_seen),
		driver_test(readers_and_attempts_do_not_mix),
		driver_test(an_attempt_that_wrote_nothing_does_not_count),
		driver_test(uncertain_mail_is_unread_but_not_typed),
		driver_test(nothing_is_typed_a_third_time),
		driver_test(a_claim_without_a_byte_costs_nothing),
		driver_test(an_attempt_needs_a_terminal),
		cmocka_unit_test(cut_and_sort_keep_the_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
