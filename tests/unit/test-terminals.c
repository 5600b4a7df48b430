// The table of terminals in a whole server without a keeper: names, ends, successors, crashes.
#include "src/server/terminals.h"

#include "src/mail/store.h"
#include "src/server/sweep.h"
#include "tests/unit/server-world.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct bh_terminal *wait_until_running(struct world *world, const char *name)
{
	const struct bh_terminal *terminal = NULL;

	while ((terminal = bh_terminals_of_identity(world->server.terminals, name)) == NULL ||
	       terminal->phase != BH_TERMINAL_RUNNING) {
		world_turn(world);
	}
	return terminal;
}

static void names_are_given_and_guarded(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "", "");
	assert_string_equal(world_state(&world, "cat"), "starting");
	world_run(&world, "", "");
	assert_string_equal(world_state(&world, "cat-2"), "starting");
	assert_null(
		world_call(&world, "terminal.run", "\"argv\":[\"/bin/cat\"],\"identity\":\"CAT\""));
	assert_string_equal(world_word(&world), "identity_taken");
	assert_null(world_call(&world, "terminal.run",
	                       "\"argv\":[\"/bin/cat\"],\"identity\":\"operator\""));
	assert_string_equal(world_word(&world), "invalid");
	assert_int_equal(bh_terminals_living(world.server.terminals), 2);
	// What failed left nothing in the list.
	const cJSON *result = world_call(&world, "terminal.list", "\"all\":true");

	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(result, "terminals")), 2);
	world_close(&world);
}

static void a_failed_start_frees_the_name(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world.spawn_error = ENOENT;
	assert_null(world_call(&world, "terminal.run",
	                       "\"argv\":[\"/bin/none\"],\"identity\":\"a\","
	                       "\"environ\":{\"API_KEY\":\"secret\"}"));
	assert_string_equal(world_word(&world), "exec_failed");
	assert_non_null(strstr(world_sentence(&world), "No such file"));
	assert_int_equal(bh_sweep_runtime(&world.server.paths, NULL, NULL), 0); // nothing was left
	world_run(&world, "a", "");
	world_close(&world);
}

static void an_exit_keeps_status_and_screen(void **state)
{
	struct world world;
	struct world_child *child;
	const cJSON *result;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", "");
	world_print(&world, child, "last words");
	world_exit(&world, child, 7 << 8);
	assert_string_equal(world_state(&world, "a"), "exited");
	result = world_call(&world, "terminal.get", "\"name\":\"a\"");
	assert_int_equal(cJSON_GetObjectItem(cJSON_GetObjectItem(result, "exit"), "code")->valueint,
	                 7);
	result = world_call(&world, "terminal.screen", "\"name\":\"a\"");
	assert_non_null(strstr(world_text(result, "text"), "last words"));
	result = world_call(&world, "terminal.list", "\"all\":false");
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(result, "terminals")), 0);
	assert_null(world_call(&world, "terminal.kill", "\"name\":\"a\""));
	assert_string_equal(world_word(&world), "exited");
	// The name is free again, and the new holder is meant by it.
	child = world_run(&world, "a", "");
	assert_string_equal(world_state(&world, "a"), "starting");
	world_close(&world);
}

static void a_respawn_is_a_new_terminal_of_the_same_name(void **state)
{
	struct world world;
	struct world_child *child;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", ",\"env\":{\"A\":\"1\"},\"environ\":{\"HOME\":\"/h\"}");
	assert_null(world_call(&world, "terminal.respawn", "\"name\":\"a\""));
	assert_string_equal(world_word(&world), "busy");
	world_exit(&world, child, 0);
	assert_non_null(world_call(&world, "terminal.respawn", "\"name\":\"a\""));
	assert_int_equal(world.child_count, 2);
	assert_false(bh_uuid_is_equal(&world.children[0].id, &world.children[1].id));
	assert_string_equal(world_state(&world, "a"), "starting");
	assert_non_null(strstr(world.children[1].env, "A=1\n"));
	assert_non_null(strstr(world.children[1].env, "HOME=/h\n"));
	world_close(&world);
}

static void a_policy_starts_successors(void **state)
{
	struct world world;
	struct world_child *child;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", ",\"respawn\":\"always\"");
	world_exit(&world, child, 0);
	// It waits for its successor, so it is in the list and keeps its name.
	const cJSON *result = world_call(&world, "terminal.get", "\"name\":\"a\"");

	assert_true(cJSON_IsNumber(cJSON_GetObjectItem(result, "respawn_at")));
	assert_null(
		world_call(&world, "terminal.run", "\"argv\":[\"/bin/cat\"],\"identity\":\"a\""));
	assert_string_equal(world_word(&world), "identity_taken");
	while (world.child_count < 2) {
		world_turn(&world);
	}
	wait_until_running(&world, "a");
	// One that cannot be started (its program is just being updated) is tried again.
	world_exit(&world, world_child(&world), 0);
	world.spawn_error = ENOENT;
	while (world.child_count < 4) { // the one that failed is counted
		world_turn(&world);
	}
	assert_int_equal(world.spawn_error, 0);
	wait_until_running(&world, "a");
	// Forgotten while it waits: no successor.
	world_exit(&world, world_child(&world), 0);
	assert_non_null(world_call(&world, "terminal.forget", "\"name\":\"a\""));
	world_run(&world, "a", "");
	assert_int_equal(world.child_count, 5);
	world_close(&world);
}

static void a_crash_loses_nothing(void **state)
{
	struct world world;
	struct world_child *child;
	char *env = NULL;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", ",\"cols\":70,\"rows\":12");
	world_print(&world, child, "before the crash");
	env = strdup(child->env);
	// Printed while nobody reads.
	world_run(&world, "b", ",\"respawn\":\"always\",\"environ\":{\"HOME\":\"/h\"}");
	world_exit(&world, world_child(&world), 1 << 8);
	assert_int_equal(write(world.children[0].slave, " and during", 11), 11);
	world_crash(&world);
	const struct bh_terminal *terminal = wait_until_running(&world, "a");

	while (terminal->offset < strlen("before the crash and during")) {
		world_turn(&world);
	}
	const cJSON *result = world_call(&world, "terminal.screen", "\"name\":\"a\"");

	assert_non_null(strstr(world_text(result, "text"), "before the crash and during"));
	assert_int_equal(cJSON_GetObjectItem(result, "cols")->valueint, 70);
	assert_non_null(strstr(env, terminal->token)); // the child's secret is still good
	// Whoever waited for a respawn gets it, with its environment.
	while (world.child_count < 3) {
		world_turn(&world);
	}
	assert_non_null(strstr(world_child(&world)->env, "HOME=/h\n"));
	free(env);
	world_close(&world);
}

static void a_child_that_died_with_the_server_is_settled(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	world.children[0].is_forgotten = true; // as if the keeper was started anew, too
	world_crash(&world);
	while (bh_store_pending(world.server.store) > 0) {
		world_turn(&world);
	}
	assert_null(world_call(&world, "terminal.get", "\"name\":\"a\""));
	world_run(&world, "a", "");
	world_close(&world);
}

static int listed(struct world *world)
{
	return cJSON_GetArraySize(cJSON_GetObjectItem(
		world_call(world, "terminal.list", "\"all\":true"), "terminals"));
}

// The store tells of those that ended a moment after the start.
static void listed_until(struct world *world, int count)
{
	for (int i = 0; i < 1000 && listed(world) != count; i++) {
		usleep(1000);
	}
	assert_int_equal(listed(world), count);
}

static void what_has_ended_is_there_after_a_crash(void **state)
{
	struct world world;
	const cJSON *terminal = NULL;

	(void)state;
	world_open(&world);
	world_exit(&world, world_run(&world, "one", ""), 3 << 8);
	world_exit(&world, world_run(&world, "two", ""), 15);
	(void)world_run(&world, "three", "");
	listed_until(&world, 3);
	world_crash(&world);
	listed_until(&world, 3);
	terminal = cJSON_GetArrayItem(
		cJSON_GetObjectItem(world_call(&world, "terminal.list", "\"all\":true"),
	                            "terminals"),
		0);
	assert_string_equal(world_text(terminal, "identity"), "one");
	assert_string_equal(world_text(terminal, "state"), "exited");
	assert_int_equal(
		cJSON_GetObjectItem(cJSON_GetObjectItem(terminal, "exit"), "code")->valueint, 3);
	assert_non_null(world_call(&world, "terminal.forget", "\"name\":\"one\""));
	assert_int_equal(listed(&world), 2);
	world_crash(&world);
	listed_until(&world, 2);
	assert_null(world_call(&world, "terminal.get", "\"name\":\"one\""));
	world_close(&world);
}

// The end is on disk, and the server dies before the keeper hears that it may forget.
static void an_end_that_is_on_disk_is_no_lost_child(void **state)
{
	struct world world;
	struct world_child *one = NULL;
	const cJSON *terminal = NULL;

	(void)state;
	world_open(&world);
	one = world_run(&world, "one", "");
	world_exit(&world, one, 3 << 8);
	one->is_forgotten = false;
	world_crash(&world);
	listed_until(&world, 1);
	terminal = cJSON_GetArrayItem(
		cJSON_GetObjectItem(world_call(&world, "terminal.list", "\"all\":true"),
	                            "terminals"),
		0);
	assert_string_equal(world_text(terminal, "identity"), "one");
	assert_int_equal(
		cJSON_GetObjectItem(cJSON_GetObjectItem(terminal, "exit"), "code")->valueint, 3);
	assert_true(one->is_forgotten);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_has_ended_is_there_after_a_crash),
		cmocka_unit_test(an_end_that_is_on_disk_is_no_lost_child),
		cmocka_unit_test(names_are_given_and_guarded),
		cmocka_unit_test(a_failed_start_frees_the_name),
		cmocka_unit_test(an_exit_keeps_status_and_screen),
		cmocka_unit_test(a_respawn_is_a_new_terminal_of_the_same_name),
		cmocka_unit_test(a_policy_starts_successors),
		cmocka_unit_test(a_crash_loses_nothing),
		cmocka_unit_test(a_child_that_died_with_the_server_is_settled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
