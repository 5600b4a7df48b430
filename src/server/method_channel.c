#include "src/server/method_channel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/json.h"
#include "src/base/limits.h"
#include "src/base/mem.h"
#include "src/base/utf8.h"
#include "src/mail/store.h"
#include "src/server/chain.h"
#include "src/server/connection.h"
#include "src/server/deliver_channel.h"
#include "src/server/events.h"
#include "src/server/mail_caller.h"
#include "src/server/rpc_server.h"
#include "src/server/server.h"
#include "src/server/target.h"

/** Most ids of one acknowledgement. */
#define ACK_MAX 100

/** The holder of a channel: a connection. */
struct holder {
	struct bh_guest guest;
	struct bh_server *server;
	struct bh_connection *connection;
	struct bh_channel *channel;
	/** Whose mail it is given: the name that it spoke as. */
	char name[BH_IDENTITY_SIZE];
	/** The program at the other end, and its parents up to the terminal's child. */
	struct bh_chain chain;
};

// ---- what the channel is told ----

/** Send a notification. @params is taken. */
static void holder_tell(const struct holder *holder, const char *method, cJSON *params)
{
	cJSON *message = cJSON_CreateObject();
	char *line;

	cJSON_AddStringToObject(message, "jsonrpc", "2.0");
	cJSON_AddStringToObject(message, "method", method);
	cJSON_AddItemToObject(message, "params", params);
	line = bh_json_print(message);
	bh_connection_send_line(holder->connection, bh_span_of(line));
	free(line);
	cJSON_Delete(message);
}

static void holder_free(struct holder *holder)
{
	bh_list_remove(&holder->guest.link);
	free(holder);
}

static void on_message(void *user, const struct bh_message *message)
{
	cJSON *params = cJSON_CreateObject();

	cJSON_AddItemToObject(params, "message", bh_mail_message_json(message, false));
	holder_tell(user, "channel.message", params);
}

static void on_steer(void *user, const char *id, const char *from, const char *text)
{
	cJSON *params = cJSON_CreateObject();

	cJSON_AddStringToObject(params, "id", id);
	cJSON_AddStringToObject(params, "from", from);
	cJSON_AddStringToObject(params, "text", text);
	holder_tell(user, "channel.steered", params);
}

static void on_closed(void *user, enum bh_channel_end why)
{
	struct holder *holder = user;
	cJSON *params = cJSON_CreateObject();

	cJSON_AddStringToObject(params, "reason", bh_channel_end_word(why));
	cJSON_AddStringToObject(params, "message", bh_channel_end_sentence(why));
	holder_tell(holder, "channel.closed", params);
	if (why == BH_CHANNEL_MISSED) { // else it is what somebody wanted
		char *text = bh_xasprintf("the channel of %s is closed: %s", holder->name,
		                          bh_channel_end_sentence(why));

		bh_events_notice(holder->server, text);
		free(text);
	}
	holder_free(holder);
}

static bool holder_is_alive(void *user)
{
	const struct holder *holder = user;

	return bh_chain_is_whole(&holder->chain);
}

static void on_gone(struct bh_guest *guest)
{
	struct holder *holder = bh_container_of(guest, struct holder, guest);

	bh_deliver_channel_close(holder->server->deliver, holder->channel);
	free(holder);
}

/** The channel of the request's connection, or NULL. */
static struct holder *holder_of(const struct bh_request *request)
{
	struct bh_deliver *deliver = bh_request_server(request)->deliver;
	struct bh_channel *channel = NULL;

	while ((channel = bh_deliver_channel_next(deliver, channel)) != NULL) {
		struct holder *holder = bh_deliver_channel_user(channel);

		if (holder->connection == bh_request_connection(request)) {
			return holder;
		}
	}
	return NULL;
}

// ---- opening ----

/** What is asked for, while the name is made known. */
struct opening {
	struct bh_request *request;
	bool is_gone;
	/** From inside, the terminal; else the name. */
	bool is_inside;
	char name[BH_IDENTITY_SIZE];
	bool can_steer;
	uint64_t lease_ms;
	struct bh_chain chain;
};

static cJSON *opened_json(const struct opening *opening)
{
	const struct bh_server *server = bh_request_server(opening->request);
	const struct bh_mailbox *mailbox = bh_store_mailbox(server->store, opening->name);
	cJSON *json = cJSON_CreateObject();

	cJSON_AddStringToObject(json, "identity", mailbox != NULL ? mailbox->name : opening->name);
	cJSON_AddNumberToObject(json, "lease_ms", (double)opening->lease_ms);
	cJSON_AddBoolToObject(json, "steer", opening->can_steer);
	cJSON_AddNumberToObject(json, "unread", mailbox != NULL ? (double)mailbox->unread : 0);
	return json;
}

/** The word for why bh_deliver_channel_open() did not. */
static const char *opening_fault(int code)
{
	if (code == BH_ECLOSED) {
		return "busy";
	}
	return code == BH_EDENIED ? "identity_taken" : "exited";
}

/** Open it; the request is answered and @opening freed. */
static void opening_finish(struct opening *opening)
{
	struct bh_request *request = opening->request;
	struct bh_server *server = bh_request_server(request);
	struct holder *before = holder_of(request);
	struct holder *holder = bh_xmalloc(sizeof(*holder));
	struct bh_err err = {0};

	if (before != NULL) { // one connection, one channel
		bh_deliver_channel_close(server->deliver, before->channel);
		holder_free(before);
	}
	*holder = (struct holder){.server = server,
	                          .connection = bh_request_connection(request),
	                          .chain = opening->chain};
	memcpy(holder->name, opening->name, sizeof(holder->name));
	bh_list_init(&holder->guest.link);
	holder->guest.gone = on_gone;
	holder->channel = bh_deliver_channel_open(
		server->deliver,
		&(struct bh_channel_settings){
			.terminal = opening->is_inside ? &bh_request_caller(request)->terminal_id
	                                               : NULL,
			.name = opening->name,
			.can_steer = opening->can_steer,
			.lease_ms = opening->lease_ms,
			.is_alive = opening->is_inside ? holder_is_alive : NULL,
			.message = on_message,
			.steer = on_steer,
			.closed = on_closed,
			.user = holder},
		&err);
	if (holder->channel == NULL) {
		free(holder);
		bh_request_fail(request, opening_fault(err.code), "%s", err.text);
	} else {
		bh_rpc_add_guest(request, &holder->guest);
		bh_request_answer(request, opened_json(opening));
	}
	free(opening);
}

static void opening_gone(void *user)
{
	((struct opening *)user)->is_gone = true;
}

static void on_known(void *user, const struct bh_answer *answer)
{
	struct opening *opening = user;

	if (opening->is_gone || answer->err.code != 0) {
		const struct bh_err gone = {.code = BH_ECLOSED, .text = "the client is gone"};

		bh_mail_fail(opening->request, opening->is_gone ? &gone : &answer->err,
		             "identity_taken");
		free(opening);
		return;
	}
	bh_request_on_gone(opening->request, NULL, NULL);
	opening_finish(opening);
}

/** A program outside serves a name: it is one that somebody uses from now on. */
static void opening_announce(struct opening *opening, bool by_operator)
{
	struct bh_request *request = opening->request;
	const struct bh_store *store = bh_request_server(request)->store;
	const struct bh_mailbox *mailbox = bh_store_mailbox(store, opening->name);
	struct bh_err err = {0};

	if (mailbox != NULL && mailbox->terminal[0] != '\0') {
		bh_request_fail(request, "identity_taken",
		                "%s has a terminal; its channel is opened inside of that",
		                mailbox->name);
		free(opening);
		return;
	}
	if (bh_identity_check(opening->name, &err) != 0 ||
	    bh_store_announce(
		    bh_request_server(request)->store,
		    &(struct bh_announce){.name = opening->name, .by_operator = by_operator},
		    on_known, opening, &err) != 0) {
		bh_mail_fail(request, &err, "identity_taken");
		free(opening);
		return;
	}
	bh_request_on_gone(request, opening_gone, opening);
}

/** Whether the caller may serve @name: NULL, or a name of its own; a person any. */
static bool name_choose(struct bh_request *request, const struct bh_mail_caller *caller,
                        const char *name, char name_out[BH_IDENTITY_SIZE])
{
	bool is_own = caller->is_operator || name == NULL;

	if (caller->is_operator && name == NULL) {
		bh_request_fail(
			request, "params",
			"outside of a terminal say whose channel it is: `bellhop channel NAME`");
		return false;
	}
	for (size_t i = 0; !is_own && i < caller->name_count; i++) {
		is_own = bh_identity_is_same(name, caller->names[i]);
	}
	if (!is_own) {
		bh_request_fail(request, "operator_only",
		                "only a person may open the channel of another; leave `name` out");
		return false;
	}
	(void)snprintf(name_out, BH_IDENTITY_SIZE, "%s", name != NULL ? name : caller->name);
	return true;
}

void bh_method_channel_open(struct bh_request *request)
{
	struct bh_mail_caller caller;
	struct opening *opening;
	const char *name = NULL;
	int64_t lease_ms = 0;
	bool can_steer = false;
	char chosen[BH_IDENTITY_SIZE];

	if (!bh_mail_caller_self(request, &caller) ||
	    !bh_request_optional_string(request, "name", &name) ||
	    !bh_request_flag(request, "steer", &can_steer) ||
	    !bh_request_number(request, "lease_ms", BH_CHANNEL_LEASE_MS, BH_CHANNEL_LEASE_MIN_MS,
	                       BH_CHANNEL_LEASE_MS, &lease_ms) ||
	    !name_choose(request, &caller, name, chosen)) {
		return;
	}
	opening = bh_xmalloc(sizeof(*opening));
	*opening = (struct opening){.request = request,
	                            .is_inside = caller.terminal_id != NULL,
	                            .can_steer = can_steer,
	                            .lease_ms = (uint64_t)lease_ms};
	memcpy(opening->name, chosen, sizeof(chosen));
	if (!opening->is_inside) {
		opening_announce(opening, caller.is_operator);
	} else if (!bh_mail_caller_stands(request, &opening->chain)) {
		free(opening);
		bh_request_fail(request, "exited",
		                "the program that began this channel has ended; nobody would read "
		                "what it is given");
	} else {
		opening_finish(opening);
	}
}

// ---- acknowledging ----

/** Acknowledgements that are under way. */
struct acking {
	struct bh_request *request;
	/** Requests to the store, and one for the loop that makes them. */
	size_t pending;
	size_t acked;
	/** Ids that name nothing of this channel. */
	cJSON *unknown;
	/** The first other thing that went wrong. */
	struct bh_err err;
};

/** One id of them. */
struct acking_one {
	struct acking *acking;
	char id[BH_MESSAGE_ID_SIZE];
};

static void acking_done(struct acking *acking)
{
	cJSON *result;

	if (--acking->pending > 0) {
		return;
	}
	if (acking->err.code != 0) {
		cJSON_Delete(acking->unknown);
		bh_mail_fail(acking->request, &acking->err, "invalid");
	} else {
		result = cJSON_CreateObject();
		cJSON_AddNumberToObject(result, "acked", (double)acking->acked);
		cJSON_AddItemToObject(result, "unknown", acking->unknown);
		bh_request_answer(acking->request, result);
	}
	free(acking);
}

static void on_acked(void *user, const struct bh_answer *answer)
{
	struct acking_one *one = user;
	struct acking *acking = one->acking;

	if (answer->err.code == 0) {
		acking->acked++;
	} else if (answer->err.code == BH_ENOTFOUND) {
		cJSON_AddItemToArray(acking->unknown, cJSON_CreateString(one->id));
	} else {
		acking->err = answer->err;
	}
	free(one);
	acking_done(acking);
}

static void acking_add(struct acking *acking, const struct holder *holder, const char *id)
{
	struct acking_one *one;

	if (bh_deliver_steer_ack(holder->server->deliver, holder->channel, id)) {
		acking->acked++;
		return;
	}
	one = bh_xmalloc(sizeof(*one));
	one->acking = acking;
	(void)snprintf(one->id, sizeof(one->id), "%s", id);
	acking->pending++;
	if (bh_deliver_channel_ack(holder->server->deliver, holder->channel, one->id, on_acked, one,
	                           &acking->err) != 0) {
		acking->pending--;
		free(one);
	}
}

void bh_method_channel_ack(struct bh_request *request)
{
	const struct holder *holder = holder_of(request);
	const char **ids = NULL;
	struct bh_err err = {0};
	struct acking *acking;

	if (holder == NULL) {
		bh_request_fail(request, "no_channel",
		                "this connection has no open channel; open one again");
		return;
	}
	if (bh_json_get_strv(bh_request_params(request), "ids", ACK_MAX, &ids, &err) != 0) {
		bh_request_fail_err(request, &err);
		return;
	}
	acking = bh_xmalloc(sizeof(*acking));
	*acking = (struct acking){.request = request, .pending = 1, .unknown = cJSON_CreateArray()};
	for (size_t i = 0; ids[i] != NULL && acking->err.code == 0; i++) {
		acking_add(acking, holder, ids[i]);
	}
	free(ids);
	acking_done(acking);
}

// ---- steering ----

static void on_steered(void *user, bool is_acknowledged)
{
	cJSON *result = cJSON_CreateObject();

	cJSON_AddBoolToObject(result, "acknowledged", is_acknowledged);
	cJSON_AddStringToObject(
		result, "next",
		is_acknowledged ? "Its channel has taken it. Nothing was stored."
				: "Its channel did not acknowledge it; whether it took it is "
				  "not known. Nothing was stored: send a message if it "
				  "must arrive.");
	bh_request_answer(user, result);
}

void bh_method_channel_steer(struct bh_request *request)
{
	struct bh_server *server = bh_request_server(request);
	bool is_operator = bh_request_caller(request)->kind == BH_CALLER_OPERATOR;
	const char *text = bh_request_string(request, "text");
	const char *name = text != NULL ? bh_request_string(request, "name") : NULL;
	struct bh_terminal *terminal = NULL;
	struct bh_mail_caller caller;
	struct bh_err err = {0};

	if (name == NULL) {
		return;
	}
	// One without a terminal was started by no agent: a person alone steers it.
	if (!is_operator ||
	    !bh_channel_is_open(server->deliver, bh_store_mailbox(server->store, name))) {
		terminal = bh_target_find_alive(request);
		if (terminal == NULL || !bh_target_may_act(request, terminal)) {
			return;
		}
	}
	if (!bh_mail_caller_self(request, &caller)) {
		return;
	}
	if (text[0] == '\0' || strlen(text) > BH_LIMIT_BODY) {
		bh_request_fail(request, text[0] == '\0' ? "invalid" : "limit",
		                "the text has %zu bytes; it takes 1 to %d", strlen(text),
		                BH_LIMIT_BODY);
		return;
	}
	if (bh_deliver_steer(
		    server->deliver,
		    &(struct bh_deliver_steer){.terminal = terminal != NULL ? &terminal->id : NULL,
	                                       .name = name,
	                                       .from = caller.name,
	                                       .text = text},
		    on_steered, request, &err) != 0) {
		bh_request_fail(request, "no_channel", "%s: %s",
		                terminal != NULL ? terminal->identity : name, err.text);
	}
}
