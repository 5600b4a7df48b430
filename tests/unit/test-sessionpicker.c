// The list of sessions.
#include "src/ui/sessionpicker.h"

#include "layer-host.h"
#include "src/base/mem.h"
#include "src/ui/keytable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct world {
	struct layer_host host;
	struct bh_layer *layer;
	char gone_to[BH_SESSIONS_NAME];
};

static void go(void *user, const char *name)
{
	(void)snprintf(((struct world *)user)->gone_to, BH_SESSIONS_NAME, "%s", name);
}

static int world_make(void **state)
{
	static const struct bh_sessions_item items[] = {
		{"default", true}, {"home", false}, {"work", true}, {"work-2", true}};
	struct world *world = bh_xcalloc(1, sizeof(*world));
	struct bh_sessions sessions = {.items = bh_xcalloc(4, sizeof(items[0])), .count = 4};

	memcpy(sessions.items, items, sizeof(items));
	layer_host_begin(&world->host);
	world->layer = bh_sessionpicker_new(&world->host.host, &sessions, "work", go, world);
	assert_null(sessions.items);
	*state = world;
	return 0;
}

static int world_remove(void **state)
{
	struct world *world = *state;

	world->layer->ops->free(world->layer);
	layer_host_end(&world->host);
	free(world);
	return 0;
}

static void sessions_are_listed_and_gone_to(void **state)
{
	struct world *world = *state;
	char *text = layer_show(world->layer, NULL, 60, 10);

	assert_non_null(strstr(text, "\n default\n home (no server: it is started anew)\n"
	                             " work *\n work-2\n"));
	free(text);
	// The one that is shown is chosen at first.
	layer_press(world->layer, BH_KEY_DOWN);
	layer_press(world->layer, '\r');
	assert_string_equal(world->gone_to, "work-2");
	assert_true(world->host.is_closed);
}

static void a_name_finds_or_begins_one(void **state)
{
	struct world *world = *state;

	layer_type(world->layer, "ork");
	layer_see(world->layer, NULL, 60, 10, "sessions: ork");
	layer_see(world->layer, NULL, 60, 10, "\n work *\n work-2\n begin a session ork\n");
	layer_press(world->layer, BH_KEY_UP); // beyond the first is nothing
	layer_press(world->layer, BH_KEY_DOWN);
	layer_press(world->layer, BH_KEY_DOWN);
	layer_press(world->layer, '\r');
	assert_string_equal(world->gone_to, "ork");
}

static void what_can_be_no_name_is_told(void **state)
{
	struct world *world = *state;

	layer_type(world->layer, "a/b");
	layer_see(world->layer, NULL, 70, 10, "none can be called so");
	layer_press(world->layer, '\r');
	assert_false(world->host.is_closed);
	layer_press_control(world->layer, 'u');
	world->layer->ops->paste(world->layer, bh_span_of("home\nx"));
	layer_miss(world->layer, NULL, 60, 10, "begin a session");
	layer_press(world->layer, 0x1b);
	assert_true(world->host.is_closed);
	assert_string_equal(world->gone_to, "");
}

static void the_mouse_goes_too(void **state)
{
	struct world *world = *state;

	layer_mouse(world->layer, BH_MOUSE_PRESS, 1, 60, 10);
	assert_string_equal(world->gone_to, "default");
}

#define WORLD(name) cmocka_unit_test_setup_teardown(name, world_make, world_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WORLD(sessions_are_listed_and_gone_to),
		WORLD(a_name_finds_or_begins_one),
		WORLD(what_can_be_no_name_is_told),
		WORLD(the_mouse_goes_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
