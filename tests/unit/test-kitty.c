#include "term/kitty.h"

#include "tests/unit/screen_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void the_oldest_entry_falls_out_of_the_stack(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "\x1B[=31u");

	(void)state;
	for (int i = 0; i < BH_STATE_KITTY; i++) {
		screen_feed(s, "\x1B[>1u");
	}
	bh_screen_free(screen_expect_repaint(s, "full stack"));
	screen_feed(s, "\x1B[>2u");
	bh_screen_free(screen_expect_repaint(s, "overfull stack"));
	// The 31 of the beginning is lost, the rest comes back in order.
	screen_feed(s, "\x1B[<u");
	assert_int_equal(bh_screen_kitty_flags(s), 1);
	screen_feed(s, "\x1B[<15u");
	assert_int_equal(bh_screen_kitty_flags(s), 1);
	screen_feed(s, "\x1B[<u");
	assert_int_equal(bh_screen_kitty_flags(s), 0);
	bh_screen_free(s);
}

static void unknown_flags_are_masked(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "\x1B[>65535u\x1B[?u");

	(void)state;
	assert_int_equal(bh_screen_kitty_flags(s), BH_KITTY_FLAGS);
	screen_expect_replies(s, "\x1B[?31u");
	bh_screen_free(s);
}

static void other_resources_are_not_ours(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "\x1B[>4;2m\x1B[>1;1m\x1B[>4;3m");

	(void)state;
	assert_int_equal(bh_screen_modify_other_keys(s), 2);
	screen_feed(s, "\x1B[>m");
	assert_int_equal(bh_screen_modify_other_keys(s), 0);
	bh_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_oldest_entry_falls_out_of_the_stack),
		cmocka_unit_test(unknown_flags_are_masked),
		cmocka_unit_test(other_resources_are_not_ours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
