#include "src/ui/copykeys.h"

#include "src/base/config.h"
#include "src/ui/keytable.h"

#include <stdio.h>
#include <string.h>

#define ROW(key, command, help) \
	{ \
		key, false, false, BH_COPY_##command, help \
	}
#define CTL(key, command, help) \
	{ \
		key, true, false, BH_COPY_##command, help \
	}
#define ALT(key, command, help) \
	{ \
		key, false, true, BH_COPY_##command, help \
	}
#define CTLALT(key, command, help) \
	{ \
		key, true, true, BH_COPY_##command, help \
	}

static const struct bh_copykeys_row vi_rows[] = {
	ROW('h', LEFT, "left"),
	ROW(BH_KEY_LEFT, LEFT, NULL),
	ROW(0x7f, LEFT, NULL),
	CTL('h', LEFT, NULL),
	ROW('j', DOWN, "down"),
	ROW(BH_KEY_DOWN, DOWN, NULL),
	CTL('j', DOWN, NULL),
	ROW('k', UP, "up"),
	ROW(BH_KEY_UP, UP, NULL),
	CTL('k', UP, NULL),
	ROW('l', RIGHT, "right"),
	ROW(BH_KEY_RIGHT, RIGHT, NULL),
	ROW('0', LINE_START, "start of the line"),
	ROW(BH_KEY_HOME, LINE_START, NULL),
	ROW('^', LINE_INDENT, "first character of the line"),
	ROW('$', LINE_END, "end of the line"),
	ROW(BH_KEY_END, LINE_END, NULL),
	ROW('w', WORD_NEXT, "next word"),
	ROW('e', WORD_END, "end of the word"),
	ROW('b', WORD_BACK, "previous word"),
	ROW('W', BIG_NEXT, "next word between blanks"),
	ROW('E', BIG_END, "end of the word between blanks"),
	ROW('B', BIG_BACK, "previous word between blanks"),
	ROW('{', PARAGRAPH_UP, "previous blank line"),
	ROW('}', PARAGRAPH_DOWN, "next blank line"),
	ROW('%', BRACKET, "matching bracket"),
	ROW('H', SCREEN_TOP, "top of the view"),
	ROW('M', SCREEN_MIDDLE, "middle of the view"),
	ROW('L', SCREEN_BOTTOM, "bottom of the view"),
	ROW('g', HISTORY_TOP, "oldest line"),
	ROW('G', HISTORY_BOTTOM, "newest line"),
	CTL('b', PAGE_UP, "page up"),
	ROW(BH_KEY_PAGE_UP, PAGE_UP, NULL),
	CTL('f', PAGE_DOWN, "page down"),
	ROW(BH_KEY_PAGE_DOWN, PAGE_DOWN, NULL),
	CTL('u', HALF_UP, "half a page up"),
	CTL('d', HALF_DOWN, "half a page down"),
	CTL('y', SCROLL_UP, "scroll up"),
	ROW('K', SCROLL_UP, NULL),
	CTL(BH_KEY_UP, SCROLL_UP, NULL),
	CTL('e', SCROLL_DOWN, "scroll down"),
	ROW('J', SCROLL_DOWN, NULL),
	CTL(BH_KEY_DOWN, SCROLL_DOWN, NULL),
	ROW('z', CENTER, "put the line in the middle"),
	ROW(':', GOTO_LINE, "go so many lines up from the newest"),
	ROW('f', FIND, "to a character in the line"),
	ROW('F', FIND_BACK, "to a character, backwards"),
	ROW('t', TILL, "to before a character"),
	ROW('T', TILL_BACK, "to after a character, backwards"),
	ROW(';', JUMP_AGAIN, "that again"),
	ROW(',', JUMP_REVERSE, "that again, the other way"),
	ROW('/', PATTERN_DOWN, "search down for a pattern"),
	ROW('?', PATTERN_UP, "search up for a pattern"),
	ROW('n', SEARCH_AGAIN, "next match"),
	ROW('N', SEARCH_REVERSE, "next match, the other way"),
	ROW('*', SEARCH_WORD_DOWN, "search down for this word"),
	ROW('#', SEARCH_WORD_UP, "search up for this word"),
	ROW('v', SELECT_CHARS, "mark characters"),
	ROW('V', SELECT_LINES, "mark lines"),
	CTL('v', SELECT_BLOCK, "mark a rectangle"),
	ROW(' ', MARK, "mark from here"),
	ROW('o', OTHER_END, "to the other end of what is marked"),
	ROW('y', YANK, "copy and leave"),
	ROW('\r', YANK, NULL),
	ROW('D', YANK_LINE_END, "copy to the end of the line and leave"),
	ROW('r', REFRESH, "what the terminal shows now"),
	ROW(0x1b, CLEAR, "unmark; leave when nothing is marked"),
	ROW('q', LEAVE, "leave"),
	CTL('c', LEAVE, NULL),
};

static const struct bh_copykeys_row emacs_rows[] = {
	CTL('b', LEFT, "left"),
	ROW(BH_KEY_LEFT, LEFT, NULL),
	CTL('f', RIGHT, "right"),
	ROW(BH_KEY_RIGHT, RIGHT, NULL),
	CTL('p', UP, "up"),
	ROW(BH_KEY_UP, UP, NULL),
	CTL('n', DOWN, "down"),
	ROW(BH_KEY_DOWN, DOWN, NULL),
	CTL('a', LINE_START, "start of the line"),
	ROW(BH_KEY_HOME, LINE_START, NULL),
	ALT('m', LINE_INDENT, "first character of the line"),
	CTL('e', LINE_END, "end of the line"),
	ROW(BH_KEY_END, LINE_END, NULL),
	ALT('f', WORD_AFTER, "end of the word"),
	ALT('b', WORD_BACK, "previous word"),
	ALT('{', PARAGRAPH_UP, "previous blank line"),
	ALT('}', PARAGRAPH_DOWN, "next blank line"),
	ALT('R', SCREEN_TOP, "top of the view"),
	ALT('r', SCREEN_MIDDLE, "middle of the view"),
	ALT('<', HISTORY_TOP, "oldest line"),
	ALT('>', HISTORY_BOTTOM, "newest line"),
	ALT('v', PAGE_UP, "page up"),
	ROW(BH_KEY_PAGE_UP, PAGE_UP, NULL),
	CTL('v', PAGE_DOWN, "page down"),
	ROW(BH_KEY_PAGE_DOWN, PAGE_DOWN, NULL),
	ROW(' ', PAGE_DOWN, NULL),
	ALT(BH_KEY_UP, HALF_UP, "half a page up"),
	ALT(BH_KEY_DOWN, HALF_DOWN, "half a page down"),
	CTL(BH_KEY_UP, SCROLL_UP, "scroll up"),
	CTL(BH_KEY_DOWN, SCROLL_DOWN, "scroll down"),
	CTL('l', CENTER, "put the line in the middle"),
	ROW('g', GOTO_LINE, "go so many lines up from the newest"),
	ROW('f', FIND, "to a character in the line"),
	ROW('F', FIND_BACK, "to a character, backwards"),
	ROW('t', TILL, "to before a character"),
	ROW('T', TILL_BACK, "to after a character, backwards"),
	ROW(';', JUMP_AGAIN, "that again"),
	ROW(',', JUMP_REVERSE, "that again, the other way"),
	CTL('s', SEARCH_DOWN, "search down; again: the next match"),
	ROW('/', SEARCH_DOWN, NULL),
	CTL('r', SEARCH_UP, "search up; again: the next match"),
	ROW('?', SEARCH_UP, NULL),
	CTLALT('s', PATTERN_DOWN, "search down for a pattern"),
	CTLALT('r', PATTERN_UP, "search up for a pattern"),
	ROW('n', SEARCH_AGAIN, "next match"),
	ROW('N', SEARCH_REVERSE, "next match, the other way"),
	CTL(' ', SELECT_CHARS, "mark from here"),
	ROW('R', SELECT_BLOCK, "mark a rectangle"),
	ALT('w', YANK, "copy and leave"),
	CTL('w', YANK, NULL),
	ROW('\r', YANK, NULL),
	CTL('k', YANK_LINE_END, "copy to the end of the line and leave"),
	ROW('r', REFRESH, "what the terminal shows now"),
	CTL('g', CLEAR, "unmark; leave when nothing is marked"),
	ROW('q', LEAVE, "leave"),
	ROW(0x1b, LEAVE, NULL),
	CTL('c', LEAVE, NULL),
};

#undef ROW
#undef CTL
#undef ALT
#undef CTLALT

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

const struct bh_copykeys_row *bh_copykeys(bool is_emacs, size_t *count_out)
{
	*count_out = is_emacs ? COUNT(emacs_rows) : COUNT(vi_rows);
	return is_emacs ? emacs_rows : vi_rows;
}

enum bh_copy_command bh_copykeys_find(bool is_emacs, const struct bh_layer_key *key)
{
	size_t count = 0;
	const struct bh_copykeys_row *rows = bh_copykeys(is_emacs, &count);
	struct bh_layer_key wanted = *key;

	// Control-Space is NUL, which is control-@ too.
	if (wanted.key == 0 || (wanted.is_control && wanted.key == '@')) {
		wanted.key = ' ';
		wanted.is_control = true;
	}
	for (size_t i = 0; i < count; i++) {
		if (rows[i].key == wanted.key && rows[i].is_control == wanted.is_control &&
		    rows[i].is_alt == wanted.is_alt) {
			return rows[i].command;
		}
	}
	return BH_COPY_NONE;
}

bool bh_copykeys_is_emacs(int mode_keys, const char *editor)
{
	const char *name = editor == NULL ? NULL : strrchr(editor, '/');

	if (mode_keys != BH_CONFIG_MODE_KEYS_AUTO) {
		return mode_keys == BH_CONFIG_MODE_KEYS_EMACS;
	}
	name = name == NULL ? editor : name;
	return name == NULL || strstr(name, "vi") == NULL;
}

void bh_copykeys_key(const struct bh_copykeys_row *row, char *out, size_t size)
{
	static const struct {
		uint32_t key;
		const char *name;
	} names[] = {
		{BH_KEY_UP, "Up"},     {BH_KEY_DOWN, "Down"},      {BH_KEY_RIGHT, "Right"},
		{BH_KEY_LEFT, "Left"}, {BH_KEY_PAGE_UP, "PageUp"}, {BH_KEY_PAGE_DOWN, "PageDown"},
		{BH_KEY_HOME, "Home"}, {BH_KEY_END, "End"},        {' ', "Space"},
		{'\r', "Enter"},       {0x1b, "Escape"},           {0x7f, "Backspace"},
	};
	const char *modifier = row->is_control ? row->is_alt ? "C-M-" : "C-"
	                       : row->is_alt   ? "M-"
	                                       : "";

	for (size_t i = 0; i < COUNT(names); i++) {
		if (names[i].key == row->key) {
			(void)snprintf(out, size, "%s%s", modifier, names[i].name);
			return;
		}
	}
	(void)snprintf(out, size, "%s%c", modifier, (char)row->key);
}
