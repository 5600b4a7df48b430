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
	assert_int_equal(verdict.by, BH_PATH_TERMINAL);
	evidence.gate = BH_REASON_WORKING;
	evidence.is_behind_notice = true;
	verdict = bh_tier_judge(&evidence);
	assert_int_equal(verdict.by, BH_PATH_NOTICE);
	assert_int_equal(verdict.tier, BH_TIER_GUARANTEED);
	evidence.gate = BH_REASON_PARKED; // no notice carries it now
	assert_int_equal(bh_tier_judge(&evidence).by, BH_PATH_INBOX_ONLY);
	evidence.gate = BH_REASON_WORKING;
	verdict = bh_tier_judge(&evidence);
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

static void a_reader_is_free_whatever_the_screen_shows(void **state)
{
	struct bh_tier_evidence evidence = proved();
	struct bh_tier_verdict verdict;

	(void)state;
	evidence.has_channel = true;
	evidence.channel_proved_ms = 3000;
	evidence.gate = BH_REASON_WORKING;
	verdict = bh_tier_judge(&evidence);
	assert_int_equal(verdict.tier, BH_TIER_GUARANTEED);
	assert_int_equal(verdict.by, BH_PATH_CHANNEL);
	assert_int_equal(verdict.blocked, BH_REASON_NONE);
	assert_string_equal(verdict.last_proof, "channel");
	assert_int_equal(verdict.last_proof_ms, 3000);
	// People who want no disturbance stop a channel, but not a wait.
	evidence.gate = BH_REASON_DO_NOT_DISTURB;
	assert_int_equal(bh_tier_judge(&evidence).blocked, BH_REASON_DO_NOT_DISTURB);
	evidence.has_waiter = true;
	assert_int_equal(bh_tier_judge(&evidence).blocked, BH_REASON_NONE);
	assert_int_equal(bh_tier_judge(&evidence).by, BH_PATH_WAITER);
	// Where nothing can be typed, all hangs on the reader.
	evidence = (struct bh_tier_evidence){.has_channel = true};
	verdict = bh_tier_judge(&evidence);
	assert_int_equal(verdict.tier, BH_TIER_CONDITIONAL);
	assert_int_equal(verdict.condition_count, 2);
	assert_non_null(strstr(verdict.conditions[1], "not acknowledged anything yet"));
	assert_null(verdict.last_proof);
	evidence = (struct bh_tier_evidence){.has_terminal = true, .has_waiter = true};
	verdict = bh_tier_judge(&evidence);
	assert_int_equal(verdict.tier, BH_TIER_CONDITIONAL);
	assert_string_equal(verdict.conditions[0], "its wait stays open");
}

static void a_channel_that_failed_degrades(void **state)
{
	struct bh_tier_evidence evidence = proved();
	struct bh_tier_verdict verdict;

	(void)state;
	evidence.has_channel_failed = true;
	verdict = bh_tier_judge(&evidence);
	assert_int_equal(verdict.tier, BH_TIER_CONDITIONAL);
	assert_int_equal(verdict.by, BH_PATH_TERMINAL);
	assert_non_null(strstr(verdict.conditions[0], "channel was closed"));
	assert_string_equal(verdict.last_proof, "submission");
}

static void rules_that_do_not_fit_are_a_condition(void **state)
{
	struct bh_tier_evidence evidence = proved();
	struct bh_tier_verdict verdict;

	(void)state;
	evidence.unknown_percent = 9;
	verdict = bh_tier_judge(&evidence);
	assert_int_equal(verdict.tier, BH_TIER_GUARANTEED);
	assert_int_equal(verdict.unknown_percent, 9);
	evidence.unknown_percent = 10;
	verdict = bh_tier_judge(&evidence);
	assert_int_equal(verdict.tier, BH_TIER_CONDITIONAL);
	assert_int_equal(verdict.condition_count, 1);
	assert_non_null(strstr(verdict.conditions[0], "unknown"));
	assert_int_equal(verdict.proved_ms, 0);
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

static void one_typed_into_a_shell_is_told_what_to_do(void **state)
{
	struct bh_tier_evidence evidence = proved();
	struct bh_tier_verdict verdict;

	(void)state;
	evidence.can_type = false;
	evidence.is_watched = true;
	verdict = bh_tier_judge(&evidence);
	assert_int_equal(verdict.tier, BH_TIER_NONE);
	assert_int_equal(verdict.condition_count, 1);
	assert_non_null(strstr(verdict.conditions[0], "bellhop run"));
	evidence.has_waiter = true;
	verdict = bh_tier_judge(&evidence);
	assert_int_equal(verdict.tier, BH_TIER_CONDITIONAL);
	assert_int_equal(verdict.by, BH_PATH_WAITER);
	assert_int_equal(verdict.condition_count, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_proofs_in_this_terminal_guarantee),
		cmocka_unit_test(each_missing_proof_is_a_condition),
		cmocka_unit_test(a_reader_is_free_whatever_the_screen_shows),
		cmocka_unit_test(a_channel_that_failed_degrades),
		cmocka_unit_test(rules_that_do_not_fit_are_a_condition),
		cmocka_unit_test(nothing_to_type_into_is_none),
		cmocka_unit_test(one_typed_into_a_shell_is_told_what_to_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
