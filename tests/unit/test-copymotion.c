// Where motions go.
#include "src/ui/copymotion.h"

#include "tests/unit/copy_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct bh_linecache *cache;

static int set_up(void **state)
{
	(void)state;
	// Rows -3 to 2.
	cache = copy_cache("foo_bar(baz, [qux])||  indented and wr\\", "apped|\u6f22\u5b57 end|{ x",
	                   80);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	bh_linecache_free(cache);
	return 0;
}

static void expect_place(struct bh_linecache_place place, int64_t row, int col)
{
	assert_int_equal(place.row, row);
	assert_int_equal(place.col, col);
}

/** Go by words from the place on and compare with the columns and rows of @stops. */
static void expect_words(struct bh_linecache_place at, enum bh_copymotion_word where, bool is_big,
                         const int stops[][2], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		at = bh_copymotion_word(cache, at, where, is_big);
		expect_place(at, stops[i][0], stops[i][1]);
	}
}

#define COUNT(stops) (sizeof(stops) / sizeof((stops)[0]))

static void words_begin(void **state)
{
	static const int stops[][2] = {{-3, 7},  {-3, 8}, {-3, 11}, {-3, 13}, {-3, 14},
	                               {-3, 17}, {-1, 2}, {-1, 11}, {-1, 15}, {1, 0},
	                               {1, 5},   {2, 0},  {2, 2},   {2, 3},   {2, 3}};
	static const int big[][2] = {{-3, 13}, {-1, 2}, {-1, 11}};

	(void)state;
	expect_words((struct bh_linecache_place){-3, 0}, BH_COPYMOTION_WORD_START, false, stops,
	             COUNT(stops));
	expect_words((struct bh_linecache_place){-3, 0}, BH_COPYMOTION_WORD_START, true, big,
	             COUNT(big));
}

static void words_end(void **state)
{
	// The wrapped word ends in the next row.
	static const int stops[][2] = {{-3, 6},  {-3, 7}, {-3, 10}, {-3, 11}, {-3, 13}, {-3, 16},
	                               {-3, 18}, {-1, 9}, {-1, 13}, {0, 4},   {1, 2},   {1, 7}};
	static const int after[][2] = {{-3, 7}, {-3, 8}, {-3, 11}};

	(void)state;
	expect_words((struct bh_linecache_place){-3, 0}, BH_COPYMOTION_WORD_END, false, stops,
	             COUNT(stops));
	expect_words((struct bh_linecache_place){-3, 0}, BH_COPYMOTION_WORD_AFTER, false, after,
	             COUNT(after));
}

static void words_before(void **state)
{
	static const int stops[][2] = {{1, 5},   {1, 0},   {-1, 15}, {-1, 11}, {-1, 2},
	                               {-3, 17}, {-3, 14}, {-3, 13}, {-3, 11}, {-3, 8},
	                               {-3, 7},  {-3, 0},  {-3, 0}};
	static const int big[][2] = {{1, 5},  {1, 0},   {-1, 15}, {-1, 11},
	                             {-1, 2}, {-3, 13}, {-3, 0}};

	(void)state;
	expect_words((struct bh_linecache_place){2, 0}, BH_COPYMOTION_WORD_BACK, false, stops,
	             COUNT(stops));
	expect_words((struct bh_linecache_place){2, 0}, BH_COPYMOTION_WORD_BACK, true, big,
	             COUNT(big));
}

static void columns_are_characters(void **state)
{
	struct bh_linecache_place at = {1, 0};

	(void)state;
	at = bh_copymotion_column(cache, at, 1);
	expect_place(at, 1, 2);
	at = bh_copymotion_column(cache, at, -1);
	expect_place(at, 1, 0);
	expect_place(bh_copymotion_column(cache, at, -1), 1, 0);
	expect_place(bh_copymotion_column(cache, (struct bh_linecache_place){1, 8}, 1), 1, 8);
	assert_int_equal(bh_copymotion_last(cache, 1), 7);
	assert_int_equal(bh_copymotion_last(cache, -2), 0);
	assert_int_equal(bh_copymotion_indentation(cache, -1), 2);
}

static void paragraphs_end_at_blank_rows(void **state)
{
	(void)state;
	expect_place(bh_copymotion_paragraph(cache, (struct bh_linecache_place){2, 1}, -1), -2, 0);
	expect_place(bh_copymotion_paragraph(cache, (struct bh_linecache_place){-2, 0}, -1), -3, 0);
	expect_place(bh_copymotion_paragraph(cache, (struct bh_linecache_place){-3, 3}, 1), -2, 0);
	expect_place(bh_copymotion_paragraph(cache, (struct bh_linecache_place){-2, 0}, 1), 2, 0);
}

static void jumps_stay_in_the_line(void **state)
{
	struct bh_linecache_place at = {-3, 0};

	(void)state;
	expect_place(bh_copymotion_jump(cache, at, 'b', 1, false), -3, 4);
	expect_place(bh_copymotion_jump(cache, at, 'b', 1, true), -3, 3);
	expect_place(bh_copymotion_jump(cache, at, '!', 1, false), -3, 0);
	at.col = 12;
	expect_place(bh_copymotion_jump(cache, at, 'b', -1, false), -3, 8);
	expect_place(bh_copymotion_jump(cache, at, 'b', -1, true), -3, 9);
	// Once more stays not where it is.
	at.col = 3;
	expect_place(bh_copymotion_jump(cache, at, 'b', 1, true), -3, 7);
}

static void brackets_match(void **state)
{
	(void)state;
	expect_place(bh_copymotion_bracket(cache, (struct bh_linecache_place){-3, 0}), -3, 18);
	expect_place(bh_copymotion_bracket(cache, (struct bh_linecache_place){-3, 18}), -3, 7);
	expect_place(bh_copymotion_bracket(cache, (struct bh_linecache_place){-3, 8}), -3, 17);
	expect_place(bh_copymotion_bracket(cache, (struct bh_linecache_place){0, 1}), 0, 1);
	expect_place(bh_copymotion_bracket(cache, (struct bh_linecache_place){2, 0}), 2, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(words_begin, set_up, tear_down),
		cmocka_unit_test_setup_teardown(words_end, set_up, tear_down),
		cmocka_unit_test_setup_teardown(words_before, set_up, tear_down),
		cmocka_unit_test_setup_teardown(columns_are_characters, set_up, tear_down),
		cmocka_unit_test_setup_teardown(paragraphs_end_at_blank_rows, set_up, tear_down),
		cmocka_unit_test_setup_teardown(jumps_stay_in_the_line, set_up, tear_down),
		cmocka_unit_test_setup_teardown(brackets_match, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
