#include "src/cmd/help.h"

#include "src/cmd/command.h"
#include "src/cmd/table.h"

#include <string.h>

/** Column where the text of an option begins. */
#define OPTION_TEXT_COLUMN 26

static const char *const group_titles[] = {
	[BH_GROUP_TERMINALS] = "Terminals and agents",
	[BH_GROUP_MAIL] = "Mail",
	[BH_GROUP_SESSION] = "The session",
	[BH_GROUP_TOOLS] = "Tools",
	[BH_GROUP_HIDDEN] = NULL,
};
_Static_assert(sizeof(group_titles) / sizeof(group_titles[0]) == BH_GROUP_COUNT,
               "a title for each group");

void bh_help_usage(FILE *out, const struct bh_command *command)
{
	(void)fprintf(out, "usage: bellhop %s", command->name);
	if (command->options != NULL && command->options->name != NULL) {
		(void)fputs(" [OPTION...]", out);
	}
	if (command->arguments != NULL) {
		(void)fprintf(out, " %s", command->arguments);
	}
	(void)fputc('\n', out);
}

static void help_options(FILE *out, const struct bh_option *option)
{
	for (; option != NULL && option->name != NULL; option++) {
		int column =
			fprintf(out, option->letter == '\0' ? "      " : "  -%c, ", option->letter);

		column += fprintf(out, "--%s", option->name);
		if (option->argument != NULL) {
			column += fprintf(out, " %s", option->argument);
		}
		if (column >= OPTION_TEXT_COLUMN) {
			(void)fputc('\n', out);
			column = 0;
		}
		(void)fprintf(out, "%*s%s\n", OPTION_TEXT_COLUMN - column, "", option->help);
	}
}

void bh_help_command(FILE *out, const struct bh_command *command)
{
	bh_help_usage(out, command);
	(void)fprintf(out, "\nbellhop %s: %s.\n", command->name, command->summary);
	if (command->help != NULL) {
		(void)fprintf(out, "\n%s\n", command->help);
	}
	(void)fputs("\noptions:\n", out);
	help_options(out, command->options);
	help_options(out, bh_common_options);
}

void bh_help_overview(FILE *out)
{
	(void)fputs(
		"bellhop runs coding agents in terminals and carries their mail.\n"
		"usage: bellhop [-S SESSION] [COMMAND [ARGUMENT...]]\n"
		"\nWithout a command: show the session's tabs and panes here; C-b ? helps, C-b d "
		"leaves.\n",
		out);
	for (int group = 0; group < BH_GROUP_COUNT; group++) {
		if (group_titles[group] == NULL) {
			continue;
		}
		(void)fprintf(out, "\n%s:\n", group_titles[group]);
		for (const struct bh_command *const *at = bh_commands; *at != NULL; at++) {
			if ((int)(*at)->group == group) {
				(void)fprintf(out, "  %-12s %s\n", (*at)->name, (*at)->summary);
			}
		}
	}
	(void)fputs("\n`bellhop help COMMAND` tells more about one; the manual is bellhop(1).\n",
	            out);
}
