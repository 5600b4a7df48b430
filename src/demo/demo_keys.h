/** @file
 * Bytes from the terminal to keys. Feed what was read, then take events until there are none:
 *
 *     bh_demo_keys_feed(&keys, bytes, len);
 *     while (bh_demo_keys_next(&keys, false, &event)) { … }
 *
 * A lone ESC may be the start of a sequence: it stays until more bytes come or the caller says,
 * after a pause, that nothing follows (is_quiet).
 */
#ifndef BH_DEMO_KEYS_H
#define BH_DEMO_KEYS_H

#include "src/base/buf.h"

#include <stdbool.h>

/** What a person, or the terminal itself, said. */
enum bh_demo_key {
	/** Printable text, as typed: event.text. */
	BH_DEMO_KEY_TEXT,
	/** The inside of one bracketed paste: event.text, any bytes. */
	BH_DEMO_KEY_PASTE,
	BH_DEMO_KEY_ENTER,
	/** A line break inside the composer: Ctrl-J, Alt-Enter, Shift-Enter. */
	BH_DEMO_KEY_NEWLINE,
	BH_DEMO_KEY_ESCAPE,
	/** Ctrl-C. */
	BH_DEMO_KEY_CANCEL,
	/** Ctrl-D. */
	BH_DEMO_KEY_EOF,
	BH_DEMO_KEY_BACKSPACE,
	/** Ctrl-U. */
	BH_DEMO_KEY_ERASE,
	BH_DEMO_KEY_UP,
	BH_DEMO_KEY_DOWN,
	/** The terminal echoed our OSC 7501 query: it takes program status reports. */
	BH_DEMO_KEY_STATUS_ANSWER,
	/** The terminal answered DA1: what was not answered before will not be. */
	BH_DEMO_KEY_DA1_ANSWER,
	/** A sequence that means nothing to us. */
	BH_DEMO_KEY_OTHER
};

/** One key. */
struct bh_demo_event {
	enum bh_demo_key key;
	/** TEXT and PASTE only; borrowed until the next call on the decoder. */
	struct bh_span text;
};

/** The decoder. Zero-initialise; end with bh_demo_keys_clear(). */
struct bh_demo_keys {
	/** Bytes not yet decoded. */
	struct bh_buf pending;
	/** How many of them the last event covered; dropped by the next call. */
	size_t taken;
};

/** Add what was read. */
void bh_demo_keys_feed(struct bh_demo_keys *keys, const void *bytes, size_t len);

/** The next whole event, or false. @is_quiet: nothing follows, so a lone ESC is the Escape key. */
bool bh_demo_keys_next(struct bh_demo_keys *keys, bool is_quiet, struct bh_demo_event *event_out);

/** Whether an unfinished sequence waits for more bytes or for quiet. */
bool bh_demo_keys_is_waiting(const struct bh_demo_keys *keys);

/** Forget everything; usable again. */
void bh_demo_keys_clear(struct bh_demo_keys *keys);

#endif
