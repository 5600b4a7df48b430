/** @file
 * What a name lets through: "do not disturb", senders that it blocks, and what becomes of mail that
 * nobody wants any more. Handlers of the ledger (ledger.h), for the changes of the same name
 * (change.h), and what they share with others.
 */
#ifndef BH_MAIL_SHIELD_H
#define BH_MAIL_SHIELD_H

#include "src/mail/ledger.h"

/** Most senders that one mailbox blocks. */
#define BH_SHIELD_BLOCKS_MAX 256

/** SQL: the message of delivery `d` is from a sender that the mailbox does not block. */
#define BH_SHIELD_PASSES \
	" NOT EXISTS (SELECT 1 FROM block b JOIN message bm ON bm.from_id = b.sender" \
	" WHERE b.mailbox = d.mailbox AND bm.seq = d.seq)"

/** Message @seq is new: older unread ones of its sender about the same topic are superseded. */
int bh_shield_supersede(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                        uint64_t mailbox_id);

/** BH_CHANGE_SET_DND. Refusals: BH_ENOTFOUND (nobody ever used the name). */
int bh_shield_set_dnd(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_SET_BLOCK. Refusals: BH_ENOTFOUND, BH_ELIMIT, BH_EINVALID (a name that is no agent's). */
int bh_shield_set_block(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_DISCARD. */
int bh_shield_discard(struct bh_ledger *ledger, struct bh_change *change);

#endif
