#include "src/server/courtesy.h"

#include <stdbool.h>

void bh_courtesy_type(struct bh_courtesy *courtesy, const void *terminal, uint64_t now_ms)
{
	courtesy->typed = terminal;
	courtesy->until_ms = now_ms + BH_COURTESY_TYPING_MS;
}

// Whether somebody types, and elsewhere.
static bool is_paced(const struct bh_courtesy *courtesy, const void *terminal, uint64_t now_ms)
{
	return courtesy->typed != NULL && courtesy->typed != terminal &&
	       now_ms < courtesy->until_ms;
}

size_t bh_courtesy_room(const struct bh_courtesy *courtesy, struct bh_courtesy_share *share,
                        const void *terminal, size_t whole, uint64_t now_ms)
{
	if (!is_paced(courtesy, terminal, now_ms)) {
		return whole;
	}
	if (now_ms - share->begun_ms >= BH_COURTESY_WINDOW_MS) {
		*share = (struct bh_courtesy_share){.begun_ms = now_ms};
	}
	return share->used < BH_COURTESY_BYTES ? BH_COURTESY_BYTES - share->used : 0;
}

uint64_t bh_courtesy_take(const struct bh_courtesy *courtesy, struct bh_courtesy_share *share,
                          const void *terminal, size_t bytes, uint64_t now_ms)
{
	uint64_t end_ms = share->begun_ms + BH_COURTESY_WINDOW_MS;

	share->used += bytes;
	if (!is_paced(courtesy, terminal, now_ms) || share->used < BH_COURTESY_BYTES) {
		return 0;
	}
	return end_ms > now_ms ? end_ms - now_ms : 0;
}
