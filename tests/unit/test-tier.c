#include "src/wake/tier.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct bh_tier_evidence proved(void)
{
	return (struct bh_tier_evidence){.has_terminal = true,
	                                 .can_type = true,
	                                 .mode = BH_MODE_MESSAGE,
	                                 .idle_proved_ms = 1000,
	                                 .submission_proved_ms = 2000};
}

static void both_proofs_in_this_terminal_guarantee(void **state)
{
	struct bh_tier_evidence evidence = proved();
	struct bh_tier_verdict verdict = bh_tier_judge(&evidence);

	(void)state;
	assert_int_equal(verdict.tier, BH_TIER_GUARANTEED);
	assert_int_equal(verdict.condition_count, 0);
	assert_int_equal(verdict.proved_ms, 2000);
	assert_int_equal(verdict.blocked, BH_REASON_NONE);
	evidence.gate = BH_REASON_WORKING;
	verdict = bh_tier_judge(&evidence);
	assert_int_equal(verdict.tier, BH_TIER_GUARANTEED);
	assert_int_equal(verdict.blocked, BH_REASON_WORKING);
}

static void each_missing_proof_is_a_condition(void **state)
{
	struct bh_tier_evidence evidence = proved();
	struct bh_tier_verdict verdict;

	(void)state;
	evidence.submission_proved_ms = 0;
	verdict = bh_tier_judge(&evidence);
	assert_int_equal(verdict.tier, BH_TIER_CONDITIONAL);
	assert_int_equal(verdict.condition_count, 1);
	assert_non_null(strstr(verdict.conditions[0], "submission"));
	assert_int_equal(verdict.proved_ms, 0);
	evidence.idle_proved_ms = 0;
	evidence.unproved = 1;
	evidence.mode = BH_MODE_NOTICE;
	verdict = bh_tier_judge(&evidence);
	assert_int_equal(verdict.condition_count, 4);
	evidence = proved();
	evidence.mode = BH_MODE_NOTICE;
	evidence.read_proved_ms = 3000;
	assert_int_equal(bh_tier_judge(&evidence).tier, BH_TIER_GUARANTEED);
}

static void nothing_to_type_into_is_none(void **state)
{
	struct bh_tier_evidence evidence = proved();

	(void)state;
	evidence.can_type = false;
	assert_int_equal(bh_tier_judge(&evidence).tier, BH_TIER_NONE);
	assert_int_equal(bh_tier_judge(&evidence).blocked, BH_REASON_TYPING_OFF);
	evidence = proved();
	evidence.mode = BH_MODE_OFF;
	assert_int_equal(bh_tier_judge(&evidence).tier, BH_TIER_NONE);
	evidence = proved();
	evidence.has_terminal = false;
	assert_int_equal(bh_tier_judge(&evidence).tier, BH_TIER_NONE);
	assert_int_equal(bh_tier_judge(&evidence).blocked, BH_REASON_NO_TERMINAL);
	evidence.is_respawning = true;
	assert_int_equal(bh_tier_judge(&evidence).tier, BH_TIER_CONDITIONAL);
	assert_int_equal(bh_tier_judge(&evidence).blocked, BH_REASON_STARTING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_proofs_in_this_terminal_guarantee),
		cmocka_unit_test(each_missing_proof_is_a_condition),
		cmocka_unit_test(nothing_to_type_into_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
