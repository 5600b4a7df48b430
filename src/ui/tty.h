/** @file
 * A person's terminal: raw mode and back, size, bytes in and out, and the signals that concern it,
 * as a descriptor for poll().
 */
#ifndef BH_UI_TTY_H
#define BH_UI_TTY_H

#include "src/base/buf.h"
#include "src/base/err.h"

#include <signal.h>
#include <stdbool.h>
#include <termios.h>

/** A terminal in use. Zero-initialise. */
struct bh_tty {
	/** Where keys come from and where drawing goes: both the terminal. */
	int in_fd, out_fd;
	/** A signalfd for SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGCONT. */
	int signal_fd;
	/** The settings to bring back, and those in force. */
	struct termios saved;
	struct termios raw;
	sigset_t saved_mask;
	/** Whether bh_tty_open() is in force. */
	bool is_open;
	/** Bytes the terminal has not taken yet. */
	struct bh_buf out;
	/** How many of them, from the first on, are left of a frame. */
	size_t frame_left;
};

/**
 * Go to raw mode.
 *
 * @return
 *         0; BH_EUNSUPPORTED when one of them is no terminal; -errno. Nothing is changed then.
 */
int bh_tty_open(struct bh_tty *tty, int in_fd, int out_fd, struct bh_err *err);

/**
 * On the way out: write what is left, then take and forget what comes for @wait_ms, or until the
 * answer to DA1, which ends the answers of a terminal. Without it the person's shell would get them
 * as keys. With 0 nothing is done.
 */
void bh_tty_forget_answers(struct bh_tty *tty, int wait_ms);

/**
 * Write what is left (giving up on a terminal that takes nothing for five seconds), bring back the settings and the signals. May be
 * called twice, and on one that is not open.
 */
void bh_tty_close(struct bh_tty *tty);

/** Raw mode again, after somebody else had the terminal (SIGCONT). */
void bh_tty_resume(struct bh_tty *tty);

/** The terminal's size; 80x24 when it does not know. */
void bh_tty_size(int fd, int *cols_out, int *rows_out);

/** Queue bytes for the terminal. */
void bh_tty_put(struct bh_tty *tty, struct bh_span bytes);

/** Whether so much is queued, apart from a frame, that what programs want of the terminal without end
 * (titles, bells, notifications) must wait or be let go: it may have stopped for hours. */
bool bh_tty_is_behind(const struct bh_tty *tty);

/** Queue a frame. Only when nothing else is queued it can be dropped. */
void bh_tty_put_frame(struct bh_tty *tty, struct bh_span bytes);

/** Forget what is left of a frame: nobody wants to see it any more. All else must arrive, for what
 * switches a mode on is taken back on the way out, and only once. */
void bh_tty_drop_frame(struct bh_tty *tty);

/** Write what the terminal takes now. 0, or -errno (-EIO: it is gone). */
int bh_tty_write(struct bh_tty *tty);

/** The next signal that came, 0 when there is none. */
int bh_tty_signal(struct bh_tty *tty);

#endif
