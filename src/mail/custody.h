/** @file
 * Custody: who holds which mail. One owner at a time, moved in one transaction. Handlers of the
 * ledger (ledger.h), for the changes of the same name (change.h), and what they share with others.
 */
#ifndef BH_MAIL_CUSTODY_H
#define BH_MAIL_CUSTODY_H

#include "src/mail/ledger.h"
#include "src/mail/mailbox.h"

/** One message in one mailbox, in order of seq. */
struct bh_custody_item {
	uint64_t seq;
	uint64_t mailbox_id;
	size_t body_len;
	size_t body_lines;
	unsigned typings;
};

/** Items, owned. Zero-initialise; free rows. */
struct bh_custody_items {
	struct bh_custody_item *rows;
	size_t count;
	size_t size;
};

/** Add an item at the end. */
void bh_custody_add(struct bh_custody_items *items, const struct bh_custody_item *item);

/** Bring them into the order of seq, each once: what went to a room and to a name, say. */
void bh_custody_sort(struct bh_custody_items *items);

/**
 * The oldest unread mail of the names in @change (none: of its terminal), in order of seq, at most
 * @limit of it. @return 0 or code; the caller frees items_out->rows either way.
 */
int bh_custody_list_unread(struct bh_ledger *ledger, const struct bh_change *change, size_t limit,
                           struct bh_custody_items *items_out);

/**
 * Keep the first items whose texts fit together: @body_max bytes and @lines_max lines (0: any).
 *
 * @always_first
 *         Keep the first item even if it does not fit.
 */
void bh_custody_cut(struct bh_custody_items *items, size_t body_max, size_t lines_max,
                    bool always_first);

/** A message is seen: row, receipt, effect. @return 0 or code. */
int bh_custody_mark_seen(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                         uint64_t mailbox_id, enum bh_seen_how how);

/** A seen message is unread again, shown before: row, receipt returned(@why), effect. */
int bh_custody_reopen(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                      uint64_t mailbox_id, const char *why);

/** A newer message @by says all that an unread one said: row, receipt superseded, effect. */
int bh_custody_supersede(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                         uint64_t mailbox_id, uint64_t by);

/** Give back all claims of readers in a terminal (it ended). @return 0 or code. */
int bh_custody_release_readers(struct bh_ledger *ledger, struct bh_change *change,
                               const char *terminal, const char *why);

/** BH_CHANGE_TAKE. Refusals: BH_EBUSY, BH_EDENIED. */
int bh_custody_take(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_CONFIRM. Refusals: BH_ENOTFOUND, BH_EINVALID (an attempt). */
int bh_custody_confirm(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_RELEASE. Refusals: BH_ENOTFOUND, BH_EINVALID (an attempt). */
int bh_custody_release(struct bh_ledger *ledger, struct bh_change *change);

/** BH_CHANGE_ADVANCE. Refusals: BH_ENOTFOUND, BH_EINVALID. */
int bh_custody_advance(struct bh_ledger *ledger, struct bh_change *change);

#endif
