// Panes that there are, by their methods: focus, swap, zoom, borders, other places, ends.
#include "src/server/server.h"
#include "src/server/terminals.h"
#include "tests/unit/layout-world.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

// a at the left, b above c at the right; c is in focus.
static void open_three(struct world *world)
{
	world_open(world);
	start_tabs(world, "a");
	start(world, "pane.split", "b", "");
	start(world, "pane.split", "c", ",\"direction\":\"down\"");
	assert_layout(world, "*a:60x39+0+1 b:59x19+61+1 c:59x19+61+21");
}

// The request must bring this one into focus.
static void assert_focused(struct world *world, const char *params, const char *name)
{
	const cJSON *result = assert_done(world, "pane.focus", params);
	struct bh_uuid id;

	assert_true(bh_uuid_parse(world_text(result, "terminal_id"), &id));
	assert_string_equal(bh_terminals_get(world->server.terminals, &id)->identity, name);
}

// The state of an agent, by what its program says.
static void agent_works(struct world *world, struct world_child *child, const char *name)
{
	world_print(world, child, "\033]7501;state=working:app=claude-code\007");
	// It is judged a little later.
	for (int i = 0; i < 500 && strcmp(world_state(world, name), "working") != 0; i++) {
		(void)usleep(10000);
	}
	assert_string_equal(world_state(world, name), "working");
}

// ---- focus ----

static void the_focus_goes_from_pane_to_pane(void **state)
{
	struct world world;

	(void)state;
	open_three(&world);
	assert_focused(&world, "", "c"); // who has it keeps it
	assert_focused(&world, "\"direction\":\"up\"", "b");
	assert_focused(&world, "\"direction\":\"left\"", "a");
	assert_focused(&world, "\"direction\":\"left\"", "b"); // round the edge
	assert_focused(&world, "\"which\":\"last\"", "a");
	assert_focused(&world, "\"which\":\"next\"", "b");
	assert_focused(&world, "\"which\":\"next\"", "c");
	assert_focused(&world, "\"which\":\"next\"", "a");
	assert_focused(&world, "\"which\":\"previous\"", "c");
	assert_focused(&world, "\"name\":\"b\"", "b");
	// As seen from another one.
	assert_focused(&world, "\"name\":\"b\",\"direction\":\"down\"", "c");
	assert_refused(&world, "pane.focus", "\"which\":\"first\"", "not_found");
	assert_refused(&world, "pane.focus", "\"which\":1", "params");
	assert_refused(&world, "pane.focus", "\"direction\":\"in\"", "params");
	assert_refused(&world, "pane.focus", "\"direction\":2", "params");
	// Of another tab: that comes to the front.
	start_tabs(&world, "d");
	assert_refused(&world, "pane.focus", "\"which\":\"last\"", "not_found");
	assert_focused(&world, "\"direction\":\"right\"", "d"); // there is no other
	assert_focused(&world, "\"name\":\"a\"", "a");
	assert_layout(&world, "*a:60x39+0+1 b:59x19+61+1 c:59x19+61+21 | d:120x39+0+1");
	world_close(&world);
}

// ---- places ----

static void panes_change_places(void **state)
{
	struct world world;

	(void)state;
	open_three(&world);
	assert_done(&world, "pane.swap", "\"which\":\"next\"");
	assert_layout(&world, "*c:60x39+0+1 b:59x19+61+1 a:59x19+61+21");
	assert_done(&world, "pane.swap", "\"direction\":\"right\"");
	assert_layout(&world, "*b:60x39+0+1 c:59x19+61+1 a:59x19+61+21");
	assert_done(&world, "pane.swap", "\"name\":\"a\",\"with\":\"b\"");
	assert_layout(&world, "*a:60x39+0+1 c:59x19+61+1 b:59x19+61+21");
	assert_size(&world, "a", 60, 39);
	assert_size(&world, "b", 59, 19);
	start_tabs(&world, "d");
	assert_done(&world, "pane.swap", "\"with\":\"a\""); // across tabs
	assert_layout(&world, "d:60x39+0+1 c:59x19+61+1 b:59x19+61+21 | *a:120x39+0+1");
	assert_done(&world, "pane.swap", "\"with\":\"a\""); // with itself: nothing
	assert_layout(&world, "d:60x39+0+1 c:59x19+61+1 b:59x19+61+21 | *a:120x39+0+1");
	assert_refused(&world, "pane.swap", "\"with\":\"nobody\"", "not_found");
	assert_refused(&world, "pane.swap", "\"name\":\"nobody\",\"with\":\"a\"", "not_found");
	assert_refused(&world, "pane.swap", "\"which\":\"last\"", "not_found");
	assert_refused(&world, "pane.swap", "\"direction\":\"x\"", "params");
	world_close(&world);
}

static void panes_go_round(void **state)
{
	struct world world;

	(void)state;
	open_three(&world);
	start_tabs(&world, "d");
	assert_int_equal(number_of(assert_done(&world, "pane.rotate", "\"tab\":1"), "tab"), 1);
	assert_layout(&world, "c:60x39+0+1 a:59x19+61+1 b:59x19+61+21 | *d:120x39+0+1");
	assert_done(&world, "pane.rotate", "\"index\":1,\"reverse\":true");
	assert_layout(&world, "a:60x39+0+1 b:59x19+61+1 c:59x19+61+21 | *d:120x39+0+1");
	assert_done(&world, "pane.rotate", ""); // one alone stays
	assert_refused(&world, "pane.rotate", "\"reverse\":1", "params");
	assert_refused(&world, "pane.rotate", "\"tab\":5", "not_found");
	world_close(&world);
}

static void panes_are_broken_out_and_joined(void **state)
{
	struct world world;
	const cJSON *tabs = NULL;

	(void)state;
	open_three(&world);
	assert_int_equal(number_of(assert_done(&world, "pane.break",
	                                       "\"name\":\"b\",\"focus\":false,"
	                                       "\"tab_name\":\"out\""),
	                           "tab"),
	                 2);
	assert_layout(&world, "*a:60x39+0+1 c:59x39+61+1 | b:120x39+0+1");
	tabs = cJSON_GetObjectItem(world_call(&world, "layout.get", "%s", ""), "tabs");
	assert_string_equal(world_text(cJSON_GetArrayItem(tabs, 1), "name"), "out");
	// One that is alone in its tab stays there.
	assert_int_equal(number_of(assert_done(&world, "pane.break", "\"name\":\"b\""), "tab"), 2);
	assert_done(&world, "pane.join", "\"name\":\"a\",\"beside\":\"b\",\"direction\":\"up\"");
	assert_layout(&world, "c:120x39+0+1 | *a:120x19+0+1 b:120x19+0+21");
	assert_size(&world, "b", 120, 19);
	assert_done(&world, "pane.join", "\"name\":\"c\",\"beside\":\"b\",\"focus\":false");
	assert_layout(&world, "*a:120x19+0+1 b:60x19+0+21 c:59x19+61+21"); // the tab went
	// Within the tab too; the one in focus when none is named.
	assert_done(&world, "pane.join", "\"beside\":\"c\",\"direction\":\"right\"");
	assert_layout(&world, "*b:60x39+0+1 c:29x39+61+1 a:29x39+91+1");
	assert_refused(&world, "pane.join", "\"name\":\"a\",\"beside\":\"a\"", "invalid");
	assert_refused(&world, "pane.join", "\"name\":\"a\"", "params");
	assert_refused(&world, "pane.join", "\"beside\":\"nobody\"", "not_found");
	assert_refused(&world, "pane.join", "\"beside\":\"b\",\"direction\":\"x\"", "params");
	assert_refused(&world, "pane.join", "\"beside\":\"b\",\"focus\":1", "params");
	assert_refused(&world, "pane.break", "\"tab_name\":1", "params");
	assert_refused(&world, "pane.break", "\"focus\":1", "params");
	assert_refused(&world, "pane.break", "\"name\":\"nobody\"", "not_found");
	// Nothing is lost where there is no room.
	start_tabs(&world, "d");
	assert_done(&world, "session.size_policy", "\"policy\":\"fixed\",\"cols\":4,\"rows\":5");
	assert_refused(&world, "pane.join", "\"name\":\"d\",\"beside\":\"a\"", "no_room");
	assert_done(&world, "session.size_policy", "\"policy\":\"fixed\",\"cols\":120,\"rows\":40");
	assert_size(&world, "d", 120, 39);
	world_close(&world);
}

static void borders_are_moved(void **state)
{
	struct world world;

	(void)state;
	open_three(&world);
	assert_int_equal(
		number_of(assert_done(&world, "pane.resize",
	                              "\"name\":\"a\",\"direction\":\"right\",\"cells\":-10"),
	                  "moved"),
		-10);
	assert_int_equal(
		number_of(assert_done(&world, "pane.resize", "\"direction\":\"up\""), "moved"), 1);
	assert_layout(&world, "*a:50x39+0+1 b:69x18+51+1 c:69x20+51+20");
	assert_size(&world, "c", 69, 20);
	// As far as it goes; at the edge of the area the other border moves.
	assert_int_equal(number_of(assert_done(&world, "pane.resize",
	                                       "\"direction\":\"left\",\"cells\":1000"),
	                           "moved"),
	                 48);
	assert_int_equal(
		number_of(assert_done(&world, "pane.resize", "\"direction\":\"right\",\"cells\":5"),
	                  "moved"),
		5);
	assert_layout(&world, "*a:7x39+0+1 b:112x18+8+1 c:112x20+8+20");
	assert_refused(&world, "pane.resize", "", "params");
	assert_refused(&world, "pane.resize", "\"cells\":1", "params");
	assert_refused(&world, "pane.resize", "\"direction\":\"x\"", "params");
	assert_refused(&world, "pane.resize", "\"direction\":\"up\",\"cells\":1001", "params");
	assert_refused(&world, "pane.resize", "\"direction\":\"up\",\"cells\":1.5", "params");
	assert_refused(&world, "pane.resize", "\"direction\":\"up\",\"name\":\"nobody\"",
	               "not_found");
	world_close(&world);
}

// ---- zoom ----

static bool zoom(struct world *world, const char *params)
{
	return cJSON_IsTrue(
		cJSON_GetObjectItem(assert_done(world, "pane.zoom", params), "is_zoomed"));
}

static void a_zoomed_pane_has_the_whole_area(void **state)
{
	struct world world;

	(void)state;
	open_three(&world);
	assert_true(zoom(&world, ""));
	assert_layout(&world, "*(a:60x39+0+1) (b:59x19+61+1) c:120x39+0+1");
	assert_size(&world, "c", 120, 39);
	assert_size(&world, "b", 59, 19);
	assert_true(zoom(&world, "\"zoom\":true"));
	assert_false(zoom(&world, ""));
	assert_size(&world, "c", 59, 19);
	assert_false(zoom(&world, "\"zoom\":false"));
	// Another one: it is in focus then, and zoomed whatever was before.
	assert_true(zoom(&world, ""));
	assert_true(zoom(&world, "\"name\":\"a\""));
	assert_layout(&world, "*a:120x39+0+1 (b:59x19+61+1) (c:59x19+61+21)");
	// A move of the focus, a split and a move of a border end it.
	assert_focused(&world, "\"which\":\"next\"", "b");
	assert_layout(&world, "*a:60x39+0+1 b:59x19+61+1 c:59x19+61+21");
	assert_true(zoom(&world, ""));
	start(&world, "pane.split", "d", ",\"direction\":\"right\"");
	assert_layout(&world, "*a:60x39+0+1 b:29x19+61+1 d:29x19+91+1 c:59x19+61+21");
	assert_true(zoom(&world, ""));
	assert_done(&world, "pane.resize", "\"direction\":\"left\"");
	assert_layout(&world, "*a:60x39+0+1 b:28x19+61+1 d:30x19+90+1 c:59x19+61+21");
	assert_refused(&world, "pane.zoom", "\"zoom\":1", "params");
	assert_refused(&world, "pane.zoom", "\"name\":\"nobody\"", "not_found");
	// One alone has the whole area anyway.
	start_tabs(&world, "e");
	assert_false(zoom(&world, "\"zoom\":true"));
	world_close(&world);
}

static void a_zoomed_pane_may_close(void **state)
{
	struct world world;

	(void)state;
	open_three(&world);
	assert_true(zoom(&world, ""));
	assert_done(&world, "pane.close", "\"keep\":true");
	assert_layout(&world, "*a:60x39+0+1 b:59x39+61+1");
	assert_size(&world, "b", 59, 39);
	// Its program ends; what is left is alone.
	assert_true(zoom(&world, "\"name\":\"a\""));
	world_exit(&world, &world.children[0], 0);
	assert_layout(&world, "*b:120x39+0+1");
	assert_false(zoom(&world, ""));
	world_close(&world);
}

static void a_hidden_pane_may_close_under_a_zoomed_one(void **state)
{
	struct world world;

	(void)state;
	open_three(&world);
	assert_true(zoom(&world, "\"name\":\"a\""));
	world_exit(&world, &world.children[1], 0);
	assert_layout(&world, "*a:120x39+0+1 (c:59x39+61+1)");
	assert_size(&world, "c", 59, 39);
	world_exit(&world, &world.children[2], 0);
	assert_layout(&world, "*a:120x39+0+1");
	world_close(&world);
}

// ---- ends ----

static void who_works_is_asked_about(void **state)
{
	struct world world;
	struct world_child *child = NULL;
	const cJSON *agents = NULL;

	(void)state;
	world_open(&world);
	child = start(&world, "tab.new", "a", ",\"profile\":\"claude\"");
	agent_works(&world, child, "a");
	start(&world, "pane.split", "sh", "");
	assert_refused(&world, "pane.close", "\"name\":\"a\"", "needs_confirmation");
	assert_non_null(strstr(world_sentence(&world), "a is at work"));
	assert_refused(&world, "tab.close", "", "needs_confirmation");
	agents = cJSON_GetObjectItem(
		cJSON_GetObjectItem(cJSON_GetObjectItem(world.answer, "error"), "data"), "agents");
	assert_int_equal(cJSON_GetArraySize(agents), 1); // a shell is nobody to ask about
	assert_string_equal(cJSON_GetArrayItem(agents, 0)->valuestring, "a");
	agent_works(&world, start(&world, "pane.split", "b", ",\"profile\":\"claude\""), "b");
	assert_refused(&world, "tab.close", "\"index\":1", "needs_confirmation");
	assert_non_null(strstr(world_sentence(&world), "a and others are at work"));
	for (int i = 0; i < 3; i++) {
		assert_int_equal(world.children[i].signal, 0); // nobody was asked to end
	}
	// Who lives on is not asked about.
	assert_done(&world, "pane.close", "\"name\":\"b\",\"keep\":true");
	assert_int_equal(world.children[2].signal, 0);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(
				 assert_done(&world, "tab.close", "\"force\":true"), "closing")),
	                 2);
	assert_int_equal(world.children[0].signal, SIGHUP);
	assert_int_equal(world.children[1].signal, SIGHUP);
	world_exit(&world, &world.children[0], 0);
	world_exit(&world, &world.children[1], 0);
	assert_layout(&world, "");
	assert_string_equal(world_state(&world, "b"), "working");
	world_close(&world);
}

static void a_pane_closes_when_its_program_has_ended(void **state)
{
	struct world world;
	struct world_child *b = NULL;
	char id[BH_UUID_TEXT];

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	b = start(&world, "pane.split", "b", "");
	const cJSON *closing =
		cJSON_GetObjectItem(assert_done(&world, "pane.close", ""), "closing");

	assert_string_equal(cJSON_GetArrayItem(closing, 0)->valuestring,
	                    bh_uuid_format(&b->id, id));
	assert_int_equal(b->signal, SIGHUP);
	assert_layout(&world, "*a:60x39+0+1 b:59x39+61+1");
	// Once more does no harm.
	assert_done(&world, "pane.close", "\"name\":\"b\"");
	world_exit(&world, b, 0);
	assert_layout(&world, "*a:120x39+0+1");
	assert_refused(&world, "pane.close", "\"name\":\"b\"", "not_found");
	assert_refused(&world, "pane.close", "\"name\":\"nobody\"", "not_found");
	assert_refused(&world, "pane.close", "\"force\":1", "params");
	assert_refused(&world, "pane.close", "\"keep\":1", "params");
	assert_refused(&world, "tab.close", "\"index\":2", "not_found");
	assert_refused(&world, "tab.close", "\"tab\":\"x\"", "params");
	assert_layout(&world, "*a:120x39+0+1");
	world_close(&world);
}

static void who_is_closed_gets_no_successor(void **state)
{
	struct world world;
	struct world_child *child = NULL;

	(void)state;
	world_open(&world);
	child = start(&world, "tab.new", "a", ",\"respawn\":\"always\"");
	assert_done(&world, "pane.close", "");
	world_exit(&world, child, 0);
	assert_layout(&world, "");
	assert_int_equal(world.child_count, 1);
	// One that waits for its successor: the pane goes at once, and it is not waited for.
	child = start(&world, "tab.new", "b", ",\"respawn\":\"always\"");
	world_exit(&world, child, 0);
	assert_layout(&world, "*b:120x39+0+1");
	assert_done(&world, "pane.close", "");
	assert_layout(&world, "");
	assert_refused(&world, "terminal.get", "\"name\":\"b\"", "not_found");
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_focus_goes_from_pane_to_pane),
		cmocka_unit_test(panes_change_places),
		cmocka_unit_test(panes_go_round),
		cmocka_unit_test(panes_are_broken_out_and_joined),
		cmocka_unit_test(borders_are_moved),
		cmocka_unit_test(a_zoomed_pane_has_the_whole_area),
		cmocka_unit_test(a_zoomed_pane_may_close),
		cmocka_unit_test(a_hidden_pane_may_close_under_a_zoomed_one),
		cmocka_unit_test(who_works_is_asked_about),
		cmocka_unit_test(a_pane_closes_when_its_program_has_ended),
		cmocka_unit_test(who_is_closed_gets_no_successor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
