// Profiles from JSON: each mistake is told with file, line and key.
// Covers: src/agent/profile_read, src/agent/json_read, src/base/json_place, src/agent/pattern.
#include "src/agent/pattern.h"
#include "src/agent/profile_data.h"
#include "src/base/err.h"
#include "src/base/json_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct bh_profile *read_text(const char *text, struct bh_err *err)
{
	return bh_profile_read(text, strlen(text), "x.json", err);
}

static void a_small_profile_is_read(void **state)
{
	struct bh_err err = {0};
	struct bh_profile *profile = read_text(
		"{\"profile\":\"x\",\"programs\":[\"x\"],\"typing\":{\"settle_ms\":7,\"release_ms\":9,"
		"\"clear_keys\":\"ab\",\"clear_repeat\":3},"
		"\"composer\":{\"prompt\":\"^> \"},\"regions\":{\"a\":{\"anchor\":\"end\","
		"\"first\":-2}},\"rules\":["
		"{\"name\":\"low\",\"says\":\"idle\",\"priority\":1,\"region\":\"a\",\"any\":[\"x\"]},"
		"{\"name\":\"high\",\"says\":\"working\",\"priority\":9,\"region\":\"a\","
		"\"all\":[\"y\"],\"sgr\":[\"dim\",\"not-bold\"]}]}",
		&err);

	(void)state;
	if (!profile) {
		fail_msg("%s", err.text);
	}
	assert_true(profile->typing.is_allowed);
	assert_int_equal(profile->typing.settle_ms, 7);
	assert_int_equal(profile->typing.release_ms, 9);
	assert_int_equal(profile->typing.echo_limit_ms, 5000); // where it says nothing
	assert_string_equal(profile->typing.clear_keys, "ababab");
	assert_string_equal(profile->rules[0].name, "high");
	assert_int_equal(profile->rules[0].ink_all, 1);
	assert_int_equal(profile->rules[0].ink_none, 2);
	assert_int_equal(profile->regions[0].first, -2);
	bh_profile_free(profile);
}

static void mistakes_are_told_with_line_and_key(void **state)
{
	static const struct {
		const char *text;
		const char *words;
	} cases[] = {
		{"{\n\"profile\": \"x\",\n}", "x.json:3: not valid JSON"},
		{"", "x.json:1: not valid JSON"},
		{"[]", "x.json:1: profile: must be an object"},
		{"{}", "x.json:1: profile: is missing"},
		{"{\"profile\":\"x\"} 1", "x.json:1: something follows"},
		{"{\n\"profile\":\"x\",\n\"colour\":1}", "x.json:3: colour: no such key"},
		{"{\"profile\":\n7}", "x.json:2: profile: must be a string"},
		{"{\"profile\":\"x\",\"programs\":\n[1]}",
	         "x.json:2: programs: must be a list of strings"},
		{"{\"profile\":\"x\",\"proof\":\"hope\"}",
	         "x.json:1: proof: \"hope\" is not one of"},
		{"{\"profile\":\"x\",\"typing\":{}}", "typing: needs a composer"},
		{"{\"profile\":\"x\",\"composer\":{}}", "composer.prompt: is missing"},
		{"{\"profile\":\"x\",\"composer\":{\n\"prompt\":\"(\"}}",
	         "x.json:2: composer.prompt: bad pattern at character 1"},
		{"{\"profile\":\"x\",\"timing\":{\"hold_ms\":-1}}",
	         "timing.hold_ms: must be a whole number from 0"},
		{"{\"profile\":\"x\",\"timing\":{\"hold_ms\":1.5}}", "timing.hold_ms: must be"},
		{"{\"profile\":\"x\",\"regions\":{\"a\":{\"anchor\":\"side\"}}}",
	         "regions.a.anchor: \"side\" is not one of bottom, end"},
		{"{\"profile\":\"x\",\"rules\":[{\"name\":\"r\",\"says\":\"idle\",\"region\":\"a\","
	         "\"all\":[\"x\"]}]}",
	         "rules.0.region: there is no region \"a\""},
		{"{\"profile\":\"x\",\"regions\":{\"a\":{}},\"rules\":[\n{\"name\":\"q\","
	         "\"region\":\"a\",\"any\":[\"x\"]},\n{\"name\":\"r\",\"region\":\"a\",\n"
	         "\"any\":[\"x\",\n\"[\"]}]}",
	         "x.json:5: rules.1.any.1: bad pattern"},
		{"{\"profile\":\"x\",\"regions\":{\"a\":{}},\"rules\":[{\"name\":\"r\","
	         "\"region\":\"a\"}]}",
	         "rules.0: has none of all, any, choices"},
		{"{\"profile\":\"x\",\"regions\":{\"a\":{}},\"rules\":[{\"name\":\"r\","
	         "\"region\":\"a\",\"any\":[\"x\"],\"sgr\":[\"loud\"]}]}",
	         "rules.0.sgr: \"loud\" is not one of dim"},
		{"{\"profile\":\"x\",\"rules\":{}}", "rules: must be a list"},
		{"{\"profile\":\"x\",\"proof\":\"claude\",\"resume\":{\n\"words\":[\"-c\"]}}",
	         "x.json:2: resume.words: must hold {session} or {record}"},
		{"{\"profile\":\"x\",\"proof\":\"claude\",\"resume\":{}}",
	         "resume.words: must hold"},
		{"{\"profile\":\"x\",\"proof\":\"screen\",\"resume\":{\"words\":[\"{session}\"]}}",
	         "resume: needs a proof with records"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bh_err err = {0};

		assert_null(read_text(cases[i].text, &err));
		if (!strstr(err.text, cases[i].words)) {
			fail_msg("case %zu: \"%s\" does not say \"%s\"", i, err.text,
			         cases[i].words);
		}
		assert_null(read_text(cases[i].text, NULL));
	}
}

// A profile cut anywhere is refused; nothing is read beyond its end.
static void every_cut_is_refused(void **state)
{
	const struct bh_profile_source *source = &bh_profile_builtin[0];

	(void)state;
	for (size_t len = 0; len + 2 < source->len; len += 37) {
		char *copy = malloc(len ? len : 1);
		struct bh_err err = {0};

		memcpy(copy, source->bytes, len);
		assert_null(bh_profile_read(copy, len, "cut", &err));
		assert_int_equal(strncmp(err.text, "cut:", 4), 0);
		free(copy);
	}
}

static void builtin_profiles_say_why(void **state)
{
	(void)state;
	for (const struct bh_profile_source *at = bh_profile_builtin; at->name; at++) {
		struct bh_profile *profile =
			bh_profile_read((const char *)at->bytes, at->len, "built-in", NULL);

		assert_non_null(profile);
		assert_string_equal(profile->name, at->name);
		for (size_t i = 0; i < profile->rule_count; i++) {
			assert_true(strlen(profile->rules[i].why) > 10);
		}
		bh_profile_free(profile);
	}
}

static void places_are_found(void **state)
{
	static const char text[] = "{\n \"a\": [1,\n  {\"b\\\"}\": 2,\n \"c\": [[],\n {}, 5]}],\n"
				   " \"d\": true}";

	(void)state;
	assert_int_equal(bh_json_place_line(text, strlen(text), ""), 1);
	assert_int_equal(bh_json_place_line(text, strlen(text), "a"), 2);
	assert_int_equal(bh_json_place_line(text, strlen(text), "a.1"), 3);
	assert_int_equal(bh_json_place_line(text, strlen(text), "a.1.c"), 4);
	assert_int_equal(bh_json_place_line(text, strlen(text), "a.1.c.2"), 5);
	assert_int_equal(bh_json_place_line(text, strlen(text), "d"), 6);
	assert_int_equal(bh_json_place_line(text, strlen(text), "a.1.nothing"), 3);
}

// A pattern that backtracks for ever gives up and says that nothing is known.
static void a_pattern_has_a_work_limit(void **state)
{
	struct bh_pattern *pattern = bh_pattern_new("^(a+)+$", NULL);
	char text[64];
	size_t start;
	size_t end;

	(void)state;
	memset(text, 'a', sizeof text);
	text[63] = 'b';
	assert_int_equal(bh_pattern_find(pattern, text, sizeof text, &start, &end), BH_MATCH_LIMIT);
	assert_int_equal(bh_pattern_find(pattern, "x\naaa\ny", 7, &start, &end), BH_MATCH_YES);
	assert_int_equal(start, 2);
	assert_int_equal(end, 5);
	assert_int_equal(bh_pattern_find(pattern, "", 0, NULL, NULL), BH_MATCH_NO);
	bh_pattern_free(pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_small_profile_is_read),
		cmocka_unit_test(mistakes_are_told_with_line_and_key),
		cmocka_unit_test(every_cut_is_refused),
		cmocka_unit_test(builtin_profiles_say_why),
		cmocka_unit_test(places_are_found),
		cmocka_unit_test(a_pattern_has_a_work_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
