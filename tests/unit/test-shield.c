#include "src/mail/shield.h"
#include "src/mail/store_guard.h"
#include "tests/unit/mail-driver.h"

#include <stdio.h>
#include <string.h>

static const struct outcome *set_block(struct driver *driver, const char *name, const char *sender,
                                       bool is_blocked)
{
	return driver_wait(driver,
	                   bh_store_set_block(driver->store,
	                                      &(struct bh_set_block){.name = name,
	                                                             .sender = sender,
	                                                             .is_blocked = is_blocked},
	                                      driver_done, driver, NULL));
}

static const struct outcome *set_dnd(struct driver *driver, const char *name, enum bh_dnd_state dnd,
                                     int64_t until_ms)
{
	return driver_wait(driver,
	                   bh_store_set_dnd(driver->store,
	                                    &(struct bh_set_dnd){
						    .name = name, .dnd = dnd, .until_ms = until_ms},
	                                    driver_done, driver, NULL));
}

static void blocked_mail_goes_no_way_but_the_inbox(void **state)
{
	struct driver *driver = *state;
	static const enum bh_claim_kind pushed[] = {BH_CLAIM_TYPING, BH_CLAIM_WAITER,
	                                            BH_CLAIM_CHANNEL, BH_CLAIM_NOTICE};

	assert_int_equal(driver_bind(driver, 1, "Coder")->code, 0);
	assert_int_equal(set_block(driver, "coder", "Pest", true)->code, 0);
	assert_int_equal(set_block(driver, "coder", "pest", true)->code, 0); // twice is fine
	(void)driver_put(driver, 1, "pest", "coder", "again");
	assert_true(bh_mailbox_blocks(driver_mailbox(driver, "coder"), "PEST"));
	assert_false(bh_mailbox_blocks(driver_mailbox(driver, "coder"), "friend"));
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(driver_take(driver, pushed[i], 1, NULL, 0)->claim_id, 0);
	}
	driver_reopen(driver); // and it lasts
	assert_true(bh_mailbox_blocks(driver_mailbox(driver, "coder"), "pest"));
	(void)driver_put(driver, 2, "friend", "coder", "hello");
	assert_int_equal(driver_take(driver, BH_CLAIM_WAITER, 1, NULL, 0)->message_count, 1);
	assert_int_equal(driver->outcome.messages[0].seq, 2);
	// Nothing unread is invisible to the inbox.
	assert_int_equal(driver_take(driver, BH_CLAIM_INBOX, 1, NULL, 0)->message_count, 1);
	assert_int_equal(driver->outcome.messages[0].seq, 1);
	driver_check(driver);
}

static void unblocked_mail_is_ordinary_mail(void **state)
{
	struct driver *driver = *state;

	assert_int_equal(driver_bind(driver, 1, "coder")->code, 0);
	assert_int_equal(set_block(driver, "coder", "pest", true)->code, 0);
	(void)driver_put(driver, 1, "pest", "coder", "again");
	assert_int_equal(set_block(driver, "coder", "pest", false)->code, 0);
	assert_int_equal(set_block(driver, "coder", "pest", false)->code, 0);
	assert_int_equal(driver_take(driver, BH_CLAIM_TYPING, 1, NULL, 0)->message_count, 1);
}

static void bad_blocks_are_refused(void **state)
{
	struct driver *driver = *state;
	char name[24];

	assert_int_equal(set_block(driver, "nobody", "pest", true)->code, BH_ENOTFOUND);
	assert_int_equal(driver_bind(driver, 1, "coder")->code, 0);
	assert_int_equal(set_block(driver, "coder", "operator", true)->code, BH_EINVALID);
	assert_int_equal(set_block(driver, "coder", "CODER", true)->code, BH_EINVALID);
	assert_int_equal(set_block(driver, "coder", "#room", true)->code, BH_EINVALID);
	assert_int_equal(set_block(driver, "operator", "coder", true)->code, BH_ENOTFOUND);
	for (int i = 0; i < BH_SHIELD_BLOCKS_MAX; i++) {
		(void)snprintf(name, sizeof(name), "s%d", i);
		assert_int_equal(set_block(driver, "coder", name, true)->code, 0);
	}
	assert_int_equal(set_block(driver, "coder", "more", true)->code, BH_ELIMIT);
	assert_int_equal(set_block(driver, "coder", "s7", false)->code, 0);
	assert_int_equal(set_block(driver, "coder", "more", true)->code, 0);
}

static void do_not_disturb_lasts(void **state)
{
	struct driver *driver = *state;

	assert_int_equal(set_dnd(driver, "coder", BH_DND_STATE_ON, 0)->code, BH_ENOTFOUND);
	assert_int_equal(driver_bind(driver, 1, "coder")->code, 0);
	assert_int_equal(set_dnd(driver, "CODER", BH_DND_STATE_TIME, 4711)->code, 0);
	driver_reopen(driver);
	assert_int_equal(driver_mailbox(driver, "coder")->dnd, BH_DND_STATE_TIME);
	assert_int_equal(driver_mailbox(driver, "coder")->dnd_until_ms, 4711);
	assert_int_equal(set_dnd(driver, "coder", BH_DND_STATE_OFF, 0)->code, 0);
	assert_int_equal(driver_mailbox(driver, "coder")->dnd, BH_DND_STATE_OFF);
}

static const struct outcome *put_topic(struct driver *driver, const char *id, const char *from,
                                       const char *topic)
{
	return driver_wait(driver, bh_store_put(driver->store,
	                                        &(struct bh_put){.message_id = id,
	                                                         .from = from,
	                                                         .sender = BH_SENDER_BELLHOP,
	                                                         .to = "coder",
	                                                         .topic = topic,
	                                                         .body = {"x", 1}},
	                                        driver_done, driver, NULL));
}

static void a_newer_message_supersedes_unread_ones(void **state)
{
	struct driver *driver = *state;

	assert_int_equal(put_topic(driver, "1", "bellhop", "child-1")->code, 0);
	assert_int_equal(put_topic(driver, "2", "bellhop", "child-2")->code, 0);
	assert_int_equal(put_topic(driver, "3", "other", "child-1")->code, 0);
	assert_int_equal(put_topic(driver, "4", "bellhop", "")->code, 0);
	assert_int_equal(put_topic(driver, "5", "bellhop", "child-1")->code, 0);
	assert_int_equal(driver_mailbox(driver, "coder")->unread, 4);
	assert_null(bh_store_item(driver->store, "coder", 1));
	assert_string_equal(driver_receipts(driver, 1), "stored superseded(m5)");
	// What somebody is just reading is left to them.
	assert_int_equal(driver_take(driver, BH_CLAIM_INBOX, 0, "coder", 0)->message_count, 4);
	assert_int_equal(put_topic(driver, "6", "bellhop", "child-1")->code, 0);
	assert_int_equal(driver_mailbox(driver, "coder")->claimed, 4);
	// A repeat supersedes nothing.
	assert_true(put_topic(driver, "1", "bellhop", "child-1")->is_replay);
	assert_non_null(bh_store_item(driver->store, "coder", 6));
	driver_check(driver);
}

static void discarded_mail_is_seen(void **state)
{
	struct driver *driver = *state;

	assert_int_equal(driver_bind(driver, 1, "coder")->code, 0);
	(void)driver_put(driver, 1, "friend", "coder", "one");
	(void)driver_put(driver, 2, "friend", "coder", "two");
	assert_int_equal(
		driver_wait(driver, bh_store_discard(driver->store,
	                                             &(struct bh_take){.terminal = uuid_of(1)},
	                                             driver_done, driver, NULL))
			->seq,
		2);
	assert_int_equal(driver_mailbox(driver, "coder")->unread, 0);
	assert_string_equal(driver_receipts(driver, 2), "stored seen(discarded)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(blocked_mail_goes_no_way_but_the_inbox),
		driver_test(unblocked_mail_is_ordinary_mail),
		driver_test(bad_blocks_are_refused),
		driver_test(do_not_disturb_lasts),
		driver_test(a_newer_message_supersedes_unread_ones),
		driver_test(discarded_mail_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
