/** @file
 * The ledger: the database as the single authority on who owns which mail. It applies changes, one
 * after the other, and says what they changed. Used by one thread at a time: by the loop while the
 * store opens, then by the writer thread.
 *
 * A handler (of post.h, custody.h, archive.h, registry.h) checks first and writes then; it returns
 * 0, or a code with its words in ledger->db.err, and whatever it wrote is undone by the caller.
 */
#ifndef BH_MAIL_LEDGER_H
#define BH_MAIL_LEDGER_H

#include "src/mail/change.h"
#include "src/mail/database.h"

/** Rows of the mailboxes that every store has. */
enum bh_ledger_ids {
	BH_LEDGER_OPERATOR_ID = 1,
	BH_LEDGER_BELLHOP_ID = 2,
};

/** An open ledger. */
struct bh_ledger {
	struct bh_database db;
	/** How often this store was opened; the high part of claim numbers. */
	uint64_t boot;
	/** Claims made since it was opened; the low part. */
	uint32_t claims;
	/** The highest number of a message when it was opened. */
	uint64_t last_seq;
	/** Wall clock of the change being applied. */
	int64_t now_ms;
	/** What a crash left claimed is void in what was loaded, and not yet on the disk, which was full:
	 * each transaction begins with bh_ledger_settle() until one could be committed. */
	bool is_unsettled;
};

/**
 * Open the database, void what a crash left claimed, and read everything that is live into
 * @effects. Codes as of bh_database_open(). On failure nothing is left open. On a full disk a ledger
 * opens that can be read; it takes writes once there is room.
 */
int bh_ledger_open(struct bh_ledger *ledger, const char *path, unsigned max_pages,
                   struct bh_effects *effects, struct bh_err *err);

/** Do in the transaction that is open what is still unsettled. Whoever commits it takes `is_unsettled`
 * back. @return 0 or code. */
int bh_ledger_settle(struct bh_ledger *ledger);

/** Close it. */
void bh_ledger_close(struct bh_ledger *ledger);

/**
 * Apply one change inside the transaction that is open, filling its answer and effects.
 *
 * @return
 *         0: applied or refused, the answer says which. Negative: the database failed; the
 *         transaction must be rolled back.
 */
int bh_ledger_apply(struct bh_ledger *ledger, struct bh_change *change);

/** Add the terminals that ended last, the newest first, at most @limit, to the effects. Gives their
 * number, or a code. */
int bh_ledger_read_ended(struct bh_ledger *ledger, struct bh_effects *effects, size_t limit);

/** The key of a mailbox by name. @return 1 and *id_out, 0 when there is none, or negative. */
int bh_ledger_find_mailbox(struct bh_ledger *ledger, const char *name, uint64_t *id_out);

/**
 * The terminal that backs a mailbox now.
 *
 * @return 1 and its UUID; 0 and "" when there is none, or no such mailbox; negative.
 */
int bh_ledger_find_terminal(struct bh_ledger *ledger, uint64_t mailbox_id,
                            char out[BH_CLAIM_TERMINAL_SIZE]);

/** As bh_ledger_find_mailbox(), but makes an unknown one when there is none. @return 0 or code. */
int bh_ledger_make_mailbox(struct bh_ledger *ledger, struct bh_effects *effects, const char *name,
                           uint64_t *id_out);

/** Append the keys of the names in @change to @out as a JSON array, never empty. @return 0 or code. */
int bh_ledger_list_keys(struct bh_ledger *ledger, const struct bh_change *change,
                        struct bh_buf *out);

/** The number of a message by "m42" or its message id. @return 1, 0 for none, or negative. */
int bh_ledger_find_message(struct bh_ledger *ledger, const char *ref, uint64_t *seq_out);

/** Whether any name of a terminal has mail that is not seen (or @unread_only: not claimed). Mail that
 * is unread and whose sender is blocked does not count. */
int bh_ledger_has_mail(struct bh_ledger *ledger, const char *terminal, bool unread_only,
                       bool *has_out);

/** Add a receipt row. @cause NULL: none. @return 0 or code. */
int bh_ledger_write_receipt(struct bh_ledger *ledger, uint64_t seq, uint64_t mailbox_id,
                            enum bh_receipt_step step, const char *cause);

/**
 * Add a receipt for all that is unread in a mailbox; mail that the same words were written for
 * before is left out. @return 0 or code.
 */
int bh_ledger_write_range(struct bh_ledger *ledger, uint64_t mailbox_id, enum bh_receipt_step step,
                          const char *cause);

/** Read a row back into @effects: a mailbox, ... @return 0 or code. */
int bh_ledger_touch_mailbox(struct bh_ledger *ledger, struct bh_effects *effects, uint64_t id);

/** ... a message in a mailbox, ... */
int bh_ledger_touch_item(struct bh_ledger *ledger, struct bh_effects *effects, uint64_t seq,
                         uint64_t mailbox_id);

/** ... a claim (over, when it has no row any more), ... */
int bh_ledger_touch_claim(struct bh_ledger *ledger, struct bh_effects *effects, uint64_t id);

/** ... the newest notice of a terminal, ... */
int bh_ledger_touch_notice(struct bh_ledger *ledger, struct bh_effects *effects,
                           const char *terminal);

/** ... a terminal. */
int bh_ledger_touch_terminal(struct bh_ledger *ledger, struct bh_effects *effects,
                             const char *uuid);

#endif
