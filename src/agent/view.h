/** @file
 * A view: one screen as the rules read it. Text by rows (NBSP made a blank, trailing blanks cut),
 * the attributes that rules ask for, cursor, title, modes. Rules and composer search read nothing
 * else.
 */
#ifndef BH_AGENT_VIEW_H
#define BH_AGENT_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bh_screen;

/** Attributes of a byte of a row's text. */
enum bh_ink {
	/** SGR 2. */
	BH_INK_DIM = 1,
	/** SGR 1. */
	BH_INK_BOLD = 2,
	/** SGR 7. */
	BH_INK_REVERSE = 4,
	/** A foreground colour of its own. */
	BH_INK_COLOURED = 8,
	/** A blank. */
	BH_INK_BLANK = 16,
};

/** One row. */
struct bh_view_row {
	/** Offset of its first byte in the view's text. */
	size_t start;
	/** Number of its bytes, trailing blanks not counted. */
	size_t len;
};

/** A screen as text. Zero-initialise; bh_view_clear() ends it. */
struct bh_view {
	/** All rows, LF between them. */
	char *text;
	/** Attributes (enum bh_ink) of each byte of text. */
	uint8_t *ink;
	/** Column of each byte of text. */
	uint16_t *col;
	/** Bytes in use of text, ink and col. */
	size_t len;
	/** Bytes allocated of them. */
	size_t size;
	/** The rows, top first. */
	struct bh_view_row *rows;
	/** Number of rows. */
	int row_count;
	/** Rows allocated. */
	int row_size;
	/** Number of columns. */
	int cols;
	/** Row of the cursor, from 0. */
	int cursor_row;
	/** Column of the cursor, from 0. */
	int cursor_col;
	/** The cursor is shown. */
	bool is_cursor_shown;
	/** The alternate screen is on. */
	bool is_alternate;
	/** Bracketed paste (2004) is on. */
	bool has_paste;
	/** A synchronized update (2026) is being drawn: the picture is not whole. */
	bool is_partial;
	/** The title, borrowed from the screen until it changes; never NULL. */
	const char *title;
};

/** Fill @view with what @screen shows now; its memory is used again. */
void bh_view_take(struct bh_view *view, const struct bh_screen *screen);

/** Take out what stands in column @cols and right of it. */
void bh_view_cut(struct bh_view *view, int cols);

/** Free what the view holds; it is empty and usable again. */
void bh_view_clear(struct bh_view *view);

/** The text of row @row, not NUL-terminated; its length in @len_out. Empty outside the screen. */
const char *bh_view_row_text(const struct bh_view *view, int row, size_t *len_out);

/** Index of the last row with text, or -1. */
int bh_view_last_row(const struct bh_view *view);

#endif
