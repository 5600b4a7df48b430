#include "src/client/patience.h"

#include "src/base/buf.h"
#include "src/base/fd.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/** So long a server may be silent before it is asked for a sign of life (ms). */
#define SILENT_MS 3000
/** And so long it has for that. A loaded machine takes a second; nobody should wonder for long. */
#define REACT_MS 2000
/** The longest pause between two questions (ms). */
#define PAUSE_MAX_MS 60000
/** An answer is overdue so long before the caller gives up (ms); what may be held for 8 s or longer
 * has a limit that much above it. */
#define LATE_MS 10000

void bh_patience_begin(struct bh_patience *patience, uint64_t now_ms, uint64_t deadline_ms)
{
	*patience = (struct bh_patience){
		.deadline_ms = deadline_ms,
		.late_ms = BH_PATIENCE_NEVER,
		.ask_ms = now_ms + SILENT_MS,
		.doubt_ms = BH_PATIENCE_NEVER,
		.pause_ms = SILENT_MS,
	};
	if (deadline_ms != BH_PATIENCE_NEVER && deadline_ms > now_ms + LATE_MS) {
		patience->late_ms = deadline_ms - LATE_MS;
	}
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t bh_patience_due(const struct bh_patience *patience)
{
	// A server that does not react is late with everything: that is told once.
	return earlier(patience->is_hung ? BH_PATIENCE_NEVER : patience->late_ms,
	               earlier(patience->ask_ms, patience->doubt_ms));
}

enum bh_patience_step bh_patience_step(struct bh_patience *patience, uint64_t now_ms)
{
	if (now_ms >= patience->doubt_ms) {
		patience->doubt_ms = BH_PATIENCE_NEVER;
		patience->is_hung = true;
		return BH_PATIENCE_TELL_HUNG;
	}
	if (now_ms >= patience->ask_ms) {
		patience->ask_ms = BH_PATIENCE_NEVER;
		patience->doubt_ms = now_ms + REACT_MS;
		return BH_PATIENCE_ASK;
	}
	// Whether it reacts at all is to be known first.
	if (now_ms >= patience->late_ms && patience->doubt_ms == BH_PATIENCE_NEVER &&
	    !patience->is_hung) {
		patience->late_ms = BH_PATIENCE_NEVER;
		return BH_PATIENCE_TELL_LATE;
	}
	return BH_PATIENCE_WAIT;
}

bool bh_patience_heard(struct bh_patience *patience, uint64_t now_ms)
{
	bool was_hung = patience->is_hung;

	patience->is_hung = false;
	patience->doubt_ms = BH_PATIENCE_NEVER;
	patience->pause_ms = earlier(patience->pause_ms * 2, PAUSE_MAX_MS);
	patience->ask_ms = now_ms + patience->pause_ms;
	return was_hung;
}

bool bh_patience_is_stopped(pid_t pid)
{
	char path[40];
	char text[256] = "";

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);

	int fd = pid > 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0) {
		return false;
	}

	ssize_t len = bh_fd_read_all(fd, text, sizeof(text) - 1);

	bh_fd_close(&fd);
	text[len > 0 ? len : 0] = '\0';

	// "4711 (name) T ...": a name may hold anything, so the last bracket counts.
	const char *end = strrchr(text, ')');

	return end != NULL && end[1] == ' ' && (end[2] == 'T' || end[2] == 't');
}

/** "the server (process 4711)". */
static void put_server(struct bh_buf *out, pid_t pid)
{
	bh_buf_puts(out, "the server");
	if (pid > 0) {
		bh_buf_printf(out, " (process %d)", (int)pid);
	}
}

static void put_hung(struct bh_buf *out, const struct bh_patience_view *view)
{
	bh_buf_puts(out, "waiting for ");
	put_server(out, view->pid);
	if (bh_patience_is_stopped(view->pid)) {
		bh_buf_printf(out, ", which was stopped: `kill -CONT %d` lets it go on, ",
		              (int)view->pid);
	} else {
		bh_buf_printf(out,
		              ", which has not reacted for %d s: ", (int)(view->waited_ms / 1000));
		if (view->log_path != NULL) {
			bh_buf_printf(out, "its log is %s, ", view->log_path);
		}
	}
	bh_buf_puts(out, "`bellhop server stop --force` ends it with all its terminals");
}

static void put_late(struct bh_buf *out, const struct bh_patience_view *view)
{
	bh_buf_printf(out, "waiting for the answer to %s; ", view->method);
	put_server(out, view->pid);
	bh_buf_printf(out, " runs but has not given it for %d s", (int)(view->waited_ms / 1000));
	if (view->log_path != NULL) {
		bh_buf_printf(out, "; its log is %s", view->log_path);
	}
}

void bh_patience_words(struct bh_buf *out, enum bh_patience_step step,
                       const struct bh_patience_view *view)
{
	if (step == BH_PATIENCE_TELL_BACK) {
		put_server(out, view->pid);
		bh_buf_puts(out, " reacts again");
		return;
	}
	if (step == BH_PATIENCE_TELL_HUNG) {
		put_hung(out, view);
	} else {
		put_late(out, view);
	}
	if (view->left_ms >= 0) {
		bh_buf_printf(out, "; giving up in %d s", (int)((view->left_ms + 999) / 1000));
	}
}
