// Where an agent keeps the records of a project.
#include "src/agent/session_folder.h"

#include "src/base/mem.h"

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

static void pi_names_the_folder_after_the_project(void **state)
{
	char *path = bh_session_folder(BH_PROOF_KIND_PI, "/h/.pi/agent", "/home/u/a:b\\c");

	(void)state;
	assert_string_equal(path, "/h/.pi/agent/sessions/--home-u-a-b-c--");
	free(path);
	path = bh_session_folder(BH_PROOF_KIND_PI, "/h/.pi/agent", "/");
	assert_string_equal(path, "/h/.pi/agent/sessions/----");
	free(path);
}

/** The folder that Gemini CLI, with this list of projects, has for /home/u/proj. */
static char *gemini_folder_of(const char *projects)
{
	char folder[] = "/tmp/bellhop-folder-XXXXXX";
	char *path;
	char *found;
	FILE *out;

	assert_non_null(mkdtemp(folder));
	path = bh_xasprintf("%s/projects.json", folder);
	out = fopen(path, "we");
	assert_non_null(out);
	assert_true(fputs(projects, out) >= 0);
	assert_int_equal(fclose(out), 0);
	found = bh_session_folder(BH_PROOF_KIND_GEMINI, folder, "/home/u/proj");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
	free(path);
	if (found) {
		assert_memory_equal(found, folder, strlen(folder));
		memmove(found, found + strlen(folder), strlen(found + strlen(folder)) + 1);
	}
	return found;
}

static void gemini_has_a_list_of_projects(void **state)
{
	static const char *const damaged[] = {
		"",
		"{",
		"[]",
		"{\"projects\":7}",
		"{\"projects\":{\"/home/u\":\"u\"}}",
		"{\"projects\":{\"/home/u/proj\":\"\"}}",
		"{\"projects\":{\"/home/u/proj\":7}}",
		"{\"projects\":{\"/home/u/proj\":\"..\"}}",
		"{\"projects\":{\"/home/u/proj\":\"a/../../b\"}}",
	};
	char *found = gemini_folder_of("{\"projects\":{\"/home/u/proj\":\"proj-2\"}}");

	(void)state;
	assert_string_equal(found, "/tmp/proj-2/chats");
	free(found);
	for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
		assert_null(gemini_folder_of(damaged[i]));
	}
	assert_null(bh_session_folder(BH_PROOF_KIND_GEMINI, "/nonexistent", "/home/u/proj"));
}

static void others_have_none(void **state)
{
	(void)state;
	assert_null(bh_session_folder(BH_PROOF_KIND_CLAUDE, "/h/.claude", "/home/u"));
	assert_null(bh_session_folder(BH_PROOF_KIND_NONE, "/h", "/home/u"));
}

static void a_record_tells_its_session(void **state)
{
	char gemini[] = "/tmp/bellhop-session-XXXXXX";
	int fd = mkstemp(gemini);
	char id[BH_SESSION_ID_SIZE];

	(void)state;
	assert_true(bh_session_id(BH_PROOF_KIND_CLAUDE, "/c/p/0a-1b.jsonl", id));
	assert_string_equal(id, "0a-1b");
	assert_true(bh_session_id(BH_PROOF_KIND_CODEX,
	                          "/s/rollout-2026-12-01T05-40-13-"
	                          "01a2301e-2cfc-7fa2-8386-b21db5c08f1f.jsonl",
	                          id));
	assert_string_equal(id, "01a2301e-2cfc-7fa2-8386-b21db5c08f1f");
	assert_true(bh_session_id(BH_PROOF_KIND_PI, "/s/2026-12-01_0a-2c.jsonl", id));
	assert_string_equal(id, "0a-2c");
	assert_true(fd >= 0);
	assert_true(dprintf(fd, "{\"sessionId\":\"9b-1\",\"kind\":\"main\"}\n{}\n") > 0);
	assert_true(bh_session_id(BH_PROOF_KIND_GEMINI, gemini, id));
	assert_string_equal(id, "9b-1");
	assert_true(bh_session_id(BH_PROOF_KIND_OPENCODE, "/d/a#b/opencode.db#ses_2c", id));
	assert_string_equal(id, "ses_2c");
	assert_false(bh_session_id(BH_PROOF_KIND_OPENCODE, "/d/a#b/opencode.db", id));
	// Nothing that the program would take for something else.
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_false(bh_session_id(BH_PROOF_KIND_GEMINI, gemini, id));
	assert_false(bh_session_id(BH_PROOF_KIND_CLAUDE, "/c/--help.jsonl", id));
	assert_false(bh_session_id(BH_PROOF_KIND_CLAUDE, "/c/a b.jsonl", id));
	assert_false(bh_session_id(BH_PROOF_KIND_CLAUDE, "", id));
	assert_false(bh_session_id(BH_PROOF_KIND_CODEX, "/s/rollout-1.jsonl", id));
	assert_false(bh_session_id(BH_PROOF_KIND_SCREEN, "/c/0a.jsonl", id));
	assert_int_equal(close(fd), 0);
	assert_int_equal(unlink(gemini), 0);
	// Nor a pipe that somebody put in its place, and waits.
	assert_int_equal(mkfifo(gemini, 0600), 0);
	(void)alarm(20);
	assert_false(bh_session_id(BH_PROOF_KIND_GEMINI, gemini, id));
	(void)alarm(0);
	assert_int_equal(unlink(gemini), 0);
}

static void a_record_tells_its_database(void **state)
{
	char *path = bh_session_store("/d/a#b/opencode.db#ses_2c");

	(void)state;
	assert_string_equal(path, "/d/a#b/opencode.db");
	free(path);
	assert_null(bh_session_store("/d/ab/opencode.db"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pi_names_the_folder_after_the_project),
		cmocka_unit_test(gemini_has_a_list_of_projects),
		cmocka_unit_test(others_have_none),
		cmocka_unit_test(a_record_tells_its_session),
		cmocka_unit_test(a_record_tells_its_database),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
