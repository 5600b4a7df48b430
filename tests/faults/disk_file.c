// Faults of the disk for tests/cli/durable.py. The file named by $BELLHOP_TEST_DISK says what goes
// wrong from now on: `WHAT SHARE`, WHAT being `sync`, `write` or `full`, SHARE how many of 1000
// operations fail; nothing when it is empty or not there. Each that failed adds a byte to FILE.log.
#include "tests/faults/disk.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_SIZE 300

static void failure_log(const char *path)
{
	char log_path[PATH_SIZE];
	FILE *file;

	(void)snprintf(log_path, sizeof(log_path), "%s.log", path);
	file = fopen(log_path, "ae");
	if (file != NULL) {
		(void)fputc('x', file);
		(void)fclose(file);
	}
}

// What the file says goes wrong with such an operation; 0: nothing.
static int fault_now(const char *path, enum bh_disk_operation operation, int *share_out)
{
	char what[8] = "";
	FILE *file = fopen(path, "re");
	int count;

	if (file == NULL) {
		return 0;
	}
	count = fscanf(file, "%7s %d", what, share_out);
	(void)fclose(file);
	if (count != 2 || (operation == BH_DISK_SYNC) != (strcmp(what, "sync") == 0)) {
		return 0;
	}
	if (operation == BH_DISK_SYNC) {
		return SQLITE_IOERR_FSYNC;
	}
	return strcmp(what, "full") == 0 ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int judge(enum bh_disk_operation operation)
{
	const char *path = getenv("BELLHOP_TEST_DISK");
	int share = 0;
	int result = fault_now(path, operation, &share);

	if (result == 0 || rand() % 1000 >= share) {
		return 0;
	}
	failure_log(path);
	return result;
}

static __attribute__((constructor)) void disk_begin(void)
{
	if (getenv("BELLHOP_TEST_DISK") != NULL && !bh_disk_install(judge)) {
		abort();
	}
}
