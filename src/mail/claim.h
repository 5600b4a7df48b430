/** @file
 * A claim: mail that one reader or one typing attempt holds for now. A message in a mailbox has one
 * owner at a time: unread, claimed, or seen. What is claimed and not confirmed becomes unread
 * again: on release, when the lease runs out, and when the server starts.
 *
 * Claims of the kinds TYPING and NOTICE are typing attempts and have a phase; each phase is
 * committed before it begins, so that after a crash the phase on disk says the most that can have
 * happened in the terminal:
 *
 *     claimed -> writing -> echoed -> cr_sent -> proved
 *        |          |          |         |
 *        |          +----------+---------+--> uncertain -> proved | cr_sent | withdrawn
 *        +----------+----------+------------> withdrawn
 *
 * `proved` and `withdrawn` end the attempt. At `uncertain` the mail is unread again (waiters and
 * inbox may take it) but the attempt stays open: nothing may be typed into that terminal until it
 * is resolved.
 */
#ifndef BH_MAIL_CLAIM_H
#define BH_MAIL_CLAIM_H

#include "src/base/list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes of a UUID in text form, NUL included. */
#define BH_CLAIM_TERMINAL_SIZE 37

/** Who holds the mail. Values are on disk: append only. */
enum bh_claim_kind {
	/** `bellhop inbox`: handed to a client, confirmed after its output was flushed. */
	BH_CLAIM_INBOX = 0,
	/** A blocked `wait`. */
	BH_CLAIM_WAITER = 1,
	/** A native push route. */
	BH_CLAIM_CHANNEL = 2,
	/** The typist types the text of the mail. */
	BH_CLAIM_TYPING = 3,
	/** The typist types a notice; holds no mail. */
	BH_CLAIM_NOTICE = 4,
};

/** How far a typing attempt has come. Values are on disk: append only. */
enum bh_phase {
	/** Mail claimed, not a byte written. Also the phase of every claim that is no attempt. */
	BH_PHASE_CLAIMED = 0,
	/** The paste may have begun. */
	BH_PHASE_WRITING = 1,
	/** The terminal showed our text. */
	BH_PHASE_ECHOED = 2,
	/** The CR may have been sent. */
	BH_PHASE_CR_SENT = 3,
	/** Submitted: a proof names the message. The attempt is over. */
	BH_PHASE_PROVED = 4,
	/** Nobody knows; to be resolved by looking, never by repeating. */
	BH_PHASE_UNCERTAIN = 5,
	/** Nothing of it is in the terminal any more. The attempt is over. */
	BH_PHASE_WITHDRAWN = 6,
};

/** Number of phases. */
#define BH_PHASE_COUNT 7

/** "inbox", "waiter", "channel", "typing" or "notice". Static. */
const char *bh_claim_kind_word(enum bh_claim_kind kind);

/** "claimed", "writing", ... Static. */
const char *bh_phase_word(enum bh_phase phase);

/** Whether an attempt in phase @from may go to phase @to (the drawing at the top). */
bool bh_phase_may_follow(enum bh_phase from, enum bh_phase to);

/** Whether the attempt is over in this phase. */
bool bh_phase_is_final(enum bh_phase phase);

/**
 * An open claim as the store's memory has it. Read only; good until the callback or event you are
 * in returns to the loop.
 */
struct bh_claim {
	/** Number; never used twice in the life of a store, and below 2^53. */
	uint64_t id;
	/** Who holds it. */
	enum bh_claim_kind kind;
	/** Phase of an attempt; BH_PHASE_CLAIMED otherwise. */
	enum bh_phase phase;
	/** UUID of the terminal that reads or is typed into; "" for a reader outside. */
	char terminal[BH_CLAIM_TERMINAL_SIZE];
	/** Number of the notice of a NOTICE claim; 0 otherwise. */
	uint64_t notice_id;
	/** Loop time (uv_now()) at which the lease ends; 0 for never (attempts). */
	uint64_t lease_until_ms;
	/** Whether nothing was unread behind it: under all names of its terminal, or, from outside, in
	 * the mailboxes it named. */
	bool is_complete;
	/** Whether it was made before this start of the server: the caller has to recover it. */
	bool is_recovered;
	/** Number of messages held; 0 when uncertain. */
	size_t item_count;
	/** Store's own: messages held (struct bh_item.claim_link). */
	struct bh_list items;
	/** Store's own: place in the list of all open claims. */
	struct bh_list link;
};

/** Whether it is a typing attempt (kind TYPING or NOTICE). */
bool bh_claim_is_attempt(const struct bh_claim *claim);

#endif
