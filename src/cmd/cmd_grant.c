#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

static void print_list(const cJSON *result)
{
	const cJSON *grants = cJSON_GetObjectItemCaseSensitive(result, "grants");
	const cJSON *grant = NULL;

	if (cJSON_GetArraySize(grants) == 0) {
		(void)printf("no agent may type into another terminal\n");
	}
	cJSON_ArrayForEach(grant, grants)
	{
		(void)printf("%s may type into %s\n", bh_print_str(grant, "agent", "?"),
		             bh_print_str(grant, "target", "?"));
	}
}

static void print_one(const cJSON *result)
{
	(void)printf("%s may %s%s\n", bh_print_str(result, "agent", "?"),
	             bh_print_flag(result, "granted") ? "type into " : "type no more into ",
	             bh_print_str(result, "target", "?"));
}

static int run(struct bh_cmd *cmd)
{
	const char *agent = bh_args_word(&cmd->args, 0);
	const char *target = bh_args_word(&cmd->args, 1);
	bool is_revoke = bh_args_has(&cmd->args, "revoke");
	struct bh_request request = {.method = "terminal.grants", .is_repeatable = true};
	cJSON *result = NULL;
	int status;

	if (agent != NULL && target == NULL) {
		return bh_cmd_usage(cmd, "say into which terminal %.60s may type", agent);
	}
	if (is_revoke && agent == NULL) {
		return bh_cmd_usage(cmd, "--revoke goes with the agent and the terminal");
	}
	request.params = cJSON_CreateObject();
	if (agent != NULL) {
		request.method = "terminal.grant";
		(void)cJSON_AddStringToObject(request.params, "agent", agent);
		(void)cJSON_AddStringToObject(request.params, "target", target);
		(void)cJSON_AddBoolToObject(request.params, "revoke", is_revoke);
	}
	status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		(agent != NULL ? print_one : print_list)(result);
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"revoke", 0, NULL, "take it back"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_grant = {
	.name = "grant",
	.arguments = "[AGENT TERMINAL]",
	.summary = "let an agent type into another terminal",
	.help = "For people. Agents may not type into terminals, so that none can answer another's\n"
		"dialogs; who is granted it can, by `type` and `keys`, in this one terminal. The\n"
		"grant ends when either program does, and each use of it is in the server's log.\n"
		"Without words: what is granted.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 0,
	.words_max = 2,
	.acts = true,
	.run = run,
};
