/** @file
 * Requests to the store about itself, and about terminals that are gone. The rules of store.h hold.
 */
#ifndef BH_MAIL_STORE_CARE_H
#define BH_MAIL_STORE_CARE_H

#include "src/mail/store.h"

/** Write something that changes nothing, as durably as mail: when the answer has no error, the disk
 * has taken it. */
int bh_store_probe(struct bh_store *store, bh_store_done *done, void *user, struct bh_err *err);

/** The terminals that ended last, at most @limit, the one that was started last first:
 * answer->terminals. Forgotten ones, and those of whose end nothing is known, are not among them. */
int bh_store_ended(struct bh_store *store, size_t limit, bh_store_done *done, void *user,
                   struct bh_err *err);

/** A terminal that is gone is to be shown no more; NULL: all that are gone. BH_ENOTFOUND: it is not gone,
 * or never was. */
int bh_store_forget(struct bh_store *store, const char *terminal, bh_store_done *done, void *user,
                    struct bh_err *err);

#endif
