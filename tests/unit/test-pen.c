#include "term/pen.h"

#include "term/cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void apply(struct bh_pen *pen, const char *sgr)
{
	struct bh_sieve sieve = {0};
	struct bh_token token;

	(void)bh_sieve_next(&sieve, (const uint8_t *)sgr, strlen(sgr), &token); // one token
	assert_int_equal(token.kind, BH_TOKEN_CSI);
	bh_pen_apply(pen, &token);
	bh_sieve_clear(&sieve);
}

/** A pen that was written and read back must be the same. */
static void expect_round_trip(const struct bh_pen *pen)
{
	struct bh_bytes sgr = {0};
	struct bh_pen back = {.fg = 77, .bg = 78, .underline_color = 79, .attrs = 0xFF};

	bh_bytes_puts(&sgr, "\x1B[");
	bh_pen_write(pen, &sgr);
	bh_bytes_puts(&sgr, "m");
	apply(&back, sgr.data);
	bh_bytes_clear(&sgr);
	assert_int_equal(back.fg, pen->fg);
	assert_int_equal(back.bg, pen->bg);
	assert_int_equal(back.underline_color, pen->underline_color);
	assert_int_equal(back.attrs, pen->attrs);
}

static void every_attribute_round_trips(void **state)
{
	(void)state;
	for (unsigned bits = 0; bits < 256; bits++) {
		for (unsigned underline = 0; underline <= BH_UNDERLINE_DASHED; underline++) {
			struct bh_pen pen = {.attrs = (uint16_t)(bits | underline << 9)};

			expect_round_trip(&pen);
		}
	}
}

static void every_kind_of_colour_round_trips(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 256; i++) {
		struct bh_pen pen = {.fg = BH_COLOR_INDEX(i),
		                     .bg = BH_COLOR_INDEX(255 - i),
		                     .underline_color = BH_COLOR_INDEX(i)};

		expect_round_trip(&pen);
	}
	expect_round_trip(&(struct bh_pen){.fg = BH_COLOR_RGB(0x010203),
	                                   .bg = BH_COLOR_RGB(0xFFFFFF),
	                                   .underline_color = BH_COLOR_RGB(0)});
}

static void protection_is_not_of_sgr(void **state)
{
	struct bh_pen pen = {.attrs = BH_ATTR_PROTECTED | BH_ATTR_BOLD, .extra = 5};

	(void)state;
	apply(&pen, "\x1B[m");
	assert_int_equal(pen.attrs, BH_ATTR_PROTECTED);
	assert_int_equal(pen.extra, 5);
}

static void bold_and_dim_end_together(void **state)
{
	struct bh_pen pen = {0};

	(void)state;
	apply(&pen, "\x1B[1;2;3m");
	apply(&pen, "\x1B[22m");
	assert_int_equal(pen.attrs, BH_ATTR_ITALIC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_attribute_round_trips),
		cmocka_unit_test(every_kind_of_colour_round_trips),
		cmocka_unit_test(protection_is_not_of_sgr),
		cmocka_unit_test(bold_and_dim_end_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
