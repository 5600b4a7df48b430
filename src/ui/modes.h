/** @file
 * The modes of a person's terminal that decide which bytes its keys and its mouse send: they follow
 * those of the program that gets the bytes. Pure: modes in, bytes out.
 */
#ifndef BH_UI_MODES_H
#define BH_UI_MODES_H

#include "src/base/buf.h"
#include "term/screen.h"

#include <stdbool.h>

/** What the mouse reports. */
enum bh_modes_mouse {
	BH_MODES_MOUSE_NONE,
	BH_MODES_MOUSE_CLICK,
	BH_MODES_MOUSE_DRAG,
	BH_MODES_MOUSE_MOVE,
};

/** What a person's terminal was told. Zero-initialise: nothing but defaults. */
struct bh_modes {
	/** The least that the mouse reports, whatever the program wants; the user of it sets it. */
	enum bh_modes_mouse mouse_least;
	/** What it reports, in SGR form: who asks in another gets it from bh_mouse_encode(). */
	enum bh_modes_mouse mouse;
	/** The person's terminal is not of xterm's kind, and is told nothing that only those understand; the
	 * user of it sets it. */
	bool is_plain;
	/** It is known to have kitty's keyboard protocol. Else one that a program asks for is asked for, and
	 * xterm's modifyOtherKeys beside it: bh_input turns its keys into those of the program. The user of
	 * it sets it. */
	bool has_kitty;
	/** Which of the followed modes are on, one bit each in the order of the table. */
	unsigned bits;
	/** Kitty keyboard flags. */
	unsigned kitty;
	/** modifyOtherKeys, 0 to 2. */
	int other_keys;
	/** We pushed our entry on the keyboard stack. */
	bool is_pushed;
};

/** Append what makes the terminal follow @screen; NULL: what makes it plain. */
void bh_modes_follow(struct bh_modes *modes, const struct bh_screen *screen, struct bh_buf *out);

/** Append what enters the full screen: alternate screen, bracketed paste, title saved. */
void bh_modes_enter(struct bh_modes *modes, struct bh_buf *out);

/**
 * Append what gives the terminal back as it was: the modes that we switched off again, pen plain,
 * cursor shown, title and main screen back.
 */
void bh_modes_leave(struct bh_modes *modes, struct bh_buf *out);

#endif
