#include "tests/unit/mail-driver.h"

#include <stdio.h>
#include <string.h>

static const struct bh_notice *notice_of(struct driver *driver, unsigned n)
{
	return &bh_store_terminal(driver->store, uuid_of(n))->notice;
}

static void reviewer_with_mail(struct driver *driver)
{
	(void)driver_bind(driver, 1, "reviewer");
	(void)driver_put(driver, 1, "coder", "reviewer", "one");
}

// Ring in terminal 1 to the end: @phase is PROVED or UNCERTAIN.
static uint64_t ring(struct driver *driver, enum bh_phase phase)
{
	uint64_t claim_id = driver_take(driver, BH_CLAIM_NOTICE, 1, NULL, 0)->claim_id;

	assert_int_equal(driver->outcome.code, 0);
	assert_int_not_equal(claim_id, 0);
	driver_advance(driver, claim_id, BH_PHASE_WRITING, 0);
	driver_advance(driver, claim_id, BH_PHASE_ECHOED, 0);
	driver_advance(driver, claim_id, BH_PHASE_CR_SENT, 0);
	driver_advance(driver, claim_id, phase, 0);
	return claim_id;
}

static void read_all(struct driver *driver)
{
	uint64_t claim_id = driver_take(driver, BH_CLAIM_INBOX, 1, NULL, 0)->claim_id;

	assert_int_equal(driver_wait(driver, bh_store_confirm(driver->store, claim_id, driver_done,
	                                                      driver, NULL))
	                         ->code,
	                 0);
}

static void park(struct driver *driver, bool is_parked)
{
	int code = is_parked
	                   ? bh_store_park(driver->store, uuid_of(1), driver_done, driver, NULL)
	                   : bh_store_unpark(driver->store, uuid_of(1), driver_done, driver, NULL);

	assert_int_equal(driver_wait(driver, code)->code, 0);
}

static void a_notice_rings_at_most_twice(void **state)
{
	struct driver *driver = *state;

	reviewer_with_mail(driver);
	assert_int_equal(notice_of(driver, 1)->id, 0);
	(void)ring(driver, BH_PHASE_PROVED);
	assert_int_equal(notice_of(driver, 1)->rings, 1);
	assert_true(notice_of(driver, 1)->proved_ms > 0);
	assert_true(notice_of(driver, 1)->last_ring_ms > 0);
	(void)driver_put(driver, 2, "coder", "reviewer", "joins silently");
	(void)ring(driver, BH_PHASE_PROVED);
	assert_int_equal(notice_of(driver, 1)->rings, 2);
	assert_int_equal(driver_take(driver, BH_CLAIM_NOTICE, 1, NULL, 0)->code, BH_EDENIED);
	assert_non_null(strstr(driver->outcome.text, "n1"));
	assert_string_equal(driver_receipts(driver, 1), "stored noticed(n1)");
	assert_string_equal(driver_receipts(driver, 2), "stored noticed(n1)");
	driver_reopen(driver);
	assert_int_equal(notice_of(driver, 1)->rings, 2);
	assert_int_equal(driver_take(driver, BH_CLAIM_NOTICE, 1, NULL, 0)->code, BH_EDENIED);
}

static void refusals_cost_nothing(void **state)
{
	struct driver *driver = *state;

	reviewer_with_mail(driver);
	for (int i = 0; i < 5; i++) {
		uint64_t claim_id = driver_take(driver, BH_CLAIM_NOTICE, 1, NULL, 0)->claim_id;

		assert_int_not_equal(claim_id, 0);
		assert_int_equal(driver->outcome.notice_id, 1);
		driver_advance(driver, claim_id, BH_PHASE_WITHDRAWN, 0);
	}
	assert_int_equal(notice_of(driver, 1)->rings, 0);
	assert_string_equal(driver_receipts(driver, 1), "stored");
}

static void a_complete_read_closes_the_group(void **state)
{
	struct driver *driver = *state;

	reviewer_with_mail(driver);
	(void)ring(driver, BH_PHASE_PROVED);
	read_all(driver);
	assert_int_equal(notice_of(driver, 1)->state, BH_NOTICE_CLOSED);
	assert_true(notice_of(driver, 1)->closed_ms > 0); // what a reader who comes late hears
	assert_int_equal(driver_take(driver, BH_CLAIM_NOTICE, 1, NULL, 0)->claim_id, 0);
	(void)driver_put(driver, 2, "coder", "reviewer", "two");
	(void)ring(driver, BH_PHASE_PROVED);
	assert_int_equal(notice_of(driver, 1)->id, 2); // a new group, a whole budget
	assert_int_equal(notice_of(driver, 1)->rings, 1);
	assert_string_equal(driver_receipts(driver, 2), "stored noticed(n2)");
}

static void mail_that_came_during_a_complete_read_is_a_new_group(void **state)
{
	struct driver *driver = *state;
	uint64_t claim_id;

	reviewer_with_mail(driver);
	(void)ring(driver, BH_PHASE_PROVED);
	claim_id = driver_take(driver, BH_CLAIM_INBOX, 1, NULL, 0)->claim_id;
	(void)driver_put(driver, 2, "coder", "reviewer", "two");
	(void)driver_wait(driver,
	                  bh_store_confirm(driver->store, claim_id, driver_done, driver, NULL));
	assert_int_equal(notice_of(driver, 1)->state, BH_NOTICE_CLOSED);
	assert_int_equal(driver_take(driver, BH_CLAIM_NOTICE, 1, NULL, 0)->notice_id, 2);
}

static void what_a_page_leaves_is_a_new_group(void **state)
{
	struct driver *driver = *state;
	uint64_t claim_id;

	reviewer_with_mail(driver);
	(void)driver_put(driver, 2, "coder", "reviewer", "two");
	(void)ring(driver, BH_PHASE_PROVED);
	(void)ring(driver, BH_PHASE_PROVED);
	park(driver, true);
	claim_id = driver_take(driver, BH_CLAIM_INBOX, 1, NULL, 1)->claim_id;
	assert_int_equal(notice_of(driver, 1)->state, BH_NOTICE_PARKED); // nothing is read yet
	(void)driver_wait(driver,
	                  bh_store_confirm(driver->store, claim_id, driver_done, driver, NULL));
	assert_int_equal(notice_of(driver, 1)->state, BH_NOTICE_CLOSED);
	// Nobody is to hear that all of it was read.
	assert_int_equal(notice_of(driver, 1)->closed_ms, 0);
	(void)ring(driver, BH_PHASE_PROVED);
	assert_int_equal(notice_of(driver, 1)->id, 2);
	assert_int_equal(notice_of(driver, 1)->rings, 1);
	read_all(driver);
	assert_int_equal(notice_of(driver, 1)->state, BH_NOTICE_CLOSED);
	assert_true(notice_of(driver, 1)->closed_ms > 0);
}

static void one_name_read_alone_leaves_a_new_group(void **state)
{
	struct driver *driver = *state;
	uint64_t claim_id;

	reviewer_with_mail(driver);
	(void)driver_wait(driver, bh_store_announce(driver->store,
	                                            &(struct bh_announce){.terminal = uuid_of(1),
	                                                                  .name = "checker"},
	                                            driver_done, driver, NULL));
	(void)driver_put(driver, 2, "coder", "checker", "two");
	(void)ring(driver, BH_PHASE_PROVED);
	claim_id = driver_take(driver, BH_CLAIM_INBOX, 1, "checker", 0)->claim_id;
	(void)driver_wait(driver,
	                  bh_store_confirm(driver->store, claim_id, driver_done, driver, NULL));
	assert_int_equal(notice_of(driver, 1)->state, BH_NOTICE_CLOSED);
	assert_int_equal(driver_take(driver, BH_CLAIM_NOTICE, 1, NULL, 0)->notice_id, 2);
}

static void the_last_ack_closes_the_group(void **state)
{
	struct driver *driver = *state;
	const char *name = "reviewer";

	reviewer_with_mail(driver);
	(void)driver_put(driver, 2, "coder", "reviewer", "two");
	(void)ring(driver, BH_PHASE_PROVED);
	for (int i = 1; i <= 2; i++) {
		assert_int_equal(notice_of(driver, 1)->state, BH_NOTICE_OPEN);
		(void)driver_wait(driver, bh_store_ack(driver->store,
		                                       &(struct bh_ack){.names = &name,
		                                                        .name_count = 1,
		                                                        .ref = i == 1 ? "m1" : "m2",
		                                                        .how = BH_SEEN_ACK},
		                                       driver_done, driver, NULL));
	}
	assert_int_equal(notice_of(driver, 1)->state, BH_NOTICE_CLOSED);
}

static void a_parked_notice_rings_only_for_a_person(void **state)
{
	struct driver *driver = *state;

	reviewer_with_mail(driver);
	park(driver, true); // nothing to park
	(void)ring(driver, BH_PHASE_PROVED);
	park(driver, true);
	park(driver, true);
	assert_int_equal(notice_of(driver, 1)->state, BH_NOTICE_PARKED);
	assert_int_equal(driver_take(driver, BH_CLAIM_NOTICE, 1, NULL, 0)->code, BH_EDENIED);
	assert_string_equal(driver_receipts(driver, 1), "stored noticed(n1) parked(n1)");
	park(driver, false);
	assert_int_equal(notice_of(driver, 1)->rings, 0);
	(void)ring(driver, BH_PHASE_PROVED);
	park(driver, true);
	read_all(driver); // a read opens the way again
	assert_int_equal(notice_of(driver, 1)->state, BH_NOTICE_CLOSED);
	park(driver, false);
	assert_int_equal(notice_of(driver, 1)->state, BH_NOTICE_CLOSED);
}

static void an_uncertain_ring_counts_and_blocks(void **state)
{
	struct driver *driver = *state;
	uint64_t claim_id;

	reviewer_with_mail(driver);
	claim_id = ring(driver, BH_PHASE_UNCERTAIN);
	assert_int_equal(notice_of(driver, 1)->rings, 1);
	assert_int_equal(notice_of(driver, 1)->proved_ms, 0);
	assert_int_equal(driver_take(driver, BH_CLAIM_NOTICE, 1, NULL, 0)->code, BH_EBUSY);
	driver_advance(driver, claim_id, BH_PHASE_WITHDRAWN, 0);
	(void)ring(driver, BH_PHASE_PROVED);
	assert_int_equal(notice_of(driver, 1)->rings, 2);
}

static void one_row_tells_a_whole_mailbox(void **state)
{
	struct driver *driver = *state;

	(void)driver_bind(driver, 1, "reviewer");
	for (unsigned i = 1; i <= 50; i++) {
		(void)driver_put(driver, i, "coder", "reviewer", "x");
	}
	(void)ring(driver, BH_PHASE_PROVED);
	assert_string_equal(driver_receipts(driver, 1), "stored noticed(n1)");
	assert_string_equal(driver_receipts(driver, 50), "stored noticed(n1)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(a_notice_rings_at_most_twice),
		driver_test(refusals_cost_nothing),
		driver_test(a_complete_read_closes_the_group),
		driver_test(mail_that_came_during_a_complete_read_is_a_new_group),
		driver_test(what_a_page_leaves_is_a_new_group),
		driver_test(one_name_read_alone_leaves_a_new_group),
		driver_test(the_last_ack_closes_the_group),
		driver_test(a_parked_notice_rings_only_for_a_person),
		driver_test(an_uncertain_ring_counts_and_blocks),
		driver_test(one_row_tells_a_whole_mailbox),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
