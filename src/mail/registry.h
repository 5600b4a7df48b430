/** @file
 * The registry: terminals on disk, and which names they hold. Handlers of the ledger (ledger.h),
 * for the changes of the same name (change.h).
 */
#ifndef BH_MAIL_REGISTRY_H
#define BH_MAIL_REGISTRY_H

#include "src/mail/ledger.h"

/** BH_CHANGE_BIND. Refusals: BH_EEXISTS, BH_EINVALID. */
int bh_registry_bind(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_ANNOUNCE. Refusals: BH_EEXISTS, BH_EINVALID, BH_ENOTFOUND. */
int bh_registry_announce(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_SET_MODE. Refusals: BH_ENOTFOUND. */
int bh_registry_set_mode(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_RETIRE. Refusals: BH_ENOTFOUND. */
int bh_registry_retire(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_PROBE. */
int bh_registry_probe(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_ENDED. */
int bh_registry_ended(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_FORGET. Refusals: BH_ENOTFOUND. */
int bh_registry_forget(struct bh_ledger *ledger, struct bh_change *change);

#endif
