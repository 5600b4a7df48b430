#include "src/server/pty.h"

#include "src/base/buf.h"
#include "src/base/err.h"
#include "src/base/fd.h"
#include "src/base/list.h"
#include "src/base/mem.h"
#include "src/server/key_marks.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// Most bytes of one write from the queue: a kill in the middle of a longer one would leave a part of it
// unwritten of which the marks say that it was.
#define WRITE_MAX 2048

struct bh_pty {
	uv_poll_t poll;
	// Runs while the owner does not want to read.
	uv_timer_t rest;
	bool is_resting;
	// Handles that are not closed yet.
	int handles;
	int fd;
	// What the loop watches.
	int watched;
	const struct bh_pty_events *events;
	void *user;
	// What the kernel did not take yet.
	struct bh_buf out;
	// Whose it is; may be NULL.
	struct bh_key_marks *marks;
	// Nobody has the other side open: poll would report a hang-up for ever.
	bool is_hung_up;
	bool closing;
};

static void pty_flush(struct bh_pty *pty);

static void on_poll(uv_poll_t *poll, int status, int events)
{
	struct bh_pty *pty = bh_container_of(poll, struct bh_pty, poll);

	if ((events & UV_WRITABLE) != 0) {
		bool was_waiting = pty->out.len > 0;

		pty_flush(pty);
		if (was_waiting && pty->out.len == 0 && !pty->closing) {
			pty->events->written(pty->user);
		}
	}
	// The owner may close us in `written`.
	if (!pty->closing && !pty->is_hung_up && !pty->is_resting &&
	    (status < 0 || (events & UV_READABLE) != 0)) {
		pty->events->readable(pty->user);
	}
}

// Ask the loop for what matters now.
static void pty_watch(struct bh_pty *pty)
{
	int events = (pty->is_hung_up || pty->is_resting ? 0 : UV_READABLE) |
	             (pty->out.len > 0 ? UV_WRITABLE : 0);

	if (pty->closing || events == pty->watched) {
		return; // to the loop, the same again would be two system calls
	}
	pty->watched = events;
	if (events == 0) {
		(void)uv_poll_stop(&pty->poll); // never fails
	} else {
		(void)uv_poll_start(&pty->poll, events, on_poll); // fails only while closing
	}
}

// One write, of what stands at @at in the queue: as write().
static ssize_t pty_write_some(struct bh_pty *pty, size_t at)
{
	size_t len = pty->out.len - at < WRITE_MAX ? pty->out.len - at : WRITE_MAX;
	ssize_t count = 0;

	bh_key_marks_writing(pty->marks, len);
	count = write(pty->fd, pty->out.data + at, len);
	int errnum = errno;
	bh_key_marks_wrote(pty->marks, count > 0 ? (size_t)count : 0);
	errno = errnum;
	return count;
}

// Write the queue's front; what can never be written any more is dropped.
static void pty_flush(struct bh_pty *pty)
{
	size_t done = 0;

	while (done < pty->out.len) {
		ssize_t count = pty_write_some(pty, done);

		if (count > 0) {
			done += (size_t)count;
		} else if (count < 0 && errno == EINTR) {
			continue;
		} else if (count < 0 && errno == EAGAIN) {
			break;
		} else {
			bh_key_marks_wrote(pty->marks, pty->out.len - done);
			done = pty->out.len;
		}
	}
	bh_buf_consume(&pty->out, done);
	pty_watch(pty);
}

int bh_pty_start(uv_loop_t *loop, int fd, const struct bh_pty_events *events, void *user,
                 struct bh_pty **pty_out)
{
	struct bh_pty *pty = bh_xmalloc(sizeof *pty);
	int code = bh_fd_set_nonblock(fd, true);

	pty->fd = fd;
	pty->events = events;
	pty->user = user;
	if (code == 0) {
		code = uv_poll_init(loop, &pty->poll, fd);
	}
	if (code != 0) {
		free(pty);
		return code;
	}
	(void)uv_timer_init(loop, &pty->rest); // never fails
	pty->handles = 2;
	pty_watch(pty);
	*pty_out = pty;
	return 0;
}

static void pty_handle_closed(struct bh_pty *pty)
{
	const struct bh_pty_events *events = pty->events;
	void *user = pty->user;

	pty->handles--;
	if (pty->handles == 0) {
		bh_buf_clear(&pty->out);
		free(pty);
		events->closed(user);
	}
}

static void on_poll_closed(uv_handle_t *handle)
{
	pty_handle_closed(bh_container_of((uv_poll_t *)handle, struct bh_pty, poll));
}

static void on_rest_closed(uv_handle_t *handle)
{
	pty_handle_closed(bh_container_of((uv_timer_t *)handle, struct bh_pty, rest));
}

void bh_pty_close(struct bh_pty *pty)
{
	if (pty->closing) {
		return;
	}
	pty->closing = true;
	(void)uv_poll_stop(&pty->poll); // before the descriptor goes, as libuv demands
	bh_fd_close(&pty->fd);
	uv_close((uv_handle_t *)&pty->poll, on_poll_closed);
	uv_close((uv_handle_t *)&pty->rest, on_rest_closed);
}

static void on_rested(uv_timer_t *timer)
{
	struct bh_pty *pty = bh_container_of(timer, struct bh_pty, rest);

	pty->is_resting = false;
	pty_watch(pty);
}

void bh_pty_rest(struct bh_pty *pty, uint64_t ms)
{
	if (!pty->closing) {
		pty->is_resting = true;
		(void)uv_timer_start(&pty->rest, on_rested, ms, 0); // fails only while closing
		pty_watch(pty);
	}
}

int bh_pty_fd(const struct bh_pty *pty)
{
	return pty->fd;
}

void bh_pty_set_hung_up(struct bh_pty *pty)
{
	pty->is_hung_up = true;
	pty_watch(pty);
}

bool bh_pty_has_output(const struct bh_pty *pty)
{
	struct pollfd poll_fd = {.fd = pty->fd, .events = POLLIN};

	return !pty->closing && poll(&poll_fd, 1, 0) == 1 && (poll_fd.revents & POLLIN) != 0;
}

void bh_pty_set_marks(struct bh_pty *pty, struct bh_key_marks *marks)
{
	pty->marks = marks;
}

int bh_pty_write(struct bh_pty *pty, int client, const void *bytes, size_t len)
{
	if (pty->closing) {
		return BH_ECLOSED;
	}
	if (len > BH_PTY_QUEUE_MAX - pty->out.len) {
		return BH_EBUSY;
	}
	bh_buf_append(&pty->out, bytes, len);
	bh_key_marks_queue(pty->marks, client, len);
	// A program may have opened the other side again; a write is a good moment to look.
	pty->is_hung_up = false;
	pty_flush(pty);
	return 0;
}

int bh_pty_write_now(struct bh_pty *pty, const void *bytes, size_t len)
{
	ssize_t count = -1;

	if (pty->closing) {
		return BH_ECLOSED;
	}
	if (pty->out.len > 0 || len > BH_PTY_QUEUE_MAX) {
		return BH_EBUSY;
	}
	do {
		count = write(pty->fd, bytes, len);
	} while (count < 0 && errno == EINTR);
	if (count <= 0) {
		return count < 0 && errno == EAGAIN ? BH_EBUSY : BH_ECLOSED;
	}
	bh_buf_append(&pty->out, (const char *)bytes + count, len - (size_t)count);
	bh_key_marks_queue(pty->marks, BH_KEY_MARKS_NOBODY, len - (size_t)count);
	pty->is_hung_up = false;
	pty_watch(pty);
	return 0;
}

size_t bh_pty_unwritten(const struct bh_pty *pty)
{
	return pty->out.len;
}

void bh_pty_resize(struct bh_pty *pty, int cols, int rows)
{
	const struct winsize size = {.ws_col = (unsigned short)cols,
	                             .ws_row = (unsigned short)rows};

	if (!pty->closing) {
		(void)ioctl(pty->fd, TIOCSWINSZ, &size); // fails only when the other side is gone
	}
}

void bh_pty_read_tty(const struct bh_pty *pty, struct bh_pty_tty *tty_out)
{
	struct termios modes;
	int foreground = 0;

	*tty_out = (struct bh_pty_tty){.is_known = false};
	if (pty->closing || tcgetattr(pty->fd, &modes) != 0) {
		return;
	}
	tty_out->is_known = true;
	tty_out->is_canonical = (modes.c_lflag & ICANON) != 0;
	tty_out->has_echo = (modes.c_lflag & ECHO) != 0;
	if (ioctl(pty->fd, TIOCGPGRP, &foreground) == 0) {
		tty_out->foreground = foreground;
	}
}

bool bh_pty_has_unread(const struct bh_pty *pty)
{
	int unread = 0;
	int slave;

	if (pty->closing || pty->is_hung_up) {
		return false;
	}
	if (pty->out.len > 0) {
		return true;
	}
	// Only the other side knows; it is open for a moment, so that its end is still noticed.
	slave = ioctl(pty->fd, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (slave < 0) {
		return false;
	}
	// What was written a moment ago may still be on its way; a poll, unlike FIONREAD, waits for it.
	(void)poll(&(struct pollfd){.fd = slave, .events = POLLIN}, 1, 0);
	if (ioctl(slave, FIONREAD, &unread) != 0) {
		unread = 0;
	}
	(void)close(slave);
	return unread > 0;
}
