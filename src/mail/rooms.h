/** @file
 * Rooms: who is in which, and what a message to one becomes. Handlers of the ledger (ledger.h), for
 * the changes of the same name (change.h), and what they share with the post.
 *
 * A message to a room has a delivery for each member, and one for the room itself that counts as
 * seen: by it the archive finds all mail of a room as it does that of any mailbox.
 */
#ifndef BH_MAIL_ROOMS_H
#define BH_MAIL_ROOMS_H

#include "src/mail/ledger.h"

/**
 * Whether one of the names in @change is in the room.
 *
 * @return
 *         0, BH_ENOTMEMBER, or a code.
 */
int bh_rooms_check_member(struct bh_ledger *ledger, const struct bh_change *change,
                          uint64_t room_id);

/** Whether the sender of change->message may post to the room. As bh_rooms_check_member(). */
int bh_rooms_check_sender(struct bh_ledger *ledger, const struct bh_change *change,
                          uint64_t room_id, uint64_t from_id);

/** Deliver a message to all members but the sender's own names: rows and effects. 0 or code. */
int bh_rooms_deliver(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                     uint64_t room_id, uint64_t from_id);

/** Add the message as it stands with each member to the answer, without its text. 0 or code. */
int bh_rooms_add_members(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                         uint64_t room_id);

/** BH_CHANGE_JOIN. Refusals: BH_ENOTFOUND (the name), BH_ELIMIT. */
int bh_rooms_join(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_LEAVE. */
int bh_rooms_leave(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_ROOMS. Refusals: BH_ENOTFOUND (the room). */
int bh_rooms_list(struct bh_ledger *ledger, struct bh_change *change);

#endif
