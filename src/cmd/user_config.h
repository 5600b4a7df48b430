/** @file
 * The user's settings from a command: read, with every fault printed.
 */
#ifndef BH_CMD_USER_CONFIG_H
#define BH_CMD_USER_CONFIG_H

#include "src/base/config.h"
#include "src/base/paths.h"

struct bh_cmd;

/**
 * Read the settings and print each fault on a line of standard error.
 *
 * @config
 *         From bh_config_init().
 * @return
 *         The number of faults.
 */
int bh_user_config_load(const struct bh_cmd *cmd, const struct bh_paths *paths,
                        struct bh_config *config);

#endif
