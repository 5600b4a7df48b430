// What happens to a terminal that an agent started is told to that agent.
#include "src/server/lifecycle.h"

#include "src/mail/store.h"
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <signal.h>
#include <string.h>

#define STATUS(code) ((code) << 8)

/** What a message says; read by a person. */
struct seen {
	unsigned count;
	char body[600];
	struct bh_message message;
};

static void on_peeked(void *user, const struct bh_answer *answer)
{
	struct seen *seen = user;

	seen->count = (unsigned)answer->message_count + 1; // 0: not answered yet
	if (answer->message_count > 0) {
		const struct bh_message *last = &answer->messages[answer->message_count - 1];

		seen->message = *last;
		(void)snprintf(seen->body, sizeof(seen->body), "%s", last->body);
	}
}

/** The newest unread message of a name; its number of unread ones is the result. */
static unsigned look(struct world *world, const char *name, struct seen *seen)
{
	*seen = (struct seen){0};
	while (bh_store_pending(world->server.store) > 0) {
		world_turn(world);
	}
	assert_int_equal(bh_store_peek(world->server.store,
	                               &(struct bh_take){.names = &name, .name_count = 1},
	                               on_peeked, seen, NULL),
	                 0);
	while (seen->count == 0) {
		world_turn(world);
	}
	return seen->count - 1;
}

static struct bh_terminal *terminal_of(struct world *world, const struct world_child *child)
{
	return bh_terminals_get(world->server.terminals, &child->id);
}

/** A terminal `child` that the agent in `lead` started. */
static struct world_child *family(struct world *world, const char *more)
{
	struct world_child *lead = world_run(world, "lead", "");
	struct world_child *child = world_run(world, "child", more);

	terminal_of(world, child)->setup.launched_by = lead->id;
	return child;
}

static void be(struct bh_terminal *terminal, enum bh_state state, enum bh_last_turn last_turn)
{
	terminal->verdict.state = state;
	terminal->verdict.last_turn = last_turn;
	bh_lifecycle_evaluated(terminal);
}

static void says(const struct seen *seen, const char *part)
{
	if (strstr(seen->body, part) == NULL) {
		fail_msg("no \"%s\" in: %s", part, seen->body);
	}
}

static void an_exit_is_told_to_who_started_it(void **state)
{
	static const struct {
		int status;
		const char *text;
	} ends[] = {{STATUS(0), "child has exited"},
	            {STATUS(3), "status 3"},
	            {SIGKILL, "ended by the signal SIGKILL"}};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct world world;
		struct seen seen;

		world_open(&world);
		world_exit(&world, family(&world, ""), ends[i].status);
		assert_int_equal(look(&world, "lead", &seen), 1);
		says(&seen, ends[i].text);
		says(&seen, "bellhop respawn child");
		assert_int_equal(seen.message.sender, BH_SENDER_BELLHOP);
		assert_string_equal(seen.message.from, "bellhop");
		// Its chain of messages is that of the child's turn (test-turn.c).
		assert_string_equal(seen.message.from_terminal,
		                    terminal_of(&world, &world.children[1])->id_text);
		assert_false(bh_store_item(world.server.store, "lead", seen.message.seq)->is_quiet);
		world_close(&world);
	}
}

static void what_a_person_started_is_told_to_nobody(void **state)
{
	struct world world;
	struct world_child *child;
	struct seen seen;

	(void)state;
	world_open(&world);
	world_run(&world, "lead", "");
	child = world_run(&world, "child", "");
	be(terminal_of(&world, child), BH_STATE_WORKING, BH_TURN_NONE);
	be(terminal_of(&world, child), BH_STATE_IDLE, BH_TURN_ERROR);
	world_exit(&world, child, STATUS(1));
	assert_int_equal(look(&world, "lead", &seen), 0);
	assert_int_equal(look(&world, "operator", &seen), 0);
	world_close(&world);
}

static void the_successor_of_who_started_it_is_told(void **state)
{
	struct world world;
	struct world_child *lead;
	struct world_child *child;
	struct seen seen;
	int before;

	(void)state;
	world_open(&world);
	lead = world_run(&world, "lead", ",\"respawn\":\"always\"");
	child = world_run(&world, "child", "");
	terminal_of(&world, child)->setup.launched_by = lead->id;
	before = world.child_count;
	world_exit(&world, &world.children[0], STATUS(0));
	while (world.child_count == before) {
		world_turn(&world);
	}
	world_exit(&world, &world.children[1], STATUS(1));
	assert_int_equal(look(&world, "lead", &seen), 1);
	says(&seen, "child has failed");
	world_close(&world);
}

static void a_child_of_nobody_left_is_told_to_nobody(void **state)
{
	struct world world;
	struct world_child *child;
	struct seen seen;

	(void)state;
	world_open(&world);
	child = family(&world, "");
	world_exit(&world, &world.children[0], STATUS(0)); // the lead
	world_exit(&world, child, STATUS(1));
	assert_int_equal(look(&world, "lead", &seen), 0);
	world_close(&world);
}

static void what_is_started_again_or_was_ended_wakes_nobody(void **state)
{
	struct world world;
	struct world_child *child;
	struct seen seen;

	(void)state;
	world_open(&world);
	child = family(&world, ",\"respawn\":\"always\"");
	world_exit(&world, child, STATUS(1));
	assert_int_equal(look(&world, "lead", &seen), 1);
	says(&seen, "it is started again by itself");
	assert_true(bh_store_item(world.server.store, "lead", seen.message.seq)->is_quiet);
	world_close(&world);
	world_open(&world);
	child = family(&world, "");
	terminal_of(&world, child)->watched.is_ended_by_agent = true;
	world_exit(&world, child, SIGHUP);
	assert_int_equal(look(&world, "lead", &seen), 1);
	assert_true(bh_store_item(world.server.store, "lead", seen.message.seq)->is_quiet);
	world_close(&world);
}

/** What a starter is told when its child ends after it sent it a signal: whether that wakes. */
static bool wakes_after(const char *signal)
{
	struct world world;
	struct world_child *child;
	struct world_child *lead;
	struct seen seen;
	char params[64];
	bool is_quiet;

	world_open(&world);
	child = world_run(&world, "child", "");
	lead = world_run(&world, "lead", "");
	terminal_of(&world, child)->setup.launched_by = lead->id;
	world_come_as(&world, BH_CALLER_INSIDE); // the newest: lead
	(void)snprintf(params, sizeof(params), "\"name\":\"child\",\"signal\":\"%s\"", signal);
	assert_non_null(world_call(&world, "terminal.kill", "%s", params));
	world_exit(&world, child, STATUS(1));
	assert_int_equal(look(&world, "lead", &seen), 1);
	is_quiet = bh_store_item(world.server.store, "lead", seen.message.seq)->is_quiet;
	world_close(&world);
	return !is_quiet;
}

static void only_a_signal_that_ends_it_is_an_end_by_the_agent(void **state)
{
	(void)state;
	assert_false(wakes_after("TERM"));
	assert_false(wakes_after("HUP"));
	assert_true(wakes_after("CONT"));
	assert_true(wakes_after("WINCH"));
}

static void one_that_is_given_up_wakes(void **state)
{
	struct world world;
	struct world_child *child;
	struct seen seen;

	(void)state;
	world_open(&world);
	child = family(&world, ",\"respawn\":\"always\"");
	terminal_of(&world, child)->respawn_count = 10;
	world_exit(&world, child, STATUS(1));
	assert_int_equal(look(&world, "lead", &seen), 1);
	says(&seen, "did not last 10 times in a row");
	assert_false(bh_store_item(world.server.store, "lead", seen.message.seq)->is_quiet);
	world_close(&world);
}

static void a_turn_that_failed_is_told(void **state)
{
	struct world world;
	struct bh_terminal *child;
	struct seen seen;
	uint64_t seq;

	(void)state;
	world_open(&world);
	child = terminal_of(&world, family(&world, ""));
	be(child, BH_STATE_IDLE, BH_TURN_NONE);
	be(child, BH_STATE_WORKING, BH_TURN_NONE);
	be(child, BH_STATE_COMPLETED, BH_TURN_DONE);
	assert_int_equal(look(&world, "lead", &seen), 0);
	be(child, BH_STATE_WORKING, BH_TURN_DONE);
	be(child, BH_STATE_IDLE, BH_TURN_ERROR);
	assert_int_equal(look(&world, "lead", &seen), 1);
	seq = seen.message.seq;
	be(child, BH_STATE_IDLE, BH_TURN_ERROR); // once
	assert_int_equal(look(&world, "lead", &seen), 1);
	assert_int_equal(seen.message.seq, seq);
	says(&seen, "A turn of child ended in an error");
	// How it ended may come a little later. After a restart of the server, what was before is no news.
	be(child, BH_STATE_WORKING, BH_TURN_NONE);
	be(child, BH_STATE_IDLE, BH_TURN_NONE);
	be(child, BH_STATE_IDLE, BH_TURN_ERROR);
	assert_int_equal(look(&world, "lead", &seen), 1);
	child->watched = (struct bh_watched){0};
	seq = seen.message.seq;
	be(child, BH_STATE_IDLE, BH_TURN_ERROR);
	assert_int_equal(look(&world, "lead", &seen), 1);
	assert_int_equal(seen.message.seq, seq);
	// The next one takes its place while it is unread.
	be(child, BH_STATE_WORKING, BH_TURN_ERROR);
	be(child, BH_STATE_IDLE, BH_TURN_ERROR);
	assert_int_equal(look(&world, "lead", &seen), 1);
	world_close(&world);
}

static void one_that_waits_for_a_person_long_is_told_once(void **state)
{
	struct world world;
	struct world_child *child;
	struct bh_terminal *terminal;
	struct bh_terminal *other;
	struct seen seen;

	(void)state;
	world_open(&world);
	world.server.config.child_awaiting_minutes = 1;
	child = family(&world, "");
	terminal = terminal_of(&world, child);
	other = terminal_of(&world, world_run(&world, "other", ""));
	other->setup.launched_by = world.children[0].id;
	be(terminal, BH_STATE_AWAITING, BH_TURN_NONE);
	assert_int_equal(look(&world, "lead", &seen), 0);
	terminal->watched.awaiting_ms -= 60000; // a minute passes
	be(other, BH_STATE_AWAITING, BH_TURN_NONE);
	assert_int_equal(look(&world, "lead", &seen), 1);
	says(&seen, "child has been waiting for a person's decision for 1 min");
	be(other, BH_STATE_WORKING, BH_TURN_NONE);
	be(other, BH_STATE_AWAITING, BH_TURN_NONE);
	assert_int_equal(look(&world, "lead", &seen), 1);
	// Its end is about the same child: one letter is left.
	world_exit(&world, child, STATUS(0));
	assert_int_equal(look(&world, "lead", &seen), 1);
	says(&seen, "has exited");
	// Never, when the setting says so.
	world.server.config.child_awaiting_minutes = 0;
	other->watched.awaiting_ms -= 600000;
	be(other, BH_STATE_WORKING, BH_TURN_NONE);
	be(other, BH_STATE_AWAITING, BH_TURN_NONE);
	assert_int_equal(look(&world, "lead", &seen), 1);
	world_close(&world);
}

static void an_exit_is_told_once_over_a_crash(void **state)
{
	struct world world;
	struct world_child *child;
	struct seen seen;

	(void)state;
	world_open(&world);
	child = family(&world, "");
	world_exit(&world, child, STATUS(2));
	assert_int_equal(look(&world, "lead", &seen), 1);
	// The keeper had not been told to forget it: the exit is learned again.
	bh_lifecycle_exited(terminal_of(&world, child));
	assert_int_equal(look(&world, "lead", &seen), 1);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exit_is_told_to_who_started_it),
		cmocka_unit_test(what_a_person_started_is_told_to_nobody),
		cmocka_unit_test(the_successor_of_who_started_it_is_told),
		cmocka_unit_test(a_child_of_nobody_left_is_told_to_nobody),
		cmocka_unit_test(what_is_started_again_or_was_ended_wakes_nobody),
		cmocka_unit_test(only_a_signal_that_ends_it_is_an_end_by_the_agent),
		cmocka_unit_test(one_that_is_given_up_wakes),
		cmocka_unit_test(a_turn_that_failed_is_told),
		cmocka_unit_test(one_that_waits_for_a_person_long_is_told_once),
		cmocka_unit_test(an_exit_is_told_once_over_a_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
