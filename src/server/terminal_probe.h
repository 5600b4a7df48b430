/** @file
 * Asks the kernel and the program's own status file about a terminal and tells its judge.
 */
#ifndef BH_SERVER_TERMINAL_PROBE_H
#define BH_SERVER_TERMINAL_PROBE_H

#include "src/server/terminal.h"

#include <stdint.h>

/** Probe a running terminal now. A few system calls. */
void bh_terminal_probe(struct bh_terminal *terminal, uint64_t now_ms);

#endif
