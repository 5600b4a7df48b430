#include "src/ui/draw.h"

#include "src/ui/strings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	COLS = 24,
	ROWS = 6
};

/** A drawing, and a terminal of our own that plays the person's. */
struct desk {
	struct bh_draw *draw;
	struct bh_screen *outer;
	struct bh_screen *inner;
};

static int desk_make(void **state)
{
	struct bh_draw_settings settings = {.cols = COLS, .rows = ROWS, .outer = bh_outer_full};
	struct bh_screen_settings outer = {.cols = COLS, .rows = ROWS};
	struct bh_screen_settings inner = {.cols = COLS, .rows = ROWS - 1};
	struct desk *desk = calloc(1, sizeof(*desk));

	desk->draw = bh_draw_new(&settings);
	desk->outer = bh_screen_new(&outer);
	desk->inner = bh_screen_new(&inner);
	*state = desk;
	return 0;
}

static int desk_remove(void **state)
{
	struct desk *desk = *state;

	bh_draw_free(desk->draw);
	bh_screen_free(desk->outer);
	bh_screen_free(desk->inner);
	free(desk);
	return 0;
}

static void say(struct desk *desk, const char *text)
{
	bh_screen_feed(desk->inner, text, strlen(text), 1);
}

/** Draw the inner screen on the outer one; gives the number of bytes it took. */
static size_t show(struct desk *desk)
{
	struct bh_draw_rect rect = {.rows = ROWS - 1, .cols = COLS};
	struct bh_cursor cursor = bh_screen_cursor(desk->inner);
	struct bh_buf out = {0};
	size_t len = 0;

	bh_draw_screen(desk->draw, rect, desk->inner, 0, 0);
	bh_draw_cursor(desk->draw, &cursor);
	bh_draw_flush(desk->draw, &out);
	bh_screen_feed(desk->outer, out.data, out.len, 1);
	len = out.len;
	bh_buf_clear(&out);
	return len;
}

/** Every cell and the cursor of the inner screen must be on the outer one. */
static void check_same(const struct desk *desk)
{
	struct bh_cursor a = bh_screen_cursor(desk->inner);
	struct bh_cursor b = bh_screen_cursor(desk->outer);

	for (int row = 0; row < ROWS - 1; row++) {
		for (int col = 0; col < COLS; col++) {
			struct bh_cell in = bh_screen_cell(desk->inner, row, col);
			struct bh_cell out = bh_screen_cell(desk->outer, row, col);

			if (strcmp(in.text, out.text) != 0 || in.width != out.width ||
			    in.attrs != out.attrs || in.fg != out.fg || in.bg != out.bg ||
			    in.underline_color != out.underline_color ||
			    (in.link == NULL) != (out.link == NULL) ||
			    (in.link != NULL && strcmp(in.link, out.link) != 0)) {
				fail_msg("row %d col %d: \"%s\" %x %x %x, shown \"%s\" %x %x %x",
				         row, col, in.text, in.attrs, in.fg, in.bg, out.text,
				         out.attrs, out.fg, out.bg);
			}
		}
	}
	assert_int_equal(a.is_visible, b.is_visible);
	if (a.is_visible) {
		assert_int_equal(a.row, b.row);
		assert_int_equal(a.col, b.col);
		assert_int_equal(a.shape, b.shape);
	}
}

static void everything_arrives(void **state)
{
	struct desk *desk = *state;

	say(desk, "plain \x1b[1;3;4mbold\x1b[0;2;7mdim\x1b[0m\r\n"
	          "\x1b[31;42mred\x1b[91;102mbright\x1b[38;5;200;48;5;20mcube\x1b[0m\r\n"
	          "\x1b[38;2;1;2;3;48;2;250;251;252mrgb\x1b[0;9;53mlines\x1b[0;4:3;58;2;9;8;7mcurl"
	          "\x1b[0m\r\n"
	          "\xe4\xbd\xa0\xe5\xa5\xbd wide e\xcc\x81 \xf0\x9f\x98\x80!\r\n"
	          "\x1b]8;;http://x/\x1b\\link\x1b]8;;\x1b\\ \x1b[4 q");
	(void)show(desk);
	check_same(desk);
	// The second time there is nothing to say.
	assert_int_equal(show(desk), 0);
}

static void only_differences_are_written(void **state)
{
	struct desk *desk = *state;

	say(desk, "one\r\ntwo\r\nthree\r\n");
	(void)show(desk);
	say(desk, "\x1b[2;1HTwo\x1b[4;1H");
	assert_true(show(desk) < 40);
	check_same(desk);
	say(desk, "\x1b[2J\x1b[H\x1b[?25l");
	assert_true(show(desk) < 60);
	check_same(desk);
	say(desk, "\x1b[?25h");
	(void)show(desk);
	check_same(desk);
}

/** Wide characters that are half overwritten, on both sides. */
static void halves_do_not_stay(void **state)
{
	struct desk *desk = *state;

	say(desk, "\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xbd\xa0\xe5\xa5\xbd");
	(void)show(desk);
	say(desk, "\x1b[1;2Hx");
	(void)show(desk);
	check_same(desk);
	say(desk, "\x1b[1;5Hy\x1b[1;8Hz");
	(void)show(desk);
	check_same(desk);
	say(desk, "\x1b[1;1H \xe4\xbd\xa0");
	(void)show(desk);
	check_same(desk);
}

static void check_outer_text(const struct desk *desk, int row, int col, const char *text)
{
	for (; *text != '\0'; text++, col++) {
		struct bh_cell cell = bh_screen_cell(desk->outer, row, col);

		assert_int_equal(cell.text_len, 1);
		assert_int_equal(cell.text[0], *text);
	}
}

/** Emoji of several parts on a terminal that counts their columns in another way. */
static void emoji_of_parts_push_nothing_aside(void **state)
{
	struct desk *desk = *state;

	say(desk, "abcdefghij\r\nxyz\x1b[?2027h");
	(void)show(desk);
	// A family: two columns here, six there.
	say(desk, "\x1b[H\U0001F468\u200D\U0001F469\u200D\U0001F467");
	// A heart with U+FE0F: two columns here, one there.
	say(desk, "\x1b[2H\u2764\uFE0F");
	(void)show(desk);
	check_outer_text(desk, 0, 2, "cdefghij");
	check_outer_text(desk, 1, 1, " z");
	assert_int_equal(show(desk), 0);
}

/** Draw what is new on the inner screen on the outer one. */
static void show_again(struct desk *desk)
{
	struct bh_draw_rect rect = {.rows = ROWS - 1, .cols = COLS};
	struct bh_cursor cursor = bh_screen_cursor(desk->inner);
	struct bh_buf out = {0};

	bh_draw_screen_again(desk->draw, rect, desk->inner, 0, 0);
	bh_screen_see(desk->inner);
	bh_draw_cursor(desk->draw, &cursor);
	bh_draw_flush(desk->draw, &out);
	bh_screen_feed(desk->outer, out.data, out.len, 1);
	bh_buf_clear(&out);
}

/** Random output, frame after frame: the outer terminal never drifts away. */
static void it_never_drifts(void **state)
{
	static const char *const pieces[] = {"a",
	                                     "xyz",
	                                     "\xe4\xbd\xa0",
	                                     "\xf0\x9f\x98\x80",
	                                     "\r\n",
	                                     "\x1b[3;5H",
	                                     "\x1b[K",
	                                     "\x1b[1J",
	                                     "\x1b[44m",
	                                     "\x1b[0m",
	                                     "\x1b[1;31m",
	                                     "\x1b[L",
	                                     "\x1b[2P",
	                                     "\x1b[3@",
	                                     "\x1b[H",
	                                     "\x1b[5;20H",
	                                     "\x1b[?7l",
	                                     "\x1b[?7h",
	                                     "e\xcc\x81",
	                                     "\t",
	                                     "\x1b]8;;u\x1b\\",
	                                     "\x1b]8;;\x1b\\",
	                                     "\b"};
	struct desk *desk = *state;
	unsigned seed = 7;

	for (int frame = 0; frame < 2000; frame++) {
		for (int i = 0; i < 4; i++) {
			seed = seed * 1103515245U + 12345U;
			say(desk, pieces[(seed >> 16) % (sizeof(pieces) / sizeof(pieces[0]))]);
		}
		if (frame % 2 == 0) {
			show_again(desk);
		} else {
			(void)show(desk);
		}
		check_same(desk);
	}
}

static void an_unknown_terminal_is_drawn_whole(void **state)
{
	struct desk *desk = *state;

	say(desk, "hello");
	(void)show(desk);
	bh_screen_feed(desk->outer, "\x1b[2J\x1b[HGARBAGE\x1b[31m", 19, 1);
	bh_draw_invalidate(desk->draw);
	(void)show(desk);
	check_same(desk);
}

static void a_part_of_a_larger_screen_is_shown(void **state)
{
	struct desk *desk = *state;
	struct bh_draw_rect rect = {.row = 1, .col = 2, .rows = 2, .cols = 5};
	char text[100];
	struct bh_buf out = {0};

	say(desk, "0123456789\r\nabcde\xe4\xbd\xa0hij\r\nABCDEFGHIJ");
	bh_draw_screen(desk->draw, rect, desk->inner, 1, 2);
	bh_draw_flush(desk->draw, &out);
	bh_screen_feed(desk->outer, out.data, out.len, 1);
	bh_buf_clear(&out);
	(void)bh_screen_row_text(desk->outer, 0, text, sizeof(text));
	assert_string_equal(text, "");
	(void)bh_screen_row_text(desk->outer, 1, text, sizeof(text));
	assert_string_equal(text, "  cde\xe4\xbd\xa0");
	(void)bh_screen_row_text(desk->outer, 2, text, sizeof(text));
	assert_string_equal(text, "  CDEFG");

	// One column less cuts the wide character: a blank.
	rect.cols = 4;
	bh_draw_clear(desk->draw, (struct bh_draw_rect){0, 0, ROWS, COLS},
	              (struct bh_draw_style){0});
	bh_draw_screen(desk->draw, rect, desk->inner, 1, 2);
	bh_draw_flush(desk->draw, &out);
	bh_screen_feed(desk->outer, out.data, out.len, 1);
	bh_buf_clear(&out);
	(void)bh_screen_row_text(desk->outer, 1, text, sizeof(text));
	assert_string_equal(text, "  cde");
}

static void text_is_cut_between_characters(void **state)
{
	struct desk *desk = *state;
	struct bh_draw_style style = {.attrs = BH_ATTR_REVERSE};

	assert_int_equal(bh_draw_text(desk->draw, 0, 0, 5, "ab\xe4\xbd\xa0\xe5\xa5\xbd", style), 4);
	assert_int_equal(bh_draw_text(desk->draw, 1, COLS - 1, 5, "\xe4\xbd\xa0", style), 0);
	assert_int_equal(bh_draw_text(desk->draw, 1, 0, 9, "e\xcc\x81\x1b[2J\xff!", style), 5);
	assert_int_equal(bh_draw_width("e\xcc\x81 \xe4\xbd\xa0"), 4);
	assert_int_equal(bh_draw_text(desk->draw, ROWS, 0, 5, "x", style), 0);
	// A flag, and a family: two columns each, never cut inside.
	assert_int_equal(bh_draw_width("\U0001F1E9\U0001F1EA\U0001F468\u200D\U0001F469!"), 5);
	assert_int_equal(bh_draw_text(desk->draw, 2, 0, 3,
	                              "\U0001F1E9\U0001F1EA\U0001F468\u200D\U0001F469", style),
	                 2);
}

static void a_name_loses_its_middle(void **state)
{
	static const struct {
		const char *name;
		int max;
		const char *shown;
	} rows[] = {
		{"worker-17", 9, "worker-17"},
		{"agent-of-the-house-17", 9, "agen…e-17"},
		{"agent-of-the-house-17", 8, "agen…-17"},
		{"agent-of-the-house-17", 3, "a…7"},
		{"agent-of-the-house-17", 2, "a…"},
		{"agent-of-the-house-17", 1, "…"},
		{"agent-of-the-house-17", 0, ""},
		{"\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xbd\xa0\xe5\xa5\xbd", 6,
	         "\xe4\xbd\xa0…\xe5\xa5\xbd"},
	};

	struct desk *desk = *state;
	struct bh_draw_style style = {0};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bh_buf out = {0};
		char text[COLS * 4 + 1];

		bh_draw_clear(desk->draw, (struct bh_draw_rect){0, 0, 1, COLS}, style);
		(void)bh_draw_name(desk->draw, 0, 0, rows[i].max, rows[i].name, style);
		bh_draw_flush(desk->draw, &out);
		bh_screen_feed(desk->outer, out.data, out.len, 1);
		bh_buf_clear(&out);
		(void)bh_screen_row_text(desk->outer, 0, text, sizeof(text));
		assert_string_equal(text, rows[i].shown);
	}
}

/** Text over one half of a wide character leaves a blank where the other half was. */
static void text_over_half_a_character(void **state)
{
	struct desk *desk = *state;
	struct bh_draw_rect rect = {.rows = ROWS - 1, .cols = COLS};
	struct bh_buf out = {0};
	char text[COLS * 4 + 1];

	say(desk, "\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xbd\xa0");
	for (int round = 0; round < 2; round++) {
		bh_draw_screen(desk->draw, rect, desk->inner, 0, 0);
		(void)bh_draw_text(desk->draw, 0, 1, 4, "abcd", (struct bh_draw_style){0});
		bh_draw_flush(desk->draw, &out);
		bh_screen_feed(desk->outer, out.data, out.len, 1);
		bh_buf_clear(&out);
		(void)bh_screen_row_text(desk->outer, 0, text, sizeof(text));
		assert_string_equal(text, " abcd");
	}
	(void)show(desk);
	check_same(desk);
}

/** More different long glyphs and links than there is room for, and then few again. */
static void strings_without_end(void **state)
{
	struct desk *desk = *state;
	char text[160];

	for (int i = 0; i < BH_STRINGS_MAX + 200; i++) {
		(void)snprintf(text, sizeof(text),
		               "\x1b[%d;%dH\x1b]8;;http://x/%d\x1b\\e\u0301\u0302\u0303\u0304\u0305"
		               "\u0306\u0307\x1b]8;;\x1b\\",
		               i / COLS % (ROWS - 1) + 1, i % COLS + 1, i);
		say(desk, text);
		(void)show(desk);
	}
	check_same(desk);
	assert_int_equal(show(desk), 0);
}

static void direct_colours_are_simplified_for_others(void **state)
{
	struct bh_draw_settings settings = {
		.cols = 4, .rows = 1, .outer = {.colors = 256, .can = BH_OUTER_UNDERLINE}};
	struct bh_screen_settings inner = {.cols = 4, .rows = 2};
	struct bh_draw *draw = bh_draw_new(&settings);
	struct bh_screen *screen = bh_screen_new(&inner);
	struct bh_buf out = {0};

	(void)state;
	bh_screen_feed(screen, "\x1b[38;2;255;0;0;48;2;128;128;128;4:3mX", 37, 1);
	bh_draw_screen(draw, (struct bh_draw_rect){0, 0, 1, 4}, screen, 0, 0);
	bh_draw_flush(draw, &out);
	assert_non_null(strstr(out.data, "\x1b[0;4;38;5;196;48;5;244mX"));
	bh_buf_clear(&out);
	bh_screen_free(screen);
	bh_draw_free(draw);
}

/** A terminal that turns out to be able to more: what is there is drawn once more, as it should be. */
static void a_terminal_grows(void **state)
{
	static const struct bh_outer poor = {.colors = 8, .can = BH_OUTER_UNDERLINE};
	struct desk *desk = *state;
	struct bh_cell cell;
	size_t all = 0;

	bh_draw_set_outer(desk->draw, &poor);
	say(desk, "plain text\r\nmore of it\r\n\x1b[4:3;38;2;250;10;20mX\x1b[m");
	all = show(desk);
	cell = bh_screen_cell(desk->outer, 2, 0);
	assert_int_equal(cell.fg, BH_COLOR_INDEX(1));
	assert_int_equal(BH_ATTR_UNDERLINE(cell.attrs), BH_UNDERLINE_SINGLE);
	bh_draw_set_outer(desk->draw, &poor);
	assert_int_equal(show(desk), 0);
	bh_draw_set_outer(desk->draw, &bh_outer_full);
	assert_in_range(show(desk), 1, all);
	check_same(desk);
	assert_int_equal(show(desk), 0);
}

static void what_a_screen_does_not_fill_is_blank(void **state)
{
	struct desk *desk = *state;
	struct bh_screen_settings settings = {.cols = 4, .rows = 2};
	struct bh_screen *small = bh_screen_new(&settings);
	struct bh_draw_rect rect = {.rows = 3, .cols = 6};
	struct bh_buf out = {0};
	char text[COLS * 4 + 1];

	bh_screen_feed(small, "abcd", 4, 1);
	for (int row = 0; row < 4; row++) {
		(void)bh_draw_text(desk->draw, row, 0, 8, "xxxxxxxx", (struct bh_draw_style){0});
	}
	// Its second column on: one column less, and the rest of the place is blanked.
	bh_draw_screen(desk->draw, rect, small, 0, 1);
	bh_draw_flush(desk->draw, &out);
	bh_screen_feed(desk->outer, out.data, out.len, 1);
	bh_buf_clear(&out);
	static const char *const wanted[] = {"bcd   xx", "      xx", "      xx", "xxxxxxxx"};
	for (int row = 0; row < 4; row++) {
		(void)bh_screen_row_text(desk->outer, row, text, sizeof(text));
		assert_string_equal(text, wanted[row]);
	}
	// A place beyond the screen is all blank.
	bh_draw_screen(desk->draw, rect, small, 5, 9);
	bh_draw_flush(desk->draw, &out);
	bh_screen_feed(desk->outer, out.data, out.len, 1);
	bh_buf_clear(&out);
	(void)bh_screen_row_text(desk->outer, 0, text, sizeof(text));
	assert_string_equal(text, "      xx");
	bh_screen_free(small);
}

int main(void)
{
#define DESK(name) cmocka_unit_test_setup_teardown(name, desk_make, desk_remove)
	const struct CMUnitTest tests[] = {
		DESK(everything_arrives),
		DESK(only_differences_are_written),
		DESK(halves_do_not_stay),
		DESK(it_never_drifts),
		DESK(an_unknown_terminal_is_drawn_whole),
		DESK(a_part_of_a_larger_screen_is_shown),
		DESK(what_a_screen_does_not_fill_is_blank),
		DESK(text_is_cut_between_characters),
		DESK(a_name_loses_its_middle),
		DESK(text_over_half_a_character),
		DESK(strings_without_end),
		DESK(a_terminal_grows),
		DESK(emoji_of_parts_push_nothing_aside),
		cmocka_unit_test(direct_colours_are_simplified_for_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
