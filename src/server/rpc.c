#include "src/server/rpc.h"

#include "src/base/frame.h"
#include "src/base/json.h"
#include "src/base/limits.h"
#include "src/base/list.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/base/words.h"
#include "src/server/connection.h"
#include "src/server/crowd.h"
#include "src/server/listener.h"
#include "src/server/rpc_server.h"
#include "src/server/streams.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What is told before there is a request to fail; all else has its code from the table of words.
#define CODE_PARSE -32700
#define CODE_OURS -32000
// Longest sentence of an error (bytes).
#define SENTENCE_MAX 1024
// How often the log tells that clients gave way (ms).
#define CROWD_TOLD_MS 60000

struct bh_rpc {
	struct bh_listener *listener;
	struct bh_server *server;
	const struct bh_method *methods;
	const struct bh_callers_world *world;
	uv_loop_t *loop;
	struct bh_list clients;
	size_t client_count;
	struct bh_crowd crowd;
	// Most of them, and when the log last told that there were more (ms of the loop, 0: never).
	size_t client_max;
	uint64_t crowd_told_ms;
	// Open ones, also of connections that are gone.
	size_t request_count;
	int (*lost)(struct bh_server *, struct bh_err *);
	char *path;
	bool closing;
	bool is_listener_closed;
};

// A connection with what the requests on it share.
struct client {
	struct bh_list link;
	struct bh_rpc *rpc;
	struct bh_connection *connection;
	struct bh_list requests;
	size_t request_count;
	struct bh_stream *streams[BH_RPC_STREAMS_MAX];
	struct bh_list guests;
	// The caller as established last, and for which token.
	struct bh_caller caller;
	char *caller_token;
	bool has_caller;
	struct bh_crowd_member member;
};

struct bh_request {
	struct bh_list link;
	struct bh_rpc *rpc;
	// NULL once the connection is gone, and for the spool.
	struct client *client;
	// For the spool.
	void (*answer)(struct bh_span text, void *user);
	void *answer_user;
	// How long it has waited for its answer under an earlier server (ms).
	int64_t waited_ms;
	cJSON *message;
	// Borrowed from message; NULL: there is none.
	const cJSON *id;
	// It has no id on purpose: nothing is answered.
	bool is_notification;
	cJSON *params;
	// The empty object that stands in for missing params.
	cJSON *no_params;
	const struct bh_method *method;
	struct bh_caller caller;
	void (*gone)(void *user);
	void *gone_user;
};

// ---- answers ----

static cJSON *answer_new(const cJSON *id)
{
	cJSON *answer = cJSON_CreateObject();

	cJSON_AddStringToObject(answer, "jsonrpc", "2.0");
	cJSON_AddItemToObject(answer, "id",
	                      id != NULL ? cJSON_Duplicate(id, false) : cJSON_CreateNull());
	return answer;
}

static cJSON *answer_new_error(const cJSON *id, int code, const char *word, cJSON *data,
                               const char *sentence)
{
	cJSON *answer = answer_new(id);
	cJSON *error = cJSON_AddObjectToObject(answer, "error");

	cJSON_AddNumberToObject(error, "code", code);
	cJSON_AddStringToObject(error, "message", sentence);
	data = data != NULL ? data : cJSON_CreateObject();
	cJSON_AddStringToObject(data, "word", word);
	cJSON_AddItemToObject(error, "data", data);
	return answer;
}

static int code_of_word(const char *word)
{
	int fault = bh_word_find(BH_WORDS_FAULT, word);

	return fault >= 0 ? bh_fault_code((enum bh_fault)fault) : CODE_OURS;
}

// What the store has under way at a stop is answered when all connections are closed.
static void rpc_free_if_done(struct bh_rpc *rpc)
{
	if (rpc->closing && rpc->is_listener_closed &&
	    rpc->client_count + rpc->request_count == 0) {
		free(rpc->path);
		free(rpc);
	}
}

static void request_free(struct bh_request *request)
{
	struct bh_rpc *rpc = request->rpc;

	if (request->client != NULL) {
		request->client->request_count--;
	}
	bh_list_remove(&request->link);
	cJSON_Delete(request->message);
	cJSON_Delete(request->no_params);
	free(request);
	rpc->request_count--;
	rpc_free_if_done(rpc);
}

// Send @answer (taken) to whoever waits for it and end the request.
static void request_finish(struct bh_request *request, cJSON *answer)
{
	char *text = bh_json_print(answer);
	size_t len = strlen(text);

	cJSON_Delete(answer);
	if (len > BH_CONNECTION_ANSWER_MAX) {
		free(text);
		answer = answer_new_error(request->id, CODE_OURS, "limit", NULL,
		                          "the answer has more than 16 MiB; ask for less at once");
		text = bh_json_print(answer);
		len = strlen(text);
		cJSON_Delete(answer);
	}
	void (*spool_answer)(struct bh_span, void *) = request->answer;
	void *spool_user = request->answer_user;

	if (request->client != NULL && !request->is_notification) {
		bh_connection_send_line(request->client->connection, (struct bh_span){text, len});
	}
	request_free(request);
	if (spool_answer != NULL) {
		spool_answer((struct bh_span){text, len}, spool_user);
	}
	free(text);
}

void bh_request_answer(struct bh_request *request, cJSON *result)
{
	cJSON *answer = answer_new(request->id);

	cJSON_AddItemToObject(answer, "result", result);
	request_finish(request, answer);
}

static void request_fail(struct bh_request *request, const char *word, cJSON *data,
                         const char *sentence)
{
	bh_log(BH_LOG_DEBUG, "rpc", "", "%s refused: %s: %s",
	       request->method != NULL ? request->method->name : "request", word, sentence);
	request_finish(request,
	               answer_new_error(request->id, code_of_word(word), word, data, sentence));
}

void bh_request_fail(struct bh_request *request, const char *word, const char *format, ...)
{
	char sentence[SENTENCE_MAX];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(sentence, sizeof sentence, format, args); // a cut sentence is good enough
	va_end(args);
	request_fail(request, word, NULL, sentence);
}

void bh_request_fail_data(struct bh_request *request, const char *word, cJSON *data,
                          const char *format, ...)
{
	char sentence[SENTENCE_MAX];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(sentence, sizeof sentence, format, args); // a cut sentence is good enough
	va_end(args);
	request_fail(request, word, data, sentence);
}

void bh_request_fail_err(struct bh_request *request, const struct bh_err *err)
{
	const char *word = bh_err_word(err->code);

	if (err->code == BH_ECLOSED) {
		word = bh_word(BH_WORDS_FAULT, BH_FAULT_BUSY); // the store closes; try again
	}
	// Only words of the contract go out.
	if (bh_word_find(BH_WORDS_FAULT, word) < 0) {
		word = bh_word(BH_WORDS_FAULT, BH_FAULT_INTERNAL);
	}
	request_fail(request, word, NULL, err->text);
}

// ---- what a method asks of its request ----

struct bh_server *bh_request_server(const struct bh_request *request)
{
	return request->rpc->server;
}

const struct bh_caller *bh_request_caller(const struct bh_request *request)
{
	return &request->caller;
}

const char *bh_request_token(const struct bh_request *request)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(request->message, "token");

	return cJSON_IsString(item) ? item->valuestring : NULL;
}

const cJSON *bh_request_params(const struct bh_request *request)
{
	return request->params;
}

struct bh_connection *bh_request_connection(const struct bh_request *request)
{
	return request->client != NULL ? request->client->connection : NULL;
}

void bh_request_on_gone(struct bh_request *request, void (*gone)(void *user), void *user)
{
	request->gone = gone;
	request->gone_user = user;
}

bool bh_request_is_gone(const struct bh_request *request)
{
	return request->client == NULL && request->answer == NULL;
}

void bh_request_leave(struct bh_request *request)
{
	void (*spool_answer)(struct bh_span, void *) = request->answer;
	void *spool_user = request->answer_user;

	if (request->client != NULL) {
		bh_connection_close(request->client->connection);
	}
	request_free(request);
	if (spool_answer != NULL) {
		spool_answer((struct bh_span){0}, spool_user);
	}
}

bool bh_request_wait(struct bh_request *request, const char *name, int64_t fallback, int64_t max,
                     int64_t *value_out)
{
	if (!bh_request_number(request, name, fallback, 0, max, value_out)) {
		return false;
	}
	if (*value_out > 0) {
		*value_out -= request->waited_ms;
		*value_out = *value_out < 1 ? 1 : *value_out;
	}
	return true;
}

// ---- from a line to a method ----

static const struct bh_method *method_find(const struct bh_method *methods, const char *name)
{
	for (; methods->name != NULL; methods++) {
		if (strcmp(methods->name, name) == 0) {
			return methods;
		}
	}
	return NULL;
}

// Establish the caller, asking the kernel again only when the token is another than last time.
static int client_identify(struct client *client, const char *token, struct bh_caller *caller_out)
{
	const char *known = client->caller_token != NULL ? client->caller_token : "";

	if (!client->has_caller || strcmp(known, token != NULL ? token : "") != 0) {
		int code = bh_callers_identify(client->rpc->world,
		                               bh_connection_pid(client->connection), false, token,
		                               &client->caller);

		if (code != 0) {
			return code;
		}
		free(client->caller_token);
		client->caller_token = bh_xstrdup(token);
		// A caller that cannot be named now may be named once its terminal is known; one from
		// outside may register, and its lease may run out.
		client->has_caller = client->caller.kind != BH_CALLER_UNVERIFIED &&
		                     client->caller.kind != BH_CALLER_EXTERNAL;
		client->member.has_owner = false;
	}
	*caller_out = client->caller;
	return 0;
}

static int request_identify(struct bh_request *request)
{
	const char *token = bh_request_token(request);

	if (request->client != NULL) {
		return client_identify(request->client, token, &request->caller);
	}
	return bh_callers_identify(request->rpc->world, 0, true, token, &request->caller);
}

// Whether the caller speaks our version of the protocol. Who says none speaks any: scripts, hooks of
// agents. false: the request was failed.
static bool request_check_version(struct bh_request *request)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(request->message, "protocol");
	bool is_free =
		request->method != NULL && (request->method->flags & BH_METHOD_ANY_VERSION) != 0;

	if (item == NULL || is_free ||
	    (cJSON_IsNumber(item) && item->valuedouble == BH_PROTOCOL_VERSION)) {
		return true;
	}
	bh_request_fail(request, "version",
	                "this program and the running server (" PACKAGE_VERSION
	                ", protocol %d) are of different versions; `bellhop upgrade` restarts the "
	                "server from the installed program, its terminals go on",
	                BH_PROTOCOL_VERSION);
	return false;
}

// Take the members of the message apart; false: the request was failed.
static bool request_unpack(struct bh_request *request)
{
	const cJSON *version = cJSON_GetObjectItemCaseSensitive(request->message, "jsonrpc");
	const cJSON *method = cJSON_GetObjectItemCaseSensitive(request->message, "method");
	const cJSON *id = cJSON_GetObjectItemCaseSensitive(request->message, "id");

	request->params = cJSON_GetObjectItemCaseSensitive(request->message, "params");
	request->is_notification = id == NULL && cJSON_IsString(method);
	if (cJSON_IsString(id) || cJSON_IsNumber(id)) {
		request->id = id;
	}
	if (!cJSON_IsString(version) || strcmp(version->valuestring, "2.0") != 0 ||
	    !cJSON_IsString(method) || (id != NULL && request->id == NULL)) {
		bh_request_fail(request, "request",
		                "a request is an object with jsonrpc \"2.0\", a method and an id");
		return false;
	}
	if (request->params == NULL) {
		request->no_params = cJSON_CreateObject();
		request->params = request->no_params;
	} else if (!cJSON_IsObject(request->params)) {
		bh_request_fail(request, "params", "params must be an object");
		return false;
	}
	request->method = method_find(request->rpc->methods, method->valuestring);
	if (!request_check_version(request)) {
		return false;
	}
	if (request->method == NULL) {
		bh_request_fail(request, "method",
		                "the server has no method %.64s; PROTOCOL.md lists those there are",
		                method->valuestring);
		return false;
	}
	return true;
}

// Check who calls; false: the request was failed.
static bool request_admit(struct bh_request *request)
{
	const char *sentence = NULL;

	if (request_identify(request) != 0) {
		bh_request_fail(request, "identity_conflict",
		                "the kernel and the token name different terminals; unset "
		                "BELLHOP_TOKEN or call from the terminal that it belongs to");
		return false;
	}
	if ((request->method->flags & request->caller.kind) == 0) {
		const char *word = bh_caller_refusal(request->caller.kind, &sentence);

		bh_request_fail(request, word, "%s", sentence);
		return false;
	}
	if (request->client == NULL && (request->method->flags & BH_METHOD_NEEDS_CONNECTION) != 0) {
		bh_request_fail(request, "unsupported", "%s cannot be called through the spool",
		                request->method->name);
		return false;
	}
	return true;
}

static struct bh_request *request_new(struct bh_rpc *rpc, struct client *client, cJSON *message)
{
	struct bh_request *request = bh_xmalloc(sizeof *request);

	request->rpc = rpc;
	rpc->request_count++;
	request->client = client;
	request->message = message;
	bh_list_init(&request->link);
	if (client != NULL) {
		bh_list_append(&client->requests, &request->link);
		client->request_count++;
	}
	return request;
}

static void client_refuse(struct client *client, int code, const char *word, const char *sentence)
{
	cJSON *answer = answer_new_error(NULL, code, word, NULL, sentence);
	char *text = bh_json_print(answer);

	bh_connection_send_line(client->connection, bh_span_of(text));
	free(text);
	cJSON_Delete(answer);
}

static void client_line(struct client *client, struct bh_span line)
{
	struct bh_err err = {0};
	cJSON *message = bh_json_parse_object(line.data, line.len, &err);

	if (message == NULL) {
		client_refuse(client, CODE_PARSE, "parse", err.text);
		return;
	}
	struct bh_request *request = request_new(client->rpc, client, message);

	if (!request_unpack(request)) {
		return;
	}
	if (client->request_count > BH_RPC_REQUESTS_MAX) {
		bh_request_fail(request, "busy",
		                "a connection may have %d requests open; wait for an answer",
		                BH_RPC_REQUESTS_MAX);
		return;
	}
	if (request_admit(request)) {
		request->method->run(request);
	}
}

void bh_rpc_spooled(struct bh_rpc *rpc, struct bh_span line, const struct bh_uuid *terminal,
                    int64_t waited_ms, void (*answer)(struct bh_span text, void *user), void *user)
{
	struct bh_err err = {0};
	cJSON *message = bh_json_parse_object(line.data, line.len, &err);
	bool is_readable = message != NULL;
	struct bh_request *request =
		request_new(rpc, NULL, is_readable ? message : cJSON_CreateObject());

	request->answer = answer;
	request->answer_user = user;
	request->waited_ms = waited_ms;
	if (!is_readable) {
		bh_request_fail(request, "parse", "%s", err.text);
		return;
	}
	if (!request_unpack(request) || !request_admit(request)) {
		return;
	}
	if (!bh_uuid_is_equal(&request->caller.terminal_id, terminal)) {
		bh_request_fail(request, "identity_conflict",
		                "the token belongs to another terminal than this spool folder");
		return;
	}
	request->method->run(request);
}

// ---- connections ----

static void on_line(struct bh_connection *connection, struct bh_span line, void *user)
{
	(void)connection;
	bh_crowd_heard(&((struct client *)user)->member,
	               uv_now(((struct client *)user)->rpc->loop));
	if (line.len > 0) {
		client_line(user, line);
	}
}

static void client_used(struct client *client)
{
	bh_list_for (at, next, &client->guests) {
		struct bh_guest *guest = bh_container_of(at, struct bh_guest, link);

		if (guest->used != NULL) {
			guest->used(guest);
		}
	}
}

static void on_frame(struct bh_connection *connection, uint8_t type, uint16_t stream,
                     struct bh_span payload, void *user)
{
	struct client *client = user;

	(void)connection;
	bh_crowd_heard(&client->member, uv_now(client->rpc->loop));
	if (stream >= 1 && stream <= BH_RPC_STREAMS_MAX && client->streams[stream - 1] != NULL) {
		bh_stream_frame(client->streams[stream - 1], type, payload);
		if (type == BH_FRAME_INPUT) {
			client_used(client);
		}
	}
}

static void on_broken(struct bh_connection *connection, const char *what, void *user)
{
	(void)connection;
	client_refuse(user, CODE_OURS, "limit", what);
}

static void on_drained(struct bh_connection *connection, void *user)
{
	struct client *client = user;

	(void)connection;
	for (size_t i = 0; i < BH_RPC_STREAMS_MAX; i++) {
		if (client->streams[i] != NULL) {
			bh_stream_caught_up(client->streams[i]);
		}
	}
	bh_list_for (at, next, &client->guests) {
		struct bh_guest *guest = bh_container_of(at, struct bh_guest, link);

		if (guest->drained != NULL) {
			guest->drained(guest);
		}
	}
}

// The client is taken apart before anybody is told, because those told may call us.
static void on_gone(struct bh_connection *connection, void *user)
{
	struct client *client = user;
	struct bh_rpc *rpc = client->rpc;

	(void)connection;
	for (size_t i = 0; i < BH_RPC_STREAMS_MAX; i++) {
		if (client->streams[i] != NULL) {
			bh_stream_close(client->streams[i]);
		}
	}
	while (!bh_list_is_empty(&client->requests)) {
		struct bh_request *request =
			bh_container_of(client->requests.next, struct bh_request, link);

		bh_list_remove(&request->link);
		request->client = NULL;
		if (request->gone != NULL) {
			request->gone(request->gone_user);
		}
	}
	while (!bh_list_is_empty(&client->guests)) {
		struct bh_guest *guest =
			bh_container_of(client->guests.next, struct bh_guest, link);

		bh_list_remove(&guest->link);
		if (guest->gone != NULL) {
			guest->gone(guest);
		}
	}
	bh_list_remove(&client->link);
	bh_crowd_leave(&client->member);
	rpc->client_count--;
	free(client->caller_token);
	free(client);
	rpc_free_if_done(rpc);
}

static const struct bh_connection_events client_events = {
	.line = on_line,
	.frame = on_frame,
	.broken = on_broken,
	.drained = on_drained,
	.closed = on_gone,
};

struct bh_stream **bh_rpc_stream_slot(struct bh_request *request, size_t index)
{
	bool is_there = request->client != NULL && index < BH_RPC_STREAMS_MAX;

	return is_there ? &request->client->streams[index] : NULL;
}

void bh_rpc_add_guest(struct bh_request *request, struct bh_guest *guest)
{
	bh_list_append(&request->client->guests, &guest->link);
}

struct bh_guest *bh_rpc_find_guest(struct bh_request *request, void (*gone)(struct bh_guest *guest))
{
	if (request->client == NULL) {
		return NULL;
	}
	bh_list_for (at, next, &request->client->guests) {
		struct bh_guest *guest = bh_container_of(at, struct bh_guest, link);

		if (guest->gone == gone) {
			return guest;
		}
	}
	return NULL;
}

static bool client_is_busy(const struct client *client)
{
	bool is_busy = !bh_list_is_empty(&client->requests) || !bh_list_is_empty(&client->guests);

	for (size_t i = 0; i < BH_RPC_STREAMS_MAX && !is_busy; i++) {
		is_busy = client->streams[i] != NULL;
	}
	return is_busy;
}

static void crowd_log(struct bh_rpc *rpc, const char *sentence)
{
	uint64_t now_ms = uv_now(rpc->loop);

	if (rpc->crowd_told_ms == 0 || now_ms - rpc->crowd_told_ms >= CROWD_TOLD_MS) {
		rpc->crowd_told_ms = now_ms;
		bh_log(BH_LOG_WARN, "rpc", "", "a client had to give way: %s", sentence);
	}
}

// One more has come than there is room for. Who goes is told so if it waits for an answer; who is idle
// finds the connection ended before it asks the next time, and makes a new one.
static void rpc_make_room(struct bh_rpc *rpc)
{
	struct bh_crowd_choice choice;
	char whose[BH_CROWD_WORDS];
	char sentence[SENTENCE_MAX];

	bh_list_for (at, next, &rpc->clients) {
		struct client *client = bh_container_of(at, struct client, link);
		bool is_known = client->caller_token != NULL || client->has_caller;

		bh_crowd_look(&client->member, rpc->world, client_is_busy(client),
		              is_known ? &client->caller : NULL);
	}
	if (!bh_crowd_choose(&rpc->crowd, rpc->client_max, &choice)) {
		return; // somebody is leaving anyway
	}
	struct client *client = bh_container_of(choice.member, struct client, member);

	(void)snprintf(sentence, sizeof sentence,
	               "%zu of the session's %zu connections are of %s, more than anybody else "
	               "has; end what holds them, then try again",
	               choice.count, rpc->client_max,
	               bh_crowd_words(&choice.member->owner, whose)); // always fits
	crowd_log(rpc, sentence);
	if (choice.is_newcomer || choice.member->is_busy) {
		client_refuse(client, CODE_OURS, bh_word(BH_WORDS_FAULT, BH_FAULT_BUSY), sentence);
	}
	bh_crowd_leave(&client->member);
	bh_connection_close(client->connection);
}

static void rpc_accept(struct bh_rpc *rpc, uv_pipe_t *pipe)
{
	struct client *client = bh_xmalloc(sizeof *client);

	client->rpc = rpc;
	bh_list_init(&client->requests);
	bh_list_init(&client->guests);
	bh_list_init(&client->link);
	bh_list_init(&client->member.link);
	client->connection = bh_connection_accept(pipe, &client_events, client);
	if (client->connection == NULL) {
		free(client);
		return;
	}
	bh_list_append(&rpc->clients, &client->link);
	bh_crowd_join(&rpc->crowd, &client->member, bh_connection_pid(client->connection),
	              uv_now(rpc->loop));
	rpc->client_count++;
	if (rpc->client_count > rpc->client_max) {
		rpc_make_room(rpc);
	}
}

static void on_connected(void *user, uv_pipe_t *pipe)
{
	struct bh_rpc *rpc = user;

	if (!rpc->closing) {
		rpc_accept(rpc, pipe);
	}
}

static int on_socket_lost(void *user, struct bh_err *err)
{
	struct bh_rpc *rpc = user;

	return rpc->lost != NULL ? rpc->lost(rpc->server, err) : 0;
}

static void on_listener_closed(void *user)
{
	struct bh_rpc *rpc = user;

	rpc->is_listener_closed = true;
	rpc_free_if_done(rpc);
}

int bh_rpc_start(const struct bh_rpc_settings *settings, struct bh_rpc **rpc_out,
                 struct bh_err *err)
{
	struct bh_rpc *rpc = bh_xmalloc(sizeof *rpc);
	int code;

	rpc->server = settings->server;
	rpc->methods = settings->methods;
	rpc->world = settings->world;
	rpc->lost = settings->lost;
	rpc->loop = settings->loop;
	rpc->client_max =
		settings->connections_max > 0 ? settings->connections_max : BH_RPC_CONNECTIONS_MAX;
	rpc->path = bh_xstrdup(settings->path);
	bh_list_init(&rpc->clients);
	bh_crowd_init(&rpc->crowd);
	code = bh_listener_start(&(struct bh_listener_settings){.loop = settings->loop,
	                                                        .path = rpc->path,
	                                                        .connected = on_connected,
	                                                        .lost = on_socket_lost,
	                                                        .closed = on_listener_closed,
	                                                        .user = rpc},
	                         &rpc->listener, err);
	if (code != 0) {
		free(rpc->path);
		free(rpc);
		return code;
	}
	*rpc_out = rpc;
	return 0;
}

void bh_rpc_close(struct bh_rpc *rpc)
{
	if (rpc->closing) {
		return;
	}
	rpc->closing = true;
	bh_list_for (at, next, &rpc->clients) {
		bh_connection_close(bh_container_of(at, struct client, link)->connection);
	}
	bh_listener_close(rpc->listener);
}

size_t bh_rpc_connections(const struct bh_rpc *rpc)
{
	return rpc->client_count;
}
