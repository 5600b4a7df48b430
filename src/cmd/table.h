/** @file
 * The table of commands: the one place that lists them all.
 */
#ifndef BH_CMD_TABLE_H
#define BH_CMD_TABLE_H

#include "src/cmd/command.h"

/** Every command, hidden ones too, ended by NULL; in the order of the help. */
extern const struct bh_command *const bh_commands[];

/** Options that every command has (`--help`, `--session`), ended by an entry without name. */
extern const struct bh_option bh_common_options[];

/** The command called @name, or NULL. */
const struct bh_command *bh_command_find(const char *name);

/** The name nearest to @word among the commands that are not hidden, or NULL. */
const char *bh_command_nearest(const char *word);

#endif
