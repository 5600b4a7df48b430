/** @file
 * The functions behind the protocol's methods about mail, for the table in methods.c.
 * doc/PROTOCOL.md section 7 says what each takes and gives, doc/CONTRACT.md what the words mean.
 */
#ifndef BH_SERVER_METHOD_MAIL_H
#define BH_SERVER_METHOD_MAIL_H

#include "src/server/rpc.h"

/** method_mail.c: sends, and what is known about waking. */
void bh_method_message_send(struct bh_request *request);
/** See above. */
void bh_method_notice_ring(struct bh_request *request);
/** See above. */
void bh_method_wake_can_wake(struct bh_request *request);

/** method_mail_read.c: reading. */
void bh_method_inbox_read(struct bh_request *request);
/** See above. */
void bh_method_inbox_confirm(struct bh_request *request);
/** See above. */
void bh_method_inbox_peek(struct bh_request *request);
/** See above. */
void bh_method_inbox_wait(struct bh_request *request);

/** method_mail_past.c: the archive, receipts, acknowledgement. */
void bh_method_mail_history(struct bh_request *request);
/** See above. */
void bh_method_mail_receipt(struct bh_request *request);
/** See above. */
void bh_method_mail_ack(struct bh_request *request);

/** method_mail_identity.c: names. */
void bh_method_identity_announce(struct bh_request *request);
/** See above. */
void bh_method_identity_whoami(struct bh_request *request);

/**
 * The result of `wake.can_wake` for a name, also part of the result of `terminal.run`. The caller
 * frees with cJSON_Delete().
 */
cJSON *bh_method_mail_wake(struct bh_server *server, const char *name);

#endif
