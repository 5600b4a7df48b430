/** @file
 * The functions behind the protocol's methods about the guards, for the table in methods.c.
 * doc/PROTOCOL.md section 7 says what each takes and gives, doc/CONTRACT.md section 8 what it means.
 */
#ifndef BH_SERVER_METHOD_GUARD_H
#define BH_SERVER_METHOD_GUARD_H

#include "src/server/rpc.h"

/** `guard.dnd`: "do not disturb" of a name. */
void bh_method_guard_dnd(struct bh_request *request);
/** `guard.block`: the senders that a name blocks. */
void bh_method_guard_block(struct bh_request *request);
/** `parked.list`: mail that wakes nobody until a person acts. */
void bh_method_parked_list(struct bh_request *request);
/** `parked.discard`: throw such mail away. */
void bh_method_parked_discard(struct bh_request *request);

#endif
