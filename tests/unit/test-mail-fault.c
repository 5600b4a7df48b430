// The disk fails at each write and sync in turn, once or from then on. Whatever was answered as stored is
// there afterwards, whatever was refused can be sent again, and the store works on.
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
	sqlite3_vfs vfs;
	sqlite3_vfs *real;
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

// A file: ours in front, the real one behind it.
struct fault_file {
	sqlite3_file base;
	sqlite3_file *real;
};

static sqlite3_file *real_of(sqlite3_file *file)
{
	return ((struct fault_file *)file)->real;
}

// Whether this operation is the one that fails.
static bool disk_fails(bool is_sync)
{
	if (disk.countdown == 0 || is_sync != disk.is_sync || --disk.countdown > 0) {
		return false;
	}
	disk.has_failed = true;
	disk.countdown = disk.is_lasting ? 1 : 0;
	return true;
}

static int file_close(sqlite3_file *file)
{
	return real_of(file)->pMethods->xClose(real_of(file));
}

static int file_read(sqlite3_file *file, void *bytes, int len, sqlite3_int64 at)
{
	return real_of(file)->pMethods->xRead(real_of(file), bytes, len, at);
}

static int file_write(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
	if (disk_fails(false)) {
		// Half of it may be on the disk.
		(void)real_of(file)->pMethods->xWrite(real_of(file), bytes, len / 2, at);
		return disk.result;
	}
	return real_of(file)->pMethods->xWrite(real_of(file), bytes, len, at);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int file_sync(sqlite3_file *file, int flags)
{
	return disk_fails(true) ? disk.result
	                        : real_of(file)->pMethods->xSync(real_of(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size_out)
{
	return real_of(file)->pMethods->xFileSize(real_of(file), size_out);
}

static int file_lock(sqlite3_file *file, int lock)
{
	return real_of(file)->pMethods->xLock(real_of(file), lock);
}

static int file_unlock(sqlite3_file *file, int lock)
{
	return real_of(file)->pMethods->xUnlock(real_of(file), lock);
}

static int file_check_lock(sqlite3_file *file, int *is_locked_out)
{
	return real_of(file)->pMethods->xCheckReservedLock(real_of(file), is_locked_out);
}

static int file_control(sqlite3_file *file, int what, void *argument)
{
	return real_of(file)->pMethods->xFileControl(real_of(file), what, argument);
}

static int file_sector(sqlite3_file *file)
{
	return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int file_traits(sqlite3_file *file)
{
	return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

// Version 1: without shared memory, which an exclusive store does not need.
static const sqlite3_io_methods file_methods = {
	.iVersion = 1,
	.xClose = file_close,
	.xRead = file_read,
	.xWrite = file_write,
	.xTruncate = file_truncate,
	.xSync = file_sync,
	.xFileSize = file_size,
	.xLock = file_lock,
	.xUnlock = file_unlock,
	.xCheckReservedLock = file_check_lock,
	.xFileControl = file_control,
	.xSectorSize = file_sector,
	.xDeviceCharacteristics = file_traits,
};

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                     int *flags_out)
{
	struct fault_file *ours = (struct fault_file *)file;
	int result;

	(void)vfs;
	ours->real = (sqlite3_file *)(void *)(ours + 1);
	result = disk.real->xOpen(disk.real, name, ours->real, flags, flags_out);
	ours->base.pMethods = ours->real->pMethods != NULL ? &file_methods : NULL;
	return result;
}

static void disk_install(void)
{
	disk.real = sqlite3_vfs_find(NULL);
	disk.vfs = *disk.real;
	disk.vfs.zName = "faults";
	disk.vfs.szOsFile = (int)sizeof(struct fault_file) + disk.real->szOsFile;
	disk.vfs.xOpen = disk_open;
	disk.vfs.pAppData = disk.real->pAppData;
	assert_int_equal(sqlite3_vfs_register(&disk.vfs, 1), SQLITE_OK);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(syncs_fail),
		cmocka_unit_test(writes_fail),
		cmocka_unit_test(the_disk_is_full),
	};

	disk_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
