#include "src/server/sweep.h"

#include "src/base/file.h"

#include <ftw.h>
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

#define GONE "11111111-1111-4111-8111-111111111111"
#define LIVES "22222222-2222-4222-8222-222222222222"

static bool lives(void *user, const struct bh_uuid *id)
{
	struct bh_uuid known;

	return bh_uuid_parse(user, &known) && bh_uuid_is_equal(id, &known);
}

// Counts in the digit behind the id.
static void found(void *user, const char *path)
{
	char *digit = (char *)user + strlen(user) + 1;

	assert_non_null(strstr(path, GONE));
	(*digit)++;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *place)
{
	(void)st;
	(void)type;
	(void)place;
	return remove(path);
}

static void put(const struct bh_paths *paths, const char *name)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "%s/%s", paths->runtime_dir, name);
	assert_int_equal(bh_file_replace(path, bh_span_of("SECRET=1"), 0600, BH_FILE_ATOMIC, NULL),
	                 0);
}

static bool is_there(const struct bh_paths *paths, const char *name)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "%s/%s", paths->runtime_dir, name);
	return access(path, F_OK) == 0;
}

static void put_folder(const struct bh_paths *paths, const char *name)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "%s/%s", paths->runtime_dir, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static void what_is_gone_is_swept_and_nothing_else(void **state)
{
	char root[] = "/tmp/bh-sweep-XXXXXX";
	char runtime[64], home[64];
	const char *env[] = {runtime, home, NULL};
	struct bh_paths paths;
	char user[] = LIVES "\0"
			    "0";

	(void)state;
	assert_non_null(mkdtemp(root));
	(void)snprintf(runtime, sizeof(runtime), "BELLHOP_RUNTIME_DIR=%s/r", root);
	(void)snprintf(home, sizeof(home), "HOME=%s", root);
	assert_int_equal(bh_paths_init(&paths, NULL, env, NULL), 0);
	assert_int_equal(bh_paths_make(&paths, NULL), 0);
	put(&paths, "environ-" GONE);
	put(&paths, "environ-" LIVES);
	put(&paths, "environ-not-an-id");
	put(&paths, "history-" GONE);
	put(&paths, "history-" LIVES);
	put(&paths, "session-" GONE);
	put(&paths, "session-" LIVES);
	put(&paths, "keeper.lock");
	put_folder(&paths, "spool/" GONE);
	put(&paths, "spool/" GONE "/req-1.json");
	put_folder(&paths, "spool/" LIVES);
	put(&paths, "spool/" LIVES "/req-1.json");

	bh_sweep_find(&paths, lives, found, user);
	assert_string_equal(user + strlen(LIVES) + 1, "2"); // two, and still there
	assert_true(is_there(&paths, "environ-" GONE));
	assert_true(is_there(&paths, "spool/" GONE));
	assert_int_equal(bh_sweep_runtime(&paths, lives, user), 2);
	assert_false(is_there(&paths, "environ-" GONE));
	assert_false(is_there(&paths, "spool/" GONE));
	assert_true(is_there(&paths, "environ-" LIVES));
	assert_true(is_there(&paths, "environ-not-an-id"));
	assert_true(is_there(&paths, "keeper.lock"));
	assert_true(is_there(&paths, "spool/" LIVES "/req-1.json"));

	// What terminals showed, and were, goes when it is known who ended.
	assert_true(is_there(&paths, "history-" GONE));
	assert_int_equal(bh_sweep_histories(&paths, lives, user), 2);
	assert_false(is_there(&paths, "history-" GONE));
	assert_true(is_there(&paths, "history-" LIVES));
	assert_false(is_there(&paths, "session-" GONE));
	assert_true(is_there(&paths, "session-" LIVES));

	assert_int_equal(bh_sweep_runtime(&paths, NULL, NULL), 4);
	assert_false(is_there(&paths, "history-" LIVES));
	assert_false(is_there(&paths, "session-" LIVES));
	assert_false(is_there(&paths, "environ-" LIVES));
	assert_false(is_there(&paths, "spool/" LIVES));
	assert_int_equal(bh_sweep_runtime(&paths, NULL, NULL), 0);
	bh_paths_clear(&paths);
	assert_int_equal(
		bh_sweep_runtime(&(struct bh_paths){.runtime_dir = root, .spool_dir = root}, NULL,
	                         NULL),
		0);
	assert_int_equal(nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_gone_is_swept_and_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
