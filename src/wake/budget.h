/** @file
 * The budget of notices for one unread group in one terminal (doc/CONTRACT.md section 6): a first
 * ring, at most one retry, then parked. Pure; time comes in as monotonic milliseconds.
 *
 * A group begins with the first unread mail after a read and ends with the next read, also of a part:
 * what that leaves is a group of its own. New mail joins it. A new group, or a new terminal, starts with a zeroed struct bh_budget.
 */
#ifndef BH_WAKE_BUDGET_H
#define BH_WAKE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/** Idle must hold so long after the notice's turn before the retry (ms); also after `uncertain`. */
#define BH_BUDGET_RETRY_MS 60000
/** So long after the retry the group is parked (ms). */
#define BH_BUDGET_PARK_MS 300000
/** Most rings per group and terminal that no person asked for. */
#define BH_BUDGET_RINGS_MAX 2

/** What the budget says. */
enum bh_budget_word {
	/** A ring is due now (if the gate is open). */
	BH_BUDGET_DUE,
	/** A notice is out; nothing is to be done now. */
	BH_BUDGET_OUT,
	/** The time to park has come. */
	BH_BUDGET_PARK_NOW,
	/** Parked. */
	BH_BUDGET_PARKED,
};

/** The account of one group in one terminal. Zero: nothing was rung. */
struct bh_budget {
	/** Rings whose first byte was written. */
	unsigned rings;
	/** The last ring could not be proved. */
	bool is_unproved;
	/** Parked. */
	bool is_parked;
	/** When the last ring was proved, or became uncertain. */
	uint64_t rung_ms;
	/** Since when the terminal has been idle after the ring; 0: it has not. */
	uint64_t idle_since_ms;
};

/** The first byte of a notice is about to be written. */
void bh_budget_begin(struct bh_budget *budget);

/** It was proved; or (@is_proved false) its limit for the proof passed, or it was taken back. */
void bh_budget_rung(struct bh_budget *budget, bool is_proved, uint64_t now_ms);

/** The terminal is idle or completed (@is_free), or not. Call it at each change. */
void bh_budget_state(struct bh_budget *budget, bool is_free, uint64_t now_ms);

/** A person asked for a ring: the whole budget is there again, parked or not. */
void bh_budget_ask(struct bh_budget *budget);

/** The group is parked now. */
void bh_budget_park(struct bh_budget *budget);

/** What the budget says now. */
enum bh_budget_word bh_budget_now(const struct bh_budget *budget, uint64_t now_ms);

/** When bh_budget_now() will say something else though nothing happens; 0: never. */
uint64_t bh_budget_next_ms(const struct bh_budget *budget);

#endif
