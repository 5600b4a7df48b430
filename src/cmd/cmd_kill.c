#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include <stdio.h>
#include <string.h>

static int run(struct bh_cmd *cmd)
{
	const char *name = bh_args_word(&cmd->args, 0);
	const char *signal = bh_args_get(&cmd->args, "signal");
	struct bh_request request = {.method = "terminal.kill", .params = cJSON_CreateObject()};
	cJSON *result = NULL;

	(void)cJSON_AddStringToObject(request.params, "name", name);
	if (signal != NULL) {
		(void)cJSON_AddStringToObject(request.params, "signal", signal);
	}

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		const char *respawn = bh_print_str(result, "respawn", "never");

		if (strcmp(respawn, "never") != 0) {
			(void)printf(
				"%s is started again (respawn: %s); what ends it for good: bellhop "
				"wait-state %s exited && bellhop forget %s\n",
				name, respawn, name, name);
		}
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"signal", 's', "NAME", "the signal (default: HUP)"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_kill = {
	.name = "kill",
	.arguments = "NAME",
	.summary = "end the program of a terminal",
	.help = "The signal goes to the program and what it started in the foreground. The mailbox\n"
		"stays; unread mail waits for whoever gets the name next. An agent may end only the\n"
		"agents that it started itself. What is respawned comes back; it does not when\n"
		"`bellhop wait-state NAME exited` and then `bellhop forget NAME` follow.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 1,
	.words_max = 1,
	.run = run,
};
