// Covers: src/ui/app_config.
#include "src/base/file.h"
#include "src/base/mem.h"
#include "src/ui/app_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/** A UI that is not shown, and a file of settings. */
struct world {
	char dir[32];
	char *path;
	struct bh_app_settings settings;
	struct bh_app app;
};

static int world_make(void **state)
{
	struct world *world = bh_xmalloc(sizeof(*world));

	(void)snprintf(world->dir, sizeof(world->dir), "/tmp/bh-config-XXXXXX");
	assert_non_null(mkdtemp(world->dir));
	world->path = bh_xasprintf("%s/config.json", world->dir);
	world->settings.config_file = world->path;
	world->app.settings = &world->settings;
	*state = world;
	return 0;
}

static int world_remove(void **state)
{
	struct world *world = *state;

	bh_bindings_clear(&world->app.bindings);
	bh_config_clear(&world->app.config);
	(void)bh_file_remove(world->path, NULL);
	(void)rmdir(world->dir);
	free(world->path);
	free(world);
	return 0;
}

static void load(struct world *world, const char *text)
{
	assert_int_equal(bh_file_replace(world->path, bh_span_of(text), 0600, BH_FILE_ATOMIC, NULL),
	                 0);
	bh_app_read_config(&world->app, 1000);
}

static void the_file_is_followed(void **state)
{
	struct world *world = *state;
	const struct bh_app *app = &world->app;
	const struct bh_layer_key control_x = {.key = 'x', .is_control = true};
	const struct bh_layer_key alt_x = {.key = 'x', .is_alt = true};

	bh_app_read_config(&world->app, 1000);
	assert_null(app->input.is_direct);
	assert_int_equal(app->input.prefix.key, 'b');
	assert_true(app->input.prefix.is_control);
	assert_string_equal(app->message, "");
	load(world, "{\"prefix\": \"C-a\", \"escape_ms\": 250, \"mouse\": false,"
	            "\"keys\": {\"zoom\": \"C-x\"}, \"direct_keys\": {\"zoom\": \"M-x\"}}");
	assert_true(app->input.is_direct(app->input.direct_user, &alt_x));
	assert_false(app->input.is_direct(app->input.direct_user, &control_x));
	assert_int_equal(app->input.prefix.key, 'a');
	assert_int_equal(app->input.partial_ms, 250);
	assert_int_equal(app->modes.mouse_least, BH_MODES_MOUSE_NONE);
	assert_int_equal(bh_bindings_find(&app->bindings, &control_x)->action, BH_ACTION_PANE_ZOOM);
	assert_string_equal(app->message, "");
	assert_true(app->is_dirty);
}

static void the_first_fault_is_said_and_the_rest_holds(void **state)
{
	struct world *world = *state;
	const struct bh_app *app = &world->app;

	load(world, "{\n\"keys\": {\"zom\": \"x\", \"detach\": \"q\"}, \"mouse\": 7}");
	assert_non_null(strstr(
		app->message, "config.json:2: there is no action \"zom\"; did you mean \"zoom\"?"));
	assert_int_equal(
		bh_bindings_find(&app->bindings, &(struct bh_layer_key){.key = 'q'})->action,
		BH_ACTION_DETACH);
	assert_true(app->config.mouse);
	// A file that was named has to be there.
	(void)bh_file_remove(world->path, NULL);
	world->app.message[0] = '\0';
	world->settings.is_config_named = true;
	bh_app_read_config(&world->app, 2000);
	assert_non_null(strstr(app->message, "No such file"));
	assert_int_equal(
		bh_bindings_find(&app->bindings, &(struct bh_layer_key){.key = 'd'})->action,
		BH_ACTION_DETACH);
}

static void without_a_file_all_has_its_default(void **state)
{
	struct world *world = *state;

	world->settings.config_file = NULL;
	bh_app_read_config(&world->app, 1000);
	assert_string_equal(world->app.message, "");
	assert_string_equal(world->app.bindings.prefix_name, "C-b");
	assert_int_equal(world->app.config.escape_ms, 40);
}

int main(void)
{
#define WORLD_TEST(test) cmocka_unit_test_setup_teardown(test, world_make, world_remove)
	const struct CMUnitTest tests[] = {
		WORLD_TEST(the_file_is_followed),
		WORLD_TEST(the_first_fault_is_said_and_the_rest_holds),
		WORLD_TEST(without_a_file_all_has_its_default),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
