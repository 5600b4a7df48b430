#include "term/mode.h"

#include "tests/unit/screen_help.h"

#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void every_mode_is_set_reset_and_reported(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "");
	char bytes[64];
	char reply[64];

	(void)state;
	for (size_t i = 0; i < bh_mode_numbers_count; i++) {
		int number = bh_mode_numbers[i].number;

		for (int is_on = 1; is_on >= 0; is_on--) {
			(void)snprintf(bytes, sizeof(bytes), "\x1B[?%d%c", number,
			               is_on != 0 ? 'h' : 'l'); // fits
			screen_feed(s, bytes);
			assert_int_equal(bh_screen_mode(s, bh_mode_numbers[i].mode), is_on);
			bh_screen_replies_consume(s, 1000);
			(void)snprintf(bytes, sizeof(bytes), "\x1B[?%d$p", number); // fits
			(void)snprintf(reply, sizeof(reply), "\x1B[?%d;%d$y", number,
			               is_on != 0 ? 1 : 2); // fits
			screen_feed(s, bytes);
			screen_expect_replies(s, reply);
			bh_screen_free(screen_expect_repaint(s, bytes));
		}
	}
	bh_screen_free(s);
}

static void a_synchronized_update_is_not_prolonged(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "");

	(void)state;
	bh_screen_feed(s, "\x1B[?2026h", 8, 1000);
	assert_int_equal(bh_screen_tick_due_ms(s), 1000 + BH_SCREEN_SYNC_MS);
	bh_screen_feed(s, "\x1B[?2026hx", 9, 1100);
	assert_int_equal(bh_screen_tick_due_ms(s), 1000 + BH_SCREEN_SYNC_MS);
	bh_screen_tick(s, 1000 + BH_SCREEN_SYNC_MS);
	assert_false(bh_screen_mode(s, BH_SCREEN_MODE_SYNC_OUTPUT));
	assert_int_equal(bh_screen_tick_due_ms(s), 0);
	assert_true((bh_screen_take_changes(s) & BH_SCREEN_CHANGED_CELLS) != 0);
	bh_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_mode_is_set_reset_and_reported),
		cmocka_unit_test(a_synchronized_update_is_not_prolonged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
