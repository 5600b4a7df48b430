// The layers that keys open. Covers: src/ui/app_views.
#include "tests/unit/app-world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void each_takes_the_place_of_the_other(void **state)
{
	struct app_world *world = *state;

	app_world_show(world);
	bh_app_show_help(&world->app);
	assert_string_equal(app_world_layer(world), "help");
	bh_app_show_tabs(&world->app);
	assert_string_equal(app_world_layer(world), "the list of tabs and panes");
	bh_app_show_mail(&world->app);
	assert_string_equal(app_world_layer(world), "the mail view");
	bh_app_show_explanation(&world->app);
	assert_string_equal(app_world_layer(world), "explain");
	bh_app_show_agents(&world->app);
	assert_string_equal(app_world_layer(world), "new agent");
	assert_int_equal(world->app.slot_count, 1);
}

static void without_a_pane_nothing_is_explained(void **state)
{
	struct app_world *world = *state;

	bh_app_show_explanation(&world->app);
	assert_string_equal(app_world_layer(world), "");
	assert_string_equal(world->app.message, "there is no pane here");
	bh_app_show_mail(&world->app);
	assert_string_equal(app_world_layer(world), "the mail view");
}

static void who_only_looks_gets_what_only_shows(void **state)
{
	struct app_world *world = *state;

	world->settings.is_observing = true;
	app_world_show(world);
	bh_app_show_tabs(&world->app);
	bh_app_show_agents(&world->app);
	assert_string_equal(app_world_layer(world), "");
	assert_non_null(strstr(world->app.message, "you only look here"));
	bh_app_show_help(&world->app);
	assert_string_equal(app_world_layer(world), "help");
	bh_app_show_explanation(&world->app);
	assert_string_equal(app_world_layer(world), "explain");
}

#define WORLD_TEST(name) cmocka_unit_test_setup_teardown(name, app_world_make, app_world_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WORLD_TEST(each_takes_the_place_of_the_other),
		WORLD_TEST(without_a_pane_nothing_is_explained),
		WORLD_TEST(who_only_looks_gets_what_only_shows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
