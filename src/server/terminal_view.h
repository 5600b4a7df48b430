/** @file
 * Terminals as the protocol shows them (doc/PROTOCOL.md section 6).
 */
#ifndef BH_SERVER_TERMINAL_VIEW_H
#define BH_SERVER_TERMINAL_VIEW_H

#include "src/server/terminal.h"

#include <cjson/cJSON.h>

/** The terminal object. The caller owns it. */
cJSON *bh_terminal_view(struct bh_terminal *terminal);

/** What a wait status says: {"code":0} or {"signal":"SIGKILL"}. The caller owns it. */
cJSON *bh_terminal_view_exit(int status);

#endif
