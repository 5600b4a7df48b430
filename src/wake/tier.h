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
#define BH_TIER_CONDITIONS_MAX 7

/** Evidence. All times wall clock in milliseconds, 0: never. */
struct bh_tier_evidence {
	/** A living terminal backs the name. */
	bool has_terminal;
	/** None, but a respawn is due. */
	bool is_respawning;
	/** Its profile allows typing. */
	bool can_type;
	/** What its state is of was typed into a shell. */
	bool is_watched;
	/** Mode in force. */
	enum bh_mode mode;
	/** When authoritative idle was last seen in this terminal. */
	int64_t idle_proved_ms;
	/** When a submission was last proved in this terminal. */
	int64_t submission_proved_ms;
	/** When a read by the agent itself was last seen in this terminal. */
	int64_t read_proved_ms;
	/** Submissions of this terminal that could not be proved, since the last that was. */
	unsigned unproved;
	/** Share of the time in which its state was unknown (percent); 0: too little is known. */
	unsigned unknown_percent;
	/** A notice of it is out and unread: what comes now stands behind that. */
	bool is_behind_notice;
	/** The gate now. */
	enum bh_reason gate;
	/** A wait is open in it. */
	bool has_waiter;
	/** Its channel is open. */
	bool has_channel;
	/** When its channel last acknowledged mail. */
	int64_t channel_proved_ms;
	/** Its channel was closed because it acknowledged nothing. */
	bool has_channel_failed;
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
	/** As in the evidence. */
	unsigned unknown_percent;
	/** NONE: free now. */
	enum bh_reason blocked;
	/** What would carry mail that comes now, once the gate is open. */
	enum bh_path by;
	/** The newest proof there is: "submission", "read", "channel" or "idle", and when it was seen
	 * (wall clock, ms); NULL: none. Static. */
	const char *last_proof;
	int64_t last_proof_ms;
};

/** Judge. */
struct bh_tier_verdict bh_tier_judge(const struct bh_tier_evidence *evidence);

#endif
