#include "src/cmd/command.h"
#include "src/cmd/commands.h"

#include <stdio.h>

static int run(struct bh_cmd *cmd)
{
	(void)cmd;
	(void)puts(PACKAGE_NAME " " PACKAGE_VERSION);
	return BH_EXIT_OK;
}

const struct bh_command bh_cmd_version = {
	.name = "version",
	.summary = "print the version of this program",
	.group = BH_GROUP_TOOLS,
	.run = run,
};
