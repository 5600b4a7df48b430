// Tabs by their methods, how requests name tabs and panes, and who may ask.
#include "src/server/method_layout.h"

#include "src/server/server.h"
#include "tests/unit/layout-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The tab at @index (from 1) of `layout.get`.
static const cJSON *tab_at(struct world *world, int index)
{
	const cJSON *layout = world_call(world, "layout.get", "%s", "");

	return cJSON_GetArrayItem(cJSON_GetObjectItem(layout, "tabs"), index - 1);
}

static bool is_set(const cJSON *object, const char *name)
{
	assert_true(cJSON_IsBool(cJSON_GetObjectItem(object, name)));
	return cJSON_IsTrue(cJSON_GetObjectItem(object, name));
}

static void an_empty_session_has_a_layout_too(void **state)
{
	struct world world;
	const cJSON *layout = NULL;

	(void)state;
	world_open(&world);
	layout = world_call(&world, "layout.get", "%s", "");
	assert_int_equal(number_of(cJSON_GetObjectItem(layout, "area"), "cols"), 120);
	assert_int_equal(number_of(cJSON_GetObjectItem(layout, "area"), "rows"), 40);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(layout, "clients")), 0);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(layout, "tabs")), 0);
	assert_string_equal(world_text(cJSON_GetObjectItem(layout, "policy"), "policy"), "latest");
	assert_true(number_of(layout, "version") >= 1);
	// Whatever is about the tab in front or the pane in focus finds none.
	assert_refused(&world, "layout.arrange", "", "not_found");
	assert_refused(&world, "tab.select", "", "not_found");
	assert_refused(&world, "tab.select", "\"which\":\"next\"", "not_found");
	assert_refused(&world, "tab.rename", "\"name\":\"x\"", "not_found");
	assert_refused(&world, "tab.move", "\"index\":1", "not_found");
	assert_refused(&world, "tab.close", "", "not_found");
	assert_refused(&world, "pane.rotate", "", "not_found");
	assert_refused(&world, "pane.focus", "", "not_found");
	assert_refused(&world, "pane.split", "", "not_found");
	assert_refused(&world, "pane.zoom", "", "not_found");
	assert_refused(&world, "pane.close", "", "not_found");
	assert_refused(&world, "pane.resize", "\"direction\":\"up\"", "not_found");
	assert_non_null(strstr(world_sentence(&world), "tab.new"));
	world_close(&world);
}

static void a_tab_tells_what_it_is(void **state)
{
	struct world world;
	const cJSON *tab = NULL;
	char id[BH_UUID_TEXT];

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	start(&world, "tab.new", "b", ",\"name\":\"two\"");
	start(&world, "pane.split", "c", "");
	tab = tab_at(&world, 1);
	assert_int_equal(number_of(tab, "id"), 1);
	assert_int_equal(number_of(tab, "index"), 1);
	assert_string_equal(world_text(tab, "name"), "a"); // as who is in focus
	assert_false(is_set(tab, "is_named"));
	assert_false(is_set(tab, "is_active"));
	assert_true(is_set(tab, "is_last"));
	tab = tab_at(&world, 2);
	assert_int_equal(number_of(tab, "id"), 2);
	assert_int_equal(number_of(tab, "index"), 2);
	assert_string_equal(world_text(tab, "name"), "two");
	assert_true(is_set(tab, "is_named"));
	assert_true(is_set(tab, "is_active"));
	assert_false(is_set(tab, "is_last"));
	assert_false(is_set(tab, "is_zoomed"));
	assert_string_equal(world_text(tab, "focus"), bh_uuid_format(&world_child(&world)->id, id));
	world_close(&world);
}

static void tabs_are_brought_to_the_front(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start_tabs(&world, "abc");
	assert_int_equal(number_of(assert_done(&world, "tab.select", "\"which\":\"next\""), "tab"),
	                 1);
	assert_int_equal(
		number_of(assert_done(&world, "tab.select", "\"which\":\"previous\""), "tab"), 3);
	assert_int_equal(number_of(assert_done(&world, "tab.select", "\"which\":\"last\""), "tab"),
	                 1);
	assert_int_equal(number_of(assert_done(&world, "tab.select", "\"index\":2"), "tab"), 2);
	assert_int_equal(number_of(assert_done(&world, "tab.select", "\"tab\":3"), "tab"), 3);
	assert_layout(&world, "a:120x39+0+1 | b:120x39+0+1 | *c:120x39+0+1");
	// An id and an index: the id holds. The tab that is in front already stays there.
	assert_int_equal(
		number_of(assert_done(&world, "tab.select", "\"tab\":3,\"index\":1"), "tab"), 3);
	assert_true(is_set(tab_at(&world, 2), "is_last"));
	assert_refused(&world, "tab.select", "\"which\":\"first\"", "not_found");
	assert_refused(&world, "tab.select", "\"index\":4", "not_found");
	assert_refused(&world, "tab.select", "\"tab\":4", "not_found");
	assert_refused(&world, "tab.select", "\"tab\":0", "params");
	assert_refused(&world, "tab.select", "\"index\":-1", "params");
	assert_refused(&world, "tab.select", "\"tab\":\"a\"", "params");
	assert_refused(&world, "tab.select", "\"which\":1", "params");
	assert_layout(&world, "a:120x39+0+1 | b:120x39+0+1 | *c:120x39+0+1");
	world_close(&world);
}

static void there_may_be_no_last_tab(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	assert_refused(&world, "tab.select", "\"which\":\"last\"", "not_found");
	assert_int_equal(number_of(assert_done(&world, "tab.select", "\"which\":\"next\""), "tab"),
	                 1);
	world_close(&world);
}

static void tabs_have_names(void **state)
{
	struct world world;
	char name[300];
	char params[400];

	(void)state;
	world_open(&world);
	start_tabs(&world, "ab");
	assert_done(&world, "tab.rename", "\"index\":1,\"name\":\"wörk\"");
	assert_string_equal(world_text(tab_at(&world, 1), "name"), "wörk");
	assert_done(&world, "tab.rename", "\"tab\":1,\"name\":\"\"");
	assert_string_equal(world_text(tab_at(&world, 1), "name"), "a");
	assert_false(is_set(tab_at(&world, 1), "is_named"));
	// The one in front without any word about which; too long a name is cut.
	(void)memset(name, 'n', sizeof name);
	name[sizeof name - 1] = '\0';
	(void)snprintf(params, sizeof params, "\"name\":\"%s\"", name);
	assert_done(&world, "tab.rename", params);
	assert_int_equal(strlen(world_text(tab_at(&world, 2), "name")), BH_LAYOUT_NAME_MAX);
	assert_refused(&world, "tab.rename", "", "params");
	assert_refused(&world, "tab.rename", "\"name\":7", "params");
	assert_refused(&world, "tab.rename", "\"name\":\"x\",\"tab\":9", "not_found");
	world_close(&world);
}

static void tabs_are_put_in_order(void **state)
{
	struct world world;
	const cJSON *result = NULL;

	(void)state;
	world_open(&world);
	start_tabs(&world, "abc");
	result = assert_done(&world, "tab.move", "\"index\":1");
	assert_int_equal(number_of(result, "tab"), 3);
	assert_int_equal(number_of(result, "index"), 1);
	assert_layout(&world, "*c:120x39+0+1 | a:120x39+0+1 | b:120x39+0+1");
	result = assert_done(&world, "tab.move", "\"tab\":1,\"index\":99");
	assert_int_equal(number_of(result, "index"), 3);
	assert_layout(&world, "*c:120x39+0+1 | b:120x39+0+1 | a:120x39+0+1");
	// By places, round at both ends.
	result = assert_done(&world, "tab.move", "\"tab\":1,\"by\":1");
	assert_int_equal(number_of(result, "index"), 1);
	assert_layout(&world, "a:120x39+0+1 | *c:120x39+0+1 | b:120x39+0+1");
	assert_done(&world, "tab.move", "\"by\":-1");
	assert_layout(&world, "*c:120x39+0+1 | a:120x39+0+1 | b:120x39+0+1");
	result = assert_done(&world, "tab.move", "\"by\":-1");
	assert_int_equal(number_of(result, "index"), 3);
	assert_layout(&world, "a:120x39+0+1 | b:120x39+0+1 | *c:120x39+0+1");
	result = assert_done(&world, "tab.swap", "\"with\":1");
	assert_int_equal(number_of(result, "index"), 1);
	assert_layout(&world, "*c:120x39+0+1 | b:120x39+0+1 | a:120x39+0+1");
	assert_done(&world, "tab.swap", "\"tab\":2,\"with\":1");
	assert_layout(&world, "*c:120x39+0+1 | a:120x39+0+1 | b:120x39+0+1");
	assert_refused(&world, "tab.swap", "\"tab\":1", "params");
	assert_refused(&world, "tab.swap", "\"with\":7", "not_found");
	assert_refused(&world, "tab.move", "\"index\":1,\"by\":1", "params");
	assert_refused(&world, "tab.move", "\"tab\":1", "params");
	assert_refused(&world, "tab.move", "\"index\":0", "params");
	assert_refused(&world, "tab.move", "\"tab\":7,\"index\":1", "not_found");
	world_close(&world);
}

static void panes_are_arranged(void **state)
{
	static const char *const words[] = {"even-horizontal", "even-vertical", "main-horizontal",
	                                    "main-vertical", "tiled"};
	struct world world;

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	start(&world, "pane.split", "b", "");
	start(&world, "pane.split", "c", "");
	start_tabs(&world, "d");
	// Without a word one after the other, and round.
	for (int i = 0; i < 6; i++) {
		assert_string_equal(
			world_text(assert_done(&world, "layout.arrange", "\"tab\":1"), "preset"),
			words[i % 5]);
	}
	assert_layout(&world, "a:39x39+0+1 b:40x39+40+1 c:39x39+81+1 | *d:120x39+0+1");
	assert_done(&world, "layout.arrange", "\"index\":1,\"preset\":\"main-vertical\"");
	assert_layout(&world, "a:60x39+0+1 b:59x19+61+1 c:59x19+61+21 | *d:120x39+0+1");
	assert_size(&world, "c", 59, 19);
	assert_refused(&world, "layout.arrange", "\"preset\":\"spiral\"", "params");
	assert_non_null(strstr(world_sentence(&world), "tiled"));
	assert_refused(&world, "layout.arrange", "\"preset\":1", "params");
	assert_refused(&world, "layout.arrange", "\"index\":3", "not_found");
	world_close(&world);
}

static void every_change_is_a_new_version(void **state)
{
	static const char *const calls[][2] = {
		{"tab.select", "\"index\":1"},
		{"tab.rename", "\"name\":\"x\""},
		{"tab.move", "\"index\":2"},
		{"tab.swap", "\"with\":1"},
		{"layout.arrange", ""},
		{"session.size_policy", "\"policy\":\"smallest\""},
		{"ui.attach", "\"cols\":90,\"rows\":30"},
		{"ui.size", "\"cols\":91,\"rows\":30"},
		{"ui.detach", ""},
	};
	struct world world;
	int before = 0;

	(void)state;
	world_open(&world);
	start_tabs(&world, "ab");
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
		before = number_of(world_call(&world, "layout.get", "%s", ""), "version");
		assert_done(&world, calls[i][0], calls[i][1]);
		world_turn(&world); // listeners are told once in a turn
		assert_true(number_of(world_call(&world, "layout.get", "%s", ""), "version") >
		            before);
	}
	world_close(&world);
}

static void an_agent_changes_nothing(void **state)
{
	static const char *const methods[] = {
		"layout.arrange", "tab.new",    "tab.select",         "tab.rename", "tab.move",
		"tab.swap",       "tab.close",  "pane.split",         "pane.show",  "pane.focus",
		"pane.swap",      "pane.zoom",  "pane.break",         "pane.join",  "pane.resize",
		"pane.rotate",    "pane.close", "session.size_policy"};
	struct world world;

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	world_come_as(&world, BH_CALLER_INSIDE);
	for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
		assert_refused(&world, methods[i], "", "operator_only");
	}
	assert_layout(&world, "*a:120x39+0+1");
	world_close(&world);
}

static void panes_are_named_by_their_terminals(void **state)
{
	struct world world;
	char params[100];
	char id[BH_UUID_TEXT];

	(void)state;
	world_open(&world);
	world_run(&world, "apart", "");
	start_tabs(&world, "ab");
	(void)bh_uuid_format(&world.children[1].id, id);
	(void)snprintf(params, sizeof params, "\"name\":\"%.13s\"", id);
	assert_string_equal(world_text(assert_done(&world, "pane.focus", params), "terminal_id"),
	                    id);
	assert_refused(&world, "pane.focus", "\"name\":\"nobody\"", "not_found");
	assert_refused(&world, "pane.focus", "\"name\":\"apart\"", "not_found");
	assert_non_null(strstr(world_sentence(&world), "pane.show"));
	assert_refused(&world, "pane.focus", "\"name\":1", "params");
	assert_refused(&world, "pane.focus", "\"name\":null", "params");
	assert_layout(&world, "*a:120x39+0+1 | b:120x39+0+1");
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_session_has_a_layout_too),
		cmocka_unit_test(a_tab_tells_what_it_is),
		cmocka_unit_test(tabs_are_brought_to_the_front),
		cmocka_unit_test(there_may_be_no_last_tab),
		cmocka_unit_test(tabs_have_names),
		cmocka_unit_test(tabs_are_put_in_order),
		cmocka_unit_test(panes_are_arranged),
		cmocka_unit_test(every_change_is_a_new_version),
		cmocka_unit_test(an_agent_changes_nothing),
		cmocka_unit_test(panes_are_named_by_their_terminals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
