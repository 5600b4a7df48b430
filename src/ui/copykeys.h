/** @file
 * The keys of copy mode and what they do: two const tables, one with the habits of vi and one with
 * those of emacs, from which the manual page comes too.
 */
#ifndef BH_UI_COPYKEYS_H
#define BH_UI_COPYKEYS_H

#include "src/ui/layer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a key does. */
enum bh_copy_command {
	BH_COPY_NONE,
	// The cursor.
	BH_COPY_LEFT,
	BH_COPY_RIGHT,
	BH_COPY_UP,
	BH_COPY_DOWN,
	BH_COPY_LINE_START,
	BH_COPY_LINE_INDENT,
	BH_COPY_LINE_END,
	BH_COPY_WORD_NEXT,
	BH_COPY_WORD_END,
	BH_COPY_WORD_AFTER,
	BH_COPY_WORD_BACK,
	BH_COPY_BIG_NEXT,
	BH_COPY_BIG_END,
	BH_COPY_BIG_BACK,
	BH_COPY_PARAGRAPH_UP,
	BH_COPY_PARAGRAPH_DOWN,
	BH_COPY_BRACKET,
	BH_COPY_SCREEN_TOP,
	BH_COPY_SCREEN_MIDDLE,
	BH_COPY_SCREEN_BOTTOM,
	BH_COPY_JUMP_AGAIN,
	BH_COPY_JUMP_REVERSE,
	BH_COPY_OTHER_END,
	// The view, and the cursor with it.
	BH_COPY_PAGE_UP,
	BH_COPY_PAGE_DOWN,
	BH_COPY_HALF_UP,
	BH_COPY_HALF_DOWN,
	BH_COPY_SCROLL_UP,
	BH_COPY_SCROLL_DOWN,
	BH_COPY_CENTER,
	BH_COPY_HISTORY_TOP,
	BH_COPY_HISTORY_BOTTOM,
	BH_COPY_LAST_MOTION = BH_COPY_HISTORY_BOTTOM,
	// These wait for a character, or for a line of text.
	BH_COPY_FIND,
	BH_COPY_FIND_BACK,
	BH_COPY_TILL,
	BH_COPY_TILL_BACK,
	BH_COPY_GOTO_LINE,
	BH_COPY_SEARCH_DOWN,
	BH_COPY_SEARCH_UP,
	BH_COPY_PATTERN_DOWN,
	BH_COPY_PATTERN_UP,
	// All else.
	BH_COPY_SEARCH_AGAIN,
	BH_COPY_SEARCH_REVERSE,
	BH_COPY_SEARCH_WORD_DOWN,
	BH_COPY_SEARCH_WORD_UP,
	BH_COPY_SELECT_CHARS,
	BH_COPY_SELECT_LINES,
	BH_COPY_SELECT_BLOCK,
	BH_COPY_MARK,
	BH_COPY_CLEAR,
	BH_COPY_YANK,
	BH_COPY_YANK_LINE_END,
	BH_COPY_REFRESH,
	BH_COPY_LEAVE,
};

/** One row: a key and what it does. */
struct bh_copykeys_row {
	/** A code point or enum bh_key, with or without control or alt. */
	uint32_t key;
	bool is_control, is_alt;
	enum bh_copy_command command;
	/** For the manual; static. NULL: another key for the row above. */
	const char *help;
};

/** A table; *@count_out rows. */
const struct bh_copykeys_row *bh_copykeys(bool is_emacs, size_t *count_out);

/** What a key does. */
enum bh_copy_command bh_copykeys_find(bool is_emacs, const struct bh_layer_key *key);

/** Which table a person wants: of mode_keys (enum bh_config_mode_keys), and where that leaves it open
 * of the command of their editor (NULL: unknown). */
bool bh_copykeys_is_emacs(int mode_keys, const char *editor);

/** Write how a row's key is called ("C-Space", "M-w") to @out of @size bytes. */
void bh_copykeys_key(const struct bh_copykeys_row *row, char *out, size_t size);

#endif
