#include "term/status.h"

#include "tests/unit/screen_help.h"

#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_report_carries_the_time_of_its_bytes(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "");

	(void)state;
	assert_false(bh_screen_status(s)->has_status);
	bh_screen_feed(s, "\x1B]7501;state=idle\x07", 18, 4321);
	assert_true(bh_screen_status(s)->has_status);
	assert_int_equal(bh_screen_status(s)->at_ms, 4321);
	assert_int_equal(bh_screen_status(s)->state, BH_STATUS_IDLE);
	bh_screen_free(s);
}

static void a_report_replaces_all_of_the_last_one(void **state)
{
	struct bh_screen *s =
		screen_with(20, 5,
	                    "\x1B]7501;state=blocked:app=a:kind=permission:msg=aGk=\x07"
	                    "\x1B]7501;state=working:app=a\x07");

	(void)state;
	assert_string_equal(bh_screen_status(s)->kind, "");
	assert_string_equal(bh_screen_status(s)->msg, "");
	bh_screen_free(s);
}

static void odd_records_do_no_harm(void **state)
{
	static const char *const odd[] = {
		"",
		":",
		"=",
		"state",
		"state=",
		"state=idle:",
		":state=idle",
		"state==idle",
		"state=idle:msg=****",
		"state=idle:msg=aGk",
		"state=idle:id=",
		"x=1:state=idle:y",
		"state=idle:msg=/////w==",
	};
	char bytes[128];

	(void)state;
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		struct bh_screen *s = screen_with(20, 5, "");

		(void)snprintf(bytes, sizeof(bytes), "\x1B]7501;%s\x07", odd[i]); // fits
		screen_feed(s, bytes);
		bh_screen_free(screen_expect_repaint(s, odd[i]));
		assert_int_equal(bh_screen_background_count(s), 0);
		bh_screen_free(s);
	}
}

static void the_oldest_background_task_gives_way(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "");
	char bytes[128];

	(void)state;
	for (int i = 0; i < BH_SCREEN_BACKGROUND_MAX + 2; i++) {
		(void)snprintf(bytes, sizeof(bytes), "\x1B]7501;state=working:id=b%d\x07",
		               i); // fits
		screen_feed(s, bytes);
	}
	assert_int_equal(bh_screen_background_count(s), BH_SCREEN_BACKGROUND_MAX);
	assert_string_equal(bh_screen_background(s, 0)->id, "b2");
	assert_null(bh_screen_background(s, BH_SCREEN_BACKGROUND_MAX));
	assert_null(bh_screen_background(s, -1));
	bh_screen_free(screen_expect_repaint(s, "background"));
	bh_screen_free(s);
}

static void long_fields_are_cut(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "\x1B]7501;state=idle:app=");

	(void)state;
	for (int i = 0; i < 1000; i++) {
		screen_feed(s, "a");
	}
	screen_feed(s, ":msg=");
	for (int i = 0; i < 1000; i++) {
		screen_feed(s, "4pyz");
	}
	screen_feed(s, "\x07");
	assert_int_equal(strlen(bh_screen_status(s)->app), 63);
	assert_int_equal(strlen(bh_screen_status(s)->msg), 510);
	bh_screen_free(screen_expect_repaint(s, "long fields"));
	bh_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_carries_the_time_of_its_bytes),
		cmocka_unit_test(a_report_replaces_all_of_the_last_one),
		cmocka_unit_test(odd_records_do_no_harm),
		cmocka_unit_test(the_oldest_background_task_gives_way),
		cmocka_unit_test(long_fields_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
