#include "src/ui/chooser.h"

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

static struct bh_model_terminal terminals[] = {
	{.id = "a",
         .identity = "coder",
         .profile = "claude",
         .state = "working",
         .title = "fix it"},
	{.id = "b", .identity = "dash-1", .profile = "generic", .program = "dash"},
	{.id = "c", .identity = "lost", .profile = "codex", .state = "idle", .program = "codex"},
};
static struct bh_model_pane api_panes[] = {{.terminal_id = "a"}, {.terminal_id = "b"}};
static struct bh_model_pane night_panes[] = {{.terminal_id = "n", .identity = "nightly"}};
static struct bh_model_tab tabs[] = {
	{.id = 3, .index = 1, .name = "empty"},
	{.id = 7,
         .index = 2,
         .name = "api",
         .is_active = true,
         .focus = "b",
         .panes = api_panes,
         .pane_count = 2},
};
static const struct bh_model model = {
	.tabs = tabs, .tab_count = 2, .terminals = terminals, .terminal_count = 3};

struct chosen {
	struct layer_host host;
	struct bh_layer *layer;
};

static int chosen_make(void **state)
{
	struct chosen *chosen = calloc(1, sizeof(*chosen));

	layer_host_begin(&chosen->host);
	chosen->layer = bh_chooser_new(&chosen->host.host, &model);
	*state = chosen;
	return 0;
}

static int chosen_remove(void **state)
{
	struct chosen *chosen = *state;

	chosen->layer->ops->free(chosen->layer);
	layer_host_end(&chosen->host);
	free(chosen);
	return 0;
}

static void tabs_panes_and_the_rest_are_listed(void **state)
{
	struct chosen *chosen = *state;
	char *text = layer_show(chosen->layer, &model, 50, 9);

	assert_non_null(strstr(text, "\n 1: empty\n 2: api *\n    * coder · working · fix it\n"
	                             "    · dash-1 · dash\n in no pane: · lost · idle · codex\n"));
	free(text);
}

static void a_pane_that_waits_for_its_program_is_listed(void **state)
{
	struct chosen *chosen = *state;
	char *text = NULL;

	tabs[0].panes = night_panes;
	tabs[0].pane_count = 1;
	text = layer_show(chosen->layer, &model, 50, 9);
	tabs[0].pane_count = 0;
	assert_non_null(strstr(text, "\n 1: empty\n    · nightly · ended, starts again\n 2: api"));
	free(text);
}

static void enter_goes_to_the_chosen_one(void **state)
{
	struct chosen *chosen = *state;

	// The pane in focus is chosen at first.
	layer_press(chosen->layer, '\r');
	assert_string_equal(layer_host_requests(&chosen->host), "pane.focus {\"name\":\"b\"}\n");
	assert_true(chosen->host.is_closed);
	layer_press(chosen->layer, BH_KEY_DOWN);
	layer_press(chosen->layer, '\r');
	assert_string_equal(layer_host_requests(&chosen->host), "pane.show {\"name\":\"c\"}\n");
	layer_press(chosen->layer, BH_KEY_PAGE_UP);
	layer_press(chosen->layer, '\r');
	assert_string_equal(layer_host_requests(&chosen->host), "tab.select {\"tab\":3}\n");
}

static void typing_cuts_the_list_down(void **state)
{
	struct chosen *chosen = *state;

	layer_type(chosen->layer, "cod work");
	layer_see(chosen->layer, &model, 50, 9, "tabs and panes: cod work");
	layer_miss(chosen->layer, &model, 50, 9, "dash");
	layer_press(chosen->layer, '\r');
	assert_string_equal(layer_host_requests(&chosen->host), "pane.focus {\"name\":\"a\"}\n");
	chosen->layer->ops->paste(chosen->layer, bh_span_of("x"));
	layer_see(chosen->layer, &model, 50, 9, "nothing has these words");
	chosen->host.is_closed = false;
	layer_press(chosen->layer, '\r');
	assert_string_equal(layer_host_requests(&chosen->host), "");
	assert_false(chosen->host.is_closed);
	layer_press(chosen->layer, 0x1b);
	assert_true(chosen->host.is_closed);
}

static void a_press_goes_there(void **state)
{
	struct chosen *chosen = *state;

	layer_mouse(chosen->layer, BH_MOUSE_PRESS, 8, 50, 9);
	assert_false(chosen->host.is_closed);
	layer_mouse(chosen->layer, BH_MOUSE_PRESS, 3, 50, 9);
	assert_string_equal(layer_host_requests(&chosen->host), "pane.focus {\"name\":\"a\"}\n");
	assert_true(chosen->host.is_closed);
}

#define CHOSEN_TEST(name) cmocka_unit_test_setup_teardown(name, chosen_make, chosen_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CHOSEN_TEST(tabs_panes_and_the_rest_are_listed),
		CHOSEN_TEST(a_pane_that_waits_for_its_program_is_listed),
		CHOSEN_TEST(enter_goes_to_the_chosen_one),
		CHOSEN_TEST(typing_cuts_the_list_down),
		CHOSEN_TEST(a_press_goes_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
