#include "src/bridge/mcp.h"

#include "fake-server.h"
#include "src/base/limits.h"
#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/** A folder for a fake server and a bridge to it. */
struct scene {
	char *dir;
	char *socket;
	struct bh_client_settings settings;
	struct bh_mcp *mcp;
	struct bh_buf out;
};

static int scene_make(void **state)
{
	struct scene *scene = bh_xmalloc(sizeof(*scene));

	scene->dir = fake_server_dir();
	scene->socket = bh_xasprintf("%s/server.sock", scene->dir);
	scene->settings =
		(struct bh_client_settings){.socket_path = scene->socket, .token = "secret"};
	scene->mcp = bh_mcp_new(&scene->settings);
	*state = scene;
	return 0;
}

static int scene_remove(void **state)
{
	struct scene *scene = *state;

	bh_mcp_free(scene->mcp);
	bh_buf_clear(&scene->out);
	fake_server_dir_remove(scene->dir);
	free(scene->socket);
	free(scene);
	return 0;
}

/** Give the bridge a message; its answer as text, "" for none. */
static const char *say(struct scene *scene, const char *message)
{
	bh_buf_clear(&scene->out);
	bh_mcp_take(scene->mcp, bh_span_of(message), &scene->out);
	return scene->out.len == 0 ? "" : scene->out.data;
}

static void the_handshake_echoes_a_known_revision(void **state)
{
	struct scene *scene = *state;

	assert_string_equal(say(scene, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\","
	                               "\"params\":{\"protocolVersion\":\"2024-11-05\"}}"),
	                    "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":"
	                    "\"2024-11-05\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{"
	                    "\"name\":\"" PACKAGE_NAME "\",\"version\":\"" PACKAGE_VERSION
	                    "\"}}}\n");
	assert_non_null(strstr(say(scene, "{\"id\":\"x\",\"method\":\"initialize\",\"params\":{"
	                                  "\"protocolVersion\":\"1999-01-01\"}}"),
	                       "\"protocolVersion\":\"2025-06-18\""));
	assert_string_equal(say(scene, "{\"method\":\"notifications/initialized\"}"), "");
	assert_string_equal(say(scene, "{\"id\":2,\"method\":\"ping\"}"),
	                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n");
}

static void tools_are_listed_with_schemas(void **state)
{
	cJSON *answer = cJSON_Parse(say(*state, "{\"id\":1,\"method\":\"tools/list\"}"));
	const cJSON *list = cJSON_GetObjectItem(cJSON_GetObjectItem(answer, "result"), "tools");
	const cJSON *tool = NULL;

	assert_int_equal(cJSON_GetArraySize(list), 11);
	cJSON_ArrayForEach(tool, list)
	{
		const cJSON *schema = cJSON_GetObjectItem(tool, "inputSchema");

		assert_true(cJSON_IsString(cJSON_GetObjectItem(tool, "description")));
		assert_string_equal(cJSON_GetObjectItem(schema, "type")->valuestring, "object");
	}
	cJSON_Delete(answer);
}

static void mistakes_get_their_code(void **state)
{
	static const struct {
		const char *message;
		const char *code;
	} cases[] = {
		{"no json", "-32700"},
		{"[]", "-32700"},
		{"{\"id\":1,\"method\":3}", "-32600"},
		{"{\"id\":1,\"method\":\"resources/list\"}", "-32601"},
		{"{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"rm\"}}", "-32602"},
		{"{\"id\":1,\"method\":\"tools/call\"}", "-32602"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_non_null(strstr(say(*state, cases[i].message), cases[i].code));
	}
	// An answer to something we never asked is not answered.
	assert_string_equal(say(*state, "{\"id\":9,\"result\":{}}"), "");
}

static void a_missing_argument_is_a_result_for_the_model(void **state)
{
	const char *answer = say(*state, "{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
	                                 "\"send_message\",\"arguments\":{\"to\":\"coder\"}}}");

	assert_non_null(strstr(answer, "\"isError\":true"));
	assert_non_null(strstr(answer, "text"));
}

static void without_a_server_the_tool_fails_in_words(void **state)
{
	const char *answer = say(*state, "{\"id\":1,\"method\":\"tools/call\",\"params\":{"
	                                 "\"name\":\"whoami\"}}");

	assert_non_null(strstr(answer, "\"isError\":true"));
	assert_non_null(strstr(answer, "bellhop server start"));
}

/** Gives one message, and insists on the confirmation. */
static void play_inbox(int fd, int connection, const char *dir)
{
	char line[2000];

	(void)connection;
	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	if (strstr(line, "\"inbox.read\",\"params\":{\"limit\":2,\"bound\":true}") == NULL) {
		_exit(1);
	}
	fake_server_write(fd, "{\"id\":1,\"result\":{\"messages\":[{\"text\":\"Mail m1 from a (a "
	                      "peer):\\n| hi\"}],\"unread_left\":0,\"confirm\":\"c9\"}}\n");
	(void)fake_server_read_line(fd, line, sizeof(line));
	if (strstr(line, "\"inbox.confirm\",\"params\":{\"confirm\":\"c9\"}") == NULL) {
		_exit(2);
	}
	fake_server_write(fd, "{\"id\":2,\"result\":{\"seen\":1}}\n");
}

static void mail_is_confirmed_after_it_was_written(void **state)
{
	struct scene *scene = *state;
	pid_t server = fake_server_start(scene->dir, 1, play_inbox);
	const char *answer = say(scene, "{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
	                                "\"read_inbox\",\"arguments\":{\"limit\":2}}}");

	assert_non_null(strstr(answer, "Mail m1 from a (a peer):\\n| hi"));
	assert_non_null(strstr(answer, "\"isError\":false"));
	bh_mcp_written(scene->mcp);
	bh_mcp_written(scene->mcp);
	assert_int_equal(fake_server_wait(server), 0);
}

/** Insists on what the tools about tasks and rooms ask for. */
/** Hangs up on what it is asked. */
static void play_hang_up(int fd, int connection, const char *dir)
{
	char line[2000];

	(void)connection;
	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
}

/** Stores one message, under the id that it was asked for with. */
static void play_repeat(int fd, int connection, const char *dir)
{
	char line[2000];

	(void)connection;
	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	if (strstr(line, "\"message_id\":\"01980000-0000-7000-8000-000000000007\"") == NULL) {
		_exit(1);
	}
	fake_server_write(fd, "{\"id\":1,\"result\":{\"will_be_seen\":\"already\"}}\n");
}

/** A server for a bridge that has said nothing yet. */
static pid_t scene_serve(struct scene *scene, int connections, fake_server_play play)
{
	bh_mcp_free(scene->mcp);
	scene->mcp = bh_mcp_new(&scene->settings);
	(void)unlink(scene->socket); // of the one before
	return fake_server_start(scene->dir, connections, play);
}

static void a_lost_answer_says_how_to_ask_again(void **state)
{
	static const char tools[][100] = {
		"\"name\":\"send_message\",\"arguments\":{\"to\":\"a\",\"text\":\"hi\"",
		"\"name\":\"complete_task\",\"arguments\":{\"task_id\":\"t1\"",
	};
	struct scene *scene = *state;
	char call[300];

	for (size_t i = 0; i < 2; i++) {
		pid_t server = scene_serve(scene, 4, play_hang_up);
		(void)snprintf(call, sizeof(call),
		               "{\"id\":1,\"method\":\"tools/call\",\"params\":{%s}}}", tools[i]);

		const char *answer = say(scene, call);

		assert_non_null(strstr(answer, "\"isError\":true"));
		assert_non_null(strstr(answer, "whether it was stored is not known"));
		assert_non_null(strstr(answer, "with message_id 0"));
		assert_int_equal(fake_server_wait(server), 0);
		server = scene_serve(scene, 1, play_repeat);
		(void)snprintf(call, sizeof(call),
		               "{\"id\":1,\"method\":\"tools/call\",\"params\":{%s,\"message_id\":"
		               "\"01980000-0000-7000-8000-000000000007\"}}}",
		               tools[i]);
		assert_non_null(strstr(say(scene, call), "will_be_seen: already"));
		assert_int_equal(fake_server_wait(server), 0);
		(void)snprintf(call, sizeof(call),
		               "{\"id\":1,\"method\":\"tools/call\",\"params\":{%s,\"message_id\":"
		               "\"7\"}}}",
		               tools[i]);
		assert_non_null(strstr(say(scene, call), "is none"));
	}
}

static void play_tasks(int fd, int connection, const char *dir)
{
	static const struct {
		const char *asked[3];
		const char *answer;
	} plays[] = {
		{{"\"message.send\"", "\"to\":\"#dev\"",
	          "\"task_id\":\"t1\",\"status\":\"update\""},
	         "{\"will_be_seen\":\"only_if_it_looks\",\"reason\":\"update\",\"members\":[{\"to\":\"a\","
	         "\"will_be_seen\":\"when_free\",\"reason\":\"working\"}]}"},
		{{"\"task.complete\"", "\"message_id\"", "\"task_id\":\"t1\",\"body\":\"done\""},
	         "{\"will_be_seen\":\"already\",\"to\":\"boss\"}"},
		{{"\"task.list\"", "", ""}, "{\"tasks\":[{\"task_id\":\"t1\"}]}"},
		{{"\"room.list\"", "", ""}, "{\"rooms\":[]}"},
		{{"\"room.join\"", "\"room\":\"#dev\"", ""}, "{\"joined\":true}"},
		{{"\"room.leave\"", "\"room\":\"#dev\"", ""}, "{\"left\":true}"},
		{{"\"wake.can_wake\"", "\"name\":\"a\"", ""}, "{\"tier\":\"NONE\"}"},
		{{"\"channel.steer\"", "\"name\":\"a\",\"text\":\"left\"", ""},
	         "{\"acknowledged\":true}"},
		{{"\"identity.register\"", "\"name\":\"outside\"", ""},
	         "{\"identity\":\"outside\",\"token\":\"5ec2e7\"}"},
	};
	char line[2000];

	(void)connection;
	(void)dir;
	for (int i = 0; i < (int)(sizeof(plays) / sizeof(plays[0])); i++) {
		char answer[600];

		(void)fake_server_read_line(fd, line, sizeof(line));
		for (int j = 0; j < 3; j++) {
			if (strstr(line, plays[i].asked[j]) == NULL) {
				_exit(1 + i);
			}
		}
		(void)snprintf(answer, sizeof(answer), "{\"id\":%d,\"result\":%s}\n", i + 1,
		               plays[i].answer);
		fake_server_write(fd, answer);
	}
}

/** Call a tool. */
static const char *tool(struct scene *scene, const char *name, const char *arguments)
{
	char text[500];

	(void)snprintf(text, sizeof(text),
	               "{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\","
	               "\"arguments\":%s}}",
	               name, arguments);
	return say(scene, text);
}

static void tasks_rooms_and_waking_have_their_tools(void **state)
{
	struct scene *scene = *state;
	pid_t server = fake_server_start(scene->dir, 1, play_tasks);
	const char *answer =
		tool(scene, "send_message",
	             "{\"to\":\"#dev\",\"text\":\"half\",\"task_id\":\"t1\",\"status\":"
	             "\"update\"}");

	assert_non_null(strstr(answer, "reason: update\\n"));
	assert_non_null(strstr(answer, "member: a when_free (working)\\n"));
	answer = tool(scene, "complete_task", "{\"task_id\":\"t1\",\"text\":\"done\"}");
	assert_non_null(strstr(answer, "to boss"));
	assert_non_null(strstr(tool(scene, "list_tasks", "{}"), "t1"));
	assert_non_null(strstr(tool(scene, "list_rooms", "{}"), "rooms"));
	assert_non_null(strstr(tool(scene, "join_room", "{\"room\":\"#dev\"}"), "joined"));
	assert_non_null(strstr(tool(scene, "leave_room", "{\"room\":\"#dev\"}"), "left"));
	assert_non_null(strstr(tool(scene, "can_wake", "{\"name\":\"a\"}"), "NONE"));
	answer = tool(scene, "steer_child", "{\"name\":\"a\",\"text\":\"left\"}");
	assert_non_null(strstr(answer, "acknowledged"));
	answer = tool(scene, "register_name", "{\"name\":\"outside\"}");
	assert_non_null(strstr(answer, "outside"));
	assert_null(strstr(answer, "5ec2e7")); // the secret is not for the model
	assert_non_null(strstr(tool(scene, "join_room", "{\"room\":7}"), "\"isError\":true"));
	assert_non_null(strstr(tool(scene, "complete_task", "{}"), "\"isError\":true"));
	assert_int_equal(fake_server_wait(server), 0);
}

static void a_whole_conversation_is_served(void **state)
{
	struct scene *scene = *state;
	static const char pong[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
	char text[1000] = "";
	int in[2];
	int out[2];

	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	fake_server_write(in[1],
	                  "\n{\"id\":1,\"method\":\"ping\"}\n{\"method\":\"n\"}\nx\n{\"id\"");
	close(in[1]);
	assert_int_equal(bh_mcp_serve(scene->mcp, in[0], out[1], NULL), 0);
	close(out[1]);
	assert_true(read(out[0], text, sizeof(text) - 1) > 0);
	assert_int_equal(strncmp(text, pong, strlen(pong)), 0);
	assert_non_null(strstr(text + strlen(pong), "-32700"));
	close(in[0]);
	close(out[0]);
}

/** The agent writes what the bridge then reads, in a process of its own: no pipe holds as much. */
static pid_t write_long(int fd, const char *begin, const char *end)
{
	pid_t pid = fork();

	if (pid == 0) {
		char *filler = bh_xmalloc(BH_LIMIT_LINE + 2);

		memset(filler, 'x', BH_LIMIT_LINE + 1);
		fake_server_write(fd, begin);
		fake_server_write(fd, filler);
		fake_server_write(fd, end);
		_exit(0);
	}
	close(fd);
	return pid;
}

static void a_line_that_is_too_long_is_refused_and_the_next_one_taken(void **state)
{
	static const char refused[] =
		"\"error\":{\"code\":-32600,\"message\":\"the message is longer "
		"than 1048576 bytes; it was not taken\"}}\n";
	static const struct {
		const char *begin, *end, *id;
	} rows[] = {
		{"", "", "null"},
		{"{\"id\":7,\"method\":\"ping\",\"params\":{\"id\":9,\"text\":\"", "\"}}", "7"},
		{"{\"method\":\"m\",\"params\":{\"a\":[1,\"\\\"id\\\":", "\"]}, \"id\" : \"a,b\"}",
	         "\"a,b\""},
		{"{\"id\":\"", "\"}", "null"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene *scene = *state;
		char *end = bh_xasprintf("%s\n{\"id\":1,\"method\":\"ping\"}\n", rows[i].end);
		char *expected = bh_xasprintf("{\"jsonrpc\":\"2.0\",\"id\":%s,%s"
		                              "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n",
		                              rows[i].id, refused);
		char text[1000] = "";
		int in[2];
		int out[2];
		pid_t agent = 0;

		assert_int_equal(pipe(in), 0);
		assert_int_equal(pipe(out), 0);
		agent = write_long(in[1], rows[i].begin, end);
		assert_int_equal(bh_mcp_serve(scene->mcp, in[0], out[1], NULL), 0);
		close(out[1]);
		assert_true(read(out[0], text, sizeof(text) - 1) > 0);
		assert_string_equal(text, expected);
		assert_int_equal(fake_server_wait(agent), 0);
		close(in[0]);
		close(out[0]);
		free(expected);
		free(end);
	}
}

int main(void)
{
#define SCENE(name) cmocka_unit_test_setup_teardown(name, scene_make, scene_remove)
	const struct CMUnitTest tests[] = {
		SCENE(the_handshake_echoes_a_known_revision),
		SCENE(tools_are_listed_with_schemas),
		SCENE(mistakes_get_their_code),
		SCENE(a_missing_argument_is_a_result_for_the_model),
		SCENE(without_a_server_the_tool_fails_in_words),
		SCENE(mail_is_confirmed_after_it_was_written),
		SCENE(a_lost_answer_says_how_to_ask_again),
		SCENE(tasks_rooms_and_waking_have_their_tools),
		SCENE(a_whole_conversation_is_served),
		SCENE(a_line_that_is_too_long_is_refused_and_the_next_one_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
