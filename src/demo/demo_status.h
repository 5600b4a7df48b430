/** @file
 * The program status report, OSC 7501: how the demo agent says what it does.
 *
 *     ESC ] 7501 ; state=S:app=bellhop-demo[:kind=permission:msg=BASE64] ESC \
 *
 * S is idle (nothing done yet, or interrupted), working, blocked, done or clear (at the exit).
 * While it starts, and in the trust question, nothing is reported.
 */
#ifndef BH_DEMO_STATUS_H
#define BH_DEMO_STATUS_H

#include "demo_agent.h"

/** Asks whether the terminal takes reports; it echoes this. DA1 must be asked for after it. */
#define BH_DEMO_STATUS_QUERY "\033]7501;?\033\\"

/** Add the report of @agent's state to @out. */
void bh_demo_status_print(const struct bh_demo_agent *agent, struct bh_buf *out);

#endif
