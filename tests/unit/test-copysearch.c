// Finding text in all rows.
#include "src/ui/copysearch.h"

#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static long find(const char *text, bool is_pattern, const char *all, size_t from, bool is_up)
{
	struct bh_copysearch search = {0};
	struct bh_copysearch_budget budget = {0};
	struct bh_copysearch_run run;
	struct bh_copysearch_match match;
	long at = -1;

	assert_int_equal(bh_copysearch_set(&search, bh_span_of(text), is_pattern, NULL), 0);
	bh_copysearch_start(&run, bh_span_of(all), from, is_up);
	if (bh_copysearch_go(&search, &run, bh_span_of(all), &budget, &match) ==
	    BH_COPYSEARCH_FOUND) {
		at = (long)match.at;
		assert_true(match.len > 0 && match.at + match.len <= strlen(all));
	}
	bh_copysearch_clear(&search);
	return at;
}

static long next(const char *text, const char *all, size_t from)
{
	return find(text, false, all, from, false);
}

static long previous(const char *text, const char *all, size_t before)
{
	return find(text, false, all, before, true);
}

static long next_pattern(const char *text, const char *all, size_t from)
{
	return find(text, true, all, from, false);
}

static long previous_pattern(const char *text, const char *all, size_t before)
{
	return find(text, true, all, before, true);
}

static void the_nearest_is_found(void **state)
{
	(void)state;
	assert_int_equal(next("ab", "xabxab", 0), 1);
	assert_int_equal(next("ab", "xabxab", 1), 1);
	assert_int_equal(next("ab", "xabxab", 2), 4);
	assert_int_equal(next("ab", "xabxab", 5), -1);
	assert_int_equal(next("ab", "xabxab", 99), -1);
	assert_int_equal(previous("ab", "xabxab", 6), 4);
	assert_int_equal(previous("ab", "xabxab", 4), 1);
	assert_int_equal(previous("ab", "xabxab", 1), -1);
	assert_int_equal(previous("aa", "aaaa", 4), 2);
	assert_int_equal(next("", "abc", 0), -1);
	assert_int_equal(previous("", "abc", 3), -1);
}

static void case_counts_only_with_a_capital(void **state)
{
	(void)state;
	assert_int_equal(next("error", "an ERROR", 0), 3);
	assert_int_equal(next("Error", "error Error", 0), 6);
	assert_int_equal(next("\u00e9t\u00e9", "l'\u00e9T\u00e9", 0), 2);
}

static void patterns_are_found_line_by_line(void **state)
{
	static const char all[] = "one 12345 two 67\n\nthree 89\nfour";

	(void)state;
	assert_int_equal(next_pattern("[0-9]+", all, 0), 4);
	assert_int_equal(next_pattern("[0-9]+", all, 4), 4);
	assert_int_equal(next_pattern("[0-9]+", all, 5), 14); // not what is left of the first
	assert_int_equal(next_pattern("[0-9]+", all, 15), 24);
	assert_int_equal(next_pattern("[0-9]+", all, 25), -1);
	assert_int_equal(previous_pattern("[0-9]+", all, sizeof(all) - 1), 24);
	assert_int_equal(previous_pattern("[0-9]+", all, 24), 14);
	assert_int_equal(previous_pattern("[0-9]+", all, 14), 4);
	assert_int_equal(previous_pattern("[0-9]+", all, 4), -1);
	assert_int_equal(previous_pattern("[0-9]+", all, 0), -1);
	// Lines begin and end where the text has a newline, and nothing goes across.
	assert_int_equal(next_pattern("^t", all, 0), 18);
	assert_int_equal(next_pattern("67$", all, 0), 14);
	assert_int_equal(next_pattern("67[^x]*three", all, 0), -1);
	assert_int_equal(previous_pattern("r$", all, 99), 30);
	assert_int_equal(next_pattern("x", "", 0), -1);
	assert_int_equal(previous_pattern("x.", "", 0), -1);
}

static void capitals_count_but_not_those_of_a_class(void **state)
{
	(void)state;
	assert_int_equal(next_pattern("er+or", "an ERROR", 0), 3);
	assert_int_equal(next_pattern("Er+or", "an ERROR", 0), -1);
	assert_int_equal(next_pattern("\\Serror", "a XERROR", 0), 2);
	assert_int_equal(next_pattern("a.\u6f22", "b \u6f22 A\u5b57\u6f22", 0), 6);
}

static bool is_always_over(void *user)
{
	++*(int *)user;
	return true;
}

static void a_look_can_be_had_in_parts(void **state)
{
	struct bh_copysearch search = {0};
	int parts = 0;
	struct bh_copysearch_budget budget = {.user = &parts, .is_over = is_always_over};
	struct bh_span all = bh_span_of("none\nnone\nnone\nsome 1\nnone");
	struct bh_span more = bh_span_of("new\nnone\nnone\nnone\nsome 1\nnone");
	struct bh_copysearch_match match = {0};
	struct bh_copysearch_run run;

	(void)state;
	assert_int_equal(bh_copysearch_set(&search, bh_span_of("[0-9]"), true, NULL), 0);
	bh_copysearch_start(&run, all, 0, false);
	assert_int_equal(bh_copysearch_go(&search, &run, all, &budget, &match), BH_COPYSEARCH_PART);
	assert_int_equal(bh_copysearch_go(&search, &run, all, &budget, &match), BH_COPYSEARCH_PART);
	bh_copysearch_shift(&run, 4);
	assert_int_equal(bh_copysearch_go(&search, &run, more, &budget, &match),
	                 BH_COPYSEARCH_PART);
	assert_int_equal(bh_copysearch_go(&search, &run, more, &budget, &match),
	                 BH_COPYSEARCH_FOUND);
	assert_int_equal(match.at, 24);
	assert_int_equal(parts, 3);
	// Behind it is nothing.
	while (bh_copysearch_go(&search, &run, more, &budget, &match) == BH_COPYSEARCH_PART) {
	}
	assert_int_equal(bh_copysearch_go(&search, &run, more, &budget, &match),
	                 BH_COPYSEARCH_NOWHERE);
	bh_copysearch_clear(&search);
}

static void a_long_line_is_looked_at_in_short_parts(void **state)
{
	enum {
		LEN = 200000,
		PART_MAX = 64
	};
	struct bh_copysearch search = {0};
	int parts = 0;
	struct bh_copysearch_budget budget = {.user = &parts, .is_over = is_always_over};
	char *line = bh_xmalloc(LEN);
	struct bh_span all = {line, LEN};
	struct bh_copysearch_match match = {0};
	struct bh_copysearch_run run;

	(void)state;
	memset(line, 'a', LEN);
	// From each beginning all of the line is looked at, and no step of that is ever taken back.
	assert_int_equal(
		bh_copysearch_set(&search, bh_span_of("(?=[^b]*+)(?=[^b]*+)x|y"), true, NULL), 0);
	bh_copysearch_start(&run, all, 0, false);
	for (size_t at = 0; parts < 3; at = run.at) {
		assert_int_equal(bh_copysearch_go(&search, &run, all, &budget, &match),
		                 BH_COPYSEARCH_PART);
		assert_in_range(run.at, at + 1, at + PART_MAX);
	}
	bh_copysearch_clear(&search);
	free(line);
}

static void what_takes_too_long_is_given_up(void **state)
{
	enum {
		LINES = 60,
		LINE = 64
	};
	char all[LINES * LINE + 1];

	(void)state;
	memset(all, 'a', sizeof(all));
	for (int i = 1; i <= LINES; i++) {
		all[i * LINE - 1] = '\n';
	}
	all[sizeof(all) - 1] = '\0';
	for (int is_up = 0; is_up < 2; is_up++) {
		struct bh_copysearch search = {0};
		struct bh_copysearch_budget budget = {0};
		struct bh_copysearch_match match = {0};
		struct bh_copysearch_run run;

		(void)bh_copysearch_set(&search, bh_span_of("(a+)+(a+)+(a+)+[bc]"), true, NULL);
		bh_copysearch_start(&run, bh_span_of(all), is_up ? strlen(all) : 0, is_up);
		assert_int_equal(bh_copysearch_go(&search, &run, bh_span_of(all), &budget, &match),
		                 BH_COPYSEARCH_TOO_MUCH);
		bh_copysearch_clear(&search);
	}
}

static bool is_over_at_once(void *user)
{
	++*(int *)user;
	return true;
}

/** A line that all of its beginnings together take long for is looked at in short pieces, and what is in
 * it is found all the same. */
static void a_hard_line_is_looked_at_in_pieces(void **state)
{
	static const char all[] =
		"010000 build of module 230: compiling src/part18/file91881.c with all of its flags\n"
		"X";
	int pieces = 0;
	struct bh_copysearch_budget budget = {.user = &pieces, .is_over = is_over_at_once};
	struct bh_copysearch search = {0};
	struct bh_copysearch_match match = {0};
	struct bh_copysearch_run run;
	enum bh_copysearch_result result = BH_COPYSEARCH_PART;

	(void)state;
	(void)bh_copysearch_set(&search, bh_span_of("([a-z/]+)+[0-9]*(\\w+)+[XY]|X$"), true, NULL);
	bh_copysearch_start(&run, bh_span_of(all), 0, false);
	while (result == BH_COPYSEARCH_PART) {
		result = bh_copysearch_go(&search, &run, bh_span_of(all), &budget, &match);
	}
	assert_int_equal(result, BH_COPYSEARCH_FOUND);
	assert_int_equal(match.at, strlen(all) - 1);
	assert_true(pieces > 40);
	bh_copysearch_clear(&search);
	// An easy one is not.
	pieces = 0;
	(void)bh_copysearch_set(&search, bh_span_of("f.*9{3}[0-9]*$|X$"), true, NULL);
	bh_copysearch_start(&run, bh_span_of(all), 0, false);
	do {
		result = bh_copysearch_go(&search, &run, bh_span_of(all), &budget, &match);
	} while (result == BH_COPYSEARCH_PART);
	assert_int_equal(result, BH_COPYSEARCH_FOUND);
	assert_int_equal(pieces, 1);
	bh_copysearch_clear(&search);
}

static void no_pattern_is_never_found(void **state)
{
	struct bh_copysearch search = {0};
	struct bh_copysearch copy = {0};
	struct bh_err err = {0};

	(void)state;
	assert_int_equal(bh_copysearch_set(&search, bh_span_of("a("), true, &err), BH_EINVALID);
	assert_non_null(strstr(err.text, "missing closing parenthesis"));
	assert_int_equal(search.len, 0);
	// As text it is looked for as it is.
	assert_int_equal(next("a(", "a a( b", 0), 2);
	assert_int_equal(bh_copysearch_set(&search, bh_span_of("[Aa]b"), true, &err), 0);
	bh_copysearch_copy(&copy, &search);
	assert_non_null(copy.pattern);
	assert_ptr_not_equal(copy.pattern, search.pattern);
	assert_false(copy.is_folded);
	bh_copysearch_clear(&copy);
	bh_copysearch_clear(&search);
}

/** A pattern at the seams of the pieces of a line of wide characters. */
static void long_lines_have_no_seams(void **state)
{
	enum {
		SIZE = 30000
	};
	char *all = bh_xmalloc(SIZE + 1);

	(void)state;
	for (size_t at = 4080; at < 4104; at += 3) {
		for (size_t i = 0; i < SIZE; i += 3) {
			memcpy(all + i, "\u6f22", 3);
		}
		all[SIZE] = '\0';
		memcpy(all + at, "needle", 6);
		assert_int_equal(next_pattern("ne+dle", all, 0), at);
		assert_int_equal(previous_pattern("ne+dle", all, SIZE), at);
		assert_int_equal(previous_pattern("\u6f22{2}ne+dle", all, at), at - 6);
	}
	free(all);
}

/** Text at the seams of the pieces in which all text is looked at. */
static void long_text_has_no_seams(void **state)
{
	enum {
		SIZE = 100000
	};
	char *all = bh_xmalloc(SIZE + 1);

	(void)state;
	for (size_t at = 16380; at < 16390; at++) {
		memset(all, '.', SIZE);
		memcpy(all + at, "needle", 6);
		assert_int_equal(next("needle", all, 0), at);
		assert_int_equal(previous("needle", all, SIZE), at);
		memcpy(all + SIZE - at, "needle", 6);
		assert_int_equal(previous("NEEDLE", all, SIZE), -1);
		assert_int_equal(previous("needle", all, SIZE), SIZE - at);
	}
	free(all);
}

static void what_is_too_long_is_cut(void **state)
{
	struct bh_copysearch search = {0};
	char text[BH_COPYSEARCH_MAX + 2];

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(text + BH_COPYSEARCH_MAX - 1, "\u00e9", 2);
	assert_int_equal(
		bh_copysearch_set(&search, (struct bh_span){text, sizeof(text)}, false, NULL), 0);
	assert_int_equal(search.len, BH_COPYSEARCH_MAX - 1);
	bh_copysearch_clear(&search);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_is_found),
		cmocka_unit_test(case_counts_only_with_a_capital),
		cmocka_unit_test(patterns_are_found_line_by_line),
		cmocka_unit_test(capitals_count_but_not_those_of_a_class),
		cmocka_unit_test(a_look_can_be_had_in_parts),
		cmocka_unit_test(a_long_line_is_looked_at_in_short_parts),
		cmocka_unit_test(what_takes_too_long_is_given_up),
		cmocka_unit_test(a_hard_line_is_looked_at_in_pieces),
		cmocka_unit_test(no_pattern_is_never_found),
		cmocka_unit_test(long_lines_have_no_seams),
		cmocka_unit_test(long_text_has_no_seams),
		cmocka_unit_test(what_is_too_long_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
