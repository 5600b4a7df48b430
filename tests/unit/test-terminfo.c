#include "src/ui/terminfo.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct bh_outer read_of(const char *term)
{
	struct bh_outer outer = {.is_waiting = true};

	assert_int_equal(bh_terminfo_read(term, &outer), 0);
	assert_false(outer.is_waiting);
	return outer;
}

static void the_entry_tells(void **state)
{
	struct bh_outer outer = read_of("xterm-256color");

	(void)state;
	assert_int_equal(outer.colors, 256);
	assert_int_equal(outer.can & (BH_OUTER_BOLD | BH_OUTER_ITALIC | BH_OUTER_XTERM),
	                 BH_OUTER_BOLD | BH_OUTER_ITALIC | BH_OUTER_XTERM);
	outer = read_of("linux");
	assert_int_equal(outer.colors, 8);
	assert_int_equal(outer.can & BH_OUTER_XTERM, 0);
	outer = read_of("vt100");
	assert_int_equal(outer.colors, 0);
	assert_int_equal(outer.can & BH_OUTER_DIM, 0);
	outer = read_of("tmux-256color");
	assert_int_not_equal(outer.can & BH_OUTER_UNDERLINE_KINDS, 0);
}

static void what_is_no_screen_is_refused(void **state)
{
	static const char *const terms[] = {"dumb", "vt52"};
	struct bh_outer outer = {.colors = 7};

	(void)state;
	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		assert_int_equal(bh_terminfo_read(terms[i], &outer), BH_EUNSUPPORTED);
	}
	assert_int_equal(bh_terminfo_read("no-such-terminal", &outer), -ENOENT);
	assert_int_equal(bh_terminfo_read("../../etc/passwd", &outer), -ENOENT);
	assert_int_equal(outer.colors, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_entry_tells),
		cmocka_unit_test(what_is_no_screen_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
