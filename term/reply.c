#include "term/reply.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// All answers go into one buffer in the order of the questions. That is more than tidiness: programs
// ask what a terminal may not know and then DA1, which every terminal answers; an answer that came
// after that of DA1 would count as none.

enum {
	// Nobody has pixels here; programs want some ratio.
	CELL_WIDTH = 8,
	CELL_HEIGHT = 16,
};

void bh_reply_printf(struct bh_screen *s, const char *format, ...)
{
	char text[512];
	va_list args;

	if (s->is_replay) {
		return;
	}
	va_start(args, format);
	int len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (len <= 0 || len >= (int)sizeof(text) ||
	    s->replies.len + (size_t)len > BH_STATE_REPLIES_MAX) {
		return;
	}
	bh_bytes_add(&s->replies, text, (size_t)len);
	s->changes |= BH_SCREEN_CHANGED_REPLIES;
}

void bh_reply_attributes(struct bh_screen *s, char leader)
{
	if (leader == 0) {
		// A VT220 with colours.
		bh_reply_printf(s, "\x1B[?62;22c");
	} else if (leader == '>') {
		bh_reply_printf(s, "\x1B[>1;100;0c");
	} else if (leader == '=') {
		bh_reply_printf(s, "\x1BP!|00000000\x1B\\");
	}
}

void bh_reply_version(struct bh_screen *s)
{
	bh_reply_printf(s, "\x1BP>|%s\x1B\\", s->xtversion);
}

static void reply_cursor(struct bh_screen *s, bool is_private)
{
	bool is_origin = bh_state_has(s, BH_SCREEN_MODE_ORIGIN);
	int row = s->row - (is_origin ? s->top : 0) + 1;
	int col = s->col - (is_origin ? s->left : 0) + 1;

	bh_reply_printf(s, is_private ? "\x1B[?%d;%d;1R" : "\x1B[%d;%dR", row, col);
}

static bool is_dark(uint32_t rgb)
{
	return (rgb >> 16 & 0xFF) * 3 + (rgb >> 8 & 0xFF) * 6 + (rgb & 0xFF) < 1280;
}

void bh_reply_status(struct bh_screen *s, int number, bool is_private)
{
	if (number == 5 && !is_private) {
		bh_reply_printf(s, "\x1B[0n");
	} else if (number == 6) {
		reply_cursor(s, is_private);
	} else if (number == 996 && is_private) {
		bh_reply_printf(s, "\x1B[?997;%dn", is_dark(s->default_bg) ? 1 : 2);
	}
}

void bh_reply_size(struct bh_screen *s, int number)
{
	if (number == 14) {
		bh_reply_printf(s, "\x1B[4;%d;%dt", s->rows * CELL_HEIGHT, s->cols * CELL_WIDTH);
	} else if (number == 16) {
		bh_reply_printf(s, "\x1B[6;%d;%dt", CELL_HEIGHT, CELL_WIDTH);
	} else if (number == 18 || number == 19) {
		bh_reply_printf(s, "\x1B[%d;%d;%dt", number - 10, s->rows, s->cols);
	}
}

void bh_reply_in_band_size(struct bh_screen *s)
{
	if (bh_state_has(s, BH_SCREEN_MODE_SIZE_REPORTS)) {
		bh_reply_printf(s, "\x1B[48;%d;%d;%d;%dt", s->rows, s->cols, s->rows * CELL_HEIGHT,
		                s->cols * CELL_WIDTH);
	}
}

static void reply_pen(struct bh_screen *s)
{
	struct bh_bytes sgr = {0};

	bh_pen_write(&s->pen, &sgr);
	bh_reply_printf(s, "\x1BP1$r%sm\x1B\\", sgr.data);
	bh_bytes_clear(&sgr);
}

/** DECSLPP, DECSCPP, DECSNLS: the size of the page, which is the screen. False: another setting. */
static bool reply_page(struct bh_screen *s, const char *name)
{
	bool is_cols = strcmp(name, "$|") == 0;

	if (!is_cols && strcmp(name, "t") != 0 && strcmp(name, "*|") != 0) {
		return false;
	}
	bh_reply_printf(s, "\x1BP1$r%d%s\x1B\\", is_cols ? s->cols : s->rows, name);
	return true;
}

static void reply_setting(struct bh_screen *s, const char *name)
{
	if (strcmp(name, "m") == 0) {
		reply_pen(s);
	} else if (strcmp(name, "r") == 0) {
		bh_reply_printf(s, "\x1BP1$r%d;%dr\x1B\\", s->top + 1, s->bottom);
	} else if (strcmp(name, "s") == 0) {
		bh_reply_printf(s, "\x1BP1$r%d;%ds\x1B\\", s->left + 1, s->right);
	} else if (strcmp(name, " q") == 0) {
		int blinks = bh_state_has(s, BH_SCREEN_MODE_CURSOR_BLINK) ? 1 : 0;

		bh_reply_printf(s, "\x1BP1$r%d q\x1B\\", (int)s->shape * 2 - blinks);
	} else if (strcmp(name, "\"q") == 0) {
		bh_reply_printf(s, "\x1BP1$r%d\"q\x1B\\",
		                (s->pen.attrs & BH_ATTR_PROTECTED) != 0 ? 1 : 0);
	} else if (strcmp(name, "\"p") == 0) {
		bh_reply_printf(s, "\x1BP1$r62;1\"p\x1B\\");
	} else if (!reply_page(s, name)) {
		bh_reply_printf(s, "\x1BP0$r\x1B\\");
	}
}

void bh_reply_dcs(struct bh_screen *s, const char *text, size_t len)
{
	if (len >= 2 && text[0] == '$' && text[1] == 'q') {
		reply_setting(s, text + 2);
	} else if (len >= 2 && text[0] == '+' && text[1] == 'q') {
		// No terminfo entry is told; TERM names a well-known one.
		bh_reply_printf(s, "\x1BP0+r\x1B\\");
	}
}
