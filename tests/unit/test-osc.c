#include "term/osc.h"

#include "tests/unit/screen_help.h"

#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void the_title_stack_is_bounded(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "");
	char bytes[64];

	(void)state;
	for (int i = 0; i < BH_STATE_TITLES + 3; i++) {
		(void)snprintf(bytes, sizeof(bytes), "\x1B]0;t%d\x07\x1B[22;0t", i); // fits
		screen_feed(s, bytes);
	}
	assert_int_equal(s->pushed_count, BH_STATE_TITLES);
	bh_screen_free(screen_expect_repaint(s, "titles"));
	for (int i = 0; i < BH_STATE_TITLES + 3; i++) {
		screen_feed(s, "\x1B[23;0t");
	}
	assert_string_equal(bh_screen_title(s), "t3");
	bh_screen_free(s);
}

static void colours_are_read_in_all_forms(void **state)
{
	static const struct {
		const char *spec;
		uint32_t rgb;
	} cases[] = {
		{"#123", 0x112233},
		{"#0a0b0c", 0x0A0B0C},
		{"rgb:1/2/3", 0x112233},
		{"rgb:12/34/56", 0x123456},
		{"rgb:1234/5678/9abc", 0x12569A},
		{"rgb:123/456/789", 0x124578},
	};
	struct bh_screen *s = screen_with(20, 5, "");
	char bytes[64];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		(void)snprintf(bytes, sizeof(bytes), "\x1B]4;7;%s\x07", cases[i].spec); // fits
		screen_feed(s, bytes);
		assert_int_equal(bh_osc_color(s, 7), cases[i].rgb);
	}
	screen_feed(
		s,
		"\x1B]4;7;nonsense;256;#fff;-1;#fff;7\x07\x1B]4\x07\x1B]4;\x07\x1B]10;rgb:1/2\x07");
	assert_int_equal(bh_osc_color(s, 7), 0x124578);
	bh_screen_free(s);
}

static void the_palette_is_xterms(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "");

	(void)state;
	assert_int_equal(bh_osc_color(s, 1), 0xCD0000);
	assert_int_equal(bh_osc_color(s, 16), 0x000000);
	assert_int_equal(bh_osc_color(s, 231), 0xFFFFFF);
	assert_int_equal(bh_osc_color(s, 232), 0x080808);
	assert_int_equal(bh_osc_color(s, 255), 0xEEEEEE);
	bh_screen_free(s);
}

static void an_untaken_notification_is_replaced(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "\x1B]9;one\x07\x1B]9;two\x07");
	struct bh_notification notification;

	(void)state;
	assert_true(bh_screen_take_notification(s, &notification));
	assert_string_equal(notification.body, "two");
	assert_false(bh_screen_take_notification(s, &notification));
	bh_screen_free(s);
}

static void the_clipboard_is_taken_once(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "\x1B]52;c;\x07");
	size_t len;
	char *text = bh_screen_take_clipboard(s, &len);

	(void)state;
	assert_string_equal(text, "");
	free(text);
	assert_null(bh_screen_take_clipboard(s, &len));
	bh_screen_free(s);
}

static void a_long_link_is_ignored(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "\x1B]8;;");

	(void)state;
	for (int i = 0; i <= BH_GLYPH_LINK_MAX; i++) {
		screen_feed(s, "x");
	}
	screen_feed(s, "\x07y");
	assert_null(bh_screen_cell(s, 0, 0).link);
	assert_string_equal(bh_screen_cell(s, 0, 0).text, "y");
	bh_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_title_stack_is_bounded),
		cmocka_unit_test(colours_are_read_in_all_forms),
		cmocka_unit_test(the_palette_is_xterms),
		cmocka_unit_test(an_untaken_notification_is_replaced),
		cmocka_unit_test(the_clipboard_is_taken_once),
		cmocka_unit_test(a_long_link_is_ignored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
