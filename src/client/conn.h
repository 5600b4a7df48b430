/** @file
 * The client's end of a connection: JSON lines and binary frames over one descriptor, with own
 * buffers on both sides. One request needs no event loop: poll() and a deadline are enough, and
 * the UI puts the descriptor into its own poll().
 */
#ifndef BH_CLIENT_CONN_H
#define BH_CLIENT_CONN_H

#include "src/base/buf.h"
#include "src/base/err.h"

#include <stdbool.h>
#include <stdint.h>

/** Longest answer line taken from a server (bytes, with its newline). */
#define BH_CONN_LINE_MAX (16 * 1024 * 1024)

/** A deadline that never comes. */
#define BH_CONN_NO_DEADLINE UINT64_MAX

/** A connection. Not for use by two threads. */
struct bh_conn;

/** What came from the server. */
enum bh_conn_kind {
	/** A JSON line, without its newline. */
	BH_CONN_LINE,
	/** A binary frame. */
	BH_CONN_FRAME,
};

/** One line or frame. */
struct bh_conn_item {
	/** Which of the two. */
	enum bh_conn_kind kind;
	/** Of a frame: its type (enum bh_frame_type). */
	uint8_t type;
	/** Of a frame: its stream. */
	uint16_t stream;
	/** The line or the payload; borrowed until the next call on the connection. */
	struct bh_span bytes;
};

/** Take over @fd, a connected stream socket; it is made non-blocking and closed by free. */
struct bh_conn *bh_conn_new(int fd);

/** Close and free; NULL allowed. Bytes not yet written are lost. */
void bh_conn_free(struct bh_conn *conn);

/** The descriptor, for poll(). */
int bh_conn_fd(const struct bh_conn *conn);

/** Whether bytes wait to be written: then poll() for POLLOUT too. */
bool bh_conn_wants_write(const struct bh_conn *conn);

/** Queue @line (without newline) for writing. */
void bh_conn_put_line(struct bh_conn *conn, struct bh_span line);

/** Queue a frame. The payload is at most BH_LIMIT_LINE bytes. */
void bh_conn_put_frame(struct bh_conn *conn, uint8_t type, uint16_t stream, const void *payload,
                       size_t len);

/** Whether the peer has ended it, and all that it sent was taken. Never waits. */
bool bh_conn_is_ended(const struct bh_conn *conn);

/** Write what the socket takes now. 0, BH_ECLOSED, or -errno. */
int bh_conn_write(struct bh_conn *conn);

/** Write everything, waiting up to @deadline_ms (bh_clock_mono_ms()). Also BH_ETIMEOUT. */
int bh_conn_flush(struct bh_conn *conn, uint64_t deadline_ms);

/** Read what is there now. 0 (also when nothing was), BH_ECLOSED, or -errno. */
int bh_conn_read(struct bh_conn *conn);

/**
 * Take the next whole item out of what was read.
 *
 * @return
 *         1 with @item_out, 0 when more must be read first, BH_EPROTOCOL when the peer sends
 *         what no server of ours sends (too long a line or frame): give the connection up.
 */
int bh_conn_next(struct bh_conn *conn, struct bh_conn_item *item_out);

/** Write, read and wait until an item is there or @deadline_ms has come (then BH_ETIMEOUT). */
int bh_conn_wait(struct bh_conn *conn, uint64_t deadline_ms, struct bh_conn_item *item_out);

#endif
