#include "tests/unit/screen_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void sizes_are_clamped(void **state)
{
	struct bh_screen *s = screen_with(-5, 0, "");

	(void)state;
	assert_int_equal(bh_screen_cols(s), BH_SCREEN_MIN);
	assert_int_equal(bh_screen_rows(s), BH_SCREEN_MIN);
	bh_screen_resize(s, 1 << 30, 1 << 30);
	assert_int_equal(bh_screen_cols(s), BH_SCREEN_MAX_COLS);
	assert_int_equal(bh_screen_rows(s), BH_SCREEN_MAX_ROWS);
	bh_screen_free(s);
	bh_screen_free(NULL);
}

static void a_new_screen_has_nothing_to_tell(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "");
	size_t len = 9;

	(void)state;
	assert_int_equal(bh_screen_take_changes(s), 0);
	assert_string_equal(bh_screen_replies(s, &len), "");
	assert_int_equal(len, 0);
	assert_string_equal(bh_screen_title(s), "");
	assert_string_equal(bh_screen_icon(s), "");
	assert_string_equal(bh_screen_cwd(s), "");
	assert_int_equal(bh_screen_status(s)->state, BH_STATUS_NONE);
	assert_int_equal(bh_screen_history_count(s), 0);
	assert_int_equal(bh_screen_tick_due_ms(s), 0);
	assert_null(bh_screen_take_clipboard(s, &len));
	bh_screen_feed(s, "", 0, 0);
	bh_screen_free(s);
}

static void a_write_of_megabytes_is_fine(void **state)
{
	size_t len = 3 << 20;
	char *bytes = malloc(len);
	struct bh_screen *s = screen_with(80, 24, "");

	(void)state;
	assert_non_null(bytes);
	for (size_t i = 0; i < len; i++) {
		bytes[i] = (char)(i * 7 + i / 251);
	}
	bh_screen_feed(s, bytes, len, 0);
	// The same bytes in pieces as a PTY gives them.
	struct bh_screen *t = screen_with(80, 24, "");

	for (size_t at = 0; at < len; at += 4095) {
		bh_screen_feed(t, bytes + at, len - at < 4095 ? len - at : 4095, 0);
	}
	assert_true(bh_screen_equal(s, t, NULL));
	bh_screen_free(screen_expect_repaint(s, "3 MiB of anything"));
	memset(bytes, 'x', len);
	bh_screen_feed(s, bytes, len, 0);
	memset(bytes, '\xC3', len);
	bh_screen_feed(s, bytes, len, 0);
	bh_screen_free(screen_expect_repaint(s, "3 MiB"));
	free(bytes);
	bh_screen_free(s);
	bh_screen_free(t);
}

static void the_library_was_checked(void **state)
{
	char why[200];

	(void)state;
	assert_true(bh_vterm_check(why, sizeof(why)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_clamped),
		cmocka_unit_test(a_new_screen_has_nothing_to_tell),
		cmocka_unit_test(a_write_of_megabytes_is_fine),
		cmocka_unit_test(the_library_was_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
