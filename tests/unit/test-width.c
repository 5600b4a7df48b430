#include "term/width.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void single_code_points(void **state)
{
	static const struct {
		uint32_t cp;
		int width;
	} cases[] = {
		{'a', 1},     {' ', 1},    {0x1F, -1},  {0x7F, -1},  {0x80, -1},   {0x9F, -1},
		{0xA0, 1},    {0xE9, 1},   {0x300, 0},  {0x6F22, 2}, {0xAC00, 2},  {0x1F7E2, 2},
		{0x1F9E0, 2}, {0x2764, 1}, {0xFE0F, 0}, {0x200D, 0}, {0x200B, -1}, {0x202E, -1},
		{0xFEFF, -1}, {0x2500, 1}, {0x28FF, 1}, {0xE0B0, 1}, {0xFFFD, 1},  {0x1F1E9, 1},
		{0x093F, 1},  {0x0E33, 1}, {0x1161, 0}, {0x11AB, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(bh_width_codepoint(cases[i].cp), cases[i].width);
	}
}

#define FAMILY "\U0001F468\u200D\U0001F469\u200D\U0001F467"
#define FLAG "\U0001F1E9\U0001F1EA"
#define HANGUL "\u1112\u1161\u11AB"

static void clusters_are_never_a_sum(void **state)
{
	static const struct {
		const char *text;
		int width;
	} cases[] = {
		{"a", 1},          {"e\u0301", 1},       {FAMILY, 2},         {FLAG, 2},
		{"\U0001F1E9", 1}, {HANGUL, 2},          {"\u2764\uFE0F", 2}, {"\u2764", 1},
		{"\u6F22", 2},     {"1\uFE0F\u20E3", 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *text = cases[i].text;

		assert_int_equal(bh_width_cluster(text, strlen(text)), cases[i].width);
		assert_true(bh_width_is_cluster(text, strlen(text)));
	}
}

static void what_continues_a_cluster(void **state)
{
	(void)state;
	assert_true(bh_width_continues("e", 1, 0x301));
	assert_false(bh_width_continues("e", 1, 'f'));
	assert_true(bh_width_continues("\U0001F1E9", 4, 0x1F1EA));
	// Two make a flag, the third begins another.
	assert_false(bh_width_continues(FLAG, 8, 0x1F1E9));
	assert_true(bh_width_continues("\U0001F468\u200D", 7, 0x1F469));
	assert_true(bh_width_continues("\U0001F44D", 4, 0x1F3FD));
	// A spacing mark has a column of its own: Thai sara am.
	assert_false(bh_width_continues("\u0E01", 3, 0x0E33));
	assert_true(bh_width_continues("\u0E01", 3, 0x0E31));
	assert_false(bh_width_continues("", 0, 'a'));
	assert_false(bh_width_is_cluster("ab", 2));
	assert_false(bh_width_is_cluster("", 0));
}

static void marked_glyphs(void **state)
{
	(void)state;
	assert_int_equal(bh_width_marked("e\u0301", 3), 1);
	assert_int_equal(bh_width_marked("\u6F22\u0301", 5), 2);
	assert_int_equal(bh_width_marked(FLAG, 8), 0);
	assert_int_equal(bh_width_marked("\u0301", 2), 0);
	assert_int_equal(bh_width_marked("", 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(single_code_points),
		cmocka_unit_test(clusters_are_never_a_sum),
		cmocka_unit_test(what_continues_a_cluster),
		cmocka_unit_test(marked_glyphs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
