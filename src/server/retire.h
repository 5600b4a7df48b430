/** @file
 * The end of a binding: what is written down when a terminal is gone.
 */
#ifndef BH_SERVER_RETIRE_H
#define BH_SERVER_RETIRE_H

#include "src/server/terminal.h"

#include <stdbool.h>

/**
 * Retire a terminal that the keeper does not hold (never spawned, or lost). Failures are logged: the
 * next start of the server tries again.
 *
 * @status
 *         Its wait status; -1: not known.
 * @waits_respawn
 *         A successor for the identity will come: the name stays taken.
 */
void bh_retire_terminal(struct bh_server *server, const char *id_text, int status,
                        bool waits_respawn);

/**
 * Retire a terminal whose child has exited with terminal->exit_status. Once that is on disk, the
 * keeper is told to forget it: a server killed in between learns of the exit again.
 */
void bh_retire_exited(const struct bh_terminal *terminal, bool waits_respawn);

#endif
