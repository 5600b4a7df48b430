#include "src/agent/drift.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void time_in_unknown_is_counted(void **state)
{
	struct bh_drift drift = {0};

	(void)state;
	bh_drift_note(&drift, BH_STATE_IDLE, 1000);
	bh_drift_note(&drift, BH_STATE_UNKNOWN, 76000);
	bh_drift_note(&drift, BH_STATE_WORKING, 101000);
	assert_int_equal(drift.watched_ms, 100000);
	assert_int_equal(bh_drift_percent(&drift), 25);
}

static void a_start_and_an_end_are_no_drift(void **state)
{
	struct bh_drift drift = {0};

	(void)state;
	bh_drift_note(&drift, BH_STATE_STARTING, 0);
	bh_drift_note(&drift, BH_STATE_STARTING, 50000);
	assert_int_equal(drift.watched_ms, 0);
	bh_drift_note(&drift, BH_STATE_IDLE, 55000);
	bh_drift_note(&drift, BH_STATE_EXITED, 155000);
	bh_drift_note(&drift, BH_STATE_EXITED, 900000);
	assert_int_equal(drift.watched_ms, 100000);
	assert_int_equal(bh_drift_percent(&drift), 0);
}

static void a_start_that_never_ends_is_drift(void **state)
{
	struct bh_drift drift = {0};

	(void)state;
	bh_drift_note(&drift, BH_STATE_STARTING, 1000);
	bh_drift_note(&drift, BH_STATE_STARTING, 1000 + BH_DRIFT_START_MS + 90000);
	assert_int_equal(drift.watched_ms, 90000);
	assert_int_equal(bh_drift_percent(&drift), 100);
}

static void little_time_says_nothing(void **state)
{
	struct bh_drift drift = {0};

	(void)state;
	bh_drift_note(&drift, BH_STATE_UNKNOWN, 0);
	bh_drift_note(&drift, BH_STATE_UNKNOWN, BH_DRIFT_LEAST_MS - 1);
	assert_int_equal(bh_drift_percent(&drift), 0);
	bh_drift_note(&drift, BH_STATE_UNKNOWN, BH_DRIFT_LEAST_MS);
	assert_int_equal(bh_drift_percent(&drift), 100);
}

static void what_is_long_ago_counts_less(void **state)
{
	struct bh_drift drift = {0};
	uint64_t now_ms = 0;

	(void)state;
	bh_drift_note(&drift, BH_STATE_IDLE, now_ms);
	for (int day = 0; day < 24 * 60; day++) { // a day that was well
		now_ms += 60000;
		bh_drift_note(&drift, BH_STATE_IDLE, now_ms);
	}
	assert_int_equal(bh_drift_percent(&drift), 0);
	bh_drift_note(&drift, BH_STATE_UNKNOWN, now_ms);
	now_ms += 15 * 60000;
	bh_drift_note(&drift, BH_STATE_UNKNOWN, now_ms);
	assert_true(bh_drift_percent(&drift) >= BH_DRIFT_LIMIT_PERCENT);
}

static void several_terminals_are_put_together(void **state)
{
	struct bh_drift all = {0};
	const struct bh_drift good = {.watched_ms = 90000, .unknown_ms = 0};
	const struct bh_drift bad = {.watched_ms = 10000, .unknown_ms = 10000};

	(void)state;
	bh_drift_add(&all, &good);
	bh_drift_add(&all, &bad);
	assert_int_equal(bh_drift_percent(&all), 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_in_unknown_is_counted),
		cmocka_unit_test(a_start_and_an_end_are_no_drift),
		cmocka_unit_test(a_start_that_never_ends_is_drift),
		cmocka_unit_test(little_time_says_nothing),
		cmocka_unit_test(what_is_long_ago_counts_less),
		cmocka_unit_test(several_terminals_are_put_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
