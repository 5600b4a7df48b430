#include "src/bridge/mcp.h"

#include "src/cmd/commands.h"
#include "src/cmd/session.h"

#include <unistd.h>

static int run(struct bh_cmd *cmd)
{
	struct bh_session session = {0};
	struct bh_err err = {0};
	struct bh_mcp *mcp = NULL;
	int status = BH_EXIT_OK;

	if (bh_session_find(cmd, &session, &err) != 0) {
		status = bh_cmd_fail(cmd, &err);
	} else {
		mcp = bh_mcp_new(&session.settings);
		if (bh_mcp_serve(mcp, STDIN_FILENO, STDOUT_FILENO, &err) != 0) {
			status = bh_cmd_fail(cmd, &err);
		}
		bh_mcp_free(mcp);
	}
	bh_session_clear(&session);
	return status;
}

const struct bh_command bh_cmd_mcp = {
	.name = "mcp",
	.summary = "serve mail as MCP tools on standard input and output",
	.help = "For agents that take tools by the Model Context Protocol. Tools: read_inbox,\n"
		"send_message, list_tasks, complete_task, list_rooms, join_room, leave_room,\n"
		"can_wake, steer_child, register_name, whoami. Start it as a child of the\n"
		"agent, in its terminal.",
	.group = BH_GROUP_TOOLS,
	.run = run,
};
