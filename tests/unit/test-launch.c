// What is added to a command line, and what is left alone.
#include "src/agent/launch.h"

#include "src/agent/profile.h"
#include "src/base/buf.h"
#include "src/base/err.h"
#include "src/base/file.h"
#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

static struct bh_launch prepare(const char *const *argv, const char *bellhop)
{
	struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);
	struct bh_launch_context context = {.bellhop_path = bellhop, .spool_path = "/run/spool/1"};
	struct bh_launch launch;

	assert_int_equal(
		bh_launch_prepare(bh_profiles_match(set, argv), argv, &context, &launch, NULL), 0);
	bh_profiles_free(set);
	return launch;
}

/** The command line in one string, blanks between. */
static char *joined(char *const *argv)
{
	struct bh_buf out = {0};

	for (size_t i = 0; argv[i]; i++) {
		bh_buf_printf(&out, "%s%s", i ? " " : "", argv[i]);
	}
	return bh_buf_detach(&out);
}

#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})

#define MCP(path) \
	" -c mcp_servers.bellhop={command=\"" path \
	"\",args=[\"mcp\"],default_tools_approval_mode=" \
	"\"approve\",env_vars=[\"BELLHOP_SOCKET\",\"BELLHOP_SPOOL\",\"BELLHOP_TOKEN\"," \
	"\"BELLHOP_TERMINAL\",\"BELLHOP_IDENTITY\"]}"

static void codex_leaves_its_daemon(void **state)
{
	static const struct {
		const char *argv[6];
		const char *bellhop;
		const char *line;
	} cases[] = {
		{{"codex", NULL},
	         "/usr/bin/bellhop",
	         "codex --no-daemon -c sandbox_workspace_write.writable_roots=[\"/run/spool/1\"]" MCP(
			 "/usr/bin/bellhop") ""},
		{{"codex", "fix it", NULL},
	         "/usr/local/bin/bellhop",
	         "codex --no-daemon -c sandbox_workspace_write.writable_roots=[\"/run/spool/1\"]" MCP(
			 "/usr/local/bin/bellhop") " fix it"},
		{{"codex", NULL},
	         "/home/me/build/bellhop",
	         "codex --no-daemon -c sandbox_workspace_write.writable_roots=[\"/run/spool/1\"]" MCP(
			 "/home/me/build/bellhop") " -c allow_login_shell=false"},
		{{"codex", "-c", "allow_login_shell=true", NULL},
	         "/home/me/build/bellhop",
	         "codex --no-daemon -c sandbox_workspace_write.writable_roots=[\"/run/spool/1\"]" MCP(
			 "/home/me/build/bellhop") " -c allow_login_shell=true"},
		{{"node", "/x/codex", "--no-daemon", "resume", NULL},
	         "/usr/bin/bellhop",
	         "node /x/codex -c sandbox_workspace_write.writable_roots=[\"/run/spool/1\"]" MCP(
			 "/usr/bin/bellhop") " --no-daemon resume"},
		{{"codex", "exec", "true", NULL}, "/usr/bin/bellhop", "codex exec true"},
		{{"codex", "login", NULL}, "/usr/bin/bellhop", "codex login"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bh_launch launch = prepare(cases[i].argv, cases[i].bellhop);
		char *line = joined(launch.argv);

		assert_string_equal(line, cases[i].line);
		assert_null(launch.warning);
		free(line);
		bh_launch_clear(&launch);
	}
}

static void codex_keeps_the_users_folders(void **state)
{
#define ROOTS "sandbox_workspace_write.writable_roots="
	static const struct {
		const char *toml;
		const char *given;
		const char *value;
	} cases[] = {
		{"model = \"x\"\n", NULL, ROOTS "[\"/run/spool/1\"]"},
		{"[sandbox_workspace_write]\nwritable_roots = [\"/a\", \"/b]\"]\n", NULL,
	         ROOTS "[\"/a\", \"/b]\", \"/run/spool/1\"]"},
		{"writable_roots = [\n  \"/a\",\n]\n", NULL,
	         ROOTS "[\n  \"/a\", \"/run/spool/1\"]"},
		{"writable_roots = []\n", NULL, ROOTS "[\"/run/spool/1\"]"},
		{"writable_roots = [\"/a\"]\n", ROOTS "[\"/c\"]",
	         ROOTS "[\"/c\", \"/run/spool/1\"]"},
		{"writable_roots = ['/a'] # mine\n", NULL, NULL},
		{"writable_roots = [\"/a\"", NULL, NULL},
		{"", ROOTS "7", NULL},
	};
	struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);
	char folder[] = "/tmp/bellhop-codex-XXXXXX";
	char *path;

	(void)state;
	assert_non_null(mkdtemp(folder));
	path = bh_xasprintf("%s/config.toml", folder);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *const argv[] = {"codex", cases[i].given ? "-c" : NULL, cases[i].given,
		                            NULL};
		struct bh_launch_context context = {.bellhop_path = "/usr/bin/bellhop",
		                                    .spool_path = "/run/spool/1",
		                                    .config_folder = folder};
		struct bh_launch launch;
		FILE *out = fopen(path, "we");
		size_t found = 0;

		assert_true(fputs(cases[i].toml, out) >= 0);
		assert_int_equal(fclose(out), 0);
		assert_int_equal(bh_launch_prepare(bh_profiles_find(set, "codex"), argv, &context,
		                                   &launch, NULL),
		                 0);
		for (size_t k = 1; launch.argv[k]; k++) {
			if (cases[i].value && strcmp(launch.argv[k], cases[i].value) == 0) {
				assert_string_equal(launch.argv[k - 1], "-c");
				found++;
			}
		}
		assert_int_equal(found, cases[i].value ? 1 : 0);
		assert_true(launch.is_reading_approved); // by the mail tools in any case
		assert_int_equal(launch.warning != NULL, cases[i].value == NULL);
		bh_launch_clear(&launch);
	}
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
	free(path);
	bh_profiles_free(set);
}

static void a_remote_codex_is_warned_about(void **state)
{
	struct bh_launch launch = prepare(ARGV("codex", "--remote", "ws://x"), "/usr/bin/bellhop");

	(void)state;
	assert_non_null(launch.warning);
	assert_false(launch.is_reading_approved);
	assert_string_equal(launch.argv[1], "--remote");
	bh_launch_clear(&launch);
}

/** The one --settings of the command line, parsed. */
static cJSON *settings_of(const struct bh_launch *launch)
{
	const char *text = NULL;
	cJSON *settings;

	for (size_t i = 0; launch->argv[i]; i++) {
		if (strcmp(launch->argv[i], "--settings") == 0) {
			assert_null(text);
			text = launch->argv[i + 1];
		}
		assert_true(strncmp(launch->argv[i], "--settings=", 11) != 0);
	}
	assert_non_null(text);
	settings = cJSON_Parse(text);
	assert_non_null(settings);
	return settings;
}

static cJSON *at(const cJSON *object, const char *a, const char *b)
{
	return cJSON_GetObjectItem(cJSON_GetObjectItem(object, a), b);
}

static void claude_gets_hooks_and_exact_permissions(void **state)
{
	struct bh_launch launch = prepare(ARGV("claude", "--resume"), "/opt/it's/bellhop");
	cJSON *settings = settings_of(&launch);
	cJSON *allow = at(settings, "permissions", "allow");
	const cJSON *hook = cJSON_GetArrayItem(at(settings, "hooks", "UserPromptSubmit"), 0);

	(void)state;
	assert_true(launch.is_reading_approved);
	assert_string_equal(launch.argv[3], "--resume");
	assert_int_equal(cJSON_GetArraySize(allow), 6);
	assert_string_equal(cJSON_GetArrayItem(allow, 0)->valuestring, "Bash(bellhop inbox:*)");
	hook = cJSON_GetArrayItem(cJSON_GetObjectItem(hook, "hooks"), 0);
	assert_string_equal(cJSON_GetObjectItem(hook, "command")->valuestring,
	                    "'/opt/it'\\''s/bellhop' hook claude");
	assert_non_null(at(settings, "hooks", "Stop"));
	assert_non_null(at(settings, "hooks", "StopFailure"));
	assert_non_null(at(settings, "hooks", "PermissionRequest"));
	cJSON_Delete(settings);
	bh_launch_clear(&launch);
}

static void what_the_user_set_is_kept(void **state)
{
	static const char given[] =
		"{\"model\":\"x\",\"permissions\":{\"allow\":[\"Bash(ls)\"],\"deny\":[\"Read\"]},"
		"\"hooks\":{\"Stop\":[{\"hooks\":[]}]}}";
	char path[] = "/tmp/bellhop-settings-XXXXXX";
	int fd = mkstemp(path);
	char *option = bh_xasprintf("--settings=%s", given);
	const char *const argvs[][5] = {
		{"claude", "--settings", given, "-c", NULL},
		{"claude", "-c", option, NULL},
		{"claude", "--settings", path, "-c", NULL},
	};

	(void)state;
	assert_int_equal(write(fd, given, sizeof given - 1), (int)sizeof given - 1);
	(void)close(fd);
	for (size_t i = 0; i < 3; i++) {
		struct bh_launch launch = prepare(argvs[i], "/usr/bin/bellhop");
		cJSON *settings = settings_of(&launch);
		cJSON *allow = at(settings, "permissions", "allow");

		assert_string_equal(cJSON_GetObjectItem(settings, "model")->valuestring, "x");
		assert_string_equal(cJSON_GetArrayItem(allow, 0)->valuestring, "Bash(ls)");
		assert_int_equal(cJSON_GetArraySize(allow), 7);
		assert_int_equal(cJSON_GetArraySize(at(settings, "permissions", "deny")), 1);
		assert_int_equal(cJSON_GetArraySize(at(settings, "hooks", "Stop")), 2);
		assert_string_equal(launch.argv[3], "-c");
		assert_null(launch.argv[4]);
		cJSON_Delete(settings);
		bh_launch_clear(&launch);
	}
	(void)unlink(path);
	free(option);
}

static void unreadable_settings_are_left_alone(void **state)
{
	const char *const given[] = {"/nonexistent.json", "{", "{\"hooks\":7}",
	                             "{\"permissions\":{\"allow\":\"x\"}}",
	                             "{\"hooks\":{\"Stop\":{}}}"};

	(void)state;
	for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
		struct bh_launch launch =
			prepare(ARGV("claude", "--settings", given[i]), "/usr/bin/bellhop");

		assert_string_equal(launch.argv[2], given[i]);
		assert_null(launch.argv[3]);
		assert_non_null(launch.warning);
		assert_false(launch.is_reading_approved);
		bh_launch_clear(&launch);
	}
}

static void other_programs_and_subcommands_stay_as_they_are(void **state)
{
	const char *const *const argvs[] = {
		ARGV("bash", "-c", "claude"),
		ARGV("claude", "mcp", "list"),
		ARGV("claude", "update"),
		ARGV("vim"),
	};

	(void)state;
	for (size_t i = 0; i < sizeof argvs / sizeof *argvs; i++) {
		struct bh_launch launch = prepare(argvs[i], "/usr/bin/bellhop");
		size_t count = 0;

		for (; argvs[i][count]; count++) {
			assert_string_equal(launch.argv[count], argvs[i][count]);
		}
		assert_null(launch.argv[count]);
		assert_false(launch.is_reading_approved);
		bh_launch_clear(&launch);
	}
}

static void nothing_is_no_command(void **state)
{
	struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);
	const char *const argv[] = {NULL};
	struct bh_launch_context context = {.bellhop_path = "/x", .spool_path = "/y"};
	struct bh_launch launch;
	struct bh_err err = {0};

	(void)state;
	assert_int_equal(
		bh_launch_prepare(bh_profiles_find(set, "claude"), argv, &context, &launch, &err),
		BH_EINVALID);
	bh_profiles_free(set);
}

/** Started so, with a spool in @folder, gemini gets our policy and then @after; NULL: it stays as it is. */
static void gemini_is_started(const char *const *argv, const char *folder, const char *after)
{
	struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);
	struct bh_launch_context context = {.bellhop_path = "/usr/bin/bellhop",
	                                    .spool_path = folder};
	struct bh_launch launch;
	char *wanted =
		after ? bh_xasprintf("gemini --policy=%s/policy.toml%s", folder, after) : NULL;
	char *line;

	assert_int_equal(
		bh_launch_prepare(bh_profiles_match(set, argv), argv, &context, &launch, NULL), 0);
	line = joined(launch.argv);
	if (after) {
		assert_string_equal(line, wanted);
	} else {
		assert_null(strstr(line, "--policy"));
	}
	assert_int_equal(launch.is_reading_approved, after != NULL);
	free(line);
	free(wanted);
	bh_launch_clear(&launch);
	bh_profiles_free(set);
}

static void gemini_may_read_its_mail(void **state)
{
	char folder[] = "/tmp/bellhop-launch-XXXXXX";
	struct bh_buf policy = {0};
	char *path;

	(void)state;
	assert_non_null(mkdtemp(folder));
	path = bh_xasprintf("%s/policy.toml", folder);
	gemini_is_started(ARGV("gemini", "mcp", "list"), folder, NULL);
	assert_int_equal(access(path, F_OK), -1);
	gemini_is_started(ARGV("gemini", "--policy", "mine"), folder, " --policy mine");
	assert_int_equal(bh_file_read(path, 10000, &policy, NULL), 0);
	assert_non_null(strstr(policy.data, "decision = \"allow\"\n"));
	assert_non_null(strstr(policy.data, "[\"bellhop inbox\", \"bellhop wait\", "));
	bh_buf_clear(&policy);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
	free(path);
}

static void a_policy_that_cannot_be_written_is_told(void **state)
{
	struct bh_launch launch = prepare(ARGV("gemini"), "/usr/bin/bellhop");

	(void)state;
	assert_non_null(strstr(launch.warning, "asks a person first"));
	assert_false(launch.is_reading_approved);
	assert_null(launch.argv[1]);
	bh_launch_clear(&launch);
}

#define UUID "01a2301e-2cfc-7fa2-8386-b21db5c08f1f"

static void a_session_is_gone_on_with(void **state)
{
	static const struct {
		const char *argv[12];
		const char *record;
		const char *line;
	} cases[] = {
		{{"claude", NULL}, "/c/0a-1b.jsonl", "claude --resume 0a-1b"},
		{{"env", "A=1", "/x/claude", "fix it", NULL},
	         "/c/0a.jsonl",
	         "env A=1 /x/claude --resume 0a"},
		{{"claude", "-c", "--model", "opus", "--verbose", "fix it", NULL},
	         "/c/0a.jsonl",
	         "claude --resume 0a --model opus --verbose"},
		{{"claude", "--resume", "0b", "--fork-session", "--session-id=0c", "--effort=high",
	          "fix it", NULL},
	         "/c/0a.jsonl",
	         "claude --resume 0a --effort=high"},
		{{"claude", "--tools", "Bash", "Edit", "-r", "--debug", "api", "fix", "it", NULL},
	         "/c/0a.jsonl",
	         "claude --resume 0a --tools Bash Edit --debug api"},
		{{"claude", "--ide", "--", "--fix", "it", NULL},
	         "/c/0a.jsonl",
	         "claude --resume 0a --ide"},
		{{"codex", "-c", "a=b", "fix it", NULL},
	         "/s/rollout-2026-12-01T05-40-13-" UUID ".jsonl",
	         "codex resume " UUID " -c a=b"},
		{{"codex", "--search", "resume", "--last", "-m", "gpt", NULL},
	         "/s/rollout-2026-12-01T05-40-13-" UUID ".jsonl",
	         "codex resume " UUID " --search -m gpt"},
		{{"codex", "fork", "0b", "-i", "a.png", "b.png", NULL},
	         "/s/rollout-2026-12-01T05-40-13-" UUID ".jsonl",
	         "codex resume " UUID " -i a.png b.png"},
		{{"pi", "--continue", "--model", "x", "@file", NULL},
	         "/s/2026_0a.jsonl",
	         "pi --session /s/2026_0a.jsonl --model x"},
		// What stands there is no prompt, but where it works.
		{{"opencode", "-c", "/home/u/proj", "--fork", "-m", "a/b", "--prompt", "fix it",
	          NULL},
	         "/d/opencode.db#ses_2c",
	         "opencode --session ses_2c /home/u/proj -m a/b"},
		{{"opencode", "--session", "ses_1", "proj", "--session=ses_0", "--auto", NULL},
	         "/d/opencode.db#ses_2c",
	         "opencode --session ses_2c proj --auto"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);
		struct bh_launch launch = {0};
		char *line;

		assert_int_equal(bh_launch_resume(bh_profiles_match(set, cases[i].argv),
		                                  cases[i].argv, cases[i].record, &launch.argv,
		                                  NULL),
		                 0);
		line = joined(launch.argv);
		assert_string_equal(line, cases[i].line);
		free(line);
		bh_launch_clear(&launch);
		bh_profiles_free(set);
	}
}

static void what_has_no_session_to_go_on_with_is_refused(void **state)
{
	static const struct {
		const char *profile;
		const char *argv[5];
		const char *record;
		const char *words;
	} cases[] = {
		{"generic", {"sh", NULL}, "/c/0a.jsonl", "knows no way to resume"},
		{"demo", {"bellhop-demo-agent", NULL}, "/c/0a.jsonl", "knows no way to resume"},
		{"claude", {"claude", "-p", "fix it", NULL}, "/c/0a.jsonl", "has -p:"},
		{"claude", {"claude", "--cloud=x", NULL}, "/c/0a.jsonl", "has --cloud=x:"},
		{"claude", {"sh", "-c", "claude", NULL}, "/c/0a.jsonl", "does not name claude"},
		{"claude", {"claude", NULL}, "/c/--help.jsonl", "does not tell its session"},
		{"codex",
	         {"codex", "exec", "fix it", NULL},
	         "/s/rollout-2026-12-01T05-40-13-" UUID ".jsonl",
	         "has exec:"},
		{"codex", {"codex", NULL}, "/s/rollout.jsonl", "does not tell its session"},
		{"opencode", {"opencode", "run", "fix it", NULL}, "/d/o.db#ses_1", "has run:"},
		{"opencode", {"opencode", NULL}, "/d/o.db", "does not tell its session"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);
		struct bh_err err = {0};
		char **argv = NULL;

		assert_int_equal(bh_launch_resume(bh_profiles_find(set, cases[i].profile),
		                                  cases[i].argv, cases[i].record, &argv, &err),
		                 BH_EINVALID);
		if (!strstr(err.text, cases[i].words)) {
			fail_msg("case %zu: \"%s\" does not say \"%s\"", i, err.text,
			         cases[i].words);
		}
		assert_null(argv);
		bh_profiles_free(set);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codex_leaves_its_daemon),
		cmocka_unit_test(codex_keeps_the_users_folders),
		cmocka_unit_test(a_remote_codex_is_warned_about),
		cmocka_unit_test(claude_gets_hooks_and_exact_permissions),
		cmocka_unit_test(what_the_user_set_is_kept),
		cmocka_unit_test(unreadable_settings_are_left_alone),
		cmocka_unit_test(other_programs_and_subcommands_stay_as_they_are),
		cmocka_unit_test(nothing_is_no_command),
		cmocka_unit_test(gemini_may_read_its_mail),
		cmocka_unit_test(a_policy_that_cannot_be_written_is_told),
		cmocka_unit_test(a_session_is_gone_on_with),
		cmocka_unit_test(what_has_no_session_to_go_on_with_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
