#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"
#include "src/cmd/terminal_view.h"

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {.method = "terminal.respawn", .params = cJSON_CreateObject()};
	cJSON *result = NULL;

	(void)cJSON_AddStringToObject(request.params, "name", bh_args_word(&cmd->args, 0));
	(void)cJSON_AddBoolToObject(request.params, "force", bh_args_has(&cmd->args, "force"));
	(void)cJSON_AddBoolToObject(request.params, "resume", bh_args_has(&cmd->args, "resume"));

	int status = bh_terminal_view_start(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		bh_terminal_view_born(stdout, result);
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"force", 0, NULL, "end the program first if it still runs"},
	{"resume", 0, NULL, "go on with the agent's session instead of beginning afresh"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_respawn = {
	.name = "respawn",
	.arguments = "NAME",
	.summary = "start the program of a terminal anew, under the same identity",
	.help = "It is a new terminal with a new id; mail that came meanwhile reaches it.\n"
		"With --resume the agent remembers its work, but is idle: nobody tells it to go on. It is\n"
		"refused when the agent cannot, or which session it was is not known: that of pi, Gemini\n"
		"CLI and OpenCode is the one that took mail last.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 1,
	.words_max = 1,
	.acts = true,
	.run = run,
};
