// The methods that look at terminals and write to them, and those about the server, in a whole server
// without a keeper.
// Covers: src/server/methods, src/server/method_terminal_look, src/server/method_terminal_input,
// src/server/method_server, src/server/method_hook, src/server/state_waits, src/server/asciicast,
// src/server/terminal_probe.
#include "src/base/buf.h"
#include "src/base/file.h"
#include "src/base/json.h"
#include "src/base/mem.h"
#include "src/base/words.h"
#include "src/server/rpc.h"
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

static void every_method_is_known_and_guarded(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	for (const struct bh_method *method = bh_methods; method->name != NULL; method++) {
		assert_non_null(method->run);
		assert_int_not_equal(method->flags & BH_METHOD_ALL, 0);
		for (const struct bh_method *other = method + 1; other->name != NULL; other++) {
			assert_string_not_equal(method->name, other->name);
		}
	}
	// A stranger gets nothing but who he is and what this is.
	world_run(&world, "a", "");
	world_come_as(&world, BH_CALLER_EXTERNAL);
	assert_null(world_call(&world, "terminal.type", "\"name\":\"a\",\"text\":\"x\""));
	assert_string_equal(world_word(&world), "external");
	assert_null(world_call(&world, "server.stop", "\"force\":true"));
	assert_string_equal(world_word(&world), "external");
	assert_non_null(world_call(&world, "server.info", "\"x\":1"));
	assert_non_null(world_call(&world, "identity.whoami", "\"x\":1"));
	world_close(&world);
}

// The text of doc/PROTOCOL.md; NULL outside of `make check`.
static char *protocol_read(void)
{
	const char *top = getenv("BELLHOP_TEST_SRCDIR");
	struct bh_buf text = {0};

	if (top == NULL) {
		return NULL;
	}
	char *path = bh_xasprintf("%s/doc/PROTOCOL.md", top);

	assert_int_equal(bh_file_read(path, 1 << 20, &text, NULL), 0);
	free(path);

	// From section 10 on it is ahead of the program.
	char *ahead = strstr(text.data, "\n## 10. ");

	if (ahead != NULL) {
		*ahead = '\0';
	}
	return bh_buf_detach(&text);
}

static bool method_is_known(const char *name, size_t len)
{
	for (const struct bh_method *method = bh_methods; method->name != NULL; method++) {
		if (strlen(method->name) == len && strncmp(method->name, name, len) == 0) {
			return true;
		}
	}
	return false;
}

static void the_document_has_every_method_and_word(void **state)
{
	char *text = protocol_read();
	size_t rows = 0;
	size_t methods = 0;

	(void)state;
	if (text == NULL) {
		skip();
	}
	// A row of a table of methods begins with a name that has a dot in it.
	for (const char *at = strstr(text, "\n| `"); at != NULL; at = strstr(at + 1, "\n| `")) {
		const char *name = at + strlen("\n| `");
		size_t len = strcspn(name, "`");

		if (memchr(name, '.', len) != NULL) {
			rows++;
			if (!method_is_known(name, len)) {
				fail_msg("no method %.*s", (int)len, name);
			}
		}
	}
	for (const struct bh_method *method = bh_methods; method->name != NULL; method++) {
		methods++;
	}
	assert_int_equal(rows, methods);
	for (int i = 0; i < bh_word_count(BH_WORDS_FAULT); i++) {
		char *quoted = bh_xasprintf("`%s`", bh_word(BH_WORDS_FAULT, i));

		if (strstr(text, quoted) == NULL) {
			fail_msg("the document has no word %s", quoted);
		}
		free(quoted);
	}
	free(text);
}

static void screens_come_in_three_forms(void **state)
{
	struct world world;
	struct world_child *child;
	const cJSON *result;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", ",\"cols\":20,\"rows\":3");
	world_print(&world, child, "one\r\ntwo\r\nthree\r\n\033[31mfour\033[m\033]0;title\007");
	result = world_call(&world, "terminal.screen", "\"name\":\"a\"");
	assert_string_equal(world_text(result, "text"), "two\nthree\nfour\n");
	assert_string_equal(world_text(result, "title"), "title");
	assert_int_equal(
		cJSON_GetObjectItem(cJSON_GetObjectItem(result, "cursor"), "col")->valueint, 4);
	result = world_call(&world, "terminal.screen", "\"name\":\"a\",\"history\":5");
	assert_string_equal(world_text(result, "text"), "one\ntwo\nthree\nfour\n");
	result = world_call(&world, "terminal.screen", "\"name\":\"a\",\"format\":\"ansi\"");
	assert_non_null(strstr(world_text(result, "ansi"), "\033["));
	result = world_call(&world, "terminal.screen", "\"name\":\"a\",\"format\":\"json\"");
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(result, "lines")), 3);
	assert_null(world_call(&world, "terminal.screen", "\"name\":\"a\",\"format\":\"png\""));
	assert_string_equal(world_word(&world), "params");
	world_close(&world);
}

static void the_log_gives_the_last_lines(void **state)
{
	struct world world;
	struct world_child *child;
	const cJSON *result;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", ",\"cols\":20,\"rows\":3");
	result = world_call(&world, "terminal.log", "\"name\":\"a\"");
	assert_string_equal(world_text(result, "text"), "");
	world_print(&world, child, "1\r\n2\r\n3\r\n4\r\n5\r\n6");
	result = world_call(&world, "terminal.log", "\"name\":\"a\",\"lines\":4");
	assert_string_equal(world_text(result, "text"), "3\n4\n5\n6\n");
	result = world_call(&world, "terminal.log", "\"name\":\"a\",\"lines\":2");
	assert_string_equal(world_text(result, "text"), "5\n6\n");
	result = world_call(&world, "terminal.log", "\"name\":\"a\"");
	assert_string_equal(world_text(result, "text"), "1\n2\n3\n4\n5\n6\n");
	world_close(&world);
}

static void a_capture_is_an_asciicast(void **state)
{
	struct world world;
	struct world_child *child;
	const cJSON *result;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", ",\"cols\":20,\"rows\":3");
	// A character cut in two, a byte that is none, a NUL, a resize.
	world_print(&world, child, "a\303");
	world_print(&world, child, "\251b\377c");
	assert_non_null(
		world_call(&world, "terminal.resize", "\"name\":\"a\",\"cols\":30,\"rows\":4"));
	world_print(&world, child, "d");
	result = world_call(&world, "terminal.capture", "\"name\":\"a\"");
	char *cast = strdup(world_text(result, "cast"));
	char *rest = cast;
	char *line = strsep(&rest, "\n");
	cJSON *header = bh_json_parse_object(line, strlen(line), NULL);
	char output[64] = "";
	char size[16] = "";
	char end[16] = "";

	assert_non_null(header);
	assert_int_equal(cJSON_GetObjectItem(header, "version")->valueint, 2);
	assert_int_equal(cJSON_GetObjectItem(header, "width")->valueint, 20);
	assert_string_equal(world_text(header, "command"), "/bin/cat");
	cJSON_Delete(header);
	while ((line = strsep(&rest, "\n")) != NULL && line[0] != '\0') {
		cJSON *event = bh_json_parse(line, strlen(line), NULL);
		const char *kind = cJSON_GetArrayItem(event, 1)->valuestring;

		strcat(kind[0] == 'o'   ? output
		       : kind[0] == 'r' ? size
		                        : end,
		       cJSON_GetArrayItem(event, 2)->valuestring);
		cJSON_Delete(event);
	}
	assert_string_equal(output, "a\303\251b\357\277\275cd");
	assert_string_equal(size, "30x4");
	assert_string_equal(end, "captured");
	free(cast);
	world_close(&world);
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

static void waits_end_by_state_exit_or_time(void **state)
{
	struct world world;
	struct world_child *child;
	const cJSON *result;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", "");
	result = world_call(&world, "terminal.wait_state",
	                    "\"name\":\"a\",\"state\":\"idle\",\"timeout_ms\":30");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(result, "timed_out")));
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(result, "reached")));
	assert_null(
		world_call(&world, "terminal.wait_state", "\"name\":\"a\",\"state\":\"asleep\""));
	assert_string_equal(world_word(&world), "params");
	assert_null(world_call(&world, "terminal.wait_state", "\"name\":\"a\",\"state\":[]"));
	world_ask(&world, "terminal.wait_state", "\"name\":\"a\",\"state\":[\"idle\",\"exited\"]");
	world_turn(&world);
	world_exit(&world, child, 0);
	result = world_answer(&world);
	assert_string_equal(world_text(result, "state"), "exited");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(result, "reached")));
	// It will never be idle any more: told at once.
	result = world_call(&world, "terminal.wait_state", "\"name\":\"a\",\"state\":\"idle\"");
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(result, "reached")));
	world_close(&world);
}

static void an_explanation_names_what_is_missing(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	result = world_call(&world, "terminal.explain", "\"name\":\"a\"");
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(result, "typable")));
	assert_string_equal(world_text(result, "reason"), "typing_off");
	world_close(&world);
}

static void hooks_are_for_the_programs_of_terminals(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "a", ",\"profile\":\"claude\"");
	assert_null(world_call(&world, "hook.event", "\"event\":\"Stop\""));
	world_come_as(&world, BH_CALLER_INSIDE);
	assert_non_null(
		world_call(&world, "hook.event",
	                   "\"agent\":\"claude\",\"event\":\"Stop\",\"payload\":{\"x\":1}"));
	assert_non_null(world_call(&world, "hook.event", "\"event\":\"Nonsense\""));
	assert_null(world_call(&world, "hook.event", "\"event\":\"Stop\",\"payload\":[]"));
	assert_string_equal(world_word(&world), "params");
	world_close(&world);
}

static void a_status_file_is_read(void **state)
{
	struct world world;
	char path[256];

	(void)state;
	world_open(&world);
	// Of another process, and damaged: neither may disturb the judge.
	(void)snprintf(path, sizeof path, "%s/.claude", world.folder);
	assert_int_equal(mkdir(path, 0700), 0);
	(void)snprintf(path, sizeof path, "%s/.claude/sessions", world.folder);
	assert_int_equal(mkdir(path, 0700), 0);
	char *params = NULL;

	assert_true(asprintf(&params, ",\"profile\":\"claude\",\"environ\":{\"HOME\":\"%s\"}",
	                     world.folder) > 0);
	struct world_child *child = world_run(&world, "a", params);

	(void)snprintf(path, sizeof path, "%s/.claude/sessions/%d.json", world.folder, child->pid);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	(void)fputs("{\"status\":\"idle\",\"procStart\":\"no", file);
	(void)fclose(file);
	const cJSON *result = world_call(&world, "terminal.explain", "\"name\":\"a\"");

	assert_string_equal(world_text(result, "state"), "starting");
	free(params);
	world_close(&world);
}

static void the_server_tells_of_itself_and_stops(void **state)
{
	struct world world;
	const cJSON *result;

	(void)state;
	world_open(&world);
	result = world_call(&world, "server.info", "\"x\":1");
	assert_int_equal(cJSON_GetObjectItem(result, "protocol")->valueint, 1);
	assert_int_equal(cJSON_GetObjectItem(result, "pid")->valueint, getpid());
	assert_int_equal(cJSON_GetObjectItem(result, "terminals")->valueint, 0);
	world_run(&world, "a", "");
	assert_null(world_call(&world, "server.stop", "\"force\":false"));
	assert_string_equal(world_word(&world), "busy");
	assert_false(world.is_stopped);
	assert_non_null(world_call(&world, "server.stop", "\"force\":true"));
	assert_true(world.is_stopped);
	assert_non_null(world_call(&world, "server.upgrade", "\"x\":1"));
	assert_true(world.is_restarted);
	assert_true(world.is_keeper_upgraded);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_method_is_known_and_guarded),
		cmocka_unit_test(the_document_has_every_method_and_word),
		cmocka_unit_test(screens_come_in_three_forms),
		cmocka_unit_test(the_log_gives_the_last_lines),
		cmocka_unit_test(a_capture_is_an_asciicast),
		cmocka_unit_test(keys_reach_the_child),
		cmocka_unit_test(a_child_that_never_reads_makes_it_busy),
		cmocka_unit_test(sizes_are_checked),
		cmocka_unit_test(clients_attach_and_detach),
		cmocka_unit_test(who_attaches_too_late_is_told_the_end),
		cmocka_unit_test(waits_end_by_state_exit_or_time),
		cmocka_unit_test(an_explanation_names_what_is_missing),
		cmocka_unit_test(hooks_are_for_the_programs_of_terminals),
		cmocka_unit_test(a_status_file_is_read),
		cmocka_unit_test(the_server_tells_of_itself_and_stops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
