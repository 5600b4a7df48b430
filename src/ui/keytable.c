#include "src/ui/keytable.h"

#include <stdio.h>
#include <string.h>

#define ROW(key, action, name, help) \
	{ \
		key, false, BH_ACTION_##action, name, help \
	}
#define CTL(key, action, name, help) \
	{ \
		key, true, BH_ACTION_##action, name, help \
	}

static const struct bh_key_row rows[] = {
	ROW('c', TAB_NEW, "new-tab", "a new tab with a shell"),
	ROW('n', TAB_NEXT, "next-tab", "the next tab"),
	ROW('p', TAB_PREVIOUS, "previous-tab", "the previous tab"),
	ROW('L', TAB_LAST, "last-tab", "the tab before this one"),
	ROW('0', TAB_INDEX, "select-tab", "the tab of that number (0: the tenth)"),
	ROW(',', TAB_RENAME, "rename-tab", "rename the tab"),
	ROW('&', TAB_CLOSE, "close-tab", "close the tab"),
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
	ROW('x', PANE_CLOSE, "close-pane", "close the pane and end its program"),
	ROW('z', PANE_ZOOM, "zoom", "the pane alone, and back"),
	ROW('{', SWAP_PREVIOUS, "swap-previous", "swap with the previous pane"),
	ROW('}', SWAP_NEXT, "swap-next", "swap with the next pane"),
	CTL('o', ROTATE, "rotate", "every program into the next pane"),
	ROW('!', BREAK, "break-pane", "the pane into a tab of its own"),
	ROW(' ', ARRANGE, "next-layout", "the next arrangement of panes"),
	CTL(BH_KEY_LEFT, RESIZE_LEFT, "resize-left", "move the border to the left"),
	CTL(BH_KEY_RIGHT, RESIZE_RIGHT, "resize-right", "move the border to the right"),
	CTL(BH_KEY_UP, RESIZE_UP, "resize-up", "move the border up"),
	CTL(BH_KEY_DOWN, RESIZE_DOWN, "resize-down", "move the border down"),
	ROW('b', SIDEBAR, "sidebar", "sidebar of agents on and off"),
	ROW('r', REDRAW, "redraw", "draw everything anew"),
	CTL('b', SEND_PREFIX, "send-prefix", "send one C-b to the program"),
	ROW('d', DETACH, "detach", "leave; everything goes on"),
	CTL('d', DETACH, "detach", NULL),
	ROW('?', HELP, "help", "this help"),
};

#undef ROW
#undef CTL

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
	{' ', "Space"},
	{'0', "0-9"},
};

const struct bh_key_row *bh_keytable(size_t *count_out)
{
	*count_out = ROW_COUNT;
	return rows;
}

const struct bh_key_row *bh_keytable_find(uint32_t key, bool is_control)
{
	uint32_t wanted = key >= '0' && key <= '9' ? '0' : key;

	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (rows[i].key == wanted && rows[i].is_control == is_control) {
			return &rows[i];
		}
	}
	return NULL;
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

void bh_keytable_key(const struct bh_key_row *row, char *out, size_t size)
{
	const char *control = row->is_control ? "C-" : "";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].key == row->key) {
			(void)snprintf(out, size, "%s%s", control, names[i].name);
			return;
		}
	}
	(void)snprintf(out, size, "%s%c", control, (char)row->key);
}
