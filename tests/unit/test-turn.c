#include "src/mail/store_guard.h"
#include "src/mail/turn.h"
#include "tests/unit/mail-driver.h"

#include <stdio.h>
#include <string.h>

// Send @n as the agent in terminal @from, who is called "a1", "a2", ...; gives the hops.
static int send_hops(struct driver *driver, unsigned n, unsigned from, unsigned to,
                     const char *reply_to)
{
	char id[16], sender[16], recipient[16];
	struct bh_put put = {.message_id = id,
	                     .from = sender,
	                     .to = recipient,
	                     .sender = BH_SENDER_AGENT,
	                     .from_terminal = uuid_of(from),
	                     .reply_to = reply_to,
	                     .body = {"text", 4}};
	const struct outcome *outcome;

	(void)snprintf(id, sizeof(id), "n-%u", n);
	(void)snprintf(sender, sizeof(sender), "a%u", from);
	(void)snprintf(recipient, sizeof(recipient), "a%u", to);
	outcome = driver_wait(driver, bh_store_put(driver->store, &put, driver_done, driver, NULL));
	assert_int_equal(outcome->code, 0);
	return bh_store_item(driver->store, recipient, outcome->seq)->hops;
}

// Terminal @n types all mail of its names and proves it.
static void type_all(struct driver *driver, unsigned n)
{
	static const enum bh_phase phases[] = {BH_PHASE_WRITING, BH_PHASE_ECHOED, BH_PHASE_CR_SENT,
	                                       BH_PHASE_PROVED};
	uint64_t claim_id = driver_take(driver, BH_CLAIM_TYPING, n, NULL, 0)->claim_id;

	assert_int_not_equal(claim_id, 0);
	for (size_t i = 0; i < 4; i++) {
		driver_advance(driver, claim_id, phases[i], 0);
	}
}

// Terminal @n reads its inbox.
static void read_all(struct driver *driver, unsigned n)
{
	uint64_t claim_id = driver_take(driver, BH_CLAIM_INBOX, n, NULL, 0)->claim_id;

	assert_int_not_equal(claim_id, 0);
	assert_int_equal(driver_wait(driver, bh_store_confirm(driver->store, claim_id, driver_done,
	                                                      driver, NULL))
	                         ->code,
	                 0);
}

static void person(struct driver *driver, unsigned n)
{
	assert_int_equal(driver_wait(driver, bh_store_person(driver->store, uuid_of(n), driver_done,
	                                                     driver, NULL))
	                         ->code,
	                 0);
}

static void end_turn(struct driver *driver, unsigned n)
{
	assert_int_equal(driver_wait(driver, bh_store_end_turn(driver->store, uuid_of(n),
	                                                       driver_done, driver, NULL))
	                         ->code,
	                 0);
}

static void retire(struct driver *driver, unsigned n)
{
	assert_int_equal(
		driver_wait(driver, bh_store_retire(driver->store,
	                                            &(struct bh_retire){.terminal = uuid_of(n),
	                                                                .exit_status = 0},
	                                            driver_done, driver, NULL))
			->code,
		0);
}

static void bind_two(struct driver *driver)
{
	assert_int_equal(driver_bind(driver, 1, "a1")->code, 0);
	assert_int_equal(driver_bind(driver, 2, "a2")->code, 0);
}

static void a_chain_counts_without_replies(void **state)
{
	struct driver *driver = *state;

	bind_two(driver);
	assert_int_equal(send_hops(driver, 1, 1, 2, NULL), 0);
	for (unsigned i = 0; i < 6; i++) {
		unsigned at = i % 2 == 0 ? 2 : 1;

		if (i % 3 == 0) {
			read_all(driver, at); // told by a notice, or a wait
		} else {
			type_all(driver, at);
		}
		assert_int_equal(send_hops(driver, 10 + i, at, 3 - at, NULL), i + 1);
		end_turn(driver, at);
	}
	driver_check(driver);
}

static void an_answer_before_the_proof_counts_what_was_typed(void **state)
{
	struct driver *driver = *state;
	uint64_t claim_id = 0;

	bind_two(driver);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(send_hops(driver, 1 + i, 1 + i % 2, 2 - i % 2, NULL), (int)i);
		if (i < 2) {
			type_all(driver, 2 - i % 2);
		}
	}
	end_turn(driver, 2);
	claim_id = driver_take(driver, BH_CLAIM_TYPING, 2, NULL, 0)->claim_id;
	driver_advance(driver, claim_id, BH_PHASE_WRITING, 0);
	driver_advance(driver, claim_id, BH_PHASE_ECHOED, 0);
	// Nothing was submitted yet: what is said now comes of something else.
	assert_int_equal(send_hops(driver, 10, 2, 1, NULL), 1);
	driver_advance(driver, claim_id, BH_PHASE_CR_SENT, 0);
	assert_int_equal(send_hops(driver, 11, 2, 1, NULL), 3);
	driver_advance(driver, claim_id, BH_PHASE_PROVED, 0);
	assert_int_equal(send_hops(driver, 12, 2, 1, NULL), 3);
	driver_check(driver);
}

static void a_chain_counts_by_replies_alone(void **state)
{
	struct driver *driver = *state;
	char reply[16];

	assert_int_equal(driver_put(driver, 1, "operator", "a1", "start")->seq, 1);
	for (int i = 1; i < 60; i++) {
		(void)snprintf(reply, sizeof(reply), "m%d", i);
		assert_int_equal(send_hops(driver, (unsigned)i, 1, 2, reply), i);
	}
	// A person's own answer begins anew.
	assert_int_equal(driver_wait(driver, bh_store_put(driver->store,
	                                                  &(struct bh_put){.message_id = "op",
	                                                                   .from = "operator",
	                                                                   .to = "a1",
	                                                                   .reply_to = "m60",
	                                                                   .body = {"x", 1}},
	                                                  driver_done, driver, NULL))
	                         ->seq,
	                 61);
	assert_int_equal(bh_store_item(driver->store, "a1", 61)->hops, 0);
}

static void one_turn_takes_the_longest_chain(void **state)
{
	struct driver *driver = *state;

	bind_two(driver);
	(void)send_hops(driver, 1, 1, 2, NULL);
	read_all(driver, 2);
	assert_int_equal(send_hops(driver, 2, 2, 1, NULL), 1);
	(void)driver_put(driver, 9, "operator", "a1", "and this");
	read_all(driver, 1); // 1 and 0 hops
	assert_int_equal(send_hops(driver, 3, 1, 2, NULL), 2);
	// Mail of a new turn takes the place of the old turn's.
	end_turn(driver, 1);
	assert_int_equal(send_hops(driver, 4, 1, 2, NULL), 2); // what still runs belongs to it
	(void)driver_put(driver, 10, "operator", "a1", "something else");
	type_all(driver, 1);
	assert_int_equal(send_hops(driver, 5, 1, 2, NULL), 1);
}

static void a_person_begins_chains_anew(void **state)
{
	struct driver *driver = *state;
	char reply[24];
	unsigned n = 1;

	bind_two(driver);
	assert_int_equal(send_hops(driver, n++, 1, 2, NULL), 0);
	while (n < 60) {
		unsigned at = n % 2 == 0 ? 2 : 1;

		read_all(driver, at);
		(void)send_hops(driver, n++, at, 3 - at, NULL);
	}
	// Message 59 lies unread in a mailbox, with 58 hops: stopped until a person acts.
	assert_int_equal(bh_store_item(driver->store, "a2", 59)->hops, 58);
	person(driver, 1); // in the sender's terminal
	assert_int_equal(bh_store_item(driver->store, "a2", 59)->hops, 0);
	driver_reopen(driver);
	assert_int_equal(bh_store_item(driver->store, "a2", 59)->hops, 0);
	assert_int_equal(send_hops(driver, n++, 1, 2, NULL), 0);
	// A seen message of before a person's act counts as the start of a chain, in a reply, too.
	(void)snprintf(reply, sizeof(reply), "m%d", 58);
	assert_int_equal(send_hops(driver, n++, 1, 2, reply), 1);
	assert_int_equal(send_hops(driver, n++, 2, 1, reply), 1); // for either side
}

static void an_exit_before_the_end_of_the_turn_returns_its_mail(void **state)
{
	struct driver *driver = *state;

	bind_two(driver);
	(void)send_hops(driver, 1, 1, 2, NULL);
	type_all(driver, 2);
	assert_true(bh_store_terminal(driver->store, uuid_of(2))->has_turn_mail);
	driver_reopen(driver); // the server starts anew meanwhile
	assert_true(bh_store_terminal(driver->store, uuid_of(2))->has_turn_mail);
	assert_null(bh_store_item(driver->store, "a2", 1));
	retire(driver, 2);
	assert_non_null(bh_store_item(driver->store, "a2", 1));
	assert_true(bh_store_item(driver->store, "a2", 1)->is_shown_before);
	assert_string_equal(driver_receipts(driver, 1),
	                    "stored typed(detail) seen(typed) returned(exited)");
	retire(driver, 2); // once only
	driver_check(driver);
}

static void an_exit_after_the_turn_leaves_it_seen(void **state)
{
	struct driver *driver = *state;

	bind_two(driver);
	(void)send_hops(driver, 1, 1, 2, NULL);
	type_all(driver, 2);
	end_turn(driver, 2);
	assert_false(bh_store_terminal(driver->store, uuid_of(2))->has_turn_mail);
	assert_true(bh_store_terminal(driver->store, uuid_of(2))->is_turn_over);
	(void)send_hops(driver, 2, 1, 2, NULL);
	read_all(driver, 2); // not typed: the agent has it in its own hands
	retire(driver, 2);
	assert_null(bh_store_item(driver->store, "a2", 1));
	assert_null(bh_store_item(driver->store, "a2", 2));
}

static void bellhop_says_how_long_its_chain_is(void **state)
{
	struct driver *driver = *state;

	assert_int_equal(
		driver_wait(driver, bh_store_put(driver->store,
	                                         &(struct bh_put){.message_id = "b",
	                                                          .from = "bellhop",
	                                                          .sender = BH_SENDER_BELLHOP,
	                                                          .to = "a1",
	                                                          .hops = 7,
	                                                          .is_quiet = true,
	                                                          .body = {"x", 1}},
	                                         driver_done, driver, NULL))
			->code,
		0);
	assert_int_equal(bh_store_item(driver->store, "a1", 1)->hops, 7);
	assert_true(bh_store_item(driver->store, "a1", 1)->is_quiet);
}

// Mail of bellhop about terminal @about, to a1; gives its hops.
static int letter_hops(struct driver *driver, const char *id, unsigned about)
{
	const struct outcome *outcome =
		driver_wait(driver, bh_store_put(driver->store,
	                                         &(struct bh_put){.message_id = id,
	                                                          .from = "bellhop",
	                                                          .sender = BH_SENDER_BELLHOP,
	                                                          .to = "a1",
	                                                          .from_terminal = uuid_of(about),
	                                                          .body = {"x", 1}},
	                                         driver_done, driver, NULL));

	assert_int_equal(outcome->code, 0);
	return bh_store_item(driver->store, "a1", outcome->seq)->hops;
}

// An agent that starts a child, hears of its end, starts another ... is in a chain, too. Children
// that one turn starts are not: however many there are.
static void what_is_told_of_a_child_follows_the_turn_that_started_it(void **state)
{
	struct driver *driver = *state;
	struct bh_terminal_record record = {.identity = "child"};
	char id[16];

	bind_two(driver);
	memcpy(record.launched_by, uuid_of(1), sizeof(record.launched_by));
	for (unsigned i = 0; i < 5; i++) {
		(void)snprintf(id, sizeof(id), "end-%u", i);
		(void)snprintf(record.identity, sizeof(record.identity), "child-%u", i);
		memcpy(record.uuid, uuid_of(10 + i), sizeof(record.uuid));
		assert_int_equal(
			driver_wait(driver, bh_store_bind(driver->store,
		                                          &(struct bh_bind){.record = &record},
		                                          driver_done, driver, NULL))
				->code,
			0);
		assert_int_equal(letter_hops(driver, id, 10 + i), i);
		type_all(driver, 1);
		end_turn(driver, 1);
	}
	(void)letter_hops(driver, "again", 10);
	assert_int_equal(letter_hops(driver, "other", 10), 0); // born first
	person(driver, 1);
	assert_int_equal(letter_hops(driver, "last", 14), 1);
}

// "Your child failed" - "try again" - "your child failed" ... is a chain like any other.
static void failing_turns_of_a_child_are_a_chain(void **state)
{
	struct driver *driver = *state;
	char id[16];

	bind_two(driver); // a1 speaks to a2, which fails
	assert_int_equal(send_hops(driver, 0, 1, 2, NULL), 0);
	for (int i = 0; i < 4; i++) {
		type_all(driver, 2);
		(void)snprintf(id, sizeof(id), "failed-%d", i);
		assert_int_equal(letter_hops(driver, id, 2), 2 * i + 1);
		type_all(driver, 1);
		assert_int_equal(send_hops(driver, 100 + (unsigned)i, 1, 2, NULL), 2 * i + 2);
	}
}

static void an_acknowledgement_takes_it_too(void **state)
{
	struct driver *driver = *state;
	const char *name = "a2";

	bind_two(driver);
	assert_int_equal(send_hops(driver, 0, 1, 2, NULL), 0);
	assert_int_equal(driver_wait(driver, bh_store_ack(driver->store,
	                                                  &(struct bh_ack){.names = &name,
	                                                                   .name_count = 1,
	                                                                   .ref = "m1",
	                                                                   .how = BH_SEEN_ACK},
	                                                  driver_done, driver, NULL))
	                         ->code,
	                 0);
	assert_int_equal(send_hops(driver, 1, 2, 1, NULL), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(a_chain_counts_without_replies),
		driver_test(an_answer_before_the_proof_counts_what_was_typed),
		driver_test(a_chain_counts_by_replies_alone),
		driver_test(one_turn_takes_the_longest_chain),
		driver_test(a_person_begins_chains_anew),
		driver_test(an_exit_before_the_end_of_the_turn_returns_its_mail),
		driver_test(an_exit_after_the_turn_leaves_it_seen),
		driver_test(bellhop_says_how_long_its_chain_is),
		driver_test(what_is_told_of_a_child_follows_the_turn_that_started_it),
		driver_test(failing_turns_of_a_child_are_a_chain),
		driver_test(an_acknowledgement_takes_it_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
