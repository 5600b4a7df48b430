#include "src/server/method_external.h"

#include "src/base/mem.h"
#include "src/mail/store.h"
#include "src/server/externals.h"
#include "src/server/mail_caller.h"
#include "src/server/server.h"

#include <stdio.h>
#include <stdlib.h>

/** A registration that is under way. */
struct registering {
	struct bh_request *request;
	/** The name that was asked for. */
	char name[BH_IDENTITY_SIZE];
};

/** What everybody may know of a registration. */
static cJSON *external_json(const struct bh_server *server, const struct bh_external *external)
{
	const struct bh_terminal_record *record =
		bh_store_terminal(server->store, external->id_text);
	const struct bh_mailbox *speaks = record != NULL ? bh_store_speaks_as(record) : NULL;
	const struct bh_mailbox *name = NULL;
	uint64_t now_ms = bh_server_now_ms(server);
	uint64_t left_ms = external->until_ms > now_ms ? external->until_ms - now_ms : 0;
	size_t unread = 0;
	cJSON *json = cJSON_CreateObject();
	cJSON *names;

	cJSON_AddStringToObject(json, "identity", speaks != NULL ? speaks->name : "");
	names = cJSON_AddArrayToObject(json, "names");
	while (record != NULL && (name = bh_store_next_name(record, name)) != NULL) {
		cJSON_AddItemToArray(names, cJSON_CreateString(name->name));
		unread += name->unread;
	}
	cJSON_AddStringToObject(json, "terminal_id", external->id_text);
	if (external->anchor.pid != 0) {
		cJSON_AddNumberToObject(json, "pid", external->anchor.pid);
	} else {
		cJSON_AddNullToObject(json, "pid");
	}
	cJSON_AddNumberToObject(json, "lease_ms", (double)external->lease_ms);
	cJSON_AddNumberToObject(json, "left_ms", (double)left_ms);
	cJSON_AddNumberToObject(json, "unread", (double)unread);
	return json;
}

static void on_registered(void *user, const struct bh_external *external, const struct bh_err *err)
{
	struct registering *registering = user;
	struct bh_request *request = registering->request;
	cJSON *json;

	if (external == NULL) {
		bh_mail_fail_name(request, registering->name, err);
	} else {
		json = external_json(bh_request_server(request), external);
		cJSON_AddStringToObject(json, "token", external->token);
		bh_request_answer(request, json);
	}
	free(registering);
}

/** The process that is to stand for the caller: the one of the parameter `pid`, or for an agent the
 * agent itself. A person's shell stays a person's. */
static bool anchor_choose(struct bh_request *request, struct bh_caller_anchor *anchor_out)
{
	const struct bh_callers_world *world = bh_request_server(request)->callers;
	const struct bh_caller *caller = bh_request_caller(request);
	const struct bh_externals *externals = bh_request_server(request)->externals;
	const char *token = bh_request_token(request);
	int64_t pid = 0;

	if (!bh_request_number(request, "pid", 0, 2, INT32_MAX, &pid)) {
		return false;
	}
	if (pid != 0 && (caller->pid == 0 ||
	                 !bh_callers_find_ancestor(world, caller->pid, (pid_t)pid, anchor_out))) {
		bh_request_fail(request, "invalid",
		                "process %d does not stand above this program; give one of its "
		                "parents, or none",
		                (int)pid);
		return false;
	}
	if (pid == 0 && caller->kind == BH_CALLER_EXTERNAL && caller->pid != 0 &&
	    !bh_callers_find_agent(world, caller->pid, bh_externals_has_token(externals, token),
	                           anchor_out)) {
		*anchor_out = (struct bh_caller_anchor){0}; // known by its token alone
	}
	return true;
}

void bh_method_identity_register(struct bh_request *request)
{
	const struct bh_caller *caller = bh_request_caller(request);
	struct bh_externals_wish wish = {.by_operator = caller->kind == BH_CALLER_OPERATOR};
	struct registering *registering;
	struct bh_err err = {0};

	wish.name = bh_request_string(request, "name");
	if (wish.name == NULL || !bh_request_number(request, "lease_ms", BH_EXTERNALS_LEASE_MS,
	                                            BH_EXTERNALS_LEASE_MIN_MS,
	                                            BH_EXTERNALS_LEASE_MAX_MS, &wish.lease_ms)) {
		return;
	}
	if (caller->kind == BH_CALLER_INSIDE) {
		bh_request_fail(request, "invalid",
		                "this program runs in a terminal of bellhop, which has a name; "
		                "`bellhop announce %.64s` adds one",
		                wish.name);
		return;
	}
	if (!anchor_choose(request, &wish.anchor)) {
		return;
	}
	wish.current = caller->terminal_id;
	wish.token = bh_request_token(request);
	registering = bh_xmalloc(sizeof *registering);
	registering->request = request;
	(void)snprintf(registering->name, sizeof registering->name, "%s",
	               wish.name); // a cut one is refused
	if (bh_externals_register(bh_request_server(request)->externals, &wish, on_registered,
	                          registering, &err) != 0) {
		on_registered(registering, NULL, &err);
	}
}

/** The registration that is to end: the caller's own, or for a person the one of `name`. NULL: the
 * request was failed. */
static const struct bh_external *external_choose(struct bh_request *request)
{
	const struct bh_externals *externals = bh_request_server(request)->externals;
	const struct bh_caller *caller = bh_request_caller(request);
	const struct bh_external *own = bh_externals_get(externals, &caller->terminal_id);
	const struct bh_external *named = own;
	const char *name = NULL;

	if (!bh_request_optional_string(request, "name", &name)) {
		return NULL;
	}
	if (name != NULL) {
		named = bh_externals_of_name(externals, name);
	}
	if (named != NULL && named != own && caller->kind != BH_CALLER_OPERATOR) {
		bh_request_fail(request, "operator_only",
		                "only a person may end the registration of another program");
		return NULL;
	}
	if (named == NULL) {
		bh_request_fail(request, "not_found",
		                name != NULL ? "no registered program is called %.64s; `bellhop "
		                               "register` lists them"
		                             : "this program has not registered%s",
		                name != NULL ? name : "");
	}
	return named;
}

void bh_method_identity_release(struct bh_request *request)
{
	const struct bh_external *external = external_choose(request);
	cJSON *json;

	if (external == NULL) {
		return;
	}
	json = external_json(bh_request_server(request), external);
	bh_externals_end(bh_request_server(request)->externals, external, "given back");
	bh_request_answer(request, json);
}

void bh_method_identity_registered(struct bh_request *request)
{
	const struct bh_server *server = bh_request_server(request);
	const struct bh_external *external = NULL;
	cJSON *json = cJSON_CreateObject();
	cJSON *programs = cJSON_AddArrayToObject(json, "programs");

	while ((external = bh_externals_next(server->externals, external)) != NULL) {
		cJSON_AddItemToArray(programs, external_json(server, external));
	}
	bh_request_answer(request, json);
}
