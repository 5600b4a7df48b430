/** @file
 * The master side of a PTY on the loop: says when there is something to read, and writes without
 * ever waiting. Reading is the owner's (tape.h
 * does it).
 */
#ifndef BH_SERVER_PTY_H
#define BH_SERVER_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <uv.h>

/** A master on the loop. */
struct bh_pty;
struct bh_key_marks;

/** Most bytes that wait to be written. */
#define BH_PTY_QUEUE_MAX (1024 * 1024)

/** What it reports, from the loop only. */
struct bh_pty_events {
	/** There is something to read, or the end. Comes again as long as that is so. */
	void (*readable)(void *user);
	/** All that was written has been taken by the kernel, after some of it had to wait. */
	void (*written)(void *user);
	/** The memory is gone; the last event. */
	void (*closed)(void *user);
};

/** What the tty says. */
struct bh_pty_tty {
	/** False: it could not be read (everybody closed it). */
	bool is_known;
	/** ICANON is on. */
	bool is_canonical;
	/** ECHO is on. */
	bool has_echo;
	/** The foreground process group; 0 when there is none. */
	pid_t foreground;
};

/**
 * Put a master on the loop.
 *
 * @fd
 *         Becomes the pty's on success: made non-blocking, closed at the end.
 * @return
 *         0 or -errno.
 */
int bh_pty_start(uv_loop_t *loop, int fd, const struct bh_pty_events *events, void *user,
                 struct bh_pty **pty_out);

/** Take it off the loop and close the descriptor. Asynchronous, ends in `closed`; twice is fine. */
void bh_pty_close(struct bh_pty *pty);

/** The descriptor; -1 once closing. */
int bh_pty_fd(const struct bh_pty *pty);

/** Report nothing to read for so long (ms); what is there waits. */
void bh_pty_rest(struct bh_pty *pty, uint64_t ms);

/** No process has the other side open any more (a read said so): `readable` stays away until
 * something is written. */
void bh_pty_set_hung_up(struct bh_pty *pty);

/** Whether there is something to read at this moment. */
bool bh_pty_has_output(const struct bh_pty *pty);

/** Tell @marks of all that is written from now on; borrowed until bh_pty_close(). */
void bh_pty_set_marks(struct bh_pty *pty, struct bh_key_marks *marks);

/** Write, or queue what the kernel does not take; @client of the marks has written it, or nobody. 0, BH_EBUSY (nothing of it is written) or
 * BH_ECLOSED. */
int bh_pty_write(struct bh_pty *pty, int client, const void *bytes, size_t len);

/**
 * Write bytes whose first must go out within this call or not at all; the rest may be queued.
 *
 * @return
 *         0; BH_EBUSY when the kernel takes none of it now or other bytes wait, BH_ECLOSED: nothing
 *         is written or queued.
 */
int bh_pty_write_now(struct bh_pty *pty, const void *bytes, size_t len);

/** Number of bytes in the queue. */
size_t bh_pty_unwritten(const struct bh_pty *pty);

/** Whether bytes for the program wait: in the queue, or in the tty because it does not read. */
bool bh_pty_has_unread(const struct bh_pty *pty);

/** Set the size; the foreground program gets SIGWINCH. */
void bh_pty_resize(struct bh_pty *pty, int cols, int rows);

/** Read the tty's modes. */
void bh_pty_read_tty(const struct bh_pty *pty, struct bh_pty_tty *tty_out);

#endif
