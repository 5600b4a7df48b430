#include "term/print.h"

#include "term/codepoint.h"
#include "term/width.h"

#include <string.h>

// Text goes to the grid without a detour; libvterm never sees a glyph. A run of ASCII is written a
// line at a time (print_run), which is what most output is made of. All else goes glyph by glyph:
// other charsets, insert mode, no autowrap, characters above ASCII.
//
// Where a program believes the cursor to be depends on the widths that it believes in, and there are
// two beliefs. Most count code points: each takes its own columns, marks take none and join the glyph
// to the left, wherever that came from. Programs that asked for mode 2027 count grapheme clusters:
// there a character may also join the glyph that was printed just before it (is_joinable), and may
// make it wider. A glyph must be one that printing can make in one of the two ways, or a repaint
// could not make it again; a mark that would break this is dropped (append_to).

/** DEC special graphics, 0x5F..0x7E. */
static const uint16_t dec_graphics[] = {
	0x00A0, 0x25C6, 0x2592, 0x2409, 0x240C, 0x240D, 0x240A, 0x00B0, 0x00B1, 0x2424, 0x240B,
	0x2518, 0x2510, 0x250C, 0x2514, 0x253C, 0x23BA, 0x23BB, 0x2500, 0x23BC, 0x23BD, 0x251C,
	0x2524, 0x2534, 0x252C, 0x2502, 0x2264, 0x2265, 0x03C0, 0x2260, 0x00A3, 0x00B7,
};

/** Most code points of a cluster. */
#define CLUSTER_MAX 16

static uint32_t charset_map(char set, uint32_t byte)
{
	if (set == '0' && byte >= 0x5F && byte <= 0x7E) {
		return dec_graphics[byte - 0x5F];
	}
	if (set == 'A' && byte == '#') {
		return 0x00A3;
	}
	return byte;
}

const char *bh_print_cell_text(const struct bh_glyphs *glyphs, const struct bh_grid_cell *cell,
                               char buffer[4], size_t *len_out)
{
	if ((cell->attrs & BH_GRID_TAIL) != 0) {
		*len_out = 0;
		return "";
	}
	if (cell->glyph == 0) {
		*len_out = 1;
		return " ";
	}
	if ((cell->glyph & BH_GLYPH_CLUSTER) != 0) {
		return bh_glyphs_text(glyphs, cell->glyph, len_out);
	}
	*len_out = bh_codepoint_encode(cell->glyph, buffer);
	return buffer;
}

bool bh_print_is_possible(const char *text, size_t len, int width, bool *is_cluster_out)
{
	if (bh_width_marked(text, len) == width) {
		*is_cluster_out = false;
		return true;
	}
	*is_cluster_out = true;
	return bh_width_cluster(text, len) == width && bh_width_is_cluster(text, len);
}

/** The line is full: go to the start of the next one. */
static void print_wrap(struct bh_screen *s)
{
	int row = s->row;
	bool has_sides = bh_state_has(s, BH_SCREEN_MODE_LEFT_RIGHT);

	s->is_wrap_pending = false;
	// Scrolling moves the row that we leave up by one, with its mark.
	s->grid->row[row]->is_wrapped = !has_sides && (row < s->rows - 1 || row == s->bottom - 1);
	if (!bh_state_linefeed(s)) {
		s->grid->row[row]->is_wrapped = false;
	}
	s->col = s->left;
}

/** Make sure that @width columns are free at the cursor; false: it cannot be shown here. */
static bool print_make_room(struct bh_screen *s, int width)
{
	bool wraps = bh_state_has(s, BH_SCREEN_MODE_AUTOWRAP);

	if (s->is_wrap_pending && wraps) {
		print_wrap(s);
	}
	s->is_wrap_pending = false;
	if (s->col + width > bh_state_limit(s)) {
		if (!wraps) {
			return false;
		}
		print_wrap(s);
	}
	return true;
}

static void print_advance(struct bh_screen *s, int width)
{
	int limit = bh_state_limit(s);

	s->is_joinable = bh_state_has(s, BH_SCREEN_MODE_GRAPHEMES);
	if (s->col + width < limit) {
		s->col += width;
		return;
	}
	s->col = limit - 1;
	s->is_wrap_pending = bh_state_has(s, BH_SCREEN_MODE_AUTOWRAP);
	s->is_joinable = s->is_joinable && s->is_wrap_pending;
}

static void print_shift(struct bh_screen *s, int width)
{
	if (bh_state_has(s, BH_SCREEN_MODE_INSERT)) {
		bh_grid_scroll(s->grid,
		               (struct bh_rect){s->row, s->col, s->row + 1, bh_state_limit(s)}, 0,
		               -width, s->pen.bg);
	}
}

/** Write a glyph of @width columns at @col of the cursor's row. */
static void print_put(struct bh_screen *s, int col, uint32_t glyph, int width)
{
	struct bh_grid_row *row = s->grid->row[s->row];
	struct bh_grid_cell cell = {
		.glyph = glyph,
		.fg = s->pen.fg,
		.bg = s->pen.bg,
		.attrs = s->pen.attrs,
		.extra = s->pen.extra,
	};

	bh_grid_cut(row, s->cols, col, col + width);
	if (width == 2) {
		row->cells[col + 1] = cell;
		row->cells[col + 1].glyph = 0;
		row->cells[col + 1].attrs |= BH_GRID_TAIL;
		cell.attrs |= BH_GRID_WIDE;
	}
	row->cells[col] = cell;
	if (row->used < col + width) {
		row->used = col + width;
	}
}

static void print_glyph(struct bh_screen *s, uint32_t glyph, int width)
{
	if (!print_make_room(s, width)) {
		return;
	}
	print_shift(s, width);
	print_put(s, s->col, glyph, width);
	print_advance(s, width);
}

/** The column of the glyph that stands before the cursor, or -1. */
static int column_before(const struct bh_screen *s)
{
	int col = s->is_wrap_pending ? s->col : s->col - 1;

	if (col > 0 && (s->grid->row[s->row]->cells[col].attrs & BH_GRID_TAIL) != 0) {
		col--;
	}
	return col;
}

/** The glyph at @col becomes a wide one. */
static void widen(struct bh_screen *s, int col)
{
	struct bh_grid_row *row = s->grid->row[s->row];

	bh_grid_cut(row, s->cols, col + 1, col + 2);
	row->cells[col].attrs |= BH_GRID_WIDE;
	row->cells[col + 1] = row->cells[col];
	row->cells[col + 1].glyph = 0;
	row->cells[col + 1].attrs ^= BH_GRID_WIDE_MASK;
	row->used = row->used < col + 2 ? col + 2 : row->used;
	s->col = col + 1;
	s->is_wrap_pending = false;
	print_advance(s, 1);
}

static int count_codepoints(const char *text, size_t len)
{
	int count = 0;

	for (size_t i = 0; i < len; i++) {
		count += (text[i] & 0xC0) != 0x80;
	}
	return count;
}

/** Add @cp to the glyph at @col, if a glyph like that can be. */
static void append_to(struct bh_screen *s, int col, uint32_t cp, bool may_widen)
{
	struct bh_grid_row *row = s->grid->row[s->row];
	struct bh_grid_cell *cell = &row->cells[col];
	int width = (cell->attrs & BH_GRID_WIDE) != 0 ? 2 : 1;
	char text[BH_CELL_TEXT + 4];
	char buffer[4];
	size_t len;
	bool is_cluster;

	const char *old = bh_print_cell_text(&s->glyphs, cell, buffer, &len);

	memcpy(text, old, len);
	size_t total = len + bh_codepoint_encode(cp, text + len);

	if (total >= BH_CELL_TEXT || count_codepoints(text, total) > CLUSTER_MAX) {
		return;
	}
	bool widens = may_widen && width == 1 && col + 1 < bh_state_limit(s) &&
	              !s->is_wrap_pending && bh_width_cluster(text, total) == 2;

	if (!bh_print_is_possible(text, total, widens ? 2 : width, &is_cluster)) {
		return;
	}
	cell->glyph = bh_glyphs_cluster(&s->glyphs, text, total);
	row->is_seen = false;
	row->used = row->used < col + width ? col + width : row->used;
	if (widens) {
		widen(s, col);
	}
}

/** Does @cp belong to the glyph before the cursor? Then it is added there. */
static bool print_join(struct bh_screen *s, uint32_t cp, int width)
{
	int col = column_before(s);
	char buffer[4];
	size_t len;

	if (s->is_joinable) {
		const char *text = bh_print_cell_text(&s->glyphs, &s->grid->row[s->row]->cells[col],
		                                      buffer, &len);

		if (bh_width_continues(text, len, cp)) {
			append_to(s, col, cp, true);
			return true;
		}
	}
	if (width > 0) {
		return false;
	}
	if (col >= 0) {
		append_to(s, col, cp, false);
	}
	return true;
}

void bh_print_codepoint(struct bh_screen *s, uint32_t cp)
{
	int width = bh_width_codepoint(cp);

	if (width < 0) {
		return;
	}
	s->changes |= BH_SCREEN_CHANGED_CELLS | BH_SCREEN_CHANGED_CURSOR;
	s->charsets.single = 0;
	// Below U+0300 nothing joins to anything, but in front of some marks.
	if ((width == 0 || s->is_joinable) && print_join(s, cp, width)) {
		return;
	}
	print_glyph(s, cp == ' ' ? 0 : cp, width);
}

static void print_mapped(struct bh_screen *s, uint8_t byte)
{
	uint8_t which = s->charsets.single != 0 ? s->charsets.single : s->charsets.left;
	uint32_t cp = charset_map(s->charsets.set[which], byte);

	s->charsets.single = 0;
	if (s->is_joinable && print_join(s, cp, 1)) {
		return;
	}
	print_glyph(s, cp == ' ' ? 0 : cp, 1);
}

/** Write @len bytes that fit into the line. */
static void print_run(struct bh_screen *s, const char *text, int len)
{
	struct bh_grid_row *row = s->grid->row[s->row];
	struct bh_grid_cell *cells = &row->cells[s->col];
	struct bh_grid_cell cell = {
		.fg = s->pen.fg,
		.bg = s->pen.bg,
		.attrs = s->pen.attrs,
		.extra = s->pen.extra,
	};

	bh_grid_cut(row, s->cols, s->col, s->col + len);
	for (int i = 0; i < len; i++) {
		cell.glyph = text[i] == ' ' ? 0 : (uint8_t)text[i];
		cells[i] = cell;
	}
	if (row->used < s->col + len) {
		row->used = s->col + len;
	}
	print_advance(s, len);
}

static bool is_plain(const struct bh_screen *s)
{
	return s->charsets.single == 0 && s->charsets.set[s->charsets.left] == 'B' &&
	       !bh_state_has(s, BH_SCREEN_MODE_INSERT) &&
	       bh_state_has(s, BH_SCREEN_MODE_AUTOWRAP) && !s->is_joinable;
}

void bh_print_ascii(struct bh_screen *s, const char *text, size_t len)
{
	s->changes |= BH_SCREEN_CHANGED_CELLS | BH_SCREEN_CHANGED_CURSOR;
	while (len > 0) {
		// The first byte may join to a glyph, or a single shift end with it.
		if (!is_plain(s)) {
			print_mapped(s, (uint8_t)*text++);
			len--;
			s->is_joinable = s->is_joinable && len == 0;
			continue;
		}
		if (s->is_wrap_pending) {
			print_wrap(s);
		}
		size_t room = (size_t)(bh_state_limit(s) - s->col);
		size_t run = len < room ? len : room;

		print_run(s, text, (int)run);
		text += run;
		len -= run;
		s->is_joinable = s->is_joinable && len == 0;
	}
}

void bh_print_repeat(struct bh_screen *s, int count)
{
	int col = column_before(s);

	if (col < 0) {
		return;
	}
	struct bh_grid_cell cell = s->grid->row[s->row]->cells[col];
	int width = (cell.attrs & BH_GRID_WIDE) != 0 ? 2 : 1;
	// It wraps like text does; more than a screenful would only scroll the same rows on.
	int most = s->cols * s->rows / width;

	s->changes |= BH_SCREEN_CHANGED_CELLS | BH_SCREEN_CHANGED_CURSOR;
	for (int i = 0; i < count && i < most; i++) {
		print_glyph(s, cell.glyph, width);
	}
	s->is_joinable = false;
}
