// Patterns in one line.
#include "src/ui/copypattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** What matches first in @line from @from on; "" for nothing, "!" for too much. */
static const char *find(const char *text, bool is_folded, const char *line, size_t from)
{
	static char found[256];
	struct bh_err err = {0};
	struct bh_copypattern *pattern = bh_copypattern_new(bh_span_of(text), is_folded, &err);
	size_t at = 0;
	size_t len = 0;

	assert_non_null(pattern);
	found[0] = '\0';
	switch (bh_copypattern_find(pattern, bh_span_of(line),
	                            (struct bh_copypattern_range){.from = from, .to = strlen(line)},
	                            &at, &len)) {
	case BH_COPYPATTERN_YES:
		assert_true(at >= from && at + len <= strlen(line) && len < sizeof(found));
		memcpy(found, line + at, len);
		found[len] = '\0';
		break;
	case BH_COPYPATTERN_TOO_MUCH:
		strcpy(found, "!");
		break;
	case BH_COPYPATTERN_NO:
		break;
	}
	bh_copypattern_free(pattern);
	return found;
}

static void what_is_a_pattern_is_known(void **state)
{
	(void)state;
	assert_false(bh_copypattern_is_one(bh_span_of("")));
	assert_false(bh_copypattern_is_one(bh_span_of("plain text, \u6f22 / - \"")));
	assert_true(bh_copypattern_is_one(bh_span_of("a.c")));
	assert_true(bh_copypattern_is_one(bh_span_of("a\\")));
	assert_true(bh_copypattern_is_one(bh_span_of("^a")));
}

static void extended_expressions_match(void **state)
{
	(void)state;
	assert_string_equal(find("[[:digit:]]+ errors?", false, "in 4 files 17 errors", 0),
	                    "17 errors");
	assert_string_equal(find("^(ab|cd){2}$", false, "abcd", 0), "abcd");
	assert_string_equal(find("^(ab|cd){2}$", false, "abcde", 0), "");
	assert_string_equal(find("a.c", false, "xaxc a.c", 2), "a.c");
	assert_string_equal(find("a\\.c", false, "abc a.c", 0), "a.c");
	assert_string_equal(find("\\<for\\>", false, "before for", 0), "for");
	assert_string_equal(find("\\<for\\>", false, "before, afford", 0), "");
	assert_string_equal(find("[\\<x]+", false, "a<x", 0), "<x");
	assert_string_equal(find("x*", false, "axxb", 0), "xx"); // never nothing at all
	assert_string_equal(find("^", false, "abc", 0), "");
	assert_string_equal(find("(?<=b)c", false, "abc", 2), "c"); // what stands before counts
	assert_string_equal(find("^c", false, "abc", 2), "");
}

static void letters_of_all_scripts_are_letters(void **state)
{
	(void)state;
	assert_string_equal(find("\u6587.\u5e45", false, "\u65e5\u6587\u5b57\u5e45", 0),
	                    "\u6587\u5b57\u5e45");
	assert_string_equal(find("\\w+", false, "- \u00e9t\u00e9 -", 0), "\u00e9t\u00e9");
	assert_string_equal(find("\u00c9T.", true, "\u00e9t\u00e9", 0), "\u00e9t\u00e9");
	assert_string_equal(find("\u00c9T.", false, "\u00e9t\u00e9", 0), "");
	// No text, but also bytes that are none.
	assert_string_equal(find("b.", false,
	                         "a\xff"
	                         "bc",
	                         0),
	                    "bc");
}

static void what_is_no_pattern_is_told(void **state)
{
	static const char *const texts[] = {"a(", "[a", "a{2,1}", "*", "a\\", "(?<", "\\C"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct bh_err err = {0};

		assert_null(bh_copypattern_new(bh_span_of(texts[i]), false, &err));
		assert_non_null(strstr(err.text, "no pattern: "));
		assert_null(bh_copypattern_new(bh_span_of(texts[i]), false, NULL));
	}
	bh_copypattern_free(NULL);
}

static void work_is_bounded(void **state)
{
	char line[4001];

	(void)state;
	memset(line, 'a', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	assert_string_equal(find("(a+)+(a+)+(a+)+[bc]", false, line, 0), "!");
	assert_string_equal(find("(a|a?)+[bc]", false, line, 0), "!");
}

static enum bh_copypattern_found look(const struct bh_copypattern *pattern, struct bh_span line,
                                      size_t from, size_t to, size_t *at, size_t *len)
{
	struct bh_copypattern_range range = {.from = from, .to = to, .is_quick = true};

	return bh_copypattern_find(pattern, line, range, at, len);
}

static void a_quick_look_gives_up_early(void **state)
{
	struct bh_copypattern *pattern =
		bh_copypattern_new(bh_span_of("([a-z/]+)+[0-9]*(\\w+)+[XY]"), false, NULL);
	struct bh_span line = bh_span_of("build of module 230: compiling src/part18/file91881.c");
	struct bh_copypattern_range range = {.from = 0, .to = line.len};
	size_t at = 0;
	size_t len = 0;

	(void)state;
	assert_int_equal(bh_copypattern_find(pattern, line, range, &at, &len), BH_COPYPATTERN_NO);
	range.is_quick = true;
	assert_int_equal(bh_copypattern_find(pattern, line, range, &at, &len),
	                 BH_COPYPATTERN_TOO_MUCH);
	bh_copypattern_free(pattern);
}

static void only_beginnings_in_the_part_count(void **state)
{
	struct bh_copypattern *pattern = bh_copypattern_new(bh_span_of("a.*"), false, NULL);
	struct bh_span line = bh_span_of("xxabab");
	size_t at = 0;
	size_t len = 0;

	(void)state;
	assert_int_equal(look(pattern, line, 0, 2, &at, &len), BH_COPYPATTERN_NO);
	assert_int_equal(look(pattern, line, 0, 3, &at, &len), BH_COPYPATTERN_YES);
	assert_int_equal(at, 2);
	assert_int_equal(len, 4);
	assert_int_equal(look(pattern, line, 3, 3, &at, &len), BH_COPYPATTERN_NO);
	assert_int_equal(look(pattern, line, 6, 6, &at, &len), BH_COPYPATTERN_NO);
	bh_copypattern_free(pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_a_pattern_is_known),
		cmocka_unit_test(extended_expressions_match),
		cmocka_unit_test(letters_of_all_scripts_are_letters),
		cmocka_unit_test(what_is_no_pattern_is_told),
		cmocka_unit_test(work_is_bounded),
		cmocka_unit_test(a_quick_look_gives_up_early),
		cmocka_unit_test(only_beginnings_in_the_part_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
