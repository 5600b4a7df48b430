#include "src/mail/identity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char longest[] = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ._";
static const char too_long[] = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ._-";

static void well_formed_names_are_told_from_others(void **state)
{
	static const char *const good[] = {"a", "7", "claude-2", "A.b_c-D", longest};
	static const char *const bad[] = {"",    "-a", ".a",       "_a",        "a b",    "a/b",
	                                  "a\n", "#a", "\xc3\xa4", "a\xc3\xa4", too_long, "a:"};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(bh_identity_is_valid(good[i]));
		assert_int_equal(bh_identity_check(good[i], NULL), 0);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct bh_err err = {0};

		assert_false(bh_identity_is_valid(bad[i]));
		assert_int_equal(bh_identity_check(bad[i], &err), BH_EINVALID);
		assert_non_null(strstr(err.text, "letter or digit")); // says what a name is
	}
}

static void reserved_names_and_rooms_are_nobodys(void **state)
{
	static const char *const reserved[] = {"operator", "bellhop", "all", "OPERATOR", "All"};

	(void)state;
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		assert_true(bh_identity_is_reserved(reserved[i]));
		assert_int_equal(bh_identity_check(reserved[i], NULL), BH_EINVALID);
	}
	assert_false(bh_identity_is_reserved("operators"));
	assert_true(bh_identity_is_room("#dev"));
	assert_false(bh_identity_is_room("#"));
	assert_false(bh_identity_is_room("dev"));
	assert_int_equal(bh_identity_check("#dev", NULL), BH_EINVALID);
	assert_int_equal(bh_identity_check_recipient("#dev", NULL), 0);
	assert_int_equal(bh_identity_check_recipient("Operator", NULL), 0);
	assert_int_equal(bh_identity_check_recipient("bellhop", NULL), BH_EINVALID);
	assert_int_equal(bh_identity_check_recipient("all", NULL), BH_EINVALID);
	assert_int_equal(bh_identity_check_recipient("coder", NULL), 0);
}

static void folding_is_ascii_and_bounded(void **state)
{
	char folded[BH_IDENTITY_SIZE];

	(void)state;
	bh_identity_fold("ClAuDe-2", folded);
	assert_string_equal(folded, "claude-2");
	bh_identity_fold("\xc3\x84", folded); // not ours to fold
	assert_string_equal(folded, "\xc3\x84");
	bh_identity_fold(
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		folded);
	assert_int_equal(strlen(folded), BH_IDENTITY_SIZE - 1);
	assert_true(bh_identity_is_same("Coder", "cODER"));
	assert_false(bh_identity_is_same("coder", "coder2"));
	assert_false(bh_identity_is_same("coder2", "coder"));
}

static void distance_counts_single_mistakes(void **state)
{
	static const struct {
		const char *a, *b;
		unsigned distance;
	} cases[] = {
		{"coder", "Coder", 0},
		{"coder", "codr", 1},
		{"coder", "codder", 1},
		{"coder", "cider", 1},
		{"coder", "cdoer", 1},
		{"coder", "oder", 1},
		{"reviewer", "revewr", 2},
		{"kitten", "sitting", 3},
		{"a", "b", 1},
		{"ab", "ba", 1},
		{"coder", "tester", 4},
		{"", "abc", 3},
		{"coder", "coder-12345", 4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(bh_identity_distance(cases[i].a, cases[i].b, 3),
		                 cases[i].distance);
		assert_int_equal(bh_identity_distance(cases[i].b, cases[i].a, 3),
		                 cases[i].distance);
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char a[BH_IDENTITY_SIZE], b[BH_IDENTITY_SIZE];

		bh_identity_fold(cases[i].a, a);
		bh_identity_fold(cases[i].b, b);
		assert_true(cases[i].distance > 3 ||
		            bh_identity_may_be_near(bh_identity_letters(a), bh_identity_letters(b),
		                                    cases[i].distance));
	}
	assert_false(
		bh_identity_may_be_near(bh_identity_letters("abc"), bh_identity_letters("def"), 2));
	assert_int_equal(bh_identity_distance(longest, longest, 3), 0);
}

static void automatic_names_are_always_names(void **state)
{
	char name[BH_IDENTITY_SIZE];

	(void)state;
	bh_identity_auto("claude", 1, name);
	assert_string_equal(name, "claude");
	bh_identity_auto("claude", 2, name);
	assert_string_equal(name, "claude-2");
	bh_identity_auto("../../x", 3, name);
	assert_string_equal(name, "agent-3");
	bh_identity_auto("Operator", 1, name);
	assert_string_equal(name, "agent");
	bh_identity_auto("", 1, name);
	assert_string_equal(name, "agent");
	bh_identity_auto(longest, 4000000000U, name);
	assert_true(bh_identity_is_valid(name));
	assert_int_equal(strlen(name), BH_IDENTITY_MAX);
	assert_non_null(strstr(name, "-4000000000"));
}

static void modes_have_words(void **state)
{
	struct bh_err err;
	enum bh_mode mode;

	(void)state;
	for (int i = BH_MODE_DEFAULT; i <= BH_MODE_OFF; i++) {
		assert_int_equal(bh_mode_parse(bh_mode_word((enum bh_mode)i), &mode, NULL), 0);
		assert_int_equal(mode, i);
	}
	assert_int_equal(bh_mode_parse("loud", &mode, &err), BH_EINVALID);
	assert_non_null(strstr(err.text, "message, notice, off or default"));
	assert_string_equal(bh_mode_word((enum bh_mode)99), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(well_formed_names_are_told_from_others),
		cmocka_unit_test(reserved_names_and_rooms_are_nobodys),
		cmocka_unit_test(folding_is_ascii_and_bounded),
		cmocka_unit_test(distance_counts_single_mistakes),
		cmocka_unit_test(automatic_names_are_always_names),
		cmocka_unit_test(modes_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
