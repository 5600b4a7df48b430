// The arithmetic of the check: what counts as wrongly typable, and from when on.
#include "src/agent/replay_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

/** Typable from @from to @to in a stretch of @label that lasts from 1 s to 9 s. */
static struct bh_check stretch(const char *label, uint64_t from_ms, uint64_t to_ms)
{
	struct bh_check check;

	bh_check_begin(&check);
	bh_check_verdict(&check, BH_STATE_STARTING, false, 0);
	bh_check_marker(&check, label, 1000);
	bh_check_verdict(&check, BH_STATE_IDLE, true, from_ms);
	if (to_ms < 9000) {
		bh_check_verdict(&check, BH_STATE_IDLE, false, to_ms);
	}
	bh_check_marker(&check, "state:unsettled", 9000);
	bh_check_end(&check, 10000);
	return check;
}

static void graces_are_kept(void **state)
{
	static const struct {
		const char *label;
		uint64_t from_ms, to_ms, false_ms;
	} cases[] = {
		{"state:draft", 0, 1300, 0},         {"state:draft", 0, 1400, 100},
		{"state:awaiting", 5000, 5010, 10},  {"state:working", 0, 1700, 0},
		{"state:working", 0, 1900, 200},     {"state:idle", 0, 9000, 0},
		{"state:unsettled", 0, 9000, 0},     {"state:menu", 2000, 9000, 7000},
		{"state:starting", 7500, 9000, 0},   {"state:starting", 7000, 9000, 500},
		{"state:starting", 2000, 2100, 100},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bh_check check = stretch(cases[i].label, cases[i].from_ms, cases[i].to_ms);

		if (check.false_ms != cases[i].false_ms) {
			fail_msg("case %zu: %llu ms", i, (unsigned long long)check.false_ms);
		}
		assert_int_equal(check.false_events, cases[i].false_ms ? 1 : 0);
	}
}

static void idle_is_found_when_typable_at_its_end(void **state)
{
	struct bh_check found = stretch("state:idle", 8999, 9000);
	struct bh_check missed = stretch("state:idle", 2000, 8999);
	struct bh_check sum;

	(void)state;
	bh_check_begin(&sum);
	bh_check_add(&sum, &found);
	bh_check_add(&sum, &missed);
	assert_int_equal(found.idle_found, 1);
	assert_int_equal(missed.idle_found, 0);
	assert_true(bh_check_idle_recall(&sum) > 0.49 && bh_check_idle_recall(&sum) < 0.51);
	assert_non_null(strstr(missed.idle_missed, "9.0"));
}

static void shares_are_of_judged_time(void **state)
{
	struct bh_check check;
	cJSON *report;

	(void)state;
	bh_check_begin(&check);
	bh_check_verdict(&check, BH_STATE_WORKING, false, 0);
	bh_check_marker(&check, "state:awaiting", 1000);
	bh_check_verdict(&check, BH_STATE_AWAITING, false, 2500);
	bh_check_verdict(&check, BH_STATE_UNKNOWN, false, 5000);
	bh_check_end(&check, 5500);
	// From 1.5 s on: 1 s working, 2.5 s awaiting, 0.5 s unknown.
	assert_true(bh_check_awaiting_recall(&check) > 0.62 &&
	            bh_check_awaiting_recall(&check) < 0.63);
	assert_true(bh_check_unknown_share(&check) > 0.124 &&
	            bh_check_unknown_share(&check) < 0.126);
	report = bh_check_report(&check);
	assert_non_null(cJSON_GetObjectItem(
		cJSON_GetObjectItem(cJSON_GetObjectItem(report, "confusion_s"), "awaiting"),
		"unknown"));
	cJSON_Delete(report);
}

static void many_labels_do_no_harm(void **state)
{
	struct bh_check check;
	char label[] = "state:a-very-long-label-indeed";

	(void)state;
	bh_check_begin(&check);
	for (int letter = 'a'; letter <= 'z'; letter++) {
		label[6] = (char)letter;
		bh_check_marker(&check, label, (uint64_t)(letter - 'a') * 1000);
	}
	bh_check_end(&check, 30000);
	assert_int_equal(check.label_count, BH_CHECK_LABELS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(graces_are_kept),
		cmocka_unit_test(idle_is_found_when_typable_at_its_end),
		cmocka_unit_test(shares_are_of_judged_time),
		cmocka_unit_test(many_labels_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
