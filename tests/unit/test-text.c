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
		cmocka_unit_test(ansi_is_text_with_attributes),
		cmocka_unit_test(history_text_is_cut_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
