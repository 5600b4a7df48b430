#include "src/cmd/session.h"

#include "src/base/mem.h"
#include "src/client/start.h"
#include "src/cmd/command.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/** The environment of somebody outside every terminal, with folders of its own. */
static int outside(void **state)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = bh_xasprintf("%s/bh-session-XXXXXX", tmp == NULL ? "/tmp" : tmp);

	if (mkdtemp(dir) == NULL) {
		return 1;
	}
	(void)unsetenv("BELLHOP_SOCKET");
	(void)unsetenv("BELLHOP_TOKEN");
	(void)unsetenv("BELLHOP_SPOOL");
	(void)unsetenv("BELLHOP_SESSION");
	(void)setenv("BELLHOP_RUNTIME_DIR", dir, 1);
	(void)setenv("BELLHOP_STATE_DIR", dir, 1);
	*state = dir;
	return 0;
}

static int remove_dir(void **state)
{
	int rc = rmdir(*state);

	free(*state);
	return rc;
}

static void enter_terminal(const char *socket)
{
	(void)setenv("BELLHOP_SOCKET", socket, 1);
	(void)setenv("BELLHOP_TOKEN", "secret", 1);
	(void)setenv("BELLHOP_SPOOL", "/spool", 1);
}

static void outside_the_name_decides(void **state)
{
	struct bh_cmd cmd = {.session = "work"};
	struct bh_session session = {0};
	char *wanted = bh_xasprintf("%s/work/server.sock", (char *)*state);

	assert_int_equal(bh_session_find(&cmd, &session, NULL), 0);
	assert_string_equal(session.settings.socket_path, wanted);
	assert_null(session.settings.token);
	assert_null(session.settings.spool_dir);
	assert_non_null(session.settings.keeper_state_path);
	assert_null(session.settings.keeper_argv);
	bh_session_clear(&session);
	assert_null(session.paths.session);
	free(wanted);
}

static void an_empty_variable_is_none(void **state)
{
	struct bh_cmd cmd = {.session = "work"};
	struct bh_session session = {0};

	(void)state;
	enter_terminal("");
	(void)setenv("BELLHOP_TOKEN", "", 1);
	assert_int_equal(bh_session_find(&cmd, &session, NULL), 0);
	assert_ptr_equal(session.settings.socket_path, session.paths.socket);
	assert_null(session.settings.token);
	bh_session_clear(&session);
}

static void inside_the_terminals_server_is_meant(void **state)
{
	struct bh_cmd cmd = {.session = "default"};
	struct bh_session session = {0};

	(void)state;
	enter_terminal("/elsewhere/server.sock");
	assert_int_equal(bh_session_find(&cmd, &session, NULL), 0);
	assert_string_equal(session.settings.socket_path, "/elsewhere/server.sock");
	assert_string_equal(session.settings.token, "secret");
	assert_string_equal(session.settings.spool_dir, "/spool");
	// Its words and its log are not those of the session in our own folders.
	assert_null(session.settings.keeper_state_path);
	assert_null(session.settings.server_log_path);
	bh_session_clear(&session);
}

static void a_session_asked_for_has_no_spool_of_another(void **state)
{
	struct bh_cmd cmd = {.session = "work", .is_session_given = true};
	struct bh_session session = {0};
	char *own = bh_xasprintf("%s/work/server.sock", (char *)*state);

	enter_terminal("/elsewhere/server.sock");
	assert_int_equal(bh_session_find(&cmd, &session, NULL), 0);
	assert_string_equal(session.settings.socket_path, own);
	assert_null(session.settings.spool_dir);
	// The token goes along: the other server is to know that a terminal speaks.
	assert_string_equal(session.settings.token, "secret");
	bh_session_clear(&session);

	// Named by its own name it is the same server, spool and all.
	enter_terminal(own);
	assert_int_equal(bh_session_find(&cmd, &session, NULL), 0);
	assert_string_equal(session.settings.spool_dir, "/spool");
	bh_session_clear(&session);
	free(own);
}

static void a_bad_name_is_refused(void **state)
{
	struct bh_cmd cmd = {.session = "../x"};
	struct bh_session session = {0};
	struct bh_err err = {0};

	(void)state;
	assert_int_equal(bh_session_find(&cmd, &session, &err), BH_EINVALID);
	assert_true(err.text[0] != '\0');
	bh_session_clear(&session);
}

static void a_server_that_must_run_is_not_started(void **state)
{
	struct bh_cmd cmd = {.session = "work"};
	struct bh_session session = {0};
	struct bh_err err = {0};

	(void)state;
	assert_true(bh_start_is_absent(bh_session_open(&cmd, BH_SESSION_RUNNING, &session, &err)));
	assert_non_null(strstr(err.text, "bellhop server start"));
	assert_null(session.client);
	bh_session_clear(&session);
}

int main(void)
{
#define OUTSIDE(name) cmocka_unit_test_setup_teardown(name, outside, remove_dir)
	const struct CMUnitTest tests[] = {
		OUTSIDE(outside_the_name_decides),
		OUTSIDE(an_empty_variable_is_none),
		OUTSIDE(inside_the_terminals_server_is_meant),
		OUTSIDE(a_session_asked_for_has_no_spool_of_another),
		OUTSIDE(a_bad_name_is_refused),
		OUTSIDE(a_server_that_must_run_is_not_started),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
