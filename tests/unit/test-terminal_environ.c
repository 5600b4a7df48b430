// The environment of a child: kept for a successor, built in the right order, noted for delivery.
#include "src/server/terminal_environ.h"

#include "src/agent/profile.h"
#include "src/base/mem.h"
#include "src/server/childenv.h"
#include "src/server/server.h"

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

/** A terminal as far as this module looks. */
struct desk {
	struct bh_server server;
	struct bh_terminal terminal;
	char folder[32];
	char path[64];
};

static int desk_open(void **state)
{
	struct desk *desk = bh_xmalloc(sizeof *desk);

	(void)snprintf(desk->folder, sizeof desk->folder, "/tmp/bellhop-environ-XXXXXX");
	assert_non_null(mkdtemp(desk->folder));
	(void)snprintf(desk->path, sizeof desk->path, "%s/environ-0a1b", desk->folder);
	desk->server.paths.runtime_dir = desk->folder;
	desk->server.paths.socket = (char *)(uintptr_t) "/run/s.sock";
	desk->server.bellhop_path = (char *)(uintptr_t) "/opt/none/bellhop";
	desk->server.profiles = bh_profiles_load(NULL, NULL, NULL);
	desk->terminal.server = &desk->server;
	desk->terminal.profile = bh_profiles_find(desk->server.profiles, "claude");
	desk->terminal.spool_path = (char *)(uintptr_t) "/run/spool";
	(void)snprintf(desk->terminal.id_text, sizeof desk->terminal.id_text, "0a1b");
	(void)snprintf(desk->terminal.identity, sizeof desk->terminal.identity, "coder");
	(void)snprintf(desk->terminal.token, sizeof desk->terminal.token, "secret");
	*state = desk;
	return 0;
}

static int desk_close(void **state)
{
	struct desk *desk = *state;

	bh_setup_strings_free(desk->terminal.setup.environ_base);
	bh_setup_strings_free(desk->terminal.setup.env);
	bh_profiles_free(desk->server.profiles);
	free(desk->terminal.home);
	free(desk->terminal.config_folder);
	(void)unlink(desk->path);
	assert_int_equal(rmdir(desk->folder), 0);
	free(desk);
	return 0;
}

/** Take a vector of literals as what the terminal was started with. */
static void give(struct desk *desk, const char *const *base, const char *const *own)
{
	desk->terminal.setup.environ_base = bh_setup_strings_dup(base);
	desk->terminal.setup.env = bh_setup_strings_dup(own);
}

/** The value of @name; NULL: it is not set. */
static const char *value_of(char *const *env, const char *name)
{
	size_t len = strlen(name);

	for (; *env != NULL; env++) {
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=') {
			return *env + len + 1;
		}
	}
	return NULL;
}

static void what_was_saved_is_loaded(void **state)
{
	struct desk *desk = *state;
	struct bh_terminal *terminal = &desk->terminal;
	struct stat facts;

	give(desk, (const char *const[]){"HOME=/h", "KEY=a \"b\"\nc=\xc3\xa9", NULL}, NULL);
	bh_terminal_environ_save(terminal);
	assert_int_equal(stat(desk->path, &facts), 0);
	assert_int_equal(facts.st_mode & 0777, 0600);
	bh_setup_strings_free(terminal->setup.environ_base);
	terminal->setup.environ_base = NULL;
	bh_terminal_environ_load(terminal);
	assert_non_null(terminal->setup.environ_base);
	assert_string_equal(terminal->setup.environ_base[0], "HOME=/h");
	assert_string_equal(terminal->setup.environ_base[1], "KEY=a \"b\"\nc=\xc3\xa9");
	assert_null(terminal->setup.environ_base[2]);
	bh_terminal_environ_remove(terminal);
	assert_int_equal(access(desk->path, F_OK), -1);
}

static void without_one_nothing_is_saved_or_loaded(void **state)
{
	struct desk *desk = *state;

	bh_terminal_environ_save(&desk->terminal);
	assert_int_equal(access(desk->path, F_OK), -1);
	bh_terminal_environ_load(&desk->terminal);
	assert_null(desk->terminal.setup.environ_base);
	bh_terminal_environ_remove(&desk->terminal);
}

static void the_user_wins_over_profile_and_base(void **state)
{
	struct desk *desk = *state;

	give(desk, (const char *const[]){"A=base", "B=base", "C=base", "PATH=/bin", NULL},
	     (const char *const[]){"A=user", NULL});
	char **env = bh_terminal_environ_build(
		&desk->terminal, (const char *const[]){"A=profile", "B=profile", NULL});

	assert_string_equal(value_of(env, "A"), "user");
	assert_string_equal(value_of(env, "B"), "profile");
	assert_string_equal(value_of(env, "C"), "base");
	bh_childenv_free(env);
	env = bh_terminal_environ_build(&desk->terminal, NULL);
	assert_string_equal(value_of(env, "A"), "user");
	assert_string_equal(value_of(env, "B"), "base");
	bh_childenv_free(env);
}

static void the_child_knows_its_terminal(void **state)
{
	struct desk *desk = *state;

	give(desk, (const char *const[]){"PATH=/bin", NULL}, NULL);
	char **env = bh_terminal_environ_build(&desk->terminal, NULL);

	assert_string_equal(value_of(env, "BELLHOP_TERMINAL"), "0a1b");
	assert_string_equal(value_of(env, "BELLHOP_IDENTITY"), "coder");
	assert_string_equal(value_of(env, "BELLHOP_SOCKET"), "/run/s.sock");
	assert_string_equal(value_of(env, "BELLHOP_SPOOL"), "/run/spool");
	assert_string_equal(value_of(env, "BELLHOP_TOKEN"), "secret");
	assert_string_equal(value_of(env, "PATH"), "/bin:/opt/none");
	bh_childenv_free(env);
}

static void without_a_base_it_is_the_servers(void **state)
{
	struct desk *desk = *state;

	assert_int_equal(setenv("BELLHOP_TEST_OF_ENVIRON", "1", 1), 0);
	char **env = bh_terminal_environ_build(&desk->terminal, NULL);

	assert_string_equal(value_of(env, "BELLHOP_TEST_OF_ENVIRON"), "1");
	assert_int_equal(unsetenv("BELLHOP_TEST_OF_ENVIRON"), 0);
	bh_childenv_free(env);
	// Given an empty one, it is that.
	assert_int_equal(setenv("BELLHOP_TEST_OF_ENVIRON", "1", 1), 0);
	give(desk, (const char *const[]){NULL}, NULL);
	env = bh_terminal_environ_build(&desk->terminal, NULL);
	assert_null(value_of(env, "BELLHOP_TEST_OF_ENVIRON"));
	assert_int_equal(unsetenv("BELLHOP_TEST_OF_ENVIRON"), 0);
	bh_childenv_free(env);
}

static void the_programs_folders_are_noted(void **state)
{
	struct desk *desk = *state;

	bh_terminal_environ_note(&desk->terminal,
	                         (const char *const[]){"HOME=/h", "CLAUDE_CONFIG_DIR=/c", NULL});
	assert_string_equal(desk->terminal.home, "/h");
	assert_string_equal(desk->terminal.config_folder, "/c");
	// A later note takes the place of the first.
	bh_terminal_environ_note(&desk->terminal, (const char *const[]){"X=1", NULL});
	assert_null(desk->terminal.home);
	assert_null(desk->terminal.config_folder);
	// Another program's variable does not count.
	desk->terminal.profile = bh_profiles_find(desk->server.profiles, "codex");
	bh_terminal_environ_note(&desk->terminal, (const char *const[]){"CLAUDE_CONFIG_DIR=/c",
	                                                                "CODEX_HOME=/x", NULL});
	assert_string_equal(desk->terminal.config_folder, "/x");
	desk->terminal.profile = bh_profiles_find(desk->server.profiles, "generic");
	bh_terminal_environ_note(&desk->terminal, (const char *const[]){"CODEX_HOME=/x", NULL});
	assert_null(desk->terminal.config_folder);
}

#define desk_test(name) cmocka_unit_test_setup_teardown(name, desk_open, desk_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		desk_test(what_was_saved_is_loaded),
		desk_test(without_one_nothing_is_saved_or_loaded),
		desk_test(the_user_wins_over_profile_and_base),
		desk_test(the_child_knows_its_terminal),
		desk_test(without_a_base_it_is_the_servers),
		desk_test(the_programs_folders_are_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
