// Claude Code's status file: whose it is, and what of it is taken.
#include "src/agent/status_file.h"

#include "src/agent/profile.h"
#include "src/base/file.h"
#include "src/base/mem.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/** A folder of the program, with a status file of @pid in it. */
struct desk {
	char folder[32];
	char *sessions;
	char *path;
};

static int desk_open(void **state)
{
	struct desk *desk = bh_xmalloc(sizeof *desk);

	(void)snprintf(desk->folder, sizeof desk->folder, "/tmp/bellhop-status-XXXXXX");
	assert_non_null(mkdtemp(desk->folder));
	desk->sessions = bh_xasprintf("%s/sessions", desk->folder);
	assert_int_equal(mkdir(desk->sessions, 0700), 0);
	desk->path = bh_xasprintf("%s/%ld.json", desk->sessions, (long)getpid());
	*state = desk;
	return 0;
}

static int desk_close(void **state)
{
	struct desk *desk = *state;

	(void)unlink(desk->path);
	(void)rmdir(desk->sessions);
	(void)rmdir(desk->folder);
	free(desk->sessions);
	free(desk->path);
	free(desk);
	return 0;
}

static void put(const struct desk *desk, const char *text)
{
	FILE *out = fopen(desk->path, "we");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

/** Field 22 of /proc/self/stat; the name of this program has no blank in it. */
static unsigned long long own_start(void)
{
	unsigned long long start = 0;
	FILE *in = fopen("/proc/self/stat", "re");

	assert_non_null(in);
	for (int field = 1; field < 22; field++) {
		assert_int_equal(fscanf(in, "%*s"), 0);
	}
	assert_int_equal(fscanf(in, "%llu", &start), 1);
	(void)fclose(in);
	return start;
}

static bool look(const struct desk *desk, struct bh_status_file *file, char *session)
{
	memset(file, 'x', sizeof *file);
	return bh_status_file_read(desk->folder, getpid(), file, session);
}

static void all_that_it_tells_is_taken(void **state)
{
	struct desk *desk = *state;
	struct bh_status_file file;
	char session[64];

	put(desk,
	    "{\"sessionId\":\"0a-1b\",\"status\":\"waiting\",\"waitingFor\":\"dialog open\"}");
	assert_true(look(desk, &file, session));
	assert_string_equal(file.status, "waiting");
	assert_string_equal(file.waiting_for, "dialog open");
	assert_string_equal(session, "0a-1b");
	// What it does not tell, or tells as another kind, is empty.
	put(desk, "{\"status\":7}");
	assert_true(look(desk, &file, session));
	assert_string_equal(file.status, "");
	assert_string_equal(file.waiting_for, "");
	assert_string_equal(session, "");
	assert_true(look(desk, &file, NULL));
}

static void long_words_are_cut(void **state)
{
	struct desk *desk = *state;
	struct bh_status_file file;
	char session[64];
	char *text = bh_xasprintf("{\"sessionId\":\"%0200d\",\"status\":\"%0200d\"}", 0, 0);

	put(desk, text);
	assert_true(look(desk, &file, session));
	assert_int_equal(strlen(session), sizeof session - 1);
	assert_int_equal(strlen(file.status), sizeof file.status - 1);
	free(text);
}

static void a_file_of_another_process_is_not_ours(void **state)
{
	struct desk *desk = *state;
	struct bh_status_file file;
	char *text = bh_xasprintf("{\"procStart\":\"%llu\",\"status\":\"busy\"}", own_start());

	put(desk, text);
	assert_true(look(desk, &file, NULL));
	assert_string_equal(file.status, "busy");
	put(desk, "{\"procStart\":\"1\",\"status\":\"busy\"}");
	assert_false(look(desk, &file, NULL));
	free(text);
}

// After a kill the file stays behind.
static void a_file_of_a_dead_process_says_nothing(void **state)
{
	struct desk *desk = *state;
	struct bh_status_file file;
	pid_t child = fork();
	char *path;

	if (child == 0) {
		_exit(0);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
	put(desk, "{\"procStart\":\"5\",\"status\":\"busy\"}");
	path = bh_xasprintf("%s/%ld.json", desk->sessions, (long)child);
	assert_int_equal(rename(desk->path, path), 0);
	assert_false(bh_status_file_read(desk->folder, child, &file, NULL));
	assert_int_equal(unlink(path), 0);
	free(path);
}

static void damaged_files_say_nothing(void **state)
{
	static const char *const texts[] = {"", "{\"status\":\"bu", "[\"busy\"]", "null"};
	struct desk *desk = *state;
	struct bh_status_file file;

	assert_false(look(desk, &file, NULL));
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		put(desk, texts[i]);
		assert_false(look(desk, &file, NULL));
	}
}

static void only_claude_writes_one(void **state)
{
	struct bh_profiles *set = bh_profiles_load(NULL, NULL, NULL);

	(void)state;
	assert_true(bh_status_file_exists(bh_profiles_find(set, "claude")));
	assert_false(bh_status_file_exists(bh_profiles_find(set, "codex")));
	assert_false(bh_status_file_exists(bh_profiles_find(set, "generic")));
	bh_profiles_free(set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_that_it_tells_is_taken, desk_open, desk_close),
		cmocka_unit_test_setup_teardown(long_words_are_cut, desk_open, desk_close),
		cmocka_unit_test_setup_teardown(a_file_of_another_process_is_not_ours, desk_open,
	                                        desk_close),
		cmocka_unit_test_setup_teardown(a_file_of_a_dead_process_says_nothing, desk_open,
	                                        desk_close),
		cmocka_unit_test_setup_teardown(damaged_files_say_nothing, desk_open, desk_close),
		cmocka_unit_test(only_claude_writes_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
