#include "term/print.h"
#include "term/screen.h"
#include "term/state.h"

#include <string.h>

// A blank cell reads as a space, the right half of a wide glyph as nothing. Trailing blanks are cut
// whatever their colours; for people a coloured bar is no text.

/** Bytes with a limit, cut only between glyphs; `out` NULL: as many as come, in `grows`. */
struct writer {
	char *out;
	size_t size, len;
	bool is_full;
};

static void writer_add(struct writer *writer, const char *text, size_t len)
{
	if (writer->is_full || writer->len + len >= writer->size) {
		writer->is_full = true;
		return;
	}
	memcpy(writer->out + writer->len, text, len);
	writer->len += len;
}

static size_t writer_end(struct writer *writer)
{
	if (writer->size > 0) {
		writer->out[writer->len] = '\0';
	}
	return writer->len;
}

/** Columns up to the last glyph that is not a blank, whatever its colours. */
static int text_length(const struct bh_grid_row *row)
{
	int length = row->used;

	while (length > 0 && row->cells[length - 1].glyph == 0 &&
	       (row->cells[length - 1].attrs & BH_GRID_TAIL) == 0) {
		length--;
	}
	return length;
}

// NOLINTNEXTLINE(readability-non-const-parameter): the writer writes there
size_t bh_screen_row_text(const struct bh_screen *s, int row, char *out, size_t size)
{
	struct writer writer = {.out = out, .size = size};
	char buffer[4];
	size_t len;

	if (row >= 0 && row < s->rows) {
		const struct bh_grid_row *cells = s->grid->row[row];
		int length = text_length(cells);

		for (int c = 0; c < length; c++) {
			const char *text =
				bh_print_cell_text(&s->glyphs, &cells->cells[c], buffer, &len);

			writer_add(&writer, text, len);
		}
	}
	return writer_end(&writer);
}

bool bh_screen_is_wrapped(const struct bh_screen *s, int row)
{
	return row >= 0 && row < s->rows && s->grid->row[row]->is_wrapped;
}

struct bh_cell bh_screen_cell(const struct bh_screen *s, int row, int col)
{
	struct bh_cell out = {.text = " ", .text_len = 1, .width = 1};
	char buffer[4];
	size_t len;

	if (row < 0 || row >= s->rows || col < 0 || col >= s->cols) {
		return out;
	}
	const struct bh_grid_cell *cell = &s->grid->row[row]->cells[col];
	const char *text = bh_print_cell_text(&s->glyphs, cell, buffer, &len);

	memcpy(out.text, text, len);
	out.text[len] = '\0';
	out.text_len = (uint8_t)len;
	out.width = (cell->attrs & BH_GRID_WIDE) != 0 ? 2 : len == 0 ? 0 : 1;
	out.attrs = cell->attrs & (uint16_t)~BH_GRID_WIDE_MASK;
	out.fg = cell->fg;
	out.bg = cell->bg;
	out.underline_color = bh_glyphs_underline_color(&s->glyphs, cell->extra);
	out.link = bh_glyphs_link(&s->glyphs, cell->extra);
	return out;
}

int bh_screen_row_used(const struct bh_screen *s, int row)
{
	return row >= 0 && row < s->rows ? s->grid->row[row]->used : 0;
}

bool bh_screen_is_new(const struct bh_screen *s, int row)
{
	return row >= 0 && row < s->rows && bh_grid_is_new(s->grid, row);
}

void bh_screen_see(struct bh_screen *s)
{
	bh_grid_see(s->grid);
}

void bh_screen_briefs(const struct bh_screen *s, int row, int col, struct bh_cell_brief *out,
                      int count)
{
	static const struct bh_cell_brief blank = {.code = ' ', .width = 1};

	for (int i = 0; i < count; i++, col++) {
		if (row < 0 || row >= s->rows || col < 0 || col >= s->cols) {
			out[i] = blank;
			continue;
		}
		const struct bh_grid_cell *cell = &s->grid->row[row]->cells[col];
		bool is_tail = (cell->attrs & BH_GRID_TAIL) != 0;

		out[i].code = is_tail ? 0 : cell->glyph == 0 ? ' ' : cell->glyph;
		out[i].fg = cell->fg;
		out[i].bg = cell->bg;
		out[i].attrs = cell->attrs & (uint16_t)~BH_GRID_WIDE_MASK;
		out[i].width = is_tail ? 0 : (cell->attrs & BH_GRID_WIDE) != 0 ? 2 : 1;
		out[i].has_more = cell->extra != 0 || (cell->glyph & BH_GLYPH_CLUSTER) != 0;
	}
}

static int last_text_row(const struct bh_screen *s)
{
	int last = s->rows - 1;

	while (last >= 0 && text_length(s->grid->row[last]) == 0) {
		last--;
	}
	return last;
}

static void add_text(const struct bh_screen *s, const struct bh_grid_cell *cell,
                     struct bh_bytes *out)
{
	char buffer[4];
	size_t len;
	const char *text = bh_print_cell_text(&s->glyphs, cell, buffer, &len);

	bh_bytes_add(out, text, len);
}

char *bh_screen_text(const struct bh_screen *s, size_t *len_out)
{
	struct bh_bytes out = {0};
	int last = last_text_row(s);

	for (int r = 0; r <= last; r++) {
		const struct bh_grid_row *row = s->grid->row[r];
		int length = text_length(row);

		for (int c = 0; c < length; c++) {
			add_text(s, &row->cells[c], &out);
		}
		bh_bytes_add_byte(&out, '\n');
	}
	return bh_bytes_detach(&out, len_out);
}

static void add_pen(const struct bh_screen *s, const struct bh_grid_cell *cell,
                    struct bh_bytes *out)
{
	struct bh_pen pen = {
		.fg = cell->fg,
		.bg = cell->bg,
		.underline_color = bh_glyphs_underline_color(&s->glyphs, cell->extra),
		.attrs = cell->attrs,
	};

	bh_bytes_puts(out, "\x1B[");
	bh_pen_write(&pen, out);
	bh_bytes_puts(out, "m");
}

static bool same_pen(const struct bh_grid_cell *a, const struct bh_grid_cell *b)
{
	return ((a->attrs ^ b->attrs) & ~BH_GRID_WIDE_MASK) == 0 && a->fg == b->fg &&
	       a->bg == b->bg && a->extra == b->extra;
}

char *bh_screen_ansi(const struct bh_screen *s, size_t *len_out)
{
	struct bh_bytes out = {0};
	const struct bh_grid_cell plain = {0};
	int last = s->rows - 1;

	while (last >= 0 && bh_grid_row_length(s->grid->row[last]) == 0) {
		last--;
	}
	for (int r = 0; r <= last; r++) {
		const struct bh_grid_row *row = s->grid->row[r];
		const struct bh_grid_cell *pen = &plain;
		// Blanks at the end of a row whose line goes on are part of the line.
		int length = row->is_wrapped ? row->used : bh_grid_row_length(row);

		for (int c = 0; c < length; c++) {
			if (!same_pen(pen, &row->cells[c])) {
				pen = &row->cells[c];
				add_pen(s, pen, &out);
			}
			add_text(s, &row->cells[c], &out);
		}
		bh_bytes_puts(&out, same_pen(pen, &plain) ? "\n" : "\x1B[0m\n");
	}
	return bh_bytes_detach(&out, len_out);
}

// NOLINTNEXTLINE(readability-non-const-parameter): the writer writes there
size_t bh_screen_history_text(const struct bh_screen *s, uint64_t id, char *out, size_t size)
{
	struct writer writer = {.out = out, .size = size};
	struct bh_history_reader reader;
	const struct bh_history_cell *cell;
	size_t kept = 0;

	if (bh_history_read(&s->history, id, &reader)) {
		while ((cell = bh_history_next(&reader)) != NULL) {
			writer_add(&writer, cell->text, cell->len);
			if (!writer.is_full && (cell->len != 1 || cell->text[0] != ' ')) {
				kept = writer.len;
			}
		}
		writer.len = kept;
	}
	return writer_end(&writer);
}

static bool same_history_pen(const struct bh_pen *a, const struct bh_pen *b)
{
	return ((a->attrs ^ b->attrs) & ~BH_GRID_WIDE_MASK) == 0 && a->fg == b->fg &&
	       a->bg == b->bg && a->underline_color == b->underline_color;
}

char *bh_screen_history_ansi(const struct bh_screen *s, uint64_t id, size_t *len_out)
{
	struct bh_bytes out = {0};
	const struct bh_pen plain = {0};
	struct bh_pen pen = plain;
	struct bh_history_reader reader;
	const struct bh_history_cell *cell = NULL;
	bool is_there = bh_history_read(&s->history, id, &reader);

	while (is_there && (cell = bh_history_next(&reader)) != NULL) {
		const struct bh_pen next = {
			.fg = cell->fg,
			.bg = cell->bg,
			.underline_color = cell->underline_color,
			.attrs = cell->attrs,
		};

		if (!same_history_pen(&pen, &next)) {
			pen = next;
			bh_bytes_puts(&out, "\x1B[");
			bh_pen_write(&pen, &out);
			bh_bytes_puts(&out, "m");
		}
		bh_bytes_add(&out, cell->text, cell->len);
	}
	bh_bytes_puts(&out, same_history_pen(&pen, &plain) ? "" : "\x1B[0m");
	return bh_bytes_detach(&out, len_out);
}

static struct bh_cell cell_of_history(const struct bh_history_cell *from)
{
	struct bh_cell cell = {
		.text_len = (uint8_t)from->len,
		.width = (uint8_t)from->width,
		.attrs = from->attrs,
		.fg = from->fg,
		.bg = from->bg,
		.underline_color = from->underline_color,
		.link = from->link,
	};

	memcpy(cell.text, from->text, from->len);
	return cell;
}

int bh_screen_history_cells(const struct bh_screen *s, uint64_t id, struct bh_cell *out, int max)
{
	struct bh_history_reader reader;
	const struct bh_history_cell *from;
	int count = 0;

	if (!bh_history_read(&s->history, id, &reader)) {
		return 0;
	}
	while ((from = bh_history_next(&reader)) != NULL) {
		struct bh_cell cell = cell_of_history(from);

		for (int half = 0; half < from->width; half++, count++) {
			if (count < max) {
				out[count] = cell;
			}
			// The right half of a wide glyph looks the same, without the glyph.
			cell.text[0] = '\0';
			cell.text_len = 0;
			cell.width = 0;
		}
	}
	return count;
}
