// Which session a terminal is, and successors that go on with it.
#include "src/server/resume.h"

#include "src/base/mem.h"
#include "src/mail/store.h"
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FAILED (1 << 8)

/** `terminal.run` of an agent that keeps its records in the world's folder. */
static struct world_child *run_agent(struct world *world, const char *name, const char *argv,
                                     const char *more)
{
	if (world_call(world, "terminal.run",
	               "\"identity\":\"%s\",\"argv\":[%s],\"env\":{\"CLAUDE_CONFIG_DIR\":\"%s\"}%s",
	               name, argv, world->folder, more) == NULL) {
		fail_msg("run: %s", world_sentence(world));
	}
	return world_child(world);
}

/** The agent says by its hook which session it is; @is_begun: a turn has begun in it. */
static void tell_session(struct world *world, const struct world_child *child, const char *id,
                         bool is_begun)
{
	char *path = bh_xasprintf("%s/%s.jsonl", world->folder, id);
	cJSON *payload = cJSON_CreateObject();

	(void)cJSON_AddStringToObject(payload, "transcript_path", path);
	bh_terminal_hook(bh_terminals_get(world->server.terminals, &child->id), "SessionStart",
	                 payload);
	if (is_begun) {
		FILE *out = fopen(path, "we");

		assert_non_null(out);
		assert_int_equal(fclose(out), 0);
	}
	cJSON_Delete(payload);
	free(path);
}

/** An agent whose session is known, and that has failed. */
static void fail_agent(struct world *world, const char *argv, const char *more)
{
	struct world_child *child = run_agent(world, "a", argv, more);

	tell_session(world, child, "5e55", true);
	world_exit(world, child, FAILED);
}

static bool is_started_with(const struct world_child *child, const char *words)
{
	return strstr(child->argv, words) != NULL;
}

static void await_children(struct world *world, int count)
{
	while (world->child_count < count) {
		world_turn(world);
	}
}

static bool is_said_resumed(struct world *world)
{
	return cJSON_IsTrue(cJSON_GetObjectItem(
		world_call(world, "terminal.explain", "\"name\":\"a\""), "resumed"));
}

static void only_who_asks_goes_on(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	fail_agent(&world, "\"claude\",\"--continue\",\"fix it\"", "");
	assert_non_null(world_call(&world, "terminal.respawn", "\"name\":\"a\",\"resume\":true"));
	assert_true(is_started_with(world_child(&world), "\n--resume\n5e55\n"));
	assert_false(is_started_with(world_child(&world), "--continue"));
	assert_false(is_started_with(world_child(&world), "fix it"));
	assert_true(is_said_resumed(&world));
	// It has not said yet which session it is, and ends: that is known all the same.
	world_exit(&world, world_child(&world), FAILED);
	assert_non_null(world_call(&world, "terminal.respawn", "\"name\":\"a\",\"resume\":true"));
	assert_true(is_started_with(world_child(&world), "\n--resume\n5e55\n"));
	world_exit(&world, world_child(&world), FAILED);
	assert_non_null(world_call(&world, "terminal.respawn", "\"name\":\"a\""));
	assert_true(is_started_with(world_child(&world), "\n--continue\nfix it\n"));
	assert_false(is_started_with(world_child(&world), "--resume"));
	assert_false(is_said_resumed(&world));
	// What begins afresh is another session, until it tells which.
	world_exit(&world, world_child(&world), FAILED);
	assert_null(world_call(&world, "terminal.respawn", "\"name\":\"a\",\"resume\":true"));
	assert_string_equal(world_word(&world), "cannot_resume");
	world_close(&world);
}

static void await_state(struct world *world, const char *word)
{
	while (strcmp(world_state(world, "a"), word) != 0) {
		world_turn(world);
	}
}

// Codex works for a moment when it starts, on its own tools: that is no turn.
static void work_at_the_start_is_no_turn(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	fail_agent(&world, "\"claude\"", "");
	assert_non_null(world_call(&world, "terminal.respawn", "\"name\":\"a\",\"resume\":true"));
	world_print(&world, world_child(&world), "\033]7501;state=working:app=claude-code\a");
	await_state(&world, "working");
	assert_true(is_said_resumed(&world));
	bh_terminal_hook(bh_terminals_get(world.server.terminals, &world_child(&world)->id),
	                 "UserPromptSubmit", NULL);
	world_turn(&world);
	assert_false(is_said_resumed(&world));
	world_close(&world);
}

static void what_cannot_be_resumed_is_refused(void **state)
{
	struct world world;
	struct world_child *child;

	(void)state;
	world_open(&world);
	world_exit(&world, world_run(&world, "cat", ""), FAILED);
	assert_null(world_call(&world, "terminal.respawn", "\"name\":\"cat\",\"resume\":true"));
	assert_string_equal(world_word(&world), "cannot_resume");
	assert_non_null(strstr(world_sentence(&world), "knows no way"));
	child = run_agent(&world, "new", "\"claude\"", "");
	tell_session(&world, child, "0e0e", false);
	world_exit(&world, child, FAILED);
	assert_null(world_call(&world, "terminal.respawn", "\"name\":\"new\",\"resume\":true"));
	assert_string_equal(world_word(&world), "cannot_resume");
	assert_non_null(strstr(world_sentence(&world), "no record"));
	fail_agent(&world, "\"claude\",\"-p\",\"fix it\"", "");
	assert_null(world_call(&world, "terminal.respawn", "\"name\":\"a\",\"resume\":true"));
	assert_string_equal(world_word(&world), "cannot_resume");
	assert_non_null(strstr(world_sentence(&world), "-p"));
	// Somebody has resumed it by hand, under another name.
	tell_session(&world, run_agent(&world, "b", "\"claude\"", ""), "5e55", true);
	fail_agent(&world, "\"claude\"", "");
	assert_null(world_call(&world, "terminal.respawn", "\"name\":\"a\",\"resume\":true"));
	assert_string_equal(world_word(&world), "busy");
	assert_non_null(strstr(world_sentence(&world), "already runs in b"));
	world_close(&world);
}

static void a_living_one_is_not_ended_for_nothing(void **state)
{
	struct world world;
	struct world_child *child;

	(void)state;
	world_open(&world);
	child = run_agent(&world, "a", "\"claude\"", "");
	assert_null(world_call(&world, "terminal.respawn", "\"name\":\"a\",\"resume\":true"));
	assert_string_equal(world_word(&world), "busy");
	assert_null(world_call(&world, "terminal.respawn",
	                       "\"name\":\"a\",\"resume\":true,\"force\":true"));
	assert_string_equal(world_word(&world), "cannot_resume");
	assert_int_equal(child->signal, 0);
	tell_session(&world, child, "5e55", true);
	world_ask(&world, "terminal.respawn", "\"name\":\"a\",\"resume\":true,\"force\":true");
	while (child->signal == 0) {
		world_turn(&world);
	}
	world_exit(&world, child, 0);
	assert_non_null(world_answer(&world));
	assert_true(is_started_with(world_child(&world), "\n--resume\n5e55\n"));
	world_close(&world);
}

static void another_server_knows_it_too(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	fail_agent(&world, "\"claude\"", "");
	world_crash(&world);
	// The store tells of those that ended a moment after the start.
	for (int i = 0; i < 5000 && world_call(&world, "terminal.get", "\"name\":\"a\"") == NULL;
	     i++) {
		usleep(1000);
	}
	assert_non_null(world_call(&world, "terminal.respawn", "\"name\":\"a\",\"resume\":true"));
	assert_true(is_started_with(world_child(&world), "\n--resume\n5e55\n"));
	world_close(&world);
}

static void a_policy_goes_on_when_it_can(void **state)
{
	struct world world;
	char *path;

	(void)state;
	world_open(&world);
	fail_agent(&world, "\"claude\",\"fix it\"", ",\"respawn\":\"on-failure\",\"resume\":true");
	await_children(&world, 2);
	assert_true(is_started_with(world_child(&world), "\n--resume\n5e55\n"));
	// The same under another server, which has the policy from the store.
	world_exit(&world, world_child(&world), FAILED);
	world_crash(&world);
	await_children(&world, 3);
	assert_true(is_started_with(world_child(&world), "\n--resume\n5e55\n"));
	// Its record is gone: then it begins afresh.
	path = bh_xasprintf("%s/5e55.jsonl", world.folder);
	assert_int_equal(unlink(path), 0);
	free(path);
	world_exit(&world, world_child(&world), FAILED);
	await_children(&world, 4);
	assert_true(is_started_with(world_child(&world), "\nfix it\n"));
	assert_false(is_started_with(world_child(&world), "--resume"));
	world_close(&world);
}

static void a_policy_without_it_begins_afresh(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	fail_agent(&world, "\"claude\",\"fix it\"", ",\"respawn\":\"on-failure\"");
	await_children(&world, 2);
	assert_true(is_started_with(world_child(&world), "\nfix it\n"));
	assert_false(is_started_with(world_child(&world), "--resume"));
	world_close(&world);
}

/** The newest mail that `lead` has not read. */
struct seen {
	bool is_answered;
	char body[512];
};

static void on_peeked(void *user, const struct bh_answer *answer)
{
	struct seen *seen = user;

	seen->is_answered = true;
	assert_true(answer->message_count > 0);
	(void)snprintf(seen->body, sizeof seen->body, "%s",
	               answer->messages[answer->message_count - 1].body);
}

/** What the agent that started `a` is told of its end. */
static struct seen told_of_the_end(const char *more)
{
	static const char *const lead[] = {"lead"};
	struct seen seen = {0};
	struct world world;
	struct world_child *child;

	world_open(&world);
	world_run(&world, "lead", "");
	child = run_agent(&world, "a", "\"claude\"", more);
	bh_terminals_get(world.server.terminals, &child->id)->setup.launched_by =
		world.children[0].id;
	tell_session(&world, child, "5e55", true);
	world_exit(&world, child, FAILED);
	while (bh_store_pending(world.server.store) > 0) {
		world_turn(&world);
	}
	assert_int_equal(bh_store_peek(world.server.store,
	                               &(struct bh_take){.names = lead, .name_count = 1}, on_peeked,
	                               &seen, NULL),
	                 0);
	while (!seen.is_answered) {
		world_turn(&world);
	}
	world_close(&world);
	return seen;
}

static void who_started_it_is_told(void **state)
{
	static const char policy[] = ",\"respawn\":\"always\",\"resume\":true";

	(void)state;
	assert_non_null(strstr(told_of_the_end("").body, "with --resume in its session."));
	assert_non_null(strstr(told_of_the_end(policy).body, "with its session, idle: nobody"));
}

/** The successor of an agent, which goes on with its session. */
static struct bh_terminal *resumed(struct world *world)
{
	fail_agent(world, "\"claude\"", "");
	assert_non_null(world_call(world, "terminal.respawn", "\"name\":\"a\",\"resume\":true"));
	return bh_terminals_get(world->server.terminals, &world_child(world)->id);
}

// Of a program that does not say which session runs.
static void it_is_in_that_session_until_somebody_may_have_left_it(void **state)
{
	struct world world;
	struct bh_terminal *terminal;

	(void)state;
	world_open(&world);
	terminal = resumed(&world);
	assert_non_null(strstr(bh_resume_record(terminal), "/5e55.jsonl"));
	assert_int_equal(bh_terminal_write(terminal, "\033[I", 3, BH_WRITER_PERSON), 0);
	assert_int_equal(bh_terminal_write(terminal, "x", 1, BH_WRITER_REPLY), 0);
	assert_non_null(bh_resume_record(terminal));
	assert_int_equal(bh_terminal_write(terminal, "\033[<0;1;1M", 9, BH_WRITER_PERSON), 0);
	assert_null(bh_resume_record(terminal)); // a click may have
	world_exit(&world, world_child(&world), FAILED);
	assert_non_null(world_call(&world, "terminal.respawn", "\"name\":\"a\""));
	terminal = bh_terminals_get(world.server.terminals, &world_child(&world)->id);
	assert_null(bh_resume_record(terminal)); // it began afresh
	world_close(&world);
}

static void a_form_that_is_not_known_is_told(void **state)
{
	struct world world;
	char *folder;
	FILE *out;

	(void)state;
	world_open(&world);
	folder = bh_xasprintf("mkdir %s/opencode", world.folder);
	assert_int_equal(system(folder), 0);
	free(folder);
	folder = bh_xasprintf("%s/opencode/opencode.db", world.folder);
	out = fopen(folder, "we");
	assert_non_null(out);
	assert_true(fputs("another kind of file, which is longer than the header that a database "
	                  "has at its beginning: 0123456789 0123456789",
	                  out) >= 0);
	assert_int_equal(fclose(out), 0);
	free(folder);
	assert_non_null(world_call(&world, "terminal.run",
	                           "\"identity\":\"o\",\"argv\":[\"opencode\"],\"env\":{"
	                           "\"XDG_DATA_HOME\":\"%s\"}",
	                           world.folder));
	world_exit(&world, world_child(&world), FAILED);
	assert_null(world_call(&world, "terminal.respawn", "\"name\":\"o\",\"resume\":true"));
	assert_string_equal(world_word(&world), "cannot_resume");
	assert_non_null(strstr(world_sentence(&world), "in a form that is not known"));
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_who_asks_goes_on),
		cmocka_unit_test(work_at_the_start_is_no_turn),
		cmocka_unit_test(what_cannot_be_resumed_is_refused),
		cmocka_unit_test(a_living_one_is_not_ended_for_nothing),
		cmocka_unit_test(another_server_knows_it_too),
		cmocka_unit_test(a_policy_goes_on_when_it_can),
		cmocka_unit_test(a_policy_without_it_begins_afresh),
		cmocka_unit_test(who_started_it_is_told),
		cmocka_unit_test(it_is_in_that_session_until_somebody_may_have_left_it),
		cmocka_unit_test(a_form_that_is_not_known_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
