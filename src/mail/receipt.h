/** @file
 * Receipts: every step of a message with time and cause, visible to its sender.
 */
#ifndef BH_MAIL_RECEIPT_H
#define BH_MAIL_RECEIPT_H

#include "src/mail/identity.h"

#include <stddef.h>
#include <stdint.h>

/**
 * The steps: X(NAME, number on disk, word). The cause that goes with each:
 * stored: nothing; queued: the reason word; noticed: the notice ("n17"); handed_over: to what
 * (waiter, channel, inbox); typed: the proof; seen: how; returned: why; parked: the notice;
 * unproved: why no proof was found (the attempt is `uncertain`); superseded: by what ("m43").
 */
#define BH_RECEIPT_STEPS(X) \
	X(STORED, 0, "stored") \
	X(QUEUED, 1, "queued") \
	X(NOTICED, 2, "noticed") \
	X(HANDED_OVER, 3, "handed_over") \
	X(TYPED, 4, "typed") \
	X(SEEN, 5, "seen") \
	X(RETURNED, 6, "returned") \
	X(PARKED, 7, "parked") \
	X(UNPROVED, 8, "unproved") \
	X(SUPERSEDED, 9, "superseded")

/** A step of a message's life. Values are on disk: append only. */
enum bh_receipt_step {
#define BH_RECEIPT_ENUM(name, number, word) BH_RECEIPT_##name = number,
	BH_RECEIPT_STEPS(BH_RECEIPT_ENUM)
#undef BH_RECEIPT_ENUM
};

/** Longest cause, its NUL included (bytes); longer ones are cut. */
#define BH_RECEIPT_CAUSE_SIZE 128

/** One row of a receipt. */
struct bh_receipt {
	/** Whose mailbox the step happened in. */
	char mailbox[BH_IDENTITY_SIZE];
	/** What happened. */
	enum bh_receipt_step step;
	/** When: wall clock, milliseconds since 1970. */
	int64_t at_ms;
	/** Why or how, see BH_RECEIPT_STEPS; "" for none. */
	char cause[BH_RECEIPT_CAUSE_SIZE];
};

/** The word of a step; "unknown" for a number of a newer version. Static. */
const char *bh_receipt_word(enum bh_receipt_step step);

#endif
