/** @file
 * What travels on a connection between client and server: JSON lines, and binary frames between
 * them.
 *
 *     line    UTF-8 JSON, ended by '\n', at most BH_LIMIT_LINE bytes; never begins with 0x00
 *     frame   0x00, type u8, stream u16, length u32, payload (little endian, 8 bytes of header)
 *
 * A reader skips frames whose type it does not know; payloads may grow at their end.
 */
#ifndef BH_BASE_FRAME_H
#define BH_BASE_FRAME_H

#include "src/base/buf.h"
#include "src/base/err.h"

#include <stddef.h>
#include <stdint.h>

/** Bytes of a frame before its payload. */
#define BH_FRAME_HEADER 8
/** Bytes of a SNAPSHOT payload before the repaint bytes. */
#define BH_FRAME_SNAPSHOT_HEADER 12

/** What a frame carries. Numbers are part of the protocol. */
enum bh_frame_type {
	/** Server to client: raw bytes that the program wrote to the terminal. */
	BH_FRAME_OUTPUT = 1,
	/** Client to server: keys, as bytes for the terminal. */
	BH_FRAME_INPUT = 2,
	/** Both ways: u16 columns, u16 rows; from the server in-band between OUTPUT frames. */
	BH_FRAME_RESIZE = 3,
	/** Server to client: u64 offset in the stream, u16 columns, u16 rows, repaint bytes. */
	BH_FRAME_SNAPSHOT = 4,
	/** Server to client: i32 wait status; the last frame of a stream. */
	BH_FRAME_EXIT = 5,
	/** Server to client: UTF-8 text for the status line. */
	BH_FRAME_NOTE = 6,
	/** Server to client: bytes that ring, notify and set the clipboard as output did that was left
	 * out. For a screen of their own: they are no part of the output. */
	BH_FRAME_ASIDE = 7,
};

/** A decoded frame. */
struct bh_frame {
	/** One of enum bh_frame_type, or a number of a newer version: then skip it. */
	uint8_t type;
	/** The stream it belongs to, given by terminal.attach. */
	uint16_t stream;
	/** The payload, borrowed from the input. */
	struct bh_span payload;
};

/** A screen size in a payload. */
struct bh_frame_size {
	/** Columns. */
	uint16_t cols;
	/** Rows. */
	uint16_t rows;
};

/** A decoded SNAPSHOT payload. */
struct bh_frame_snapshot {
	/** Bytes of output of the terminal's whole life before the cut. */
	uint64_t offset;
	/** Size of the screen at the cut. */
	struct bh_frame_size size;
	/** Bytes that rebuild the screen, borrowed from the payload. */
	struct bh_span repaint;
};

/** What stands next in the input. */
enum bh_frame_kind {
	/** The end of it has not come yet: read more. */
	BH_FRAME_PARTIAL,
	/** A JSON line. */
	BH_FRAME_LINE,
	/** A binary frame. */
	BH_FRAME_BINARY,
};

/** One unit of the input. */
struct bh_frame_unit {
	/** Which of the two below is valid. */
	enum bh_frame_kind kind;
	/** The line without its newline, borrowed from the input. */
	struct bh_span line;
	/** The frame, borrowed from the input. */
	struct bh_frame frame;
	/** Bytes of the input that belong to it: consume these. 0 when PARTIAL. */
	size_t used;
};

/**
 * Find the unit at the start of @input.
 *
 * @return
 *         0 (see out->kind), or BH_ELIMIT: the line or frame is too long; close the connection.
 */
int bh_frame_split(struct bh_span input, struct bh_frame_unit *out, struct bh_err *err);

/** Append a frame of any type. @payload.len is at most BH_LIMIT_FRAME, else BH_BUG(). */
void bh_frame_append(struct bh_buf *out, enum bh_frame_type type, uint16_t stream,
                     struct bh_span payload);

/** Append a RESIZE frame. */
void bh_frame_append_resize(struct bh_buf *out, uint16_t stream, struct bh_frame_size size);

/** Append a SNAPSHOT frame. */
void bh_frame_append_snapshot(struct bh_buf *out, uint16_t stream,
                              const struct bh_frame_snapshot *snapshot);

/** Append an EXIT frame with a wait status. */
void bh_frame_append_exit(struct bh_buf *out, uint16_t stream, int32_t status);

/** Decode the payload of a RESIZE frame; 0 or BH_EPROTOCOL (too short). */
int bh_frame_read_resize(struct bh_span payload, struct bh_frame_size *out);

/** Decode the payload of a SNAPSHOT frame; 0 or BH_EPROTOCOL (too short). */
int bh_frame_read_snapshot(struct bh_span payload, struct bh_frame_snapshot *out);

/** Decode the payload of an EXIT frame; 0 or BH_EPROTOCOL (too short). */
int bh_frame_read_exit(struct bh_span payload, int32_t *status_out);

#endif
