/** @file
 * Attached clients: each gets a snapshot of a terminal and then its raw output, with resizes in
 * band; its keys go to the terminal. A client that does not keep up loses its backlog and gets a new
 * snapshot instead; one that wants no more than to see gets snapshots of a flood. doc/PROTOCOL.md section 2 has the frames.
 */
#ifndef BH_SERVER_STREAMS_H
#define BH_SERVER_STREAMS_H

#include "src/base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bh_request;
struct bh_stream;
struct bh_terminal;

/** Backlog of a connection at which its streams are cut off until it has caught up (bytes). */
#define BH_STREAM_BACKLOG (512 * 1024)

/** For clients that want the newest: the time of a frame (ms), and the bytes of output that they get
 * in one before the rest of it is left out; once that happened, so many in each that follows. */
#define BH_STREAM_FRAME_MS 16
#define BH_STREAM_FRAME_BYTES (64 * 1024)
#define BH_STREAM_FLOOD_BYTES (8 * 1024)

/** How a client attaches. */
struct bh_stream_settings {
	/** Size of the client's view; 0: it has none, or only observes. */
	int cols, rows;
	/** It only looks: its keys and resizes are ignored. */
	bool is_observer;
	/** Its keys go to the terminal, but its resizes are ignored. */
	bool is_sizeless;
	/** It wants to see what is, not all that was: output that comes faster than it can be looked at
	 * is left out, and a snapshot takes its place. */
	bool is_newest;
	/** Whose keys these are (bh_key_marks_open()); 0: nobody wants to know how far they go. */
	uint64_t token;
};

/**
 * Open a stream on the connection of @request. Nothing is sent before bh_stream_begin(), so that the
 * answer with the number goes first.
 *
 * @return
 *         The stream, or NULL: the connection has BH_RPC_STREAMS_MAX of them, or there is none
 *         (spool).
 */
struct bh_stream *bh_stream_open(struct bh_terminal *terminal, struct bh_request *request,
                                 const struct bh_stream_settings *settings);

/** Its number on the wire. */
uint16_t bh_stream_number(const struct bh_stream *stream);

/** Send the first snapshot, and the note of the terminal. */
void bh_stream_begin(struct bh_stream *stream);

/** A frame of the client came. */
void bh_stream_frame(struct bh_stream *stream, uint8_t type, struct bh_span payload);

/** The connection's backlog is small again. */
void bh_stream_caught_up(struct bh_stream *stream);

/** End it without a word (detach, or the connection is gone). Frees it. */
void bh_stream_close(struct bh_stream *stream);

/** Output of the terminal, after it was fed to the screen. */
void bh_streams_output(struct bh_terminal *terminal, struct bh_span bytes);

/** Whether some client does not get the output of now. */
bool bh_streams_leave_out(const struct bh_terminal *terminal);

/** The output that was given last did this beside the screen (bh_screen_aside()). Clients that did not
 * get that output are told with their next snapshot, of several the newest of each kind. */
void bh_streams_aside(struct bh_terminal *terminal, struct bh_span bytes);

/** The terminal has this size from here on. */
void bh_streams_resized(struct bh_terminal *terminal, int cols, int rows);

/** Show @text in the status line of all clients. */
void bh_streams_note(struct bh_terminal *terminal, const char *text);

/** The child is gone: tell @status and end all streams. */
void bh_streams_exit(struct bh_terminal *terminal, int status);

/** The server ends and the child goes on: end all streams without a word. The clients come back. */
void bh_streams_drop(struct bh_terminal *terminal);

/** Number of clients that do not only observe. */
size_t bh_streams_count(struct bh_terminal *terminal);

#endif
