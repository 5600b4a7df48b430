// A view: the text, ink and columns that the rules read off a screen.
#include "src/agent/view.h"

#include "term/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/** A view of what @bytes draw on 12x4. The screen is kept for the title. */
static struct bh_screen *draw(struct bh_view *view, const char *bytes)
{
	struct bh_screen_settings settings = {.cols = 12, .rows = 4};
	struct bh_screen *screen = bh_screen_new(&settings);

	bh_screen_feed(screen, bytes, strlen(bytes), 1000);
	bh_view_take(view, screen);
	return screen;
}

static void assert_row(const struct bh_view *view, int row, const char *expected)
{
	size_t len = 99;
	const char *text = bh_view_row_text(view, row, &len);

	assert_int_equal(len, strlen(expected));
	assert_memory_equal(text, expected, len);
}

static void a_side_is_cut_off(void **state)
{
	struct bh_view view = {0};
	struct bh_screen *screen =
		draw(&view, "ab    side\r\né日x side\r\n\x1b[7mr\x1b[m\r\n      z");

	(void)state;
	bh_view_cut(&view, 5);
	assert_int_equal(view.cols, 5);
	assert_memory_equal(view.text, "ab\né日x\nr\n\n", view.len);
	assert_row(&view, 0, "ab");
	assert_row(&view, 1, "é日x");
	assert_row(&view, 2, "r");
	assert_int_equal(view.ink[view.rows[2].start], BH_INK_REVERSE);
	assert_int_equal(view.col[view.rows[1].start + strlen("é日")], 3);
	assert_row(&view, 3, "");
	// Half of a wide glyph stays whole; what is narrower anyway stays as it is.
	bh_view_cut(&view, 2);
	assert_row(&view, 1, "é日");
	bh_view_cut(&view, 9);
	assert_int_equal(view.cols, 2);
	assert_row(&view, 0, "ab");
	bh_screen_free(screen);
	bh_view_clear(&view);
}

static void rows_are_cut_and_parted(void **state)
{
	struct bh_view view = {0};
	struct bh_screen *screen = draw(&view, "one  \r\n  two\r\n\r\n");

	(void)state;
	assert_int_equal(view.row_count, 4);
	assert_int_equal(view.cols, 12);
	assert_int_equal(view.len, strlen("one\n  two\n\n\n"));
	assert_memory_equal(view.text, "one\n  two\n\n\n", view.len);
	assert_row(&view, 0, "one");
	assert_row(&view, 1, "  two");
	assert_row(&view, 2, "");
	assert_row(&view, -1, "");
	assert_row(&view, 4, "");
	assert_int_equal(bh_view_last_row(&view), 1);
	bh_screen_free(screen);
	// The memory is used again; nothing of the screen before stays.
	screen = draw(&view, "x");
	assert_row(&view, 0, "x");
	assert_row(&view, 1, "");
	bh_screen_free(screen);
	screen = draw(&view, "");
	assert_int_equal(bh_view_last_row(&view), -1);
	bh_screen_free(screen);
	bh_view_clear(&view);
	assert_null(view.text);
	bh_view_clear(&view);
}

static void what_looks_blank_is_a_blank(void **state)
{
	struct bh_view view = {0};
	struct bh_screen *screen = draw(&view, "❯\u00a0a\u00a0\u00a0\r\n\x1b[8mpw\x1b[mz");

	(void)state;
	assert_row(&view, 0, "❯ a");
	assert_row(&view, 1, "  z");
	assert_int_equal(view.ink[view.rows[1].start], BH_INK_BLANK);
	bh_screen_free(screen);
	bh_view_clear(&view);
}

static void each_byte_has_its_column(void **state)
{
	struct bh_view view = {0};
	struct bh_screen *screen = draw(&view, "a漢b");

	(void)state;
	assert_row(&view, 0, "a漢b");
	assert_int_equal(view.col[0], 0);
	for (size_t i = 1; i <= strlen("漢"); i++) {
		assert_int_equal(view.col[i], 1);
	}
	// The glyph is two columns wide.
	assert_int_equal(view.col[1 + strlen("漢")], 3);
	bh_screen_free(screen);
	bh_view_clear(&view);
}

static void attributes_become_ink(void **state)
{
	struct bh_view view = {0};
	struct bh_screen *screen = draw(&view, "n\x1b[2md\x1b[m\x1b[1mb\x1b[m\x1b[7mr\x1b[m\x1b["
	                                       "31mc\x1b[m\x1b[1;31mx");
	static const uint8_t expected[] = {
		0,
		BH_INK_DIM,
		BH_INK_BOLD,
		BH_INK_REVERSE,
		BH_INK_COLOURED,
		BH_INK_BOLD | BH_INK_COLOURED,
	};

	(void)state;
	assert_memory_equal(view.ink, expected, sizeof expected);
	assert_int_equal(view.ink[view.rows[0].len], BH_INK_BLANK);
	bh_screen_free(screen);
	bh_view_clear(&view);
}

static void cursor_title_and_modes_are_told(void **state)
{
	struct bh_view view = {0};
	struct bh_screen *screen = draw(&view, "\x1b]2;name\x07");

	(void)state;
	assert_string_equal(view.title, "name");
	assert_true(view.is_cursor_shown);
	assert_false(view.is_alternate || view.has_paste || view.is_partial);
	bh_screen_free(screen);
	screen = draw(&view, "\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b[?2026h\x1b[3;5H");
	assert_int_equal(view.cursor_row, 2);
	assert_int_equal(view.cursor_col, 4);
	assert_false(view.is_cursor_shown);
	assert_true(view.is_alternate);
	assert_true(view.has_paste);
	assert_true(view.is_partial);
	assert_string_equal(view.title, "");
	bh_screen_free(screen);
	bh_view_clear(&view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_cut_and_parted),
		cmocka_unit_test(a_side_is_cut_off),
		cmocka_unit_test(what_looks_blank_is_a_blank),
		cmocka_unit_test(each_byte_has_its_column),
		cmocka_unit_test(attributes_become_ink),
		cmocka_unit_test(cursor_title_and_modes_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
