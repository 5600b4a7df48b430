#include "drift.h"

// Whether nobody vouches for what the program does; a start that never ends is no start.
static bool is_unknown(enum bh_state state)
{
	return state == BH_STATE_UNKNOWN || state == BH_STATE_STARTING;
}

static void drift_begin(struct bh_drift *drift, enum bh_state state, uint64_t now_ms)
{
	if (!drift->is_noted) {
		drift->is_noted = true;
		drift->first_ms = now_ms;
		drift->noted_ms = now_ms;
		drift->state = state;
	} else if (!drift->has_begun && now_ms - drift->first_ms > BH_DRIFT_START_MS) {
		drift->has_begun = true;
		drift->noted_ms = drift->first_ms + BH_DRIFT_START_MS;
	}
}

void bh_drift_note(struct bh_drift *drift, enum bh_state state, uint64_t now_ms)
{
	drift_begin(drift, state, now_ms);
	if (drift->has_begun && drift->state != BH_STATE_EXITED && now_ms > drift->noted_ms) {
		drift->watched_ms += now_ms - drift->noted_ms;
		drift->unknown_ms += is_unknown(drift->state) ? now_ms - drift->noted_ms : 0;
	}
	if (drift->watched_ms > 2 * BH_DRIFT_HALF_MS) {
		drift->watched_ms /= 2;
		drift->unknown_ms /= 2;
	}
	drift->has_begun = drift->has_begun || state != BH_STATE_STARTING;
	drift->state = state;
	drift->noted_ms = now_ms;
}

void bh_drift_add(struct bh_drift *drift, const struct bh_drift *other)
{
	drift->watched_ms += other->watched_ms;
	drift->unknown_ms += other->unknown_ms;
}

unsigned bh_drift_percent(const struct bh_drift *drift)
{
	if (drift->watched_ms < BH_DRIFT_LEAST_MS) {
		return 0;
	}
	return (unsigned)(drift->unknown_ms * 100 / drift->watched_ms);
}
