#include "term/reply.h"

#include "tests/unit/screen_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void answers_wait_until_consumed(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "\x1B[5n\x1B[c");
	size_t len;

	(void)state;
	(void)bh_screen_replies(s, &len); // only the length counts
	assert_int_equal(len, 4 + 8 + 1);
	bh_screen_replies_consume(s, 4);
	screen_expect_replies(s, "\x1B[?62;22c");
	screen_expect_replies(s, "");
	bh_screen_free(s);
}

static void answers_that_nobody_fetches_are_bounded(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "");
	size_t len;

	(void)state;
	for (int i = 0; i < 50000; i++) {
		screen_feed(s, "\x1B[c");
	}
	(void)bh_screen_replies(s, &len); // only the length counts
	assert_in_range(len, BH_STATE_REPLIES_MAX - 16, BH_STATE_REPLIES_MAX);
	bh_screen_free(s);
}

static void a_replay_is_silent(void **state)
{
	struct bh_screen *s = bh_screen_new(
		&(struct bh_screen_settings){.cols = 20, .rows = 5, .is_replay = true});

	(void)state;
	screen_feed(s, "\x1B[c\x1B[6n\x07\x1B]52;c;aGk=\x07\x1B]9;hello\x07\x1B]11;?\x07");
	screen_expect_replies(s, "");
	assert_int_equal(bh_screen_take_changes(s) &
	                         (BH_SCREEN_CHANGED_BELL | BH_SCREEN_CHANGED_CLIPBOARD |
	                          BH_SCREEN_CHANGED_NOTIFICATION | BH_SCREEN_CHANGED_REPLIES),
	                 0);
	bh_screen_set_replay(s, false);
	screen_feed(s, "\x1B[5n");
	screen_expect_replies(s, "\x1B[0n");
	bh_screen_free(s);
}

static void the_callers_colours_and_version_are_told(void **state)
{
	struct bh_screen *s = bh_screen_new(&(struct bh_screen_settings){
		.cols = 20, .rows = 5, .xtversion = "x 1", .fg = 0x102030, .bg = 0xF0F0F0});

	(void)state;
	screen_feed(s, "\x1B]10;?\x07\x1B[>q\x1B[?996n");
	screen_expect_replies(s, "\x1B]10;rgb:1010/2020/3030\x07\x1BP>|x 1\x1B\\\x1B[?997;2n");
	bh_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_wait_until_consumed),
		cmocka_unit_test(answers_that_nobody_fetches_are_bounded),
		cmocka_unit_test(a_replay_is_silent),
		cmocka_unit_test(the_callers_colours_and_version_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
