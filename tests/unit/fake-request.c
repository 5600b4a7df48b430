#include "tests/unit/fake-request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/server/externals.h"
#include "src/server/rpc_server.h"
#include "src/server/target.h"
#include "src/server/terminals.h"

struct bh_server *bh_request_server(const struct bh_request *request)
{
	return request->server;
}

const struct bh_caller *bh_request_caller(const struct bh_request *request)
{
	return &request->caller;
}

const cJSON *bh_request_params(const struct bh_request *request)
{
	return request->params;
}

const char *bh_request_string(struct bh_request *request, const char *name)
{
	const char *value = NULL;

	if (bh_request_optional_string(request, name, &value) && value == NULL) {
		bh_request_fail(request, "params", "params.%s is missing", name);
	}
	return value;
}

bool bh_request_optional_string(struct bh_request *request, const char *name,
                                const char **value_out)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(request->params, name);

	if (item != NULL && !cJSON_IsString(item)) {
		bh_request_fail(request, "params", "params.%s must be a string", name);
		return false;
	}
	*value_out = item != NULL ? item->valuestring : NULL;
	return true;
}

bool bh_request_number(struct bh_request *request, const char *name, int64_t fallback, int64_t min,
                       int64_t max, int64_t *value_out)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(request->params, name);

	*value_out = item != NULL ? (int64_t)item->valuedouble : fallback;
	if (*value_out < min || *value_out > max) {
		bh_request_fail(request, "params", "params.%s is out of range", name);
		return false;
	}
	return true;
}

bool bh_request_wait(struct bh_request *request, const char *name, int64_t fallback, int64_t max,
                     int64_t *value_out)
{
	return bh_request_number(request, name, fallback, 0, max, value_out);
}

bool bh_request_flag(struct bh_request *request, const char *name, bool *value_out)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(request->params, name);

	if (item != NULL && !cJSON_IsBool(item)) {
		bh_request_fail(request, "params", "params.%s must be true or false", name);
		return false;
	}
	*value_out = cJSON_IsTrue(item) != 0;
	return true;
}

void bh_request_answer(struct bh_request *request, cJSON *result)
{
	assert_int_equal(request->answers++, 0);
	request->result = result;
}

void bh_request_fail(struct bh_request *request, const char *word, const char *format, ...)
{
	va_list args;

	assert_int_equal(request->answers++, 0);
	snprintf(request->word, sizeof(request->word), "%s", word);
	va_start(args, format);
	vsnprintf(request->message, sizeof(request->message), format, args);
	va_end(args);
}

// No terminal has the name either.
struct bh_terminal *bh_target_find(struct bh_request *request)
{
	bh_request_fail(request, "not_found", "no terminal is called that");
	return NULL;
}

void bh_target_fail_unknown(struct bh_request *request, const char *name)
{
	bh_request_fail(request, "not_found", "no terminal is called %s", name);
}

enum bh_find bh_terminals_find(struct bh_terminals *terminals, const char *name,
                               struct bh_terminal **terminal_out)
{
	(void)terminals;
	(void)name;
	(void)terminal_out;
	return BH_FIND_NONE;
}

void bh_request_fail_data(struct bh_request *request, const char *word, cJSON *data,
                          const char *format, ...)
{
	(void)format;
	request->data = data;
	bh_request_fail(request, word, "with data");
}

void bh_request_fail_err(struct bh_request *request, const struct bh_err *err)
{
	bh_request_fail(request, bh_err_word(err->code), "%s", err->text);
}

void bh_request_leave(struct bh_request *request)
{
	bh_request_fail(request, "busy", "left");
}

void bh_request_on_gone(struct bh_request *request, void (*gone)(void *user), void *user)
{
	request->gone = gone;
	request->gone_user = user;
}

struct fake_connection *fake_connection(void)
{
	static struct fake_connection connection;

	if (connection.guests.next == NULL) {
		bh_list_init(&connection.guests);
	}
	return &connection;
}

void fake_connection_end(void)
{
	struct bh_list *guests = &fake_connection()->guests;

	while (!bh_list_is_empty(guests)) {
		struct bh_guest *guest = bh_container_of(guests->next, struct bh_guest, link);

		bh_list_remove(&guest->link);
		guest->gone(guest);
	}
}

struct bh_connection *bh_request_connection(const struct bh_request *request)
{
	static char connection; // nobody looks into it

	(void)request;
	return fake_connection()->is_gone ? NULL : (struct bh_connection *)(void *)&connection;
}

bool bh_request_is_gone(const struct bh_request *request)
{
	(void)request;
	return fake_connection()->is_gone;
}

void bh_rpc_add_guest(struct bh_request *request, struct bh_guest *guest)
{
	(void)request;
	bh_list_append(&fake_connection()->guests, &guest->link);
}

struct bh_guest *bh_rpc_find_guest(struct bh_request *request, void (*gone)(struct bh_guest *guest))
{
	(void)request;
	bh_list_for (at, next, &fake_connection()->guests) {
		struct bh_guest *guest = bh_container_of(at, struct bh_guest, link);

		if (guest->gone == gone) {
			return guest;
		}
	}
	return NULL;
}

struct bh_terminal *known_terminal(void)
{
	static struct bh_terminal terminal;

	return &terminal;
}

// No program outside is registered.
const struct bh_external *bh_externals_get(const struct bh_externals *externals,
                                           const struct bh_uuid *id)
{
	(void)externals;
	(void)id;
	return NULL;
}

struct bh_terminal *bh_terminals_get(struct bh_terminals *terminals, const struct bh_uuid *id)
{
	(void)id;
	return terminals != NULL ? known_terminal() : NULL;
}

static struct bh_server server;

struct bh_server *fake_server(void)
{
	return &server;
}

void call_from(struct world *world, struct bh_request *request, int who, pid_t pid,
               void (*method)(struct bh_request *), const char *params)
{
	server.store = world->store;
	server.deliver = world->deliver;
	*request = (struct bh_request){.server = &server, .params = cJSON_Parse(params)};
	assert_non_null(request->params);
	request->caller.kind = who == OPERATOR     ? BH_CALLER_OPERATOR
	                       : who == UNVERIFIED ? BH_CALLER_UNVERIFIED
	                       : who == EXTERNAL   ? BH_CALLER_EXTERNAL
	                                           : BH_CALLER_INSIDE;
	if (who >= 0) {
		request->caller.terminal_id = world->agents[who].id;
		request->caller.proof = BH_CALLER_BY_KERNEL;
		request->caller.pid = pid;
	}
	method(request);
	world_settle(world);
}

void call(struct world *world, struct bh_request *request, int who,
          void (*method)(struct bh_request *), const char *params)
{
	call_from(world, request, who, 0, method, params);
}

void request_clear(struct bh_request *request)
{
	cJSON_Delete(request->params);
	cJSON_Delete(request->result);
	cJSON_Delete(request->data);
	*request = (struct bh_request){0};
}

void refused(struct world *world, int who, void (*method)(struct bh_request *), const char *params,
             const char *word)
{
	struct bh_request request;

	call(world, &request, who, method, params);
	assert_int_equal(request.answers, 1);
	assert_null(request.result);
	assert_string_equal(request.word, word);
	assert_int_not_equal(request.message[0], '\0');
	request_clear(&request);
}

const cJSON *member(const cJSON *json, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);

	assert_non_null(item);
	return item;
}

void member_is(const cJSON *json, const char *key, const char *expected)
{
	char *text = cJSON_PrintUnformatted(member(json, key));

	assert_string_equal(text, expected);
	free(text);
}

void answered(struct world *world, int who, void (*method)(struct bh_request *), const char *params,
              const char *const *checks)
{
	struct bh_request request;

	call(world, &request, who, method, params);
	world_pass(world, 1000);
	if (request.result == NULL) {
		fail_msg("%s: %s", request.word, request.message);
	}
	for (; checks != NULL && checks[0] != NULL; checks += 2) {
		member_is(request.result, checks[0], checks[1]);
	}
	request_clear(&request);
}
