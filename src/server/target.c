#include "src/server/target.h"

#include "src/mail/store.h"
#include "src/server/server.h"
#include "src/server/terminals.h"

// Most similar names told to a caller.
#define NEAR_MAX 3

void bh_target_fail_unknown(struct bh_request *request, const char *name)
{
	const struct bh_store *store = bh_request_server(request)->store;
	const struct bh_mailbox *own = bh_store_mailbox(store, name);
	const struct bh_mailbox *near[NEAR_MAX];
	// Who has this very mailbox is not the victim of a typing error.
	size_t count = own == NULL ? bh_store_nearest(store, name, near, NEAR_MAX) : 0;
	cJSON *data = cJSON_CreateObject();
	cJSON *names = cJSON_AddArrayToObject(data, "near");

	for (size_t i = 0; i < count; i++) {
		cJSON_AddItemToArray(names, cJSON_CreateString(near[i]->name));
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
