// Tabs, panes, UIs and listeners by their methods, in a whole server without a keeper.
// Covers: src/server/method_layout, src/server/method_layout_run, src/server/method_layout_pane,
// src/server/method_layout_client, src/server/layout_host, src/server/layout_clients,
// src/server/events, src/server/method_history, src/server/start_request.
#include "src/base/buf.h"
#include "src/base/file.h"
#include "src/base/frame.h"
#include "src/base/mem.h"
#include "src/server/layout_host.h"
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The panes of a layout object as "name:colsxrows+col+row", tabs parted by "|", the active tab with *.
static char *layout_print(const cJSON *layout)
{
	struct bh_buf text = {0};
	const cJSON *tab = NULL;
	const cJSON *pane = NULL;

	bh_buf_puts(&text, "");
	cJSON_ArrayForEach(tab, cJSON_GetObjectItem(layout, "tabs"))
	{
		const char *gap = "";

		bh_buf_printf(&text, "%s%s", text.len > 0 ? " | " : "",
		              cJSON_IsTrue(cJSON_GetObjectItem(tab, "is_active")) ? "*" : "");
		cJSON_ArrayForEach(pane, cJSON_GetObjectItem(tab, "panes"))
		{
			bh_buf_printf(&text, "%s%s:%dx%d+%d+%d", gap, world_text(pane, "identity"),
			              cJSON_GetObjectItem(pane, "cols")->valueint,
			              cJSON_GetObjectItem(pane, "rows")->valueint,
			              cJSON_GetObjectItem(pane, "col")->valueint,
			              cJSON_GetObjectItem(pane, "row")->valueint);
			gap = " ";
		}
	}
	return bh_buf_detach(&text);
}

static void assert_panes(const cJSON *layout, const char *expected)
{
	char *text = layout_print(layout);

	assert_string_equal(text, expected);
	free(text);
}

static void assert_layout(struct world *world, const char *expected)
{
	assert_panes(world_call(world, "layout.get", "%s", ""), expected);
}

static void assert_size(struct world *world, const char *name, int cols, int rows)
{
	const cJSON *terminal = world_call(world, "terminal.get", "\"name\":\"%s\"", name);

	assert_int_equal(cJSON_GetObjectItem(terminal, "cols")->valueint, cols);
	assert_int_equal(cJSON_GetObjectItem(terminal, "rows")->valueint, rows);
}

// A tab with one pane, or a pane beside another.
static struct world_child *start(struct world *world, const char *method, const char *name,
                                 const char *more)
{
	if (world_call(world, method, "\"argv\":[\"/bin/cat\"],\"identity\":\"%s\"%s", name,
	               more) == NULL) {
		fail_msg("%s: %s", method, world_sentence(world));
	}
	return world_child(world);
}

static void assert_refused(struct world *world, const char *method, const char *params,
                           const char *word)
{
	assert_null(world_call(world, method, "%s", params));
	assert_string_equal(world_word(world), word);
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
	assert_refused(&world, "pane.split", "\"show\":\"a\"", "invalid");
	assert_refused(&world, "terminal.run", "\"argv\":[\"x\"],\"place\":\"there\"", "params");
	assert_refused(&world, "terminal.run", "\"argv\":[],\"place\":\"tab\"", "invalid");
	// What is shown later has the place's size from then on.
	assert_non_null(world_call(&world, "pane.show", "\"name\":\"script\",\"beside\":\"d\""));
	assert_size(&world, "script", 59, 39);
	assert_non_null(world_call(&world, "pane.close", "\"name\":\"script\",\"keep\":true"));
	assert_layout(&world, "a:60x19+0+1 c:60x19+0+21 b:59x39+61+1 | *d:120x39+0+1");
	assert_string_not_equal(world_state(&world, "script"), "exited");
	world_close(&world);
}

static void an_agent_does_not_move_the_focus(void **state)
{
	struct world world;
	const cJSON *layout;

	(void)state;
	world_open(&world);
	start(&world, "tab.new", "a", "");
	world_come_as(&world, BH_CALLER_INSIDE);
	start(&world, "terminal.run", "b", ",\"place\":\"tab\",\"focus\":true");
	assert_refused(&world, "tab.new", "\"name\":\"x\"", "operator_only");
	assert_refused(&world, "ui.attach", "\"cols\":80,\"rows\":24", "operator_only");
	assert_non_null(world_call(&world, "ui.attach", "\"cols\":8,\"rows\":4,\"observe\":true"));
	layout = world_call(&world, "layout.get", "%s", "");
	assert_panes(layout, "*a:120x39+0+1 | b:120x39+0+1");
	world_close(&world);
}

static void panes_are_moved_by_all_methods(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start(&world, "tab.new", "a", ",\"name\":\"one\"");
	start(&world, "pane.split", "b", "");
	start(&world, "pane.split", "c", ",\"direction\":\"down\"");
	assert_non_null(world_call(&world, "pane.focus", "\"direction\":\"left\""));
	assert_non_null(world_call(&world, "pane.swap", "\"which\":\"next\""));
	assert_layout(&world, "*b:60x39+0+1 a:59x19+61+1 c:59x19+61+21");
	assert_non_null(world_call(&world, "pane.rotate", "\"reverse\":true"));
	assert_layout(&world, "*a:60x39+0+1 c:59x19+61+1 b:59x19+61+21");
	assert_int_equal(cJSON_GetObjectItem(world_call(&world, "pane.resize",
	                                                "\"name\":\"a\",\"direction\":\"right\","
	                                                "\"cells\":-10"),
	                                     "moved")
	                         ->valueint,
	                 -10);
	assert_size(&world, "a", 50, 39);
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(
		world_call(&world, "pane.zoom", "\"name\":\"c\""), "is_zoomed")));
	assert_size(&world, "c", 120, 39);
	assert_non_null(world_call(&world, "pane.zoom", "%s", ""));
	assert_size(&world, "c", 69, 19);
	assert_string_equal(world_text(world_call(&world, "layout.arrange", "%s", ""), "preset"),
	                    "even-horizontal");
	assert_string_equal(world_text(world_call(&world, "layout.arrange", "%s", ""), "preset"),
	                    "even-vertical");
	assert_non_null(world_call(&world, "pane.break", "\"name\":\"b\",\"focus\":false"));
	assert_layout(&world, "*a:120x12+0+1 c:120x26+0+14 | b:120x39+0+1");
	assert_non_null(world_call(&world, "tab.select", "\"which\":\"next\""));
	assert_non_null(world_call(&world, "tab.move", "\"index\":1"));
	assert_layout(&world, "*b:120x39+0+1 | a:120x12+0+1 c:120x26+0+14");
	assert_non_null(world_call(&world, "pane.join", "\"beside\":\"a\",\"direction\":\"up\""));
	assert_layout(&world, "*b:120x6+0+1 a:120x5+0+8 c:120x26+0+14");
	assert_refused(&world, "pane.join", "\"name\":\"a\",\"beside\":\"a\"", "invalid");
	assert_refused(&world, "pane.join", "\"name\":\"a\"", "params");
	assert_refused(&world, "pane.focus", "\"which\":\"first\"", "not_found");
	assert_refused(&world, "pane.resize", "\"cells\":1", "params");
	assert_refused(&world, "tab.select", "\"which\":\"last\"", "not_found");
	assert_refused(&world, "tab.select", "\"index\":5", "not_found");
	assert_refused(&world, "tab.move", "\"tab\":1", "params");
	assert_refused(&world, "layout.arrange", "\"preset\":\"x\"", "params");
	assert_non_null(world_call(&world, "tab.rename", "\"name\":\"two\""));
	assert_non_null(world_call(&world, "tab.rename", "\"name\":\"\""));
	world_close(&world);
}

static void there_is_no_room_without_end(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	assert_refused(&world, "pane.focus", "", "not_found");
	assert_refused(&world, "pane.split", "", "not_found");
	start(&world, "tab.new", "a", "");
	assert_non_null(world_call(&world, "session.size_policy",
	                           "\"policy\":\"fixed\",\"cols\":4,\"rows\":5"));
	assert_refused(&world, "pane.split", "\"argv\":[\"/bin/cat\"]", "no_room");
	assert_int_equal(world.child_count, 1); // nothing was started for it
	assert_size(&world, "a", 4, 4);
	world_close(&world);
}

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

static void the_deaf_are_killed(void **state)
{
	struct world world;
	struct world_child *child;
	uint64_t begin_ms;

	(void)state;
	world_open(&world);
	child = start(&world, "tab.new", "a", "");
	begin_ms = uv_now(&world.server.loop);
	assert_non_null(world_call(&world, "tab.close", "%s", ""));
	while (child->signal != SIGKILL) {
		world_turn(&world);
		(void)usleep(10000);
	}
	assert_true(uv_now(&world.server.loop) - begin_ms >= BH_LAYOUT_KILL_MS);
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

// ---- clients ----

// Another client's end of its connection.
struct other {
	int client;
	char *in;
	size_t in_len;
};

// Leave the client of the world aside and connect another one.
static struct other client_keep(struct world *world)
{
	struct other other = {world->client, world->in, world->in_len};

	world->client = -1;
	world->in = NULL;
	world->in_len = 0;
	world_come_as(world, BH_CALLER_OPERATOR);
	return other;
}

static void client_change(struct world *world, struct other *other)
{
	struct other now = {world->client, world->in, world->in_len};

	world->client = other->client;
	world->in = other->in;
	world->in_len = other->in_len;
	*other = now;
}

static void client_drop(struct world *world, struct other *other)
{
	(void)close(other->client);
	free(other->in);
	for (int i = 0; i < 10; i++) {
		world_turn(world);
	}
}

static void the_size_is_that_of_who_was_last(void **state)
{
	struct world world;
	struct other other;

	(void)state;
	world_open(&world);
	start(&world, "tab.new", "a", "");
	assert_refused(&world, "ui.size", "\"cols\":80,\"rows\":24", "not_found");
	assert_refused(&world, "ui.attach", "\"cols\":80", "params");
	assert_non_null(world_call(&world, "ui.attach", "\"cols\":100,\"rows\":30"));
	assert_size(&world, "a", 100, 29);
	other = client_keep(&world);
	assert_non_null(world_call(&world, "ui.attach", "\"cols\":80,\"rows\":40"));
	assert_size(&world, "a", 80, 39);
	assert_non_null(world_call(&world, "session.size_policy", "\"policy\":\"smallest\""));
	assert_size(&world, "a", 80, 29);
	assert_non_null(world_call(&world, "session.size_policy", "\"policy\":\"latest\""));
	// The other one changes the layout: that is use.
	client_change(&world, &other);
	assert_non_null(world_call(&world, "tab.rename", "\"name\":\"x\""));
	assert_size(&world, "a", 100, 29);
	// An observer has no say, whatever it does.
	client_change(&world, &other);
	assert_non_null(world_call(&world, "ui.attach", "\"cols\":20,\"rows\":9,\"observe\":true"));
	assert_non_null(world_call(&world, "ui.size", "\"cols\":21,\"rows\":9"));
	assert_size(&world, "a", 100, 29);
	// The last one that counts leaves: the size stays.
	client_drop(&world, &other);
	assert_size(&world, "a", 100, 29);
	assert_non_null(world_call(&world, "ui.detach", "%s", ""));
	assert_refused(&world, "ui.detach", "", "not_found");
	world_close(&world);
}

static void keys_make_a_client_the_latest(void **state)
{
	struct world world;
	struct other other;
	struct bh_buf frame = {0};

	(void)state;
	world_open(&world);
	start(&world, "tab.new", "a", "");
	assert_non_null(world_call(&world, "ui.attach", "\"cols\":100,\"rows\":30"));
	other = client_keep(&world);
	assert_non_null(world_call(&world, "ui.attach", "\"cols\":80,\"rows\":40"));
	client_change(&world, &other);
	// The stream of a UI sets no size, in whatever way.
	world_ask(&world, "terminal.attach",
	          "\"name\":\"a\",\"cols\":10,\"rows\":10,\"resize\":false");
	bh_frame_append_resize(&frame, 1, (struct bh_frame_size){.cols = 9, .rows = 9});
	assert_non_null(world_answer(&world));
	assert_int_equal(write(world.client, frame.data, frame.len), (ssize_t)frame.len);
	bh_buf_clear(&frame);
	client_change(&world, &other);
	assert_size(&world, "a", 80, 39);
	bh_frame_append(&frame, BH_FRAME_INPUT, 1, bh_span_of("k"));
	assert_int_equal(write(other.client, frame.data, frame.len), (ssize_t)frame.len);
	bh_buf_clear(&frame);
	for (int i = 0; i < 10; i++) {
		world_turn(&world);
	}
	assert_size(&world, "a", 100, 29);
	client_drop(&world, &other);
	assert_size(&world, "a", 80, 39); // who is left
	world_close(&world);
}

static void who_attaches_to_one_terminal_gives_its_size_back(void **state)
{
	struct world world;
	struct other other;

	(void)state;
	world_open(&world);
	start(&world, "tab.new", "a", "");
	other = client_keep(&world);
	world_ask(&world, "terminal.attach", "\"name\":\"a\",\"cols\":50,\"rows\":10");
	assert_non_null(world_answer(&world));
	client_change(&world, &other);
	assert_size(&world, "a", 50, 10);
	client_drop(&world, &other);
	assert_size(&world, "a", 120, 39);
	world_close(&world);
}

// ---- events ----

static void listeners_hear_what_happens(void **state)
{
	struct world world;
	struct world_child *child;
	const cJSON *params;

	(void)state;
	world_open(&world);
	params = world_call(&world, "events.subscribe", "%s", "");
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(params, "terminals")), 0);
	assert_non_null(cJSON_GetObjectItem(params, "mail"));
	assert_non_null(world_call(&world, "events.subscribe", "%s", "")); // once is enough
	child = start(&world, "tab.new", "a", "");
	params = cJSON_GetObjectItem(world_told(&world, "terminal.started"), "terminal");
	assert_string_equal(world_text(params, "identity"), "a");
	assert_panes(world_told(&world, "layout.changed"), "*a:120x39+0+1");
	assert_false(world_has_told(&world, "layout.changed")); // and only once
	world_print(&world, child, "\033]0;hello\007");
	assert_string_equal(world_text(world_told(&world, "terminal.title"), "title"), "hello");
	world_print(&world, child, "\007");
	assert_non_null(world_told(&world, "terminal.bell"));
	world_print(&world, child, "\033]777;notify;T;B\007");
	params = world_told(&world, "terminal.notification");
	assert_string_equal(world_text(params, "title"), "T");
	assert_string_equal(world_text(params, "body"), "B");
	world_exit(&world, child, 256);
	params = world_told(&world, "terminal.exited");
	assert_int_equal(cJSON_GetObjectItem(cJSON_GetObjectItem(params, "exit"), "code")->valueint,
	                 1);
	assert_panes(world_told(&world, "layout.changed"), "");
	assert_non_null(world_call(&world, "terminal.forget", "\"name\":\"a\""));
	assert_non_null(world_told(&world, "terminal.forgotten"));
	assert_non_null(world_call(&world, "events.unsubscribe", "%s", ""));
	start(&world, "tab.new", "b", "");
	assert_false(world_has_told(&world, "layout.changed"));
	world_close(&world);
}

static void listeners_hear_of_mail(void **state)
{
	struct world world;
	const cJSON *params;

	(void)state;
	world_open(&world);
	assert_non_null(world_call(&world, "events.subscribe", "%s", ""));
	// Its answer waits for delivery's timer, which a world does not have.
	world_ask(&world, "message.send", "\"to\":\"nobody\",\"body\":\"x\",\"message_id\":\"m\"");
	params = world_told(&world, "mail.changed");
	assert_string_equal(world_text(params, "identity"), "nobody");
	assert_string_equal(world_text(params, "reason"), "no_terminal");
	assert_int_equal(cJSON_GetObjectItem(params, "unread")->valueint, 1);
	assert_int_equal(cJSON_GetObjectItem(params, "queued")->valueint, 0);
	world_close(&world);
}

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

// ---- history ----

static void history_comes_by_id(void **state)
{
	struct world world;
	struct world_child *child;
	const cJSON *result;
	const cJSON *rows;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", ",\"cols\":10,\"rows\":3");
	for (int i = 0; i < 20; i++) {
		char line[64];

		(void)snprintf(line, sizeof line, "\033[31mrow %d\033[m\r\n", i);
		world_print(&world, child, line);
	}
	result = world_call(&world, "terminal.history", "\"name\":\"a\",\"count\":2");
	assert_int_equal(cJSON_GetObjectItem(result, "oldest")->valueint +
	                         18, // 20 lines and the last, empty one; 3 are on the screen
	                 cJSON_GetObjectItem(result, "end")->valueint);
	rows = cJSON_GetObjectItem(result, "rows");
	assert_int_equal(cJSON_GetArraySize(rows), 2);
	assert_string_equal(world_text(cJSON_GetArrayItem(rows, 1), "ansi"),
	                    "\033[0;31mrow 17\033[0m");
	result = world_call(&world, "terminal.history", "\"name\":\"a\",\"first\":0,\"count\":1");
	rows = cJSON_GetObjectItem(result, "rows");
	assert_int_equal(cJSON_GetArraySize(rows), 1);
	assert_non_null(strstr(world_text(cJSON_GetArrayItem(rows, 0), "ansi"), "row 0"));
	result = world_call(&world, "terminal.history", "\"name\":\"a\",\"first\":9000");
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(result, "rows")), 0);
	assert_refused(&world, "terminal.history", "\"name\":\"a\",\"count\":9000", "params");
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pane_is_only_where_it_was_asked_for),
		cmocka_unit_test(an_agent_does_not_move_the_focus),
		cmocka_unit_test(panes_are_moved_by_all_methods),
		cmocka_unit_test(there_is_no_room_without_end),
		cmocka_unit_test(the_pane_goes_with_its_terminal),
		cmocka_unit_test(the_deaf_are_killed),
		cmocka_unit_test(a_successor_takes_the_pane),
		cmocka_unit_test(the_layout_outlives_the_server),
		cmocka_unit_test(a_spoilt_file_is_no_layout),
		cmocka_unit_test(the_size_is_that_of_who_was_last),
		cmocka_unit_test(keys_make_a_client_the_latest),
		cmocka_unit_test(who_attaches_to_one_terminal_gives_its_size_back),
		cmocka_unit_test(listeners_hear_what_happens),
		cmocka_unit_test(listeners_hear_of_mail),
		cmocka_unit_test(who_does_not_read_is_brought_up_to_date_later),
		cmocka_unit_test(history_comes_by_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
