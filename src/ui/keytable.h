/** @file
 * The keys after the prefix and what they do: one const table, from which the help overlay, the
 * manual page and the configuration's names come too. An action is a request to the server
 * (src/ui/action.h) or something that the UI does itself.
 */
#ifndef BH_UI_KEYTABLE_H
#define BH_UI_KEYTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Keys that are no characters; above all code points. */
enum bh_key {
	BH_KEY_UP = 0x110000,
	BH_KEY_DOWN,
	BH_KEY_RIGHT,
	BH_KEY_LEFT,
	BH_KEY_PAGE_UP,
	BH_KEY_PAGE_DOWN,
	BH_KEY_HOME,
	BH_KEY_END,
	BH_KEY_INSERT,
	BH_KEY_DELETE,
	/** F1; the eleven after it are F2 to F12. */
	BH_KEY_F1,
	BH_KEY_F12 = BH_KEY_F1 + 11,
};

/** What a key does. Those up to BH_ACTION_LAST_REQUEST are requests. */
enum bh_action {
	BH_ACTION_NONE,
	BH_ACTION_TAB_NEW,
	BH_ACTION_TAB_NEXT,
	BH_ACTION_TAB_PREVIOUS,
	BH_ACTION_TAB_LAST,
	BH_ACTION_TAB_INDEX,
	BH_ACTION_TAB_RENAME,
	BH_ACTION_TAB_CLOSE,
	BH_ACTION_TAB_MOVE,
	BH_ACTION_TAB_MOVE_LEFT,
	BH_ACTION_TAB_MOVE_RIGHT,
	BH_ACTION_TAB_SWAP,
	BH_ACTION_SPLIT_RIGHT,
	BH_ACTION_SPLIT_DOWN,
	BH_ACTION_FOCUS_LEFT,
	BH_ACTION_FOCUS_RIGHT,
	BH_ACTION_FOCUS_UP,
	BH_ACTION_FOCUS_DOWN,
	BH_ACTION_FOCUS_NEXT,
	BH_ACTION_FOCUS_LAST,
	BH_ACTION_PANE_CLOSE,
	BH_ACTION_PANE_ZOOM,
	BH_ACTION_SWAP_PREVIOUS,
	BH_ACTION_SWAP_NEXT,
	BH_ACTION_ROTATE,
	BH_ACTION_ROTATE_BACK,
	BH_ACTION_BREAK,
	BH_ACTION_ARRANGE,
	BH_ACTION_EVEN_HORIZONTAL,
	BH_ACTION_EVEN_VERTICAL,
	BH_ACTION_MAIN_HORIZONTAL,
	BH_ACTION_MAIN_VERTICAL,
	BH_ACTION_TILED,
	BH_ACTION_RELOAD,
	BH_ACTION_RESIZE_LEFT,
	BH_ACTION_RESIZE_RIGHT,
	BH_ACTION_RESIZE_UP,
	BH_ACTION_RESIZE_DOWN,
	BH_ACTION_RESIZE_LEFT_FAR,
	BH_ACTION_RESIZE_RIGHT_FAR,
	BH_ACTION_RESIZE_UP_FAR,
	BH_ACTION_RESIZE_DOWN_FAR,
	BH_ACTION_LAST_REQUEST = BH_ACTION_RESIZE_DOWN_FAR,
	BH_ACTION_NEXT_NEEDING,
	/** Requests that are made with words of the command line (src/ui/command.h). */
	BH_ACTION_GO_TO,
	BH_ACTION_JOIN,
	BH_ACTION_SIZE_POLICY,
	BH_ACTION_COMMAND,
	BH_ACTION_SIDEBAR,
	BH_ACTION_REDRAW,
	BH_ACTION_SEND_PREFIX,
	BH_ACTION_DETACH,
	BH_ACTION_HELP,
	BH_ACTION_CHOOSE_TAB,
	BH_ACTION_CHOOSE_SESSION,
	BH_ACTION_SESSION_NEXT,
	BH_ACTION_SESSION_PREVIOUS,
	BH_ACTION_MAIL,
	BH_ACTION_EXPLAIN,
	BH_ACTION_NEW_AGENT,
	BH_ACTION_ALLOW_CLIPBOARD,
	BH_ACTION_COPY_MODE,
	BH_ACTION_COPY_PAGE_UP,
	BH_ACTION_PASTE,
};

/** One row: a key and what it does. */
struct bh_key_row {
	/** A code point or enum bh_key, with or without control or alt; 0: none, unless the user gives it
	 * one. '0' without them is any digit. */
	uint32_t key;
	bool is_control, is_alt;
	enum bh_action action;
	/** The action's name in the configuration ("split-right"); static. */
	const char *name;
	/** What it does, for the help; static. NULL: another key for the row above. */
	const char *help;
};

/** The table; *@count_out rows. */
const struct bh_key_row *bh_keytable(size_t *count_out);

/** The row of an action's name, or NULL. */
const struct bh_key_row *bh_keytable_named(const char *name);

/** Write how a row's key is called ("%", "C-Up", "M-1", "Space", "0-9", "" for none) to @out of @size bytes. */
void bh_keytable_key(const struct bh_key_row *row, char *out, size_t size);

#endif
