#include "src/server/target.h"

#include "src/base/log.h"
#include "src/mail/identity.h"
#include "src/mail/store.h"
#include "src/server/externals.h"
#include "src/server/grants.h"
#include "src/server/server.h"
#include "src/server/terminals.h"

// Most similar names told to a caller.
#define NEAR_MAX 3

/** What has a name but never a terminal: why, in words that complete "NAME is ...". NULL: none such. */
static const char *never_a_terminal(const struct bh_server *server, const char *name)
{
	if (bh_identity_is_same(name, "operator")) {
		return "the name of the people of this session";
	}
	if (bh_identity_is_reserved(name)) {
		return "a reserved name";
	}
	if (bh_identity_is_room(name)) {
		return "a room (`bellhop room members` tells who is in it)";
	}
	return bh_externals_of_name(server->externals, name) != NULL
	               ? "a registered program (`bellhop register` lists them)"
	               : NULL;
}

void bh_target_fail_unknown(struct bh_request *request, const char *name)
{
	const struct bh_server *server = bh_request_server(request);
	const struct bh_store *store = server->store;
	const char *other = never_a_terminal(server, name);
	const struct bh_mailbox *own = bh_store_mailbox(store, name);
	const struct bh_mailbox *near[NEAR_MAX];
	// Who has this very mailbox is not the victim of a typing error.
	size_t count =
		own == NULL && other == NULL ? bh_store_nearest(store, name, near, NEAR_MAX) : 0;
	cJSON *data = cJSON_CreateObject();
	cJSON *names = cJSON_AddArrayToObject(data, "near");

	for (size_t i = 0; i < count; i++) {
		cJSON_AddItemToArray(names, cJSON_CreateString(near[i]->name));
	}
	if (other != NULL) {
		bh_request_fail_data(request, "not_found", data,
		                     "%.80s is %s and has no terminal; see `bellhop list`", name,
		                     other);
		return;
	}
	if (own != NULL) {
		bh_request_fail_data(request, "not_found", data,
		                     "%s has a mailbox but no terminal; `bellhop run --name %s -- "
		                     "PROGRAM` starts one",
		                     own->name, own->name);
		return;
	}
	bh_request_fail_data(request, "not_found", data,
	                     "no terminal is called %.80s%s%s%s; see `bellhop list`", name,
	                     count > 0 ? " (did you mean " : "", count > 0 ? near[0]->name : "",
	                     count > 0 ? "?)" : "");
}

struct bh_terminal *bh_target_find_param(struct bh_request *request, const char *param)
{
	const char *name = bh_request_string(request, param);
	struct bh_terminal *terminal = NULL;

	if (name == NULL) {
		return NULL;
	}
	switch (bh_terminals_find(bh_request_server(request)->terminals, name, &terminal)) {
	case BH_FIND_ONE:
		return terminal;
	case BH_FIND_AMBIGUOUS:
		bh_request_fail(request, "ambiguous",
		                "several terminals begin with %.40s; give more digits", name);
		return NULL;
	case BH_FIND_NONE:
		break;
	}
	bh_target_fail_unknown(request, name);
	return NULL;
}

struct bh_terminal *bh_target_find(struct bh_request *request)
{
	return bh_target_find_param(request, "name");
}

void bh_target_fail_lost(struct bh_request *request, const struct bh_terminal *terminal)
{
	bh_request_fail(request, "exited",
	                "%s ended under an earlier server, and what it showed is not kept",
	                terminal->identity);
}

struct bh_terminal *bh_target_find_shown(struct bh_request *request)
{
	struct bh_terminal *terminal = bh_target_find(request);

	if (terminal == NULL) {
		return NULL;
	}
	if (terminal->screen == NULL) {
		bh_request_fail(request, "busy", "%s is being started; try again",
		                terminal->identity);
		return NULL;
	}
	if (terminal->is_screen_lost) {
		bh_target_fail_lost(request, terminal);
		return NULL;
	}
	return terminal;
}

struct bh_terminal *bh_target_find_alive(struct bh_request *request)
{
	struct bh_terminal *terminal = bh_target_find(request);

	if (terminal == NULL || bh_terminal_is_alive(terminal)) {
		return terminal;
	}
	bh_request_fail(request, "exited",
	                "the program of %s has ended; `bellhop respawn %s` starts it again",
	                terminal->identity, terminal->identity);
	return NULL;
}

bool bh_target_may_act(struct bh_request *request, const struct bh_terminal *terminal)
{
	const struct bh_caller *caller = bh_request_caller(request);

	if (caller->kind == BH_CALLER_OPERATOR ||
	    (caller->kind == BH_CALLER_INSIDE &&
	     bh_uuid_is_equal(&caller->terminal_id, &terminal->setup.launched_by))) {
		return true;
	}
	bh_request_fail(request, "operator_only",
	                "only the operator, or the agent that started %s, may do this",
	                terminal->identity);
	return false;
}

bool bh_target_may_type(struct bh_request *request, const struct bh_terminal *terminal)
{
	const struct bh_server *server = bh_request_server(request);
	const struct bh_caller *caller = bh_request_caller(request);
	const struct bh_terminal *agent;

	if (caller->kind == BH_CALLER_OPERATOR) {
		return true;
	}
	if (caller->kind != BH_CALLER_INSIDE ||
	    !bh_grants_has(server->grants, &caller->terminal_id, &terminal->id)) {
		bh_request_fail(request, "operator_only",
		                "only a person types into %s; `bellhop grant` lets an agent do it",
		                terminal->identity);
		return false;
	}
	agent = bh_terminals_get(server->terminals, &caller->terminal_id);
	bh_log(BH_LOG_INFO, "grants", terminal->identity, "%s types into it, as it was granted",
	       agent != NULL ? agent->identity : "an agent");
	return true;
}
