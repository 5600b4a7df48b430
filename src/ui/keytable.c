#include "src/ui/keytable.h"

#include <stdio.h>
#include <string.h>

#define ROW(key, action, name, help) \
	{ \
		key, false, false, BH_ACTION_##action, name, help \
	}
#define CTL(key, action, name, help) \
	{ \
		key, true, false, BH_ACTION_##action, name, help \
	}
#define ALT(key, action, name, help) \
	{ \
		key, false, true, BH_ACTION_##action, name, help \
	}

static const struct bh_key_row rows[] = {
	ROW('c', TAB_NEW, "new-tab", "a new tab with a shell"),
	ROW('n', TAB_NEXT, "next-tab", "the next tab"),
	ROW('p', TAB_PREVIOUS, "previous-tab", "the previous tab"),
	ROW('L', TAB_LAST, "last-tab", "the tab before this one"),
	ROW('0', TAB_INDEX, "select-tab", "the tab of that number (0: the tenth)"),
	ROW(',', TAB_RENAME, "rename-tab", "rename the tab"),
	ROW('&', TAB_CLOSE, "close-tab", "close the tab"),
	ROW('.', TAB_MOVE, "move-tab", "the tab to another place"),
	ROW('<', TAB_MOVE_LEFT, "move-tab-left", "the tab one place to the left"),
	ROW('>', TAB_MOVE_RIGHT, "move-tab-right", "the tab one place to the right"),
	ROW('%', SPLIT_RIGHT, "split-right", "split: a shell to the right"),
	ROW('"', SPLIT_DOWN, "split-down", "split: a shell below"),
	ROW(BH_KEY_LEFT, FOCUS_LEFT, "focus-left", "the pane to the left"),
	ROW(BH_KEY_RIGHT, FOCUS_RIGHT, "focus-right", "the pane to the right"),
	ROW(BH_KEY_UP, FOCUS_UP, "focus-up", "the pane above"),
	ROW(BH_KEY_DOWN, FOCUS_DOWN, "focus-down", "the pane below"),
	ROW('h', FOCUS_LEFT, "focus-left", NULL),
	ROW('k', FOCUS_UP, "focus-up", NULL),
	ROW('j', FOCUS_DOWN, "focus-down", NULL),
	ROW('l', FOCUS_RIGHT, "focus-right", NULL),
	ROW('o', FOCUS_NEXT, "next-pane", "the next pane"),
	ROW(';', FOCUS_LAST, "last-pane", "the pane before this one"),
	ROW('a', NEXT_NEEDING, "next-needing-you", "the next agent that needs you"),
	ALT('n', NEXT_NEEDING, "next-needing-you", NULL),
	ROW('x', PANE_CLOSE, "close-pane", "close the pane and end its program"),
	ROW('z', PANE_ZOOM, "zoom", "the pane alone, and back"),
	ROW('{', SWAP_PREVIOUS, "swap-previous", "swap with the previous pane"),
	ROW('}', SWAP_NEXT, "swap-next", "swap with the next pane"),
	CTL('o', ROTATE, "rotate", "every program into the next pane"),
	ALT('o', ROTATE_BACK, "rotate-back", "every program into the pane before"),
	ROW('!', BREAK, "break-pane", "the pane into a tab of its own"),
	ROW(' ', ARRANGE, "next-layout", "the next arrangement of panes"),
	ALT('1', EVEN_HORIZONTAL, "even-horizontal", "all panes side by side, equally wide"),
	ALT('2', EVEN_VERTICAL, "even-vertical", "all panes one below the other, equally high"),
	ALT('3', MAIN_HORIZONTAL, "main-horizontal", "one large pane above, the others below"),
	ALT('4', MAIN_VERTICAL, "main-vertical", "one large pane at the left, the others beside"),
	ALT('5', TILED, "tiled", "all panes in a grid"),
	CTL(BH_KEY_LEFT, RESIZE_LEFT, "resize-left", "move the border to the left"),
	CTL(BH_KEY_RIGHT, RESIZE_RIGHT, "resize-right", "move the border to the right"),
	CTL(BH_KEY_UP, RESIZE_UP, "resize-up", "move the border up"),
	CTL(BH_KEY_DOWN, RESIZE_DOWN, "resize-down", "move the border down"),
	ALT(BH_KEY_LEFT, RESIZE_LEFT_FAR, "resize-left-far", "move the border 5 to the left"),
	ALT(BH_KEY_RIGHT, RESIZE_RIGHT_FAR, "resize-right-far", "move the border 5 to the right"),
	ALT(BH_KEY_UP, RESIZE_UP_FAR, "resize-up-far", "move the border 5 up"),
	ALT(BH_KEY_DOWN, RESIZE_DOWN_FAR, "resize-down-far", "move the border 5 down"),
	ROW('[', COPY_MODE, "copy-mode", "read back, search and copy"),
	ROW(BH_KEY_PAGE_UP, COPY_PAGE_UP, "copy-page-up", "the same, a page up"),
	ROW(']', PASTE, "paste-buffer", "paste what was copied last"),
	ROW('w', CHOOSE_TAB, "choose-tab", "a list of tabs and panes to go to"),
	ROW('s', CHOOSE_SESSION, "choose-session", "a list of your sessions to go to"),
	ROW(')', SESSION_NEXT, "next-session", "the next session"),
	ROW('(', SESSION_PREVIOUS, "previous-session", "the session before"),
	ROW('m', MAIL, "mail", "mailboxes, messages and their receipts"),
	ROW('e', EXPLAIN, "explain", "why this agent is in its state"),
	ROW('N', NEW_AGENT, "new-agent", "start an agent, or a shell, under a name"),
	ROW('y', ALLOW_CLIPBOARD, "allow-clipboard", "let a program have the clipboard"),
	ROW(':', COMMAND, "command-line", "do an action by its name"),
	ROW('b', SIDEBAR, "sidebar", "sidebar of agents on and off"),
	ROW('r', REDRAW, "redraw", "draw everything anew"),
	CTL('b', SEND_PREFIX, "send-prefix", "send the prefix to the program"),
	ROW('d', DETACH, "detach", "leave; everything goes on"),
	CTL('d', DETACH, "detach", NULL),
	ROW('?', HELP, "help", "this help"),
	ROW(0, TAB_SWAP, "swap-tab", "change places with another tab"),
	ROW(0, JOIN, "join-pane", "a terminal into a pane beside this one"),
	ROW(0, GO_TO, "go-to", "a terminal's pane, or a new tab with it"),
	ROW(0, SIZE_POLICY, "size-policy", "whose size counts when several look"),
	ROW(0, RELOAD, "reload", "read the settings again"),
};

#undef ROW
#undef CTL
#undef ALT

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

/** Names of the keys that have no picture of their own. */
static const struct {
	uint32_t key;
	const char *name;
} names[] = {
	{BH_KEY_UP, "Up"},
	{BH_KEY_DOWN, "Down"},
	{BH_KEY_RIGHT, "Right"},
	{BH_KEY_LEFT, "Left"},
	{BH_KEY_PAGE_UP, "PageUp"},
	{BH_KEY_PAGE_DOWN, "PageDown"},
	{BH_KEY_HOME, "Home"},
	{BH_KEY_END, "End"},
	{BH_KEY_INSERT, "Insert"},
	{BH_KEY_DELETE, "Delete"},
	{'\r', "Enter"},
	{'\t', "Tab"},
	{0x1b, "Escape"},
	{0x7f, "Backspace"},
	{' ', "Space"},
	{'0', "0-9"},
};

const struct bh_key_row *bh_keytable(size_t *count_out)
{
	*count_out = ROW_COUNT;
	return rows;
}

const struct bh_key_row *bh_keytable_named(const char *name)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (strcmp(rows[i].name, name) == 0) {
			return &rows[i];
		}
	}
	return NULL;
}

/** What a key without modifiers is called that has no picture of its own, or NULL. */
static const char *name_of(const struct bh_key_row *row)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].key == row->key) {
			return row->key == '0' && row->is_alt ? NULL : names[i].name;
		}
	}
	return NULL;
}

void bh_keytable_key(const struct bh_key_row *row, char *out, size_t size)
{
	const char *control = row->is_control ? "C-" : "";
	const char *alt = row->is_alt ? "M-" : "";
	const char *name = name_of(row);

	if (row->key == 0) {
		out[0] = '\0';
	} else if (name != NULL) {
		(void)snprintf(out, size, "%s%s%s", control, alt, name);
	} else if (row->key >= BH_KEY_F1 && row->key <= BH_KEY_F12) {
		(void)snprintf(out, size, "%s%sF%u", control, alt,
		               (unsigned)(row->key - BH_KEY_F1 + 1));
	} else {
		(void)snprintf(out, size, "%s%s%c", control, alt, (char)row->key);
	}
}
