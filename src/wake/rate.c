#include "src/wake/rate.h"

uint64_t bh_rate_free_ms(const struct bh_rate *rate, uint64_t now_ms)
{
	uint64_t free_ms;

	if (rate->count < rate->max) {
		return 0;
	}
	free_ms = rate->times[rate->next] + rate->window_ms;
	return free_ms > now_ms ? free_ms : 0;
}

void bh_rate_count(struct bh_rate *rate, uint64_t now_ms)
{
	rate->times[rate->next] = now_ms;
	rate->next = (rate->next + 1) % rate->max;
	if (rate->count < rate->max) {
		rate->count++;
	}
}

uint64_t bh_rate_last_ms(const struct bh_rate *rate)
{
	return rate->count == 0 ? 0 : rate->times[(rate->next + rate->max - 1) % rate->max];
}
