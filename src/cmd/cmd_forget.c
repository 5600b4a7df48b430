#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {.method = "terminal.forget", .params = cJSON_CreateObject()};
	cJSON *result = NULL;

	(void)cJSON_AddStringToObject(request.params, "name", bh_args_word(&cmd->args, 0));

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK) {
		(void)bh_print_if_json(cmd, result);
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_forget = {
	.name = "forget",
	.arguments = "NAME",
	.summary = "take a terminal that has ended off the list",
	.help = "A respawn that is due is given up. The mailbox and its mail stay.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 1,
	.words_max = 1,
	.acts = true,
	.run = run,
};
