// New panes: what is started in them, where they go, what is shown in them, and when there are none.
#include "src/server/layout_host.h"
#include "src/server/server.h"
#include "src/server/terminals.h"
#include "tests/unit/layout-world.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct bh_terminal *terminal_of(struct world *world, const struct world_child *child)
{
	return bh_terminals_get(world->server.terminals, &child->id);
}

static void a_pane_is_only_where_it_was_asked_for(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "script", ",\"cols\":30,\"rows\":5");
	assert_layout(&world, "");
	start(&world, "tab.new", "a", "");
	start(&world, "pane.split", "b", "");
	start(&world, "terminal.run", "c", ",\"place\":\"down\",\"beside\":\"a\",\"focus\":false");
	start(&world, "terminal.run", "d", ",\"place\":\"tab\"");
	assert_layout(&world, "a:60x19+0+1 c:60x19+0+21 b:59x39+61+1 | *d:120x39+0+1");
	assert_size(&world, "script", 30, 5);
	assert_size(&world, "c", 60, 19);
	assert_size(&world, "d", 120, 39);
	assert_refused(&world, "terminal.run", "\"argv\":[\"x\"],\"place\":\"there\"", "params");
	assert_refused(&world, "terminal.run", "\"argv\":[\"x\"],\"place\":1", "params");
	assert_refused(&world, "terminal.run",
	               "\"argv\":[\"x\"],\"place\":\"up\",\"beside\":\"script\"", "not_found");
	assert_refused(&world, "terminal.run", "\"argv\":[\"x\"],\"place\":\"tab\",\"focus\":1",
	               "params");
	assert_refused(&world, "terminal.run", "\"argv\":[],\"place\":\"tab\"", "invalid");
	assert_refused(&world, "terminal.run", "\"place\":\"tab\"", "invalid");
	assert_int_equal(world.child_count, 5);
	world_close(&world);
}

static void the_answer_tells_tab_and_terminal(void **state)
{
	struct world world;
	const cJSON *result = NULL;

	(void)state;
	world_open(&world);
	result = assert_done(&world, "tab.new", "\"argv\":[\"/bin/cat\"],\"identity\":\"a\"");
	assert_int_equal(number_of(result, "tab"), 1);
	assert_true(number_of(result, "version") > 0);
	assert_string_equal(world_text(cJSON_GetObjectItem(result, "terminal"), "identity"), "a");
	// terminal.run gives what it gives without a place, and the tab.
	result = assert_done(&world, "terminal.run",
	                     "\"argv\":[\"/bin/cat\"],\"identity\":\"b\",\"place\":\"tab\"");
	assert_int_equal(number_of(result, "tab"), 2);
	assert_string_equal(world_text(result, "identity"), "b");
	assert_true(cJSON_HasObjectItem(result, "wake"));
	world_close(&world);
}

static void a_pane_is_split_on_every_side(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	start(&world, "pane.split", "l", ",\"name\":\"a\",\"direction\":\"left\"");
	start(&world, "pane.split", "r", ",\"name\":\"a\"");
	start(&world, "pane.split", "u", ",\"name\":\"a\",\"direction\":\"up\"");
	start(&world, "pane.split", "d", ",\"name\":\"a\",\"direction\":\"down\",\"focus\":false");
	assert_layout(&world, "*l:60x39+0+1 u:29x19+61+1 a:29x9+61+21 d:29x9+61+31 r:29x39+91+1");
	// The one in focus is split when none is named.
	start(&world, "pane.split", "x", ",\"direction\":\"down\"");
	assert_layout(&world, "*l:60x39+0+1 u:29x9+61+1 x:29x9+61+11 a:29x9+61+21 d:29x9+61+31 "
	                      "r:29x39+91+1");
	assert_refused(&world, "pane.split", "\"direction\":\"north\"", "params");
	assert_refused(&world, "pane.split", "\"direction\":1", "params");
	assert_refused(&world, "pane.split", "\"focus\":\"yes\"", "params");
	assert_refused(&world, "pane.split", "\"name\":\"nobody\"", "not_found");
	world_close(&world);
}

static void a_new_tab_goes_where_it_is_wanted(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start_tabs(&world, "ab");
	start(&world, "tab.new", "c", ",\"index\":1,\"focus\":false,\"name\":\"first\"");
	start(&world, "tab.new", "d", ",\"index\":99");
	assert_layout(&world, "c:120x39+0+1 | a:120x39+0+1 | b:120x39+0+1 | *d:120x39+0+1");
	assert_refused(&world, "tab.new", "\"index\":0", "params");
	assert_refused(&world, "tab.new", "\"index\":\"x\"", "params");
	assert_refused(&world, "tab.new", "\"name\":[]", "params");
	assert_refused(&world, "tab.new", "\"focus\":0", "params");
	assert_int_equal(world.child_count, 4);
	world_close(&world);
}

static void an_agent_does_not_move_the_focus(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	world_come_as(&world, BH_CALLER_INSIDE);
	start(&world, "terminal.run", "b", ",\"place\":\"tab\",\"focus\":true");
	start(&world, "terminal.run", "c", ",\"place\":\"right\",\"beside\":\"a\",\"focus\":true");
	assert_layout(&world, "*a:60x39+0+1 c:59x39+61+1 | b:120x39+0+1");
	assert_refused(&world, "tab.new", "\"name\":\"x\"", "operator_only");
	world_come_as(&world, BH_CALLER_OPERATOR);
	start(&world, "pane.split", "d", ",\"direction\":\"down\""); // a is still in focus
	assert_layout(&world, "*a:60x19+0+1 d:60x19+0+21 c:59x39+61+1 | b:120x39+0+1");
	world_close(&world);
}

// ---- what is shown ----

static void what_runs_already_is_shown(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "x", ",\"cols\":30,\"rows\":5");
	world_run(&world, "y", "");
	world_run(&world, "z", "");
	assert_int_equal(number_of(assert_done(&world, "tab.new", "\"show\":\"x\""), "tab"), 1);
	assert_size(&world, "x", 120, 39);
	const cJSON *result = assert_done(&world, "pane.split", "\"show\":\"y\"");

	// Its size is that of the place already.
	assert_int_equal(number_of(cJSON_GetObjectItem(result, "terminal"), "cols"), 59);
	assert_done(&world, "pane.show",
	            "\"name\":\"z\",\"beside\":\"x\",\"direction\":\"down\",\"focus\":false");
	assert_layout(&world, "*x:60x19+0+1 z:60x19+0+21 y:59x39+61+1");
	// Out of the way, and into a tab of its own.
	assert_done(&world, "pane.close", "\"name\":\"z\",\"keep\":true");
	assert_done(&world, "pane.show", "\"name\":\"z\",\"focus\":false");
	assert_layout(&world, "*x:60x39+0+1 y:59x39+61+1 | z:120x39+0+1");
	assert_int_equal(world.child_count, 3); // nothing was started
	// Shown already: only the focus moves, if it may.
	assert_int_equal(
		number_of(assert_done(&world, "pane.show", "\"name\":\"z\",\"focus\":false"),
	                  "tab"),
		2);
	assert_layout(&world, "*x:60x39+0+1 y:59x39+61+1 | z:120x39+0+1");
	assert_done(&world, "pane.show", "\"name\":\"z\",\"beside\":\"x\"");
	assert_layout(&world, "x:60x39+0+1 y:59x39+61+1 | *z:120x39+0+1");
	world_close(&world);
}

static void not_everything_can_be_shown(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	world_run(&world, "apart", "");
	assert_refused(&world, "pane.split", "\"show\":\"a\"", "invalid");
	assert_non_null(strstr(world_sentence(&world), "pane.join"));
	assert_refused(&world, "tab.new", "\"show\":\"a\"", "invalid");
	assert_refused(&world, "tab.new", "\"show\":\"nobody\"", "not_found");
	assert_refused(&world, "tab.new", "\"show\":1", "params");
	assert_refused(&world, "pane.show", "", "params");
	assert_refused(&world, "pane.show", "\"name\":\"nobody\"", "not_found");
	assert_refused(&world, "pane.show", "\"name\":\"apart\",\"beside\":\"apart\"", "not_found");
	assert_refused(&world, "pane.show", "\"name\":\"apart\",\"direction\":\"in\"", "params");
	assert_refused(&world, "pane.show", "\"name\":\"apart\",\"focus\":1", "params");
	world_exit(&world, world_child(&world), 0);
	assert_refused(&world, "pane.show", "\"name\":\"apart\"", "exited");
	assert_refused(&world, "tab.new", "\"show\":\"apart\"", "exited");
	assert_layout(&world, "*a:120x39+0+1");
	world_close(&world);
}

// ---- what is started ----

static void the_users_shell_is_started_by_default(void **state)
{
	struct world world;
	const struct bh_terminal *terminal = NULL;
	char cwd[PATH_MAX];

	(void)state;
	world_open(&world);
	assert_non_null(getcwd(cwd, sizeof cwd));
	assert_int_equal(setenv("HOME", "/tmp", 1), 0);
	assert_int_equal(setenv("SHELL", "/bin/own", 1), 0);
	assert_done(&world, "tab.new", "\"environ\":{\"SHELL\":\"/bin/theirs\"}");
	terminal = terminal_of(&world, world_child(&world));
	assert_string_equal(terminal->setup.argv[0], "/bin/theirs");
	assert_null(terminal->setup.argv[1]);
	assert_string_equal(terminal->setup.cwd, "/tmp"); // nobody is in focus
	// Where the program in focus is; our own process plays it.
	terminal_of(&world, world_child(&world))->pid = getpid();
	assert_done(&world, "pane.split", "");
	terminal = terminal_of(&world, world_child(&world));
	assert_string_equal(terminal->setup.argv[0], "/bin/own");
	assert_string_equal(terminal->setup.cwd, cwd);
	assert_done(&world, "tab.new", "\"cwd\":\"/\"");
	assert_string_equal(terminal_of(&world, world_child(&world))->setup.cwd, "/");
	// What is no path is no shell; then the user's record says, or there is always one.
	assert_int_equal(setenv("SHELL", "own", 1), 0);
	assert_done(&world, "tab.new", "");
	assert_int_equal(terminal_of(&world, world_child(&world))->setup.argv[0][0], '/');
	assert_int_equal(setenv("HOME", "here", 1), 0);
	assert_done(&world, "tab.new", "");
	assert_string_equal(terminal_of(&world, world_child(&world))->setup.cwd, "/");
	assert_refused(&world, "tab.new", "\"cwd\":\"here\"", "invalid");
	assert_refused(&world, "tab.new", "\"environ\":1", "invalid");
	world_close(&world);
}

static void a_start_that_fails_leaves_no_pane(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	world.spawn_error = ENOENT;
	assert_refused(&world, "pane.split", "\"argv\":[\"/bin/cat\"]", "exec_failed");
	assert_refused(&world, "tab.new", "\"argv\":[\"/bin/cat\"],\"identity\":\"a\"",
	               "identity_taken");
	assert_refused(&world, "tab.new", "\"argv\":[\"/bin/cat\"],\"profile\":\"nobody's\"",
	               "invalid");
	assert_layout(&world, "*a:120x39+0+1");
	world_close(&world);
}

// Ask for a split and run the loop until the program was given to the keeper, which has not answered.
static void split_begin(struct world *world, const char *params)
{
	int before = world->child_count;

	world_ask(world, "pane.split", params);
	while (world->child_count == before) {
		world_turn(world);
	}
}

static void a_place_that_has_gone_becomes_a_tab(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start_tabs(&world, "ab");
	split_begin(&world, "\"argv\":[\"/bin/cat\"],\"identity\":\"c\",\"name\":\"a\"");
	bh_layout_pane_remove(bh_layout_host_layout(world.server.layout), &world.children[0].id);
	assert_int_equal(number_of(world_answer(&world), "tab"), 3);
	assert_layout(&world, "b:120x39+0+1 | *c:120x39+0+1");
	assert_size(&world, "c", 120, 39);
	world_close(&world);
}

static void a_server_that_ends_gives_no_pane(void **state)
{
	struct world world;
	struct bh_layout_host *host = NULL;

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	split_begin(&world, "\"argv\":[\"/bin/cat\"]");
	host = world.server.layout;
	world.server.layout = NULL; // as bh_layout_host_close() leaves it
	assert_null(world_answer(&world));
	assert_string_equal(world_word(&world), "busy");
	world.server.layout = host;
	world_close(&world);
}

// ---- room ----

static void there_is_no_room_without_end(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	world_run(&world, "apart", "");
	assert_done(&world, "session.size_policy", "\"policy\":\"fixed\",\"cols\":4,\"rows\":5");
	assert_refused(&world, "pane.split", "\"argv\":[\"/bin/cat\"]", "no_room");
	assert_refused(&world, "pane.split", "\"argv\":[\"/bin/cat\"],\"direction\":\"down\"",
	               "no_room");
	assert_refused(&world, "pane.split", "\"show\":\"apart\"", "no_room");
	assert_refused(&world, "pane.show", "\"name\":\"apart\",\"beside\":\"a\"", "no_room");
	assert_refused(&world, "terminal.run",
	               "\"argv\":[\"/bin/cat\"],\"place\":\"up\",\"beside\":\"a\"", "no_room");
	assert_int_equal(world.child_count, 2); // nothing was started for it
	assert_size(&world, "a", 4, 4);
	// A tab of its own has room always.
	assert_done(&world, "pane.show", "\"name\":\"apart\"");
	assert_layout(&world, "a:4x4+0+1 | *apart:4x4+0+1");
	world_close(&world);
}

static void a_tab_has_64_panes(void **state)
{
	struct world world;
	char name[16];

	(void)state;
	world_open(&world);
	assert_done(&world, "session.size_policy",
	            "\"policy\":\"fixed\",\"cols\":999,\"rows\":999");
	start_tabs(&world, "a");
	for (int i = 1; i < BH_LAYOUT_PANES_MAX; i++) {
		(void)snprintf(name, sizeof name, "p%d", i);
		start(&world, "pane.split", name, "");
		assert_done(&world, "layout.arrange", "\"preset\":\"tiled\"");
	}
	assert_refused(&world, "pane.split", "\"argv\":[\"/bin/cat\"]", "no_room");
	assert_non_null(strstr(world_sentence(&world), "64 panes"));
	start(&world, "tab.new", "b", "");
	assert_refused(&world, "pane.join", "\"beside\":\"a\"", "no_room");
	assert_int_equal(world.child_count, BH_LAYOUT_PANES_MAX + 1);
	// One goes, so there is room for one.
	assert_done(&world, "pane.close", "\"name\":\"p1\",\"keep\":true");
	assert_done(&world, "pane.join", "\"beside\":\"a\"");
	world_close(&world);
}

static void splits_of_splits_have_an_end(void **state)
{
	struct world world;
	char name[16];

	(void)state;
	world_open(&world);
	assert_done(&world, "session.size_policy",
	            "\"policy\":\"fixed\",\"cols\":999,\"rows\":999");
	start_tabs(&world, "a");
	for (int i = 0; i < BH_LAYOUT_DEPTH_MAX; i++) {
		const char *side = i % 2 == 0 ? "left" : "up";
		char params[60];

		(void)snprintf(name, sizeof name, "p%d", i);
		start(&world, "pane.split", name, i % 2 == 0 ? "" : ",\"direction\":\"down\"");
		// The new one gets nearly all the room.
		(void)snprintf(params, sizeof params, "\"direction\":\"%s\",\"cells\":999", side);
		assert_done(&world, "pane.resize", params);
	}
	assert_refused(&world, "pane.split", "\"argv\":[\"/bin/cat\"],\"direction\":\"down\"",
	               "no_room");
	assert_non_null(strstr(world_sentence(&world), "29 deep"));
	start(&world, "pane.split", "last", ""); // in the row that is there
	const cJSON *layout = world_call(&world, "layout.get", "%s", "");
	char *before = cJSON_PrintUnformatted(cJSON_GetObjectItem(layout, "tabs"));

	// And it is there again after a restart.
	world_crash(&world);
	layout = world_call(&world, "layout.get", "%s", "");
	char *after = cJSON_PrintUnformatted(cJSON_GetObjectItem(layout, "tabs"));

	assert_string_equal(before, after);
	cJSON_free(before);
	cJSON_free(after);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pane_is_only_where_it_was_asked_for),
		cmocka_unit_test(the_answer_tells_tab_and_terminal),
		cmocka_unit_test(a_pane_is_split_on_every_side),
		cmocka_unit_test(a_new_tab_goes_where_it_is_wanted),
		cmocka_unit_test(an_agent_does_not_move_the_focus),
		cmocka_unit_test(what_runs_already_is_shown),
		cmocka_unit_test(not_everything_can_be_shown),
		cmocka_unit_test(the_users_shell_is_started_by_default),
		cmocka_unit_test(a_start_that_fails_leaves_no_pane),
		cmocka_unit_test(a_place_that_has_gone_becomes_a_tab),
		cmocka_unit_test(a_server_that_ends_gives_no_pane),
		cmocka_unit_test(there_is_no_room_without_end),
		cmocka_unit_test(a_tab_has_64_panes),
		cmocka_unit_test(splits_of_splits_have_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
