// What a reader sees, as a terminal shows it.
#include "src/ui/copydraw.h"

#include "tests/unit/copy_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	COLS = 24,
	ROWS = 5
};

/** A reader with 4 rows in view, drawn at row 1, column 2 of a terminal. */
struct world {
	struct bh_linecache *cache;
	struct bh_copyreader reader;
	struct bh_copyprompt prompt;
	struct bh_copydraw copydraw;
	struct bh_draw *draw;
	struct bh_screen *outer;
};

static void world_open(struct world *world)
{
	struct bh_draw_settings draw_settings = {
		.cols = COLS, .rows = ROWS, .outer = bh_outer_full};
	struct bh_screen_settings settings = {.cols = COLS, .rows = ROWS};

	*world = (struct world){
		.cache = copy_cache(
			"a needle|\033[0;31mred\033[0m hay|a long long long nee\\|dle and more",
			"\u6f22\u5b57 Needle|||end", 20)};
	world->reader.cache = world->cache;
	world->reader.rows = 4;
	world->reader.cols = 20;
	world->draw = bh_draw_new(&draw_settings);
	world->outer = bh_screen_new(&settings);
	bh_copyreader_begin(&world->reader, (struct bh_linecache_place){3, 1});
}

static void world_draw(struct world *world)
{
	struct bh_buf out = {0};

	bh_copydraw_draw(&world->copydraw, &world->reader, &world->prompt, world->draw,
	                 (struct bh_draw_rect){1, 2, 4, 20});
	bh_draw_flush(world->draw, &out);
	bh_screen_feed(world->outer, out.data, out.len, 1);
	bh_buf_clear(&out);
}

static void world_close(struct world *world)
{
	bh_copydraw_clear(&world->copydraw);
	bh_copysearch_clear(&world->reader.search);
	bh_linecache_free(world->cache);
	bh_draw_free(world->draw);
	bh_screen_free(world->outer);
}

static void expect_row(const struct world *world, int row, const char *wanted)
{
	char text[COLS * BH_CELL_TEXT];

	(void)bh_screen_row_text(world->outer, row, text, sizeof(text));
	assert_string_equal(text, wanted);
}

/** Fail unless of a row exactly the columns of @marks that are not blanks have this background. */
static void expect_color(const struct world *world, int row, uint32_t color, const char *marks)
{
	for (int col = 0; col < COLS; col++) {
		struct bh_cell cell = bh_screen_cell(world->outer, row, col);
		bool is_wanted = col < (int)strlen(marks) && marks[col] != ' ';

		// The looks are written as their reverse.
		assert_int_equal(cell.fg == BH_COLOR_INDEX(color) &&
		                         (cell.attrs & BH_ATTR_REVERSE) != 0,
		                 is_wanted);
	}
}

static void expect_top(const struct world *world, int64_t top)
{
	assert_int_equal(world->reader.top, top);
}

static void rows_position_and_cursor_are_shown(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_draw(&world);
	expect_row(&world, 0, "");
	expect_row(&world, 1, "  \u6f22\u5b57 Needle    [0/4]");
	expect_row(&world, 4, "  end");
	assert_int_equal(bh_screen_cursor(world.outer).row, 4);
	assert_int_equal(bh_screen_cursor(world.outer).col, 3);
	bh_copyreader_scroll(&world.reader, -3);
	world_draw(&world);
	expect_row(&world, 1, "  red hay        [3/4]");
	expect_row(&world, 3, "  dle and more");
	expect_row(&world, 4, "  \u6f22\u5b57 Needle");
	assert_int_equal(bh_screen_cell(world.outer, 1, 2).fg, BH_COLOR_INDEX(1));
	assert_int_equal(bh_screen_cell(world.outer, 1, 6).fg, BH_COLOR_DEFAULT);
	world_close(&world);
}

static void every_match_in_view_is_seen(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	bh_copyreader_scroll(&world.reader, -4);
	assert_int_equal(bh_copysearch_set(&world.reader.search, bh_span_of("needle"), false, NULL),
	                 0);
	assert_int_equal(
		bh_copyreader_search(&world.reader, false, (struct bh_linecache_place){-3, 0}),
		BH_COPYREADER_FOUND);
	world_draw(&world);
	expect_color(&world, 1, 6, "    xxxxxx");
	// The one that is wrapped is where the cursor is.
	expect_color(&world, 3, 5, "                   xxx");
	expect_color(&world, 4, 5, "  xxx");
	expect_color(&world, 4, 6, "");
	assert_int_equal(bh_screen_cursor(world.outer).row, 3);
	assert_int_equal(bh_screen_cursor(world.outer).col, 19);
	world_close(&world);
}

static void matches_of_a_pattern_are_seen(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	bh_copyreader_scroll(&world.reader, -4);
	assert_int_equal(
		bh_copysearch_set(&world.reader.search, bh_span_of("(lo?ng ?)+|^red"), true, NULL),
		0);
	assert_int_equal(
		bh_copyreader_search(&world.reader, true, (struct bh_linecache_place){0, 0}),
		BH_COPYREADER_FOUND);
	world_draw(&world);
	expect_color(&world, 1, 6, "");
	expect_color(&world, 2, 6, "  xxx");
	// They do not overlap: one from the first "long" to the last.
	expect_color(&world, 3, 6, "");
	expect_color(&world, 3, 5, "    xxxxxxxxxxxxxxx");
	world_close(&world);
	// Wide characters have two columns, and the row that begins a wrapped line may be out of view.
	world_open(&world);
	assert_int_equal(bh_copysearch_set(&world.reader.search, bh_span_of("[^ ]+e$|\u6f22.\\s"),
	                                   true, NULL),
	                 0);
	bh_copyreader_scroll(&world.reader, -1);
	assert_int_equal(
		bh_copyreader_search(&world.reader, true, (struct bh_linecache_place){0, 0}),
		BH_COPYREADER_FOUND);
	expect_top(&world, -1);
	world_draw(&world);
	expect_color(&world, 1, 5, "          xxxx");
	expect_color(&world, 2, 6, "  xxxxxxxxxxx");
	world_close(&world);
}

static void what_is_marked_is_seen(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	bh_copyreader_goto(&world.reader, (struct bh_linecache_place){0, 2});
	bh_selection_begin(&world.reader.selection, BH_SELECTION_CHARS, world.reader.cursor);
	bh_copyreader_goto(&world.reader, (struct bh_linecache_place){3, 1});
	world_draw(&world);
	// To the end of the line and the newline behind it; the position stands over the rest.
	expect_color(&world, 1, 3, "    xxxxxxxxxx   xxxxx");
	expect_color(&world, 2, 3, "  x");
	expect_color(&world, 4, 3, "  xx");
	world.reader.selection.kind = BH_SELECTION_LINES;
	world_draw(&world);
	expect_color(&world, 2, 3, "  xxxxxxxxxxxxxxxxxxxx");
	world.reader.selection.kind = BH_SELECTION_BLOCK;
	world.reader.selection.head.col = 5;
	world_draw(&world);
	expect_color(&world, 2, 3, "    xxxx");
	expect_color(&world, 4, 3, "    xxxx");
	world_close(&world);
}

static void the_prompt_has_the_last_row(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	bh_copyprompt_open(&world.prompt, BH_COPY_SEARCH_UP);
	bh_copyprompt_paste(&world.prompt, bh_span_of("abc"));
	world.reader.search_stage = BH_COPYREADER_STAGE_ROWS;
	world_draw(&world);
	expect_row(&world, 4, "  ?abc");
	expect_row(&world, 1, "  \u6f22\u5b57 searching [0/4]");
	assert_int_equal(bh_screen_cursor(world.outer).col, 6);
	// Of a long one the end is seen.
	bh_copyprompt_paste(&world.prompt, bh_span_of("defghijklmnopqrst\u00e9vwxyz"));
	world_draw(&world);
	expect_row(&world, 4, "  ?ijklmnopqrst\u00e9vwxyz");
	assert_int_equal(bh_screen_cursor(world.outer).col, 21);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_position_and_cursor_are_shown),
		cmocka_unit_test(every_match_in_view_is_seen),
		cmocka_unit_test(matches_of_a_pattern_are_seen),
		cmocka_unit_test(what_is_marked_is_seen),
		cmocka_unit_test(the_prompt_has_the_last_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
