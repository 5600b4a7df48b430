/** @file
 * Plain files: read a small one whole, replace one safely, lock one. The only place that calls
 * rename() and fsync().
 */
#ifndef BH_BASE_FILE_H
#define BH_BASE_FILE_H

#include "src/base/buf.h"
#include "src/base/err.h"

#include <stddef.h>
#include <sys/types.h>

/** What bh_file_replace() promises on return 0. */
enum bh_file_durability {
	/** A reader sees the old file or the new one, never a part (spool files). */
	BH_FILE_ATOMIC,
	/** Also: the new one survives a power cut (saved settings). */
	BH_FILE_DURABLE,
};

/**
 * Read a regular file whole and append it to @out.
 *
 * @max
 *         Most bytes taken; a longer file is BH_ELIMIT and nothing is appended.
 * @return
 *         0, BH_ELIMIT, BH_EINVALID (a folder, pipe or device), or -errno (-ENOENT: not there).
 *         Never blocks on a FIFO. @err says "read PATH: …".
 */
int bh_file_read(const char *path, size_t max, struct bh_buf *out, struct bh_err *err);

/** The same for the first @max bytes at most: a longer file is no error. */
int bh_file_read_head(const char *path, size_t max, struct bh_buf *out, struct bh_err *err);

/**
 * Write @bytes to a new file beside @path (".<name>.<random>.tmp", O_EXCL, @mode) and rename it
 * over @path. On failure @path is as before and the temporary file is gone.
 */
int bh_file_replace(const char *path, struct bh_span bytes, mode_t mode,
                    enum bh_file_durability durability, struct bh_err *err);

/** Rename @from to @to in the same file system, replacing @to. 0 or -errno. */
int bh_file_move(const char *from, const char *to, struct bh_err *err);

/** Remove a file; one that is not there is no error. 0 or -errno. */
int bh_file_remove(const char *path, struct bh_err *err);

#endif
