// When a frame of the UI is due. Covers: src/ui/app_draw.
#include "src/ui/app_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/** When the last frame was drawn, and how long the next one waits for more (ms). */
#define DRAWN 1000
#define FRAME 16

static struct bh_app drawn_app(void)
{
	return (struct bh_app){.drawn_at_ms = DRAWN};
}

static void what_has_not_changed_is_not_drawn(void **state)
{
	struct bh_app app = drawn_app();

	(void)state;
	assert_true(bh_app_frame_due_ms(&app) == BH_APP_NEVER);
	app.is_urgent = true;
	assert_true(bh_app_frame_due_ms(&app) == BH_APP_NEVER);
	// Nothing is touched, not even what it would be drawn with.
	bh_app_draw(&app, DRAWN + 1000);
	assert_true(app.drawn_at_ms == DRAWN);
}

static void a_flood_makes_a_frame_in_16_ms(void **state)
{
	struct bh_app app = drawn_app();

	(void)state;
	app.has_changes = true;
	assert_true(bh_app_frame_due_ms(&app) == DRAWN + FRAME);
	bh_app_draw(&app, DRAWN + FRAME - 1);
	assert_true(app.has_changes);
	app.has_changes = false;
	app.is_dirty = true;
	assert_true(bh_app_frame_due_ms(&app) == DRAWN + FRAME);
}

static void the_echo_of_a_key_does_not_wait(void **state)
{
	struct bh_app app = drawn_app();

	(void)state;
	app.has_changes = true;
	app.is_urgent = true;
	assert_true(bh_app_frame_due_ms(&app) == 0);
}

static void a_slow_terminal_gets_no_frame_behind_another(void **state)
{
	struct bh_app app = drawn_app();

	(void)state;
	app.has_changes = true;
	app.is_urgent = true;
	app.tty.out.len = 1;
	assert_true(bh_app_frame_due_ms(&app) == BH_APP_NEVER);
	app.tty.out.len = 0;
	assert_true(bh_app_frame_due_ms(&app) == 0);
}

static void a_screen_that_comes_soon_is_waited_for(void **state)
{
	struct bh_app app = drawn_app();
	struct bh_view view = {.stream = -1};

	(void)state;
	app.viewer.views = &view;
	app.viewer.count = 1;
	app.is_dirty = true;
	app.is_urgent = true;
	app.screens_until_ms = DRAWN + 100;
	assert_true(bh_app_frame_due_ms(&app) == DRAWN + 100);
	app.screens_until_ms = 0;
	assert_true(bh_app_frame_due_ms(&app) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_has_not_changed_is_not_drawn),
		cmocka_unit_test(a_flood_makes_a_frame_in_16_ms),
		cmocka_unit_test(the_echo_of_a_key_does_not_wait),
		cmocka_unit_test(a_slow_terminal_gets_no_frame_behind_another),
		cmocka_unit_test(a_screen_that_comes_soon_is_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
