#include "tests/faults/disk.h"

#include <sqlite3.h>
#include <stddef.h>

static struct {
	sqlite3_vfs vfs;
	sqlite3_vfs *real;
	bh_disk_judge *judge;
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
	int result = disk.judge(BH_DISK_WRITE);

	if (result != 0) {
		(void)real_of(file)->pMethods->xWrite(real_of(file), bytes, len / 2, at);
		return result;
	}
	return real_of(file)->pMethods->xWrite(real_of(file), bytes, len, at);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int file_sync(sqlite3_file *file, int flags)
{
	int result = disk.judge(BH_DISK_SYNC);

	return result != 0 ? result : real_of(file)->pMethods->xSync(real_of(file), flags);
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

bool bh_disk_install(bh_disk_judge *judge)
{
	disk.judge = judge;
	disk.real = sqlite3_vfs_find(NULL);
	disk.vfs = *disk.real;
	disk.vfs.zName = "faults";
	disk.vfs.szOsFile = (int)sizeof(struct fault_file) + disk.real->szOsFile;
	disk.vfs.xOpen = disk_open;
	disk.vfs.pAppData = disk.real->pAppData;
	return sqlite3_vfs_register(&disk.vfs, 1) == SQLITE_OK;
}
