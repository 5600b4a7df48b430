/** @file
 * The descriptors of all commands, each defined in its cmd_<name>.c.
 */
#ifndef BH_CMD_COMMANDS_H
#define BH_CMD_COMMANDS_H

#include "src/cmd/command.h"

/** @{ A descriptor; see struct bh_command. */
extern const struct bh_command bh_cmd_help;
extern const struct bh_command bh_cmd_version;
/** @} */

#endif
