#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {.method = "terminal.explain",
	                             .params = cJSON_CreateObject(),
	                             .is_repeatable = true};
	cJSON *result = NULL;

	(void)cJSON_AddStringToObject(request.params, "name", bh_args_word(&cmd->args, 0));

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		(void)printf("%s: ", bh_print_str(result, "identity", bh_args_word(&cmd->args, 0)));
		bh_print_text(stdout, bh_print_str(result, "text", "nothing is known"));
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_explain = {
	.name = "explain",
	.arguments = "NAME",
	.summary = "tell why an agent counts as idle, working, awaiting",
	.help = "Shows the state, on whose authority, each piece of evidence, and what is missing\n"
		"before bellhop would type.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 1,
	.words_max = 1,
	.run = run,
};
