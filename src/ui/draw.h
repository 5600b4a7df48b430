/** @file
 * Drawing on a person's terminal: a frame of cells is composed from screens and text, compared with
 * what the terminal shows already, and only the difference is written, as one synchronized update.
 * Pure: cells in, bytes out.
 */
#ifndef BH_UI_DRAW_H
#define BH_UI_DRAW_H

#include "src/base/buf.h"
#include "src/ui/outer.h"
#include "term/screen.h"

#include <stdbool.h>
#include <stdint.h>

/** What a person's terminal shows, and what it is to show. */
struct bh_draw;

/** What the person's terminal can do. */
struct bh_draw_settings {
	/** Columns and rows of all of it. */
	int cols, rows;
	/** What it can; the rest is simplified or left out. */
	struct bh_outer outer;
};

/** A part of the frame. */
struct bh_draw_rect {
	/** Its upper left corner, from 0. */
	int row, col;
	/** Its size. */
	int rows, cols;
};

/** How text looks. Zero is plain. */
struct bh_draw_style {
	/** enum bh_attr. */
	uint16_t attrs;
	/** BH_COLOR_*. */
	uint32_t fg, bg;
};

/** A frame of blanks; nothing is known of what the terminal shows. */
struct bh_draw *bh_draw_new(const struct bh_draw_settings *settings);

/** Free; NULL allowed. */
void bh_draw_free(struct bh_draw *draw);

/** Another size: the frame is blank, nothing is known of what the terminal shows. */
void bh_draw_resize(struct bh_draw *draw, int cols, int rows);

/** The terminal can other things: they are used from now on, also for what it shows already, as far
 * as that looks different then. */
void bh_draw_set_outer(struct bh_draw *draw, const struct bh_outer *outer);

/** Forget what the terminal shows: the next bh_draw_flush() writes everything. */
void bh_draw_invalidate(struct bh_draw *draw);

/** Blank a part of the frame. */
void bh_draw_clear(struct bh_draw *draw, struct bh_draw_rect rect, struct bh_draw_style style);

/**
 * Put a part of @screen into the frame, from its @first_row and @first_col on. What the screen does
 * not fill is blank; a wide character cut by the edge is a blank.
 */
void bh_draw_screen(struct bh_draw *draw, struct bh_draw_rect rect, const struct bh_screen *screen,
                    int first_row, int first_col);

/** The same for a screen that stands there already as it was at its last bh_screen_see(): only what may
 * have changed is put. */
void bh_draw_screen_again(struct bh_draw *draw, struct bh_draw_rect rect,
                          const struct bh_screen *screen, int first_row, int first_col);

/**
 * Put UTF-8 text into row @row from @col on, at most @max columns; control characters are left out.
 * Cut between characters.
 *
 * @return The columns used.
 */
int bh_draw_text(struct bh_draw *draw, int row, int col, int max, const char *text,
                 struct bh_draw_style style);

/**
 * As bh_draw_text(), but a name that does not fit in @max columns loses its middle, with a mark there:
 * what tells similar names apart is as often the end as the beginning.
 */
int bh_draw_name(struct bh_draw *draw, int row, int col, int max, const char *name,
                 struct bh_draw_style style);

/** Columns that bh_draw_text() would use without a limit. */
int bh_draw_width(const char *text);

/** Where the cursor is to be, in the frame; hidden when @cursor is not visible or outside. */
void bh_draw_cursor(struct bh_draw *draw, const struct bh_cursor *cursor);

/**
 * Append what turns the terminal into the frame: nothing when it is that already. From now on the
 * terminal is taken to show the frame.
 */
void bh_draw_flush(struct bh_draw *draw, struct bh_buf *out);

#endif
