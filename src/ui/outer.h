/** @file
 * What a person's terminal can do: first what terminfo says of its name and its environment tells,
 * then, where it knows the questions, what it answers itself. Nobody waits for the answers: what
 * they tell holds from when they come. Only sequences that the terminal understands are written.
 *
 * The story: bh_outer_find() before anything is drawn, bh_outer_ask() once in raw mode, give every
 * answer that the keyboard's reader finds (BH_INPUT_ANSWER) to bh_outer_answer(); on the way out
 * see by bh_outer_is_waiting() whether some are still to come, so that no shell gets them as keys.
 */
#ifndef BH_UI_OUTER_H
#define BH_UI_OUTER_H

#include "src/base/buf.h"
#include "src/base/err.h"

#include <stdbool.h>

/** Colours of a terminal that takes red, green and blue. */
#define BH_OUTER_DIRECT (1 << 24)

/** So long the answers may take when the terminal is left (ms). */
#define BH_OUTER_ANSWER_MS 100

/** What not every terminal can; one bit each. */
enum bh_outer_can {
	BH_OUTER_BOLD = 1 << 0,
	BH_OUTER_DIM = 1 << 1,
	BH_OUTER_ITALIC = 1 << 2,
	BH_OUTER_UNDERLINE = 1 << 3,
	BH_OUTER_BLINK = 1 << 4,
	BH_OUTER_REVERSE = 1 << 5,
	BH_OUTER_CONCEAL = 1 << 6,
	BH_OUTER_STRIKE = 1 << 7,
	BH_OUTER_OVERLINE = 1 << 8,
	/** Double, curly, dotted, dashed. */
	BH_OUTER_UNDERLINE_KINDS = 1 << 9,
	BH_OUTER_UNDERLINE_COLOR = 1 << 10,
	/** OSC 8. */
	BH_OUTER_LINKS = 1 << 11,
	/** DECSCUSR. */
	BH_OUTER_CURSOR_SHAPE = 1 << 12,
	/** Mode 2026. */
	BH_OUTER_SYNC = 1 << 13,
	/** The keyboard protocol of kitty. */
	BH_OUTER_KITTY_KEYS = 1 << 14,
	/** It is of xterm's kind: takes OSC (titles, clipboard, notifications) and private modes, and can
	 * be asked. */
	BH_OUTER_XTERM = 1 << 15,
};

/** What changes how cells look, and so asks for a new frame. */
#define BH_OUTER_LOOKS (BH_OUTER_CURSOR_SHAPE - 1)

/** A terminal. */
struct bh_outer {
	/** 0, 8, 16, 256 or BH_OUTER_DIRECT. */
	int colors;
	/** enum bh_outer_can. */
	unsigned can;
	/** It was asked and has not given the last answer. */
	bool is_waiting;
};

/** One that can everything, for tests and for those who need not ask. */
extern const struct bh_outer bh_outer_full;

/** The value of an environment variable, or NULL. */
typedef char *bh_outer_environ(const char *name);

/**
 * Find out what the terminal of this environment can do.
 *
 * @return
 *         0; BH_EUNSUPPORTED, with words for a person: nothing can be drawn on it.
 */
int bh_outer_find(struct bh_outer *outer, bh_outer_environ *get, struct bh_err *err);

/** Append the questions, if the terminal knows any. */
void bh_outer_ask(struct bh_outer *outer, struct bh_buf *out);

/**
 * Take an answer: a whole sequence.
 *
 * @return
 *         Whether cells look different now, so that there is something to draw.
 */
bool bh_outer_answer(struct bh_outer *outer, struct bh_span answer);

/** Have it take direct colours, or not, whatever it says: the person knows better. */
void bh_outer_set_direct(struct bh_outer *outer, bool is_direct);

#endif
