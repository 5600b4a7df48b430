#include "src/server/spooler.h"

#include "src/base/buf.h"
#include "src/base/clock.h"
#include "src/base/file.h"
#include "src/base/limits.h"
#include "src/base/list.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/base/paths.h"
#include "src/server/rpc_server.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// How often a folder that cannot be watched is looked at (ms).
#define POLL_MS 1000
// File systems stamp with a clock that runs a little behind.
#define CLOCK_SLACK_MS 1000
// Longest <unique> of a request's name.
#define UNIQUE_MAX 64

struct bh_spooler {
	uv_loop_t *loop;
	struct bh_rpc *rpc;
	struct bh_list folders;
	// When it began (wall time): an older request waited for an earlier server's answer.
	int64_t begun_ms;
};

// The folder of one terminal.
struct folder {
	struct bh_list link;
	struct bh_spooler *spool;
	struct bh_uuid id;
	char *path;
	uv_fs_event_t watch;
	// Looks after what was there before the watch began.
	uv_timer_t sweep;
	int handles;
	bool closing;
	// Requests under way.
	struct bh_list jobs;
	size_t job_count;
};

// A request under way.
struct job {
	struct bh_list link;
	// NULL once the folder is closed: then the answer is dropped.
	struct folder *folder;
	char unique[UNIQUE_MAX + 1];
};

static void folder_free_if_done(struct folder *folder)
{
	if (folder->handles == 0) {
		free(folder->path);
		free(folder);
	}
}

static char *folder_file(const struct folder *folder, const char *prefix, const char *unique)
{
	return bh_xasprintf("%s/%s%s.json", folder->path, prefix, unique);
}

// ---- answers ----

static void job_answer(struct bh_span text, void *user)
{
	struct job *job = user;
	struct folder *folder = job->folder;
	struct bh_err err = {0};

	if (folder != NULL) {
		folder->job_count--;
		bh_list_remove(&job->link);
	}
	if (folder != NULL && text.len > 0) { // else it is left to the next server
		char *answer = folder_file(folder, "ans-", job->unique);
		char *request = folder_file(folder, "req-", job->unique);

		if (bh_file_replace(answer, text, 0600, BH_FILE_ATOMIC, &err) != 0) {
			bh_log(BH_LOG_WARN, "spool", "", "an answer is lost: %s", err.text);
		}
		(void)bh_file_remove(request, NULL); // the caller may have taken it back
		free(answer);
		free(request);
	}
	free(job);
}

// ---- requests ----

static bool unique_is_valid(const char *unique, size_t len)
{
	static const char allowed[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

	return len >= 1 && len <= UNIQUE_MAX && strspn(unique, allowed) >= len;
}

// The <unique> of "req-<unique>.json"; false when the name is another.
static bool unique_of(const char *name, const char *prefix, char unique_out[UNIQUE_MAX + 1])
{
	size_t prefix_len = strlen(prefix);
	const char *end = strstr(name, ".json");

	if (strncmp(name, prefix, prefix_len) != 0 || end == NULL || strcmp(end, ".json") != 0) {
		return false;
	}
	const char *unique = name + prefix_len;
	size_t len = end > unique ? (size_t)(end - unique) : 0;

	if (!unique_is_valid(unique, len)) {
		return false;
	}
	(void)memcpy(unique_out, unique, len);
	unique_out[len] = '\0';
	return true;
}

static bool folder_has_job(struct folder *folder, const char *unique)
{
	bh_list_for (at, next, &folder->jobs) {
		if (strcmp(bh_container_of(at, struct job, link)->unique, unique) == 0) {
			return true;
		}
	}
	return false;
}

static struct job *job_new(struct folder *folder, const char *unique)
{
	struct job *job = bh_xmalloc(sizeof *job);

	job->folder = folder;
	(void)memcpy(job->unique, unique, strlen(unique) + 1);
	bh_list_append(&folder->jobs, &job->link);
	folder->job_count++;
	return job;
}

// What is no plain file of ours is not followed: the folder can be written by sandboxed programs.
static bool file_is_plain(const char *path)
{
	struct stat facts;

	return lstat(path, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == geteuid();
}

// How long a request has waited for the answer of an earlier server (ms); 0: it is ours alone.
static int64_t request_waited_ms(const struct folder *folder, const char *path)
{
	struct stat facts;
	int64_t written_ms;

	if (lstat(path, &facts) != 0) {
		return 0;
	}
	written_ms = (int64_t)facts.st_mtim.tv_sec * 1000 + facts.st_mtim.tv_nsec / 1000000;
	return written_ms + CLOCK_SLACK_MS < folder->spool->begun_ms
	               ? bh_clock_wall_ms() - written_ms
	               : 0;
}

static void folder_do(struct folder *folder, const char *unique)
{
	static const char busy[] =
		"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"the "
		"spool folder has too many requests; wait for answers\",\"data\":{\"word\":"
		"\"busy\"}}}";
	char *path = folder_file(folder, "req-", unique);
	struct bh_buf line = {0};
	struct bh_err err = {0};
	bool is_read = file_is_plain(path) && bh_file_read(path, BH_LIMIT_LINE, &line, &err) == 0;

	int64_t waited_ms = request_waited_ms(folder, path);

	free(path);
	if (!is_read && err.code == -ENOENT) {
		return; // taken back
	}
	bool is_full = folder->job_count >= BH_SPOOLER_REQUESTS_MAX;
	struct job *job = job_new(folder, unique);

	if (is_full) {
		job_answer(bh_span_of(busy), job);
	} else {
		// What could not be read is answered like an empty request: `parse`.
		bh_rpc_spooled(folder->spool->rpc, (struct bh_span){line.data, line.len},
		               &folder->id, waited_ms, job_answer, job);
	}
	bh_buf_clear(&line);
}

static void answer_sweep(const struct folder *folder, const char *unique)
{
	char *path = folder_file(folder, "ans-", unique);
	struct stat facts;

	if (lstat(path, &facts) == 0 &&
	    bh_clock_wall_ms() - (int64_t)facts.st_mtim.tv_sec * 1000 > BH_SPOOLER_ANSWER_MS) {
		(void)bh_file_remove(path, NULL); // the next sweep tries again
	}
	free(path);
}

static void folder_scan(struct folder *folder)
{
	DIR *dir = opendir(folder->path);
	const struct dirent *entry = NULL;
	char unique[UNIQUE_MAX + 1];

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (unique_of(entry->d_name, "req-", unique)) {
			if (!folder_has_job(folder, unique)) {
				folder_do(folder, unique);
			}
		} else if (unique_of(entry->d_name, "ans-", unique)) {
			answer_sweep(folder, unique);
		}
	}
	if (dir != NULL) {
		(void)closedir(dir); // read only: nothing can be lost
	}
}

// ---- folders ----

static void on_change(uv_fs_event_t *watch, const char *name, int events, int status)
{
	struct folder *folder = bh_container_of(watch, struct folder, watch);

	(void)events;
	// Most changes are temporary files and our own answers.
	if (status == 0 && (name == NULL || strncmp(name, "req-", 4) == 0)) {
		folder_scan(folder);
	}
}

static void on_sweep(uv_timer_t *timer)
{
	folder_scan(bh_container_of(timer, struct folder, sweep));
}

static void on_watch_closed(uv_handle_t *handle)
{
	struct folder *folder = bh_container_of((uv_fs_event_t *)handle, struct folder, watch);

	folder->handles--;
	folder_free_if_done(folder);
}

static void on_sweep_closed(uv_handle_t *handle)
{
	struct folder *folder = bh_container_of((uv_timer_t *)handle, struct folder, sweep);

	folder->handles--;
	folder_free_if_done(folder);
}

static void folder_close(struct folder *folder)
{
	bh_list_for (at, next, &folder->jobs) {
		bh_container_of(at, struct job, link)->folder = NULL;
		bh_list_remove(at);
	}
	bh_list_remove(&folder->link);
	uv_close((uv_handle_t *)&folder->watch, on_watch_closed);
	uv_close((uv_handle_t *)&folder->sweep, on_sweep_closed);
}

static struct folder *folder_find(struct bh_spooler *spool, const struct bh_uuid *id)
{
	bh_list_for (at, next, &spool->folders) {
		struct folder *folder = bh_container_of(at, struct folder, link);

		if (bh_uuid_is_equal(&folder->id, id)) {
			return folder;
		}
	}
	return NULL;
}

// Begin, or begin again when there is another folder of that name; what lies in it is done, too.
static void folder_watch(struct folder *folder)
{
	int code = uv_fs_event_start(&folder->watch, on_change, folder->path, 0);

	if (code != 0) {
		bh_log(BH_LOG_ERROR, "spool", "", "watch %s: %s", folder->path, uv_strerror(code));
	}
	// Where nothing can be watched (the user's inotify watches are used up) it is looked at.
	(void)uv_timer_start(&folder->sweep, on_sweep, 0, code != 0 ? POLL_MS : 0); // never fails
}

void bh_spooler_watch(struct bh_spooler *spool, const struct bh_uuid *id, const char *path)
{
	if (folder_find(spool, id) != NULL) {
		return;
	}
	struct folder *folder = bh_xmalloc(sizeof *folder);
	struct bh_err err = {0};

	// After a restart of the server it may have been removed meanwhile.
	if (bh_paths_make_dir(path, &err) != 0) {
		bh_log(BH_LOG_ERROR, "spool", "", "%s", err.text);
	}
	folder->spool = spool;
	folder->id = *id;
	folder->path = bh_xstrdup(path);
	folder->handles = 2;
	bh_list_init(&folder->jobs);
	bh_list_append(&spool->folders, &folder->link);
	(void)uv_fs_event_init(spool->loop, &folder->watch); // never fails
	(void)uv_timer_init(spool->loop, &folder->sweep);    // never fails
	folder_watch(folder);
}

void bh_spooler_renew(struct bh_spooler *spool)
{
	bh_list_for (at, next, &spool->folders) {
		struct folder *folder = bh_container_of(at, struct folder, link);
		struct bh_err err = {0};

		if (bh_paths_make_dir(folder->path, &err) != 0) {
			bh_log(BH_LOG_ERROR, "spool", "", "%s", err.text);
			continue;
		}
		(void)uv_fs_event_stop(&folder->watch); // never fails
		folder_watch(folder);
	}
}

// Remove a flat folder.
static void directory_remove(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry = NULL;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		(void)unlinkat(fd, entry->d_name, 0); // "." and ".." refuse, as they should
	}
	if (dir != NULL) {
		(void)closedir(dir); // closes fd, too
	}
	(void)rmdir(path); // one with folders in it stays until the session's end
}

void bh_spooler_remove(struct bh_spooler *spool, const struct bh_uuid *id)
{
	struct folder *folder = folder_find(spool, id);

	if (folder != NULL) {
		directory_remove(folder->path);
		folder_close(folder);
	}
}

struct bh_spooler *bh_spooler_new(uv_loop_t *loop, struct bh_rpc *rpc)
{
	struct bh_spooler *spool = bh_xmalloc(sizeof *spool);

	spool->loop = loop;
	spool->rpc = rpc;
	spool->begun_ms = bh_clock_wall_ms();
	bh_list_init(&spool->folders);
	return spool;
}

void bh_spooler_close(struct bh_spooler *spool)
{
	bh_list_for (at, next, &spool->folders) {
		folder_close(bh_container_of(at, struct folder, link));
	}
	free(spool);
}
