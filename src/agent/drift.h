/** @file
 * Whether the rules of a profile still fit the program: how much of the time nobody vouched for any
 * state. An update of an agent that changes its screen shows here. Pure.
 */
#ifndef BH_AGENT_DRIFT_H
#define BH_AGENT_DRIFT_H

#include "judge.h"

#include <stdbool.h>
#include <stdint.h>

/** What is older than this counts half, and so on (ms). */
#define BH_DRIFT_HALF_MS (UINT64_C(30) * 60 * 1000)
/** Before so much was watched nothing is said (ms). */
#define BH_DRIFT_LEAST_MS 60000
/** A program that is `starting` for longer than this is in no state that we know (ms). */
#define BH_DRIFT_START_MS 60000
/** From this share on the rules do not fit (percent). */
#define BH_DRIFT_LIMIT_PERCENT 10

/** What was watched. Zero-initialise. */
struct bh_drift {
	/** The state now, */
	enum bh_state state;
	/** and since when it is not counted yet (ms). */
	uint64_t noted_ms;
	/** When the first state was noted (ms). */
	uint64_t first_ms;
	/** A state was noted. */
	bool is_noted;
	/** It has left `starting` once, or should have: what went before is the program's start. */
	bool has_begun;
	/** How long it was watched, and how long of that it was unknown (ms). */
	uint64_t watched_ms;
	uint64_t unknown_ms;
};

/** The state at this time. */
void bh_drift_note(struct bh_drift *drift, enum bh_state state, uint64_t now_ms);

/** Add what was watched in another terminal. */
void bh_drift_add(struct bh_drift *drift, const struct bh_drift *other);

/** The share of `unknown` (percent, 0 to 100); 0 before BH_DRIFT_LEAST_MS were watched. */
unsigned bh_drift_percent(const struct bh_drift *drift);

#endif
