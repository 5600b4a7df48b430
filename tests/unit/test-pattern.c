// Patterns: lines, UTF-8, groups, errors with their place, and work that ends.
#include "src/agent/pattern.h"

#include "src/base/err.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static enum bh_match find(const char *pattern, const char *text, size_t *start, size_t *end)
{
	struct bh_pattern *compiled = bh_pattern_new(pattern, NULL);
	enum bh_match match;

	assert_non_null(compiled);
	match = bh_pattern_find(compiled, text, strlen(text), start, end);
	bh_pattern_free(compiled);
	return match;
}

static void edges_are_those_of_each_line(void **state)
{
	size_t start = 99;
	size_t end = 99;

	(void)state;
	assert_int_equal(find("^two$", "one\ntwo\nthree", &start, &end), BH_MATCH_YES);
	assert_int_equal(start, 4);
	assert_int_equal(end, 7);
	assert_int_equal(find("^wo$", "one\ntwo\nthree", NULL, NULL), BH_MATCH_NO);
	// A dot does not go over a line end; \z is the end of all.
	assert_int_equal(find("one.two", "one\ntwo", NULL, NULL), BH_MATCH_NO);
	assert_int_equal(find("two\\z", "one\ntwo\nthree", NULL, NULL), BH_MATCH_NO);
}

static void a_character_is_not_a_byte(void **state)
{
	size_t start = 0;
	size_t end = 0;

	(void)state;
	assert_int_equal(find("^.$", "❯", &start, &end), BH_MATCH_YES);
	assert_int_equal(end - start, strlen("❯"));
	assert_int_equal(find("[✢✳✶] x", "a ✳ x", &start, &end), BH_MATCH_YES);
	assert_int_equal(start, 2);
}

static void only_the_given_bytes_are_looked_at(void **state)
{
	struct bh_pattern *pattern = bh_pattern_new("cd", NULL);

	(void)state;
	assert_int_equal(bh_pattern_find(pattern, "abcd", 3, NULL, NULL), BH_MATCH_NO);
	assert_int_equal(bh_pattern_find(pattern, "abcd", 4, NULL, NULL), BH_MATCH_YES);
	bh_pattern_free(pattern);
	bh_pattern_free(NULL);
}

static void the_first_group_is_copied_and_cut_to_fit(void **state)
{
	struct bh_pattern *version = bh_pattern_new("v(\\d[\\w.]*)", NULL);
	struct bh_pattern *plain = bh_pattern_new("b+", NULL);
	struct bh_pattern *either = bh_pattern_new("x(\\d)?", NULL);
	char group[8] = "before";

	(void)state;
	assert_int_equal(bh_pattern_group(version, "none", 4, group, sizeof group), BH_MATCH_NO);
	assert_string_equal(group, "before");
	assert_int_equal(bh_pattern_group(version, "Code v2.1.3 ", 12, group, sizeof group),
	                 BH_MATCH_YES);
	assert_string_equal(group, "2.1.3");
	assert_int_equal(bh_pattern_group(version, "v2.1.33333333", 13, group, sizeof group),
	                 BH_MATCH_YES);
	assert_string_equal(group, "2.1.333");
	// Without a group, or with one that took no part, it is the whole match.
	assert_int_equal(bh_pattern_group(plain, "abba", 4, group, sizeof group), BH_MATCH_YES);
	assert_string_equal(group, "bb");
	assert_int_equal(bh_pattern_group(either, "ax", 2, group, sizeof group), BH_MATCH_YES);
	assert_string_equal(group, "x");
	bh_pattern_free(version);
	bh_pattern_free(plain);
	bh_pattern_free(either);
}

static void a_bad_pattern_tells_its_place(void **state)
{
	struct bh_err err = {0};

	(void)state;
	assert_null(bh_pattern_new("ab(c", &err));
	assert_non_null(strstr(err.text, "bad pattern at character 4: "));
	assert_null(bh_pattern_new("ab(c", NULL));
	// Single bytes of a character would break UTF-8.
	assert_null(bh_pattern_new("\\C", &err));
}

// The classic: without a limit this takes 2^40 steps.
static void the_work_of_a_match_ends(void **state)
{
	(void)state;
	assert_int_equal(find("^(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", NULL, NULL),
	                 BH_MATCH_LIMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges_are_those_of_each_line),
		cmocka_unit_test(a_character_is_not_a_byte),
		cmocka_unit_test(only_the_given_bytes_are_looked_at),
		cmocka_unit_test(the_first_group_is_copied_and_cut_to_fit),
		cmocka_unit_test(a_bad_pattern_tells_its_place),
		cmocka_unit_test(the_work_of_a_match_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
