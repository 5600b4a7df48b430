/** @file
 * Ends the process when one turn of the loop takes too long, so that the keeper starts it anew: an
 * endless loop must not take the session with it. Costs nothing while the loop is idle: the clock
 * that it sets counts only processor time of the loop's thread, so a machine that is suspended or
 * overloaded does not trip it either.
 */
#ifndef BH_SERVER_WATCHDOG_H
#define BH_SERVER_WATCHDOG_H

#include "src/base/err.h"

#include <uv.h>

struct bh_watchdog;

/** Processor time after which a turn that has not ended is given up (ms); it may take up to twice as
 * long until that is noticed. */
#define BH_WATCHDOG_TURN_MS 2000

/**
 * Begin to watch the loop of this thread. The process is ended by SIGABRT, with a line on standard
 * error. One per process.
 *
 * @turn_ms
 *         BH_WATCHDOG_TURN_MS; less in tests.
 */
int bh_watchdog_start(uv_loop_t *loop, unsigned turn_ms, struct bh_watchdog **watchdog_out,
                      struct bh_err *err);

/** Stop watching. Asynchronous; the memory goes with the loop's handles. NULL is allowed. */
void bh_watchdog_close(struct bh_watchdog *watchdog);

#endif
