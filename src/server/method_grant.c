#include "src/server/method_grant.h"

#include "src/server/grants.h"
#include "src/server/server.h"
#include "src/server/target.h"
#include "src/server/terminals.h"

static cJSON *grant_json(const struct bh_terminal *agent, const struct bh_terminal *target)
{
	cJSON *json = cJSON_CreateObject();

	cJSON_AddStringToObject(json, "agent", agent->identity);
	cJSON_AddStringToObject(json, "agent_id", agent->id_text);
	cJSON_AddStringToObject(json, "target", target->identity);
	cJSON_AddStringToObject(json, "target_id", target->id_text);
	return json;
}

void bh_method_terminal_grant(struct bh_request *request)
{
	struct bh_grants *grants = bh_request_server(request)->grants;
	bool is_revoke = false;
	struct bh_terminal *agent;
	struct bh_terminal *target;
	cJSON *json;

	if (!bh_request_flag(request, "revoke", &is_revoke) ||
	    (agent = bh_target_find_param(request, "agent")) == NULL ||
	    (target = bh_target_find_param(request, "target")) == NULL) {
		return;
	}
	if (!is_revoke && agent == target) {
		bh_request_fail(request, "invalid",
		                "%s would answer its own dialogs; a grant is for another terminal",
		                agent->identity);
		return;
	}
	if (!is_revoke && (!bh_terminal_is_alive(agent) || !bh_terminal_is_alive(target))) {
		bh_request_fail(request, "exited",
		                "the program of %s has ended; a grant is for a terminal that "
		                "runs, its successor needs another",
		                bh_terminal_is_alive(agent) ? target->identity : agent->identity);
		return;
	}
	if (is_revoke && !bh_grants_take(grants, agent, target)) {
		bh_request_fail(request, "not_found",
		                "%s is not allowed to type into %s; see `bellhop grant`",
		                agent->identity, target->identity);
		return;
	}
	if (!is_revoke && !bh_grants_give(grants, agent, target)) {
		bh_request_fail(request, "limit", "there may be %d grants; take some back",
		                BH_GRANTS_MAX);
		return;
	}
	json = grant_json(agent, target);
	cJSON_AddBoolToObject(json, "granted", !is_revoke);
	bh_request_answer(request, json);
}

void bh_method_terminal_grants(struct bh_request *request)
{
	const struct bh_server *server = bh_request_server(request);
	cJSON *result = cJSON_CreateObject();
	cJSON *list = cJSON_AddArrayToObject(result, "grants");
	size_t count = 0;
	const struct bh_grant *all = bh_grants_all(server->grants, &count);

	for (size_t i = 0; i < count; i++) {
		const struct bh_terminal *agent =
			bh_terminals_get(server->terminals, &all[i].agent);
		const struct bh_terminal *target =
			bh_terminals_get(server->terminals, &all[i].target);

		if (agent != NULL && target != NULL) {
			cJSON_AddItemToArray(list, grant_json(agent, target));
		}
	}
	bh_request_answer(request, result);
}
