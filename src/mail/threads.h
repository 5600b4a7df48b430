/** @file
 * Threads: messages that answer each other. A part of the archive (archive.h).
 */
#ifndef BH_MAIL_THREADS_H
#define BH_MAIL_THREADS_H

#include "src/mail/custody.h"
#include "src/mail/ledger.h"

/** Most messages of one thread that are looked at. */
#define BH_THREADS_MAX 10000

/**
 * Find the thread that message change->ref belongs to, from its first message on: those of its
 * messages after number change->seq that the names in @change (none: a person) sent, got, or may
 * read in a room.
 *
 * @return
 *         0, the items in order of seq; BH_ENOTFOUND (no such message, or none that they may see);
 *         or a code. The caller frees items->rows either way.
 */
int bh_threads_collect(struct bh_ledger *ledger, const struct bh_change *change,
                       struct bh_custody_items *items);

#endif
