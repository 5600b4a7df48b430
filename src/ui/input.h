/** @file
 * What comes from a person's keyboard and mouse: keys go on as the bytes that they are, but for the
 * prefix and the key after it; or, while the UI takes them itself, decoded. Knows the prefix in every
 * encoding. Reports of the mouse are always decoded: who gets them is for others to say. Pure:
 * bytes and time in, events out.
 */
#ifndef BH_UI_INPUT_H
#define BH_UI_INPUT_H

#include "src/base/buf.h"
#include "src/ui/layer.h"

#include <stdbool.h>
#include <stdint.h>

/** A sequence that stands unfinished for so long is not one: it goes on as it is (ms). */
#define BH_INPUT_PARTIAL_MS 40

/** The prefix where nothing else is said: control-B. */
#define BH_INPUT_PREFIX 'b'

/** What comes out. */
enum bh_input_kind {
	/** Bytes for the terminal. */
	BH_INPUT_BYTES,
	/** While decoding: a key. */
	BH_INPUT_KEY,
	/** While decoding: pasted text, perhaps not all of it yet. */
	BH_INPUT_PASTE,
	/** A key after the prefix. */
	BH_INPUT_COMMAND,
	/** A key that is ours without the prefix. */
	BH_INPUT_DIRECT,
	/** The prefix was pressed; the key is still to come. */
	BH_INPUT_PREFIX_SEEN,
	/** The window got (key 'I') or lost ('O') the focus. */
	BH_INPUT_FOCUS,
	/** The mouse did something. */
	BH_INPUT_MOUSE,
	/** The person's terminal answered a question of ours, or told something of itself: no keys. */
	BH_INPUT_ANSWER,
};

/** A report of the mouse, as the person's terminal made it. */
struct bh_input_mouse {
	/** The number of the button as SGR reports have it, with its bits for modifiers (4 shift, 8 alt,
	 * 16 control), motion (32) and wheel (64). */
	unsigned button;
	/** Let go, not pressed. */
	bool is_release;
	/** The cell of the person's terminal, from 0. */
	int row, col;
};

/** One event. */
struct bh_input_event {
	/** Which. */
	enum bh_input_kind kind;
	/** Of BYTES, PASTE and ANSWER; borrowed until the next call. */
	struct bh_span bytes;
	/** Of FOCUS: see there. */
	uint32_t key;
	/** Of KEY, COMMAND and DIRECT; its key 0 for one that is not known. */
	struct bh_layer_key pressed;
	/** Of MOUSE. */
	struct bh_input_mouse mouse;
};

/** The reader. Zero-initialise; end with bh_input_clear(). */
struct bh_input {
	/** Bytes not yet taken. */
	struct bh_buf in;
	/** Bytes of the last event. */
	struct bh_buf out;
	/** Inside a bracketed paste: everything goes on; its beginning was not told. */
	bool is_paste, is_paste_bare;
	/** The prefix was pressed. */
	bool is_prefix;
	/** Whether a key is ours without the prefix, asked of those with control, alt or a name while the
	 * keys are a program's. NULL: none is. */
	bool (*is_direct)(const void *user, const struct bh_layer_key *key);
	const void *direct_user;
	/** Until then an arrow with control or alt is a command without the prefix; the user of the reader
	 * sets it after one that people repeat. */
	uint64_t repeat_until_ms;
	/** When the unfinished sequence at the front came; 0: none. */
	uint64_t partial_at_ms;
	/** The program does not know paste markers: a paste goes on without them. */
	bool is_paste_plain;
	/** The program speaks kitty's keyboard protocol: keys that come in the form of modifyOtherKeys, from
	 * a terminal that has only that, go on in kitty's. */
	bool is_kitty;
	/** The UI takes the keys itself: they come decoded. May change between two events. */
	bool is_decoding;
	/** Another prefix than BH_INPUT_PREFIX with control; its key 0: that one. */
	struct bh_layer_key prefix;
	/** Another time than BH_INPUT_PARTIAL_MS; 0: that. */
	unsigned partial_ms;
};

/** Free; usable again with the settings that it has. */
void bh_input_clear(struct bh_input *input);

/** Add bytes that were read at @now_ms. */
void bh_input_feed(struct bh_input *input, const char *bytes, size_t len, uint64_t now_ms);

/** The next event; false when there is none now. */
bool bh_input_next(struct bh_input *input, uint64_t now_ms, struct bh_input_event *event_out);

/** When bh_input_next() should be asked again without new bytes (ms), 0: no need. */
uint64_t bh_input_due_ms(const struct bh_input *input);

#endif
