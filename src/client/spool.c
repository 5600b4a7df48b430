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

/**
 * Look for the answer until the deadline. The pauses grow: a quick answer is seen quickly, a wait of
 * minutes costs nothing. No inotify: a sandbox may forbid it, and a missed event would hang us.
 */
static int wait_for_answer(const char *path, uint64_t deadline_ms, struct bh_buf *answer_out,
                           struct bh_err *err)
{
	int pause_ms = LOOK_FIRST_MS;

	for (;;) {
		int rc = bh_file_read(path, BH_CONN_LINE_MAX, answer_out, err);

		if (rc != -ENOENT) {
			return rc;
		}
		if (bh_clock_mono_ms() >= deadline_ms) {
			return BH_ETIMEOUT;
		}
		(void)poll(NULL, 0, pause_ms); // a short sleep; an early end does no harm
		pause_ms = pause_ms * 2 < LOOK_MAX_MS ? pause_ms * 2 : LOOK_MAX_MS;
	}
}

/** Say what a missing answer means; the request is withdrawn if nobody took it. */
static int report_timeout(const char *request_path, struct bh_err *err)
{
	if (access(request_path, F_OK) == 0) {
		(void)unlink(request_path); // the server may take it at this moment: no harm
		return bh_err_set(err, BH_ETIMEOUT,
		                  "the server did not take the request from the spool; nothing was "
		                  "done. Ask the operator whether `bellhop server status` is well");
	}
	return bh_err_set(err, BH_ETIMEOUT,
	                  "the server took the request from the spool but has not answered yet");
}

int bh_spool_call(const char *dir, struct bh_span request, long timeout_ms,
                  struct bh_buf *answer_out, struct bh_err *err)
{
	uint64_t deadline_ms =
		timeout_ms < 0 ? BH_CONN_NO_DEADLINE : bh_clock_mono_ms() + (uint64_t)timeout_ms;
	struct bh_uuid unique = bh_uuid_new();
	char text[BH_UUID_TEXT];
	char *request_path = NULL;
	char *answer_path = NULL;
	int rc = 0;

	if (request.len >= BH_LIMIT_LINE) {
		return bh_err_set(err, BH_ELIMIT, "the request is longer than %d bytes",
		                  BH_LIMIT_LINE - 1);
	}
	(void)bh_uuid_format(&unique, text);
	request_path = bh_xasprintf("%s/req-%s.json", dir, text);
	answer_path = bh_xasprintf("%s/ans-%s.json", dir, text);
	rc = bh_file_replace(request_path, request, 0600, BH_FILE_ATOMIC, err);
	if (rc == 0) {
		rc = wait_for_answer(answer_path, deadline_ms, answer_out, err);
		if (rc == BH_ETIMEOUT) {
			rc = report_timeout(request_path, err);
		}
		(void)bh_file_remove(answer_path, NULL); // what stays is swept by the server
	}
	free(request_path);
	free(answer_path);
	return rc;
}
