#include "src/base/file.h"

#include "src/base/fd.h"
#include "src/base/mem.h"
#include "src/base/uuid.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Read on until the end: the size of the stat is only a hint, files grow and /proc says 0.
static int file_read_fd(int fd, size_t max, struct bh_buf *out)
{
	size_t start = out->len;

	for (;;) {
		ssize_t got;

		bh_buf_reserve(out, 4096);
		got = bh_fd_read_all(fd, out->data + out->len, 4096);
		if (got < 0) {
			out->len = start;
			return (int)got;
		}
		out->len += (size_t)got;
		out->data[out->len] = '\0';
		if (out->len - start > max) {
			out->len = start;
			out->data[start] = '\0';
			return BH_ELIMIT;
		}
		if (got < 4096) {
			return 0;
		}
	}
}

// A file descriptor of a regular file, or a negative code. A FIFO without a writer is not waited for.
static int file_open(const char *path, struct bh_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	int rc;

	if (fd < 0) {
		return bh_err_sys(err, errno, "read %s", path);
	}
	if (fstat(fd, &st) != 0) {
		rc = bh_err_sys(err, errno, "read %s", path);
	} else if (!S_ISREG(st.st_mode)) {
		rc = bh_err_set(err, BH_EINVALID, "read %s: not a regular file", path);
	} else {
		return fd;
	}
	(void)close(fd); // was only opened
	return rc;
}

int bh_file_read(const char *path, size_t max, struct bh_buf *out, struct bh_err *err)
{
	int fd = file_open(path, err);
	int rc;

	if (fd < 0) {
		return fd;
	}
	rc = file_read_fd(fd, max, out);
	if (rc == BH_ELIMIT) {
		rc = bh_err_set(err, rc, "read %s: longer than %zu bytes", path, max);
	} else if (rc < 0) {
		rc = bh_err_sys(err, -rc, "read %s", path);
	}
	(void)close(fd); // was only read
	return rc;
}

int bh_file_read_head(const char *path, size_t max, struct bh_buf *out, struct bh_err *err)
{
	int fd = file_open(path, err);
	ssize_t got;

	if (fd < 0) {
		return fd;
	}
	bh_buf_reserve(out, max);
	got = bh_fd_read_all(fd, out->data + out->len, max);
	(void)close(fd); // was only read
	if (got < 0) {
		return bh_err_sys(err, (int)-got, "read %s", path);
	}
	out->len += (size_t)got;
	out->data[out->len] = '\0';
	return 0;
}

// The folder part of @path, "." when it has none. The caller frees.
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL) {
		return bh_xstrdup(".");
	}
	return bh_xmemdup(path, slash == path ? 1 : (size_t)(slash - path));
}

static int folder_sync(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc;

	if (fd < 0) {
		return -errno;
	}
	rc = fsync(fd) != 0 && errno != EINVAL ? -errno : 0; // EINVAL: it has no notion of it
	(void)close(fd);                                     // was only synced
	return rc;
}

static int temp_write(const char *temp, struct bh_span bytes, mode_t mode,
                      enum bh_file_durability durability)
{
	int fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
	int rc;

	if (fd < 0) {
		return -errno;
	}
	rc = bh_fd_write_all(fd, bytes.data, bytes.len);
	if (rc == 0 && durability == BH_FILE_DURABLE && fsync(fd) != 0) {
		rc = -errno;
	}
	if (close(fd) != 0 && rc == 0) { // network file systems report a full disk here
		rc = -errno;
	}
	return rc;
}

int bh_file_replace(const char *path, struct bh_span bytes, mode_t mode,
                    enum bh_file_durability durability, struct bh_err *err)
{
	char *folder = folder_of(path);
	const char *slash = strrchr(path, '/');
	uint64_t random;
	char *temp;
	int rc;

	bh_uuid_random(&random, sizeof(random));
	temp = bh_xasprintf("%s/.%s.%016llx.tmp", folder, slash == NULL ? path : slash + 1,
	                    (unsigned long long)random);
	rc = temp_write(temp, bytes, mode, durability);
	if (rc == 0 && rename(temp, path) != 0) {
		rc = -errno;
	}
	if (rc != 0) {
		(void)unlink(temp); // may not exist
	} else if (durability == BH_FILE_DURABLE) {
		rc = folder_sync(folder);
	}
	free(temp);
	free(folder);
	return rc == 0 ? 0 : bh_err_sys(err, -rc, "write %s", path);
}

int bh_file_move(const char *from, const char *to, struct bh_err *err)
{
	if (rename(from, to) != 0) {
		return bh_err_sys(err, errno, "rename %s to %s", from, to);
	}
	return 0;
}

int bh_file_remove(const char *path, struct bh_err *err)
{
	if (unlink(path) != 0 && errno != ENOENT) {
		return bh_err_sys(err, errno, "remove %s", path);
	}
	return 0;
}
