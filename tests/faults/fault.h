/** @file
 * Faults between the steps of a typing, for the program that tests/cli/faults.py drives: bellhop as
 * it is, but for these. Never in the installed program.
 *
 * The file named by $BELLHOP_TEST_FAULTS holds `POINT COMMAND`: when a typing comes to that point
 * (src/server/deliver_point.h) the file is taken away and the shell runs COMMAND, while the server
 * stands still; `COMMAND &` goes on beside it. COMMAND `kill` ends the server by SIGKILL. Every point
 * that is reached is added to the file FILE.log, one word a line.
 */
#ifndef BH_TESTS_FAULT_H
#define BH_TESTS_FAULT_H

#include "src/server/deliver_point.h"

struct bh_uuid;

/** See struct bh_deliver_host.point. */
void bh_fault_point(void *user, const struct bh_uuid *terminal, enum bh_deliver_point point);

#endif
