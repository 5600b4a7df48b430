/** @file
 * A file system under SQLite that fails when it is told to: before the real one, for tests only.
 */
#ifndef BH_TESTS_DISK_H
#define BH_TESTS_DISK_H

#include <stdbool.h>

/** What is about to be done to a file. */
enum bh_disk_operation {
	BH_DISK_WRITE,
	BH_DISK_SYNC
};

/**
 * Asked before each operation, on the thread that does it.
 *
 * @return
 *         0: do it; else the SQLITE_ code that it fails with. Of a write that fails the first half
 *         is done, a sync that fails is not done at all.
 */
typedef int bh_disk_judge(enum bh_disk_operation operation);

/** Put it under every database that is opened from now on. @return whether SQLite took it. */
bool bh_disk_install(bh_disk_judge *judge);

#endif
