/** @file
 * A sliding limit: so many events in so much time. Pure; time comes in as monotonic milliseconds. The
 * guards of doc/CONTRACT.md section 8 count waking messages of a pair and typings after a resume by it.
 */
#ifndef BH_WAKE_RATE_H
#define BH_WAKE_RATE_H

#include <stdint.h>

/** Most events that a limit may count. */
#define BH_RATE_MAX 30

/** Waking messages of an ordered pair: so many in so much time (ms). */
#define BH_RATE_PAIR 30
/** See BH_RATE_PAIR. */
#define BH_RATE_PAIR_MS 60000
/** Typings that begin after a start, a restart or a suspend, in the whole session: so many ... */
#define BH_RATE_RESUME 4
/** ... in so much time (ms), ... */
#define BH_RATE_RESUME_MS 1000
/** ... for so long (ms). */
#define BH_RATE_RESUME_FOR_MS 30000

/** A limit of @max events in @window_ms. Set these two, the rest zero. */
struct bh_rate {
	/** At most BH_RATE_MAX. */
	unsigned max;
	/** See above. */
	uint64_t window_ms;
	/** When the last events were, a ring; @next is the place of the oldest once it is full. */
	uint64_t times[BH_RATE_MAX];
	/** See times. */
	unsigned next;
	/** Events so far, at most max. */
	unsigned count;
};

/** When the next event may be: 0 for now, else a time after @now_ms. */
uint64_t bh_rate_free_ms(const struct bh_rate *rate, uint64_t now_ms);

/** An event is now, whether it was free or not. */
void bh_rate_count(struct bh_rate *rate, uint64_t now_ms);

/** The time of the last event; 0: there was none. */
uint64_t bh_rate_last_ms(const struct bh_rate *rate);

#endif
