#include "src/cmd/command.h"
#include "src/cmd/commands.h"
#include "src/cmd/help.h"
#include "src/cmd/table.h"

#include <stdio.h>

static int run(struct bh_cmd *cmd)
{
	const char *name = bh_args_word(&cmd->args, 0);

	if (name == NULL) {
		bh_help_overview(stdout);
		return BH_EXIT_OK;
	}

	const struct bh_command *command = bh_command_find(name);
	if (command == NULL) {
		const char *near = bh_command_nearest(name);

		return near == NULL
		               ? bh_cmd_usage(cmd, "there is no command \"%s\"", name)
		               : bh_cmd_usage(cmd, "there is no command \"%s\"; did you mean %s?",
		                              name, near);
	}
	bh_help_command(stdout, command);
	return BH_EXIT_OK;
}

const struct bh_command bh_cmd_help = {
	.name = "help",
	.arguments = "[COMMAND]",
	.summary = "list the commands, or explain one",
	.group = BH_GROUP_TOOLS,
	.words_max = 1,
	.run = run,
};
