#include "src/client/spool.h"

#include "src/base/clock.h"
#include "src/base/file.h"
#include "src/base/limits.h"
#include "src/base/mem.h"
#include "src/base/uuid.h"
#include "src/client/conn.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/** The first and the longest pause between two looks for the answer. */
#define LOOK_FIRST_MS 4
#define LOOK_MAX_MS 100

bool bh_spool_is_usable(const char *dir)
{
	struct stat st;

	return dir != NULL && dir[0] == '/' && lstat(dir, &st) == 0 && S_ISDIR(st.st_mode) &&
	       st.st_uid == geteuid() && access(dir, W_OK | X_OK) == 0;
}

/** The two files of a request. */
struct spool_files {
	char *request;
	char *answer;
};

/** Write a request under a fresh name. */
static int files_write(struct spool_files *files, const char *dir, struct bh_span request,
                       struct bh_err *err)
{
	struct bh_uuid unique = bh_uuid_new();
	char text[BH_UUID_TEXT];

	(void)bh_uuid_format(&unique, text);
	files->request = bh_xasprintf("%s/req-%s.json", dir, text);
	files->answer = bh_xasprintf("%s/ans-%s.json", dir, text);
	return bh_file_replace(files->request, request, 0600, BH_FILE_ATOMIC, err);
}

/** Take both away: a request that nobody has read is not done any more. */
static void files_remove(struct spool_files *files)
{
	if (files->request != NULL) {
		(void)unlink(files->request);              // gone already when it was answered
		(void)bh_file_remove(files->answer, NULL); // what stays is swept by the server
	}
	free(files->request);
	free(files->answer);
	*files = (struct spool_files){0};
}

static void call_tell(const struct bh_spool_request *call, enum bh_patience_step step)
{
	if (call->tell != NULL) {
		call->tell(call->user, step);
	}
}

/** See whether the server has given the sign of life that it was asked for, and do what is due. */
static void call_mind(const struct bh_spool_request *call, struct bh_patience *patience,
                      struct spool_files *sign)
{
	uint64_t now_ms = bh_clock_mono_ms();

	if (sign->answer != NULL && access(sign->answer, F_OK) == 0) {
		files_remove(sign);
		if (bh_patience_heard(patience, now_ms)) {
			call_tell(call, BH_PATIENCE_TELL_BACK);
		}
	}

	enum bh_patience_step step = now_ms >= bh_patience_due(patience)
	                                     ? bh_patience_step(patience, now_ms)
	                                     : BH_PATIENCE_WAIT;
	if (step == BH_PATIENCE_ASK) {
		// Should it fail, that looks like a server that does not react: nearly true.
		(void)files_write(sign, call->dir, call->sign, NULL);
	} else if (step != BH_PATIENCE_WAIT) {
		call_tell(call, step);
	}
}

/**
 * Look for the answer until the deadline. The pauses grow: a quick answer is seen quickly, a wait of
 * minutes costs nothing. No inotify: a sandbox may forbid it, and a missed event would hang us.
 */
static int wait_for_answer(const struct bh_spool_request *call, const char *path,
                           struct bh_buf *answer_out, struct bh_err *err)
{
	uint64_t now_ms = bh_clock_mono_ms();
	uint64_t deadline_ms =
		call->timeout_ms < 0 ? BH_CONN_NO_DEADLINE : now_ms + (uint64_t)call->timeout_ms;
	struct bh_patience patience;
	struct spool_files sign = {0};
	int pause_ms = LOOK_FIRST_MS;
	int rc;

	bh_patience_begin(&patience, now_ms, deadline_ms);
	while ((rc = bh_file_read(path, BH_CONN_LINE_MAX, answer_out, err)) == -ENOENT) {
		if (bh_clock_mono_ms() >= deadline_ms) {
			rc = bh_err_set(err, BH_ETIMEOUT,
			                "the server did not answer the request in the spool in %ld "
			                "s; whether it was done is not known. Ask the operator "
			                "whether `bellhop server status` is well",
			                call->timeout_ms / 1000);
			break;
		}
		if (call->sign.len > 0) {
			call_mind(call, &patience, &sign);
		}
		(void)poll(NULL, 0, pause_ms); // a short sleep; an early end does no harm
		pause_ms = pause_ms * 2 < LOOK_MAX_MS ? pause_ms * 2 : LOOK_MAX_MS;
	}
	files_remove(&sign);
	return rc;
}

int bh_spool_call(const struct bh_spool_request *call, struct bh_buf *answer_out,
                  struct bh_err *err)
{
	struct spool_files files = {0};
	int rc = 0;

	if (call->request.len >= BH_LIMIT_LINE) {
		return bh_err_set(err, BH_ELIMIT, "the request is longer than %d bytes",
		                  BH_LIMIT_LINE - 1);
	}
	rc = files_write(&files, call->dir, call->request, err);
	rc = rc == 0 ? wait_for_answer(call, files.answer, answer_out, err) : rc;
	files_remove(&files);
	return rc;
}
