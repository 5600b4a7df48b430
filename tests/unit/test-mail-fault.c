// The disk fails at each write and sync in turn, once or from then on. Whatever was answered as stored is
// there afterwards, whatever was refused can be sent again, and the store works on.
#include "src/mail/store_care.h"
#include "tests/faults/disk.h"
#include "tests/unit/mail-driver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SENDS = 6,
	OPERATIONS_MAX = 200
};

// What the file system below SQLite does wrong.
static struct {
	/** Operations until one fails; 0: none does. */
	int countdown;
	/** What it fails with. */
	int result;
	/** Whether syncs fail, or writes. */
	bool is_sync;
	/** Whether all that follow fail, too. */
	bool is_lasting;
	/** Whether it has failed. */
	bool has_failed;
} disk;

// Whether this operation is the one that fails.
static int disk_judge(enum bh_disk_operation operation)
{
	if (disk.countdown == 0 || (operation == BH_DISK_SYNC) != disk.is_sync ||
	    --disk.countdown > 0) {
		return 0;
	}
	disk.has_failed = true;
	disk.countdown = disk.is_lasting ? 1 : 0;
	return disk.result;
}

// Send some, read and confirm some. Bit i of the result: send i was answered as stored.
static unsigned work(struct driver *driver)
{
	unsigned stored = 0;
	const struct outcome *outcome;

	for (unsigned i = 0; i < SENDS; i++) {
		outcome = driver_put(driver, i, "coder", "reviewer", "text");
		assert_true(outcome->code == 0 || outcome->code == -EIO ||
		            outcome->code == -ENOSPC);
		assert_true(outcome->code == 0 ||
		            strstr(outcome->text, "nothing was stored") != NULL);
		stored |= (outcome->code == 0 ? 1U : 0U) << i;
		driver_check(driver);
	}
	outcome = driver_take(driver, BH_CLAIM_INBOX, 0, "reviewer", 2);
	if (outcome->code == 0 && outcome->claim_id != 0) {
		(void)driver_wait(driver, bh_store_confirm(driver->store, outcome->claim_id,
		                                           driver_done, driver, NULL));
	}
	driver_check(driver);
	return stored;
}

static void what_was_answered_is_true(struct driver *driver, unsigned stored)
{
	for (unsigned i = 0; i < SENDS; i++) {
		const struct outcome *outcome = driver_put(driver, i, "coder", "reviewer", "text");

		assert_int_equal(outcome->code, 0);
		assert_true(outcome->is_replay || (stored & (1U << i)) == 0);
	}
	driver_check(driver);
}

// Each operation of a life of the store in turn fails, alone or with all that follow.
static void fail_each(bool is_sync, int result, bool is_lasting)
{
	bool has_failed = true;
	int step = is_sync ? 1 : 3; // a life has some 150 writes
	int n;

	for (n = 1; has_failed && n < OPERATIONS_MAX; n += step) {
		struct driver driver;
		unsigned stored;

		driver_start(&driver);
		disk.is_sync = is_sync;
		disk.result = result;
		disk.is_lasting = is_lasting;
		disk.has_failed = false;
		disk.countdown = n;
		stored = work(&driver);
		driver_close(&driver);
		disk.countdown = 0;
		has_failed = disk.has_failed;
		driver_reopen(&driver);
		what_was_answered_is_true(&driver, stored);
		driver_stop(&driver);
	}
	assert_true(n > SENDS && n < OPERATIONS_MAX);
}

static void syncs_fail(void **state)
{
	(void)state;
	fail_each(true, SQLITE_IOERR_FSYNC, false);
	fail_each(true, SQLITE_IOERR_FSYNC, true);
}

static void writes_fail(void **state)
{
	(void)state;
	fail_each(false, SQLITE_IOERR_WRITE, false);
	fail_each(false, SQLITE_IOERR_WRITE, true);
}

static void the_disk_is_full(void **state)
{
	(void)state;
	fail_each(false, SQLITE_FULL, false);
	fail_each(false, SQLITE_FULL, true);
}

static void file_copy(const char *from, const char *to)
{
	static char bytes[4 << 20];
	FILE *file = fopen(from, "re");
	size_t len;

	assert_non_null(file);
	len = fread(bytes, 1, sizeof(bytes), file);
	assert_true(len < sizeof(bytes));
	(void)fclose(file);
	file = fopen(to, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

// The process is killed when every sync fails: the log has what the syncs were for, whole.
static void what_was_refused_does_not_come_back(void **state)
{
	struct driver driver, other;
	char from[600], to[600];

	(void)state;
	driver_start(&driver);
	assert_int_equal(driver_put(&driver, 1, "coder", "reviewer", "text")->code, 0);
	disk.is_sync = true;
	disk.result = SQLITE_IOERR_FSYNC;
	disk.is_lasting = true;
	disk.countdown = 1;
	assert_int_equal(driver_put(&driver, 2, "coder", "reviewer", "text")->code, -EIO);
	disk.countdown = 0;
	driver_start(&other);
	driver_close(&other);
	file_copy(driver.path, other.path);
	(void)snprintf(from, sizeof(from), "%s-wal", driver.path);
	(void)snprintf(to, sizeof(to), "%s-wal", other.path);
	file_copy(from, to);
	driver_reopen(&other);
	assert_true(driver_put(&other, 1, "coder", "reviewer", "text")->is_replay);
	assert_false(driver_put(&other, 2, "coder", "reviewer", "text")->is_replay);
	driver_stop(&other);
	driver_stop(&driver);
}

// A store whose server died on a full disk: what is there can be read, and what the crash left claimed is
// unread; nothing is written before that is settled, and all goes on by itself when there is room.
static void a_full_disk_is_opened_for_reading(void **state)
{
	struct driver driver;
	struct bh_err err = {0};
	const struct outcome *outcome;

	(void)state;
	disk.countdown = 0;
	driver_start(&driver);
	assert_int_equal(driver_put(&driver, 1, "coder", "reviewer", "text")->code, 0);
	assert_int_equal(driver_take(&driver, BH_CLAIM_INBOX, 0, "reviewer", 1)->code, 0);
	driver_close(&driver);
	disk.is_sync = false;
	disk.result = SQLITE_FULL;
	disk.is_lasting = true;
	disk.countdown = 1;
	assert_int_equal(driver_open(&driver, &err), 0);
	assert_int_equal(driver_mailbox(&driver, "reviewer")->unread, 1);
	assert_string_equal(driver_receipts(&driver, 1),
	                    "stored handed_over(inbox) returned(restart)");
	for (unsigned i = 0; i < 2; i++) {
		outcome = driver_put(&driver, 2, "coder", "reviewer", "text");
		assert_int_equal(outcome->code, -ENOSPC);
		assert_non_null(strstr(outcome->text, driver.path));
		assert_non_null(strstr(outcome->text, "nothing was stored"));
		assert_int_equal(driver_take(&driver, BH_CLAIM_INBOX, 0, "reviewer", 1)->code,
		                 -ENOSPC);
		// Dead once more, and nothing better.
		driver_reopen(&driver);
	}
	disk.countdown = 0;
	outcome = driver_put(&driver, 2, "coder", "reviewer", "text");
	assert_int_equal(outcome->code, 0);
	assert_false(outcome->is_replay);
	driver_check(&driver);
	assert_string_equal(driver_receipts(&driver, 1),
	                    "stored handed_over(inbox) returned(restart)");
	driver_reopen(&driver);
	driver_check(&driver);
	assert_int_equal(driver_mailbox(&driver, "reviewer")->unread, 2);
	assert_string_equal(driver_receipts(&driver, 1),
	                    "stored handed_over(inbox) returned(restart)");
	driver_stop(&driver);
}

// What doctor does: only a write that is on the disk is a write.
static void a_probe_tells_of_each(void **state)
{
	struct driver driver;

	(void)state;
	driver_start(&driver);
	disk.countdown = 0;
	assert_int_equal(
		driver_wait(&driver, bh_store_probe(driver.store, driver_done, &driver, NULL))
			->code,
		0);
	disk.is_sync = true;
	disk.is_lasting = true; // else the second try is well
	disk.result = SQLITE_IOERR_FSYNC;
	disk.countdown = 1;
	assert_int_equal(
		driver_wait(&driver, bh_store_probe(driver.store, driver_done, &driver, NULL))
			->code,
		-EIO);
	disk.is_sync = false;
	disk.result = SQLITE_FULL;
	disk.countdown = 1;
	assert_int_equal(
		driver_wait(&driver, bh_store_probe(driver.store, driver_done, &driver, NULL))
			->code,
		-ENOSPC);
	disk.countdown = 0;
	assert_int_equal(
		driver_wait(&driver, bh_store_probe(driver.store, driver_done, &driver, NULL))
			->code,
		0);
	driver_check(&driver);
	driver_stop(&driver);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(syncs_fail),
		cmocka_unit_test(writes_fail),
		cmocka_unit_test(the_disk_is_full),
		cmocka_unit_test(a_full_disk_is_opened_for_reading),
		cmocka_unit_test(a_probe_tells_of_each),
		cmocka_unit_test(what_was_refused_does_not_come_back),
	};

	if (!bh_disk_install(disk_judge)) {
		return 99;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
