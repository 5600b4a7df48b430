#include "term/reflow.h"

#include "tests/unit/screen_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** The text of the screen with wrapped rows joined. */
static char *joined(const struct bh_screen *s)
{
	struct bh_bytes out = {0};
	char row[4096];

	for (int r = 0; r < bh_screen_rows(s); r++) {
		size_t len = bh_screen_row_text(s, r, row, sizeof(row));

		bh_bytes_add(&out, row, len);
		if (!bh_screen_is_wrapped(s, r)) {
			bh_bytes_add_byte(&out, '\n');
		}
	}
	while (out.len > 0 && out.data[out.len - 1] == '\n') {
		out.len--;
	}
	out.data[out.len] = '\0';
	return bh_bytes_detach(&out, NULL);
}

static void text_survives_every_width(void **state)
{
	struct bh_screen *s = screen_with(
		40, 30,
		"The\u6F22quick\u5B57brownfox\r\njumps\r\n\r\nover-the-lazy-dog-\u6F22\u5B57");
	char *want = joined(s);

	(void)state;
	for (int cols = 39; cols >= 6; cols--) {
		bh_screen_resize(s, cols, 30);
		char *got = joined(s);

		assert_string_equal(got, want);
		free(got);
	}
	for (int cols = 7; cols < 60; cols += 3) {
		bh_screen_resize(s, cols, 30);
		char *got = joined(s);

		assert_string_equal(got, want);
		free(got);
	}
	free(want);
	bh_screen_free(s);
}

static void the_cursor_keeps_its_place_in_the_text(void **state)
{
	struct bh_screen *s = screen_with(20, 8, "abcdefghijklmno\x1B[1;13H");

	(void)state;
	for (int cols = 19; cols >= 3; cols--) {
		bh_screen_resize(s, cols, 8);
		struct bh_cursor cursor = bh_screen_cursor(s);

		assert_string_equal(bh_screen_cell(s, cursor.row, cursor.col).text, "m");
	}
	bh_screen_free(s);
}

static void the_cursor_is_always_inside(void **state)
{
	static const int sizes[] = {2, 3, 80, 2, 5, 1000, 7, 2};
	struct bh_screen *s = screen_with(80, 24, "");

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (size_t j = 0; j < sizeof(sizes) / sizeof(sizes[0]); j++) {
			screen_feed(s, "some text\r\nmore \u6F22 text\x1B[999;999H\x1B"
			               "7x");
			bh_screen_resize(s, sizes[i], sizes[j]);
			struct bh_cursor cursor = bh_screen_cursor(s);

			assert_in_range(cursor.row, 0, bh_screen_rows(s) - 1);
			assert_in_range(cursor.col, 0, bh_screen_cols(s) - 1);
			screen_feed(s, "\x1B"
			               "8y");
			bh_screen_free(screen_expect_repaint(s, "resized"));
		}
	}
	bh_screen_free(s);
}

static void an_equal_size_changes_nothing(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "text\x1B[2;4r\x1B[?6h");

	(void)state;
	(void)bh_screen_take_changes(s);
	bh_screen_resize(s, 20, 5);
	assert_int_equal(bh_screen_take_changes(s), 0);
	assert_true(bh_screen_mode(s, BH_SCREEN_MODE_ORIGIN));
	bh_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_survives_every_width),
		cmocka_unit_test(the_cursor_keeps_its_place_in_the_text),
		cmocka_unit_test(the_cursor_is_always_inside),
		cmocka_unit_test(an_equal_size_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
