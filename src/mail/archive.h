/** @file
 * The archive: messages and receipts read back from disk. Handlers of the ledger (ledger.h), for
 * the changes of the same name (change.h).
 */
#ifndef BH_MAIL_ARCHIVE_H
#define BH_MAIL_ARCHIVE_H

#include "src/mail/ledger.h"

/** Most messages in one answer. */
#define BH_ARCHIVE_MESSAGES_MAX 1000

/** Most bytes of bodies in one answer, unless a single one is longer. */
#define BH_ARCHIVE_BODIES_MAX ((size_t)512 * 1024)

/**
 * Add a message, with its standing in a mailbox, to the answer. @return 0 or code.
 *
 * @with_body
 *         Whether its text comes along.
 */
int bh_archive_add_message(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                           uint64_t mailbox_id, bool with_body);

/** Add the newest messages about a task, in order, with their texts. @return 0 or code. */
int bh_archive_add_task(struct bh_ledger *ledger, struct bh_change *change, const char *task_id);

/** BH_CHANGE_RESUME. Refusals: BH_ENOTFOUND. */
int bh_archive_resume(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_PEEK. */
int bh_archive_peek(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_HISTORY. Refusals: BH_ENOTMEMBER (of the room that it is with), BH_ENOTFOUND
 * (the message of the thread; the name or room that it is with was never used). */
int bh_archive_history(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_RECEIPTS. Refusals: BH_ENOTFOUND. */
int bh_archive_receipts(struct bh_ledger *ledger, struct bh_change *change);

#endif
