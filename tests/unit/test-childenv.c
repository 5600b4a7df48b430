#include "src/server/childenv.h"

#include "src/agent/profile.h"
#include "src/base/paths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

// The built-in profiles, for all cases.
static struct bh_profiles *profiles;

static struct bh_childenv_settings settings_of(const char *const *base, const char *const *extra)
{
	return (struct bh_childenv_settings){
		.profiles = profiles,
		.base = base,
		.extra = extra,
		.terminal = "6f1c0000-0000-4000-8000-000000000000",
		.identity = "coder",
		.socket = "/run/s.sock",
		.spool = "/run/spool/x",
		.token = "feed",
		.program_dir = "/opt/bellhop/bin",
	};
}

static const char *get(char **env, const char *name)
{
	return bh_paths_env((const char *const *)env, name);
}

// One assignment in, whether it survives.
static int survives(const char *assignment, const char *agent_mark)
{
	const char *base[] = {assignment, agent_mark, NULL};
	const struct bh_childenv_settings settings = settings_of(base, NULL);
	char **env = bh_childenv_new(&settings);
	int is_there = 0;

	for (char **at = env; *at != NULL; at++) {
		is_there |= strcmp(*at, assignment) == 0;
	}
	bh_childenv_free(env);
	return is_there;
}

static void variables_of_another_agent_are_scrubbed(void **state)
{
	// What agents were seen to set for what they start, name by name.
	static const char *const names[] = {
		"AI_AGENT",
		"CLAUDECODE",
		"CLAUDE_CODE_CHILD_NOTES_DIR",
		"CLAUDE_CODE_CHILD_SESSION",
		"CLAUDE_CODE_ENTRYPOINT",
		"CLAUDE_CODE_EXECPATH",
		"CLAUDE_CODE_MESSAGING_SOCKET",
		"CLAUDE_CODE_MESSAGING_TOKEN",
		"CLAUDE_CODE_SESSION_ATTENDED",
		"CLAUDE_CODE_SESSION_ID",
		"CLAUDE_EFFORT",
		"CLAUDE_PID",
		"COREPACK_ENABLE_AUTO_PIN",
		"NoDefaultCurrentDirectoryInExePath",
		"CLAUDE_PROJECT_DIR",
		"CLAUDE_ENV_FILE",
		"CODEX_APPLY_PATCH_PRESERVE_LINE_ENDINGS",
		"CODEX_CI",
		"CODEX_SESSION_ID",
		"CODEX_THREAD_ID",
		"CODEX_TOOL_CALL_ID",
		"CODEX_VERSION",
		"CODEX_SANDBOX",
		"CODEX_SANDBOX_NETWORK_DISABLED",
		"CODEX_MANAGED_BY_NPM",
		"CODEX_INTERNAL_ORIGINATOR_OVERRIDE",
		"PI_CODING_AGENT",
		"PI_SESSION_FILE",
		"PI_SESSION_ID",
		"GEMINI_CLI",
		"GEMINI_SESSION_ID",
		"OPENCODE",
		"OPENCODE_RUN_ID",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char text[128];

		(void)snprintf(text, sizeof(text), "%s=leak", names[i]);
		if (survives(text, NULL)) {
			fail_msg("%s reaches the child", names[i]);
		}
	}
}

static void what_agents_set_for_tools_goes_only_inside_an_agent(void **state)
{
	static const char *const texts[] = {"NO_COLOR=1",   "PAGER=cat",       "GIT_PAGER=cat",
	                                    "GH_PAGER=cat", "GIT_EDITOR=true", "LC_ALL=C.UTF-8"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_true(survives(texts[i], NULL));
		assert_false(survives(texts[i], "CLAUDECODE=1"));
		assert_false(survives(texts[i], "CODEX_THREAD_ID=0198"));
	}
}

static void what_users_configure_stays(void **state)
{
	static const char *const texts[] = {
		"CLAUDE_CONFIG_DIR=/c",
		"CODEX_HOME=/x",
		"ANTHROPIC_BASE_URL=http://h",
		"OPENAI_API_KEY=k",
		"CLAUDE_CODE_USE_BEDROCK=1",
		"CLAUDE_CODE_DISABLE_TERMINAL_TITLE=1",
		"HOME=/h",
		"LANG=de_DE.UTF-8",
		"BELLHOP_RUNTIME_DIR=/r",
		"TERMITE=x",
		"EMPTY=",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (!survives(texts[i], "CLAUDECODE=1")) {
			fail_msg("%s is lost", texts[i]);
		}
	}
}

static void the_outer_terminal_is_not_ours(void **state)
{
	(void)state;
	assert_false(survives("TERM_PROGRAM=ghostty", NULL));
	assert_false(survives("TMUX=/tmp/tmux,1,2", NULL));
	assert_false(survives("KITTY_WINDOW_ID=3", NULL));
	assert_false(survives("COLUMNS=80", NULL));
	assert_false(survives("TERM=dumb", NULL));
}

static void our_variables_are_set_over_everything(void **state)
{
	const char *base[] = {"BELLHOP_TOKEN=old", "TERM=dumb", "COLORTERM=", "X=1", NULL};
	const char *extra[] = {"BELLHOP_IDENTITY=forged", "X=2", "NAMELESS", "=x", NULL};
	const struct bh_childenv_settings settings = settings_of(base, extra);
	char **env = bh_childenv_new(&settings);
	size_t count = 0;

	(void)state;
	assert_string_equal(get(env, "BELLHOP_TERMINAL"), settings.terminal);
	assert_string_equal(get(env, "BELLHOP_IDENTITY"), "coder");
	assert_string_equal(get(env, "BELLHOP_SOCKET"), "/run/s.sock");
	assert_string_equal(get(env, "BELLHOP_SPOOL"), "/run/spool/x");
	assert_string_equal(get(env, "BELLHOP_TOKEN"), "feed");
	assert_string_equal(get(env, "TERM"), "xterm-256color");
	assert_string_equal(get(env, "COLORTERM"), "truecolor");
	assert_string_equal(get(env, "X"), "2");
	while (env[count] != NULL) {
		count++;
	}
	assert_int_equal(count, 9); // the eight above and PATH: no name twice, no non-assignment
	bh_childenv_free(env);
}

static void the_user_may_choose_term_and_scrubbed_names(void **state)
{
	const char *base[] = {NULL};
	const char *extra[] = {"TERM=vt100", "CLAUDE_EFFORT=high", NULL};
	const struct bh_childenv_settings settings = settings_of(base, extra);
	char **env = bh_childenv_new(&settings);

	(void)state;
	assert_string_equal(get(env, "TERM"), "vt100");
	assert_string_equal(get(env, "CLAUDE_EFFORT"), "high");
	bh_childenv_free(env);
}

static void bellhop_is_found_in_path(void **state)
{
	char dir[] = "/tmp/bh-childenv-XXXXXX";
	char program[64], path[64];
	const char *base[] = {path, NULL};
	const struct bh_childenv_settings settings = settings_of(base, NULL);
	char **env;
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "PATH=:%s:", dir);
	env = bh_childenv_new(&settings); // not there yet: our folder comes last
	assert_non_null(strstr(get(env, "PATH"), ":/opt/bellhop/bin"));
	bh_childenv_free(env);

	(void)snprintf(program, sizeof(program), "%s/bellhop", dir);
	file = fopen(program, "w");
	assert_non_null(file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(program, 0700), 0);
	env = bh_childenv_new(&settings); // there: PATH is as it was
	assert_string_equal(get(env, "PATH"), path + 5);
	bh_childenv_free(env);
	assert_int_equal(unlink(program), 0);
	assert_int_equal(rmdir(dir), 0);
}

static void no_path_gets_a_useful_one(void **state)
{
	const char *base[] = {NULL};
	const struct bh_childenv_settings settings = settings_of(base, NULL);
	char **env = bh_childenv_new(&settings);

	(void)state;
	assert_string_equal(get(env, "PATH"), "/usr/local/bin:/usr/bin:/bin:/opt/bellhop/bin");
	bh_childenv_free(env);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_of_another_agent_are_scrubbed),
		cmocka_unit_test(what_agents_set_for_tools_goes_only_inside_an_agent),
		cmocka_unit_test(what_users_configure_stays),
		cmocka_unit_test(the_outer_terminal_is_not_ours),
		cmocka_unit_test(our_variables_are_set_over_everything),
		cmocka_unit_test(the_user_may_choose_term_and_scrubbed_names),
		cmocka_unit_test(bellhop_is_found_in_path),
		cmocka_unit_test(no_path_gets_a_useful_one),
	};

	int failed;

	profiles = bh_profiles_load(NULL, NULL, NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	bh_profiles_free(profiles);
	return failed;
}
