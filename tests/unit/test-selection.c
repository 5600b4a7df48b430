// What is marked, and the text of it.
#include "src/ui/selection.h"

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
	// Rows -2 to 2.
	cache = copy_cache("one two-three|a wrapped\\", " line  |\u6f22\u5b57 x|", 80);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	bh_linecache_free(cache);
	return 0;
}

static struct bh_selection selection_of(enum bh_selection_kind kind, int64_t row, int col,
                                        int64_t to_row, int to_col)
{
	struct bh_selection selection = {0};

	bh_selection_begin(&selection, kind, (struct bh_linecache_place){row, col});
	selection.head = (struct bh_linecache_place){to_row, to_col};
	return selection;
}

static void expect_text(const struct bh_selection *selection, const char *text)
{
	struct bh_buf out = {0};

	bh_buf_puts(&out, "");
	bh_selection_text(selection, cache, &out);
	assert_string_equal(out.data == NULL ? "" : out.data, text);
	bh_buf_clear(&out);
}

static void characters_in_either_direction(void **state)
{
	struct bh_selection selection = selection_of(BH_SELECTION_CHARS, -2, 4, -2, 6);

	(void)state;
	expect_text(&selection, "two");
	selection = selection_of(BH_SELECTION_CHARS, -2, 6, -2, 4);
	expect_text(&selection, "two");
	selection.is_exclusive = true;
	expect_text(&selection, "tw");
	selection = selection_of(BH_SELECTION_CHARS, 0, 2, 1, 0);
	// Blanks at a line's end are not copied, a wide character is whole.
	expect_text(&selection, "ine\n\u6f22");
	selection = selection_of(BH_SELECTION_NONE, 0, 0, 1, 0);
	expect_text(&selection, "");
}

static void wrapped_lines_are_whole_again(void **state)
{
	struct bh_selection selection = selection_of(BH_SELECTION_CHARS, -2, 8, 0, 4);

	(void)state;
	expect_text(&selection, "three\na wrapped line");
}

static void words_grow_by_words(void **state)
{
	struct bh_selection selection = selection_of(BH_SELECTION_WORDS, -2, 5, -2, 5);

	(void)state;
	expect_text(&selection, "two");
	selection.head.col = 9;
	expect_text(&selection, "two-three");
	selection.head.col = 1;
	expect_text(&selection, "one two");
	selection = selection_of(BH_SELECTION_WORDS, 1, 1, 1, 1);
	expect_text(&selection, "\u6f22\u5b57");
	selection = selection_of(BH_SELECTION_WORDS, -2, 7, -2, 7);
	expect_text(&selection, "-");
}

static void lines_end_with_newlines(void **state)
{
	struct bh_selection selection = selection_of(BH_SELECTION_LINES, 1, 3, 0, 2);

	(void)state;
	expect_text(&selection, " line\n\u6f22\u5b57 x\n");
}

static void a_rectangle_has_a_line_for_every_row(void **state)
{
	struct bh_selection selection = selection_of(BH_SELECTION_BLOCK, -2, 4, 2, 2);

	(void)state;
	expect_text(&selection, "e t\nwra\nine\n\u5b57\n");
	selection.is_exclusive = true;
	expect_text(&selection, "e\nwr\nin\n\u5b57\n");
}

static void columns_of_rows(void **state)
{
	struct bh_selection selection = selection_of(BH_SELECTION_CHARS, -1, 3, 1, 2);
	struct bh_selection_range range = bh_selection_of_row(&selection, cache, -1);

	(void)state;
	assert_int_equal(range.from, 3);
	assert_int_equal(range.to, INT_MAX);
	range = bh_selection_of_row(&selection, cache, 1);
	assert_int_equal(range.from, 0);
	// The second wide character is whole.
	assert_int_equal(range.to, 4);
	range = bh_selection_of_row(&selection, cache, 2);
	assert_true(range.from >= range.to);
	range = bh_selection_of_row(&selection, cache, -2);
	assert_true(range.from >= range.to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(characters_in_either_direction, set_up, tear_down),
		cmocka_unit_test_setup_teardown(wrapped_lines_are_whole_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(words_grow_by_words, set_up, tear_down),
		cmocka_unit_test_setup_teardown(lines_end_with_newlines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_rectangle_has_a_line_for_every_row, set_up,
	                                        tear_down),
		cmocka_unit_test_setup_teardown(columns_of_rows, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
