/** @file
 * A notice: "Mail n17: you have mail." for the unread group of one terminal. The group is all
 * unread mail, under all names of the terminal, since its last read; new mail joins it.
 */
#ifndef BH_MAIL_NOTICE_H
#define BH_MAIL_NOTICE_H

#include "src/mail/claim.h"

#include <stdint.h>

/** Rings of one notice that the budget allows: the first and one retry. */
#define BH_NOTICE_RINGS_MAX 2

/** What became of a notice. Values are on disk: append only. */
enum bh_notice_state {
	/** It may ring, or ring once more. */
	BH_NOTICE_OPEN = 0,
	/** Its budget is spent: never typed again but after a read, a respawn, or by a person. */
	BH_NOTICE_PARKED = 1,
	/** The mail was read completely (at closed_ms), or the terminal is gone. */
	BH_NOTICE_CLOSED = 2,
};

/** The newest notice of a terminal. All times are wall clock in milliseconds, 0 for never. */
struct bh_notice {
	/** Number: 17 for "n17". 0: this terminal never had one. */
	uint64_t id;
	/** What became of it. */
	enum bh_notice_state state;
	/** How often its first byte was written (0 to BH_NOTICE_RINGS_MAX). */
	unsigned rings;
	/** When it was last written. */
	int64_t last_ring_ms;
	/** When a ring of it was last proved to have been submitted. */
	int64_t proved_ms;
	/** When the mail of the group was read. */
	int64_t closed_ms;
};

#endif
