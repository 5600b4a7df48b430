/** @file
 * How far it is proved that a recipient can be woken (doc/CONTRACT.md section 10), from live
 * evidence of this terminal. Pure.
 */
#ifndef BH_WAKE_TIER_H
#define BH_WAKE_TIER_H

#include "src/base/words.h"
#include "src/mail/identity.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Most conditions of one tier. */
#define BH_TIER_CONDITIONS_MAX 6

/** Evidence. All times wall clock in milliseconds, 0: never. */
struct bh_tier_evidence {
	/** A living terminal backs the name. */
	bool has_terminal;
	/** None, but a respawn is due. */
	bool is_respawning;
	/** Its profile allows typing. */
	bool can_type;
	/** Mode in force. */
	enum bh_mode mode;
	/** When authoritative idle was last seen in this terminal. */
	int64_t idle_proved_ms;
	/** When a submission was last proved in this terminal. */
	int64_t submission_proved_ms;
	/** When a complete read by the agent itself was last seen in this terminal. */
	int64_t read_proved_ms;
	/** Submissions of this terminal that could not be proved, since the last that was. */
	unsigned unproved;
	/** The gate now. */
	enum bh_reason gate;
};

/** A tier and what it hangs on. */
struct bh_tier_verdict {
	/** The tier. */
	enum bh_tier tier;
	/** Sentences, each a condition that holds or is missing. Static. */
	const char *conditions[BH_TIER_CONDITIONS_MAX];
	/** How many. */
	size_t condition_count;
	/** When the last missing proof came (wall clock, ms); 0: not all are there. */
	int64_t proved_ms;
	/** NONE: free now. */
	enum bh_reason blocked;
};

/** Judge. */
struct bh_tier_verdict bh_tier_judge(const struct bh_tier_evidence *evidence);

#endif
