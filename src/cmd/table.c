#include "src/cmd/table.h"

#include "src/cmd/command.h"
#include "src/cmd/commands.h"

#include <string.h>

const struct bh_option bh_common_options[] = {
	{"session", 'S', "NAME", "the session to talk to (default: $BELLHOP_SESSION, or default)"},
	{"help", 'h', NULL, "show how to use the command"},
	{0},
};

const struct bh_command *const bh_commands[] = {
	&bh_cmd_help,
	&bh_cmd_version,
	NULL,
};

const struct bh_command *bh_command_find(const char *name)
{
	for (const struct bh_command *const *at = bh_commands; *at != NULL; at++) {
		if (strcmp((*at)->name, name) == 0) {
			return *at;
		}
	}
	return NULL;
}

const char *bh_command_nearest(const char *word)
{
	const char *names[sizeof(bh_commands) / sizeof(bh_commands[0])];
	size_t count = 0;

	for (const struct bh_command *const *at = bh_commands; *at != NULL; at++) {
		if ((*at)->group != BH_GROUP_HIDDEN) {
			names[count++] = (*at)->name;
		}
	}
	names[count] = NULL;
	return bh_args_nearest(word, names);
}
