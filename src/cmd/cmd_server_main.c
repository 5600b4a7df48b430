#include "src/cmd/commands.h"
#include "src/server/server.h"

static int run(struct bh_cmd *cmd)
{
	return bh_server_main(cmd->argc - 1, cmd->argv + 1);
}

const struct bh_command bh_cmd_server_main = {
	.name = "server-main",
	.arguments = "--keeper-fd N -S NAME",
	.summary = "be the server; only the keeper starts it",
	.group = BH_GROUP_HIDDEN,
	.words_max = -1,
	.is_raw = true,
	.run = run,
};
