#include "src/ui/look.h"

#include "term/cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void check(struct bh_outer outer, struct bh_look look, const char *wanted)
{
	struct bh_buf out = {0};

	bh_look_put(&look, &outer, &out);
	assert_string_equal(out.data, wanted);
	bh_buf_clear(&out);
}

static const struct bh_outer direct = {.colors = BH_OUTER_DIRECT, .can = ~0U};
static const struct bh_outer indexed = {.colors = 256, .can = BH_OUTER_UNDERLINE};
static const struct bh_outer sixteen = {.colors = 16, .can = BH_OUTER_BOLD};
static const struct bh_outer eight = {.colors = 8, .can = BH_OUTER_BOLD};
static const struct bh_outer none = {.colors = 0, .can = BH_OUTER_REVERSE};

#define UNDERLINE(kind) ((uint16_t)((kind) << 9))

static void all_that_there_is(void **state)
{
	struct bh_look look = {.attrs = 0xff | UNDERLINE(BH_UNDERLINE_CURLY),
	                       .fg = BH_COLOR_RGB(0x010a64),
	                       .bg = BH_COLOR_INDEX(200),
	                       .underline_color = BH_COLOR_INDEX(3)};

	(void)state;
	check(direct, look, "\x1b[0;1;2;3;5;7;8;9;53;4:3;38;2;1;10;100;48;5;200;58;5;3m");
	check(none, look, "\x1b[0;7m");
	check(direct, (struct bh_look){0}, "\x1b[0m");
	look.attrs = UNDERLINE(BH_UNDERLINE_SINGLE);
	look.fg = BH_COLOR_INDEX(1);
	look.bg = BH_COLOR_INDEX(9);
	look.underline_color = BH_COLOR_DEFAULT;
	check(direct, look, "\x1b[0;4;31;101m");
}

static void underlines_become_simple(void **state)
{
	(void)state;
	check(indexed, (struct bh_look){.attrs = UNDERLINE(BH_UNDERLINE_DASHED)}, "\x1b[0;4m");
	check(sixteen, (struct bh_look){.attrs = UNDERLINE(BH_UNDERLINE_SINGLE)}, "\x1b[0m");
}

static void colours_become_the_nearest(void **state)
{
	(void)state;
	check(indexed, (struct bh_look){.fg = BH_COLOR_RGB(0xff0000), .bg = BH_COLOR_RGB(0x808080)},
	      "\x1b[0;38;5;196;48;5;244m");
	check(indexed, (struct bh_look){.fg = BH_COLOR_RGB(0x5f87af)}, "\x1b[0;38;5;67m");
	check(sixteen, (struct bh_look){.fg = BH_COLOR_RGB(0xf01010), .bg = BH_COLOR_INDEX(21)},
	      "\x1b[0;91;44m");
	check(sixteen, (struct bh_look){.fg = BH_COLOR_INDEX(231), .bg = BH_COLOR_INDEX(232)},
	      "\x1b[0;97;40m");
	check(eight, (struct bh_look){.fg = BH_COLOR_INDEX(9), .bg = BH_COLOR_INDEX(12)},
	      "\x1b[0;1;31;44m");
	check(eight, (struct bh_look){.attrs = BH_ATTR_BOLD, .fg = BH_COLOR_INDEX(9)},
	      "\x1b[0;1;31m");
}

/** Two colours that became one would hide the text: it keeps the terminal's own. */
static void text_stays_readable(void **state)
{
	(void)state;
	check(eight, (struct bh_look){.fg = BH_COLOR_INDEX(8), .bg = BH_COLOR_INDEX(0)},
	      "\x1b[0;1;40m");
	check(sixteen, (struct bh_look){.fg = BH_COLOR_INDEX(8), .bg = BH_COLOR_INDEX(0)},
	      "\x1b[0;90;40m");
	check(sixteen, (struct bh_look){.fg = BH_COLOR_RGB(0x000001), .bg = BH_COLOR_RGB(0x010000)},
	      "\x1b[0;40m");
	// But who wants them equal gets them equal.
	check(eight, (struct bh_look){.fg = BH_COLOR_INDEX(1), .bg = BH_COLOR_INDEX(1)},
	      "\x1b[0;31;41m");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_there_is),
		cmocka_unit_test(underlines_become_simple),
		cmocka_unit_test(colours_become_the_nearest),
		cmocka_unit_test(text_stays_readable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
