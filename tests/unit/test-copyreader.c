// View, cursor and searches of a reader.
#include "src/ui/copyreader.h"

#include "tests/unit/copy_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** A reader with 4 rows in view, of ten rows of history and a screen of four. */
struct world {
	struct bh_linecache *cache;
	struct bh_copyreader reader;
};

static void world_open(struct world *world)
{
	*world = (struct world){
		.cache = copy_cache("zero|one|two|three four|four|five|six|seven|eight|nine",
	                            "ten|eleven||the end", 20)};
	world->reader.cache = world->cache;
	world->reader.rows = 4;
	world->reader.cols = 20;
	bh_copyreader_begin(&world->reader, (struct bh_linecache_place){3, 4});
}

static void world_close(struct world *world)
{
	bh_copysearch_clear(&world->reader.search);
	bh_linecache_free(world->cache);
}

/** Fail unless the view begins at @top and the cursor is there. */
static void expect_at(const struct world *world, int64_t top, int64_t row, int col)
{
	assert_int_equal(world->reader.top, top);
	assert_int_equal(world->reader.cursor.row, row);
	assert_int_equal(world->reader.cursor.col, col);
}

static void move(struct world *world, enum bh_copy_command command, int count)
{
	bh_copyreader_move(&world->reader, command, count);
}

static void the_view_follows_the_cursor(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	expect_at(&world, 0, 3, 4);
	assert_true(bh_copyreader_is_at_bottom(&world.reader));
	move(&world, BH_COPY_UP, 3);
	expect_at(&world, 0, 0, 2);
	move(&world, BH_COPY_UP, 1);
	// The column comes back where the row has it.
	expect_at(&world, -1, -1, 3);
	move(&world, BH_COPY_UP, 6);
	expect_at(&world, -7, -7, 4);
	assert_int_equal(bh_copyreader_position(&world.reader), 7);
	move(&world, BH_COPY_UP, 99);
	expect_at(&world, -10, -10, 3);
	move(&world, BH_COPY_DOWN, 99);
	expect_at(&world, 0, 3, 4);
	world_close(&world);
}

static void pages_and_halves(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	move(&world, BH_COPY_PAGE_UP, 1);
	expect_at(&world, -2, 1, 4);
	move(&world, BH_COPY_HALF_UP, 2);
	expect_at(&world, -6, -3, 4);
	move(&world, BH_COPY_PAGE_DOWN, 9);
	expect_at(&world, 0, 3, 4);
	move(&world, BH_COPY_HISTORY_TOP, 1);
	expect_at(&world, -10, -10, 0);
	move(&world, BH_COPY_SCREEN_BOTTOM, 1);
	expect_at(&world, -10, -7, 0);
	move(&world, BH_COPY_SCREEN_MIDDLE, 1);
	expect_at(&world, -10, -8, 0);
	move(&world, BH_COPY_SCROLL_DOWN, 3);
	expect_at(&world, -7, -7, 0);
	move(&world, BH_COPY_SCROLL_UP, 1);
	expect_at(&world, -8, -7, 0);
	move(&world, BH_COPY_SCREEN_TOP, 1);
	expect_at(&world, -8, -8, 0);
	move(&world, BH_COPY_DOWN, 3);
	move(&world, BH_COPY_CENTER, 1);
	expect_at(&world, -7, -5, 0);
	move(&world, BH_COPY_HISTORY_BOTTOM, 1);
	expect_at(&world, 0, 3, 0);
	world_close(&world);
}

static void columns_end_where_the_habits_say(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	move(&world, BH_COPY_LINE_END, 1);
	expect_at(&world, 0, 3, 6);
	move(&world, BH_COPY_RIGHT, 5);
	expect_at(&world, 0, 3, 6);
	move(&world, BH_COPY_UP, 2);
	move(&world, BH_COPY_LINE_END, 1);
	move(&world, BH_COPY_DOWN, 2);
	expect_at(&world, 0, 3, 6);
	world.reader.is_emacs = true;
	move(&world, BH_COPY_RIGHT, 5);
	expect_at(&world, 0, 3, 7);
	move(&world, BH_COPY_LINE_START, 1);
	move(&world, BH_COPY_WORD_AFTER, 2);
	expect_at(&world, 0, 3, 7);
	// A rectangle goes beyond the ends of lines.
	world.reader.is_emacs = false;
	bh_selection_begin(&world.reader.selection, BH_SELECTION_BLOCK, world.reader.cursor);
	bh_copyreader_goto(&world.reader, (struct bh_linecache_place){2, 15});
	expect_at(&world, 0, 2, 15);
	world_close(&world);
}

static void a_narrow_view_moves_sideways(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	bh_copyreader_resize(&world.reader, 4, 5);
	assert_int_equal(world.reader.left, 0);
	move(&world, BH_COPY_LINE_END, 1);
	assert_int_equal(world.reader.left, 2);
	move(&world, BH_COPY_LINE_START, 1);
	assert_int_equal(world.reader.left, 0);
	// A larger one shows more, from the bottom.
	bh_copyreader_resize(&world.reader, 6, 20);
	expect_at(&world, -2, 3, 0);
	bh_copyreader_resize(&world.reader, 100, 20);
	expect_at(&world, -10, 3, 0);
	world_close(&world);
}

static void jumps_are_repeated_both_ways(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	move(&world, BH_COPY_LINE_START, 1);
	move(&world, BH_COPY_JUMP_AGAIN, 1);
	expect_at(&world, 0, 3, 0);
	bh_copyreader_jump(&world.reader, 'e', 1, false, 1);
	expect_at(&world, 0, 3, 2);
	move(&world, BH_COPY_JUMP_AGAIN, 1);
	expect_at(&world, 0, 3, 4);
	move(&world, BH_COPY_JUMP_REVERSE, 1);
	expect_at(&world, 0, 3, 2);
	move(&world, BH_COPY_JUMP_AGAIN, 1);
	expect_at(&world, 0, 3, 4);
	world_close(&world);
}

static void the_mark_can_be_left_at_either_end(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	bh_selection_begin(&world.reader.selection, BH_SELECTION_CHARS, world.reader.cursor);
	move(&world, BH_COPY_UP, 6);
	expect_at(&world, -3, -3, 4);
	move(&world, BH_COPY_OTHER_END, 1);
	expect_at(&world, 0, 3, 4);
	assert_int_equal(world.reader.selection.anchor.row, -3);
	assert_int_equal(world.reader.selection.head.row, 3);
	world_close(&world);
}

static enum bh_copyreader_found search(struct world *world, const char *text, bool is_up)
{
	assert_int_equal(bh_copysearch_set(&world->reader.search, bh_span_of(text), true, NULL), 0);
	return bh_copyreader_search(&world->reader, is_up, world->reader.cursor);
}

static void searches_go_round(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	assert_int_equal(search(&world, "four", true), BH_COPYREADER_FOUND);
	expect_at(&world, -8, -6, 0);
	assert_int_equal(search(&world, "four", true), BH_COPYREADER_FOUND);
	expect_at(&world, -8, -7, 6);
	assert_int_equal(search(&world, "four", true), BH_COPYREADER_FOUND);
	expect_at(&world, -8, -6, 0);
	assert_int_equal(search(&world, "ten", false), BH_COPYREADER_FOUND);
	expect_at(&world, -2, 0, 0);
	assert_int_equal(search(&world, "zero", false), BH_COPYREADER_FOUND);
	expect_at(&world, -10, -10, 0);
	assert_int_equal(search(&world, "nowhere", false), BH_COPYREADER_NOT_FOUND);
	expect_at(&world, -10, -10, 0);
	assert_int_equal(search(&world, "", false), BH_COPYREADER_NOT_FOUND);
	world_close(&world);
}

/** A world of which only the newest row of history is seen: whether eight goes on from the row above is
 * not known. */
static void world_open_partly(struct world *world)
{
	cJSON *answer = copy_first_answer(0, 8, "eight|nine", 20, "ten|eleven");
	int shift = 0;

	*world = (struct world){.cache = bh_linecache_new()};
	assert_true(bh_linecache_take(world->cache, answer, &shift));
	cJSON_Delete(answer);
	world->reader.cache = world->cache;
	world->reader.rows = 2;
	world->reader.cols = 20;
	bh_copyreader_begin(&world->reader, (struct bh_linecache_place){1, 0});
}

static enum bh_copyreader_found rows_come(struct world *world, int64_t first, const char *rows)
{
	cJSON *answer = copy_answer(0, first, rows, 10);
	int shift = 0;

	assert_true(bh_linecache_take(world->cache, answer, &shift));
	cJSON_Delete(answer);
	return bh_copyreader_rows_came(&world->reader, shift);
}

static void searches_wait_for_rows(void **state)
{
	struct world world;

	(void)state;
	world_open_partly(&world);
	assert_int_equal(search(&world, "two", true), BH_COPYREADER_SEARCHING);
	assert_true(bh_copyreader_wants_rows(&world.reader));
	assert_int_equal(rows_come(&world, 4, "four|five|six|seven"), BH_COPYREADER_SEARCHING);
	expect_at(&world, 0, 1, 0);
	assert_int_equal(rows_come(&world, 1, "one|two|three"), BH_COPYREADER_FOUND);
	expect_at(&world, -8, -8, 0);
	assert_false(bh_copyreader_is_searching(&world.reader));
	// Downwards it begins at the top again, which must be there first.
	move(&world, BH_COPY_HISTORY_BOTTOM, 1);
	assert_int_equal(search(&world, "zer", false), BH_COPYREADER_SEARCHING);
	assert_int_equal(rows_come(&world, 0, "zero"), BH_COPYREADER_FOUND);
	expect_at(&world, -10, -10, 0);
	assert_int_equal(search(&world, "nowhere", true), BH_COPYREADER_NOT_FOUND);
	world_close(&world);
}

static bool is_always_over(void *user)
{
	++*(int *)user;
	return true;
}

static void a_search_is_done_in_parts(void **state)
{
	struct world world;
	int parts = 0;

	(void)state;
	world_open(&world);
	world.reader.budget = (struct bh_copysearch_budget){&parts, is_always_over};
	assert_int_equal(search(&world, "thre+ ", true), BH_COPYREADER_SEARCHING);
	expect_at(&world, 0, 3, 4);
	while (bh_copyreader_is_busy(&world.reader)) {
		(void)bh_copyreader_search_on(&world.reader);
	}
	expect_at(&world, -9, -7, 0);
	assert_true(parts > 9);
	assert_false(bh_copyreader_is_searching(&world.reader));
	assert_int_equal(search(&world, "x+", true), BH_COPYREADER_SEARCHING);
	bh_copyreader_stop(&world.reader);
	assert_false(bh_copyreader_is_busy(&world.reader));
	world_close(&world);
}

static void a_search_in_parts_goes_on_where_rows_come(void **state)
{
	struct world world;
	int parts = 0;
	enum bh_copyreader_found found;

	(void)state;
	world_open_partly(&world);
	world.reader.budget = (struct bh_copysearch_budget){&parts, is_always_over};
	assert_int_equal(search(&world, "^t[w]o", true), BH_COPYREADER_SEARCHING);
	assert_int_equal(rows_come(&world, 4, "four|five|six|seven"), BH_COPYREADER_SEARCHING);
	assert_int_equal(rows_come(&world, 1, "one|two|three"), BH_COPYREADER_SEARCHING);
	do {
		found = bh_copyreader_search_on(&world.reader);
	} while (bh_copyreader_is_busy(&world.reader));
	assert_int_equal(found, BH_COPYREADER_FOUND);
	expect_at(&world, -8, -8, 0);
	world_close(&world);
}

static void the_view_goes_on_when_rows_come(void **state)
{
	struct world world;

	(void)state;
	world_open_partly(&world);
	bh_copyreader_scroll(&world.reader, -3);
	expect_at(&world, -1, 0, 0);
	assert_true(bh_copyreader_wants_rows(&world.reader));
	(void)rows_come(&world, 4, "four|five|six|seven");
	expect_at(&world, -3, -2, 0);
	move(&world, BH_COPY_HISTORY_TOP, 1);
	expect_at(&world, -5, -5, 0);
	(void)rows_come(&world, 1, "one|two|three");
	expect_at(&world, -8, -8, 0);
	bh_copyreader_stop(&world.reader);
	(void)rows_come(&world, 0, "zero");
	// What the reader sees does not move because there is more above.
	expect_at(&world, -8, -8, 0);
	assert_false(bh_copyreader_wants_rows(&world.reader));
	world_close(&world);
}

static void what_is_read_is_found_again(void **state)
{
	struct world world;
	cJSON *answer =
		copy_first_answer(0, 0, "zero|one|two|three four|four|five", 7, "six|seven");
	int shift = 0;

	(void)state;
	world_open(&world);
	move(&world, BH_COPY_HISTORY_TOP, 1);
	bh_copyreader_goto(&world.reader, (struct bh_linecache_place){-7, 7});
	bh_selection_begin(&world.reader.selection, BH_SELECTION_CHARS, world.reader.cursor);
	bh_copyreader_goto(&world.reader, (struct bh_linecache_place){-8, 1});
	bh_copyreader_hold(&world.reader);
	bh_linecache_restart(world.cache);
	assert_true(bh_linecache_take(world.cache, answer, &shift));
	cJSON_Delete(answer);
	// In the narrower rows "three four" is two: "three f" and "our".
	(void)bh_copyreader_rows_came(&world.reader, 0);
	expect_at(&world, -7, -5, 1);
	assert_int_equal(world.reader.selection.anchor.row, -3);
	assert_int_equal(world.reader.selection.anchor.col, 0);
	assert_false(bh_copyreader_wants_rows(&world.reader));
	world_close(&world);
}

static void a_shift_keeps_what_is_seen(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	bh_selection_begin(&world.reader.selection, BH_SELECTION_CHARS, world.reader.cursor);
	(void)bh_copyreader_rows_came(&world.reader, 2);
	expect_at(&world, -2, 1, 4);
	assert_int_equal(world.reader.selection.anchor.row, 1);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_view_follows_the_cursor),
		cmocka_unit_test(pages_and_halves),
		cmocka_unit_test(columns_end_where_the_habits_say),
		cmocka_unit_test(a_narrow_view_moves_sideways),
		cmocka_unit_test(jumps_are_repeated_both_ways),
		cmocka_unit_test(the_mark_can_be_left_at_either_end),
		cmocka_unit_test(searches_go_round),
		cmocka_unit_test(searches_wait_for_rows),
		cmocka_unit_test(a_search_is_done_in_parts),
		cmocka_unit_test(a_search_in_parts_goes_on_where_rows_come),
		cmocka_unit_test(the_view_goes_on_when_rows_come),
		cmocka_unit_test(what_is_read_is_found_again),
		cmocka_unit_test(a_shift_keeps_what_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
