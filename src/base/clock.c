#include "src/base/clock.h"

#include <stdio.h>
#include <time.h>

#define MS_PER_S 1000
#define NS_PER_MS 1000000

static int64_t clock_read_ms(clockid_t id)
{
	struct timespec at = {0};

	(void)clock_gettime(id, &at); // cannot fail for the clocks used here
	return (int64_t)at.tv_sec * MS_PER_S + at.tv_nsec / NS_PER_MS;
}

uint64_t bh_clock_mono_ms(void)
{
	return (uint64_t)clock_read_ms(CLOCK_MONOTONIC);
}

uint64_t bh_clock_boot_ms(void)
{
	return (uint64_t)clock_read_ms(CLOCK_BOOTTIME);
}

int64_t bh_clock_wall_ms(void)
{
	return clock_read_ms(CLOCK_REALTIME);
}

uint64_t bh_clock_cpu_ns(void)
{
	struct timespec at = {0};

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at); // as above
	return (uint64_t)at.tv_sec * MS_PER_S * NS_PER_MS + (uint64_t)at.tv_nsec;
}

const char *bh_clock_text(int64_t wall_ms, char out[BH_CLOCK_TEXT])
{
	int64_t ms = wall_ms % MS_PER_S;
	time_t seconds = (time_t)(wall_ms / MS_PER_S);
	struct tm parts = {0};
	size_t used;

	if (ms < 0) { // before 1970 the remainder is negative
		ms += MS_PER_S;
		seconds--;
	}
	if (gmtime_r(&seconds, &parts) == NULL) {
		(void)snprintf(out, BH_CLOCK_TEXT, "?");
		return out;
	}
	used = strftime(out, BH_CLOCK_TEXT, "%Y-%m-%dT%H:%M:%S", &parts);
	(void)snprintf(out + used, BH_CLOCK_TEXT - used, ".%03dZ", (int)ms); // fits to year 9999
	return out;
}
