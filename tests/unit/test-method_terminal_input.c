// Keys, sizes and attached clients of terminals.
#include "src/base/list.h"
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void assert_child_reads(struct world_child *child, const char *expected)
{
	char text[256] = "";
	ssize_t count = read(child->slave, text, sizeof text - 1);

	if (expected[0] == '\0') {
		assert_int_equal(count, -1);
		assert_int_equal(errno, EAGAIN);
	} else {
		assert_string_equal(text, expected);
	}
}

static void keys_reach_the_child(void **state)
{
	struct world world;
	struct world_child *child;
	const cJSON *result;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", "");
	result = world_call(&world, "terminal.type", "\"name\":\"a\",\"text\":\"h\303\251\\n\"");
	assert_int_equal(cJSON_GetObjectItem(result, "written")->valueint, 4);
	assert_child_reads(child, "h\303\251\r");
	assert_non_null(world_call(&world, "terminal.keys",
	                           "\"name\":\"a\",\"keys\":[\"C-c\",\"Up\",\"x\",\"Enter\"]"));
	assert_child_reads(child, "\003\033[Ax\r");
	assert_null(
		world_call(&world, "terminal.keys", "\"name\":\"a\",\"keys\":[\"x\",\"Hyper-x\"]"));
	assert_string_equal(world_word(&world), "invalid");
	assert_child_reads(child, "");
	// As a paste it is made safe, and wrapped when the program wants that.
	world_print(&world, child, "\033[?2004h");
	assert_non_null(world_call(&world, "terminal.type",
	                           "\"name\":\"a\",\"text\":\"a\\u001b[201~b\",\"paste\":true"));
	assert_child_reads(child, "\033[200~a[201~b\033[201~");
	world_close(&world);
}

static void a_child_that_never_reads_makes_it_busy(void **state)
{
	struct world world;
	char *text = calloc(1, 600 * 1024 + 1);

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	memset(text, 'x', 600 * 1024);
	char *params = malloc(601 * 1024);

	(void)snprintf(params, 601 * 1024, "\"name\":\"a\",\"text\":\"%s\"", text);
	world_ask(&world, "terminal.type", params);
	assert_non_null(world_answer(&world));
	world_ask(&world, "terminal.type", params);
	assert_null(world_answer(&world));
	assert_string_equal(world_word(&world), "busy");
	free(text);
	free(params);
	world_close(&world);
}

static void sizes_are_checked(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	result = world_call(&world, "terminal.resize", "\"name\":\"a\",\"cols\":33,\"rows\":9");
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(result, "pending")));
	result = world_call(&world, "terminal.get", "\"name\":\"a\"");
	assert_int_equal(cJSON_GetObjectItem(result, "cols")->valueint, 33);
	assert_null(world_call(&world, "terminal.resize", "\"name\":\"a\",\"cols\":33"));
	assert_null(world_call(&world, "terminal.resize", "\"name\":\"a\",\"cols\":1,\"rows\":9"));
	assert_string_equal(world_word(&world), "params");
	world_close(&world);
}

static void clients_attach_and_detach(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	result = world_call(&world, "terminal.attach", "\"name\":\"a\",\"cols\":50,\"rows\":10");
	assert_int_equal(cJSON_GetObjectItem(result, "stream")->valueint, 1);
	const struct bh_terminal *terminal = bh_terminals_of_identity(world.server.terminals, "a");

	assert_int_equal(bh_terminal_cols(terminal), 50);
	// The snapshot is on its way; a new connection need not read it.
	world_come_as(&world, BH_CALLER_OPERATOR);
	assert_null(world_call(&world, "terminal.detach", "\"stream\":1"));
	assert_string_equal(world_word(&world), "not_found");
	result = world_call(&world, "terminal.get", "\"name\":\"a\"");
	assert_int_equal(cJSON_GetObjectItem(result, "attached")->valueint, 0);
	world_close(&world);
}

static void a_client_is_told_how_far_its_keys_came(void **state)
{
	static const char attach[] = "\"name\":\"a\",\"resize\":false,"
				     "\"input_token\":\"0195f0c2-0000-4000-8000-000000000001\"";
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	assert_null(world_call(&world, "terminal.attach",
	                       "\"name\":\"a\",\"input_token\":\"not a UUID\""));
	assert_string_equal(world_word(&world), "params");
	result = world_call(&world, "terminal.attach", attach);
	assert_false(cJSON_HasObjectItem(result, "input_taken")); // it is new here
	world_come_as(&world, BH_CALLER_OPERATOR);
	result = world_call(&world, "terminal.attach", attach);
	assert_int_equal(cJSON_GetObjectItem(result, "input_taken")->valueint, 0);
	world_come_as(&world, BH_CALLER_OPERATOR);
	result = world_call(&world, "terminal.attach", "\"name\":\"a\",\"resize\":false");
	assert_false(cJSON_HasObjectItem(result, "input_taken"));
	world_close(&world);
}

static void who_attaches_too_late_is_told_the_end(void **state)
{
	struct world world;
	struct world_child *child;
	const cJSON *result;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", "");
	world_exit(&world, child, 0);
	result = world_call(&world, "terminal.attach", "\"name\":\"a\",\"cols\":50,\"rows\":10");
	assert_string_equal(world_text(cJSON_GetObjectItem(result, "terminal"), "state"), "exited");
	// The stream has ended by itself.
	struct bh_terminal *terminal = NULL;

	assert_int_equal(bh_terminals_find(world.server.terminals, "a", &terminal), BH_FIND_ONE);
	assert_true(bh_list_is_empty(&terminal->streams));
	world_close(&world);
}

static void what_has_ended_takes_no_keys(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_exit(&world, world_run(&world, "a", ""), 0);
	assert_null(world_call(&world, "terminal.type", "\"name\":\"a\",\"text\":\"x\""));
	assert_string_equal(world_word(&world), "exited");
	assert_null(world_call(&world, "terminal.keys", "\"name\":\"a\",\"keys\":[\"x\"]"));
	assert_string_equal(world_word(&world), "exited");
	assert_null(world_call(&world, "terminal.resize", "\"name\":\"a\",\"cols\":9,\"rows\":9"));
	assert_string_equal(world_word(&world), "exited");
	world_close(&world);
}

static void keys_and_sizes_wait_while_mail_is_typed(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", "");
	struct bh_terminal *terminal = bh_terminals_get(world.server.terminals, &child->id);

	bh_terminal_hold(terminal);
	result = world_call(&world, "terminal.type", "\"name\":\"a\",\"text\":\"x\"");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(result, "held")));
	assert_child_reads(child, "");
	result = world_call(&world, "terminal.resize", "\"name\":\"a\",\"cols\":33,\"rows\":9");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(result, "pending")));
	(void)bh_terminal_release(terminal, false);
	assert_child_reads(child, "x");
	assert_int_equal(bh_terminal_cols(terminal), 33);
	result = world_call(&world, "terminal.type", "\"name\":\"a\",\"text\":\"y\"");
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(result, "held")));
	world_close(&world);
}

static void observers_change_nothing(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	result = world_call(&world, "terminal.attach",
	                    "\"name\":\"a\",\"cols\":50,\"rows\":10,\"observe\":true");
	assert_int_equal(
		cJSON_GetObjectItem(cJSON_GetObjectItem(result, "terminal"), "cols")->valueint, 80);
	assert_int_equal(
		cJSON_GetObjectItem(cJSON_GetObjectItem(result, "terminal"), "attached")->valueint,
		0);
	// An agent may observe, too.
	world_come_as(&world, BH_CALLER_INSIDE);
	assert_null(world_call(&world, "terminal.attach", "\"name\":\"a\""));
	assert_string_equal(world_word(&world), "operator_only");
	assert_non_null(world_call(&world, "terminal.attach", "\"name\":\"a\",\"observe\":true"));
	world_close(&world);
}

static void a_detach_ends_the_stream(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", "");
	const struct bh_terminal *terminal = bh_terminals_get(world.server.terminals, &child->id);

	assert_non_null(world_call(&world, "terminal.attach", "\"name\":\"a\""));
	assert_false(bh_list_is_empty(&terminal->streams));
	world_ask(&world, "terminal.detach", "\"stream\":1");
	while (!bh_list_is_empty(&terminal->streams)) {
		world_turn(&world);
	}
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_reach_the_child),
		cmocka_unit_test(a_child_that_never_reads_makes_it_busy),
		cmocka_unit_test(sizes_are_checked),
		cmocka_unit_test(clients_attach_and_detach),
		cmocka_unit_test(a_client_is_told_how_far_its_keys_came),
		cmocka_unit_test(who_attaches_too_late_is_told_the_end),
		cmocka_unit_test(what_has_ended_takes_no_keys),
		cmocka_unit_test(keys_and_sizes_wait_while_mail_is_typed),
		cmocka_unit_test(observers_change_nothing),
		cmocka_unit_test(a_detach_ends_the_stream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
