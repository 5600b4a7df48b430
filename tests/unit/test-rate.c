#include "src/wake/rate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void thirty_in_a_minute_and_no_more(void **state)
{
	struct bh_rate rate = {.max = BH_RATE_PAIR, .window_ms = BH_RATE_PAIR_MS};

	(void)state;
	assert_int_equal(bh_rate_last_ms(&rate), 0);
	for (unsigned i = 0; i < 30; i++) {
		assert_int_equal(bh_rate_free_ms(&rate, 1000 + i), 0);
		bh_rate_count(&rate, 1000 + i);
	}
	assert_int_equal(bh_rate_last_ms(&rate), 1029);
	assert_int_equal(bh_rate_free_ms(&rate, 1030), 61000);
	assert_int_equal(bh_rate_free_ms(&rate, 60999), 61000);
	// The window slides: one place per event that falls out of it.
	assert_int_equal(bh_rate_free_ms(&rate, 61000), 0);
	bh_rate_count(&rate, 61000);
	assert_int_equal(bh_rate_free_ms(&rate, 61000), 61001);
	assert_int_equal(bh_rate_last_ms(&rate), 61000);
}

static void never_more_than_max_in_any_window(void **state)
{
	struct bh_rate rate = {.max = BH_RATE_RESUME, .window_ms = BH_RATE_RESUME_MS};
	uint64_t times[2000];
	size_t count = 0;

	(void)state;
	for (uint64_t now = 1; now < 20000; now += 7) {
		if (bh_rate_free_ms(&rate, now) == 0) {
			bh_rate_count(&rate, now);
			times[count++] = now;
		}
	}
	assert_in_range(count, 70, 80);
	for (size_t i = BH_RATE_RESUME; i < count; i++) {
		assert_true(times[i] - times[i - BH_RATE_RESUME] >= BH_RATE_RESUME_MS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thirty_in_a_minute_and_no_more),
		cmocka_unit_test(never_more_than_max_in_any_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
