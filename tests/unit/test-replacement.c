// A living terminal that is to be succeeded: asked to end, killed, and who waits is told.
#include "src/server/replacement.h"

#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <signal.h>
#include <string.h>

/** Who waits for the successor. */
struct waiter {
	int calls;
	struct bh_terminal *terminal;
	int code;
};

static void on_done(void *user, struct bh_terminal *terminal, const struct bh_err *err)
{
	struct waiter *waiter = user;

	waiter->calls++;
	waiter->terminal = terminal;
	waiter->code = err != NULL ? err->code : 0;
}

static void a_forced_respawn_ends_the_living_one(void **state)
{
	struct world world;
	struct world_child *child;

	(void)state;
	world_open(&world);
	child = world_run(&world, "a", "");
	world_ask(&world, "terminal.respawn", "\"name\":\"a\",\"force\":true");
	while (child->signal == 0) {
		world_turn(&world);
	}
	assert_int_equal(child->signal, SIGHUP);
	assert_null(world_call(&world, "terminal.respawn", "\"name\":\"a\",\"force\":true"));
	assert_string_equal(world_word(&world), "busy");
	// One that does not listen is killed.
	while (child->signal != SIGKILL) {
		(void)uv_run(&world.server.loop, UV_RUN_ONCE);
	}
	world_exit(&world, child, SIGKILL);
	assert_non_null(world_answer(&world));
	assert_int_equal(world.child_count, 2);
	assert_string_equal(world_state(&world, "a"), "starting");
	world_close(&world);
}

static void an_end_in_the_middle_leaves_nothing(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	world_ask(&world, "terminal.respawn", "\"name\":\"a\",\"force\":true");
	world_ask(&world, "terminal.wait_state", "\"name\":\"a\",\"state\":\"working\"");
	world_ask(&world, "terminal.run", "\"argv\":[\"/bin/cat\"]");
	while (world.children[0].signal == 0) {
		world_turn(&world);
	}
	world_close(&world);
}

static void one_waits_at_a_time(void **state)
{
	struct world world;
	struct waiter waiter = {0};
	struct bh_err err = {0};
	void *user = NULL;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", "");
	struct bh_terminal *terminal = bh_terminals_get(world.server.terminals, &child->id);

	assert_null(bh_replacement_take(terminal, &user));
	assert_int_equal(bh_replacement_begin(terminal, on_done, &waiter, &err), 0);
	assert_int_equal(child->signal, SIGHUP);
	assert_int_equal(bh_replacement_begin(terminal, on_done, NULL, &err), BH_EBUSY);
	assert_ptr_equal(bh_replacement_take(terminal, &user), on_done);
	assert_ptr_equal(user, &waiter);
	// It is over: nobody is told, and nothing is killed later.
	bh_replacement_drop(terminal);
	assert_int_equal(waiter.calls, 0);
	assert_null(terminal->replacement);
	assert_null(bh_replacement_take(terminal, &user));
	world_close(&world);
}

static void who_waits_is_told_when_it_will_not_come(void **state)
{
	struct world world;
	struct waiter waiter = {0};
	struct bh_err err = {0};

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", "");
	struct bh_terminal *terminal = bh_terminals_get(world.server.terminals, &child->id);

	assert_int_equal(bh_replacement_begin(terminal, on_done, &waiter, &err), 0);
	bh_replacement_drop(terminal);
	assert_int_equal(waiter.calls, 1);
	assert_null(waiter.terminal);
	assert_int_equal(waiter.code, BH_EBUSY);
	bh_replacement_drop(terminal);
	assert_int_equal(waiter.calls, 1);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_forced_respawn_ends_the_living_one),
		cmocka_unit_test(an_end_in_the_middle_leaves_nothing),
		cmocka_unit_test(one_waits_at_a_time),
		cmocka_unit_test(who_waits_is_told_when_it_will_not_come),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
