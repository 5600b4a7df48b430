#include "src/ui/agentpicker.h"

#include "layer-host.h"
#include "src/ui/keytable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct bh_model_pane panes[] = {{.terminal_id = "a"}};
static struct bh_model_tab tabs[] = {{.id = 1,
                                      .index = 1,
                                      .name = "api",
                                      .is_active = true,
                                      .focus = "a",
                                      .panes = panes,
                                      .pane_count = 1}};
static const struct bh_model model = {.tabs = tabs, .tab_count = 1};

#define INSTALLED \
	"{\"agents\":[{\"profile\":\"claude\",\"program\":\"claude\",\"path\":\"/opt/claude\"}," \
	"{\"profile\":\"codex\",\"program\":\"codex\",\"path\":\"/opt/codex\"}]}"

struct picking {
	struct layer_host host;
	struct bh_layer *layer;
	cJSON *environ;
};

static int picking_make(void **state)
{
	struct picking *picking = calloc(1, sizeof(*picking));

	picking->environ = cJSON_Parse("{\"PATH\":\"/opt\",\"SHELL\":\"/bin/dash\"}");
	layer_host_begin(&picking->host);
	picking->layer = bh_agentpicker_new(&picking->host.host, &model, picking->environ);
	assert_string_equal(layer_host_requests(&picking->host),
	                    "agent.installed {\"path\":\"/opt\"}\n");
	*state = picking;
	return 0;
}

static int picking_remove(void **state)
{
	struct picking *picking = *state;

	picking->layer->ops->free(picking->layer);
	layer_host_end(&picking->host);
	cJSON_Delete(picking->environ);
	free(picking);
	return 0;
}

#define ENVIRON "\"environ\":{\"PATH\":\"/opt\",\"SHELL\":\"/bin/dash\"}"

static void the_chosen_program_is_started(void **state)
{
	struct picking *picking = *state;

	layer_see(picking->layer, &model, 60, 12, " shell               /bin/dash\n");
	layer_answer(picking->layer, "agent.installed", "{}", INSTALLED);
	layer_see(picking->layer, &model, 60, 12, " claude              /opt/claude\n");
	layer_see(picking->layer, &model, 60, 12, "place: a new tab");
	layer_press(picking->layer, BH_KEY_DOWN);
	layer_type(picking->layer, "co der");
	layer_see(picking->layer, &model, 60, 12, "name:  coder\n"); // no name has a blank
	layer_press(picking->layer, '\r');
	assert_string_equal(layer_host_requests(&picking->host),
	                    "tab.new {\"argv\":[\"codex\"],\"identity\":\"coder\"," ENVIRON "}\n");
	// A refusal leaves everything as it is, for another try.
	layer_answer(picking->layer, "tab.new", "{}", NULL);
	assert_string_equal(picking->host.said, "refused");
	assert_false(picking->host.is_closed);
	layer_press_control(picking->layer, 'u');
	layer_press(picking->layer, '\t');
	layer_see(picking->layer, &model, 60, 12, "place: right of this pane");
	layer_press(picking->layer, '\r');
	assert_string_equal(layer_host_requests(&picking->host),
	                    "pane.split {\"argv\":[\"codex\"],\"name\":\"a\","
	                    "\"direction\":\"right\"," ENVIRON "}\n");
	layer_answer(picking->layer, "pane.split", "{}", "{}");
	assert_true(picking->host.is_closed);
}

static void the_shell_is_always_there(void **state)
{
	struct picking *picking = *state;

	layer_answer(picking->layer, "agent.installed", "{}", INSTALLED);
	layer_mouse(picking->layer, BH_MOUSE_PRESS, 3, 60, 12);
	layer_press(picking->layer, '\t');
	layer_press(picking->layer, '\t');
	layer_see(picking->layer, &model, 60, 12, "place: below this pane");
	layer_press(picking->layer, '\r');
	assert_string_equal(layer_host_requests(&picking->host),
	                    "pane.split {\"name\":\"a\",\"direction\":\"down\"," ENVIRON "}\n");
	layer_press(picking->layer, '\t');
	layer_press(picking->layer, '\r');
	assert_string_equal(layer_host_requests(&picking->host), "tab.new {" ENVIRON "}\n");
	layer_press(picking->layer, 0x1b);
	assert_true(picking->host.is_closed);
	for (int rows = 1; rows < 10; rows++) {
		for (int cols = 1; cols < 30; cols += 4) {
			free(layer_show(picking->layer, &model, cols, rows));
		}
	}
}

#define PICKING_TEST(name) cmocka_unit_test_setup_teardown(name, picking_make, picking_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PICKING_TEST(the_chosen_program_is_started),
		PICKING_TEST(the_shell_is_always_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
