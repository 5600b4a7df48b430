#include "src/client/spool.h"

#include "src/base/file.h"
#include "src/base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static int make_dir(void **state)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = bh_xasprintf("%s/bh-spool-XXXXXX", tmp == NULL ? "/tmp" : tmp);

	*state = mkdtemp(dir);
	return *state == NULL;
}

/** Fails when the client left a file behind. */
static int remove_dir(void **state)
{
	int rc = rmdir(*state);

	free(*state);
	return rc;
}

/** The name of the request file in @dir, or NULL. The caller frees. */
static char *find_request(const char *dir)
{
	DIR *at = opendir(dir);
	struct dirent *entry = NULL;
	char *found = NULL;

	while (at != NULL && found == NULL && (entry = readdir(at)) != NULL) {
		if (strncmp(entry->d_name, "req-", 4) == 0) {
			found = bh_xstrdup(entry->d_name);
		}
	}
	if (at != NULL) {
		(void)closedir(at);
	}
	return found;
}

/** What was told, one digit a step. */
struct told {
	char steps[16];
	size_t count;
};

static void on_tell(void *user, enum bh_patience_step step)
{
	struct told *told = user;

	assert_true(told->count + 1 < sizeof(told->steps));
	told->steps[told->count++] = (char)('0' + (int)step);
}

/** A call that asks for signs of life. */
static int spool_call(const char *dir, long timeout_ms, struct told *told, struct bh_buf *answer,
                      struct bh_err *err)
{
	struct bh_spool_request call = {.dir = dir,
	                                .request = bh_span_of("hello"),
	                                .sign = bh_span_of("sign"),
	                                .timeout_ms = timeout_ms,
	                                .tell = on_tell,
	                                .user = told};

	return bh_spool_call(&call, answer, err);
}

/** A server in a child: takes one request and answers with it. */
static pid_t start_server(const char *dir)
{
	pid_t pid = fork();
	char *name = NULL;

	if (pid != 0) {
		return pid;
	}
	for (int i = 0; i < 2000 && (name = find_request(dir)) == NULL; i++) {
		(void)poll(NULL, 0, 5);
	}
	if (name == NULL) {
		_exit(1);
	}

	char *request = bh_xasprintf("%s/%s", dir, name);
	char *answer = bh_xasprintf("%s/ans-%s", dir, name + 4);
	struct bh_buf text = {0};

	if (bh_file_read(request, 1000, &text, NULL) != 0 || unlink(request) != 0) {
		_exit(2);
	}
	bh_buf_puts(&text, "!");
	if (bh_file_replace(answer, (struct bh_span){text.data, text.len}, 0600, BH_FILE_ATOMIC,
	                    NULL) != 0) {
		_exit(3);
	}
	_exit(0);
}

static void wait_for_server(pid_t pid)
{
	int status = 0;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void a_request_is_answered(void **state)
{
	pid_t pid = start_server(*state);
	struct bh_buf answer = {0};

	assert_int_equal(spool_call(*state, 10000, NULL, &answer, NULL), 0);
	assert_string_equal(answer.data, "hello!");
	bh_buf_clear(&answer);
	wait_for_server(pid);
}

static void a_request_nobody_takes_is_withdrawn(void **state)
{
	struct bh_buf answer = {0};
	struct bh_err err = {0};

	assert_int_equal(spool_call(*state, 30, NULL, &answer, &err), BH_ETIMEOUT);
	assert_non_null(strstr(err.text, "not known"));
	assert_null(find_request(*state));
	assert_int_equal(answer.len, 0);
}

/** Who asks is told when nothing in the folder is answered. A sign of life would not be told apart from
 * the request here, so the server gives none: see server.bats. */
static void a_server_that_does_not_react_is_told_of(void **state)
{
	struct told told = {0};
	struct bh_buf answer = {0};
	char want[] = {(char)('0' + BH_PATIENCE_TELL_HUNG), '\0'};

	assert_int_equal(spool_call(*state, 5500, &told, &answer, NULL), BH_ETIMEOUT);
	assert_string_equal(told.steps, want);
	assert_null(find_request(*state));
}

static void only_an_own_folder_is_usable(void **state)
{
	assert_true(bh_spool_is_usable(*state));
	assert_false(bh_spool_is_usable(NULL));
	assert_false(bh_spool_is_usable("relative"));
	assert_false(bh_spool_is_usable("/nonexistent"));
	assert_false(bh_spool_is_usable("/dev/null"));
}

static void a_missing_folder_is_an_error(void **state)
{
	struct bh_buf answer = {0};
	struct bh_err err = {0};

	(void)state;
	assert_int_equal(spool_call("/nonexistent", 10, NULL, &answer, &err), -ENOENT);
	assert_true(err.text[0] != '\0');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_request_is_answered, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(a_request_nobody_takes_is_withdrawn, make_dir,
	                                        remove_dir),
		cmocka_unit_test_setup_teardown(a_server_that_does_not_react_is_told_of, make_dir,
	                                        remove_dir),
		cmocka_unit_test_setup_teardown(only_an_own_folder_is_usable, make_dir, remove_dir),
		cmocka_unit_test(a_missing_folder_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
