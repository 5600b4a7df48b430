#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include <stdio.h>

static int run(struct bh_cmd *cmd)
{
	const char *name = bh_args_word(&cmd->args, 0);
	struct bh_request request = {
		.method = "channel.steer", .params = cJSON_CreateObject(), .needs_running = true};
	cJSON *result = NULL;
	int status;

	(void)cJSON_AddStringToObject(request.params, "name", name);
	(void)cJSON_AddStringToObject(request.params, "text", bh_args_word(&cmd->args, 1));
	status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK) {
		bool is_acknowledged = bh_print_flag(result, "acknowledged");

		if (!bh_print_if_json(cmd, result)) {
			(void)printf(is_acknowledged
			                     ? "%s has taken it.\n"
			                     : "%s did not acknowledge it; whether it took it is "
			                       "not known. Nothing was stored: what must arrive is "
			                       "sent by `bellhop send`.\n",
			             name);
		}
		status = is_acknowledged ? BH_EXIT_OK : BH_EXIT_FAILED;
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_steer = {
	.name = "steer",
	.arguments = "NAME TEXT",
	.summary = "put text into the running turn of an agent that you started",
	.help = "Only by a channel of NAME that takes it (`bellhop channel --steer`), never by typing,\n"
		"and only for agents that the caller itself started; a person may steer all. It is\n"
		"no mail: nothing is stored, and status 1 says that nobody acknowledged it.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 2,
	.words_max = 2,
	.acts = true,
	.run = run,
};
