#include "term/print.h"

#include "tests/unit/screen_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** A run must look like its bytes one by one. */
static void expect_same_as_single(const char *prepare, const char *text)
{
	struct bh_screen *run = screen_with(10, 4, prepare);
	struct bh_screen *single = screen_with(10, 4, prepare);
	const char *why = "";

	bh_print_ascii(run, text, strlen(text));
	for (size_t i = 0; text[i] != '\0'; i++) {
		bh_print_ascii(single, text + i, 1);
	}
	if (!bh_screen_equal(run, single, &why)) {
		print_error("%s\n", why);
		fail();
	}
	bh_screen_free(run);
	bh_screen_free(single);
}

static void runs_are_their_bytes(void **state)
{
	static const char *const prepares[] = {
		"",
		"\x1B[3;9H",
		"\x1B[4h",
		"\x1B[?7l",
		"\x1B(0",
		"\x1B*A\x1BN",
		"\x1B[?2027h",
		"\x1B[?69h\x1B[3;6s\x1B[2;3r",
		"\x1B[?69h\x1B[3;6s\x1B[1;8H",
		"\u6F22\u6F22\r\x1B[C",
		"\x1B[?2027h\u0600",
		"\x1B[?7l\x1B[?2027h",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(prepares) / sizeof(prepares[0]); i++) {
		expect_same_as_single(prepares[i], "x");
		expect_same_as_single(prepares[i], "#qab cd");
		expect_same_as_single(prepares[i], "0123456789");
		expect_same_as_single(prepares[i],
		                      "a long line of text that wraps and scrolls too");
	}
}

static void a_glyph_is_possible_in_one_of_two_ways(void **state)
{
	bool is_cluster;

	(void)state;
	assert_true(bh_print_is_possible("a", 1, 1, &is_cluster));
	assert_false(is_cluster);
	assert_true(bh_print_is_possible("\u2764\uFE0F", 6, 1, &is_cluster));
	assert_false(is_cluster);
	assert_true(bh_print_is_possible("\u2764\uFE0F", 6, 2, &is_cluster));
	assert_true(is_cluster);
	assert_false(bh_print_is_possible("ab", 2, 1, &is_cluster));
	assert_false(bh_print_is_possible("a", 1, 2, &is_cluster));
}

static void repeating_wraps_and_is_bounded_by_the_screen(void **state)
{
	struct bh_screen *s = screen_with(10, 4, "ab");

	(void)state;
	bh_print_repeat(s, 1000000);
	screen_expect_row(s, 0, "bbbbbbbbbb");
	screen_expect_row(s, 2, "bbbbbbbbbb");
	screen_expect_row(s, 3, "bb");
	bh_screen_free(s);
	s = screen_with(10, 4, "");
	bh_print_repeat(s, 5);
	screen_expect_row(s, 0, "");
	bh_screen_free(s);
}

static void a_glyph_has_at_most_so_many_bytes(void **state)
{
	struct bh_screen *s = screen_with(10, 4, "a");

	(void)state;
	for (int i = 0; i < 100; i++) {
		bh_print_codepoint(s, 0xE0100);
		bh_print_codepoint(s, 0x301);
	}
	struct bh_cell cell = bh_screen_cell(s, 0, 0);

	assert_true(cell.text_len < BH_CELL_TEXT);
	assert_int_equal(strlen(cell.text), cell.text_len);
	assert_true(cell.text_len > 20);
	bh_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_are_their_bytes),
		cmocka_unit_test(a_glyph_is_possible_in_one_of_two_ways),
		cmocka_unit_test(repeating_wraps_and_is_bounded_by_the_screen),
		cmocka_unit_test(a_glyph_has_at_most_so_many_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
