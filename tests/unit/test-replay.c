// All recordings of the real programs, replayed: nothing may ever be typable at a wrong moment, and
// idle must be found.
// Covers: src/agent/replay, src/agent/cast, src/agent/evidence.
#include "src/agent/replay.h"

#include "src/agent/profile.h"
#include "src/base/err.h"
#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glob.h>

/** Replay all recordings of @family, judged by @profile (NULL: their own), and sum up. */
static struct bh_check family_replay(const char *family, const char *profile, unsigned at_least)
{
	struct bh_profiles *profiles = bh_profiles_load(NULL, NULL, NULL);
	struct bh_replay_options options = {
		.profile = profile ? bh_profiles_find(profiles, profile) : NULL,
	};
	char *pattern =
		bh_xasprintf("%s/tests/casts/%s/*.cast", getenv("BELLHOP_TEST_SRCDIR"), family);
	struct bh_check sum;
	glob_t found = {0};

	bh_check_begin(&sum);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_true(found.gl_pathc >= at_least);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct bh_err err = {0};
		struct bh_check check;
		FILE *in = fopen(found.gl_pathv[i], "re");

		assert_non_null(in);
		if (bh_replay_run(in, found.gl_pathv[i], profiles, &options, &check, &err) != 0) {
			fail_msg("%s", err.text);
		}
		if (check.false_events) {
			print_error("%s: wrongly typable at %.2f s, in %s\n", found.gl_pathv[i],
			            (double)check.false_at_ms / 1000.0, check.false_label);
		}
		bh_check_add(&sum, &check);
		(void)fclose(in);
	}
	globfree(&found);
	free(pattern);
	bh_profiles_free(profiles);
	return sum;
}

static void family_meets_the_bar(const char *family, unsigned files, unsigned stretches)
{
	struct bh_check sum = family_replay(family, NULL, files);

	print_message("%s: idle %u of %u, awaiting %.3f, unknown %.4f\n", family, sum.idle_found,
	              sum.idle_stretches, bh_check_awaiting_recall(&sum),
	              bh_check_unknown_share(&sum));
	assert_int_equal(sum.false_events, 0);
	assert_true(sum.idle_stretches >= stretches);
	// One may end in the middle of a redraw.
	assert_true(bh_check_idle_recall(&sum) >= 0.99 || sum.idle_stretches - sum.idle_found <= 1);
	assert_true(bh_check_awaiting_recall(&sum) >= 0.99);
	assert_true(bh_check_unknown_share(&sum) <= 0.02);
}

static void claude_meets_the_bar(void **state)
{
	(void)state;
	family_meets_the_bar("claude", 57, 190);
}

static void codex_meets_the_bar(void **state)
{
	(void)state;
	family_meets_the_bar("codex", 58, 190);
}

// It says idle, then working for its start-up tasks, then idle again: up to a second lies between.
static void codex_is_typable_only_after_its_start_up_tasks(void **state)
{
	static const char *const names[] = {"menus-80x24", "modes-200x50",   "modes-80x24",
	                                    "queue-80x24", "question-80x24", "turns-80x24"};
	struct bh_profiles *profiles = bh_profiles_load(NULL, NULL, NULL);

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char *path = bh_xasprintf("%s/tests/casts/codex/%s.cast",
		                          getenv("BELLHOP_TEST_SRCDIR"), names[i]);
		char *states = NULL;
		size_t len = 0;
		struct bh_replay_options options = {.states = open_memstream(&states, &len)};
		struct bh_err err = {0};
		FILE *in = fopen(path, "re");

		assert_non_null(in);
		assert_int_equal(bh_replay_run(in, path, profiles, &options, NULL, &err), 0);
		(void)fclose(in);
		(void)fclose(options.states);
		const char *typable = strstr(states, "\"typable\":true");
		const char *tasks = strstr(states, "\"state\":\"working\"");

		assert_non_null(typable);
		assert_non_null(tasks);
		if (typable < tasks) {
			fail_msg("%s: typable before its start-up tasks", names[i]);
		}
		free(states);
		free(path);
	}
	bh_profiles_free(profiles);
}

static void gemini_meets_the_bar(void **state)
{
	(void)state;
	family_meets_the_bar("gemini", 12, 38);
}

static void opencode_meets_the_bar(void **state)
{
	(void)state;
	family_meets_the_bar("opencode", 11, 36);
}

static void pi_meets_the_bar(void **state)
{
	(void)state;
	family_meets_the_bar("pi", 13, 30);
}

// A shell, an editor, a pager, a REPL, a password prompt: whatever profile somebody chose.
static void foreign_programs_are_never_typable(void **state)
{
	static const char *const profiles[] = {"generic", "claude",   "codex", "demo",
	                                       "gemini",  "opencode", "pi"};

	(void)state;
	for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
		assert_int_equal(family_replay("plain", profiles[i], 12).false_events, 0);
	}
}

static void the_wrong_profile_is_never_typable(void **state)
{
	static const char *const families[] = {"claude", "codex", "gemini", "opencode", "pi"};
	static const char *const profiles[] = {"claude", "codex", "gemini", "opencode",
	                                       "pi",     "demo",  "generic"};

	(void)state;
	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		for (size_t j = 0; j < sizeof profiles / sizeof *profiles; j++) {
			struct bh_check sum;

			if (strcmp(families[i], profiles[j]) == 0) {
				continue;
			}
			sum = family_replay(families[i], profiles[j], 10);
			assert_int_equal(sum.false_events, 0);
			assert_int_equal(sum.idle_found, 0);
		}
	}
}

/** Replay a recording written down here. */
static int text_replay(const char *text, struct bh_err *err)
{
	struct bh_profiles *profiles = bh_profiles_load(NULL, NULL, NULL);
	struct bh_replay_options options = {0};
	char *copy = bh_xstrdup(text);
	FILE *in = fmemopen(copy, strlen(copy), "r");
	int code = bh_replay_run(in, "x.cast", profiles, &options, NULL, err);

	(void)fclose(in);
	free(copy);
	bh_profiles_free(profiles);
	return code;
}

static void damaged_recordings_are_told(void **state)
{
	static const char head[] = "{\"version\": 2, \"width\": 80, \"height\": 24}\n";
	static const struct {
		const char *text;
		const char *words;
	} cases[] = {
		{"hello\n", "x.cast:1:"},
		{"{\"version\": 1}\n", "x.cast:1:"},
		{"{\"version\": 2, \"width\": 0, \"height\": 24}\n", "x.cast:1:"},
		{"{\"version\": 2, \"width\": 1e9, \"height\": 24}\n", "x.cast:1:"},
	};
	static const char *const events[] = {
		"nonsense",   "[1, \"o\"]",      "[-1, \"o\", \"x\"]",   "[1e300, \"o\", \"x\"]",
		"{\"t\": 1}", "[0.1, \"o\", 7]", "[0.1, \"out\", \"x\"]"};
	struct bh_err err = {0};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		err = (struct bh_err){0};
		assert_true(text_replay(cases[i].text, &err) < 0);
		assert_non_null(strstr(err.text, cases[i].words));
	}
	for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
		char *text = bh_xasprintf("%s[0.1, \"o\", \"x\"]\n%s\n", head, events[i]);

		err = (struct bh_err){0};
		assert_true(text_replay(text, &err) < 0);
		assert_non_null(strstr(err.text, "x.cast:3:"));
		free(text);
	}
	assert_int_equal(text_replay(head, &err), 0);
}

static void hostile_sizes_and_blanks_do_no_harm(void **state)
{
	struct bh_err err = {0};

	(void)state;
	assert_int_equal(text_replay("{\"version\":2,\"width\":80,\"height\":24}\n"
	                             "\n[0.1,\"r\",\"0x0\"]\n[0.2,\"r\",\"99999x3\"]\n"
	                             "[0.3,\"r\",\"x\"]\n[0.2,\"o\",\"back in time\"]\n"
	                             "[0.4,\"z\",\"?\"]\n[90000,\"m\",\"exit:0\"]\n",
	                             &err),
	                 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(claude_meets_the_bar),
		cmocka_unit_test(codex_meets_the_bar),
		cmocka_unit_test(codex_is_typable_only_after_its_start_up_tasks),
		cmocka_unit_test(gemini_meets_the_bar),
		cmocka_unit_test(opencode_meets_the_bar),
		cmocka_unit_test(pi_meets_the_bar),
		cmocka_unit_test(foreign_programs_are_never_typable),
		cmocka_unit_test(the_wrong_profile_is_never_typable),
		cmocka_unit_test(damaged_recordings_are_told),
		cmocka_unit_test(hostile_sizes_and_blanks_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
