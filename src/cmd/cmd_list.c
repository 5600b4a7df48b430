#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"
#include "src/cmd/terminal_view.h"

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {
		.method = "terminal.list", .params = cJSON_CreateObject(), .is_repeatable = true};
	cJSON *result = NULL;

	(void)cJSON_AddBoolToObject(request.params, "all", bh_args_has(&cmd->args, "all"));

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		bh_terminal_view_table(stdout,
		                       cJSON_GetObjectItemCaseSensitive(result, "terminals"));
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"all", 'a', NULL, "also those that ended in this session (the last 32)"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_list = {
	.name = "list",
	.summary = "show the terminals: identity, state, program, unread mail",
	.help = "STATE is what the agent does: starting, idle, working, awaiting (a person must\n"
		"decide something), completed (idle, the last turn ended well), exited, unknown.\n"
		"PROGRAM is `bash (claude)` when somebody typed an agent into a shell: bellhop watches\n"
		"it, so STATE is the agent's, but never types there.\n"
		"MAIL counts unread messages; parked: the agent was told and did not read, see\n"
		"`bellhop ring`. ID is the beginning of the terminal's id; wherever a NAME is asked\n"
		"for, an identity, a terminal id or its beginning (4 digits or more) will do;\n"
		"mail goes to identities only.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.run = run,
};
