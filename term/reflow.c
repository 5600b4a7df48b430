#include "term/reflow.h"

#include "term/mode.h"
#include "term/reply.h"

#include <stdlib.h>
#include <string.h>

// The main screen's rows are poured into rows of the new width, line by line, where a line is a row
// and those that it was wrapped into. Rows above what fits go to the history, as if they had been
// scrolled out; rows of the history are not touched, so their ids and texts are stable. The cursor
// keeps its place in the text. What the program drew with absolute positions is its own to draw
// again: it gets SIGWINCH.

/** Rows being built at the new width. */
struct sheet {
	int cols;
	struct bh_grid_row **rows;
	int count, cap;
	int cursor_row, cursor_col; // where the cursor has come to
};

/** A cursor that must keep its place in the text. */
struct cursor {
	int row, col;
};

static struct bh_grid_row *sheet_add(struct sheet *sheet)
{
	if (sheet->count == sheet->cap) {
		sheet->cap *= 2;
		sheet->rows =
			bh_bytes_realloc(sheet->rows, (size_t)sheet->cap * sizeof(sheet->rows[0]));
	}
	struct bh_grid_row *row = bh_grid_row_new(sheet->cols);

	sheet->rows[sheet->count++] = row;
	return row;
}

/** Where text goes next in the line that is being built. */
struct pour {
	struct sheet *sheet;
	struct bh_grid_row *row;
	int col;
};

static void pour_cell(struct pour *pour, const struct bh_grid_cell *cell)
{
	int width = (cell->attrs & BH_GRID_WIDE) != 0 ? 2 : 1;

	if (pour->col + width > pour->sheet->cols) {
		pour->row->is_wrapped = true;
		pour->row = sheet_add(pour->sheet);
		pour->col = 0;
	}
	memcpy(&pour->row->cells[pour->col], cell, (size_t)width * sizeof(*cell));
	pour->col += width;
	pour->row->used = pour->col;
}

/** Pour the first @length cells of @row; the cursor stands in it at @cursor_col, or does not (-1).
 */
static void pour_row(struct pour *pour, const struct bh_grid_row *row, int length, int cursor_col)
{
	for (int c = 0; c < length || c <= cursor_col; c++) {
		int back = 0;

		if (c >= length) {
			back = pour->col < pour->sheet->cols - 1 ? 1 : 0;
			pour->col += back;
		} else if ((row->cells[c].attrs & BH_GRID_TAIL) == 0) {
			pour_cell(pour, &row->cells[c]);
			back = (row->cells[c].attrs & BH_GRID_WIDE) != 0 ? 2 : 1;
		} else {
			back = 1;
		}
		if (c == cursor_col) {
			pour->sheet->cursor_row = pour->sheet->count - 1;
			pour->sheet->cursor_col = pour->col - back;
		}
	}
}

/** Cells of row @r that belong to its line. */
static int line_length(const struct bh_grid *grid, int r)
{
	const struct bh_grid_row *row = grid->row[r];

	if (!row->is_wrapped) {
		return bh_grid_row_length(row);
	}
	// A wide glyph that did not fit went to the next row and left a blank here.
	if ((grid->row[r + 1]->cells[0].attrs & BH_GRID_WIDE) != 0 &&
	    bh_grid_cell_is_default(&row->cells[grid->cols - 1])) {
		return grid->cols - 1;
	}
	return grid->cols;
}

static void sheet_pour(struct sheet *sheet, const struct bh_grid *grid, int last,
                       const struct cursor *cursor)
{
	struct pour pour = {.sheet = sheet};
	bool continues = false;

	for (int r = 0; r <= last; r++) {
		if (!continues) {
			pour.row = sheet_add(sheet);
			pour.col = 0;
		}
		pour_row(&pour, grid->row[r], line_length(grid, r),
		         r == cursor->row ? cursor->col : -1);
		continues = grid->row[r]->is_wrapped;
	}
}

static int last_used_row(const struct bh_grid *grid, int cursor_row)
{
	int last = grid->rows - 1;

	while (last > cursor_row && bh_grid_row_length(grid->row[last]) == 0) {
		last--;
	}
	return last;
}

/** Take the new rows: the cursor's must be seen, then as many as possible, the rest is history. */
static void sheet_take(struct sheet *sheet, struct bh_screen *s, int rows)
{
	int first = sheet->count > rows ? sheet->count - rows : 0;

	if (first > sheet->cursor_row) {
		first = sheet->cursor_row;
	}
	for (int r = 0; r < first; r++) {
		bh_history_push(&s->history, sheet->rows[r], &s->glyphs);
		free(sheet->rows[r]);
	}
	bh_grid_clear(&s->main);
	s->main.cols = sheet->cols;
	s->main.rows = rows;
	s->main.row = bh_bytes_alloc((size_t)rows, sizeof(s->main.row[0]));
	for (int r = 0; r < rows; r++) {
		s->main.row[r] = first + r < sheet->count ? sheet->rows[first + r]
		                                          : bh_grid_row_new(sheet->cols);
	}
	for (int r = first + rows; r < sheet->count; r++) {
		free(sheet->rows[r]);
	}
	free(sheet->rows);
	s->main.row[rows - 1]->is_wrapped = false;
	sheet->cursor_row -= first;
	s->changes |= first > 0 && s->history.max_rows > 0 ? BH_SCREEN_CHANGED_HISTORY : 0;
}

static void resize_main(struct bh_screen *s, int cols, int rows, struct cursor *cursor)
{
	struct sheet sheet = {.cols = cols, .cap = 2 * s->main.rows};

	sheet.rows = bh_bytes_alloc((size_t)sheet.cap, sizeof(sheet.rows[0]));
	sheet_pour(&sheet, &s->main, last_used_row(&s->main, cursor->row), cursor);
	sheet_take(&sheet, s, rows);
	cursor->row = sheet.cursor_row;
	cursor->col = sheet.cursor_col;
}

/** The alternate screen is not wrapped anew: its program draws it again. */
static void resize_alt(struct bh_screen *s, int cols, int rows)
{
	struct bh_grid old = s->alt;
	int kept_rows = old.rows < rows ? old.rows : rows;
	int kept_cols = old.cols < cols ? old.cols : cols;

	bh_grid_init(&s->alt, cols, rows);
	for (int r = 0; r < kept_rows; r++) {
		struct bh_grid_row *row = s->alt.row[r];

		bh_grid_cut(old.row[r], old.cols, 0, kept_cols);
		memcpy(row->cells, old.row[r]->cells, (size_t)kept_cols * sizeof(row->cells[0]));
		row->used = kept_cols;
	}
	bh_grid_clear(&old);
}

static void saved_clamp(struct bh_saved_cursor *saved, int cols, int rows)
{
	saved->row = saved->row < rows ? saved->row : rows - 1;
	saved->col = saved->col < cols ? saved->col : cols - 1;
	saved->is_wrap_pending = false;
}

/** Put the cursor where the text took it. A pending wrap means that it stands behind its glyph, so in
 * a wider row it goes on there. */
static void move_cursor(struct bh_screen *s, bool was_pending)
{
	int col = s->col;

	bh_state_move(s, s->row, s->col);
	if (!was_pending || s->col != col) {
		return;
	}
	if (s->col + 1 < s->cols) {
		s->col++;
	} else {
		s->is_wrap_pending = bh_state_has(s, BH_SCREEN_MODE_AUTOWRAP);
	}
}

void bh_reflow_resize(struct bh_screen *s, int cols, int rows)
{
	int old_cols = s->cols;
	bool was_pending = s->is_wrap_pending;
	bool is_alt = s->grid == &s->alt;

	if (cols == s->cols && rows == s->rows) {
		return;
	}
	// Behind an alternate screen the main one's cursor is the saved one.
	struct cursor cursor = {.row = is_alt ? s->saved[0].row : s->row,
	                        .col = is_alt ? s->saved[0].col : s->col};

	resize_main(s, cols, rows, &cursor);
	if (is_alt) {
		resize_alt(s, cols, rows);
		s->saved[0].row = cursor.row;
		s->saved[0].col = cursor.col;
	} else {
		s->row = cursor.row;
		// Behind the last glyph of a full row there is no column: the next one must wrap.
		was_pending = was_pending || cursor.col >= cols;
		s->col = cursor.col < cols ? cursor.col : cols - 1;
	}
	s->tabs = bh_bytes_realloc(s->tabs, (size_t)cols * sizeof(s->tabs[0]));
	s->cols = cols;
	s->rows = rows;
	bh_state_default_tabs(s, old_cols);
	s->top = 0;
	s->bottom = rows;
	s->left = 0;
	s->right = cols;
	bh_state_put(s, BH_SCREEN_MODE_ORIGIN, false);
	saved_clamp(&s->saved[0], cols, rows);
	saved_clamp(&s->saved[1], cols, rows);
	move_cursor(s, was_pending);
	bh_guard_resize(s->guard, cols, rows);
	bh_state_tell_tabs(s);
	bh_reply_in_band_size(s);
	s->changes |= BH_SCREEN_CHANGED_CELLS | BH_SCREEN_CHANGED_CURSOR | BH_SCREEN_CHANGED_MODES |
	              BH_SCREEN_CHANGED_SIZE;
}
