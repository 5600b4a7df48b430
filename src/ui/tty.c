#include "src/ui/tty.h"

#include "src/base/clock.h"
#include "src/base/fd.h"
#include "src/base/turns.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

/** How long closing waits for a terminal that takes nothing, and for one that is slow (ms). A pseudo
 * terminal shows nothing of a slow reader until that has read 4 KiB. */
#define CLOSE_STUCK_MS 5000
#define CLOSE_MS 10000

/** So much may be queued for a terminal behind a frame by programs (bytes). */
#define BEHIND 4096

static const int signals[] = {SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGCONT};

int bh_tty_open(struct bh_tty *tty, int in_fd, int out_fd, struct bh_err *err)
{
	sigset_t mask;

	if (tcgetattr(in_fd, &tty->saved) != 0 || !isatty(out_fd)) {
		return bh_err_set(err, BH_EUNSUPPORTED,
		                  "standard input and output must be a terminal");
	}
	(void)sigemptyset(&mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		(void)sigaddset(&mask, signals[i]);
	}
	if (sigprocmask(SIG_BLOCK, &mask, &tty->saved_mask) != 0) {
		return bh_err_sys(err, errno, "block signals");
	}
	tty->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (tty->signal_fd < 0) {
		int errnum = errno;

		(void)sigprocmask(SIG_SETMASK, &tty->saved_mask, NULL);
		return bh_err_sys(err, errnum, "wait for signals");
	}
	tty->raw = tty->saved;
	cfmakeraw(&tty->raw);
	tty->raw.c_cc[VMIN] = 1;
	tty->raw.c_cc[VTIME] = 0;
	tty->in_fd = in_fd;
	tty->out_fd = out_fd;
	tty->is_open = true;
	if (tcsetattr(in_fd, TCSADRAIN, &tty->raw) != 0) {
		int errnum = errno;

		bh_tty_close(tty);
		return bh_err_sys(err, errnum, "set the terminal to raw mode");
	}
	bh_turns_be_brief(); // from here on a person waits for us
	return 0;
}

/** Write the rest to a terminal that may be slow, or stopped, or gone. */
static void drain(struct bh_tty *tty)
{
	uint64_t now_ms = bh_clock_mono_ms();
	uint64_t deadline_ms = now_ms + CLOSE_MS;
	uint64_t stuck_at_ms = now_ms + CLOSE_STUCK_MS;

	while (tty->out.len > 0 && now_ms < deadline_ms && now_ms < stuck_at_ms) {
		struct pollfd at = {.fd = tty->out_fd, .events = POLLOUT};
		size_t before = tty->out.len;

		if (bh_tty_write(tty) != 0) {
			return;
		}
		now_ms = bh_clock_mono_ms();
		stuck_at_ms = tty->out.len < before ? now_ms + CLOSE_STUCK_MS : stuck_at_ms;
		if (tty->out.len > 0) {
			(void)poll(&at, 1, 50);
		}
	}
	bh_buf_clear(&tty->out); // nobody waits for it twice
}

void bh_tty_forget_answers(struct bh_tty *tty, int wait_ms)
{
	uint64_t deadline_ms = 0;
	char bytes[512];
	ssize_t n = 1;

	drain(tty);
	deadline_ms = bh_clock_mono_ms() + (uint64_t)(wait_ms < 0 ? 0 : wait_ms);
	while (n > 0 && (n < 4 || bytes[n - 1] != 'c')) {
		struct pollfd at = {.fd = tty->in_fd, .events = POLLIN};
		uint64_t now_ms = bh_clock_mono_ms();

		n = 0;
		if (now_ms < deadline_ms && poll(&at, 1, (int)(deadline_ms - now_ms)) == 1) {
			n = read(tty->in_fd, bytes, sizeof(bytes));
		}
	}
}

void bh_tty_close(struct bh_tty *tty)
{
	if (!tty->is_open) {
		return;
	}
	tty->is_open = false;
	drain(tty);
	(void)tcsetattr(tty->in_fd, TCSADRAIN, &tty->saved); // a terminal that is gone needs none
	(void)sigprocmask(SIG_SETMASK, &tty->saved_mask, NULL);
	bh_fd_close(&tty->signal_fd);
	bh_buf_clear(&tty->out);
}

void bh_tty_resume(struct bh_tty *tty)
{
	(void)tcsetattr(tty->in_fd, TCSADRAIN, &tty->raw); // fails only when it is gone
}

void bh_tty_size(int fd, int *cols_out, int *rows_out)
{
	struct winsize size = {0};

	if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
		size.ws_col = 80;
		size.ws_row = 24;
	}
	*cols_out = size.ws_col;
	*rows_out = size.ws_row;
}

void bh_tty_put(struct bh_tty *tty, struct bh_span bytes)
{
	bh_buf_append(&tty->out, bytes.data, bytes.len);
}

bool bh_tty_is_behind(const struct bh_tty *tty)
{
	return tty->out.len - tty->frame_left > BEHIND;
}

void bh_tty_put_frame(struct bh_tty *tty, struct bh_span bytes)
{
	tty->frame_left = tty->out.len == 0 ? bytes.len : tty->frame_left;
	bh_tty_put(tty, bytes);
}

void bh_tty_drop_frame(struct bh_tty *tty)
{
	bh_buf_consume(&tty->out, tty->frame_left);
	tty->frame_left = 0;
}

int bh_tty_write(struct bh_tty *tty)
{
	while (tty->out.len > 0) {
		struct pollfd at = {.fd = tty->out_fd, .events = POLLOUT};
		// The descriptor is shared with other programs, so it is not set to non-blocking:
		// poll() says when a piece of this size will not block.
		size_t piece = tty->out.len < 2048 ? tty->out.len : 2048;
		ssize_t n = 0;

		if (poll(&at, 1, 0) != 1 || (at.revents & POLLOUT) == 0) {
			return (at.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0 ? -EIO : 0;
		}
		n = write(tty->out_fd, tty->out.data, piece);
		if (n > 0) {
			bh_buf_consume(&tty->out, (size_t)n);
			tty->frame_left -=
				tty->frame_left < (size_t)n ? tty->frame_left : (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			return 0;
		} else if (n < 0 && errno != EINTR) {
			return -errno;
		}
	}
	return 0;
}

int bh_tty_signal(struct bh_tty *tty)
{
	struct signalfd_siginfo info;
	ssize_t n = read(tty->signal_fd, &info, sizeof(info));

	return n == (ssize_t)sizeof(info) ? (int)info.ssi_signo : 0;
}
