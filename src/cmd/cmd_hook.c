#include "src/bridge/hook.h"

#include "src/cmd/commands.h"
#include "src/cmd/session.h"

#include <unistd.h>

/** An agent waits for its hooks: this long at most (ms). */
#define LIMIT_MS 2000

static int run(struct bh_cmd *cmd)
{
	struct bh_hook hook = {.agent = bh_args_word(&cmd->args, 0),
	                       .event = bh_args_word(&cmd->args, 1),
	                       .fd = STDIN_FILENO,
	                       .limit_ms = LIMIT_MS};
	struct bh_session session = {0};

	// Nothing is told: a hook that fails, or prints, changes what the agent does.
	if (bh_session_find(cmd, &session, NULL) == 0) {
		(void)bh_hook_send(&hook, &session.settings, NULL);
	}
	bh_session_clear(&session);
	return BH_EXIT_OK;
}

const struct bh_command bh_cmd_hook = {
	.name = "hook",
	.arguments = "[AGENT [EVENT]]",
	.summary = "pass an event of an agent's hook on to the server",
	.help = "Called by agents that bellhop started. Reads the payload from standard input, prints\n"
		"nothing, takes two seconds at most, and always ends with status 0.",
	.group = BH_GROUP_HIDDEN,
	.words_max = 2,
	.run = run,
};
