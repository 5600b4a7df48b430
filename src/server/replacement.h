/** @file
 * A living terminal that is to be ended and succeeded: somebody waits for the successor.
 */
#ifndef BH_SERVER_REPLACEMENT_H
#define BH_SERVER_REPLACEMENT_H

#include "src/base/err.h"
#include "src/server/terminals.h"

/** The program may take so long to end by itself (ms); then it is killed. */
#define BH_REPLACEMENT_KILL_MS 3000

/**
 * Ask the program of a living terminal to end (SIGHUP to its session, SIGKILL when it takes too long)
 * and remember who waits.
 *
 * @return
 *         0, or BH_EBUSY: it is being replaced already.
 */
int bh_replacement_begin(struct bh_terminal *terminal, bh_terminals_done *done, void *user,
                         struct bh_err *err);

/** It has ended: who waits for the successor. NULL: nobody. The replacement is over. */
bh_terminals_done *bh_replacement_take(struct bh_terminal *terminal, void **user_out);

/** The server ends: tell who waits that it will not come. Harmless when nobody does. */
void bh_replacement_drop(struct bh_terminal *terminal);

#endif
