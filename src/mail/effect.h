/** @file
 * Effects: what a commit changed, as the new rows. The writer thread collects them while it applies
 * a change; the loop hands them to the mirror once they are on disk. An image is always read back
 * from the database, so memory cannot drift from it.
 */
#ifndef BH_MAIL_EFFECT_H
#define BH_MAIL_EFFECT_H

#include "src/mail/claim.h"
#include "src/mail/identity.h"
#include "src/mail/message.h"
#include "src/mail/notice.h"
#include "src/mail/terminal_record.h"

/** Which row. */
enum bh_effect_kind {
	BH_EFFECT_MAILBOX,
	BH_EFFECT_BLOCK,
	BH_EFFECT_ITEM,
	BH_EFFECT_CLAIM,
	BH_EFFECT_NOTICE,
	BH_EFFECT_TERMINAL,
};

/** A mailbox's row, as in struct bh_mailbox. */
struct bh_mailbox_image {
	uint64_t id;
	char name[BH_IDENTITY_SIZE];
	char folded[BH_IDENTITY_SIZE];
	enum bh_identity_kind kind;
	bool is_known;
	char terminal[BH_CLAIM_TERMINAL_SIZE];
	char line[BH_CLAIM_TERMINAL_SIZE];
	uint64_t bound;
	enum bh_dnd_state dnd;
	int64_t dnd_until_ms;
};

/** Whether a mailbox blocks a sender. */
struct bh_block_image {
	uint64_t mailbox_id;
	/** The sender's folded name. */
	char sender[BH_IDENTITY_SIZE];
	bool is_blocked;
};

/** A message's row in a mailbox, as in struct bh_item; a seen one leaves the mirror. */
struct bh_item_image {
	uint64_t mailbox_id;
	uint64_t seq;
	char from[BH_IDENTITY_SIZE];
	enum bh_sender sender;
	int64_t created_ms;
	size_t body_len;
	size_t body_lines;
	unsigned typings;
	bool is_shown_before;
	int hops;
	bool is_quiet;
	enum bh_task_status task_status;
	enum bh_ownership ownership;
	uint64_t claim_id;
};

/** A claim's row, as in struct bh_claim. */
struct bh_claim_image {
	uint64_t id;
	enum bh_claim_kind kind;
	enum bh_phase phase;
	char terminal[BH_CLAIM_TERMINAL_SIZE];
	uint64_t notice_id;
	/** Length of the lease; it begins when the mirror hears of the claim. 0: none. */
	uint64_t lease_ms;
	bool is_complete;
	bool is_recovered;
	/** The claim is no more. */
	bool is_over;
};

/** The newest notice of a terminal. */
struct bh_notice_image {
	char terminal[BH_CLAIM_TERMINAL_SIZE];
	struct bh_notice notice;
};

/** One changed row. */
struct bh_effect {
	enum bh_effect_kind kind;
	union {
		struct bh_mailbox_image mailbox;
		struct bh_block_image block;
		struct bh_item_image item;
		struct bh_claim_image claim;
		struct bh_notice_image notice;
		/** Owned by the effect; status GONE leaves the mirror. Its notice is not set. */
		struct bh_terminal_record *terminal;
	};
};

/** All of a change, in order. Zero-initialise; end with bh_effects_clear(). */
struct bh_effects {
	struct bh_effect *rows;
	size_t count;
	size_t size;
};

/** Add a row of @kind, zeroed, for the caller to fill. Good until the next call. */
struct bh_effect *bh_effects_add(struct bh_effects *effects, enum bh_effect_kind kind);

/** Drop all rows; empty and usable again. */
void bh_effects_clear(struct bh_effects *effects);

#endif
