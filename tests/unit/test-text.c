#include "tests/unit/screen_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_row_is_never_cut_inside_a_glyph(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "a\u6F22e\u0301b");
	char out[16];

	(void)state;
	assert_int_equal(bh_screen_row_text(s, 0, out, 16), 8);
	assert_string_equal(out, "a\u6F22e\u0301b");
	assert_int_equal(bh_screen_row_text(s, 0, out, 8), 7);
	assert_string_equal(out, "a\u6F22e\u0301");
	assert_int_equal(bh_screen_row_text(s, 0, out, 7), 4);
	assert_string_equal(out, "a\u6F22");
	assert_int_equal(bh_screen_row_text(s, 0, out, 4), 1);
	assert_int_equal(bh_screen_row_text(s, 0, out, 1), 0);
	assert_string_equal(out, "");
	assert_int_equal(bh_screen_row_text(s, 0, NULL, 0), 0);
	assert_int_equal(bh_screen_row_text(s, -1, out, 16), 0);
	assert_int_equal(bh_screen_row_text(s, 5, out, 16), 0);
	bh_screen_free(s);
}

static void coloured_blanks_are_no_text(void **state)
{
	struct bh_screen *s =
		screen_with(20, 5, "a\x1B[41m   \x1B[K\r\n\x1B[K\r\n\x1B[mb\r\n\x1B[41m\x1B[K");
	char *text = bh_screen_text(s, NULL);

	(void)state;
	assert_string_equal(text, "a\n\nb\n");
	free(text);
	bh_screen_free(s);
}

static void cells_outside_are_blank(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "a");

	(void)state;
	assert_string_equal(bh_screen_cell(s, -1, 0).text, " ");
	assert_string_equal(bh_screen_cell(s, 0, 20).text, " ");
	assert_int_equal(bh_screen_cell(s, 99, 99).width, 1);
	bh_screen_free(s);
}

static void nothing_is_shown_after_the_used_columns(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "abc\r\n\x1B[41m\x1B[K\x1B[m\r\nabc\x1B[2K");

	(void)state;
	assert_in_range(bh_screen_row_used(s, 0), 3, 20);
	assert_int_equal(bh_screen_row_used(s, 1), 20);
	assert_int_equal(bh_screen_row_used(s, 4), 0);
	assert_int_equal(bh_screen_row_used(s, -1), 0);
	assert_int_equal(bh_screen_row_used(s, 5), 0);
	for (int row = 0; row < 5; row++) {
		for (int col = bh_screen_row_used(s, row); col < 20; col++) {
			struct bh_cell cell = bh_screen_cell(s, row, col);

			assert_string_equal(cell.text, " ");
			assert_int_equal(cell.bg, BH_COLOR_DEFAULT);
		}
	}
	bh_screen_free(s);
}

static void cells_in_short(void **state)
{
	struct bh_screen *s = screen_with(
		20, 5, "a\x1B[1;31;44m\u6F22\x1B[me\u0301\x1B]8;;u\x1B\\l\x1B]8;;\x1B\\");
	struct bh_cell_brief cells[24];

	(void)state;
	bh_screen_briefs(s, 0, 0, cells, 24);
	assert_int_equal(cells[0].code, 'a');
	assert_int_equal(cells[0].width, 1);
	assert_int_equal(cells[1].code, 0x6F22);
	assert_int_equal(cells[1].width, 2);
	assert_int_equal(cells[1].attrs, BH_ATTR_BOLD);
	assert_int_equal(cells[1].fg, BH_COLOR_INDEX(1));
	assert_int_equal(cells[1].bg, BH_COLOR_INDEX(4));
	assert_false(cells[1].has_more);
	assert_int_equal(cells[2].code, 0);
	assert_int_equal(cells[2].width, 0);
	assert_true(cells[3].has_more);
	assert_true(cells[4].has_more);
	for (int i = 5; i < 24; i++) {
		assert_int_equal(cells[i].code, ' ');
		assert_int_equal(cells[i].width, 1);
		assert_false(cells[i].has_more);
	}
	bh_screen_briefs(s, -1, -1, cells, 2);
	assert_int_equal(cells[1].code, ' ');
	bh_screen_free(s);
}

/** A row that is not new looks as it did when the screen was seen, whatever came in between. */
static void what_is_not_new_is_as_it_was(void **state)
{
	static const char *const pieces[] = {"a",
	                                     "xyz ",
	                                     "\u6F22",
	                                     "e\u0301",
	                                     "\r\n",
	                                     "\x1B[3;5H",
	                                     "\x1B[K",
	                                     "\x1B[1J",
	                                     "\x1B[44m",
	                                     "\x1B[0m",
	                                     "\x1B[L",
	                                     "\x1B[2M",
	                                     "\x1B[2P",
	                                     "\x1B[3@",
	                                     "\x1B[2X",
	                                     "\x1B[H",
	                                     "\x1BM",
	                                     "\x1B[2S",
	                                     "\x1B[T",
	                                     "\x1B[2;4r",
	                                     "\x1B[r",
	                                     "\x1B[?69h",
	                                     "\x1B[?69l",
	                                     "\x1B[3;9s",
	                                     "\x1B[?1049h",
	                                     "\x1B[?1049l",
	                                     "\x1B#8",
	                                     "\x1B[4h",
	                                     "\x1B[4l",
	                                     "\x1B[5b",
	                                     "\x1B[?2027h",
	                                     "\u2764\uFE0F",
	                                     "\u0301",
	                                     "\x1B[2'}",
	                                     "\x1B[2'~",
	                                     "\x1B[2J",
	                                     "\x1B[3 @",
	                                     "\x1B[2 A",
	                                     "\x1B[1\"q",
	                                     "\x1B[?1J",
	                                     "\x1B[2;2;4;9;31$r",
	                                     "\x1B[2;2;4;9$z",
	                                     "\x1B[1;1;3;9;1;3;5;1$v",
	                                     "\x1B[65;2;2;4;9$x",
	                                     "\x1B"
	                                     "c"};
	struct bh_screen *s = screen_with(20, 5, "");
	struct bh_cell was[5][20];
	unsigned seed = 3;
	int kept = 0;

	(void)state;
	assert_true(bh_screen_is_new(s, 4));
	for (int i = 0; i < 30000; i++) {
		seed = seed * 1103515245U + 12345U;
		if (seed >> 28 == 0 || i == 0) {
			bh_screen_see(s);
			for (int k = 0; k < 100; k++) {
				was[k / 20][k % 20] = bh_screen_cell(s, k / 20, k % 20);
			}
		}
		const char *piece = pieces[(seed >> 16) % (sizeof(pieces) / sizeof(pieces[0]))];

		bh_screen_feed(s, piece, strlen(piece), 1);
		for (int k = 0; k < 100; k++) {
			struct bh_cell is = bh_screen_cell(s, k / 20, k % 20);

			if (!bh_screen_is_new(s, k / 20)) {
				kept++;
				assert_string_equal(is.text, was[k / 20][k % 20].text);
				assert_int_equal(is.attrs, was[k / 20][k % 20].attrs);
				assert_int_equal(is.bg, was[k / 20][k % 20].bg);
			}
		}
	}
	// And it says so often enough to be of use.
	assert_true(kept > 100000);
	assert_false(bh_screen_is_new(s, -1));
	bh_screen_free(s);
}

static void ansi_is_text_with_attributes(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "a\x1B[1;31mbc\x1B[md\r\n\x1B[2mdim");
	size_t len;
	char *text = bh_screen_ansi(s, &len);

	(void)state;
	assert_string_equal(text, "a\x1B[0;1;31mbc\x1B[0md\n\x1B[0;2mdim\x1B[0m\n");
	assert_int_equal(len, strlen(text));
	free(text);
	bh_screen_free(s);
}

static void history_text_is_cut_alike(void **state)
{
	struct bh_screen *s = screen_with(20, 2, "a\u6F22b  \x1B[41m  \r\n\r\n\r\n");
	char out[16];

	(void)state;
	assert_int_equal(bh_screen_history_text(s, 0, out, 16), 5);
	assert_string_equal(out, "a\u6F22b");
	assert_int_equal(bh_screen_history_text(s, 0, out, 4), 1);
	assert_int_equal(bh_screen_history_text(s, 99, out, 16), 0);
	assert_string_equal(out, "");
	struct bh_cell cells[2];

	assert_int_equal(bh_screen_history_cells(s, 0, cells, 2), 8);
	assert_string_equal(cells[1].text, "\u6F22");
	bh_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_is_never_cut_inside_a_glyph),
		cmocka_unit_test(coloured_blanks_are_no_text),
		cmocka_unit_test(cells_outside_are_blank),
		cmocka_unit_test(nothing_is_shown_after_the_used_columns),
		cmocka_unit_test(cells_in_short),
		cmocka_unit_test(what_is_not_new_is_as_it_was),
		cmocka_unit_test(ansi_is_text_with_attributes),
		cmocka_unit_test(history_text_is_cut_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
