#include "src/wake/budget.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void the_first_ring_is_due_at_once(void **state)
{
	struct bh_budget budget = {0};

	(void)state;
	assert_int_equal(bh_budget_now(&budget, 1), BH_BUDGET_DUE);
	assert_int_equal(bh_budget_next_ms(&budget), 0);
}

static void a_proved_ring_waits_for_idle_that_holds(void **state)
{
	struct bh_budget budget = {0};

	(void)state;
	bh_budget_begin(&budget);
	assert_int_equal(bh_budget_now(&budget, 1000), BH_BUDGET_OUT);
	bh_budget_rung(&budget, true, 1000);
	// Its turn may take for ever: no retry while it works.
	bh_budget_state(&budget, false, 1500);
	assert_int_equal(bh_budget_now(&budget, 10000000), BH_BUDGET_OUT);
	assert_int_equal(bh_budget_next_ms(&budget), 0);
	// Idle that does not hold starts anew.
	bh_budget_state(&budget, true, 20000000);
	bh_budget_state(&budget, false, 20030000);
	bh_budget_state(&budget, true, 20040000);
	bh_budget_state(&budget, true, 20050000);
	assert_int_equal(bh_budget_next_ms(&budget), 20100000);
	assert_int_equal(bh_budget_now(&budget, 20099999), BH_BUDGET_OUT);
	assert_int_equal(bh_budget_now(&budget, 20100000), BH_BUDGET_DUE);
}

static void an_unproved_ring_is_retried_after_a_minute(void **state)
{
	struct bh_budget budget = {0};

	(void)state;
	bh_budget_begin(&budget);
	bh_budget_rung(&budget, false, 5000);
	assert_int_equal(bh_budget_now(&budget, 64999), BH_BUDGET_OUT);
	assert_int_equal(bh_budget_now(&budget, 65000), BH_BUDGET_DUE);
	assert_int_equal(bh_budget_next_ms(&budget), 65000);
}

static void after_the_retry_it_is_parked(void **state)
{
	struct bh_budget budget = {0};

	(void)state;
	bh_budget_begin(&budget);
	bh_budget_rung(&budget, true, 1000);
	bh_budget_state(&budget, true, 2000);
	bh_budget_begin(&budget);
	bh_budget_rung(&budget, true, 70000);
	bh_budget_state(&budget, true, 71000);
	assert_int_equal(bh_budget_now(&budget, 369999), BH_BUDGET_OUT);
	assert_int_equal(bh_budget_now(&budget, 370000), BH_BUDGET_PARK_NOW);
	bh_budget_park(&budget);
	assert_int_equal(bh_budget_now(&budget, 999999999), BH_BUDGET_PARKED);
	assert_int_equal(bh_budget_next_ms(&budget), 0);
	bh_budget_ask(&budget);
	assert_int_equal(bh_budget_now(&budget, 999999999), BH_BUDGET_DUE);
}

/** A plain generator, so that a failure can be run again. */
static uint32_t walk_next(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 16;
}

static void no_walk_rings_more_than_twice(void **state)
{
	(void)state;
	for (uint32_t start = 1; start <= 2000; start++) {
		struct bh_budget budget = {0};
		uint32_t seed = start;
		uint64_t now_ms = 1;
		unsigned rings = 0;

		for (int step = 0; step < 200; step++) {
			now_ms += walk_next(&seed) % 40000;
			switch (walk_next(&seed) % 4) {
			case 0:
				bh_budget_state(&budget, walk_next(&seed) % 2, now_ms);
				break;
			case 1:
				if (budget.rings > 0 && budget.rung_ms == 0) {
					bh_budget_rung(&budget, walk_next(&seed) % 2, now_ms);
				}
				break;
			default:
				break;
			}
			if (bh_budget_now(&budget, now_ms) == BH_BUDGET_DUE) {
				bh_budget_begin(&budget);
				rings++;
			}
			if (bh_budget_now(&budget, now_ms) == BH_BUDGET_PARK_NOW) {
				bh_budget_park(&budget);
			}
		}
		assert_true(rings >= 1 && rings <= BH_BUDGET_RINGS_MAX);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_ring_is_due_at_once),
		cmocka_unit_test(a_proved_ring_waits_for_idle_that_holds),
		cmocka_unit_test(an_unproved_ring_is_retried_after_a_minute),
		cmocka_unit_test(after_the_retry_it_is_parked),
		cmocka_unit_test(no_walk_rings_more_than_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
