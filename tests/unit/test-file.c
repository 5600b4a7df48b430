#include "src/base/file.h"

#include "src/base/mem.h"

#include <dirent.h>
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

/* A folder for one case, and a path in it. */
struct folder {
	char *dir;
	char *path;
};

static int folder_make(void **state)
{
	struct folder *folder = bh_xmalloc(sizeof(*folder));
	const char *base = getenv("TMPDIR");

	folder->dir = bh_xasprintf("%s/file.XXXXXX", base == NULL ? "/tmp" : base);
	assert_non_null(mkdtemp(folder->dir));
	folder->path = bh_xasprintf("%s/file", folder->dir);
	*state = folder;
	return 0;
}

static int folder_remove(void **state)
{
	struct folder *folder = *state;

	(void)unlink(folder->path);
	(void)rmdir(folder->path);
	assert_int_equal(rmdir(folder->dir), 0);
	free(folder->path);
	free(folder->dir);
	free(folder);
	return 0;
}

static int entries_in(const char *path)
{
	DIR *dir = opendir(path);
	int count = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL) {
		count++;
	}
	(void)closedir(dir);
	return count - 2;
}

static void test_replaces_and_reads(void **state)
{
	const struct folder *folder = *state;
	struct bh_buf out = {0};
	struct stat info;

	assert_int_equal(
		bh_file_replace(folder->path, bh_span_of("old"), 0600, BH_FILE_ATOMIC, NULL), 0);
	assert_int_equal(
		bh_file_replace(folder->path, bh_span_of("new"), 0600, BH_FILE_DURABLE, NULL), 0);
	assert_int_equal(bh_file_read(folder->path, 3, &out, NULL), 0);
	assert_string_equal(out.data, "new");
	bh_buf_clear(&out);
	assert_int_equal(stat(folder->path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0600);
	assert_int_equal(entries_in(folder->dir), 1);
}

static void test_refuses_long_files_and_what_is_no_file(void **state)
{
	const struct folder *folder = *state;
	struct bh_buf out = {0};
	struct bh_err err = {0};

	assert_int_equal(
		bh_file_replace(folder->path, bh_span_of("four"), 0600, BH_FILE_ATOMIC, NULL), 0);
	assert_int_equal(bh_file_read(folder->path, 3, &out, &err), BH_ELIMIT);
	assert_int_equal(out.len, 0);
	assert_non_null(strstr(err.text, folder->path));
	assert_int_equal(bh_file_read_head(folder->path, 3, &out, &err), 0);
	assert_string_equal(out.data, "fou");
	bh_buf_clear(&out);
	assert_int_equal(bh_file_read_head(folder->path, 5, &out, &err), 0);
	assert_string_equal(out.data, "four");
	bh_buf_clear(&out);
	assert_int_equal(bh_file_remove(folder->path, NULL), 0);
	assert_int_equal(bh_file_remove(folder->path, NULL), 0);
	assert_int_equal(bh_file_read(folder->path, 3, &out, &err), -ENOENT);
	assert_int_equal(mkfifo(folder->path, 0600), 0);
	assert_int_equal(bh_file_read(folder->path, 3, &out, &err), BH_EINVALID);
	assert_int_equal(bh_file_read_head(folder->path, 3, &out, &err), BH_EINVALID);
	assert_int_equal(unlink(folder->path), 0);
	assert_int_equal(bh_file_read(folder->dir, 3, &out, &err), BH_EINVALID);
	bh_buf_clear(&out);
}

static void test_a_failed_replace_leaves_nothing(void **state)
{
	const struct folder *folder = *state;
	struct bh_err err = {0};

	assert_int_equal(mkdir(folder->path, 0700), 0);
	assert_true(bh_file_replace(folder->path, bh_span_of("x"), 0600, BH_FILE_DURABLE, &err) <
	            0);
	assert_true(err.text[0] != '\0');
	assert_int_equal(entries_in(folder->dir), 1);
	assert_int_equal(rmdir(folder->path), 0);
	assert_int_equal(
		bh_file_replace("/no/such/folder/x", bh_span_of("x"), 0600, BH_FILE_ATOMIC, &err),
		-ENOENT);
}

static void test_moves(void **state)
{
	const struct folder *folder = *state;
	char *other = bh_xasprintf("%s/other", folder->dir);

	assert_int_equal(bh_file_replace(other, bh_span_of("x"), 0600, BH_FILE_ATOMIC, NULL), 0);
	assert_int_equal(bh_file_move(other, folder->path, NULL), 0);
	assert_int_equal(bh_file_move(other, folder->path, NULL), -ENOENT);
	assert_int_equal(entries_in(folder->dir), 1);
	free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_replaces_and_reads, folder_make,
	                                        folder_remove),
		cmocka_unit_test_setup_teardown(test_refuses_long_files_and_what_is_no_file,
	                                        folder_make, folder_remove),
		cmocka_unit_test_setup_teardown(test_a_failed_replace_leaves_nothing, folder_make,
	                                        folder_remove),
		cmocka_unit_test_setup_teardown(test_moves, folder_make, folder_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
