#include "term/mode.h"
#include "term/print.h"
#include "term/screen.h"
#include "term/state.h"
#include "term/status.h"

#include "term/label.h"

#include <string.h>

// The order is what makes this work; each step must find the terminal as the next ones need it.
// 1. History, if wanted: printed from the top of the blank screen and pushed out by line feeds.
// 2. Keyboard stack and saved cursor of the main screen, while everything is blank: a saved cursor
//    with a pending wrap needs a glyph printed under it, which the content then replaces.
// 3. The content, with whole-screen margins, autowrap on and insert mode off. Only rows with content
//    are visited. A row that was wrapped is printed to its end, and the next follows by wrapping.
// 4. The same for the alternate screen when it is shown. When not, it has no content, but what it left
//    behind (its saved cursor and keyboard) is restored by going there and back.
// 5. Everything that does not touch the cursor: tab stops, titles, colours, reports, plain modes.
// 6. Margins and origin mode, which move the cursor, then the cursor itself. A pending wrap and a
//    glyph that may still grow are states which only printing makes: the last glyph is printed again.
// 7. The pen and the charsets as they are now, and the modes that would have disturbed the above.
// 8. The beginning of the unfinished sequence; what comes next continues it.
//
// Glyphs made by clusters (mode 2027) are printed each inside that mode, all others outside of it, so
// that a glyph never joins its neighbour.

/** One glyph to be painted. */
struct glyph {
	const char *text;
	size_t len;
	int width;
	struct bh_pen pen; // `extra` is not looked at
	const char *link, *link_id;
};

/** What is left out, each with all before it, of a screen that would take too many bytes. Hostile
 * output can make every cell cost two kilobytes. */
enum thrift {
	THRIFT_NONE,
	THRIFT_HISTORY,
	THRIFT_LINKS,
	THRIFT_LOOKS,
	THRIFT_CONTENT,
};

/** What the terminal that reads the bytes has been brought to so far. */
struct painter {
	const struct bh_screen *s;
	struct bh_bytes out;
	struct bh_pen pen;
	const char *link, *link_id; // link NULL: none
	struct bh_charsets charsets;
	enum thrift thrift;
	size_t max; // bytes of `out`
};

static bool is_over(const struct painter *p)
{
	return p->out.len > p->max;
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

static void paint_pen(struct painter *p, const struct bh_pen *pen)
{
	const uint16_t protection = BH_ATTR_PROTECTED;

	if (((p->pen.attrs ^ pen->attrs) & protection) != 0) {
		bh_bytes_puts(&p->out, (pen->attrs & protection) != 0 ? "\x1B[1\"q" : "\x1B[0\"q");
	}
	if (((p->pen.attrs ^ pen->attrs) & ~protection) != 0 || p->pen.fg != pen->fg ||
	    p->pen.bg != pen->bg || p->pen.underline_color != pen->underline_color) {
		bh_bytes_puts(&p->out, "\x1B[");
		bh_pen_write(pen, &p->out);
		bh_bytes_puts(&p->out, "m");
	}
	p->pen = *pen;
}

static void paint_link(struct painter *p, const char *link, const char *link_id)
{
	if (same_text(link, p->link) && same_text(link_id, p->link_id)) {
		return;
	}
	if (link == NULL) {
		bh_bytes_puts(&p->out, "\x1B]8;;\x1B\\");
	} else if (link_id != NULL && link_id[0] != '\0') {
		bh_bytes_printf(&p->out, "\x1B]8;id=%s;%s\x1B\\", link_id, link);
	} else {
		bh_bytes_printf(&p->out, "\x1B]8;;%s\x1B\\", link);
	}
	p->link = link;
	p->link_id = link_id;
}

/** The pen of the screen, or a saved one. */
static void paint_whole_pen(struct painter *p, const struct bh_pen *pen)
{
	paint_pen(p, pen);
	paint_link(p, bh_glyphs_link(&p->s->glyphs, pen->extra),
	           pen->extra != 0 ? bh_glyphs_link_id(&p->s->glyphs, pen->extra) : "");
}

static void paint_glyph(struct painter *p, const struct glyph *glyph)
{
	bool is_cluster = false;

	paint_pen(p, &glyph->pen);
	paint_link(p, glyph->link, glyph->link_id);
	if (glyph->len > 1) {
		// Every glyph of a grid was made in one of the two ways.
		(void)bh_print_is_possible(glyph->text, glyph->len, glyph->width, &is_cluster);
	}
	if (is_cluster) {
		bh_bytes_puts(&p->out, "\x1B[?2027h");
	}
	bh_bytes_add(&p->out, glyph->text, glyph->len);
	if (is_cluster) {
		bh_bytes_puts(&p->out, "\x1B[?2027l");
	}
}

static struct glyph glyph_of(const struct painter *p, const struct bh_grid_cell *cell,
                             char buffer[4])
{
	const struct bh_glyphs *glyphs = &p->s->glyphs;
	struct glyph glyph = {
		.width = (cell->attrs & BH_GRID_WIDE) != 0 ? 2 : 1,
		.pen = {.fg = cell->fg,
	                .bg = cell->bg,
	                .underline_color = bh_glyphs_underline_color(glyphs, cell->extra),
	                .attrs = cell->attrs & (uint16_t)~BH_GRID_WIDE_MASK},
		.link = bh_glyphs_link(glyphs, cell->extra),
		.link_id = bh_glyphs_link_id(glyphs, cell->extra),
	};

	if (p->thrift >= THRIFT_LINKS) {
		glyph.link = NULL;
		glyph.link_id = "";
	}
	if (p->thrift >= THRIFT_LOOKS) {
		glyph.pen = (struct bh_pen){0};
	}
	glyph.text = bh_print_cell_text(glyphs, cell, buffer, &glyph.len);
	return glyph;
}

/** Whether @cell is a letter that looks as what was painted last: most are, and a checkpoint of a
 * flooding terminal is made often. */
static bool is_plain_next(const struct painter *p, const struct bh_grid_cell *cell)
{
	return cell->glyph - 0x20 < 0x5F && cell->extra == 0 && p->link == NULL &&
	       cell->attrs == p->pen.attrs && cell->fg == p->pen.fg && cell->bg == p->pen.bg &&
	       p->pen.underline_color == 0 && p->thrift < THRIFT_LOOKS;
}

static void paint_cell(struct painter *p, const struct bh_grid_cell *cell)
{
	char buffer[4];
	struct glyph glyph;

	if (is_plain_next(p, cell)) {
		buffer[0] = (char)cell->glyph;
		bh_bytes_add(&p->out, buffer, 1);
		return;
	}
	glyph = glyph_of(p, cell, buffer);
	if (glyph.len > 0) {
		paint_glyph(p, &glyph);
	}
}

/** Rows of a grid that is blank now. A wrapped row is filled to its end and the next one follows
 * without a word, so that the mark is made again. */
static void paint_grid(struct painter *p, const struct bh_grid *grid)
{
	bool continues = false;

	for (int r = 0; r < grid->rows && !is_over(p); r++) {
		const struct bh_grid_row *row = grid->row[r];
		int length = row->is_wrapped ? grid->cols : bh_grid_row_length(row);

		if (continues && length == 0) {
			length = 1;
		}
		if (!continues && length > 0) {
			bh_bytes_printf(&p->out, "\x1B[%d;1H", r + 1);
		}
		for (int c = 0; c < length; c++) {
			paint_cell(p, &row->cells[c]);
		}
		continues = row->is_wrapped;
	}
}

static void paint_charsets(struct painter *p, const struct bh_charsets *charsets)
{
	static const char *const shifts[4] = {"\x0F", "\x0E", "\x1Bn", "\x1Bo"};

	for (int i = 0; i < 4; i++) {
		if (charsets->set[i] != p->charsets.set[i]) {
			bh_bytes_printf(&p->out, "\x1B%c%c", "()*+"[i], charsets -> set[i]);
		}
	}
	if (charsets->left != p->charsets.left) {
		bh_bytes_puts(&p->out, shifts[charsets->left]);
	}
	p->charsets = *charsets;
}

static void paint_kitty(struct painter *p, const struct bh_kitty *kitty)
{
	unsigned base = kitty->depth > 0 ? kitty->stack[0] : kitty->flags;

	if (base != 0) {
		bh_bytes_printf(&p->out, "\x1B[=%u;1u", base);
	}
	for (int i = 1; i <= kitty->depth; i++) {
		bh_bytes_printf(&p->out, "\x1B[>%uu",
		                (unsigned)(i < kitty->depth ? kitty->stack[i] : kitty->flags));
	}
}

/** Put the terminal into the saved state, save it, come back. All is blank yet, the margins are
 * the whole screen. */
static void paint_saved(struct painter *p, const struct bh_saved_cursor *saved)
{
	const struct bh_charsets plain = {.set = {'B', 'B', 'B', 'B'}};

	if (saved->is_origin) {
		bh_bytes_puts(&p->out, "\x1B[?6h");
	}
	bh_bytes_printf(&p->out, "\x1B[%d;%dH", saved->row + 1, saved->col + 1);
	if (saved->is_wrap_pending) {
		bh_bytes_puts(&p->out, " ");
	}
	paint_whole_pen(p, &saved->pen);
	paint_charsets(p, &saved->charsets);
	bh_bytes_puts(&p->out, "\x1B"
	                       "7");
	if (saved->is_origin) {
		bh_bytes_puts(&p->out, "\x1B[?6l");
	}
	paint_whole_pen(p, &(struct bh_pen){0});
	paint_charsets(p, &plain);
}

static bool saved_is_default(const struct bh_saved_cursor *saved)
{
	return saved->row == 0 && saved->col == 0 && !saved->is_origin && !saved->is_wrap_pending &&
	       saved->pen.fg == 0 && saved->pen.bg == 0 && saved->pen.attrs == 0 &&
	       saved->pen.extra == 0 && saved->charsets.left == 0 &&
	       memcmp(saved->charsets.set, "BBBB", 4) == 0;
}

static void paint_one_screen(struct painter *p, const struct bh_grid *grid, int which)
{
	paint_kitty(p, &p->s->kitty[which]);
	if (!saved_is_default(&p->s->saved[which])) {
		paint_saved(p, &p->s->saved[which]);
	}
	if (p->thrift < THRIFT_CONTENT) {
		paint_grid(p, grid);
	}
}

static void paint_tabs(struct painter *p)
{
	const struct bh_screen *s = p->s;
	bool is_default = true;

	for (int c = 0; c < s->cols; c++) {
		is_default = is_default && s->tabs[c] == (c % 8 == 0);
	}
	if (is_default) {
		return;
	}
	bh_bytes_puts(&p->out, "\x1B[3g");
	for (int c = 0; c < s->cols; c++) {
		if (s->tabs[c]) {
			bh_bytes_printf(&p->out, "\x1B[%dG\x1BH", c + 1);
		}
	}
}

static void paint_titles(struct painter *p, const struct bh_titles *titles)
{
	bh_bytes_printf(&p->out, "\x1B]2;%s\x1B\\", titles->title != NULL ? titles->title : "");
	bh_bytes_printf(&p->out, "\x1B]1;%s\x1B\\", titles->icon != NULL ? titles->icon : "");
}

static void paint_all_titles(struct painter *p)
{
	const struct bh_screen *s = p->s;

	for (int i = 0; i < s->pushed_count; i++) {
		paint_titles(p, &s->pushed[i]);
		bh_bytes_puts(&p->out, "\x1B[22;0t");
	}
	if (s->now.title != NULL || s->now.icon != NULL || s->pushed_count > 0) {
		paint_titles(p, &s->now);
	}
	if (s->cwd != NULL) {
		bh_bytes_printf(&p->out, "\x1B]7;%s\x1B\\", s->cwd);
	}
}

static void paint_palette(struct painter *p)
{
	for (int i = 0; p->s->palette != NULL && i < BH_STATE_COLORS; i++) {
		uint32_t color = p->s->palette[i];
		unsigned r = color >> 16 & 0xFF;
		unsigned g = color >> 8 & 0xFF;
		unsigned b = color & 0xFF;

		if (color == 0) {
			continue;
		}
		if (i < 256) {
			bh_bytes_printf(&p->out, "\x1B]4;%d;rgb:%02x/%02x/%02x\x1B\\", i, r, g, b);
		} else {
			bh_bytes_printf(&p->out, "\x1B]%d;rgb:%02x/%02x/%02x\x1B\\",
			                i - BH_STATE_COLOR_FG + 10, r, g, b);
		}
	}
}

static void paint_reports(struct painter *p)
{
	const struct bh_screen *s = p->s;

	bh_status_write(s, &p->out);
	if (s->progress.state != BH_PROGRESS_NONE || s->progress.percent != 0) {
		bh_bytes_printf(&p->out, "\x1B]9;4;%d;%d\x1B\\", (int)s->progress.state,
		                s->progress.percent);
	}
	if (s->prompt.mark != 0 && s->prompt.exit_code >= 0) {
		bh_bytes_printf(&p->out, "\x1B]133;%c;%d\x1B\\", s->prompt.mark,
		                s->prompt.exit_code);
	} else if (s->prompt.mark != 0) {
		bh_bytes_printf(&p->out, "\x1B]133;%c\x1B\\", s->prompt.mark);
	}
}

/** Modes that need a place of their own in the order of things. */
static bool is_special(enum bh_screen_mode mode)
{
	return mode == BH_SCREEN_MODE_ORIGIN || mode == BH_SCREEN_MODE_AUTOWRAP ||
	       mode == BH_SCREEN_MODE_LEFT_RIGHT || mode == BH_SCREEN_MODE_GRAPHEMES ||
	       mode == BH_SCREEN_MODE_SYNC_OUTPUT || mode == BH_SCREEN_MODE_CURSOR_BLINK;
}

static void paint_modes(struct painter *p)
{
	const struct bh_screen *s = p->s;
	bool blinks = bh_state_has(s, BH_SCREEN_MODE_CURSOR_BLINK);

	for (size_t i = 0; i < bh_mode_numbers_count; i++) {
		enum bh_screen_mode mode = bh_mode_numbers[i].mode;
		bool was_on = mode == BH_SCREEN_MODE_CURSOR_VISIBLE;

		if (!is_special(mode) && bh_state_has(s, mode) != was_on) {
			bh_bytes_printf(&p->out, "\x1B[?%d%c", bh_mode_numbers[i].number,
			                was_on ? 'l' : 'h');
		}
	}
	if (s->shape != BH_CURSOR_BLOCK || blinks) {
		bh_bytes_printf(&p->out, "\x1B[%d q", (int)s->shape * 2 - (blinks ? 1 : 0));
	}
	if (s->modify_other_keys != 0) {
		bh_bytes_printf(&p->out, "\x1B[>4;%dm", s->modify_other_keys);
	}
	if (bh_state_has(s, BH_SCREEN_MODE_NEWLINE)) {
		bh_bytes_puts(&p->out, "\x1B[20h");
	}
}

static void paint_margins(struct painter *p)
{
	const struct bh_screen *s = p->s;

	if (s->top != 0 || s->bottom != s->rows) {
		bh_bytes_printf(&p->out, "\x1B[%d;%dr", s->top + 1, s->bottom);
	}
	if (bh_state_has(s, BH_SCREEN_MODE_LEFT_RIGHT)) {
		bh_bytes_printf(&p->out, "\x1B[?69h\x1B[%d;%ds", s->left + 1, s->right);
	}
	if (bh_state_has(s, BH_SCREEN_MODE_ORIGIN)) {
		bh_bytes_puts(&p->out, "\x1B[?6h");
	}
}

/** Column of the glyph that must be printed once more, so that the cursor stands behind it in the
 * state that only printing makes; -1: none. */
static int column_to_reprint(const struct bh_screen *s)
{
	int col = s->is_wrap_pending ? s->col : s->col - 1;

	if (!s->is_wrap_pending && !s->is_joinable) {
		return -1;
	}
	if (col > 0 && (s->grid->row[s->row]->cells[col].attrs & BH_GRID_TAIL) != 0) {
		col--;
	}
	return col;
}

static void paint_cursor(struct painter *p)
{
	const struct bh_screen *s = p->s;
	bool is_origin = bh_state_has(s, BH_SCREEN_MODE_ORIGIN);
	int again = column_to_reprint(s);
	int row = s->row - (is_origin ? s->top : 0) + 1;
	int col = (again >= 0 ? again : s->col) - (is_origin ? s->left : 0) + 1;

	bh_bytes_printf(&p->out, "\x1B[%d;%dH", row, col);
	if (again < 0) {
		return;
	}
	const struct bh_grid_cell *cell = &s->grid->row[s->row]->cells[again];

	if (!s->is_joinable) {
		paint_cell(p, cell);
		return;
	}
	char buffer[4];
	struct glyph glyph = glyph_of(p, cell, buffer);

	paint_pen(p, &glyph.pen);
	paint_link(p, glyph.link, glyph.link_id);
	bh_bytes_puts(&p->out, "\x1B[?2027h");
	bh_bytes_add(&p->out, glyph.text, glyph.len);
}

/** What would disturb the painting of text, so it comes after it. */
static void paint_last(struct painter *p)
{
	const struct bh_screen *s = p->s;

	paint_whole_pen(p, &s->pen);
	paint_charsets(p, &s->charsets);
	if (bh_state_has(s, BH_SCREEN_MODE_GRAPHEMES) && !s->is_joinable) {
		bh_bytes_puts(&p->out, "\x1B[?2027h");
	}
	if (!bh_state_has(s, BH_SCREEN_MODE_AUTOWRAP)) {
		bh_bytes_puts(&p->out, "\x1B[?7l");
	}
	if (bh_state_has(s, BH_SCREEN_MODE_INSERT)) {
		bh_bytes_puts(&p->out, "\x1B[4h");
	}
	if (s->charsets.single != 0) {
		bh_bytes_puts(&p->out, s->charsets.single == 2 ? "\x1BN" : "\x1BO");
	}
	if (bh_state_has(s, BH_SCREEN_MODE_SYNC_OUTPUT)) {
		bh_bytes_puts(&p->out, "\x1B[?2026h");
	}
	bh_sieve_unfinished(&s->sieve, &p->out);
}

/** Print one row of history where the cursor stands and go to the next line. */
static void paint_history_row(struct painter *p, struct bh_history_reader *reader)
{
	const struct bh_history_cell *cell;
	int cols = 0;

	while ((cell = bh_history_next(reader)) != NULL) {
		struct glyph glyph = {
			.text = cell->text,
			.len = cell->len,
			.width = cell->width,
			.pen = {.fg = cell->fg,
		                .bg = cell->bg,
		                .underline_color = cell->underline_color,
		                .attrs = cell->attrs},
			.link = cell->link,
			.link_id = "",
		};

		paint_glyph(p, &glyph);
		cols += cell->width;
	}
	paint_whole_pen(p, &(struct bh_pen){0});
	if (!reader->is_wrapped || cols > p->s->cols) {
		bh_bytes_puts(&p->out, "\r\n");
		return;
	}
	for (; cols < p->s->cols; cols++) {
		bh_bytes_puts(&p->out, " ");
	}
}

static void paint_history(struct painter *p, size_t rows)
{
	const struct bh_history *history = &p->s->history;
	uint64_t first = bh_history_first(history);
	struct bh_history_reader reader = {0};

	if (rows < history->next_id - first) {
		first = history->next_id - rows;
	}
	if (first == history->next_id) {
		return;
	}
	for (uint64_t id = first; id < history->next_id && !is_over(p); id++) {
		if (bh_history_read(history, id, &reader)) {
			paint_history_row(p, &reader);
		}
	}
	if (reader.is_wrapped) {
		bh_bytes_puts(&p->out, " ");
	}
	// As many lines as bring the last of them above the top.
	for (int r = 1; r < p->s->rows; r++) {
		bh_bytes_puts(&p->out, "\n");
	}
}

static void paint_screen(struct painter *p, size_t history_rows)
{
	const struct bh_screen *s = p->s;

	if (p->thrift < THRIFT_HISTORY) {
		paint_history(p, history_rows);
	}
	paint_one_screen(p, &s->main, 0);
	if (s->grid == &s->alt) {
		paint_whole_pen(p, &(struct bh_pen){0});
		bh_bytes_puts(&p->out, "\x1B[?1047h");
		paint_one_screen(p, &s->alt, 1);
	} else if (!saved_is_default(&s->saved[1]) || s->kitty[1].flags != 0 ||
	           s->kitty[1].depth != 0) {
		// What the alternate screen left behind.
		bh_bytes_puts(&p->out, "\x1B[?1047h");
		paint_kitty(p, &s->kitty[1]);
		paint_saved(p, &s->saved[1]);
		bh_bytes_puts(&p->out, "\x1B[?1047l");
	}
	paint_whole_pen(p, &(struct bh_pen){0});
	paint_tabs(p);
	paint_all_titles(p);
	paint_palette(p);
	paint_reports(p);
	paint_modes(p);
	paint_margins(p);
	paint_cursor(p);
	paint_last(p);
}

char *bh_screen_repaint_within(const struct bh_screen *s, size_t history_rows, size_t max,
                               size_t *len_out)
{
	struct painter p = {0};

	for (int thrift = THRIFT_NONE; thrift <= THRIFT_CONTENT; thrift++) {
		bh_bytes_clear(&p.out);
		p = (struct painter){
			.s = s,
			.charsets = {.set = {'B', 'B', 'B', 'B'}},
			.thrift = (enum thrift)thrift,
			.max = max,
		};
		paint_screen(&p, history_rows);
		if (!is_over(&p)) {
			break;
		}
	}
	return bh_bytes_detach(&p.out, len_out);
}

char *bh_screen_repaint_history(const struct bh_screen *s, size_t history_rows, size_t *len_out)
{
	return bh_screen_repaint_within(s, history_rows, BH_SCREEN_REPAINT_MAX, len_out);
}

char *bh_screen_repaint(const struct bh_screen *s, size_t *len_out)
{
	return bh_screen_repaint_history(s, 0, len_out);
}
