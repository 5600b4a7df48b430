/** @file
 * Requests that wait until a terminal is in a state (`terminal.wait_state`).
 */
#ifndef BH_SERVER_STATE_WAITS_H
#define BH_SERVER_STATE_WAITS_H

#include "src/server/rpc.h"
#include "src/server/terminal.h"

#include <stdint.h>

/**
 * Answer @request as soon as the terminal is in one of the states, has exited, or the time is over.
 * At once, if that is so already.
 *
 * @states
 *         Bits, 1 << enum bh_state.
 * @timeout_ms
 *         0: no limit.
 */
void bh_state_wait(struct bh_terminal *terminal, struct bh_request *request, unsigned states,
                   uint64_t timeout_ms);

/** The terminal was judged: answer those who wait for what it is now. */
void bh_state_waits_look(struct bh_terminal *terminal);

/** The terminal goes: answer all that still wait. */
void bh_state_waits_end(struct bh_terminal *terminal);

#endif
