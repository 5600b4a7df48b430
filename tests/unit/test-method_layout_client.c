// UIs and listeners by their methods: whose size holds, who only looks, who goes away.
#include "src/base/buf.h"
#include "src/base/frame.h"
#include "src/server/layout_host.h"
#include "src/server/server.h"
#include "tests/unit/layout-world.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The area must be this.
static void assert_area(struct world *world, int cols, int rows)
{
	const cJSON *area = cJSON_GetObjectItem(world_call(world, "layout.get", "%s", ""), "area");

	assert_int_equal(number_of(area, "cols"), cols);
	assert_int_equal(number_of(area, "rows"), rows);
}

// The numbers of the clients, the last used one last: "2 1*", * is the latest, o an observer.
static void assert_clients(struct world *world, const char *expected)
{
	struct bh_buf text = {0};
	const cJSON *client = NULL;

	bh_buf_puts(&text, "");
	cJSON_ArrayForEach(
		client, cJSON_GetObjectItem(world_call(world, "layout.get", "%s", ""), "clients"))
	{
		bool is_latest = cJSON_IsTrue(cJSON_GetObjectItem(client, "is_latest"));
		bool is_observer = cJSON_IsTrue(cJSON_GetObjectItem(client, "observe"));

		bh_buf_printf(&text, "%s%d%s%s", text.len > 0 ? " " : "",
		              number_of(client, "client"), is_latest ? "*" : "",
		              is_observer ? "o" : "");
	}
	assert_string_equal(text.data, expected);
	bh_buf_clear(&text);
}

static void a_client_tells_its_size(void **state)
{
	struct world world;
	const cJSON *result = NULL;

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	result = assert_done(&world, "ui.attach", "\"cols\":100,\"rows\":30");
	assert_int_equal(number_of(result, "client"), 1);
	assert_panes(cJSON_GetObjectItem(result, "layout"), "*a:100x29+0+1");
	result = cJSON_GetObjectItem(assert_done(&world, "ui.size", "\"cols\":90,\"rows\":20"),
	                             "area");
	assert_int_equal(number_of(result, "cols"), 90);
	assert_int_equal(number_of(result, "rows"), 20);
	assert_size(&world, "a", 90, 19);
	// Attached once more it is the same client.
	assert_int_equal(
		number_of(assert_done(&world, "ui.attach", "\"cols\":80,\"rows\":24"), "client"),
		1);
	assert_size(&world, "a", 80, 23);
	assert_true(cJSON_IsTrue(
		cJSON_GetObjectItem(assert_done(&world, "ui.detach", ""), "detached")));
	assert_clients(&world, "");
	assert_size(&world, "a", 80, 23); // it stays as it was
	assert_int_equal(
		number_of(assert_done(&world, "ui.attach", "\"cols\":80,\"rows\":24"), "client"),
		2);
	world_close(&world);
}

static void sizes_are_checked(void **state)
{
	static const char *const bad[] = {
		"",
		"\"cols\":80",
		"\"rows\":24",
		"\"cols\":0,\"rows\":24",
		"\"cols\":80,\"rows\":-1",
		"\"cols\":1001,\"rows\":24",
		"\"cols\":80,\"rows\":1001",
		"\"cols\":\"80\",\"rows\":24",
		"\"cols\":80.5,\"rows\":24",
		"\"cols\":null,\"rows\":24",
	};
	struct world world;

	(void)state;
	world_open(&world);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		char params[100] = "\"policy\":\"fixed\"";

		assert_refused(&world, "ui.attach", bad[i], "params");
		assert_refused(&world, "ui.size", bad[i], "params");
		(void)strcat(strcat(params, bad[i][0] != '\0' ? "," : ""), bad[i]);
		assert_refused(&world, "session.size_policy", params, "params");
	}
	assert_refused(&world, "ui.attach", "\"cols\":80,\"rows\":24,\"observe\":1", "params");
	assert_refused(&world, "ui.size", "\"cols\":80,\"rows\":24", "not_found");
	assert_non_null(strstr(world_sentence(&world), "ui.attach"));
	assert_refused(&world, "ui.detach", "", "not_found");
	assert_clients(&world, "");
	assert_area(&world, 120, 40);
	// The smallest and the largest are sizes.
	assert_done(&world, "ui.attach", "\"cols\":1,\"rows\":1");
	assert_area(&world, 1, 1);
	assert_done(&world, "ui.size", "\"cols\":1000,\"rows\":1000");
	assert_area(&world, 1000, 1000);
	world_close(&world);
}

static void policies_are_checked(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	assert_refused(&world, "session.size_policy", "\"policy\":\"largest\"", "params");
	assert_refused(&world, "session.size_policy", "\"policy\":1", "params");
	assert_string_equal(world_text(assert_done(&world, "session.size_policy", ""), "policy"),
	                    "latest");
	const cJSON *result = assert_done(&world, "session.size_policy",
	                                  "\"policy\":\"fixed\",\"cols\":70,\"rows\":20");

	assert_string_equal(world_text(result, "policy"), "fixed");
	assert_int_equal(number_of(result, "cols"), 70);
	assert_int_equal(number_of(cJSON_GetObjectItem(result, "area"), "rows"), 20);
	// What is refused changes nothing.
	assert_refused(&world, "session.size_policy", "\"policy\":\"fixed\",\"cols\":9", "params");
	assert_int_equal(number_of(assert_done(&world, "session.size_policy", ""), "cols"), 70);
	world_close(&world);
}

static void each_policy_makes_its_area(void **state)
{
	struct world world;
	struct other second;

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	assert_done(&world, "ui.attach", "\"cols\":100,\"rows\":30");
	second = client_keep(&world); // the first one, for now
	assert_done(&world, "ui.attach", "\"cols\":80,\"rows\":40");
	assert_clients(&world, "1 2*");
	assert_area(&world, 80, 40);
	assert_done(&world, "session.size_policy", "\"policy\":\"smallest\"");
	assert_area(&world, 80, 30);
	assert_size(&world, "a", 80, 29);
	assert_done(&world, "session.size_policy", "\"policy\":\"fixed\",\"cols\":60,\"rows\":20");
	assert_area(&world, 60, 20);
	// Neither a size nor use nor another client changes what is fixed.
	assert_done(&world, "ui.size", "\"cols\":50,\"rows\":10");
	client_change(&world, &second);
	assert_done(&world, "tab.rename", "\"name\":\"x\"");
	assert_area(&world, 60, 20);
	assert_clients(&world, "2 1*");
	assert_done(&world, "session.size_policy", "\"policy\":\"smallest\"");
	assert_area(&world, 50, 10);
	// The smallest goes away.
	client_drop(&world, &second);
	assert_clients(&world, "1*");
	assert_area(&world, 100, 30);
	assert_size(&world, "a", 100, 29);
	assert_done(&world, "session.size_policy", "\"policy\":\"latest\"");
	assert_area(&world, 100, 30);
	world_close(&world);
}

static void the_one_before_is_the_latest_when_one_goes(void **state)
{
	struct world world;
	struct other first;
	struct other second;

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	assert_done(&world, "ui.attach", "\"cols\":100,\"rows\":30");
	first = client_keep(&world);
	assert_done(&world, "ui.attach", "\"cols\":80,\"rows\":40");
	second = client_keep(&world);
	assert_done(&world, "ui.attach", "\"cols\":70,\"rows\":20");
	assert_area(&world, 70, 20);
	assert_done(&world, "ui.detach", "");
	assert_area(&world, 80, 40);
	client_drop(&world, &second);
	assert_area(&world, 100, 30);
	assert_clients(&world, "1*");
	client_drop(&world, &first);
	assert_clients(&world, "");
	assert_area(&world, 100, 30);
	world_close(&world);
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

// ---- who only looks ----

static void an_observer_has_no_say(void **state)
{
	struct world world;
	struct other observer;

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	assert_done(&world, "ui.attach", "\"cols\":20,\"rows\":9,\"observe\":true");
	assert_area(&world, 120, 40);
	assert_done(&world, "ui.size", "\"cols\":21,\"rows\":9");
	assert_area(&world, 120, 40);
	assert_clients(&world, "1o");
	observer = client_keep(&world);
	assert_done(&world, "ui.attach", "\"cols\":100,\"rows\":30");
	assert_done(&world, "session.size_policy", "\"policy\":\"smallest\"");
	assert_area(&world, 100, 30);
	// It changes the layout, which is no use of its place.
	client_change(&world, &observer);
	assert_done(&world, "tab.rename", "\"name\":\"x\"");
	assert_area(&world, 100, 30);
	// It becomes one that counts, and an observer again.
	assert_done(&world, "ui.attach", "\"cols\":20,\"rows\":9");
	assert_area(&world, 20, 9);
	assert_clients(&world, "2 1*");
	assert_done(&world, "ui.attach", "\"cols\":20,\"rows\":9,\"observe\":true");
	assert_area(&world, 100, 30);
	client_drop(&world, &observer);
	assert_clients(&world, "1o");
	world_close(&world);
}

static void an_agent_may_only_look(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	start_tabs(&world, "a");
	world_come_as(&world, BH_CALLER_INSIDE);
	assert_refused(&world, "ui.attach", "\"cols\":80,\"rows\":24", "operator_only");
	assert_refused(&world, "ui.attach", "\"cols\":80,\"rows\":24,\"observe\":false",
	               "operator_only");
	assert_refused(&world, "session.size_policy", "\"policy\":\"smallest\"", "operator_only");
	assert_done(&world, "ui.attach", "\"cols\":8,\"rows\":4,\"observe\":true");
	assert_done(&world, "ui.size", "\"cols\":9,\"rows\":4");
	assert_size(&world, "a", 120, 39);
	// What an agent may not become it does not become later either.
	assert_refused(&world, "ui.attach", "\"cols\":80,\"rows\":24", "operator_only");
	assert_clients(&world, "1o");
	assert_done(&world, "ui.detach", "");
	world_close(&world);
}

// ---- listeners ----

static void who_listens_hears_of_the_layout(void **state)
{
	struct world world;
	const cJSON *params = NULL;
	struct other other;

	(void)state;
	world_open(&world);
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(assert_done(&world, "events.unsubscribe", ""),
	                                              "unsubscribed")));
	params = assert_done(&world, "events.subscribe", "");
	assert_panes(cJSON_GetObjectItem(params, "layout"), "");
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(params, "terminals")), 0);
	assert_non_null(cJSON_GetObjectItem(params, "mail"));
	assert_done(&world, "events.subscribe", ""); // once is enough
	start_tabs(&world, "a");
	assert_panes(world_told(&world, "layout.changed"), "*a:120x39+0+1");
	assert_false(world_has_told(&world, "layout.changed")); // and only once
	// Clients that come, are used and go are told, too.
	other = client_keep(&world);
	assert_done(&world, "ui.attach", "\"cols\":80,\"rows\":24");
	client_change(&world, &other);
	params = world_told(&world, "layout.changed");
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(params, "clients")), 1);
	assert_panes(params, "*a:80x23+0+1");
	client_drop(&world, &other);
	params = world_told(&world, "layout.changed");
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(params, "clients")), 0);
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(assert_done(&world, "events.unsubscribe", ""),
	                                             "unsubscribed")));
	start_tabs(&world, "b");
	assert_false(world_has_told(&world, "layout.changed"));
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_client_tells_its_size),
		cmocka_unit_test(sizes_are_checked),
		cmocka_unit_test(policies_are_checked),
		cmocka_unit_test(each_policy_makes_its_area),
		cmocka_unit_test(the_one_before_is_the_latest_when_one_goes),
		cmocka_unit_test(the_size_is_that_of_who_was_last),
		cmocka_unit_test(keys_make_a_client_the_latest),
		cmocka_unit_test(who_attaches_to_one_terminal_gives_its_size_back),
		cmocka_unit_test(an_observer_has_no_say),
		cmocka_unit_test(an_agent_may_only_look),
		cmocka_unit_test(who_listens_hears_of_the_layout),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
