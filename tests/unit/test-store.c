#include "tests/unit/mail-driver.h"

#include "src/base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void a_message_is_found_after_reopening(void **state)
{
	struct driver *driver = *state;
	const struct outcome *outcome = driver_put(driver, 1, "coder", "Reviewer", "hello\nyou");

	assert_int_equal(outcome->code, 0);
	assert_int_equal(outcome->seq, 1);
	assert_string_equal(outcome->name, "Reviewer");
	assert_false(outcome->is_replay);
	driver_reopen(driver);
	assert_int_equal(driver_mailbox(driver, "reviewer")->unread, 1);
	assert_false(driver_mailbox(driver, "reviewer")->is_known);
	outcome = driver_take(driver, BH_CLAIM_INBOX, 0, "REVIEWER", 0);
	assert_int_equal(outcome->message_count, 1);
	assert_string_equal(outcome->messages[0].body, "hello\nyou");
	assert_int_equal(outcome->messages[0].body_lines, 2);
	assert_string_equal(outcome->messages[0].from, "coder");
	assert_string_equal(outcome->messages[0].message_id, "id-1");
}

static void the_callback_never_comes_inside_the_call(void **state)
{
	struct driver *driver = *state;
	struct bh_put put = {.message_id = "a", .to = "b", .from = "c", .body = bh_span_of("x")};

	assert_int_equal(bh_store_put(driver->store, &put, driver_done, driver, NULL), 0);
	assert_int_equal(driver->answered, 0);
	assert_null(bh_store_mailbox(driver->store, "b")); // memory changes by commits only
	assert_int_equal(bh_store_pending(driver->store), 1);
	(void)driver_wait(driver, 0);
	assert_int_equal(driver_mailbox(driver, "b")->unread, 1);
	assert_int_equal(bh_store_pending(driver->store), 0);
	assert_true(driver->changes >= 1);
}

static void a_full_queue_stores_nothing_and_lets_mail_move_on(void **state)
{
	struct driver *driver = *state;
	struct bh_put put = {.message_id = "a", .to = "b", .from = "c", .body = bh_span_of("x")};
	struct bh_err err = {0};
	char id[16];
	unsigned sent = 0;
	int code = 0;

	driver_close(driver);
	driver->queue_max = 8;
	assert_int_equal(driver_open(driver, &err), 0);
	put.message_id = id;
	while (code == 0 && sent < 100) {
		(void)snprintf(id, sizeof(id), "id-%u", sent);
		code = bh_store_put(driver->store, &put, driver_done, driver, &err);
		sent += code == 0;
	}
	assert_int_equal(code, BH_EBUSY);
	assert_int_equal(sent, 4);
	assert_non_null(strstr(err.text, "try again"));
	// What moves mail on still finds room.
	assert_int_equal(bh_store_confirm(driver->store, 99, driver_done, driver, NULL), 0);
	driver->asked += 4;
	(void)driver_wait(driver, 0);
	assert_int_equal(driver_mailbox(driver, "b")->unread, 4);
	assert_int_equal(driver->outcome.code, BH_ENOTFOUND);
}

static void closing_answers_what_is_queued(void **state)
{
	struct driver *driver = *state;
	struct bh_put put = {.message_id = "a", .to = "b", .from = "c", .body = bh_span_of("x")};
	char id[16];
	struct bh_err err;

	put.message_id = id;
	for (unsigned i = 0; i < 50; i++) {
		(void)snprintf(id, sizeof(id), "id-%u", i);
		assert_int_equal(bh_store_put(driver->store, &put, driver_done, driver, NULL), 0);
	}
	bh_store_close(driver->store);
	assert_int_equal(bh_store_put(driver->store, &put, driver_done, driver, NULL), BH_ECLOSED);
	driver_close(driver);
	assert_int_equal(driver->answered, 50);
	assert_int_equal(driver_open(driver, &err), 0);
	assert_int_equal(driver_mailbox(driver, "b")->unread, 50);
}

static void a_lease_that_ends_makes_mail_unread(void **state)
{
	struct driver *driver = *state;
	struct bh_take take = {.kind = BH_CLAIM_WAITER, .lease_ms = 20};
	const char *name = "b";
	const struct outcome *outcome;

	take.names = &name;
	take.name_count = 1;
	(void)driver_put(driver, 1, "a", "b", "x");
	outcome =
		driver_wait(driver, bh_store_take(driver->store, &take, driver_done, driver, NULL));
	assert_int_equal(outcome->message_count, 1);
	assert_int_equal(driver_mailbox(driver, "b")->unread, 0);
	while (driver_mailbox(driver, "b")->unread == 0) {
		(void)uv_run(&driver->loop, UV_RUN_ONCE);
	}
	assert_string_equal(driver_receipts(driver, 1),
	                    "stored handed_over(waiter) returned(lease ended)");
	assert_true(bh_mailbox_first(driver_mailbox(driver, "b"))->is_shown_before);
}

static void the_nearest_names_are_found(void **state)
{
	struct driver *driver = *state;
	const struct bh_mailbox *nearest[3];

	(void)driver_bind(driver, 1, "reviewer");
	(void)driver_bind(driver, 2, "reviewer2");
	(void)driver_bind(driver, 3, "coder");
	(void)driver_put(driver, 1, "coder", "reviewed", "x"); // not known: never proposed
	assert_int_equal(bh_store_nearest(driver->store, "Reviwer", nearest, 3), 2);
	assert_string_equal(nearest[0]->name, "reviewer");
	assert_string_equal(nearest[1]->name, "reviewer2");
	assert_int_equal(bh_store_nearest(driver->store, "revieewr", nearest, 1), 1);
	assert_string_equal(nearest[0]->name, "reviewer");
	assert_int_equal(bh_store_nearest(driver->store, "zzzz", nearest, 3), 0);
	assert_int_equal(bh_store_nearest(driver->store, "x", nearest, 0), 0);
}

static void a_message_is_found_by_its_number(void **state)
{
	struct driver *driver = *state;

	assert_int_equal(bh_store_last_seq(driver->store), 0);
	(void)driver_put(driver, 1, "a", "b", "x");
	(void)driver_put(driver, 2, "a", "c", "x");
	assert_int_equal(bh_store_item(driver->store, "B", 1)->seq, 1);
	assert_null(bh_store_item(driver->store, "b", 2));
	assert_null(bh_store_item(driver->store, "nobody", 1));
	(void)driver_take(driver, BH_CLAIM_INBOX, 0, "c", 0);
	assert_non_null(bh_store_item(driver->store, "c", 2)); // claimed is not seen
	(void)driver_wait(driver, bh_store_confirm(driver->store, driver->outcome.claim_id,
	                                           driver_done, driver, NULL));
	assert_null(bh_store_item(driver->store, "c", 2));
	assert_int_equal(bh_store_last_seq(driver->store), 2);
	driver_reopen(driver);
	assert_int_equal(bh_store_last_seq(driver->store), 2); // also when nothing of it is live
}

static void open_and_close_of_an_idle_store_leave_no_log(void **state)
{
	struct driver *driver = *state;
	char path[576];

	(void)driver_put(driver, 1, "a", "b", "x");
	driver_close(driver);
	(void)snprintf(path, sizeof(path), "%s-wal", driver->path);
	assert_int_not_equal(access(path, F_OK), 0);
}

// The text of a file of the source tree. The caller frees.
static char *source_read(const char *name)
{
	char *path = bh_xasprintf("%s/%s", getenv("BELLHOP_TEST_SRCDIR"), name);
	FILE *file = fopen(path, "r");
	char *text = bh_xcalloc(1, 65536);

	assert_non_null(file);
	assert_in_range(fread(text, 1, 65535, file), 1, 65534);
	assert_int_equal(fclose(file), 0);
	free(path);
	return text;
}

// Put the store of a file of SQL in the place of the driver's.
static void store_replace(struct driver *driver, const char *name)
{
	char *sql = source_read(name);
	char wal[600];
	sqlite3 *handle = NULL;

	driver_close(driver);
	(void)snprintf(wal, sizeof(wal), "%s-wal", driver->path);
	(void)unlink(wal); // mostly not there
	assert_int_equal(unlink(driver->path), 0);
	assert_int_equal(sqlite3_open(driver->path, &handle), SQLITE_OK);
	assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(handle), SQLITE_OK);
	free(sql);
}

static void a_store_of_version_1_opens(void **state)
{
	struct driver *driver = *state;
	struct bh_err err = {0};

	store_replace(driver, "tests/unit/mail-1.sql");
	if (driver_open(driver, &err) != 0) {
		fail_msg("%s", err.text);
	}
	assert_int_equal(driver_mailbox(driver, "coder")->unread, 1);
	assert_int_equal(driver_mailbox(driver, "coder")->dnd, BH_DND_STATE_OFF);
	assert_int_equal(bh_store_item(driver->store, "coder", 1)->hops, 0);
	assert_int_equal(bh_store_terminal(driver->store, uuid_of(1))->turn_hops, -1);
	assert_int_equal(driver_put(driver, 2, "reviewer", "Coder", "more")->seq, 2);
	assert_string_equal(driver_receipts(driver, 1), "stored");
	driver_reopen(driver);
	assert_int_equal(driver_mailbox(driver, "coder")->unread, 2);
	driver_check(driver);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(a_store_of_version_1_opens),
		driver_test(a_message_is_found_after_reopening),
		driver_test(the_callback_never_comes_inside_the_call),
		driver_test(a_full_queue_stores_nothing_and_lets_mail_move_on),
		driver_test(closing_answers_what_is_queued),
		driver_test(a_lease_that_ends_makes_mail_unread),
		driver_test(the_nearest_names_are_found),
		driver_test(a_message_is_found_by_its_number),
		driver_test(open_and_close_of_an_idle_store_leave_no_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
