#include "term/grid.h"

#include "term/bytes.h"
#include "term/cell.h"

#include <stdlib.h>
#include <string.h>

// Everything that moves cells is here, and with it the one rule about wide glyphs: before a range is
// written or moved, bh_grid_cut() blanks the halves that would be torn apart at its edges. A blanked
// half keeps its colours, as a space in its place would.
//
// `used` is a promise about the rest of the row (all zero), not a length: it may be too large. It
// keeps short lines cheap, to clear and to pack.

struct bh_grid_row *bh_grid_row_new(int cols)
{
	return bh_bytes_alloc(1, sizeof(struct bh_grid_row) +
	                                 (size_t)cols * sizeof(struct bh_grid_cell));
}

void bh_grid_init(struct bh_grid *grid, int cols, int rows)
{
	grid->cols = cols;
	grid->rows = rows;
	grid->row = bh_bytes_alloc((size_t)rows, sizeof(grid->row[0]));
	for (int r = 0; r < rows; r++) {
		grid->row[r] = bh_grid_row_new(cols);
	}
}

void bh_grid_clear(struct bh_grid *grid)
{
	if (grid->row == NULL) {
		return;
	}
	for (int r = 0; r < grid->rows; r++) {
		free(grid->row[r]);
	}
	free(grid->row);
	grid->row = NULL;
}

void bh_grid_see(struct bh_grid *grid)
{
	for (int r = 0; r < grid->rows; r++) {
		grid->row[r]->is_seen = true;
	}
	grid->moved_top = 0;
	grid->moved_bottom = 0;
}

/** Rows of [top, bottom) stand elsewhere now. */
static void note_moved(struct bh_grid *grid, int top, int bottom)
{
	if (grid->moved_top == grid->moved_bottom) {
		grid->moved_top = top;
		grid->moved_bottom = bottom;
	} else {
		grid->moved_top = top < grid->moved_top ? top : grid->moved_top;
		grid->moved_bottom = bottom > grid->moved_bottom ? bottom : grid->moved_bottom;
	}
}

void bh_grid_renew(struct bh_grid *grid)
{
	note_moved(grid, 0, grid->rows);
}

int bh_grid_row_length(const struct bh_grid_row *row)
{
	int length = row->used;

	while (length > 0 && bh_grid_cell_is_default(&row->cells[length - 1])) {
		length--;
	}
	return length;
}

static void cell_blank(struct bh_grid_cell *cell)
{
	cell->glyph = 0;
	cell->attrs &= (uint16_t)~BH_GRID_WIDE_MASK;
}

void bh_grid_cut(struct bh_grid_row *row, int cols, int left, int right)
{
	row->is_seen = false;
	if (left > 0 && left < cols && (row->cells[left].attrs & BH_GRID_TAIL) != 0) {
		cell_blank(&row->cells[left - 1]);
		cell_blank(&row->cells[left]);
	}
	if (right > 0 && right < cols && (row->cells[right].attrs & BH_GRID_TAIL) != 0) {
		cell_blank(&row->cells[right - 1]);
		cell_blank(&row->cells[right]);
	}
}

/** Fill without a look at wide glyphs. */
static void row_fill(struct bh_grid_row *row, int left, int right, uint32_t bg)
{
	if (bg == BH_COLOR_DEFAULT) {
		int end = right < row->used ? right : row->used;

		if (left < end) {
			memset(&row->cells[left], 0, (size_t)(end - left) * sizeof(row->cells[0]));
		}
		if (right >= row->used && left < row->used) {
			row->used = left;
		}
		return;
	}
	for (int c = left; c < right; c++) {
		row->cells[c] = (struct bh_grid_cell){.bg = bg};
	}
	if (row->used < right) {
		row->used = right;
	}
}

static void row_fill_unprotected(struct bh_grid_row *row, int left, int right, uint32_t bg)
{
	for (int c = left; c < right; c++) {
		if ((row->cells[c].attrs & BH_ATTR_PROTECTED) == 0) {
			bool is_head = (row->cells[c].attrs & BH_GRID_WIDE) != 0;

			row->cells[c] = (struct bh_grid_cell){.bg = bg};
			if (is_head && c + 1 < right) {
				row->cells[c + 1] = (struct bh_grid_cell){.bg = bg};
			}
		}
	}
	if (row->used < right) {
		row->used = right;
	}
}

void bh_grid_erase(struct bh_grid *grid, struct bh_rect rect, uint32_t bg, bool is_selective)
{
	if (rect.left >= rect.right) {
		return;
	}
	for (int r = rect.top; r < rect.bottom; r++) {
		struct bh_grid_row *row = grid->row[r];

		bh_grid_cut(row, grid->cols, rect.left, rect.right);
		if (is_selective) {
			row_fill_unprotected(row, rect.left, rect.right, bg);
		} else {
			row_fill(row, rect.left, rect.right, bg);
		}
		if (rect.right == grid->cols) {
			row->is_wrapped = false;
		}
	}
}

static void row_blank(struct bh_grid_row *row, int cols, uint32_t bg)
{
	row_fill(row, 0, cols, bg);
	row->is_wrapped = false;
}

/** Turn the row pointers of [top, bottom) so that the first @count come last. */
static void rows_rotate(struct bh_grid *grid, int top, int bottom, int count)
{
	struct bh_grid_row **row = grid->row + top;
	size_t total = (size_t)(bottom - top);
	size_t first = (size_t)count;

	if (first == 1) {
		struct bh_grid_row *saved = row[0];

		memmove(row, row + 1, (total - 1) * sizeof(row[0]));
		row[total - 1] = saved;
		return;
	}
	struct bh_grid_row **saved = bh_bytes_alloc(first, sizeof(row[0]));

	memcpy(saved, row, first * sizeof(row[0]));
	memmove(row, row + first, (total - first) * sizeof(row[0]));
	memcpy(row + total - first, saved, first * sizeof(row[0]));
	free(saved);
}

static void scroll_whole_rows(struct bh_grid *grid, struct bh_rect rect, int up, uint32_t bg)
{
	int height = rect.bottom - rect.top;

	note_moved(grid, rect.top, rect.bottom);
	if (up > 0) {
		rows_rotate(grid, rect.top, rect.bottom, up);
		for (int r = rect.bottom - up; r < rect.bottom; r++) {
			row_blank(grid->row[r], grid->cols, bg);
		}
	} else {
		rows_rotate(grid, rect.top, rect.bottom, height + up);
		for (int r = rect.top; r < rect.top - up; r++) {
			row_blank(grid->row[r], grid->cols, bg);
		}
	}
	// The last row has no next one; nothing could show that its line went on.
	grid->row[grid->rows - 1]->is_wrapped = false;
}

static void row_copy_cells(struct bh_grid_row *to, const struct bh_grid_row *from, int left,
                           int right)
{
	memcpy(&to->cells[left], &from->cells[left], (size_t)(right - left) * sizeof(to->cells[0]));
	if (to->used < right) {
		to->used = right;
	}
}

static void scroll_part_rows(struct bh_grid *grid, struct bh_rect rect, int up, uint32_t bg)
{
	int height = rect.bottom - rect.top;
	int count = up > 0 ? up : -up;
	struct bh_rect freed = rect;

	for (int r = rect.top; r < rect.bottom; r++) {
		bh_grid_cut(grid->row[r], grid->cols, rect.left, rect.right);
	}
	for (int i = 0; i < height - count; i++) {
		int to = up > 0 ? rect.top + i : rect.bottom - 1 - i;

		row_copy_cells(grid->row[to], grid->row[to + up], rect.left, rect.right);
	}
	if (up > 0) {
		freed.top = rect.bottom - count;
	} else {
		freed.bottom = rect.top + count;
	}
	for (int r = freed.top; r < freed.bottom; r++) {
		row_fill(grid->row[r], rect.left, rect.right, bg);
	}
}

static void scroll_columns(struct bh_grid *grid, struct bh_rect rect, int left, uint32_t bg)
{
	int count = left > 0 ? left : -left;
	size_t kept = (size_t)(rect.right - rect.left - count) * sizeof(struct bh_grid_cell);

	for (int r = rect.top; r < rect.bottom; r++) {
		struct bh_grid_row *row = grid->row[r];
		struct bh_grid_cell *cells = &row->cells[rect.left];

		bh_grid_cut(row, grid->cols, rect.left, rect.right);
		if (left > 0) {
			bh_grid_cut(row, grid->cols, rect.left + count, rect.right);
			memmove(cells, cells + count, kept);
			row->used = row->used < rect.right ? rect.right : row->used;
			row_fill(row, rect.right - count, rect.right, bg);
		} else {
			bh_grid_cut(row, grid->cols, rect.left, rect.right - count);
			memmove(cells + count, cells, kept);
			row->used = row->used < rect.right ? rect.right : row->used;
			row_fill(row, rect.left, rect.left + count, bg);
		}
		if (rect.right == grid->cols) {
			row->is_wrapped = false;
		}
	}
}

void bh_grid_scroll(struct bh_grid *grid, struct bh_rect rect, int up, int left, uint32_t bg)
{
	int height = rect.bottom - rect.top;
	int width = rect.right - rect.left;

	if (height <= 0 || width <= 0) {
		return;
	}
	if (up >= height || -up >= height || left >= width || -left >= width) {
		bh_grid_erase(grid, rect, bg, false);
		return;
	}
	if (up != 0 && rect.left == 0 && rect.right == grid->cols) {
		scroll_whole_rows(grid, rect, up, bg);
	} else if (up != 0) {
		scroll_part_rows(grid, rect, up, bg);
	}
	if (left != 0) {
		scroll_columns(grid, rect, left, bg);
	}
}
