#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

static int run(struct bh_cmd *cmd)
{
	const char *mode = bh_args_get(&cmd->args, "mode");
	struct bh_request request = {.method = "identity.announce",
	                             .params = cJSON_CreateObject(),
	                             .is_repeatable = true};
	cJSON *result = NULL;

	if (mode != NULL && bh_word_find(BH_WORDS_MODE, mode) < 0) {
		cJSON_Delete(request.params);
		return bh_cmd_usage(cmd, "--mode is message, notice or off, not \"%.60s\"", mode);
	}
	(void)cJSON_AddStringToObject(request.params, "name", bh_args_word(&cmd->args, 0));
	if (mode != NULL) {
		(void)cJSON_AddStringToObject(request.params, "mode", mode);
	}

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		(void)printf("you are %s now; mail mode %s\n",
		             bh_print_str(result, "identity", "?"),
		             bh_print_str(result, "mode", "message"));
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"mode", 0, "MODE", "what may be typed to you: message, notice or off"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_announce = {
	.name = "announce",
	.arguments = "NAME",
	.summary = "take one more name for the terminal you run in",
	.help = "You go on reading the mail of all your names; what you send comes from the newest.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 1,
	.words_max = 1,
	.acts = true,
	.run = run,
};
