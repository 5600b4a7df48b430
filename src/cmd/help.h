/** @file
 * Help texts, all made from the table of commands.
 */
#ifndef BH_CMD_HELP_H
#define BH_CMD_HELP_H

#include <stdio.h>

struct bh_command;

/** Print the usage line of @command: "usage: bellhop send [OPTION...] NAME [BODY]". */
void bh_help_usage(FILE *out, const struct bh_command *command);

/** Print all that is known about @command: usage, summary, options, paragraphs. */
void bh_help_command(FILE *out, const struct bh_command *command);

/** Print the list of commands by group. */
void bh_help_overview(FILE *out);

#endif
