/** @file
 * What comes from a person's keyboard: everything goes on as it is, but for the prefix and the key
 * after it, and for mouse reports, which are moved to the place of the pane. Knows the prefix in
 * every encoding: plain, kitty's, modifyOtherKeys'. Pure: bytes and time in, events out.
 */
#ifndef BH_UI_INPUT_H
#define BH_UI_INPUT_H

#include "src/base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/** A sequence that stands unfinished for so long is not one: it goes on as it is (ms). */
#define BH_INPUT_PARTIAL_MS 40

/** The prefix: control-B. */
#define BH_INPUT_PREFIX 'b'

/** What comes out. */
enum bh_input_kind {
	/** Bytes for the terminal. */
	BH_INPUT_BYTES,
	/** A key after the prefix. */
	BH_INPUT_COMMAND,
	/** The prefix was pressed; the key is still to come. */
	BH_INPUT_PREFIX_SEEN,
	/** The window got (key 'I') or lost ('O') the focus. */
	BH_INPUT_FOCUS,
};

/** One event. */
struct bh_input_event {
	/** Which. */
	enum bh_input_kind kind;
	/** Of BYTES: the bytes; borrowed until the next call. */
	struct bh_span bytes;
	/** Of COMMAND: the code point of the key, or enum bh_key; of FOCUS: see there. */
	uint32_t key;
	/** Of COMMAND: control was held. */
	bool is_control;
};

/** Where the pane is, for mouse reports. */
struct bh_input_view {
	/** Its upper left corner on the person's terminal, from 0. */
	int row, col;
	/** Its size there; 0 rows: everything. */
	int rows, cols;
	/** The first row and column of the pane's screen that is shown. */
	int first_row, first_col;
};

/** The reader. Zero-initialise; end with bh_input_clear(). */
struct bh_input {
	/** Bytes not yet taken. */
	struct bh_buf in;
	/** Bytes of the last event. */
	struct bh_buf out;
	/** Inside a bracketed paste: everything goes on. */
	bool is_paste;
	/** The prefix was pressed. */
	bool is_prefix;
	/** Until then an arrow with control is a command without the prefix; the user of the reader
	 * sets it after one that people repeat. */
	uint64_t repeat_until_ms;
	/** When the unfinished sequence at the front came; 0: none. */
	uint64_t partial_at_ms;
	/** Where the pane is. */
	struct bh_input_view view;
	/** The program does not know paste markers: a paste goes on without them. */
	bool is_paste_plain;
};

/** Free; usable again. */
void bh_input_clear(struct bh_input *input);

/** Add bytes that were read at @now_ms. */
void bh_input_feed(struct bh_input *input, const char *bytes, size_t len, uint64_t now_ms);

/** The next event; false when there is none now. */
bool bh_input_next(struct bh_input *input, uint64_t now_ms, struct bh_input_event *event_out);

/** When bh_input_next() should be asked again without new bytes (ms), 0: no need. */
uint64_t bh_input_due_ms(const struct bh_input *input);

#endif
