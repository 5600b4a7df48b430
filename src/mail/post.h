/** @file
 * The post: messages are stored, acknowledged, and get their receipts. Handlers of the
 * ledger (ledger.h), for the changes of the same name (change.h).
 */
#ifndef BH_MAIL_POST_H
#define BH_MAIL_POST_H

#include "src/mail/ledger.h"

/** BH_CHANGE_PUT. Refusals: BH_EEXISTS, BH_ENOTFOUND, and those of rooms.h and tasks.h about it. */
int bh_post_put(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_ACK. Refusals: BH_ENOTFOUND. */
int bh_post_ack(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_NOTE. Refusals: BH_ENOTFOUND. */
int bh_post_note(struct bh_ledger *ledger, struct bh_change *change);

#endif
