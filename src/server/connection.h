/** @file
 * One client on the session's socket: cuts what comes in into lines and frames, sends lines and
 * frames out, in order, without ever waiting for a slow reader.
 *
 * Events come from the loop only. After `closed` the pointer is gone.
 */
#ifndef BH_SERVER_CONNECTION_H
#define BH_SERVER_CONNECTION_H

#include "src/base/buf.h"
#include "src/base/list.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <uv.h>

struct bh_connection;

/** What a connection reports. All are called from the loop. */
struct bh_connection_events {
	/** A line came in, without its newline; borrowed for the call. */
	void (*line)(struct bh_connection *connection, struct bh_span line, void *user);
	/** A frame came in; the payload is borrowed for the call. */
	void (*frame)(struct bh_connection *connection, uint8_t type, uint16_t stream,
	              struct bh_span payload, void *user);
	/** A line or frame longer than allowed, or a broken frame. The connection closes after it;
	 * a last line may be sent from here. @what is a sentence. */
	void (*broken)(struct bh_connection *connection, const char *what, void *user);
	/** The backlog fell below BH_CONNECTION_LOW after it was above it. */
	void (*drained)(struct bh_connection *connection, void *user);
	/** No more lines will come: the peer left or bh_connection_close() was called. Sent once;
	 * the pointer is good until the call returns. */
	void (*closed)(struct bh_connection *connection, void *user);
};

/** Longest frame payload that a client may send (bytes). */
#define BH_CONNECTION_FRAME_MAX (64 * 1024)
/** Longest line sent to a client (bytes). */
#define BH_CONNECTION_ANSWER_MAX (16 * 1024 * 1024)
/** Backlog under which a slow client counts as caught up (bytes). */
#define BH_CONNECTION_LOW (64 * 1024)
/** Backlog at which no more requests are read from it (bytes). */
#define BH_CONNECTION_HIGH (4 * 1024 * 1024)
/** Backlog at which the client is given up (bytes). */
#define BH_CONNECTION_MAX (64 * 1024 * 1024)

/**
 * Accept a client from a listening pipe.
 *
 * @return
 *         NULL when there was none to accept or its user is not ours (it is closed then).
 */
struct bh_connection *bh_connection_accept(uv_pipe_t *listener,
                                           const struct bh_connection_events *events, void *user);

/** The peer's pid as the kernel gave it at connect(); 0: none in our pid namespace. */
pid_t bh_connection_pid(const struct bh_connection *connection);

/** Send a line; the newline is added. A line above BH_CONNECTION_ANSWER_MAX is the caller's bug. */
void bh_connection_send_line(struct bh_connection *connection, struct bh_span line);

/** Send bytes made by frame.h. Dropped when the connection closes. */
void bh_connection_send_bytes(struct bh_connection *connection, struct bh_span bytes);

/** Number of bytes that wait for the client to read them. */
size_t bh_connection_backlog(const struct bh_connection *connection);

/** Close it, once what was sent has been read or cannot be. May be called twice. */
void bh_connection_close(struct bh_connection *connection);

#endif
