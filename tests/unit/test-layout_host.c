// The layout at work: sizes of terminals, panes of those that end or succeed, the file, who is told.
#include "src/server/layout_host.h"

#include "src/base/file.h"
#include "src/base/mem.h"
#include "src/server/server.h"
#include "src/server/terminals.h"
#include "tests/unit/layout-world.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Where the world's layout is saved; the caller frees.
static char *file_path(const struct world *world)
{
	return bh_xasprintf("%s/layout.json", world->server.paths.state_dir);
}

static void file_write(const struct world *world, const char *text)
{
	char *path = file_path(world);

	assert_int_equal(bh_file_replace(path, bh_span_of(text), 0600, BH_FILE_ATOMIC, NULL), 0);
	free(path);
}

// ---- terminals ----

static void the_pane_goes_with_its_terminal(void **state)
{
	struct world world;
	struct world_child *a;

	(void)state;
	world_open(&world);
	a = start(&world, "tab.new", "a", "");
	start(&world, "pane.split", "b", "");
	world_exit(&world, a, 0);
	assert_layout(&world, "*b:120x39+0+1");
	// Closed by hand: it is asked to end, its pane stays until it has.
	struct world_child *b = world_child(&world);

	assert_non_null(world_call(&world, "pane.close", "%s", ""));
	assert_int_equal(b->signal, SIGHUP);
	assert_layout(&world, "*b:120x39+0+1");
	world_exit(&world, b, 0);
	assert_layout(&world, "");
	world_close(&world);
}

static void fix_cols(struct world *world, int cols)
{
	assert_non_null(world_call(world, "session.size_policy",
	                           "\"policy\":\"fixed\",\"cols\":%d,\"rows\":40", cols));
}

static void a_program_has_time_to_see_each_size(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start(&world, "tab.new", "a", "");
	fix_cols(&world, 60);
	assert_size_now(&world, "a", 60, 39);
	// Back at once: nobody would tell the program that it was smaller in between.
	fix_cols(&world, 120);
	assert_size_now(&world, "a", 60, 39);
	assert_size(&world, "a", 120, 39);
	// Only the last of many counts.
	fix_cols(&world, 60);
	fix_cols(&world, 90);
	fix_cols(&world, 120);
	assert_size_now(&world, "a", 120, 39);
	world_close(&world);
}

static void who_is_forgotten_has_no_pane(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start(&world, "tab.new", "a", "");
	start(&world, "pane.split", "b", ",\"respawn\":\"always\"");
	start(&world, "tab.new", "c", "");
	world_exit(&world, &world.children[1], 0);
	assert_layout(&world, "a:60x39+0+1 b:59x39+61+1 | *c:120x39+0+1"); // it waits
	assert_done(&world, "terminal.forget", "\"name\":\"b\"");
	world_turn(&world);
	assert_layout(&world, "a:120x39+0+1 | *c:120x39+0+1");
	assert_size(&world, "a", 120, 39);
	// The last pane of a tab takes the tab along, the tab before comes to the front.
	world_exit(&world, &world.children[2], 0);
	assert_layout(&world, "*a:120x39+0+1");
	world_exit(&world, &world.children[0], 0);
	assert_layout(&world, "");
	world_close(&world);
}

static void the_deaf_are_killed_each_in_its_time(void **state)
{
	struct world world;
	struct world_child *a = NULL;
	struct world_child *b = NULL;
	uint64_t begin_ms = 0;

	(void)state;
	world_open(&world);
	a = start(&world, "tab.new", "a", "");
	b = start(&world, "tab.new", "b", "");
	begin_ms = uv_now(&world.server.loop);
	assert_done(&world, "pane.close", "\"name\":\"a\"");
	assert_done(&world, "pane.close", "\"name\":\"b\"");
	// One that has heard is not killed, nor who has its place then.
	world_exit(&world, a, 0);
	while (b->signal != SIGKILL) {
		world_turn(&world);
		(void)usleep(10000);
	}
	assert_true(uv_now(&world.server.loop) - begin_ms >= BH_LAYOUT_KILL_MS);
	assert_int_equal(a->signal, SIGHUP);
	assert_layout(&world, "*b:120x39+0+1"); // until it has ended
	world_exit(&world, b, SIGKILL);
	assert_layout(&world, "");
	world_close(&world);
}

static void a_successor_takes_the_pane(void **state)
{
	struct world world;
	struct world_child *child;

	(void)state;
	world_open(&world);
	child = start(&world, "tab.new", "a", ",\"respawn\":\"always\"");
	start(&world, "tab.new", "b", "");
	world_exit(&world, child, 0);
	assert_layout(&world, "a:120x39+0+1 | *b:120x39+0+1"); // it waits
	assert_non_null(world_call(&world, "terminal.respawn", "\"name\":\"a\""));
	assert_layout(&world, "a:120x39+0+1 | *b:120x39+0+1");
	assert_string_not_equal(world_state(&world, "a"), "exited");
	world_exit(&world, world_child(&world), 0);
	// Given up: the pane goes with the wait.
	assert_non_null(world_call(&world, "terminal.forget", "\"name\":\"a\""));
	world_turn(&world);
	assert_layout(&world, "*b:120x39+0+1");
	world_close(&world);
}

static void a_successor_has_the_size_of_the_pane(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start(&world, "tab.new", "a", ",\"respawn\":\"always\"");
	start(&world, "pane.split", "b", "");
	assert_done(&world, "pane.focus", "\"name\":\"a\"");
	world_exit(&world, &world.children[0], 0);
	// While it waits another client comes and the border is moved.
	assert_done(&world, "ui.attach", "\"cols\":80,\"rows\":24");
	assert_done(&world, "pane.resize", "\"direction\":\"right\",\"cells\":5");
	assert_done(&world, "terminal.respawn", "\"name\":\"a\"");
	assert_layout(&world, "*a:45x23+0+1 b:34x23+46+1");
	assert_size(&world, "a", 45, 23);
	// It is the one in focus, as the one before was.
	start(&world, "pane.split", "c", ",\"direction\":\"down\"");
	assert_layout(&world, "*a:45x11+0+1 c:45x11+0+13 b:34x23+46+1");
	world_close(&world);
}

static void a_pane_too_small_for_a_program_has_its_size_later(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start(&world, "tab.new", "a", "");
	start(&world, "pane.split", "b", ",\"direction\":\"down\"");
	assert_done(&world, "ui.attach", "\"cols\":1,\"rows\":1");
	const cJSON *layout = world_call(&world, "layout.get", "%s", "");

	assert_int_equal(number_of(cJSON_GetObjectItem(layout, "area"), "rows"), 1);
	assert_done(&world, "ui.size", "\"cols\":80,\"rows\":24");
	assert_layout(&world, "*a:80x11+0+1 b:80x11+0+13");
	assert_size(&world, "a", 80, 11);
	assert_size(&world, "b", 80, 11);
	world_close(&world);
}

static void a_server_that_ends_has_no_layout(void **state)
{
	struct world world;
	cJSON *view = bh_layout_host_view(NULL);

	(void)state;
	assert_true(cJSON_IsObject(view));
	assert_null(view->child);
	cJSON_Delete(view);
	world_open(&world);
	world_run(&world, "a", "");
	struct bh_terminal *terminal =
		bh_terminals_get(world.server.terminals, &world_child(&world)->id);

	// Nothing of this needs one.
	bh_layout_host_started(NULL, terminal);
	bh_layout_host_ended(NULL, terminal, true);
	bh_layout_host_fit(NULL, terminal);
	world_close(&world);
}

// ---- the file ----

static void the_layout_outlives_the_server(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start(&world, "tab.new", "a", ",\"name\":\"one\"");
	start(&world, "pane.split", "b", ",\"direction\":\"down\"");
	start(&world, "tab.new", "c", "");
	assert_non_null(world_call(&world, "session.size_policy",
	                           "\"policy\":\"fixed\",\"cols\":90,\"rows\":20"));
	world_crash(&world);
	assert_layout(&world, "a:90x9+0+1 b:90x9+0+11 | *c:90x19+0+1");
	while (strcmp(world_state(&world, "a"), "starting") == 0 &&
	       bh_terminals_living(world.server.terminals) < 3) {
		world_turn(&world);
	}
	assert_non_null(world_call(&world, "session.size_policy", "\"policy\":\"latest\""));
	assert_string_equal(
		world_text(world_call(&world, "session.size_policy", "%s", ""), "policy"),
		"latest");
	world_close(&world);
}

static void names_focus_and_zoom_outlive_it_too(void **state)
{
	struct world world;
	char *before = NULL;
	char *after = NULL;

	(void)state;
	world_open(&world);
	start(&world, "tab.new", "a", ",\"name\":\"one \\u00f6 \\\"two\\\"\"");
	start(&world, "pane.split", "b", "");
	start(&world, "pane.split", "c", ",\"direction\":\"down\"");
	assert_done(&world, "pane.resize", "\"direction\":\"left\",\"cells\":7");
	assert_done(&world, "pane.zoom", "\"name\":\"b\"");
	start(&world, "tab.new", "d", "");
	assert_done(&world, "session.size_policy", "\"policy\":\"smallest\"");
	before = cJSON_PrintUnformatted(
		cJSON_GetObjectItem(world_call(&world, "layout.get", "%s", ""), "tabs"));
	world_crash(&world);
	after = cJSON_PrintUnformatted(
		cJSON_GetObjectItem(world_call(&world, "layout.get", "%s", ""), "tabs"));
	assert_string_equal(before, after);
	assert_string_equal(world_text(assert_done(&world, "session.size_policy", ""), "policy"),
	                    "smallest");
	// Ids of tabs that have gone are not given again; nor does the version go back.
	assert_int_equal(number_of(assert_done(&world, "tab.select", "\"which\":\"last\""), "tab"),
	                 1);
	start(&world, "tab.new", "e", "");
	assert_int_equal(number_of(assert_done(&world, "tab.select", "\"index\":3"), "tab"), 3);
	cJSON_free(before);
	cJSON_free(after);
	world_close(&world);
}

static void who_ended_meanwhile_has_no_pane(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start(&world, "tab.new", "a", "");
	start(&world, "pane.split", "b", "");
	start(&world, "tab.new", "c", "");
	// The keeper has them no more when the next server asks.
	world.children[1].is_forgotten = true;
	world.children[2].is_forgotten = true;
	world_crash(&world);
	assert_layout(&world, "*a:120x39+0+1");
	assert_size(&world, "a", 120, 39);
	world.children[0].is_forgotten = true;
	world_crash(&world);
	assert_layout(&world, "");
	world_close(&world);
}

static void an_empty_layout_has_no_policy(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	assert_done(&world, "session.size_policy", "\"policy\":\"smallest\"");
	// A session that begins anew begins as the user's settings say.
	world_crash(&world);
	assert_string_equal(world_text(assert_done(&world, "session.size_policy", ""), "policy"),
	                    "latest");
	world_close(&world);
}

static void a_spoilt_file_is_no_layout(void **state)
{
	struct world world;
	char *path = NULL;

	(void)state;
	world_open(&world);
	start(&world, "tab.new", "a", "");
	path = bh_xasprintf("%s/layout.json", world.server.paths.state_dir);
	// The folder in its place: nothing can be saved over it, nor read.
	world_turn(&world);
	assert_int_equal(bh_file_remove(path, NULL), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	world_crash(&world);
	assert_layout(&world, "");
	assert_non_null(world_call(&world, "events.subscribe", "%s", ""));
	start(&world, "tab.new", "b", "");
	assert_layout(&world, "*b:120x39+0+1");
	assert_non_null(strstr(world_text(world_told(&world, "session.notice"), "text"),
	                       "cannot be saved"));
	assert_int_equal(rmdir(path), 0);
	free(path);
	world_close(&world);
}

static void nonsense_in_the_file_is_no_layout(void **state)
{
	static const char *const texts[] = {"",
	                                    "{",
	                                    "[]",
	                                    "{}",
	                                    "{\"layout\":1}",
	                                    "{\"layout\":{}}",
	                                    "{\"layout\":{\"format\":99}}"};
	struct world world;

	(void)state;
	world_open(&world);
	start(&world, "tab.new", "a", "");
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		// The server that ends saves what it has, so that is made unreadable later.
		world_crash(&world);
		file_write(&world, texts[i]);
		struct bh_layout_host *host = world.server.layout;
		struct bh_layout_host *spoilt = bh_layout_host_new(&world.server);

		assert_null(bh_layout_host_layout(spoilt)->active);
		bh_layout_host_close(spoilt);
		world.server.layout = host;
	}
	// The terminals are there all the same, and can be shown.
	assert_layout(&world, "*a:120x39+0+1");
	world_close(&world);
}

// ---- telling ----

static void who_does_not_read_is_brought_up_to_date_later(void **state)
{
	struct world world;
	char name[256];
	struct other other;

	(void)state;
	world_open(&world);
	assert_non_null(world_call(&world, "events.subscribe", "%s", ""));
	start(&world, "tab.new", "a", "");
	other = client_keep(&world);
	// Another one does so much that the backlog of the listener passes the bound.
	(void)memset(name, 'n', sizeof name);
	name[sizeof name - 1] = '\0';
	for (int i = 0; i < 3000; i++) {
		name[0] = (char)('a' + i % 26);
		assert_non_null(world_call(&world, "tab.rename", "\"name\":\"%s\"", name));
		world_turn(&world);
	}
	assert_non_null(world_call(&world, "tab.rename", "\"name\":\"at last\""));
	client_change(&world, &other);
	const cJSON *tabs = cJSON_GetObjectItem(
		cJSON_GetObjectItem(world_told(&world, "events.resync"), "layout"), "tabs");

	assert_string_equal(world_text(cJSON_GetArrayItem(tabs, 0), "name"), "at last");
	client_drop(&world, &other);
	world_close(&world);
}

static void one_turn_is_told_once(void **state)
{
	struct world world;
	struct bh_layout *layout = NULL;

	(void)state;
	world_open(&world);
	assert_done(&world, "events.subscribe", "");
	start(&world, "tab.new", "a", "");
	(void)world_told(&world, "layout.changed");
	assert_false(world_has_told(&world, "layout.changed"));
	layout = bh_layout_host_layout(world.server.layout);
	bh_layout_tab_rename(layout, layout->active, "x");
	bh_layout_host_changed(world.server.layout, NULL);
	bh_layout_tab_rename(layout, layout->active, "y");
	bh_layout_host_changed(world.server.layout, NULL);
	const cJSON *tabs = cJSON_GetObjectItem(world_told(&world, "layout.changed"), "tabs");

	assert_string_equal(world_text(cJSON_GetArrayItem(tabs, 0), "name"), "y");
	assert_false(world_has_told(&world, "layout.changed"));
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_pane_goes_with_its_terminal),
		cmocka_unit_test(a_program_has_time_to_see_each_size),
		cmocka_unit_test(who_is_forgotten_has_no_pane),
		cmocka_unit_test(the_deaf_are_killed_each_in_its_time),
		cmocka_unit_test(a_successor_takes_the_pane),
		cmocka_unit_test(a_successor_has_the_size_of_the_pane),
		cmocka_unit_test(a_pane_too_small_for_a_program_has_its_size_later),
		cmocka_unit_test(a_server_that_ends_has_no_layout),
		cmocka_unit_test(the_layout_outlives_the_server),
		cmocka_unit_test(names_focus_and_zoom_outlive_it_too),
		cmocka_unit_test(who_ended_meanwhile_has_no_pane),
		cmocka_unit_test(an_empty_layout_has_no_policy),
		cmocka_unit_test(a_spoilt_file_is_no_layout),
		cmocka_unit_test(nonsense_in_the_file_is_no_layout),
		cmocka_unit_test(who_does_not_read_is_brought_up_to_date_later),
		cmocka_unit_test(one_turn_is_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
