#include "src/client/sessions.h"

#include "src/base/mem.h"
#include "src/base/paths.h"
#include "src/client/start.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct bh_sessions_item *)a)->name,
	              ((const struct bh_sessions_item *)b)->name);
}

static bool is_listening(const char *socket)
{
	int fd = -1;
	bool is_running = bh_start_try(socket, &fd, NULL) == 0;

	if (is_running) {
		(void)close(fd);
	}
	return is_running;
}

/** Add a session, if it has a socket. */
static void add(struct bh_sessions *sessions, const char *runtime_root, const char *name)
{
	char *socket = bh_xasprintf("%s/%s/server.sock", runtime_root, name);
	struct bh_sessions_item item = {0};
	struct stat st;

	if (lstat(socket, &st) == 0 && S_ISSOCK(st.st_mode)) {
		(void)snprintf(item.name, sizeof(item.name), "%.64s", name); // it fits
		item.is_running = is_listening(socket);
		sessions->items = bh_xrealloc(sessions->items, sessions->count + 1,
		                              sizeof(sessions->items[0]));
		sessions->items[sessions->count++] = item;
	}
	free(socket);
}

void bh_sessions_find(struct bh_sessions *sessions, const char *runtime_root)
{
	DIR *dir = opendir(runtime_root);
	const struct dirent *entry = NULL;

	bh_sessions_clear(sessions);
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (bh_paths_is_session(entry->d_name)) {
			add(sessions, runtime_root, entry->d_name);
		}
	}
	if (dir != NULL) {
		(void)closedir(dir); // was only read
	}
	if (sessions->count > 1) {
		qsort(sessions->items, sessions->count, sizeof(sessions->items[0]), compare);
	}
}

const struct bh_sessions_item *bh_sessions_named(const struct bh_sessions *sessions,
                                                 const char *name)
{
	for (size_t i = 0; i < sessions->count; i++) {
		if (strcmp(sessions->items[i].name, name) == 0) {
			return &sessions->items[i];
		}
	}
	return NULL;
}

const struct bh_sessions_item *bh_sessions_step(const struct bh_sessions *sessions,
                                                const char *name, int step)
{
	const struct bh_sessions_item *first = NULL;
	const struct bh_sessions_item *last = NULL;
	const struct bh_sessions_item *before = NULL;
	const struct bh_sessions_item *after = NULL;

	for (size_t i = 0; i < sessions->count; i++) {
		const struct bh_sessions_item *item = &sessions->items[i];
		int order = strcmp(item->name, name);

		if (!item->is_running || order == 0) {
			continue;
		}
		first = first == NULL ? item : first;
		last = item;
		before = order < 0 ? item : before;
		after = order > 0 && after == NULL ? item : after;
	}
	if (step > 0) {
		return after != NULL ? after : first;
	}
	return before != NULL ? before : last;
}

void bh_sessions_clear(struct bh_sessions *sessions)
{
	free(sessions->items);
	*sessions = (struct bh_sessions){0};
}
