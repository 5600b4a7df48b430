/** @file
 * Tasks: their state, who may move it, and what a message about one does to it. Handlers of the
 * ledger (ledger.h), for the changes of the same name (change.h), and what they share with the post.
 */
#ifndef BH_MAIL_TASKS_H
#define BH_MAIL_TASKS_H

#include "src/mail/ledger.h"

/**
 * The other party of the task that change->message is about: whom its sender writes to.
 *
 * @return
 *         0 and *to_id_out; BH_ENOTFOUND, BH_EDENIED, or a code.
 */
int bh_tasks_find_other(struct bh_ledger *ledger, const struct bh_change *change, uint64_t from_id,
                        uint64_t *to_id_out);

/**
 * Whether change->message may be stored as far as its task goes (it is not a replay).
 *
 * @return
 *         0; BH_ETASKENDED, BH_ENOTFOUND (a status of no task), BH_EDENIED (others' task),
 *         BH_EINVALID (a status for a third party), or a code.
 */
int bh_tasks_check(struct bh_ledger *ledger, const struct bh_change *change, uint64_t from_id,
                   uint64_t to_id);

/** Open the task of the message @seq or move it on. Nothing without a task. 0 or code. */
int bh_tasks_note(struct bh_ledger *ledger, const struct bh_change *change, uint64_t seq,
                  uint64_t from_id, uint64_t to_id);

/**
 * If the message @seq is an update: older updates of the same task and sender that nobody has read
 * in this mailbox are superseded. 0 or code.
 */
int bh_tasks_supersede(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                       uint64_t mailbox_id, uint64_t from_id);

/** BH_CHANGE_TASKS. Refusals: BH_ENOTFOUND. */
int bh_tasks_list(struct bh_ledger *ledger, struct bh_change *change);

#endif
