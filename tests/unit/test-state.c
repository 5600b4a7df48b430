#include "term/state.h"

#include "tests/unit/screen_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void moves_are_clamped(void **state)
{
	struct bh_screen *s = screen_with(10, 5, "");

	(void)state;
	bh_state_move(s, -1, 99);
	assert_int_equal(s->row, 0);
	assert_int_equal(s->col, 9);
	screen_feed(s, "\x1B[2;4r\x1B[?69h\x1B[3;6s\x1B[?6h");
	bh_state_move(s, 0, 0);
	assert_int_equal(s->row, 1);
	assert_int_equal(s->col, 2);
	bh_state_move(s, 99, 99);
	assert_int_equal(s->row, 3);
	assert_int_equal(s->col, 5);
	bh_screen_free(s);
}

static void a_line_feed_tells_whether_it_moved(void **state)
{
	struct bh_screen *s = screen_with(10, 3, "");

	(void)state;
	assert_true(bh_state_linefeed(s));
	assert_int_equal(s->row, 1);
	screen_feed(s, "\x1B[1;2r\x1B[3;1H");
	assert_false(bh_state_linefeed(s));
	assert_int_equal(s->row, 2);
	bh_screen_free(s);
}

static void reset_keeps_only_what_it_says(void **state)
{
	struct bh_screen *fresh = screen_with(10, 3, "");
	struct bh_screen *s = screen_with(
		10, 3,
		"text\x1B[1;31m\x1B[?1049h\x1B[>3u\x1B[2;3r\x1B[?6h\x1B[4h\x1B[?25l\x1B[5 q\x1B"
		"7\x1B[3g\x1B[22t\x1B]4;1;#fff\x07\x1B)0\x0E\x1B[?2026h\x1B[?1000h\x1B[>4;2m");
	const char *why = "";

	(void)state;
	bh_state_reset(s);
	if (!bh_screen_equal(s, fresh, &why)) {
		print_error("%s\n", why);
		fail();
	}
	bh_screen_free(s);
	bh_screen_free(fresh);
}

static void clusters_that_left_the_screen_are_swept(void **state)
{
	struct bh_screen *s = screen_with(20, 3, "");
	char line[64];

	(void)state;
	// Every line brings twenty new clusters; only those of three lines are on the screen.
	for (int i = 0; i < 2000; i++) {
		size_t len = 0;

		for (int c = 0; c < 10; c++) {
			int n = i * 10 + c;

			line[len++] = (char)('a' + n % 26);
			line[len++] = '\xCD';
			line[len++] = (char)(0x80 + n / 26 % 32);
			line[len++] = '\xCD';
			line[len++] = (char)(0x80 + n / 832 % 32);
		}
		line[len] = '\0';
		screen_feed(s, line);
	}
	assert_true(s->glyphs.clusters.used < 1200);
	struct bh_screen *twin = screen_expect_repaint(s, "swept");

	bh_screen_free(twin);
	bh_screen_free(s);
}

/** Print @count cells, each with a link of its own of about 2000 bytes. */
static void print_links(struct bh_screen *s, int first, int count)
{
	struct bh_bytes bytes = {0};

	for (int i = first; i < first + count; i++) {
		bh_bytes_printf(&bytes, "\x1B[58;5;%dm\x1B]8;;http://%02000d\x07x", i % 256, i);
	}
	bh_screen_feed(s, bytes.data, bytes.len, 0);
	bh_bytes_clear(&bytes);
}

static void links_that_left_the_screen_make_room(void **state)
{
	struct bh_screen *s = screen_with(20, 10, "");

	(void)state;
	print_links(s, 0, 5000);
	assert_non_null(bh_screen_cell(s, 9, 19).link);
	assert_true(s->glyphs.extras.bytes <= 4 << 20);
	bh_screen_free(screen_expect_repaint(s, "links"));
	bh_screen_free(s);
}

static void links_beyond_all_bounds_are_dropped(void **state)
{
	struct bh_screen *s = screen_with(100, 60, "");

	(void)state;
	print_links(s, 0, 6000);
	assert_non_null(bh_screen_cell(s, 0, 0).link);
	assert_null(bh_screen_cell(s, 59, 99).link);
	// What could not be kept is lost as a whole, and the rest is still equal.
	assert_int_equal(bh_screen_cell(s, 59, 99).underline_color, BH_COLOR_DEFAULT);
	bh_screen_free(screen_expect_repaint(s, "too many links"));
	screen_feed(s, "\x1B[2J");
	print_links(s, 0, 1);
	assert_int_not_equal(s->pen.extra, 0);
	bh_screen_free(s);
}

static void rows_go_to_history_only_when_kept(void **state)
{
	struct bh_screen *s = screen_with(10, 3, "1\r\n2\r\n3");

	(void)state;
	bh_state_scroll(s, (struct bh_rect){0, 0, 3, 10}, 1, 0, false);
	assert_int_equal(bh_screen_history_count(s), 0);
	bh_state_scroll(s, (struct bh_rect){0, 0, 3, 10}, 99, 0, true);
	assert_int_equal(bh_screen_history_count(s), 3);
	bh_state_scroll(s, (struct bh_rect){0, 1, 3, 10}, 1, 0, true);
	bh_state_scroll(s, (struct bh_rect){1, 0, 3, 10}, 1, 0, true);
	assert_int_equal(bh_screen_history_count(s), 3);
	bh_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves_are_clamped),
		cmocka_unit_test(a_line_feed_tells_whether_it_moved),
		cmocka_unit_test(reset_keeps_only_what_it_says),
		cmocka_unit_test(clusters_that_left_the_screen_are_swept),
		cmocka_unit_test(links_that_left_the_screen_make_room),
		cmocka_unit_test(links_beyond_all_bounds_are_dropped),
		cmocka_unit_test(rows_go_to_history_only_when_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
