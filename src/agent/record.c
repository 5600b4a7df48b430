#include "record.h"

#include "src/base/buf.h"
#include "src/base/mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** One file that is followed. */
struct follow {
	char *path;
	int fd;
	/** Where the next read begins. */
	off_t offset;
	/** An unfinished line. */
	struct bh_buf rest;
	/** Up to the next line end everything is passed over: it began before, or was too long. */
	bool is_skipping;
};

struct bh_record {
	struct follow files[BH_RECORD_FILES_MAX];
	size_t count;
	/** The file to give up next when there is no room. */
	size_t oldest;
	/** The file that is being read. */
	const struct follow *current;
};

struct bh_record *bh_record_new(void)
{
	return bh_xmalloc(sizeof(struct bh_record));
}

static void follow_clear(struct follow *follow)
{
	(void)close(follow->fd);
	bh_buf_clear(&follow->rest);
	free(follow->path);
	*follow = (struct follow){0};
}

void bh_record_free(struct bh_record *record)
{
	if (!record) {
		return;
	}
	for (size_t i = 0; i < record->count; i++) {
		follow_clear(&record->files[i]);
	}
	free(record);
}

/** Set the place of the next read @back bytes before the end. */
static void follow_rewind(struct follow *follow, size_t back)
{
	struct stat st;
	off_t size = fstat(follow->fd, &st) == 0 ? st.st_size : 0;

	follow->offset = (off_t)back < size ? size - (off_t)back : 0;
	// In the middle of the file the first line may be cut; at its end none is begun.
	follow->is_skipping = follow->offset > 0 && back > 0;
	follow->rest.len = 0;
}

bool bh_record_is_empty(const struct bh_record *record)
{
	return record->count == 0;
}

void bh_record_rewind(struct bh_record *record, size_t back)
{
	for (size_t i = 0; i < record->count; i++) {
		follow_rewind(&record->files[i], back);
	}
}

void bh_record_add(struct bh_record *record, const char *path, size_t back)
{
	struct follow *follow;
	struct stat st;
	int fd;

	for (size_t i = 0; i < record->count; i++) {
		if (strcmp(record->files[i].path, path) == 0) {
			return;
		}
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0) {
		return;
	}
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		(void)close(fd);
		return;
	}
	if (record->count < BH_RECORD_FILES_MAX) {
		follow = &record->files[record->count++];
	} else {
		follow = &record->files[record->oldest];
		record->oldest = (record->oldest + 1) % BH_RECORD_FILES_MAX;
		follow_clear(follow);
	}
	*follow = (struct follow){.path = bh_xstrdup(path), .fd = fd};
	follow_rewind(follow, back);
}

void bh_record_add_folder(struct bh_record *record, const char *folder, int64_t since_ms,
                          size_t back)
{
	static const char suffix[] = ".jsonl";
	const struct dirent *entry;
	DIR *dir = opendir(folder);

	while (dir && (entry = readdir(dir))) {
		size_t len = strlen(entry->d_name);
		struct stat st;
		char *path;

		if (len < sizeof suffix || strcmp(entry->d_name + len - 6, suffix) != 0 ||
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
		    (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000 < since_ms) {
			continue;
		}
		path = bh_xasprintf("%s/%s", folder, entry->d_name);
		bh_record_add(record, path, back);
		free(path);
	}
	if (dir) {
		(void)closedir(dir);
	}
}

/** Take the bytes of one read apart into lines; true when @on_line wants no more. */
static bool follow_take(struct follow *follow, const char *bytes, size_t len,
                        bh_record_line *on_line, void *user)
{
	while (len > 0) {
		const char *end = memchr(bytes, '\n', len);
		size_t part = end ? (size_t)(end - bytes) : len;

		if (follow->rest.len + part > BH_RECORD_LINE_MAX) {
			follow->is_skipping = true;
			follow->rest.len = 0;
		}
		if (!follow->is_skipping) {
			bh_buf_append(&follow->rest, bytes, part);
		}
		if (!end) {
			return false;
		}
		if (!follow->is_skipping && follow->rest.len > 0 &&
		    on_line(follow->rest.data, follow->rest.len, user)) {
			follow->rest.len = 0;
			return true;
		}
		follow->is_skipping = false;
		follow->rest.len = 0;
		bytes = end + 1;
		len -= part + 1;
	}
	return false;
}

static bool follow_look(struct follow *follow, bh_record_line *on_line, void *user)
{
	char block[16384];
	size_t total = 0;

	while (total < BH_RECORD_STEP) {
		ssize_t got = pread(follow->fd, block, sizeof block, follow->offset);

		if (got <= 0) {
			return false;
		}
		follow->offset += got;
		total += (size_t)got;
		if (follow_take(follow, block, (size_t)got, on_line, user)) {
			return true;
		}
	}
	return false;
}

void bh_record_look(struct bh_record *record, bh_record_line *on_line, void *user)
{
	for (size_t i = 0; i < record->count; i++) {
		record->current = &record->files[i];
		if (follow_look(&record->files[i], on_line, user)) {
			return;
		}
	}
}

const char *bh_record_path(const struct bh_record *record)
{
	return record->current ? record->current->path : NULL;
}

const char *bh_record_file(const struct bh_record *record, size_t index)
{
	return index < record->count ? record->files[index].path : NULL;
}

/** Add the children of @pid to the list. */
static size_t process_children(pid_t pid, pid_t *out, size_t count, size_t max)
{
	char path[64];
	char word[24];
	FILE *in;

	(void)snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)pid, (long)pid);
	in = fopen(path, "re");
	while (in && count < max && fscanf(in, "%23s", word) == 1) {
		long child = strtol(word, NULL, 10);

		if (child > 0) {
			out[count++] = (pid_t)child;
		}
	}
	if (in) {
		(void)fclose(in);
	}
	return count;
}

size_t bh_record_processes(pid_t root, pid_t *out, size_t max)
{
	size_t count = 0;

	if (root <= 0 || max == 0) {
		return 0;
	}
	out[count++] = root;
	for (size_t i = 0; i < count; i++) {
		count = process_children(out[i], out, count, max);
	}
	return count;
}

char *bh_record_cwd(pid_t pid)
{
	char path[64];
	char target[PATH_MAX];
	ssize_t len;

	(void)snprintf(path, sizeof path, "/proc/%ld/cwd", (long)pid);
	len = readlink(path, target, sizeof target - 1);
	if (len <= 0) {
		return NULL;
	}
	target[len] = '\0';
	return bh_xstrdup(target);
}

void bh_record_open_files(pid_t pid, bh_record_open_file *on_file, void *user)
{
	char folder[64];
	char target[PATH_MAX];
	const struct dirent *entry;
	DIR *dir;

	(void)snprintf(folder, sizeof folder, "/proc/%ld/fd", (long)pid);
	dir = opendir(folder);
	while (dir && (entry = readdir(dir))) {
		ssize_t len = readlinkat(dirfd(dir), entry->d_name, target, sizeof target - 1);

		if (len > 0 && target[0] == '/') {
			target[len] = '\0';
			on_file(target, user);
		}
	}
	if (dir) {
		(void)closedir(dir);
	}
}
