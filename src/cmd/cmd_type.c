#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {.method = "terminal.type", .params = cJSON_CreateObject()};
	cJSON *result = NULL;

	(void)cJSON_AddStringToObject(request.params, "name", bh_args_word(&cmd->args, 0));
	(void)cJSON_AddStringToObject(request.params, "text", bh_args_word(&cmd->args, 1));
	(void)cJSON_AddBoolToObject(request.params, "paste", bh_args_has(&cmd->args, "paste"));

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result) &&
	    bh_print_flag(result, "held")) {
		(void)puts("held: bellhop is typing there just now; the keys follow");
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"paste", 0, NULL, "as one paste instead of single keys"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_type = {
	.name = "type",
	.arguments = "NAME TEXT",
	.summary = "type text into a terminal as a person would",
	.help = "Nothing is checked and no Enter is added: `bellhop keys NAME Enter` presses it. To\n"
		"tell an agent something use `send`; it waits until the agent can take it. Only for\n"
		"people: refused from inside a terminal of bellhop.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 2,
	.words_max = 2,
	.acts = true,
	.run = run,
};
