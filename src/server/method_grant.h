/** @file
 * The functions behind the protocol's methods about grants of typing, for the table in methods.c.
 * doc/PROTOCOL.md section 6 says what each takes and gives.
 */
#ifndef BH_SERVER_METHOD_GRANT_H
#define BH_SERVER_METHOD_GRANT_H

#include "src/server/rpc.h"

/** `terminal.grant`. */
void bh_method_terminal_grant(struct bh_request *request);
/** `terminal.grants`. */
void bh_method_terminal_grants(struct bh_request *request);

#endif
