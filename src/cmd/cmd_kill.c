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
	bool is_final = bh_args_has(&cmd->args, "for-good");
	cJSON *result = NULL;

	(void)cJSON_AddStringToObject(request.params, "name", name);
	if (is_final && signal != NULL) {
		cJSON_Delete(request.params);
		return bh_cmd_usage(cmd, "--for-good and --signal exclude each other");
	}
	if (is_final) {
		(void)cJSON_AddTrueToObject(request.params, "final");
	}
	if (signal != NULL) {
		(void)cJSON_AddStringToObject(request.params, "signal", signal);
	}

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		const char *respawn = bh_print_str(result, "respawn", "never");

		if (strcmp(respawn, "never") != 0) {
			(void)printf("%s is started again (respawn: %s); `bellhop kill --for-good "
			             "%s` ends it for good\n",
			             name, respawn, name);
		}
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"signal", 's', "NAME", "the signal (default: HUP)"},
	{"for-good", 0, NULL, "by HUP, after 3 s by KILL, and start it no more"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_kill = {
	.name = "kill",
	.arguments = "NAME",
	.summary = "end the program of a terminal",
	.help = "The signal goes to the program and what it started in the foreground. The mailbox\n"
		"stays; unread mail waits for whoever gets the name next. An agent may end only the\n"
		"agents that it started itself. What is respawned comes back, unless it is ended\n"
		"with --for-good, which also gives up a respawn that is due.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 1,
	.words_max = 1,
	.acts = true,
	.run = run,
};
