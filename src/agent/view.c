#include "view.h"

#include "src/base/mem.h"
#include "term/screen.h"

#include <stdlib.h>
#include <string.h>

/** Room for @more bytes of text. */
static void view_reserve(struct bh_view *view, size_t more)
{
	if (view->len + more <= view->size) {
		return;
	}
	view->size = (view->len + more) * 2;
	view->text = bh_xrealloc(view->text, view->size, 1);
	view->ink = bh_xrealloc(view->ink, view->size, 1);
	view->col = bh_xrealloc(view->col, view->size, sizeof *view->col);
}

static void view_start(struct bh_view *view, int rows, int cols)
{
	if (rows > view->row_size) {
		view->rows = bh_xrealloc(view->rows, (size_t)rows, sizeof *view->rows);
		view->row_size = rows;
	}
	view->row_count = rows;
	view->cols = cols;
	view->len = 0;
}

static void view_put(struct bh_view *view, const char *text, size_t len, uint8_t ink, int col)
{
	view_reserve(view, len + 1);
	memcpy(view->text + view->len, text, len);
	memset(view->ink + view->len, ink, len);
	for (size_t i = 0; i < len; i++) {
		view->col[view->len + i] = (uint16_t)col;
	}
	view->len += len;
}

/** End the row that began at @start: cut its trailing blanks, add the LF. */
static void view_end_row(struct bh_view *view, int row, size_t start)
{
	while (view->len > start && view->ink[view->len - 1] & BH_INK_BLANK) {
		view->len--;
	}
	view->rows[row] = (struct bh_view_row){.start = start, .len = view->len - start};
	view_put(view, "\n", 1, BH_INK_BLANK, view->cols);
}

static uint8_t cell_ink(const struct bh_cell *cell)
{
	uint8_t ink = 0;

	ink |= cell->attrs & BH_ATTR_DIM ? BH_INK_DIM : 0;
	ink |= cell->attrs & BH_ATTR_BOLD ? BH_INK_BOLD : 0;
	ink |= cell->attrs & BH_ATTR_REVERSE ? BH_INK_REVERSE : 0;
	ink |= cell->fg != BH_COLOR_DEFAULT ? BH_INK_COLOURED : 0;
	return ink;
}

static void view_put_cell(struct bh_view *view, const struct bh_cell *cell, int col)
{
	// The right half of a wide glyph has no text. NBSP is a blank to the eye and to the rules.
	bool is_blank = cell->text_len == 0 || strcmp(cell->text, " ") == 0 ||
	                strcmp(cell->text, "\u00a0") == 0 || cell->attrs & BH_ATTR_CONCEAL;

	if (cell->width == 0) {
		return;
	}
	if (is_blank) {
		view_put(view, " ", 1, BH_INK_BLANK, col);
	} else {
		view_put(view, cell->text, cell->text_len, cell_ink(cell), col);
	}
}

void bh_view_take(struct bh_view *view, const struct bh_screen *screen)
{
	struct bh_cursor cursor = bh_screen_cursor(screen);
	int rows = bh_screen_rows(screen);

	view_start(view, rows, bh_screen_cols(screen));
	for (int row = 0; row < rows; row++) {
		int used = bh_screen_row_used(screen, row);
		size_t start = view->len;

		for (int col = 0; col < used; col++) {
			struct bh_cell cell = bh_screen_cell(screen, row, col);

			view_put_cell(view, &cell, col);
		}
		view_end_row(view, row, start);
	}
	view->cursor_row = cursor.row;
	view->cursor_col = cursor.col;
	view->is_cursor_shown = cursor.is_visible;
	view->is_alternate = bh_screen_mode(screen, BH_SCREEN_MODE_ALT_SCREEN);
	view->has_paste = bh_screen_mode(screen, BH_SCREEN_MODE_BRACKETED_PASTE);
	view->is_partial = bh_screen_mode(screen, BH_SCREEN_MODE_SYNC_OUTPUT);
	view->title = bh_screen_title(screen);
}

void bh_view_cut(struct bh_view *view, int cols)
{
	size_t out = 0;

	for (int row = 0; row < view->row_count; row++) {
		const struct bh_view_row old = view->rows[row];
		size_t start = out;

		for (size_t i = old.start; i < old.start + old.len && view->col[i] < cols; i++) {
			view->text[out] = view->text[i];
			view->ink[out] = view->ink[i];
			view->col[out++] = view->col[i];
		}
		// Never longer than before: the LF that ends the row has room.
		view->len = out;
		view_end_row(view, row, start);
		out = view->len;
	}
	view->cols = cols < view->cols ? cols : view->cols;
}

void bh_view_clear(struct bh_view *view)
{
	free(view->text);
	free(view->ink);
	free(view->col);
	free(view->rows);
	*view = (struct bh_view){0};
}

const char *bh_view_row_text(const struct bh_view *view, int row, size_t *len_out)
{
	if (row < 0 || row >= view->row_count) {
		*len_out = 0;
		return "";
	}
	*len_out = view->rows[row].len;
	return view->text + view->rows[row].start;
}

int bh_view_last_row(const struct bh_view *view)
{
	int row = view->row_count - 1;

	while (row >= 0 && view->rows[row].len == 0) {
		row--;
	}
	return row;
}
