#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {.method = "server.upgrade", .needs_running = true};
	cJSON *result = NULL;
	int status = bh_session_request(cmd, &request, &result);

	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		(void)puts("the server restarts from the installed program; terminals go on");
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_upgrade = {
	.name = "upgrade",
	.summary = "restart the server from the installed program; terminals go on",
	.options = options,
	.group = BH_GROUP_SESSION,
	.run = run,
};
