/** @file
 * How a request enters the store: between request.c, which makes changes of the calls of store.h,
 * and store.c, which carries them.
 */
#ifndef BH_MAIL_SUBMIT_H
#define BH_MAIL_SUBMIT_H

#include "src/mail/change.h"
#include "src/mail/store.h"

/**
 * Queue a change (taken, also on failure).
 *
 * @return
 *         0, BH_EBUSY or BH_ECLOSED.
 */
int bh_store_submit(struct bh_store *store, struct bh_change *change_take, struct bh_err *err);

#endif
