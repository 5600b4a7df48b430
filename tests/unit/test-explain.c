// The explanation of a judgement: verdict, evidence, rules, and what is missing, in JSON and in lines.
#include "src/agent/judge.h"
#include "src/agent/profile.h"
#include "src/base/mem.h"
#include "term/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#define RULE "────────────────────────────────────────────────────────────"
#define IDLE \
	"\x1b[?2004h\x1b[2J\x1b[6;1H" RULE "\x1b[7;1H❯\u00a0\x1b[8;1H" RULE \
	"\x1b[9;1H  ⏵⏵ auto mode on (shift+tab to cycle)\x1b[7;3H"

/** A judge of Claude Code, its screen, a clock, and the last explanation. */
struct desk {
	struct bh_profiles *set;
	struct bh_screen *screen;
	struct bh_judge *judge;
	uint64_t now_ms;
	cJSON *told;
};

static int desk_open(void **state)
{
	struct bh_screen_settings settings = {.cols = 60, .rows = 10};
	struct desk *desk = bh_xmalloc(sizeof *desk);

	desk->set = bh_profiles_load(NULL, NULL, NULL);
	desk->screen = bh_screen_new(&settings);
	desk->now_ms = 100000;
	desk->judge = bh_judge_new(bh_profiles_find(desk->set, "claude"), desk->now_ms);
	*state = desk;
	return 0;
}

static int desk_close(void **state)
{
	struct desk *desk = *state;

	cJSON_Delete(desk->told);
	bh_judge_free(desk->judge);
	bh_screen_free(desk->screen);
	bh_profiles_free(desk->set);
	free(desk);
	return 0;
}

static void explain(struct desk *desk, uint64_t after_ms)
{
	cJSON_Delete(desk->told);
	desk->now_ms += after_ms;
	desk->told = bh_judge_explain(desk->judge, desk->screen, desk->now_ms);
}

static void shows(struct desk *desk, const char *bytes)
{
	bh_screen_feed(desk->screen, bytes, strlen(bytes), desk->now_ms);
	bh_judge_output(desk->judge, desk->screen, desk->now_ms);
	explain(desk, 0);
}

static const char *text_of(const cJSON *object, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

	return text ? text : "(none)";
}

static double number_of(const cJSON *object, const char *key)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);

	assert_true(cJSON_IsNumber(value));
	return value->valuedouble;
}

/** The item of the list @list whose member @key is @value. */
static const cJSON *item_of(const struct desk *desk, const char *list, const char *key,
                            const char *value)
{
	const cJSON *item = NULL;

	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(desk->told, list))
	{
		if (strcmp(text_of(item, key), value) == 0) {
			return item;
		}
	}
	fail_msg("no %s with %s %s", list, key, value);
	return NULL;
}

static bool is_missing(const struct desk *desk, const char *sentence)
{
	const cJSON *item = NULL;

	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(desk->told, "missing"))
	{
		if (strcmp(item->valuestring, sentence) == 0) {
			// The lines for a person say it too.
			assert_non_null(strstr(text_of(desk->told, "text"), sentence));
			return true;
		}
	}
	return false;
}

static void the_verdict_is_told(void **state)
{
	struct desk *desk = *state;

	shows(desk, IDLE);
	explain(desk, 1000);
	explain(desk, 2500);
	assert_string_equal(text_of(desk->told, "profile"), "claude");
	assert_string_equal(text_of(desk->told, "profile_origin"), "built-in");
	assert_string_equal(text_of(desk->told, "state"), "idle");
	assert_true(number_of(desk->told, "state_age_s") == 2.5);
	assert_string_equal(text_of(desk->told, "authority"), "screen");
	assert_string_equal(text_of(desk->told, "composer"), "empty");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(desk->told, "typable")));
	assert_null(cJSON_GetObjectItem(desk->told, "reason"));
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(desk->told, "missing")), 0);
	assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(desk->told, "why")) > 0);
	assert_non_null(strstr(text_of(desk->told, "text"),
	                       "idle for 2.5 s, by screen; typable\nprofile claude (built-in"));
	assert_null(strstr(text_of(desk->told, "text"), "in the way"));
}

static void evidence_has_an_age_and_an_end(void **state)
{
	struct desk *desk = *state;
	const cJSON *item;

	shows(desk, IDLE);
	explain(desk, 1000);
	bh_judge_person(desk->judge, "\x1b[A", 3, desk->now_ms);
	explain(desk, 1000);
	item = item_of(desk, "evidence", "name", "keys");
	assert_string_equal(text_of(item, "source"), "time");
	assert_string_equal(text_of(item, "says"), "none");
	assert_string_equal(text_of(item, "detail"), "of a person");
	assert_string_equal(text_of(item, "gate"), "human_typing");
	assert_true(number_of(item, "age_s") == 1.0);
	assert_true(number_of(item, "ends_in_s") == 2.0);
	assert_string_equal(text_of(desk->told, "reason"), "human_typing");
	assert_true(is_missing(desk, "keys of a person says human_typing"));
	item = item_of(desk, "evidence", "name", "composer");
	assert_null(cJSON_GetObjectItem(item, "gate"));
	assert_null(cJSON_GetObjectItem(item, "ends_in_s"));
}

static void matching_rules_are_told_with_their_row(void **state)
{
	struct desk *desk = *state;
	const cJSON *item;

	shows(desk, IDLE "\x1b[5;1H✽ Brewing… (3s)\x1b[7;3H");
	item = item_of(desk, "rules", "rule", "spinner");
	assert_string_equal(text_of(item, "says"), "working");
	assert_string_equal(text_of(item, "region"), "above");
	assert_true(number_of(item, "row") == -6);
	assert_true(strlen(text_of(item, "why")) > 10);
	assert_true(is_missing(desk, "rule spinner row -6 says working"));
	assert_string_equal(text_of(desk->told, "reason"), "working");
}

static void what_is_missing_is_a_sentence(void **state)
{
	struct desk *desk = *state;

	explain(desk, 0);
	assert_true(is_missing(desk, "no composer was found on the screen"));
	assert_false(is_missing(desk, "the program has exited"));
	shows(desk, IDLE "x\x1b[7;4H");
	assert_true(is_missing(desk, "the composer holds text"));
	assert_false(is_missing(desk, "no composer was found on the screen"));
	bh_judge_exited(desk->judge, 0, desk->now_ms);
	explain(desk, 10);
	assert_true(is_missing(desk, "the program has exited"));
}

static void a_profile_without_typing_says_so(void **state)
{
	struct desk *desk = *state;

	bh_judge_free(desk->judge);
	desk->judge = bh_judge_new(bh_profiles_find(desk->set, "generic"), desk->now_ms);
	explain(desk, 0);
	assert_true(is_missing(desk, "the profile does not allow typing"));
	assert_string_equal(text_of(desk->told, "reason"), "typing_off");
}

static void an_untried_version_is_told(void **state)
{
	struct desk *desk = *state;

	explain(desk, 0);
	assert_string_equal(text_of(desk->told, "version"), "");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(desk->told, "supported")));
	shows(desk, "Claude Code v9.0\r\n");
	assert_string_equal(text_of(desk->told, "version"), "9.0");
	assert_false(cJSON_IsTrue(cJSON_GetObjectItem(desk->told, "supported")));
	assert_non_null(strstr(text_of(desk->told, "text"),
	                       "program version 9.0: the profile's rules were not tried on it\n"));
}

#define desk_test(name) cmocka_unit_test_setup_teardown(name, desk_open, desk_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		desk_test(the_verdict_is_told),
		desk_test(evidence_has_an_age_and_an_end),
		desk_test(matching_rules_are_told_with_their_row),
		desk_test(what_is_missing_is_a_sentence),
		desk_test(a_profile_without_typing_says_so),
		desk_test(an_untried_version_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
