#include "src/base/log.h"

#include "src/base/buf.h"
#include "src/base/file.h"
#include "src/base/limits.h"
#include "src/base/mem.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static int path_make(void **state)
{
	const char *base = getenv("TMPDIR");
	char *path = bh_xasprintf("%s/log.XXXXXX", base == NULL ? "/tmp" : base);
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	(void)close(fd);
	assert_int_equal(unlink(path), 0);
	*state = path;
	return 0;
}

static int path_remove(void **state)
{
	char *path = *state;
	char *old = bh_xasprintf("%s.1", path);

	bh_log_close();
	(void)unlink(path);
	(void)unlink(old);
	free(old);
	free(path);
	return 0;
}

static char *content_of(const char *path)
{
	struct bh_buf out = {0};

	assert_int_equal(bh_file_read(path, 2 * BH_LIMIT_LOG, &out, NULL), 0);
	return bh_buf_detach(&out);
}

static void test_writes_lines_of_its_level(void **state)
{
	const char *path = *state;
	struct stat info;
	char *text;

	bh_log(BH_LOG_ERROR, "test", NULL, "goes nowhere");
	assert_int_equal(bh_log_open(path, BH_LOG_INFO, NULL), 0);
	assert_true(bh_log_is_on(BH_LOG_INFO));
	assert_false(bh_log_is_on(BH_LOG_DEBUG));
	bh_log(BH_LOG_WARN, "keeper", "pty=6f1c", "table of %d is full", 3);
	bh_log(BH_LOG_DEBUG, "keeper", NULL, "a body");
	text = content_of(path);
	assert_non_null(strstr(text, " warn keeper pty=6f1c"));
	assert_non_null(strstr(text, "table of 3 is full\n"));
	assert_null(strstr(text, "nowhere"));
	assert_null(strstr(text, "a body"));
	free(text);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0600);
}

static void test_no_text_can_forge_a_line(void **state)
{
	const char *path = *state;
	char *text;

	assert_int_equal(bh_log_open(path, BH_LOG_INFO, NULL), 0);
	bh_log(BH_LOG_INFO, "test", "box=a\nb", "one\n2026 error forged\033[2J");
	text = content_of(path);
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	assert_null(strchr(text, '\033'));
	free(text);
}

static void test_cuts_long_lines_and_rotates(void **state)
{
	const char *path = *state;
	char *old = bh_xasprintf("%s.1", path);
	char *text = bh_xmalloc(2 * BH_LIMIT_LOG_LINE);
	struct stat info;

	memset(text, 'x', 2 * BH_LIMIT_LOG_LINE - 1);
	assert_int_equal(bh_log_open(path, BH_LOG_INFO, NULL), 0);
	for (int i = 0; i < BH_LIMIT_LOG / BH_LIMIT_LOG_LINE + 10; i++) {
		bh_log(BH_LOG_INFO, "test", NULL, "%s", text);
	}
	assert_int_equal(stat(old, &info), 0);
	assert_true(info.st_size <= BH_LIMIT_LOG + BH_LIMIT_LOG_LINE);
	assert_int_equal(stat(path, &info), 0);
	assert_true(info.st_size <= BH_LIMIT_LOG);
	free(text);
	free(old);
}

static void test_a_bad_path_is_an_error(void **state)
{
	struct bh_err err = {0};

	(void)state;
	assert_int_equal(bh_log_open("/no/such/folder/log", BH_LOG_INFO, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/no/such/folder/log"));
	assert_int_equal(bh_log_level_of("warn"), BH_LOG_WARN);
	assert_int_equal(bh_log_level_of("loud"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_writes_lines_of_its_level, path_make,
	                                        path_remove),
		cmocka_unit_test_setup_teardown(test_no_text_can_forge_a_line, path_make,
	                                        path_remove),
		cmocka_unit_test_setup_teardown(test_cuts_long_lines_and_rotates, path_make,
	                                        path_remove),
		cmocka_unit_test(test_a_bad_path_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
