#include "term/history.h"

#include "tests/unit/screen_help.h"

#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *row_text(const struct bh_screen *s, uint64_t id, char *out, size_t size)
{
	(void)bh_screen_history_text(s, id, out, size); // compared as a string
	return out;
}

static void rows_come_back_with_their_looks(void **state)
{
	struct bh_screen *s = screen_with(12, 2,
	                                  "a\x1B[1;31mb\x1B[0;4:3;58;5;7;48;2;1;2;3mc\x1B[m d"
	                                  "\x1B]8;;http://x\x07"
	                                  "e\x1B]8;;\x07\u6F22e\u0301\r\n\n\n");
	struct bh_cell cells[12];

	(void)state;
	assert_int_equal(bh_screen_history_cells(s, 0, cells, 12), 9);
	assert_string_equal(cells[0].text, "a");
	assert_int_equal(cells[0].attrs, 0);
	assert_int_equal(cells[1].attrs, BH_ATTR_BOLD);
	assert_int_equal(cells[1].fg, BH_COLOR_INDEX(1));
	assert_int_equal(BH_ATTR_UNDERLINE(cells[2].attrs), BH_UNDERLINE_CURLY);
	assert_int_equal(cells[2].underline_color, BH_COLOR_INDEX(7));
	assert_int_equal(cells[2].bg, BH_COLOR_RGB(0x010203));
	assert_string_equal(cells[3].text, " ");
	assert_null(cells[4].link);
	assert_string_equal(cells[5].link, "http://x");
	assert_null(cells[6].link);
	assert_string_equal(cells[6].text, "\u6F22");
	assert_int_equal(cells[6].width, 2);
	assert_int_equal(cells[7].width, 0);
	assert_string_equal(cells[8].text, "e\u0301");
	bh_screen_free(s);
}

static void ids_grow_and_the_oldest_rows_go(void **state)
{
	struct bh_screen *s = bh_screen_new(
		&(struct bh_screen_settings){.cols = 10, .rows = 2, .history_rows = 100});
	char line[32];
	char text[32];

	(void)state;
	for (int i = 0; i < 2000; i++) {
		(void)snprintf(line, sizeof(line), "row %d\r\n", i); // fits
		screen_feed(s, line);
	}
	assert_int_equal(bh_screen_history_count(s), 100);
	assert_int_equal(bh_screen_history_first(s), 1899);
	assert_string_equal(row_text(s, 1899, text, sizeof(text)), "row 1899");
	assert_string_equal(row_text(s, 1998, text, sizeof(text)), "row 1998");
	assert_string_equal(row_text(s, 1898, text, sizeof(text)), "");
	assert_string_equal(row_text(s, 1999, text, sizeof(text)), "");
	bh_screen_free(s);
}

static void clearing_goes_on_with_the_ids(void **state)
{
	struct bh_screen *s = screen_with(10, 2, "1\r\n2\r\n3\r\n4\x1B[3J");
	char text[32];

	(void)state;
	assert_int_equal(bh_screen_history_count(s), 0);
	assert_int_equal(bh_screen_history_first(s), 2);
	screen_feed(s, "\r\n5");
	assert_int_equal(bh_screen_history_count(s), 1);
	assert_string_equal(row_text(s, 2, text, sizeof(text)), "3");
	bh_screen_free(s);
}

static void a_filled_row_costs_little(void **state)
{
	struct bh_screen *s = screen_with(80, 24, "");
	char line[80];

	(void)state;
	memset(line, 'x', 79);
	line[79] = '\0';
	for (int i = 0; i < 10000; i++) {
		screen_feed(s, line);
		screen_feed(s, "\r\n");
	}
	assert_in_range(bh_screen_history_count(s), 9900, 10000);
	// A third of what tmux takes is 146 bytes for a line.
	assert_true(bh_screen_history_bytes(s) < 10000 * 100);
	bh_screen_free(s);
}

static void hostile_links_do_not_fill_memory(void **state)
{
	struct bh_screen *s = bh_screen_new(
		&(struct bh_screen_settings){.cols = 500, .rows = 2, .history_rows = 1000});
	struct bh_bytes line = {0};

	(void)state;
	for (int i = 0; i < 500; i++) {
		bh_bytes_printf(&line, "\x1B]8;;http://%01000d\x07x", i);
	}
	for (int i = 0; i < 1200; i++) {
		bh_screen_feed(s, line.data, line.len, 0);
	}
	assert_true(bh_screen_history_bytes(s) < 16 << 20);
	bh_bytes_clear(&line);
	bh_screen_free(s);
}

static void without_history_nothing_is_kept(void **state)
{
	struct bh_screen *s = bh_screen_new(
		&(struct bh_screen_settings){.cols = 10, .rows = 2, .has_no_history = true});

	(void)state;
	screen_feed(s, "1\r\n2\r\n3\r\n4");
	assert_int_equal(bh_screen_history_count(s), 0);
	assert_int_equal(bh_screen_history_bytes(s), 0);
	bh_screen_free(s);
}

static void the_mark_of_a_wrapped_line_is_kept(void **state)
{
	struct bh_screen *s = screen_with(4, 2, "abcdefgh\r\nx\r\ny");

	(void)state;
	assert_true(bh_screen_history_is_wrapped(s, 0));
	assert_false(bh_screen_history_is_wrapped(s, 1));
	assert_false(bh_screen_history_is_wrapped(s, 99));
	bh_screen_free(s);
}

static void blanks_inside_of_a_wrapped_line_are_kept(void **state)
{
	struct bh_screen *s = screen_with(4, 2, "abc def\u6F22\r\nx  \r\ny\r\nz");
	size_t len = 0;
	char *ansi = bh_screen_history_ansi(s, 0, &len);

	(void)state;
	assert_string_equal(ansi, "abc ");
	free(ansi);
	// The blank where a wide glyph did not fit is none of the line.
	ansi = bh_screen_history_ansi(s, 1, &len);
	assert_string_equal(ansi, "def");
	free(ansi);
	ansi = bh_screen_history_ansi(s, 3, &len);
	assert_string_equal(ansi, "x");
	free(ansi);
	bh_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_come_back_with_their_looks),
		cmocka_unit_test(ids_grow_and_the_oldest_rows_go),
		cmocka_unit_test(clearing_goes_on_with_the_ids),
		cmocka_unit_test(a_filled_row_costs_little),
		cmocka_unit_test(hostile_links_do_not_fill_memory),
		cmocka_unit_test(without_history_nothing_is_kept),
		cmocka_unit_test(the_mark_of_a_wrapped_line_is_kept),
		cmocka_unit_test(blanks_inside_of_a_wrapped_line_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
