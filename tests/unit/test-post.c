#include "tests/unit/mail-driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One send with everything that can be said.
static const struct outcome *put(struct driver *driver, struct bh_put put)
{
	if (put.message_id == NULL) {
		put.message_id = "full";
	}
	put.from = put.from == NULL ? "coder" : put.from;
	put.to = put.to == NULL ? "reviewer" : put.to;
	put.body = put.body.data == NULL ? bh_span_of("text") : put.body;
	return driver_wait(driver, bh_store_put(driver->store, &put, driver_done, driver, NULL));
}

static void all_fields_are_kept(void **state)
{
	struct driver *driver = *state;
	const char *name = "reviewer";
	const struct bh_message *message;

	(void)driver_put(driver, 1, "reviewer", "coder", "question");
	(void)put(driver, (struct bh_put){.message_id = "opens", .task_id = "t-1"});
	assert_int_equal(put(driver, (struct bh_put){.sender = BH_SENDER_EXTERNAL,
	                                             .from_terminal = uuid_of(4),
	                                             .is_by_token = true,
	                                             .reply_to = "id-1",
	                                             .task_id = "t-1",
	                                             .task_status = BH_TASK_WORKING,
	                                             .body = {"a\0b\n", 4}})
	                         ->code,
	                 0);
	driver_reopen(driver);
	assert_int_equal(driver_wait(driver, bh_store_peek(driver->store,
	                                                   &(struct bh_take){.names = &name,
	                                                                     .name_count = 1},
	                                                   driver_done, driver, NULL))
	                         ->message_count,
	                 2);
	message = &driver->outcome.messages[1];
	assert_int_equal(message->seq, 3);
	assert_string_equal(message->message_id, "full");
	assert_string_equal(message->from, "coder");
	assert_string_equal(message->to, "reviewer");
	assert_string_equal(message->mailbox, "reviewer");
	assert_string_equal(message->from_terminal, uuid_of(4));
	assert_int_equal(message->sender, BH_SENDER_EXTERNAL);
	assert_true(message->is_by_token);
	assert_int_equal(message->reply_to, 1);
	assert_string_equal(message->task_id, "t-1");
	assert_int_equal(message->task_status, BH_TASK_WORKING);
	assert_int_equal(message->body_len, 4);
	assert_int_equal(message->body_lines, 1);
	assert_true(message->created_ms > 1500000000000);
	assert_int_equal(message->ownership, BH_OWNER_NONE);
}

static void the_same_message_is_answered_again_for_ever(void **state)
{
	struct driver *driver = *state;
	const struct outcome *outcome;

	assert_int_equal(put(driver, (struct bh_put){0})->seq, 1);
	for (int round = 0; round < 2; round++) {
		outcome = put(driver, (struct bh_put){.to = "REVIEWER"});
		assert_int_equal(outcome->code, 0);
		assert_true(outcome->is_replay);
		assert_int_equal(outcome->seq, 1);
		assert_string_equal(outcome->name, "reviewer");
		assert_int_equal(outcome->message_count, 1);
		assert_int_equal(driver_mailbox(driver, "reviewer")->unread, 1);
		driver_reopen(driver);
	}
	outcome = driver_take(driver, BH_CLAIM_INBOX, 0, "reviewer", 0);
	(void)driver_wait(driver, bh_store_confirm(driver->store, outcome->claim_id, driver_done,
	                                           driver, NULL));
	outcome = put(driver, (struct bh_put){0});
	assert_true(outcome->is_replay);
	assert_int_equal(outcome->messages[0].ownership, BH_OWNER_SEEN); // its standing now
	assert_int_equal(outcome->messages[0].seen_how, BH_SEEN_INBOX);
	assert_int_equal(driver_mailbox(driver, "reviewer")->unread, 0);
}

static void other_content_under_a_known_id_is_a_conflict(void **state)
{
	struct driver *driver = *state;
	const struct bh_put others[] = {
		{.body = bh_span_of("other text")},
		{.to = "tester"},
		{.from = "tester"},
		{.task_id = "t", .task_status = BH_TASK_WORKING},
		{.body = {"", 0}},
		{.reply_to = "m1"},
	};

	assert_int_equal(put(driver, (struct bh_put){0})->code, 0);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		const struct outcome *outcome = put(driver, others[i]);

		assert_int_equal(outcome->code, BH_EEXISTS);
		assert_non_null(strstr(outcome->text, "new id"));
		assert_false(outcome->is_replay);
		driver_reopen(driver);
	}
	assert_int_equal(driver_mailbox(driver, "reviewer")->unread, 1);
	assert_null(bh_store_mailbox(driver->store, "tester")); // nothing of a refusal stays
	// Nor is one the same that leaves something out.
	assert_int_equal(put(driver, (struct bh_put){.message_id = "b", .reply_to = "m1"})->code,
	                 0);
	assert_int_equal(put(driver, (struct bh_put){.message_id = "b"})->code, BH_EEXISTS);
}

static void a_first_claim_comes_in_the_same_transaction(void **state)
{
	struct driver *driver = *state;
	const char *name = "reviewer";
	struct bh_take take = {
		.kind = BH_CLAIM_WAITER, .names = &name, .name_count = 1, .lease_ms = 60000};
	const struct outcome *outcome;

	(void)driver_put(driver, 1, "coder", "reviewer", "older");
	outcome = put(driver, (struct bh_put){.take = &take});
	assert_int_equal(outcome->code, 0);
	assert_int_not_equal(outcome->claim_id, 0);
	assert_int_equal(outcome->message_count, 3);
	assert_int_equal(outcome->messages[0].seq, 2); // the stored one
	assert_string_equal(outcome->messages[1].body, "older");
	assert_string_equal(outcome->messages[2].body, "text");
	assert_int_equal(outcome->unread_left, 0);
	assert_int_equal(driver_mailbox(driver, "reviewer")->claimed, 2);
	assert_int_equal(driver->answered, 2);
	outcome = put(driver, (struct bh_put){.take = &take}); // a replay claims nothing
	assert_true(outcome->is_replay);
	assert_int_equal(outcome->claim_id, 0);
	driver_check(driver);
}

static void what_cannot_be_is_refused_with_words(void **state)
{
	struct driver *driver = *state;
	const struct outcome *outcome = put(driver, (struct bh_put){.reply_to = "m77"});
	char *body = calloc(1, BH_MESSAGE_BODY_MAX + 1);

	assert_int_equal(outcome->code, BH_ENOTFOUND);
	assert_non_null(strstr(outcome->text, "m77"));
	assert_int_equal(put(driver, (struct bh_put){.to = "#dev", .message_id = "room"})->code, 0);
	assert_int_equal(put(driver, (struct bh_put){.to = "a b"})->code, BH_EINVALID);
	assert_int_equal(put(driver, (struct bh_put){.to = "bellhop"})->code, BH_EINVALID);
	assert_int_equal(put(driver, (struct bh_put){.message_id = "a b"})->code, BH_EINVALID);
	assert_int_equal(put(driver, (struct bh_put){.task_id = ""})->code, BH_EINVALID);
	assert_int_equal(put(driver, (struct bh_put){.from = ""})->code, BH_EINVALID);
	assert_int_equal(
		put(driver, (struct bh_put){.body = {body, BH_MESSAGE_BODY_MAX + 1}})->code,
		BH_ELIMIT);
	assert_int_equal(put(driver, (struct bh_put){.body = {body, BH_MESSAGE_BODY_MAX}})->code,
	                 0);
	assert_int_equal(put(driver, (struct bh_put){.message_id = "o", .to = "operator"})->code,
	                 0);
	free(body);
}

static const struct outcome *ack(struct driver *driver, const char *name, const char *ref)
{
	return driver_wait(driver, bh_store_ack(driver->store,
	                                        &(struct bh_ack){.names = &name,
	                                                         .name_count = 1,
	                                                         .ref = ref,
	                                                         .how = BH_SEEN_ACK},
	                                        driver_done, driver, NULL));
}

static void ack_is_idempotent_and_for_the_recipient_only(void **state)
{
	struct driver *driver = *state;

	(void)driver_put(driver, 1, "coder", "reviewer", "x");
	assert_int_equal(ack(driver, "coder", "m1")->code, BH_ENOTFOUND);
	assert_int_equal(ack(driver, "nobody", "m1")->code, BH_ENOTFOUND);
	assert_int_equal(ack(driver, "reviewer", "m9")->code, BH_ENOTFOUND);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(ack(driver, "reviewer", i == 1 ? "id-1" : "m1")->code, 0);
		assert_int_equal(driver->outcome.seq, 1);
		assert_int_equal(driver_mailbox(driver, "reviewer")->unread, 0);
	}
	assert_string_equal(driver_receipts(driver, 1), "stored seen(ack)"); // once
}

static void ack_takes_a_message_out_of_its_claim(void **state)
{
	struct driver *driver = *state;
	uint64_t claim_id;

	(void)driver_put(driver, 1, "coder", "reviewer", "x");
	claim_id = driver_take(driver, BH_CLAIM_INBOX, 0, "reviewer", 0)->claim_id;
	assert_int_equal(ack(driver, "reviewer", "m1")->code, 0);
	assert_int_equal(bh_store_claim(driver->store, claim_id)->item_count, 0);
	assert_int_equal(driver_wait(driver, bh_store_confirm(driver->store, claim_id, driver_done,
	                                                      driver, NULL))
	                         ->code,
	                 0);
	driver_check(driver);
}

static void note(struct driver *driver, uint64_t seq, const char *cause)
{
	assert_int_equal(
		driver_wait(driver, bh_store_note(driver->store,
	                                          &(struct bh_note){.mailbox = "reviewer",
	                                                            .seq = seq,
	                                                            .step = BH_RECEIPT_QUEUED,
	                                                            .cause = cause},
	                                          driver_done, driver, NULL))
			->code,
		0);
}

static void notes_are_not_repeated(void **state)
{
	struct driver *driver = *state;

	(void)driver_put(driver, 1, "coder", "reviewer", "one");
	note(driver, 1, "working");
	note(driver, 1, "working");
	note(driver, 1, "draft");
	note(driver, 1, "working");
	assert_string_equal(driver_receipts(driver, 1),
	                    "stored queued(working) queued(draft) queued(working)");
	assert_int_equal(
		driver_wait(driver, bh_store_note(driver->store,
	                                          &(struct bh_note){.mailbox = "nobody",
	                                                            .seq = 0,
	                                                            .step = BH_RECEIPT_QUEUED,
	                                                            .cause = "x"},
	                                          driver_done, driver, NULL))
			->code,
		BH_ENOTFOUND);
}

static void a_note_for_all_covers_each_unread_message_once(void **state)
{
	struct driver *driver = *state;

	(void)driver_put(driver, 1, "coder", "reviewer", "one");
	(void)driver_put(driver, 2, "coder", "reviewer", "two");
	(void)ack(driver, "reviewer", "m1");
	note(driver, 0, "working");
	(void)driver_put(driver, 3, "coder", "reviewer", "three");
	note(driver, 0, "working"); // now for the third only
	note(driver, 0, "working");
	assert_string_equal(driver_receipts(driver, 1), "stored seen(ack)");
	assert_string_equal(driver_receipts(driver, 2), "stored queued(working)");
	assert_string_equal(driver_receipts(driver, 3), "stored queued(working)");
	note(driver, 0, "draft");
	note(driver, 0, "working");
	assert_string_equal(driver_receipts(driver, 3),
	                    "stored queued(working) queued(draft) queued(working)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(all_fields_are_kept),
		driver_test(the_same_message_is_answered_again_for_ever),
		driver_test(other_content_under_a_known_id_is_a_conflict),
		driver_test(a_first_claim_comes_in_the_same_transaction),
		driver_test(what_cannot_be_is_refused_with_words),
		driver_test(ack_is_idempotent_and_for_the_recipient_only),
		driver_test(ack_takes_a_message_out_of_its_claim),
		driver_test(notes_are_not_repeated),
		driver_test(a_note_for_all_covers_each_unread_message_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
