// The set of profiles: built-in, replaced and added by the user; which one a command line gets.
#include "src/agent/profile_data.h"

#include "src/base/err.h"
#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/** Reports of bad files, one after the other. */
struct reports {
	char text[1024];
	int count;
};

static void on_report(const struct bh_err *err, void *user)
{
	struct reports *reports = user;
	size_t used = strlen(reports->text);

	(void)snprintf(reports->text + used, sizeof reports->text - used, "%s\n", err->text);
	reports->count++;
}

static char *folder_make(void)
{
	char name[] = "/tmp/bellhop-profiles-XXXXXX";

	assert_non_null(mkdtemp(name));
	return bh_xstrdup(name);
}

static void file_write(const char *folder, const char *name, const char *text)
{
	char *path = bh_xasprintf("%s/%s", folder, name);
	FILE *out = fopen(path, "we");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
	free(path);
}

static void folder_remove(char *folder, const char *const *names)
{
	for (; *names; names++) {
		char *path = bh_xasprintf("%s/%s", folder, *names);

		(void)unlink(path);
		free(path);
	}
	assert_int_equal(rmdir(folder), 0);
	free(folder);
}

static const char *match(const struct bh_profiles *set, const char *const *argv)
{
	return bh_profile_name(bh_profiles_match(set, argv));
}

static void command_lines_find_their_profile(void **state)
{
	static const struct {
		const char *argv[8];
		const char *name;
	} cases[] = {
		{{"claude", NULL}, "claude"},
		{{"/opt/x/bin/claude", "--resume", NULL}, "claude"},
		{{"env", "A=claude", "-u", "B=", "codex", NULL}, "codex"},
		{{"node", "/x/node_modules/.bin/codex", "--no-daemon", NULL}, "codex"},
		{{"nice", "-n", "5", "claude", NULL}, "claude"},
		{{"timeout", "90s", "bellhop-demo-agent", NULL}, "demo"},
		{{"node", "/x/node_modules/.bin/pi", "-e", "x.ts", NULL}, "pi"},
		{{"bash", NULL}, "generic"},
		{{"pip", NULL}, "generic"},
		{{"opencode", "-c", NULL}, "opencode"},
		{{"/opt/bin/gemini", "--resume", "latest", NULL}, "gemini"},
		{{"vim", "claude", NULL}, "generic"},
		{{"grep", "-r", "codex", ".", NULL}, "generic"},
		{{"claudette", NULL}, "generic"},
		{{"env", NULL}, "generic"},
		{{NULL}, "generic"},
	};
	struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_string_equal(match(set, cases[i].argv), cases[i].name);
	}
	bh_profiles_free(set);
}

static void generic_programs_are_never_typed_into(void **state)
{
	struct bh_profiles *set = bh_profiles_load("/nonexistent", NULL, NULL);
	const struct bh_profile *generic = bh_profiles_find(set, "generic");

	(void)state;
	assert_false(bh_profile_typing(generic)->is_allowed);
	assert_true(bh_profile_typing(bh_profiles_find(set, "claude"))->is_allowed);
	// These send a text twice, or a key with it, when a key comes right behind the Enter.
	assert_true(bh_profile_typing(bh_profiles_find(set, "gemini"))->release_ms >= 1000);
	assert_true(bh_profile_typing(bh_profiles_find(set, "opencode"))->release_ms >= 1000);
	assert_int_equal(bh_profile_typing(bh_profiles_find(set, "claude"))->release_ms, 0);
	assert_false(bh_profile_counts_clusters(generic));
	assert_true(bh_profile_counts_clusters(bh_profiles_find(set, "claude")));
	assert_true(bh_profile_counts_clusters(bh_profiles_find(set, "codex")));
	assert_null(bh_profiles_find(set, "nobody"));
	assert_true(bh_profile_knows_process(bh_profiles_find(set, "claude"), "node"));
	assert_false(bh_profile_knows_process(bh_profiles_find(set, "claude"), "vim"));
	assert_string_equal(bh_profile_notice_advice(generic), "Run: bellhop inbox");
	assert_string_equal(bh_profile_notice_advice(bh_profiles_find(set, "codex")),
	                    "Use the read_inbox tool.");
	bh_profiles_free(set);
}

static void a_user_adds_and_replaces(void **state)
{
	static const char *const names[] = {"claude.json", "mine.json", NULL};
	char *folder = folder_make();
	struct reports reports = {0};
	struct bh_profiles *set;
	size_t builtin;

	(void)state;
	set = bh_profiles_load(NULL, NULL, NULL);
	builtin = bh_profiles_count(set);
	bh_profiles_free(set);
	file_write(folder, "claude.json", "{\"profile\":\"claude\",\"programs\":[\"klaus\"]}");
	file_write(folder, "mine.json",
	           "{\"profile\":\"mine\",\"programs\":[\"mine\"],\"scrub\":[\"MY_SESSION\"]}");
	set = bh_profiles_load(folder, on_report, &reports);
	assert_int_equal(reports.count, 0);
	assert_int_equal(bh_profiles_count(set), builtin + 1);
	assert_string_equal(match(set, (const char *const[]){"klaus", NULL}), "claude");
	assert_string_equal(match(set, (const char *const[]){"claude", NULL}), "generic");
	assert_string_equal(match(set, (const char *const[]){"mine", NULL}), "mine");
	assert_non_null(strstr(bh_profiles_find(set, "mine")->origin, "mine.json"));
	assert_true(bh_profiles_scrub(set, "MY_SESSION"));
	assert_true(bh_profiles_scrub(set, "PI_SESSION_FILE"));
	assert_false(bh_profiles_scrub(set, "MY_SESSION_OTHER"));
	for (size_t i = 1; i < bh_profiles_count(set); i++) {
		assert_true(strcmp(bh_profile_name(bh_profiles_at(set, i - 1)),
		                   bh_profile_name(bh_profiles_at(set, i))) < 0);
	}
	bh_profiles_free(set);
	folder_remove(folder, names);
}

static void a_bad_file_leaves_the_built_in_one(void **state)
{
	static const char *const names[] = {"claude.json", "codex.json", "other.json", NULL};
	char *folder = folder_make();
	struct reports reports = {0};
	struct bh_profiles *set;

	(void)state;
	file_write(folder, "claude.json", "{\"profile\":\"claude\",\n\"rules\":7}");
	file_write(folder, "codex.json", "not json");
	file_write(folder, "other.json", "{\"profile\":\"claude\"}");
	set = bh_profiles_load(folder, on_report, &reports);
	assert_int_equal(reports.count, 3);
	assert_non_null(strstr(reports.text, "claude.json:2: rules: must be a list"));
	assert_non_null(strstr(reports.text, "codex.json:1: not valid JSON"));
	assert_non_null(
		strstr(reports.text, "other.json:1: profile: \"claude\" is not the file's"));
	assert_string_equal(bh_profiles_find(set, "claude")->origin, "built-in");
	assert_true(bh_profile_typing(bh_profiles_find(set, "claude"))->is_allowed);
	bh_profiles_free(set);
	folder_remove(folder, names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(command_lines_find_their_profile),
		cmocka_unit_test(generic_programs_are_never_typed_into),
		cmocka_unit_test(a_user_adds_and_replaces),
		cmocka_unit_test(a_bad_file_leaves_the_built_in_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
