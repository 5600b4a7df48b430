/** @file
 * The first key, mouse report or mark in the bytes of a person's terminal, in every encoding that
 * terminals have for it: plain, kitty's, modifyOtherKeys', SGR and the old mouse reports. Pure.
 */
#ifndef BH_UI_TOKEN_H
#define BH_UI_TOKEN_H

#include "src/ui/layer.h"

#include <stdbool.h>
#include <stddef.h>

/** What one token is. */
enum bh_token_kind {
	/** The end has not come yet. */
	BH_TOKEN_PARTIAL,
	/** A sequence that we do not look into, or a byte that is no character. */
	BH_TOKEN_OTHER,
	/** A key, pressed. */
	BH_TOKEN_KEY,
	/** A key let go, or a modifier key. */
	BH_TOKEN_SILENT,
	BH_TOKEN_PASTE_BEGIN,
	BH_TOKEN_PASTE_END,
	/** The window got or lost the focus. */
	BH_TOKEN_FOCUS,
	/** A report of the mouse. */
	BH_TOKEN_MOUSE,
	/** What the terminal answers, or tells of itself: never a key. */
	BH_TOKEN_ANSWER,
};

/** One token. */
struct bh_token {
	enum bh_token_kind kind;
	/** Its bytes. */
	size_t len;
	/** Of OTHER: the beginning of a character whose other bytes may come yet. */
	bool is_cut;
	/** Of KEY. */
	struct bh_layer_key key;
	/** Of FOCUS: got, not lost. */
	bool has_focus;
	/** Of MOUSE: the number of the button as SGR reports have it, with its bits for modifiers, motion
	 * and wheel; let go, not pressed; the cell from 0. */
	unsigned button;
	bool is_release;
	int row, col;
};

/** The first token of @text, which is not empty. */
struct bh_token bh_token_read(const char *text, size_t len);

/** What @text, which was waited for in vain, is on its own: Escape, a key with alt, or OTHER. */
struct bh_token bh_token_give_up(const char *text, size_t len);

#endif
