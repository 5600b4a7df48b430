#include "src/server/sweep.h"

#include "src/base/mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENVIRON_PREFIX "environ-"
#define HISTORY_PREFIX "history-"
#define SESSION_PREFIX "session-"

// The rules of one sweep.
struct sweep {
	bh_sweep_is_known *is_known;
	// Told of each instead of removing it; NULL: they go.
	bh_sweep_found *found;
	void *user;
	size_t removed;
};

static void sweep_tell(const struct sweep *sweep, const char *folder, const char *name)
{
	char *path = bh_xasprintf("%s/%s", folder, name);

	sweep->found(sweep->user, path);
	free(path);
}

static DIR *folder_open(int parent_fd, const char *name)
{
	int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (dir == NULL && fd >= 0) {
		(void)close(fd); // was only opened
	}
	return dir;
}

// Whether @name is the id of a terminal that is gone.
static bool is_stale(const struct sweep *sweep, const char *name)
{
	struct bh_uuid id;

	return bh_uuid_parse(name, &id) &&
	       (sweep->is_known == NULL || !sweep->is_known(sweep->user, &id));
}

static void folder_remove(struct sweep *sweep, int parent_fd, const char *name)
{
	DIR *dir = folder_open(parent_fd, name);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		(void)unlinkat(dirfd(dir), entry->d_name, 0); // "." and ".." refuse, as they should
	}
	if (dir != NULL) {
		(void)closedir(dir); // was only read
	}
	sweep->removed += unlinkat(parent_fd, name, AT_REMOVEDIR) == 0;
}

static void spools_sweep(struct sweep *sweep, const char *path)
{
	DIR *dir = folder_open(AT_FDCWD, path);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (!is_stale(sweep, entry->d_name)) {
			continue;
		}
		if (sweep->found != NULL) {
			sweep_tell(sweep, path, entry->d_name);
		} else {
			folder_remove(sweep, dirfd(dir), entry->d_name);
		}
	}
	if (dir != NULL) {
		(void)closedir(dir); // was only read
	}
}

// Files whose names are @word and the id of a terminal.
static void files_sweep(struct sweep *sweep, const char *path, const char *word)
{
	const size_t prefix = strlen(word);
	DIR *dir = folder_open(AT_FDCWD, path);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (strncmp(entry->d_name, word, prefix) != 0 ||
		    !is_stale(sweep, entry->d_name + prefix)) {
			continue;
		}
		if (sweep->found != NULL) {
			sweep_tell(sweep, path, entry->d_name);
		} else {
			sweep->removed += unlinkat(dirfd(dir), entry->d_name, 0) == 0;
		}
	}
	if (dir != NULL) {
		(void)closedir(dir); // was only read
	}
}

size_t bh_sweep_runtime(const struct bh_paths *paths, bh_sweep_is_known *is_known, void *user)
{
	struct sweep sweep = {.is_known = is_known, .user = user};

	files_sweep(&sweep, paths->runtime_dir, ENVIRON_PREFIX);
	spools_sweep(&sweep, paths->spool_dir);
	if (is_known == NULL) {
		files_sweep(&sweep, paths->runtime_dir, HISTORY_PREFIX);
		files_sweep(&sweep, paths->runtime_dir, SESSION_PREFIX);
	}
	return sweep.removed;
}

size_t bh_sweep_histories(const struct bh_paths *paths, bh_sweep_is_known *is_known, void *user)
{
	struct sweep sweep = {.is_known = is_known, .user = user};

	files_sweep(&sweep, paths->runtime_dir, HISTORY_PREFIX);
	files_sweep(&sweep, paths->runtime_dir, SESSION_PREFIX);
	return sweep.removed;
}

void bh_sweep_find(const struct bh_paths *paths, bh_sweep_is_known *is_known, bh_sweep_found *found,
                   void *user)
{
	struct sweep sweep = {.is_known = is_known, .found = found, .user = user};

	files_sweep(&sweep, paths->runtime_dir, ENVIRON_PREFIX);
	spools_sweep(&sweep, paths->spool_dir);
}
