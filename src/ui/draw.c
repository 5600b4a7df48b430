#include "src/ui/draw.h"

#include "src/base/mem.h"
#include "src/base/utf8.h"
#include "src/ui/look.h"
#include "src/ui/strings.h"
#include "term/width.h"

#include <stdlib.h>
#include <string.h>

/** So many blanks at a row's end are worth an erase sequence. */
#define ERASE_MIN 8
/** Longest text that stands in the cell itself (bytes). */
#define CELL_TEXT 12
/** Going over so many cells takes fewer bytes than going around them. */
#define BRIDGE_MAX 5
/** A frame of so few bytes, such as the echo of a key, is written at once and shows no running cursor. */
#define CALM_MAX 64
/** Cells of a screen that are fetched at once. */
#define FETCH 128

/**
 * A cell. No pointers and no padding, so that frames outlive screens and cells are compared as
 * memory: whatever is not used is zero.
 */
struct draw_cell {
	/** UTF-8; empty when the text is longer and has a number. */
	char text[CELL_TEXT];
	uint32_t fg, bg, underline_color;
	uint16_t attrs;
	/** Numbers of strings, 0: none. */
	uint16_t link, glyph;
	uint8_t text_len;
	uint8_t width;
};
// Compared as memory, which the compiler makes a few words; so there is no padding.
_Static_assert(sizeof(struct draw_cell) == 32, "a cell has no padding");

struct bh_draw {
	struct bh_draw_settings settings;
	/** The frame, and what the terminal shows; rows of settings.cols cells. */
	struct draw_cell *frame;
	struct draw_cell *shown;
	/** By row: the frame was changed since the last flush. */
	bool *is_touched;
	/** Nothing is known of what the terminal shows. */
	bool is_unknown;
	/** Hyperlinks and long glyphs, and whether unused ones were dropped since the last flush. */
	struct bh_strings strings;
	bool is_swept;
	/** The cursor wanted, and as it is; row -1: unknown. */
	struct bh_cursor cursor;
	struct bh_cursor shown_cursor;
	/** While writing: where the terminal's cursor is (row -1: unknown), and with what pen. */
	int at_row, at_col;
	struct draw_cell pen;
};

static const struct draw_cell blank = {.text = " ", .text_len = 1, .width = 1};

/** Fill @count cells with blanks. */
static void cells_blank(struct draw_cell *cells, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		cells[i] = blank;
	}
}

static size_t draw_size(const struct bh_draw *draw)
{
	return (size_t)draw->settings.cols * (size_t)draw->settings.rows;
}

struct bh_draw *bh_draw_new(const struct bh_draw_settings *settings)
{
	struct bh_draw *draw = bh_xmalloc(sizeof(*draw));

	draw->settings = *settings;
	bh_draw_resize(draw, settings->cols, settings->rows);
	return draw;
}

void bh_draw_free(struct bh_draw *draw)
{
	if (draw == NULL) {
		return;
	}
	bh_strings_clear(&draw->strings);
	free(draw->is_touched);
	free(draw->frame);
	free(draw->shown);
	free(draw);
}

void bh_draw_resize(struct bh_draw *draw, int cols, int rows)
{
	draw->settings.cols = cols < 1 ? 1 : cols;
	draw->settings.rows = rows < 1 ? 1 : rows;
	draw->frame = bh_xrealloc(draw->frame, draw_size(draw), sizeof(*draw->frame));
	draw->shown = bh_xrealloc(draw->shown, draw_size(draw), sizeof(*draw->shown));
	draw->is_touched = bh_xrealloc(draw->is_touched, (size_t)draw->settings.rows,
	                               sizeof(*draw->is_touched));
	cells_blank(draw->frame, draw_size(draw));
	cells_blank(draw->shown, draw_size(draw));
	bh_draw_invalidate(draw);
}

void bh_draw_invalidate(struct bh_draw *draw)
{
	draw->is_unknown = true;
}

static struct draw_cell *row_at(const struct bh_draw *draw, struct draw_cell *cells, int row)
{
	return cells + (size_t)row * (size_t)draw->settings.cols;
}

static bool pen_is_equal(const struct draw_cell *a, const struct draw_cell *b)
{
	return a->attrs == b->attrs && a->fg == b->fg && a->bg == b->bg &&
	       a->underline_color == b->underline_color && a->link == b->link;
}

static bool cell_is_equal(const struct draw_cell *a, const struct draw_cell *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

void bh_draw_set_outer(struct bh_draw *draw, const struct bh_outer *outer)
{
	const struct bh_outer *before = &draw->settings.outer;
	bool is_same = before->colors == outer->colors &&
	               ((before->can ^ outer->can) & BH_OUTER_LOOKS) == 0;

	draw->settings.outer = *outer;
	for (size_t i = 0; !is_same && i < draw_size(draw); i++) {
		if (!pen_is_equal(&draw->shown[i], &blank)) {
			draw->shown[i].width = 3; // equal to nothing
			draw->is_touched[i / (size_t)draw->settings.cols] = true;
		}
	}
}

static bool is_inside(const struct bh_draw *draw, int row, int col)
{
	return row >= 0 && row < draw->settings.rows && col >= 0 && col < draw->settings.cols;
}

/** Put a cell into the frame, where it must be inside. */
static void frame_put(struct bh_draw *draw, int row, int col, const struct draw_cell *cell)
{
	struct draw_cell *at = row_at(draw, draw->frame, row) + col;

	if (!cell_is_equal(at, cell)) {
		*at = *cell;
		draw->is_touched[row] = true;
	}
}

/** The part of @rect that is inside the frame. */
static struct bh_draw_rect clip(const struct bh_draw *draw, struct bh_draw_rect rect)
{
	int bottom = rect.row + rect.rows;
	int right = rect.col + rect.cols;

	rect.row = rect.row < 0 ? 0 : rect.row;
	rect.col = rect.col < 0 ? 0 : rect.col;
	bottom = bottom > draw->settings.rows ? draw->settings.rows : bottom;
	right = right > draw->settings.cols ? draw->settings.cols : right;
	rect.rows = bottom > rect.row ? bottom - rect.row : 0;
	rect.cols = right > rect.col ? right - rect.col : 0;
	return rect;
}

// --------------------------------------------------------------------------------- strings

/** The same string in another table. */
static uint16_t number_again(struct bh_strings *to, const struct bh_strings *from, uint16_t number)
{
	const char *text = bh_strings_text(from, number);

	return number == 0 ? 0 : bh_strings_number(to, text, strlen(text));
}

/**
 * See that a cell finds room for its two strings: drop those that stand in neither frame. Once
 * between two flushes, so that a screen with more of them than there is room for does not stop us.
 */
static void strings_make_room(struct bh_draw *draw)
{
	struct bh_strings old = draw->strings;

	if (old.count + 2 <= BH_STRINGS_MAX || draw->is_swept) {
		return;
	}
	draw->is_swept = true;
	draw->strings = (struct bh_strings){0};
	for (size_t i = 0; i < draw_size(draw); i++) {
		struct draw_cell *const cells[] = {&draw->frame[i], &draw->shown[i]};

		for (size_t k = 0; k < 2; k++) {
			cells[k]->link = number_again(&draw->strings, &old, cells[k]->link);
			cells[k]->glyph = number_again(&draw->strings, &old, cells[k]->glyph);
		}
	}
	bh_strings_clear(&old);
}

/** Whether a hyperlink's target can stand in a sequence: valid UTF-8 without control characters. */
static bool link_is_clean(const char *link)
{
	size_t len = strlen(link);

	for (size_t at = 0, n = 0; at < len; at += n) {
		uint32_t code = 0;

		n = bh_utf8_next(link + at, len - at, &code);
		if (n == 0 || code < 0x20 || (code >= 0x7f && code < 0xa0)) {
			return false;
		}
	}
	return len > 0;
}

/** Give @cell a text; one that finds no room shows as a replacement character. */
static void cell_set_text(struct bh_draw *draw, struct draw_cell *cell, const char *text,
                          size_t len)
{
	static const char replacement[] = "\xef\xbf\xbd";

	if (len > CELL_TEXT) {
		cell->glyph = bh_strings_number(&draw->strings, text, len);
	}
	if (len > CELL_TEXT && cell->glyph == 0) {
		text = replacement;
		len = sizeof(replacement) - 1;
		cell->width = 1;
	}
	cell->text_len = (uint8_t)len;
	if (cell->glyph == 0) {
		memcpy(cell->text, text, len);
	}
}

static const char *cell_text(const struct bh_draw *draw, const struct draw_cell *cell)
{
	return cell->glyph == 0 ? cell->text : bh_strings_text(&draw->strings, cell->glyph);
}

// ------------------------------------------------------------------------------- composing

void bh_draw_clear(struct bh_draw *draw, struct bh_draw_rect rect, struct bh_draw_style style)
{
	struct draw_cell cell = blank;

	cell.attrs = style.attrs;
	cell.fg = style.fg;
	cell.bg = style.bg;
	rect = clip(draw, rect);
	for (int row = rect.row; row < rect.row + rect.rows; row++) {
		for (int col = rect.col; col < rect.col + rect.cols; col++) {
			frame_put(draw, row, col, &cell);
		}
	}
}

/** The cell of a screen that is more than a character with colours. */
static struct draw_cell cell_in_full(struct bh_draw *draw, const struct bh_screen *screen, int row,
                                     int col)
{
	struct bh_cell from = bh_screen_cell(screen, row, col);
	struct draw_cell cell = {.fg = from.fg,
	                         .bg = from.bg,
	                         .underline_color = from.underline_color,
	                         .attrs = from.attrs,
	                         .width = from.width};

	strings_make_room(draw);
	if (from.link != NULL && link_is_clean(from.link)) {
		cell.link = bh_strings_number(&draw->strings, from.link, strlen(from.link));
	}
	cell_set_text(draw, &cell, from.text, from.text_len);
	return cell;
}

/** One cell of a screen, of which @brief is the short form. */
static struct draw_cell cell_of_screen(struct bh_draw *draw, const struct bh_screen *screen,
                                       int row, int col, const struct bh_cell_brief *brief)
{
	struct draw_cell cell = {
		.fg = brief->fg, .bg = brief->bg, .attrs = brief->attrs, .width = brief->width};

	if (brief->has_more) {
		return cell_in_full(draw, screen, row, col);
	}
	if (brief->code >= 0x80) {
		cell.text_len = (uint8_t)bh_utf8_put(brief->code, cell.text);
	} else if (brief->width > 0) {
		cell.text[0] = (char)brief->code;
		cell.text_len = 1;
	}
	return cell;
}

/** One row of a screen into row @rect.row; @rect is inside the frame, and the screen has it all. */
static void draw_screen_row(struct bh_draw *draw, struct bh_draw_rect rect,
                            const struct bh_screen *screen, int row, int first_col)
{
	struct bh_cell_brief briefs[FETCH];

	for (int i = 0; i < rect.cols; i++) {
		struct draw_cell cell;
		const struct bh_cell_brief *brief = &briefs[i % FETCH];

		if (i % FETCH == 0) {
			bh_screen_briefs(screen, row, first_col + i, briefs, FETCH);
		}
		cell = cell_of_screen(draw, screen, row, first_col + i, brief);
		// Half of a wide character at an edge is none.
		if ((cell.width == 2 && i == rect.cols - 1) || (cell.width == 0 && i == 0)) {
			memcpy(cell.text, blank.text, sizeof(cell.text));
			cell.glyph = 0;
			cell.text_len = blank.text_len;
			cell.width = 1;
		}
		frame_put(draw, rect.row, rect.col + i, &cell);
	}
}

/** The part of a screen that is in the frame. */
struct part {
	/** Where in the frame. */
	struct bh_draw_rect rect;
	/** Its first row and column of the screen. */
	int first_row, first_col;
	/** What the screen has of it. */
	int rows, cols;
};

static struct part part_of(const struct bh_draw *draw, struct bh_draw_rect rect,
                           const struct bh_screen *screen, int first_row, int first_col)
{
	struct part part = {.rect = clip(draw, rect)};

	part.first_row = first_row + part.rect.row - rect.row;
	part.first_col = first_col + part.rect.col - rect.col;
	part.rows = bh_screen_rows(screen) - part.first_row;
	part.cols = bh_screen_cols(screen) - part.first_col;
	part.rows = part.rows < 0 ? 0 : part.rows;
	part.cols = part.cols < 0 ? 0 : part.cols;
	part.rows = part.rows > part.rect.rows ? part.rect.rows : part.rows;
	part.cols = part.cols > part.rect.cols ? part.rect.cols : part.cols;
	return part;
}

static void draw_part_row(struct bh_draw *draw, const struct part *part,
                          const struct bh_screen *screen, int row)
{
	struct bh_draw_rect line = {part->rect.row + row, part->rect.col, 1, part->cols};

	draw_screen_row(draw, line, screen, part->first_row + row, part->first_col);
}

void bh_draw_screen(struct bh_draw *draw, struct bh_draw_rect rect, const struct bh_screen *screen,
                    int first_row, int first_col)
{
	struct part part = part_of(draw, rect, screen, first_row, first_col);
	struct bh_draw_rect right = part.rect;
	struct bh_draw_rect below = part.rect;

	for (int row = 0; row < part.rows; row++) {
		draw_part_row(draw, &part, screen, row);
	}
	right.col += part.cols;
	right.cols -= part.cols;
	right.rows = part.rows;
	below.row += part.rows;
	below.rows -= part.rows;
	bh_draw_clear(draw, right, (struct bh_draw_style){0});
	bh_draw_clear(draw, below, (struct bh_draw_style){0});
}

void bh_draw_screen_again(struct bh_draw *draw, struct bh_draw_rect rect,
                          const struct bh_screen *screen, int first_row, int first_col)
{
	struct part part = part_of(draw, rect, screen, first_row, first_col);

	for (int row = 0; row < part.rows; row++) {
		if (bh_screen_is_new(screen, part.first_row + row)) {
			draw_part_row(draw, &part, screen, row);
		}
	}
}

/**
 * The first glyph of @text, which is not empty: a character with all that belongs to it.
 *
 * @width_out
 *         Its columns; 0: it is not shown.
 * @return
 *         Its bytes, at least 1.
 */
static size_t glyph_next(const char *text, size_t len, int *width_out)
{
	uint32_t code = 0;
	size_t used = bh_utf8_next(text, len, &code);
	size_t total = used;
	int width = used == 0 ? 0 : bh_width_codepoint(code);

	*width_out = width < 0 ? 0 : width;
	if (width <= 0) {
		return used == 0 ? 1 : used;
	}
	while (total < len && (unsigned char)text[total] >= 0x80) {
		used = bh_utf8_next(text + total, len - total, &code);
		if (used == 0 || total + used >= BH_CELL_TEXT ||
		    !bh_width_continues(text, total, code)) {
			break;
		}
		total += used;
		*width_out = bh_width_cluster(text, total);
	}
	return total;
}

int bh_draw_text(struct bh_draw *draw, int row, int col, int max, const char *text,
                 struct bh_draw_style style)
{
	size_t len = strlen(text);
	int used = 0;

	for (size_t at = 0, n = 0; at < len; at += n) {
		struct draw_cell cell = {.attrs = style.attrs, .fg = style.fg, .bg = style.bg};
		struct draw_cell right = cell;
		int width = 0;

		n = glyph_next(text + at, len - at, &width);
		if (width == 0) {
			continue;
		}
		if (used + width > max || !is_inside(draw, row, col + used) ||
		    !is_inside(draw, row, col + used + width - 1)) {
			break;
		}
		cell.width = (uint8_t)width;
		strings_make_room(draw);
		cell_set_text(draw, &cell, text + at, n);
		frame_put(draw, row, col + used, &cell);
		if (cell.width == 2) {
			frame_put(draw, row, col + used + 1, &right);
		}
		used += cell.width;
	}
	return used;
}

int bh_draw_width(const char *text)
{
	size_t len = strlen(text);
	int used = 0;

	for (size_t at = 0, n = 0; at < len; at += n) {
		int width = 0;

		n = glyph_next(text + at, len - at, &width);
		used += width;
	}
	return used;
}

/** The end of @text from a glyph on, as long as fits in @max columns. */
static const char *text_end(const char *text, int max)
{
	size_t len = strlen(text);
	int cols = bh_draw_width(text);
	size_t at = 0;

	while (at < len && cols > max) {
		int width = 0;

		at += glyph_next(text + at, len - at, &width);
		cols -= width;
	}
	return text + at;
}

int bh_draw_name(struct bh_draw *draw, int row, int col, int max, const char *name,
                 struct bh_draw_style style)
{
	int end_cols = max < 1 ? 0 : (max - 1) / 2;
	int used = 0;

	if (bh_draw_width(name) <= max) {
		return bh_draw_text(draw, row, col, max, name, style);
	}
	used = bh_draw_text(draw, row, col, max - 1 - end_cols, name, style);
	used += bh_draw_text(draw, row, col + used, max - used, "…", style);
	return used +
	       bh_draw_text(draw, row, col + used, end_cols, text_end(name, end_cols), style);
}

void bh_draw_cursor(struct bh_draw *draw, const struct bh_cursor *cursor)
{
	draw->cursor = *cursor;
	if (!is_inside(draw, cursor->row, cursor->col)) {
		draw->cursor.is_visible = false;
	}
}

// --------------------------------------------------------------------------------- writing

static bool can(const struct bh_draw *draw, enum bh_outer_can what)
{
	return (draw->settings.outer.can & what) != 0;
}

/** Switch to the attributes of @cell. Always from nothing: no state of the terminal is trusted. */
static void put_pen(struct bh_draw *draw, struct bh_buf *out, const struct draw_cell *cell)
{
	const struct bh_look look = {.attrs = cell->attrs,
	                             .fg = cell->fg,
	                             .bg = cell->bg,
	                             .underline_color = cell->underline_color};

	if (pen_is_equal(cell, &draw->pen)) {
		return;
	}
	if (cell->link != draw->pen.link && can(draw, BH_OUTER_LINKS)) {
		bh_buf_puts(out, "\x1b]8;;");
		bh_buf_puts(out, bh_strings_text(&draw->strings, cell->link));
		bh_buf_puts(out, "\x1b\\");
	}
	bh_look_put(&look, &draw->settings.outer, out);
	draw->pen = *cell;
}

static void move_to(struct bh_draw *draw, struct bh_buf *out, int row, int col)
{
	if (draw->at_row == row && draw->at_col == col) {
		return;
	}
	if (draw->at_row >= 0 && row == draw->at_row + 1 && col == 0) {
		bh_buf_puts(out, "\r\n");
	} else {
		bh_buf_printf(out, "\x1b[%d;%dH", row + 1, col + 1);
	}
	draw->at_row = row;
	draw->at_col = col;
}

/** Write one cell where the cursor is, and think where the cursor is then. */
static void put_cell(struct bh_draw *draw, struct bh_buf *out, const struct draw_cell *cell)
{
	put_pen(draw, out, cell);
	bh_buf_append(out, cell_text(draw, cell), cell->text_len);
	draw->at_col += cell->width;
	// Terminals disagree on the width of emoji and clusters, and on the state at the edge.
	if (cell->text_len > 3 || draw->at_col >= draw->settings.cols) {
		draw->at_row = -1;
	}
}

/** Emoji of several code points. Terminals give such a glyph from one to six columns. */
static bool is_of_parts(const struct draw_cell *cell)
{
	return cell->width == 2 && cell->text_len > 4;
}

/** Clear both columns for the cell at the cursor: a terminal may fill only one. */
static void clear_below(struct bh_draw *draw, struct bh_buf *out, const struct draw_cell *cell,
                        int row, int col)
{
	put_pen(draw, out, cell);
	bh_buf_puts(out, "  ");
	draw->at_row = -1;
	move_to(draw, out, row, col);
}

/** The first column from which the row is plain blank to its end. */
static int blank_from(const struct bh_draw *draw, const struct draw_cell *row)
{
	int col = draw->settings.cols;

	while (col > 0 && cell_is_equal(&row[col - 1], &blank)) {
		col--;
	}
	return col;
}

/** Whether the few cells from the cursor to @col may be written once more instead of moving there. */
static bool is_bridge(const struct bh_draw *draw, const struct draw_cell *want, int row, int col)
{
	if (draw->at_row != row || draw->at_col >= col || draw->at_col < col - BRIDGE_MAX) {
		return false;
	}
	for (int i = draw->at_col; i < col; i++) {
		if (want[i].width != 1 || want[i].text_len != 1 ||
		    !pen_is_equal(&want[i], &draw->pen)) {
			return false;
		}
	}
	return true;
}

/** Go to @col of @row in the shortest way. */
static void reach(struct bh_draw *draw, struct bh_buf *out, const struct draw_cell *want, int row,
                  int col)
{
	if (is_bridge(draw, want, row, col)) {
		while (draw->at_col < col) {
			put_cell(draw, out, &want[draw->at_col]);
		}
	}
	move_to(draw, out, row, col);
}

/** Write the differences of one row. */
static void flush_row(struct bh_draw *draw, struct bh_buf *out, int row)
{
	const struct draw_cell *want = row_at(draw, draw->frame, row);
	const struct draw_cell *have = row_at(draw, draw->shown, row);
	int end = blank_from(draw, want);
	int have_end = blank_from(draw, have);
	bool is_erase = have_end - end >= ERASE_MIN;
	int last = is_erase ? end : draw->settings.cols;
	bool is_behind_parts = false; // the terminal may have drawn beyond their two columns

	for (int col = 0; col < last; col++) {
		// The right half comes with the left one; an orphan is overdrawn by what follows.
		if (want[col].width == 0 ||
		    (cell_is_equal(&want[col], &have[col]) && !is_behind_parts)) {
			continue;
		}
		reach(draw, out, want, row, col);
		if (is_of_parts(&want[col])) {
			clear_below(draw, out, &want[col], row, col);
			is_behind_parts = true;
		}
		put_cell(draw, out, &want[col]);
	}
	if (is_erase) {
		move_to(draw, out, row, end);
		put_pen(draw, out, &blank);
		bh_buf_puts(out, "\x1b[K");
	}
}

/** Where something stands on half of a wide character, the other half is a blank. */
static void mend_halves(const struct bh_draw *draw, struct draw_cell *row)
{
	for (int col = 0; col < draw->settings.cols; col++) {
		bool is_left = row[col].width == 2;
		bool is_whole = is_left && col + 1 < draw->settings.cols && row[col + 1].width == 0;

		if (is_whole) {
			col++;
		} else if (is_left || row[col].width == 0) {
			memcpy(row[col].text, blank.text, sizeof(row[col].text));
			row[col].glyph = 0;
			row[col].text_len = blank.text_len;
			row[col].width = 1;
		}
	}
}

/** A wide character whose half was overwritten is gone on the terminal: its rest must be redrawn. */
static void spoil_halves(const struct bh_draw *draw, const struct draw_cell *want,
                         struct draw_cell *have)
{
	for (int col = 0; col + 1 < draw->settings.cols; col++) {
		if (have[col].width == 2 && (!cell_is_equal(&want[col], &have[col]) ||
		                             !cell_is_equal(&want[col + 1], &have[col + 1]))) {
			have[col].width = 3; // equal to nothing
			have[col + 1].width = 3;
		}
	}
}

static void flush_cursor(struct bh_draw *draw, struct bh_buf *out)
{
	const struct bh_cursor *want = &draw->cursor;
	struct bh_cursor *have = &draw->shown_cursor;

	if (want->is_visible) {
		int style = 2 * (int)(want->shape == 0 ? BH_CURSOR_BLOCK : want->shape) -
		            (want->is_blinking ? 1 : 0);

		if (can(draw, BH_OUTER_CURSOR_SHAPE) &&
		    (draw->is_unknown || !have->is_visible || have->shape != want->shape ||
		     have->is_blinking != want->is_blinking)) {
			bh_buf_printf(out, "\x1b[%d q", style);
		}
		move_to(draw, out, want->row, want->col);
		if (draw->is_unknown || !have->is_visible) {
			bh_buf_puts(out, "\x1b[?25h");
		}
	} else if (draw->is_unknown || have->is_visible) {
		bh_buf_puts(out, "\x1b[?25l");
	}
	*have = *want;
}

/** Write what is new in a row; from then on it is shown. */
static void bring_up_to_date(struct bh_draw *draw, struct bh_buf *out, int row)
{
	struct draw_cell *want = row_at(draw, draw->frame, row);
	struct draw_cell *have = row_at(draw, draw->shown, row);

	mend_halves(draw, want);
	spoil_halves(draw, want, have);
	flush_row(draw, out, row);
	memcpy(have, want, (size_t)draw->settings.cols * sizeof(*have));
	draw->is_touched[row] = false;
}

/** Wrap a frame so that it is seen whole, or at least without a cursor that runs about. */
static void put_frame(const struct bh_draw *draw, const struct bh_buf *frame, struct bh_buf *out)
{
	bool is_large = frame->len > CALM_MAX;
	bool is_sync = is_large && can(draw, BH_OUTER_SYNC);
	bool is_hiding = is_large && !is_sync && draw->cursor.is_visible;

	if (frame->len > 0) {
		bh_buf_puts(out, is_sync ? "\x1b[?2026h" : is_hiding ? "\x1b[?25l" : "");
		bh_buf_append(out, frame->data, frame->len);
		bh_buf_puts(out, is_sync ? "\x1b[?2026l" : is_hiding ? "\x1b[?25h" : "");
	}
}

void bh_draw_flush(struct bh_draw *draw, struct bh_buf *out)
{
	struct bh_buf frame = {0};

	// The cursor stays where the last flush left it; but a person's terminal may have moved it
	// at the right edge, and then at_row says so.
	draw->pen = blank;
	if (draw->is_unknown) {
		bh_buf_puts(&frame, "\x1b[0m\x1b[H\x1b[2J");
		draw->at_row = 0;
		draw->at_col = 0;
		cells_blank(draw->shown, draw_size(draw));
	}
	for (int row = 0; row < draw->settings.rows; row++) {
		if (draw->is_unknown || draw->is_touched[row]) {
			bring_up_to_date(draw, &frame, row);
		}
	}
	put_pen(draw, &frame, &blank);
	flush_cursor(draw, &frame);
	draw->is_unknown = false;
	draw->is_swept = false;
	put_frame(draw, &frame, out);
	bh_buf_clear(&frame);
}
