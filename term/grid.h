/**
 * The cells of one screen: rows by pointer, so that scrolling moves pointers. A blank is a cell
 * without glyph; a printed space is one too. The halves of a wide glyph never come apart: whoever
 * touches one half blanks the other.
 */
#ifndef BH_TERM_GRID_H
#define BH_TERM_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bits of a cell's `attrs` above those of enum bh_attr. */
enum bh_grid_attr {
	BH_GRID_WIDE = 1 << 14, ///< left half of a wide glyph
	BH_GRID_TAIL = 1 << 15, ///< right half, without glyph
	BH_GRID_WIDE_MASK = BH_GRID_WIDE | BH_GRID_TAIL,
};

/** A cell. All zero: blank in the terminal's own colours. */
struct bh_grid_cell {
	uint32_t glyph; ///< code point, or BH_GLYPH_CLUSTER and a number; 0: blank
	uint32_t fg;    ///< BH_COLOR_*
	uint32_t bg;    ///< BH_COLOR_*
	uint16_t attrs; ///< enum bh_attr and enum bh_grid_attr
	uint16_t extra; ///< number of the underline colour and link, see glyph.h
};

/** A row. Cells from `used` on are zero. */
struct bh_grid_row {
	int used;                    ///< columns that may not be zero
	bool is_wrapped;             ///< its line goes on in the next row
	bool is_seen;                ///< not written to since bh_grid_see()
	struct bh_grid_cell cells[]; ///< one per column
};

/** The rows. */
struct bh_grid {
	int cols, rows;
	struct bh_grid_row **row; ///< `rows` of them; NULL: not in use
	int moved_top;            ///< rows from here ...
	int moved_bottom;         ///< ... up to this one may be others since bh_grid_see()
};

/** A part of the screen; the ends are exclusive. */
struct bh_rect {
	int top, left, bottom, right;
};

/** Make @grid blank at this size. */
void bh_grid_init(struct bh_grid *grid, int cols, int rows);

/** Free the rows; `row` is NULL afterwards. */
void bh_grid_clear(struct bh_grid *grid);

/** A blank row for @cols columns; the caller owns it. */
struct bh_grid_row *bh_grid_row_new(int cols);

/** Blank @rect with background @bg, which must be inside the grid. With @is_selective protected
 * cells stay. */
void bh_grid_erase(struct bh_grid *grid, struct bh_rect rect, uint32_t bg, bool is_selective);

/** Move the content of @rect up by @up rows (negative: down) and left by @left columns (negative:
 * right); what becomes free is blank with background @bg. */
void bh_grid_scroll(struct bh_grid *grid, struct bh_rect rect, int up, int left, uint32_t bg);

/** All rows are seen from now on: bh_grid_is_new() asks what came after. */
void bh_grid_see(struct bh_grid *grid);

/** All rows are to be looked at again. */
void bh_grid_renew(struct bh_grid *grid);

/** May row @row look different since bh_grid_see()? */
static inline bool bh_grid_is_new(const struct bh_grid *grid, int row)
{
	return !grid->row[row]->is_seen || (row >= grid->moved_top && row < grid->moved_bottom);
}

/** Columns @left to @right of @row are about to be written, so it is seen no more: blank the halves of wide glyphs that
 * reach in from outside. */
void bh_grid_cut(struct bh_grid_row *row, int cols, int left, int right);

/** Columns up to the last one that is not a default blank. */
int bh_grid_row_length(const struct bh_grid_row *row);

/** Equal to the eye and to later output? Wants equal numbers for equal glyphs: see equal.h. */
static inline bool bh_grid_cell_is_default(const struct bh_grid_cell *cell)
{
	return cell->glyph == 0 && cell->fg == 0 && cell->bg == 0 && cell->attrs == 0 &&
	       cell->extra == 0;
}

#endif
