/** @file
 * The functions behind the protocol's methods about mail, for the table in methods.c.
 * doc/PROTOCOL.md section 7 says what each takes and gives, doc/CONTRACT.md what the words mean.
 */
#ifndef BH_SERVER_METHOD_MAIL_H
#define BH_SERVER_METHOD_MAIL_H

#include "src/server/rpc.h"

struct bh_deliver_send;

/** method_mail.c: sends, and what is known about waking. */
void bh_method_message_send(struct bh_request *request);
/** See above. */
void bh_method_notice_ring(struct bh_request *request);
/** See above. */
void bh_method_wake_can_wake(struct bh_request *request);

/** method_room.c: rooms. */
void bh_method_room_join(struct bh_request *request);
/** See above. */
void bh_method_room_leave(struct bh_request *request);
/** See above. */
void bh_method_room_list(struct bh_request *request);
/** See above. */
void bh_method_room_members(struct bh_request *request);

/** `wake.can_wake` of a room: the worst of its members, and each of them. */
void bh_method_room_wake(struct bh_request *request, const char *room);

/** method_task.c: tasks. */
void bh_method_task_list(struct bh_request *request);
/** See above. */
void bh_method_task_show(struct bh_request *request);
/** See above. */
void bh_method_task_complete(struct bh_request *request);
/** See above. */
void bh_method_task_cancel(struct bh_request *request);

/** method_receipt.c: what became of sent mail. */
void bh_method_mail_receipt(struct bh_request *request);
/** See above. */
void bh_method_mail_receipts(struct bh_request *request);

/** method_mail_read.c: reading. */
void bh_method_inbox_read(struct bh_request *request);
/** See above. */
void bh_method_inbox_confirm(struct bh_request *request);
/** See above. */
void bh_method_inbox_peek(struct bh_request *request);
/** See above. */
void bh_method_inbox_wait(struct bh_request *request);

/** method_mail_past.c: the archive, acknowledgement. */
void bh_method_mail_history(struct bh_request *request);
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

/**
 * Check a message as message.send does, add who sends it, store and carry it; its outcome answers
 * the request. to, body, message_id and the rest of @send are set.
 */
void bh_method_mail_post(struct bh_request *request, struct bh_deliver_send *send);

#endif
