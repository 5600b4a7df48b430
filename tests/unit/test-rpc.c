#include "src/server/rpc.h"

#include "src/base/frame.h"
#include "src/base/json.h"
#include "src/base/limits.h"
#include "src/base/mem.h"
#include "src/server/connection.h"
#include "src/server/rpc_server.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

/** A request that is answered at once. */
#define ECHO_LINE "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":{\"text\":\"a\"}}"

/** Most clients at once. */
#define CLIENTS_MAX 4

/** Who the made-up world says is calling. */
struct world {
	enum bh_caller_kind kind;
};

/** A server with one client. */
struct fixture {
	uv_loop_t loop;
	struct bh_rpc *rpc;
	struct world world;
	struct bh_callers_world callers;
	char folder[64], path[96];
	int client;
	struct bh_buf in;
};

// The request that method `later` keeps, and how often its connection was reported gone.
struct kept {
	struct bh_request *request;
	int gone;
};

static struct kept *kept_of(const struct bh_request *request)
{
	return (struct kept *)(void *)bh_request_server(request);
}

static void method_echo(struct bh_request *request)
{
	const char *text = bh_request_string(request, "text");

	if (text != NULL) {
		cJSON *result = cJSON_CreateObject();

		cJSON_AddStringToObject(result, "text", text);
		bh_request_answer(request, result);
	}
}

static void method_numbers(struct bh_request *request)
{
	int64_t number = 0;
	bool flag = false;
	const char *text = NULL;

	if (bh_request_number(request, "n", 7, 1, 9, &number) &&
	    bh_request_flag(request, "f", &flag) &&
	    bh_request_optional_string(request, "s", &text)) {
		cJSON *result = cJSON_CreateObject();

		cJSON_AddNumberToObject(result, "n", (double)number);
		cJSON_AddBoolToObject(result, "f", flag);
		cJSON_AddBoolToObject(result, "s", text != NULL);
		bh_request_answer(request, result);
	}
}

static void later_gone(void *user)
{
	((struct kept *)user)->gone++;
}

static void method_later(struct bh_request *request)
{
	kept_of(request)->request = request;
	bh_request_on_gone(request, later_gone, kept_of(request));
}

static void method_big(struct bh_request *request)
{
	size_t size = BH_CONNECTION_ANSWER_MAX + 10;
	char *text = calloc(1, size + 1);
	cJSON *result = cJSON_CreateObject();

	memset(text, 'x', size);
	cJSON_AddStringToObject(result, "text", text);
	free(text);
	bh_request_answer(request, result);
}

static void method_fail(struct bh_request *request)
{
	struct bh_err err = {0};
	int64_t code = 0;

	if (bh_request_number(request, "code", 0, -20000, -1, &code)) {
		(void)bh_err_set(&err, (int)code, "it went wrong");
		bh_request_fail_err(request, &err);
	}
}

static const struct bh_method methods[] = {
	{"fail", BH_METHOD_ALL, method_fail},
	{"echo", BH_METHOD_ALL, method_echo},
	{"numbers", BH_METHOD_ALL, method_numbers},
	{"later", BH_METHOD_ALL, method_later},
	{"big", BH_METHOD_ALL, method_big},
	{"operator", BH_METHOD_OPERATOR, method_echo},
	{"info", BH_METHOD_ALL | BH_METHOD_ANY_VERSION, method_echo},
	{"inside", BH_METHOD_INSIDE, method_echo},
	{"connected", BH_METHOD_ALL | BH_METHOD_NEEDS_CONNECTION, method_echo},
	{NULL, 0, NULL},
};

static bool world_process(void *user, pid_t pid, struct bh_caller_process *out)
{
	(void)user;
	*out = (struct bh_caller_process){.ppid = 1, .sid = pid, .start = 1};
	return true;
}

static bool world_has_agent_env(void *user, pid_t pid)
{
	(void)pid;
	return ((struct world *)user)->kind == BH_CALLER_EXTERNAL;
}

static bool world_is_our_namespace(void *user, pid_t pid)
{
	(void)pid;
	return ((struct world *)user)->kind != BH_CALLER_UNVERIFIED;
}

static bool world_terminal_of_child(void *user, pid_t pid, uint64_t start, struct bh_uuid *id_out)
{
	(void)user;
	(void)pid;
	(void)start;
	(void)id_out;
	return false;
}

static bool world_terminal_of_token(void *user, const char *token, struct bh_uuid *id_out)
{
	(void)user;
	*id_out = (struct bh_uuid){{1}};
	return strcmp(token, "secret") == 0;
}

static bool world_is_token_refused(void *user, const struct bh_uuid *id)
{
	(void)user;
	(void)id;
	return false;
}

static int client_connect(const struct fixture *fixture)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)snprintf(address.sun_path, sizeof address.sun_path, "%s", fixture->path);
	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
	assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
	return fd;
}

static void fixture_open(struct fixture *fixture, struct kept *kept)
{
	struct bh_err err = {0};

	*fixture = (struct fixture){.world = {.kind = BH_CALLER_OPERATOR}};
	fixture->callers = (struct bh_callers_world){
		.process = world_process,
		.has_agent_env = world_has_agent_env,
		.is_our_namespace = world_is_our_namespace,
		.terminal_of_child = world_terminal_of_child,
		.terminal_of_token = world_terminal_of_token,
		.is_token_refused = world_is_token_refused,
		.keeper_pid = 100,
		.user = &fixture->world,
	};
	(void)snprintf(fixture->folder, sizeof fixture->folder, "/tmp/bh-rpc-XXXXXX");
	assert_non_null(mkdtemp(fixture->folder));
	(void)snprintf(fixture->path, sizeof fixture->path, "%s/s", fixture->folder);
	assert_int_equal(uv_loop_init(&fixture->loop), 0);
	assert_int_equal(
		bh_rpc_start(&(struct bh_rpc_settings){.server = (struct bh_server *)(void *)kept,
	                                               .methods = methods,
	                                               .world = &fixture->callers,
	                                               .loop = &fixture->loop,
	                                               .path = fixture->path,
	                                               .connections_max = CLIENTS_MAX},
	                     &fixture->rpc, &err),
		0);
	fixture->client = client_connect(fixture);
}

static void fixture_close(struct fixture *fixture)
{
	(void)close(fixture->client);
	bh_rpc_close(fixture->rpc);
	(void)uv_run(&fixture->loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&fixture->loop), 0);
	bh_buf_clear(&fixture->in);
	(void)unlink(fixture->path);
	assert_int_equal(rmdir(fixture->folder), 0);
}

// One turn of the loop, then take what came.
static bool client_read(struct fixture *fixture)
{
	char chunk[65536];
	ssize_t count;

	(void)uv_run(&fixture->loop, UV_RUN_NOWAIT);
	count = read(fixture->client, chunk, sizeof chunk);
	if (count > 0) {
		bh_buf_append(&fixture->in, chunk, (size_t)count);
	}
	return count != 0 && !(count < 0 && errno != EAGAIN);
}

static void client_write(struct fixture *fixture, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t count = write(fixture->client, bytes, len);

		if (count > 0) {
			bytes += count;
			len -= (size_t)count;
		} else {
			assert_true(client_read(fixture));
		}
	}
}

// The next answer; the caller deletes it. NULL when the connection ended.
static cJSON *client_answer(struct fixture *fixture)
{
	const char *end = NULL;

	while (fixture->in.len == 0 ||
	       (end = memchr(fixture->in.data, '\n', fixture->in.len)) == NULL) {
		if (!client_read(fixture)) {
			return NULL;
		}
	}
	size_t len = (size_t)(end - fixture->in.data);
	cJSON *answer = bh_json_parse_object(fixture->in.data, len, NULL);

	assert_non_null(answer);
	bh_buf_consume(&fixture->in, len + 1);
	return answer;
}

static cJSON *client_call(struct fixture *fixture, const char *line)
{
	client_write(fixture, line, strlen(line));
	client_write(fixture, "\n", 1);
	return client_answer(fixture);
}

static const char *answer_word(const cJSON *answer)
{
	const cJSON *error = cJSON_GetObjectItem(answer, "error");
	const cJSON *word = cJSON_GetObjectItem(cJSON_GetObjectItem(error, "data"), "word");

	return cJSON_IsString(word) ? word->valuestring : "";
}

static void answers_carry_the_id(void **state)
{
	struct fixture fixture;
	cJSON *answer;

	(void)state;
	fixture_open(&fixture, NULL);
	answer = client_call(&fixture, "{\"jsonrpc\":\"2.0\",\"id\":\"x1\",\"method\":\"echo\","
	                               "\"params\":{\"text\":\"h\\u00e9\"}}");
	assert_string_equal(cJSON_GetObjectItem(answer, "id")->valuestring, "x1");
	assert_string_equal(
		cJSON_GetObjectItem(cJSON_GetObjectItem(answer, "result"), "text")->valuestring,
		"h\303\251");
	cJSON_Delete(answer);
	fixture_close(&fixture);
}

/** A line and the word of the error that must come. */
struct refusal {
	const char *line, *word;
};

static void bad_lines_are_refused_and_the_rest_goes_on(void **state)
{
	static const struct refusal rows[] = {
		{"nonsense", "parse"},
		{"[]", "parse"},
		{"{\"a\":1} x", "parse"},
		{"{\"id\":1}", "request"},
		{"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"echo\"}", "request"},
		{"{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"echo\"}", "request"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", "request"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"none\"}", "method"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":[]}", "params"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":{\"text\":1}}",
	         "params"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}", "params"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"numbers\",\"params\":{\"n\":0}}",
	         "params"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"numbers\",\"params\":{\"n\":1.5}}",
	         "params"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"numbers\",\"params\":{\"f\":1}}",
	         "params"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"inside\",\"params\":{\"text\":\"a\"}}",
	         "denied"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"fail\",\"params\":{\"code\":-10003}}",
	         "busy"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"fail\",\"params\":{\"code\":-10010}}",
	         "busy"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"fail\",\"params\":{\"code\":-10007}}",
	         "internal"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"fail\",\"params\":{\"code\":-5}}",
	         "internal"},
		{"\377\376", "parse"},
	};
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture, NULL);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		cJSON *answer = client_call(&fixture, rows[i].line);

		if (strcmp(answer_word(answer), rows[i].word) != 0) {
			fail_msg("%s: %s", rows[i].line, answer_word(answer));
		}
		cJSON_Delete(answer);
	}
	cJSON *answer = client_call(
		&fixture, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"numbers\",\"params\":{}}");

	assert_int_equal(cJSON_GetObjectItem(cJSON_GetObjectItem(answer, "result"), "n")->valueint,
	                 7);
	cJSON_Delete(answer);
	fixture_close(&fixture);
}

static void kinds_of_callers_are_kept_apart(void **state)
{
	static const struct {
		enum bh_caller_kind kind;
		const char *word;
	} rows[] = {
		{BH_CALLER_EXTERNAL, "external"},
		{BH_CALLER_UNVERIFIED, "unverified"},
	};
	static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"operator\","
				   "\"params\":{\"text\":\"a\"}}";
	static const char token_line[] =
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"operator\",\"token\":\"secret\","
		"\"params\":{\"text\":\"a\"}}";
	struct fixture fixture;
	cJSON *answer;

	(void)state;
	fixture_open(&fixture, NULL);
	for (size_t i = 0; i < 2; i++) {
		(void)close(fixture.client);
		fixture.client = client_connect(&fixture);
		fixture.world.kind = rows[i].kind;
		answer = client_call(&fixture, line);
		assert_string_equal(answer_word(answer), rows[i].word);
		cJSON_Delete(answer);
	}
	fixture.world.kind = BH_CALLER_OPERATOR;
	answer = client_call(&fixture, line);
	assert_string_equal(answer_word(answer), "");
	cJSON_Delete(answer);
	answer = client_call(&fixture, token_line);
	assert_string_equal(answer_word(answer), "operator_only");
	cJSON_Delete(answer);
	fixture_close(&fixture);
}

/** Ask for what is answered later: the request is in @kept then. */
static void client_ask_later(struct fixture *fixture, struct kept *kept)
{
	static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"later\"}\n";

	kept->request = NULL;
	client_write(fixture, line, sizeof line - 1);
	while (kept->request == NULL) {
		assert_true(client_read(fixture));
	}
}

static void a_late_answer_to_nobody_is_dropped(void **state)
{
	struct fixture fixture;
	struct kept kept = {0};

	(void)state;
	fixture_open(&fixture, &kept);
	client_ask_later(&fixture, &kept);
	(void)close(fixture.client);
	while (kept.gone == 0) {
		(void)uv_run(&fixture.loop, UV_RUN_NOWAIT);
	}
	bh_request_answer(kept.request, cJSON_CreateObject());
	fixture.client = client_connect(&fixture);
	fixture_close(&fixture);
	assert_int_equal(kept.gone, 1);
}

/** What the store has under way when the server stops is answered after all connections are closed. */
static void a_request_may_outlive_the_connections(void **state)
{
	struct fixture fixture;
	struct kept kept = {0};

	(void)state;
	fixture_open(&fixture, &kept);
	client_ask_later(&fixture, &kept);
	fixture_close(&fixture);
	assert_int_equal(kept.gone, 1);
	assert_true(bh_request_is_gone(kept.request));
	assert_ptr_equal(kept_of(kept.request), &kept);
	bh_request_answer(kept.request, cJSON_CreateObject());
}

static void a_notification_gets_no_answer(void **state)
{
	struct fixture fixture;
	static const char line[] =
		"{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"params\":{\"text\":\"a\"}}\n";

	(void)state;
	fixture_open(&fixture, NULL);
	client_write(&fixture, line, sizeof line - 1);
	cJSON *answer = client_call(&fixture, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"echo\","
	                                      "\"params\":{\"text\":\"b\"}}");

	assert_int_equal(cJSON_GetObjectItem(answer, "id")->valueint, 5);
	cJSON_Delete(answer);
	fixture_close(&fixture);
}

static void too_many_open_requests_are_busy(void **state)
{
	struct fixture fixture;
	struct kept kept = {0};
	struct bh_request *open[BH_RPC_REQUESTS_MAX];

	(void)state;
	fixture_open(&fixture, &kept);
	for (size_t i = 0; i < BH_RPC_REQUESTS_MAX; i++) {
		client_ask_later(&fixture, &kept);
		open[i] = kept.request;
	}
	cJSON *answer = client_call(&fixture, ECHO_LINE);

	assert_string_equal(answer_word(answer), "busy");
	cJSON_Delete(answer);
	for (size_t i = 0; i < BH_RPC_REQUESTS_MAX; i++) {
		bh_request_fail(open[i], "busy", "over");
	}
	fixture_close(&fixture);
}

// The server ends this connection.
static void await_end(struct fixture *fixture, int fd)
{
	char byte;

	while (recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0) {
		(void)uv_run(&fixture->loop, UV_RUN_NOWAIT);
	}
}

static void crowd_fill(struct fixture *fixture, int clients[CLIENTS_MAX])
{
	for (size_t i = 0; i < CLIENTS_MAX; i++) {
		clients[i] = i == 0 ? fixture->client : client_connect(fixture);
		while (bh_rpc_connections(fixture->rpc) < i + 1) {
			(void)uv_run(&fixture->loop, UV_RUN_NOWAIT);
		}
	}
}

static void crowd_leave(struct fixture *fixture, const int clients[CLIENTS_MAX])
{
	for (size_t i = 0; i < CLIENTS_MAX; i++) {
		(void)close(clients[i]);
	}
	fixture_close(fixture);
}

static void echo_is_answered(struct fixture *fixture)
{
	cJSON *answer = client_call(fixture, ECHO_LINE);

	assert_non_null(answer);
	assert_string_equal(answer_word(answer), "");
	cJSON_Delete(answer);
}

static void who_says_nothing_keeps_nobody_out(void **state)
{
	struct fixture fixture;
	int clients[CLIENTS_MAX];

	(void)state;
	fixture_open(&fixture, NULL);
	crowd_fill(&fixture, clients);
	echo_is_answered(&fixture); // the first has spoken, it stays to the last
	for (size_t i = 1; i < CLIENTS_MAX; i++) {
		fixture.client = client_connect(&fixture);
		echo_is_answered(&fixture);
		await_end(&fixture, clients[i]);
		(void)close(clients[i]);
		clients[i] = fixture.client;
		assert_int_equal(bh_rpc_connections(fixture.rpc), CLIENTS_MAX);
	}
	fixture.client = client_connect(&fixture); // now the first was heard of longest ago
	echo_is_answered(&fixture);
	await_end(&fixture, clients[0]);
	crowd_leave(&fixture, clients);
}

// Send a request of this owner that stays open, on the connection @fd.
static struct bh_request *keep_open(struct fixture *fixture, struct kept *kept, int fd,
                                    const char *line)
{
	fixture->client = fd;
	kept->request = NULL;
	client_write(fixture, line, strlen(line));
	while (kept->request == NULL) {
		assert_true(client_read(fixture));
	}
	return kept->request;
}

static void who_has_all_of_it_in_use_is_told_to_end_some(void **state)
{
	struct fixture fixture;
	struct kept kept = {0};
	struct bh_request *open[CLIENTS_MAX];
	int clients[CLIENTS_MAX];

	(void)state;
	fixture_open(&fixture, &kept);
	crowd_fill(&fixture, clients);
	for (size_t i = 0; i < CLIENTS_MAX; i++) {
		open[i] = keep_open(&fixture, &kept, clients[i],
		                    "{\"jsonrpc\":\"2.0\",\"method\":\"later\"}\n");
	}
	fixture.client = client_connect(&fixture);
	cJSON *answer = client_answer(&fixture);

	assert_string_equal(answer_word(answer), "busy");
	cJSON_Delete(answer);
	await_end(&fixture, fixture.client);
	(void)close(fixture.client);
	// One of them is enough.
	bh_request_answer(open[0], cJSON_CreateObject());
	fixture.client = client_connect(&fixture);
	echo_is_answered(&fixture);
	assert_int_equal(kept.gone, 0);
	for (size_t i = 1; i < CLIENTS_MAX; i++) {
		bh_request_answer(open[i], cJSON_CreateObject());
	}
	crowd_leave(&fixture, clients);
}

static void who_has_most_gives_way_to_who_has_few(void **state)
{
	struct fixture fixture;
	struct kept kept = {0};
	struct bh_request *open[CLIENTS_MAX];
	int clients[CLIENTS_MAX];

	(void)state;
	fixture_open(&fixture, &kept);
	crowd_fill(&fixture, clients);
	for (size_t i = 0; i < CLIENTS_MAX; i++) {
		open[i] = keep_open(&fixture, &kept, clients[i],
		                    "{\"jsonrpc\":\"2.0\",\"method\":\"later\","
		                    "\"token\":\"secret\"}\n");
	}
	fixture.client = client_connect(&fixture);
	echo_is_answered(&fixture);
	assert_int_equal(kept.gone, 1);
	(void)close(fixture.client);
	fixture.client = clients[CLIENTS_MAX - 1];

	cJSON *answer = client_answer(&fixture);

	assert_string_equal(answer_word(answer), "busy");
	cJSON_Delete(answer);
	assert_null(client_answer(&fixture));
	for (size_t i = 0; i < CLIENTS_MAX; i++) {
		bh_request_answer(open[i], cJSON_CreateObject());
	}
	fixture.client = client_connect(&fixture);
	crowd_leave(&fixture, clients);
}

static void an_oversized_line_ends_the_connection_with_words(void **state)
{
	struct fixture fixture;
	char *line = malloc(BH_LIMIT_LINE + 1);

	(void)state;
	fixture_open(&fixture, NULL);
	memset(line, 'x', BH_LIMIT_LINE + 1);
	client_write(&fixture, line, BH_LIMIT_LINE + 1);
	cJSON *answer = client_answer(&fixture);

	assert_string_equal(answer_word(answer), "limit");
	cJSON_Delete(answer);
	assert_null(client_answer(&fixture));
	free(line);
	fixture_close(&fixture);
}

static void an_oversized_frame_ends_the_connection_with_words(void **state)
{
	struct fixture fixture;
	static const char header[] = {0, 2, 1, 0, 0, 0, 2, 0};

	(void)state;
	fixture_open(&fixture, NULL);
	client_write(&fixture, header, sizeof header);
	cJSON *answer = client_answer(&fixture);

	assert_string_equal(answer_word(answer), "limit");
	cJSON_Delete(answer);
	assert_null(client_answer(&fixture));
	fixture_close(&fixture);
}

static void frames_of_no_stream_are_ignored(void **state)
{
	struct fixture fixture;
	struct bh_buf frames = {0};

	(void)state;
	fixture_open(&fixture, NULL);
	bh_frame_append(&frames, BH_FRAME_INPUT, 0, bh_span_of("abc"));
	bh_frame_append(&frames, BH_FRAME_INPUT, 1, bh_span_of("abc"));
	bh_frame_append(&frames, BH_FRAME_RESIZE, 65535, bh_span_of(""));
	bh_frame_append(&frames, (enum bh_frame_type)200, 1, bh_span_of("abc"));
	client_write(&fixture, frames.data, frames.len);
	bh_buf_clear(&frames);
	cJSON *answer = client_call(&fixture, ECHO_LINE);

	assert_string_equal(answer_word(answer), "");
	cJSON_Delete(answer);
	fixture_close(&fixture);
}

static void an_answer_too_big_is_an_error(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture, NULL);
	cJSON *answer = client_call(&fixture, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"big\"}");

	assert_string_equal(answer_word(answer), "limit");
	assert_int_equal(cJSON_GetObjectItem(answer, "id")->valueint, 1);
	cJSON_Delete(answer);
	fixture_close(&fixture);
}

// What a spooled request was answered, for the tests below.
static void on_spooled(struct bh_span text, void *user)
{
	bh_buf_append(user, text.data, text.len);
}

static void the_spool_needs_the_token_of_its_terminal(void **state)
{
	static const struct {
		const char *line;
		uint8_t terminal;
		const char *word;
	} rows[] = {
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"token\":\"secret\","
	         "\"params\":{\"text\":\"a\"}}",
	         1, ""},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"token\":\"secret\","
	         "\"params\":{\"text\":\"a\"}}",
	         2, "identity_conflict"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":{\"text\":\"a\"}}",
	         1, "unverified"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"connected\",\"token\":\"secret\"}", 1,
	         "unsupported"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"operator\",\"token\":\"secret\"}", 1,
	         "operator_only"},
		{"", 1, "parse"},
	};
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture, NULL);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct bh_buf text = {0};
		const struct bh_uuid terminal = {{rows[i].terminal}};

		bh_rpc_spooled(fixture.rpc, bh_span_of(rows[i].line), &terminal, 0, on_spooled,
		               &text);
		cJSON *answer = bh_json_parse_object(text.data, text.len, NULL);

		assert_non_null(answer);
		assert_string_equal(answer_word(answer), rows[i].word);
		cJSON_Delete(answer);
		bh_buf_clear(&text);
	}
	fixture_close(&fixture);
}

static void another_version_of_the_protocol_is_told_so(void **state)
{
	static const struct {
		const char *method;
		const char *version;
		const char *word;
	} rows[] = {
		{"echo", "1", ""},
		{"echo", "2", "version"},
		{"echo", "0", "version"},
		{"echo", "\"1\"", "version"},
		// A program that is newer is told so before its methods are looked for.
		{"no.such", "2", "version"},
		{"no.such", "1", "method"},
		{"info", "2", ""},
	};
	struct fixture fixture;

	(void)state;
	assert_int_equal(BH_PROTOCOL_VERSION, 1); // the rows above
	fixture_open(&fixture, NULL);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char *line = bh_xasprintf("{\"jsonrpc\":\"2.0\",\"id\":1,\"protocol\":%s,"
		                          "\"method\":\"%s\",\"params\":{\"text\":\"a\"}}",
		                          rows[i].version, rows[i].method);
		cJSON *answer = client_call(&fixture, line);

		assert_string_equal(answer_word(answer), rows[i].word);
		cJSON_Delete(answer);
		free(line);
	}
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_carry_the_id),
		cmocka_unit_test(bad_lines_are_refused_and_the_rest_goes_on),
		cmocka_unit_test(kinds_of_callers_are_kept_apart),
		cmocka_unit_test(a_late_answer_to_nobody_is_dropped),
		cmocka_unit_test(a_request_may_outlive_the_connections),
		cmocka_unit_test(a_notification_gets_no_answer),
		cmocka_unit_test(too_many_open_requests_are_busy),
		cmocka_unit_test(who_says_nothing_keeps_nobody_out),
		cmocka_unit_test(who_has_all_of_it_in_use_is_told_to_end_some),
		cmocka_unit_test(who_has_most_gives_way_to_who_has_few),
		cmocka_unit_test(an_oversized_line_ends_the_connection_with_words),
		cmocka_unit_test(an_oversized_frame_ends_the_connection_with_words),
		cmocka_unit_test(frames_of_no_stream_are_ignored),
		cmocka_unit_test(an_answer_too_big_is_an_error),
		cmocka_unit_test(the_spool_needs_the_token_of_its_terminal),
		cmocka_unit_test(another_version_of_the_protocol_is_told_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
