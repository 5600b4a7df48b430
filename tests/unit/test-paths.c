#include "src/base/paths.h"

#include "src/base/mem.h"

#include <errno.h>
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

static void test_takes_folders_from_the_environment(void **state)
{
	const char *const ours[] = {"HOME=/home/x", "BELLHOP_RUNTIME_DIR=/r",
	                            "BELLHOP_STATE_DIR=/s", "XDG_CONFIG_HOME=/c", NULL};
	const char *const named[] = {"HOME=/home/x", "BELLHOP_CONFIG=/etc/my.json", NULL};
	const char *const bare[] = {"HOME=/home/x", NULL};
	struct bh_paths paths;

	(void)state;
	assert_int_equal(bh_paths_init(&paths, "red", ours, NULL), 0);
	assert_string_equal(paths.socket, "/r/red/server.sock");
	assert_string_equal(paths.mail_db, "/s/red/mail.db");
	assert_string_equal(paths.profiles_dir, "/c/bellhop/profiles");
	assert_string_equal(paths.config_file, "/c/bellhop/config.json");
	assert_false(paths.is_config_named);
	bh_paths_clear(&paths);
	assert_int_equal(bh_paths_init(&paths, NULL, bare, NULL), 0);
	assert_string_equal(paths.session, "default");
	assert_memory_equal(paths.runtime_dir, "/tmp/bellhop-", 13);
	assert_string_equal(paths.state_dir, "/home/x/.local/state/bellhop/default");
	assert_string_equal(paths.config_dir, "/home/x/.config/bellhop");
	bh_paths_clear(&paths);
	assert_null(paths.socket);
	assert_int_equal(bh_paths_init(&paths, NULL, named, NULL), 0);
	assert_string_equal(paths.config_file, "/etc/my.json");
	assert_true(paths.is_config_named);
	bh_paths_clear(&paths);
}

static void test_the_session_is_an_option_then_a_variable(void **state)
{
	const char *const env[] = {"HOME=/h", "BELLHOP_SESSION=blue", NULL};
	struct bh_paths paths;

	(void)state;
	assert_int_equal(bh_paths_init(&paths, NULL, env, NULL), 0);
	assert_string_equal(paths.session, "blue");
	bh_paths_clear(&paths);
	assert_int_equal(bh_paths_init(&paths, "red", env, NULL), 0);
	assert_string_equal(paths.session, "red");
	bh_paths_clear(&paths);
}

static void test_refuses_names_that_are_paths(void **state)
{
	static const char *const bad[] = {".", "..", "../x", "a/b", "-x", "a b", "a\n"};
	const char *const env[] = {"HOME=/h", NULL};
	struct bh_paths paths;
	struct bh_err err = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(bh_paths_is_session(bad[i]));
		assert_int_equal(bh_paths_init(&paths, bad[i], env, &err), BH_EINVALID);
	}
	assert_false(bh_paths_is_session(""));
	assert_true(bh_paths_is_session("a.B_9-x"));
}

static void test_refuses_bad_folders_with_words(void **state)
{
	char *longest = bh_xasprintf("BELLHOP_RUNTIME_DIR=/%0120d", 0);
	const char *const relative[] = {"HOME=/h", "BELLHOP_STATE_DIR=state", NULL};
	const char *const too_long[] = {"HOME=/h", longest, NULL};
	struct bh_paths paths;
	struct bh_err err = {0};

	(void)state;
	assert_int_equal(bh_paths_init(&paths, NULL, relative, &err), BH_EINVALID);
	assert_non_null(strstr(err.text, "BELLHOP_STATE_DIR"));
	assert_int_equal(bh_paths_init(&paths, NULL, too_long, &err), BH_EINVALID);
	assert_true(err.text[0] != '\0');
	free(longest);
}

static char *folder_make(void)
{
	char *dir = bh_xstrdup("/tmp/bh-paths.XXXXXX");

	assert_non_null(mkdtemp(dir));
	return dir;
}

static void test_a_parent_that_cannot_be_made_is_told_with_its_reason(void **state)
{
	// Nobody may make a folder there, and to look for it afterwards fails for another reason.
	const char *const env[] = {"HOME=/h", "BELLHOP_RUNTIME_DIR=/sys/bh-none/r",
	                           "BELLHOP_STATE_DIR=/sys/bh-none/s", NULL};
	struct bh_paths paths;
	struct bh_err err = {0};
	int code;

	(void)state;
	assert_int_equal(bh_paths_init(&paths, NULL, env, NULL), 0);
	code = bh_paths_make(&paths, &err);
	assert_true(code < 0 && code != -ENOENT);
	assert_non_null(strstr(err.text, "/sys/bh-none: "));
	assert_null(strstr(err.text, strerror(ENOENT)));
	assert_non_null(strstr(err.text, "BELLHOP_STATE_DIR"));
	bh_paths_clear(&paths);
}

static void test_makes_folders_for_us_alone(void **state)
{
	char *dir = folder_make();
	char *runtime = bh_xasprintf("BELLHOP_RUNTIME_DIR=%s/r", dir);
	char *states = bh_xasprintf("BELLHOP_STATE_DIR=%s/s", dir);
	const char *const env[] = {"HOME=/h", runtime, states, NULL};
	struct bh_paths paths;
	struct bh_err err = {0};
	struct stat info;

	(void)state;
	assert_int_equal(bh_paths_init(&paths, NULL, env, NULL), 0);
	assert_int_equal(bh_paths_make(&paths, &err), 0);
	assert_int_equal(bh_paths_make(&paths, &err), 0);
	assert_int_equal(stat(paths.runtime_dir, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0700);
	assert_int_equal(chmod(paths.runtime_dir, 0755), 0);
	assert_int_equal(bh_paths_make(&paths, &err), BH_EDENIED);
	assert_non_null(strstr(err.text, paths.runtime_dir));
	assert_int_equal(rmdir(paths.spool_dir), 0);
	assert_int_equal(rmdir(paths.runtime_dir), 0);
	assert_int_equal(symlink("/tmp", paths.runtime_dir), 0);
	assert_int_equal(bh_paths_make(&paths, &err), BH_EDENIED);
	assert_int_equal(unlink(paths.runtime_dir), 0);
	assert_int_equal(rmdir(paths.runtime_root), 0);
	assert_int_equal(rmdir(paths.state_dir), 0);
	assert_int_equal(rmdir(paths.state_root), 0);
	assert_int_equal(rmdir(dir), 0);
	bh_paths_clear(&paths);
	free(runtime);
	free(states);
	free(dir);
}

static void test_finds_helpers(void **state)
{
	char *dir = folder_make();
	char *variable = bh_xasprintf("BELLHOP_LIBEXECDIR=%s", dir);
	char *helper = bh_xasprintf("%s/helper", dir);
	const char *const env[] = {variable, NULL};
	char *self = bh_paths_self();
	struct bh_err err = {0};
	char *found;
	FILE *file;

	(void)state;
	assert_non_null(strstr(self, "test-paths"));
	assert_null(bh_paths_helper("no-such-helper", env, &err));
	assert_non_null(strstr(err.text, "no-such-helper"));
	file = fopen(helper, "w");
	assert_non_null(file);
	(void)fclose(file);
	assert_int_equal(chmod(helper, 0700), 0);
	found = bh_paths_helper("helper", env, &err);
	assert_string_equal(found, helper);
	free(found);
	assert_int_equal(unlink(helper), 0);
	assert_int_equal(rmdir(dir), 0);
	free(variable);
	free(helper);
	free(self);
	free(dir);
}

static void test_reads_variables(void **state)
{
	const char *const env[] = {"A=1", "AB=2", "B", "C=", NULL};

	(void)state;
	assert_string_equal(bh_paths_env(env, "A"), "1");
	assert_string_equal(bh_paths_env(env, "AB"), "2");
	assert_string_equal(bh_paths_env(env, "C"), "");
	assert_null(bh_paths_env(env, "B"));
	assert_null(bh_paths_env(env, "D"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_takes_folders_from_the_environment),
		cmocka_unit_test(test_the_session_is_an_option_then_a_variable),
		cmocka_unit_test(test_refuses_names_that_are_paths),
		cmocka_unit_test(test_refuses_bad_folders_with_words),
		cmocka_unit_test(test_a_parent_that_cannot_be_made_is_told_with_its_reason),
		cmocka_unit_test(test_makes_folders_for_us_alone),
		cmocka_unit_test(test_finds_helpers),
		cmocka_unit_test(test_reads_variables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
