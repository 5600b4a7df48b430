#include "src/ui/draw.h"

#include "src/base/mem.h"
#include "src/base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/** Most different hyperlinks that are told apart; then the table begins anew. */
#define LINKS_MAX 1024
/** So many blanks at a row's end are worth an erase sequence. */
#define ERASE_MIN 8

/** A cell, its hyperlink by number (0: none), so that frames outlive screens. */
struct draw_cell {
	struct bh_cell cell;
	uint16_t link;
};

struct bh_draw {
	struct bh_draw_settings settings;
	/** The frame, and what the terminal shows; rows of settings.cols cells. */
	struct draw_cell *frame;
	struct draw_cell *shown;
	/** Nothing is known of what the terminal shows. */
	bool is_unknown;
	/** Hyperlinks by number less one. */
	char **links;
	int link_count;
	/** The cursor wanted, and as it is; row -1: unknown. */
	struct bh_cursor cursor;
	struct bh_cursor shown_cursor;
	/** While writing: where the terminal's cursor is (row -1: unknown), and with what pen. */
	int at_row, at_col;
	struct draw_cell pen;
};

static const struct bh_cell blank = {.text = " ", .text_len = 1, .width = 1};

/** Fill @count cells with blanks. */
static void cells_blank(struct draw_cell *cells, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		cells[i] = (struct draw_cell){.cell = blank};
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
	draw->links = bh_xcalloc(LINKS_MAX, sizeof(*draw->links));
	bh_draw_resize(draw, settings->cols, settings->rows);
	return draw;
}

static void links_clear(struct bh_draw *draw)
{
	for (int i = 0; i < draw->link_count; i++) {
		free(draw->links[i]);
	}
	draw->link_count = 0;
}

void bh_draw_free(struct bh_draw *draw)
{
	if (draw == NULL) {
		return;
	}
	links_clear(draw);
	free(draw->links);
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
	cells_blank(draw->frame, draw_size(draw));
	bh_draw_invalidate(draw);
}

void bh_draw_invalidate(struct bh_draw *draw)
{
	draw->is_unknown = true;
}

static struct draw_cell *frame_at(struct bh_draw *draw, int row, int col)
{
	if (row < 0 || row >= draw->settings.rows || col < 0 || col >= draw->settings.cols) {
		return NULL;
	}
	return &draw->frame[(size_t)row * (size_t)draw->settings.cols + (size_t)col];
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

/** The number of a hyperlink. A full table begins anew, with everything drawn anew. */
static uint16_t link_number(struct bh_draw *draw, const char *link)
{
	if (link == NULL || !link_is_clean(link)) {
		return 0;
	}
	for (int i = draw->link_count - 1; i >= 0; i--) {
		if (strcmp(draw->links[i], link) == 0) {
			return (uint16_t)(i + 1);
		}
	}
	if (draw->link_count == LINKS_MAX) {
		links_clear(draw);
		for (size_t i = 0; i < draw_size(draw); i++) {
			draw->frame[i].link = 0;
		}
		bh_draw_invalidate(draw);
	}
	draw->links[draw->link_count++] = bh_xstrdup(link);
	return (uint16_t)draw->link_count;
}

void bh_draw_clear(struct bh_draw *draw, struct bh_draw_rect rect, struct bh_draw_style style)
{
	for (int row = rect.row; row < rect.row + rect.rows; row++) {
		for (int col = rect.col; col < rect.col + rect.cols; col++) {
			struct draw_cell *at = frame_at(draw, row, col);

			if (at != NULL) {
				*at = (struct draw_cell){.cell = blank};
				at->cell.attrs = style.attrs;
				at->cell.fg = style.fg;
				at->cell.bg = style.bg;
			}
		}
	}
}

/** One row of a screen; @rect.row is the row of the frame, @row that of the screen. */
static void draw_screen_row(struct bh_draw *draw, struct bh_draw_rect rect,
                            const struct bh_screen *screen, int row, int first_col)
{
	int cols = bh_screen_cols(screen) - first_col;
	int end = rect.cols < cols ? rect.cols : cols;

	for (int i = 0; i < end; i++) {
		struct draw_cell *at = frame_at(draw, rect.row, rect.col + i);

		if (at == NULL) {
			continue;
		}
		at->cell = bh_screen_cell(screen, row, first_col + i);
		at->link = link_number(draw, at->cell.link);
		at->cell.link = NULL;
		// Half of a wide character at an edge is none.
		if ((at->cell.width == 2 && i == end - 1) || (at->cell.width == 0 && i == 0)) {
			memcpy(at->cell.text, blank.text, sizeof(blank.text));
			at->cell.text_len = blank.text_len;
			at->cell.width = 1;
		}
	}
}

void bh_draw_screen(struct bh_draw *draw, struct bh_draw_rect rect, const struct bh_screen *screen,
                    int first_row, int first_col)
{
	int rows = bh_screen_rows(screen) - first_row;
	int cols = bh_screen_cols(screen) - first_col;
	struct bh_draw_style plain = {0};

	rows = rows < 0 ? 0 : rows > rect.rows ? rect.rows : rows;
	cols = cols < 0 ? 0 : cols > rect.cols ? rect.cols : cols;
	for (int i = 0; i < rows; i++) {
		struct bh_draw_rect line = {
			.row = rect.row + i, .col = rect.col, .rows = 1, .cols = rect.cols};

		draw_screen_row(draw, line, screen, first_row + i, first_col);
	}
	// Only what the screen does not fill is blanked: this is drawn for every echo of a key.
	bh_draw_clear(draw,
	              (struct bh_draw_rect){rect.row, rect.col + cols, rows, rect.cols - cols},
	              plain);
	bh_draw_clear(draw,
	              (struct bh_draw_rect){rect.row + rows, rect.col, rect.rows - rows, rect.cols},
	              plain);
}

/** Columns of a code point on its own: 0 for marks, -1 for controls. */
static int code_width(uint32_t code)
{
	if (code < 0x20 || (code >= 0x7f && code < 0xa0)) {
		return -1;
	}
	return utf8proc_charwidth((utf8proc_int32_t)code);
}

int bh_draw_text(struct bh_draw *draw, int row, int col, int max, const char *text,
                 struct bh_draw_style style)
{
	size_t len = strlen(text);
	struct draw_cell *last = NULL;
	int used = 0;

	for (size_t at = 0, n = 0; at < len; at += n) {
		uint32_t code = 0;
		int width = 0;
		struct draw_cell *cell = NULL;

		n = bh_utf8_next(text + at, len - at, &code);
		if (n == 0) {
			n = 1;
			continue;
		}
		width = code_width(code);
		if (width == 0 && last != NULL && last->cell.text_len + n < BH_CELL_TEXT) {
			memcpy(last->cell.text + last->cell.text_len, text + at, n);
			last->cell.text_len = (uint8_t)(last->cell.text_len + n);
		}
		if (width <= 0) {
			continue;
		}
		if (used + width > max || (cell = frame_at(draw, row, col + used)) == NULL ||
		    frame_at(draw, row, col + used + width - 1) == NULL) {
			break;
		}
		*cell = (struct draw_cell){.cell = {.text_len = (uint8_t)n,
		                                    .width = (uint8_t)width,
		                                    .attrs = style.attrs,
		                                    .fg = style.fg,
		                                    .bg = style.bg}};
		memcpy(cell->cell.text, text + at, n);
		if (width == 2) {
			cell[1] = (struct draw_cell){
				.cell = {.attrs = style.attrs, .fg = style.fg, .bg = style.bg}};
		}
		last = cell;
		used += width;
	}
	return used;
}

int bh_draw_width(const char *text)
{
	size_t len = strlen(text);
	int width = 0;

	for (size_t at = 0, n = 0; at < len; at += n) {
		uint32_t code = 0;

		n = bh_utf8_next(text + at, len - at, &code);
		if (n == 0) {
			n = 1;
		} else if (code_width(code) > 0) {
			width += code_width(code);
		}
	}
	return width;
}

void bh_draw_cursor(struct bh_draw *draw, const struct bh_cursor *cursor)
{
	draw->cursor = *cursor;
	if (frame_at(draw, cursor->row, cursor->col) == NULL) {
		draw->cursor.is_visible = false;
	}
}

static bool pen_is_equal(const struct draw_cell *a, const struct draw_cell *b)
{
	return a->cell.attrs == b->cell.attrs && a->cell.fg == b->cell.fg &&
	       a->cell.bg == b->cell.bg && a->cell.underline_color == b->cell.underline_color &&
	       a->link == b->link;
}

static bool cell_is_equal(const struct draw_cell *a, const struct draw_cell *b)
{
	return a->cell.width == b->cell.width && a->cell.text_len == b->cell.text_len &&
	       memcmp(a->cell.text, b->cell.text, a->cell.text_len) == 0 && pen_is_equal(a, b);
}

static bool cell_is_blank(const struct draw_cell *cell)
{
	static const struct draw_cell plain = {.cell = {.text = " ", .text_len = 1, .width = 1}};

	return cell_is_equal(cell, &plain);
}

/** The nearest colour of the 6x6x6 cube or the grey ramp, for terminals without direct ones. */
static unsigned color_to_index(uint32_t color)
{
	static const int levels[] = {0, 95, 135, 175, 215, 255};
	const int part[3] = {(int)(color >> 16 & 255), (int)(color >> 8 & 255), (int)(color & 255)};
	int cube[3];
	int distance = 0;
	int grey = (part[0] + part[1] + part[2]) / 3;
	int step = grey < 3 ? 0 : grey > 233 ? 23 : (grey - 3) / 10;
	int grey_distance = 0;

	for (int i = 0; i < 3; i++) {
		cube[i] = part[i] < 48 ? 0 : part[i] < 115 ? 1 : (part[i] - 35) / 40;
		distance += abs(levels[cube[i]] - part[i]);
		grey_distance += abs(8 + 10 * step - part[i]);
	}
	if (grey_distance < distance) {
		return (unsigned)(232 + step);
	}
	return (unsigned)(16 + 36 * cube[0] + 6 * cube[1] + cube[2]);
}

/** Append ";38;5;N" or the like; @base is 38, 48 or 58. */
static void add_color(const struct bh_draw *draw, struct bh_buf *out, int base, uint32_t color)
{
	if (bh_color_is_index(color)) {
		unsigned index = color & 255;

		if (base != 58 && index < 8) {
			bh_buf_printf(out, ";%u", (unsigned)base - 8 + index);
		} else if (base != 58 && index < 16) {
			bh_buf_printf(out, ";%u", (unsigned)base + 52 + index - 8);
		} else {
			bh_buf_printf(out, ";%d;5;%u", base, index);
		}
	} else if (bh_color_is_rgb(color) && draw->settings.is_truecolor) {
		bh_buf_printf(out, ";%d;2;%u;%u;%u", base, color >> 16 & 255, color >> 8 & 255,
		              color & 255);
	} else if (bh_color_is_rgb(color)) {
		bh_buf_printf(out, ";%d;5;%u", base, color_to_index(color));
	}
}

/** Switch to the attributes of @cell. Always from nothing: no state of the terminal is trusted. */
static void put_pen(struct bh_draw *draw, struct bh_buf *out, const struct draw_cell *cell)
{
	static const struct {
		enum bh_attr attr;
		const char *code;
	} codes[] = {{BH_ATTR_BOLD, ";1"},   {BH_ATTR_DIM, ";2"},      {BH_ATTR_ITALIC, ";3"},
	             {BH_ATTR_BLINK, ";5"},  {BH_ATTR_REVERSE, ";7"},  {BH_ATTR_CONCEAL, ";8"},
	             {BH_ATTR_STRIKE, ";9"}, {BH_ATTR_OVERLINE, ";53"}};
	unsigned underline = BH_ATTR_UNDERLINE(cell->cell.attrs);

	if (pen_is_equal(cell, &draw->pen)) {
		return;
	}
	if (cell->link != draw->pen.link) {
		bh_buf_printf(out, "\x1b]8;;%s\x1b\\",
		              cell->link == 0 ? "" : draw->links[cell->link - 1]);
	}
	bh_buf_puts(out, "\x1b[0");
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if ((cell->cell.attrs & codes[i].attr) != 0) {
			bh_buf_puts(out, codes[i].code);
		}
	}
	if (underline == BH_UNDERLINE_SINGLE || (underline > 0 && !draw->settings.is_truecolor)) {
		bh_buf_puts(out, ";4");
	} else if (underline > 0) {
		bh_buf_printf(out, ";4:%u", underline);
	}
	add_color(draw, out, 38, cell->cell.fg);
	add_color(draw, out, 48, cell->cell.bg);
	if (draw->settings.is_truecolor) {
		add_color(draw, out, 58, cell->cell.underline_color);
	}
	bh_buf_puts(out, "m");
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
	bh_buf_append(out, cell->cell.text, cell->cell.text_len);
	draw->at_col += cell->cell.width;
	// Terminals disagree on the width of emoji and clusters, and on the state at the edge.
	if (cell->cell.text_len > 3 || draw->at_col >= draw->settings.cols) {
		draw->at_row = -1;
	}
}

/** Emoji of several code points. Terminals give such a glyph from one to six columns. */
static bool is_of_parts(const struct draw_cell *cell)
{
	return cell->cell.width == 2 && cell->cell.text_len > 4;
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

	while (col > 0 && cell_is_blank(&row[col - 1])) {
		col--;
	}
	return col;
}

/** Bring one row up to date. */
static void flush_row(struct bh_draw *draw, struct bh_buf *out, int row)
{
	size_t begin = (size_t)row * (size_t)draw->settings.cols;
	const struct draw_cell *want = draw->frame + begin;
	const struct draw_cell *have = draw->shown + begin;
	int end = blank_from(draw, want);
	int have_end = blank_from(draw, have);
	bool is_erase = have_end - end >= ERASE_MIN;
	int last = is_erase ? end : draw->settings.cols;
	bool is_behind_parts = false; // the terminal may have drawn beyond their two columns

	for (int col = 0; col < last; col++) {
		// The right half comes with the left one; an orphan is overdrawn by what follows.
		if (want[col].cell.width == 0 ||
		    (cell_is_equal(&want[col], &have[col]) && !is_behind_parts)) {
			continue;
		}
		move_to(draw, out, row, col);
		if (is_of_parts(&want[col])) {
			clear_below(draw, out, &want[col], row, col);
			is_behind_parts = true;
		}
		put_cell(draw, out, &want[col]);
	}
	if (is_erase) {
		move_to(draw, out, row, end);
		put_pen(draw, out, &(struct draw_cell){.cell = blank});
		bh_buf_puts(out, "\x1b[K");
	}
}

/** A wide character whose half was overwritten is gone on the terminal: its rest must be redrawn. */
static void spoil_halves(struct bh_draw *draw)
{
	for (size_t i = 0; i + 1 < draw_size(draw); i++) {
		bool is_changed = !cell_is_equal(&draw->frame[i], &draw->shown[i]) ||
		                  !cell_is_equal(&draw->frame[i + 1], &draw->shown[i + 1]);

		if (draw->shown[i].cell.width == 2 && is_changed) {
			draw->shown[i].cell.text_len = 0;
			draw->shown[i + 1].cell.text_len = 0;
			draw->shown[i + 1].cell.width = 3; // equal to nothing
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

		if (draw->is_unknown || !have->is_visible || have->shape != want->shape ||
		    have->is_blinking != want->is_blinking) {
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

void bh_draw_flush(struct bh_draw *draw, struct bh_buf *out)
{
	static const char begin[] = "\x1b[?2026h";
	struct bh_buf frame = {0};

	// The cursor stays where the last flush left it; but a person's terminal may have moved it
	// at the right edge, and then at_row says so.
	draw->pen = (struct draw_cell){.cell = blank};
	if (draw->is_unknown) {
		bh_buf_puts(&frame, "\x1b[0m\x1b[H\x1b[2J");
		draw->at_row = 0;
		draw->at_col = 0;
		cells_blank(draw->shown, draw_size(draw));
	}
	spoil_halves(draw);
	for (int row = 0; row < draw->settings.rows; row++) {
		flush_row(draw, &frame, row);
	}
	put_pen(draw, &frame, &(struct draw_cell){.cell = blank});
	flush_cursor(draw, &frame);
	memcpy(draw->shown, draw->frame, draw_size(draw) * sizeof(*draw->shown));
	draw->is_unknown = false;
	if (frame.len > 0) {
		bh_buf_puts(out, begin);
		bh_buf_append(out, frame.data, frame.len);
		bh_buf_puts(out, "\x1b[?2026l");
	}
	bh_buf_clear(&frame);
}
