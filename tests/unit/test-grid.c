#include "term/grid.h"

#include "term/cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** A grid whose cell r, c holds a letter that tells r and c. */
static struct bh_grid lettered(int cols, int rows)
{
	struct bh_grid grid;

	bh_grid_init(&grid, cols, rows);
	for (int r = 0; r < rows; r++) {
		for (int c = 0; c < cols; c++) {
			grid.row[r]->cells[c].glyph = (uint32_t)('a' + r * cols + c);
		}
		grid.row[r]->used = cols;
	}
	return grid;
}

static void expect_row(const struct bh_grid *grid, int r, const char *want)
{
	char got[64];

	for (int c = 0; c < grid->cols; c++) {
		uint32_t glyph = grid->row[r]->cells[c].glyph;

		got[c] = glyph != 0 ? (char)glyph : '.';
	}
	got[grid->cols] = '\0';
	assert_string_equal(got, want);
}

static void whole_rows_scroll(void **state)
{
	struct bh_grid grid = lettered(3, 4);

	(void)state;
	bh_grid_scroll(&grid, (struct bh_rect){0, 0, 4, 3}, 1, 0, 0);
	expect_row(&grid, 0, "def");
	expect_row(&grid, 3, "...");
	bh_grid_scroll(&grid, (struct bh_rect){1, 0, 4, 3}, -2, 0, BH_COLOR_INDEX(4));
	expect_row(&grid, 0, "def");
	expect_row(&grid, 1, "...");
	expect_row(&grid, 3, "ghi");
	assert_int_equal(grid.row[1]->cells[2].bg, BH_COLOR_INDEX(4));
	bh_grid_clear(&grid);
}

static void parts_of_rows_scroll(void **state)
{
	struct bh_grid grid = lettered(4, 3);

	(void)state;
	bh_grid_scroll(&grid, (struct bh_rect){0, 1, 3, 3}, 1, 0, 0);
	expect_row(&grid, 0, "afgd");
	expect_row(&grid, 1, "ejkh");
	expect_row(&grid, 2, "i..l");
	bh_grid_scroll(&grid, (struct bh_rect){0, 1, 3, 3}, -1, 0, 0);
	expect_row(&grid, 0, "a..d");
	expect_row(&grid, 2, "ijkl");
	bh_grid_clear(&grid);
}

static void columns_scroll(void **state)
{
	struct bh_grid grid = lettered(5, 1);

	(void)state;
	bh_grid_scroll(&grid, (struct bh_rect){0, 1, 1, 5}, 0, 2, 0);
	expect_row(&grid, 0, "ade..");
	bh_grid_scroll(&grid, (struct bh_rect){0, 0, 1, 4}, 0, -1, 0);
	expect_row(&grid, 0, ".ade.");
	bh_grid_clear(&grid);
}

static void scrolling_too_far_erases(void **state)
{
	struct bh_grid grid = lettered(3, 2);

	(void)state;
	bh_grid_scroll(&grid, (struct bh_rect){0, 0, 2, 3}, 99, 0, 0);
	expect_row(&grid, 0, "...");
	expect_row(&grid, 1, "...");
	bh_grid_scroll(&grid, (struct bh_rect){1, 1, 1, 1}, 1, 0, 0);
	bh_grid_clear(&grid);
}

static void halves_of_wide_glyphs_stay_together(void **state)
{
	struct bh_grid grid = lettered(4, 1);
	struct bh_grid_row *row = grid.row[0];

	(void)state;
	row->cells[1].attrs = BH_GRID_WIDE;
	row->cells[2].attrs = BH_GRID_TAIL;
	row->cells[2].glyph = 0;
	bh_grid_cut(row, 4, 0, 1);
	expect_row(&grid, 0, "ab.d");
	bh_grid_cut(row, 4, 2, 3);
	expect_row(&grid, 0, "a..d");
	assert_int_equal(row->cells[1].attrs, 0);
	assert_int_equal(row->cells[2].attrs, 0);
	bh_grid_clear(&grid);
}

static void erasing_spares_protected_cells(void **state)
{
	struct bh_grid grid = lettered(4, 1);

	(void)state;
	grid.row[0]->cells[2].attrs = BH_ATTR_PROTECTED;
	grid.row[0]->is_wrapped = true;
	bh_grid_erase(&grid, (struct bh_rect){0, 0, 1, 4}, 0, true);
	expect_row(&grid, 0, "..c.");
	assert_false(grid.row[0]->is_wrapped);
	bh_grid_erase(&grid, (struct bh_rect){0, 1, 1, 4}, 0, false);
	expect_row(&grid, 0, "....");
	assert_int_equal(bh_grid_row_length(grid.row[0]), 0);
	bh_grid_clear(&grid);
}

static void a_coloured_blank_counts_for_the_length(void **state)
{
	struct bh_grid grid = lettered(4, 1);

	(void)state;
	bh_grid_erase(&grid, (struct bh_rect){0, 0, 1, 4}, 0, false);
	bh_grid_erase(&grid, (struct bh_rect){0, 1, 1, 3}, BH_COLOR_INDEX(1), false);
	assert_int_equal(bh_grid_row_length(grid.row[0]), 3);
	bh_grid_clear(&grid);
	assert_null(grid.row);
	bh_grid_clear(&grid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_rows_scroll),
		cmocka_unit_test(parts_of_rows_scroll),
		cmocka_unit_test(columns_scroll),
		cmocka_unit_test(scrolling_too_far_erases),
		cmocka_unit_test(halves_of_wide_glyphs_stay_together),
		cmocka_unit_test(erasing_spares_protected_cells),
		cmocka_unit_test(a_coloured_blank_counts_for_the_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
