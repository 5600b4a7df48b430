/** @file
 * The functions behind the protocol's methods about programs that bellhop did not start, for the
 * table in methods.c. doc/PROTOCOL.md section 7 says what each takes and gives, doc/CONTRACT.md
 * section 9 what it means.
 */
#ifndef BH_SERVER_METHOD_EXTERNAL_H
#define BH_SERVER_METHOD_EXTERNAL_H

#include "src/server/rpc.h"

/** `identity.register`. */
void bh_method_identity_register(struct bh_request *request);
/** `identity.release`. */
void bh_method_identity_release(struct bh_request *request);
/** `identity.registered`. */
void bh_method_identity_registered(struct bh_request *request);

#endif
