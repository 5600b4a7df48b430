#include "src/cmd/args.h"

#include "src/base/err.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct bh_option options[] = {
	{"json", 'j', NULL, "a flag"},
	{"size", 0, "CxR", "an option with an argument"},
	{"env", 'e', "K=V", "a repeatable one"},
	{0},
};

static const struct bh_args_settings plain = {.options = options};

static int count_of(const char *const *argv)
{
	int argc = 0;

	while (argv[argc] != NULL) {
		argc++;
	}
	return argc;
}

static int parse(const struct bh_args_settings *settings, const char *const *argv,
                 struct bh_args *args, struct bh_err *err)
{
	return bh_args_parse(settings, count_of(argv), argv, args, err);
}

static void options_and_words_mix(void **state)
{
	const char *argv[] = {"one", "--size=80x24", "two", "-je", "A=1", "--env", "B=2", NULL};
	struct bh_args args;

	(void)state;
	assert_int_equal(parse(&plain, argv, &args, NULL), 0);
	assert_int_equal(args.word_count, 2);
	assert_string_equal(bh_args_word(&args, 1), "two");
	assert_null(bh_args_word(&args, 2));
	assert_true(bh_args_has(&args, "json"));
	assert_string_equal(bh_args_get(&args, "size"), "80x24");
	assert_string_equal(bh_args_get(&args, "env"), "B=2");
	assert_int_equal(args.value_count, 4);
	assert_string_equal(args.values[2].value, "A=1");
	bh_args_clear(&args);
}

static void two_dashes_and_the_first_word_end_the_options(void **state)
{
	struct bh_args_settings stops = {.options = options, .stops_at_word = true};
	const char *command[] = {"--json", "ls", "--size", "-l", NULL};
	const char *dashes[] = {"--", "--json", "-", NULL};
	struct bh_args args;

	(void)state;
	assert_int_equal(parse(&stops, command, &args, NULL), 0);
	assert_int_equal(args.word_count, 3);
	assert_string_equal(args.words[1], "--size");
	bh_args_clear(&args);
	assert_int_equal(parse(&plain, dashes, &args, NULL), 0);
	assert_int_equal(args.word_count, 2);
	assert_false(bh_args_has(&args, "json"));
	bh_args_clear(&args);
}

static void prose_with_dashes_is_a_word(void **state)
{
	const char *argv[] = {"coder", "- first item\n- second", "-", "--- a/file", NULL};
	struct bh_args args;

	(void)state;
	assert_int_equal(parse(&plain, argv, &args, NULL), 0);
	assert_int_equal(args.word_count, 4);
	bh_args_clear(&args);
}

static void mistakes_are_named(void **state)
{
	static const struct {
		const char *argv[3];
		const char *text;
	} cases[] = {
		{{"--jsn", NULL}, "unknown option --jsn; did you mean --json?"},
		{{"--wholly-other", NULL}, "unknown option --wholly-other"},
		{{"--json=yes", NULL}, "option --json takes no argument"},
		{{"--size", NULL}, "option --size needs an argument: CxR"},
		{{"-e", NULL}, "option -e needs an argument: K=V"},
		{{"-q", NULL}, "unknown option -q; put -- before words that begin with a dash"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bh_args args;
		struct bh_err err = {0};
		const char *argv[3];

		memcpy(argv, cases[i].argv, sizeof(argv));
		assert_int_equal(parse(&plain, argv, &args, &err), BH_EINVALID);
		assert_string_equal(err.text, cases[i].text);
		bh_args_clear(&args);
	}
}

static void sizes_are_checked(void **state)
{
	static const char *const bad[] = {"",        "80",   "80x",     "x24",
	                                  "80x24x1", "1x24", "80x9999", "axb"};
	int cols = 0;
	int rows = 0;

	(void)state;
	assert_int_equal(bh_args_size("120x40", &cols, &rows, NULL), 0);
	assert_int_equal(cols, 120);
	assert_int_equal(rows, 40);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(bh_args_size(bad[i], &cols, &rows, NULL), BH_EINVALID);
	}
	assert_int_equal(cols, 120);
}

static void durations_are_checked(void **state)
{
	static const struct {
		const char *text;
		long ms;
	} good[] = {{"8", 8000},    {"0", 0},       {"250ms", 250},
	            {"1.5s", 1500}, {"2m", 120000}, {"1h", 3600000}};
	static const char *const bad[] = {"", "s", "-1", "5 s", "3d", "nan", "inf", "1e99", "200h"};
	long ms = -1;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(bh_args_duration(good[i].text, &ms, NULL), 0);
		assert_int_equal(ms, good[i].ms);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(bh_args_duration(bad[i], &ms, NULL), BH_EINVALID);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_and_words_mix),
		cmocka_unit_test(two_dashes_and_the_first_word_end_the_options),
		cmocka_unit_test(prose_with_dashes_is_a_word),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(sizes_are_checked),
		cmocka_unit_test(durations_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
