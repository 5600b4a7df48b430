// What connects the parts: delivery acts on terminals, terminals tell delivery and those who wait, callers
// are looked up.
#include "src/server/wiring.h"

#include "src/agent/profile.h"
#include "src/agent/profile_data.h"
#include "src/base/clock.h"
#include "src/base/err.h"
#include "src/mail/store.h"
#include "src/server/server.h"
#include "src/server/terminals.h"
#include "tests/unit/server-world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct bh_deliver_host *const host = &bh_wiring_deliver_host;

static struct bh_terminal *terminal_of(struct world *world, const struct world_child *child)
{
	return bh_terminals_get(world->server.terminals, &child->id);
}

static void assert_child_reads(const struct world_child *child, const char *expected)
{
	char text[64] = "";
	ssize_t count = read(child->slave, text, sizeof text - 1);

	assert_int_equal(count, expected[0] != '\0' ? (ssize_t)strlen(expected) : -1);
	assert_string_equal(text, expected);
}

static void delivery_sees_a_terminal_as_it_is_now(void **state)
{
	struct world world;
	struct bh_deliver_view view;

	(void)state;
	assert_null(host->point); // for tests only
	world_open(&world);
	struct world_child *child =
		world_run(&world, "a", ",\"profile\":\"claude\",\"mode\":\"notice\"");
	struct bh_terminal *terminal = terminal_of(&world, child);

	world_print(&world, child, "\033]7501;state=working:app=claude-code\007");
	assert_true(host->view(&world.server, &child->id, &view));
	assert_int_equal(view.verdict.state, BH_STATE_WORKING);
	assert_ptr_equal(view.screen, terminal->screen);
	assert_ptr_equal(view.profile, terminal->profile);
	assert_ptr_equal(view.proof, terminal->proof);
	assert_int_equal(view.mode, BH_MODE_NOTICE);
	assert_int_equal(view.name_count, 1);
	assert_string_equal(view.names[0], "a");
	assert_int_equal(view.last_output_ms, terminal->output_ms);
	assert_false(view.has_unread_input);
	// A person's key and a new size both disturb; the later one counts.
	terminal->person_ms = 70;
	terminal->resized_ms = 50;
	assert_true(host->view(&world.server, &child->id, &view));
	assert_int_equal(view.disturbed_ms, 70);
	terminal->resized_ms = 90;
	assert_true(host->view(&world.server, &child->id, &view));
	assert_int_equal(view.disturbed_ms, 90);
	world_close(&world);
}

static void delivery_writes_holds_and_releases(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", ",\"profile\":\"demo\"");
	const struct bh_terminal *terminal = terminal_of(&world, child);

	host->hold(&world.server, &child->id);
	assert_true(terminal->is_held);
	assert_int_equal(host->write(&world.server, &child->id, "mail", 4, BH_INPUT_TYPIST_TEXT),
	                 0);
	// It is the program's only when the program has read it.
	struct bh_deliver_view view;

	assert_true(host->view(&world.server, &child->id, &view));
	assert_true(view.has_unread_input);
	assert_child_reads(child, "mail");
	assert_true(host->view(&world.server, &child->id, &view));
	assert_false(view.has_unread_input);
	assert_int_equal(host->write(&world.server, &child->id, "\r", 1, BH_INPUT_TYPIST_CR), 0);
	assert_child_reads(child, "\r");
	// The judge was told of the Enter, and of nothing before it.
	assert_true(host->view(&world.server, &child->id, &view));
	assert_int_equal(view.verdict.epoch, 1);
	assert_non_null(world_call(&world, "terminal.type", "\"name\":\"a\",\"text\":\"x1\""));
	assert_child_reads(child, "");
	host->release(&world.server, &child->id, true);
	assert_false(terminal->is_held);
	assert_child_reads(child, "x");
	world_close(&world);
}

static void delivery_notes(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", "");

	host->note(&world.server, &child->id, "typing mail");
	assert_string_equal(terminal_of(&world, child)->note, "typing mail");
	host->note(&world.server, &child->id, "");
	assert_string_equal(terminal_of(&world, child)->note, "");
	world_close(&world);
}

/** The state of a terminal in which a turn began by its own word, 2.5 s later. */
static enum bh_state told_of_a_turn(struct world *world, const char *name, bool has_slept)
{
	struct bh_terminal *terminal =
		terminal_of(world, world_run(world, name, ",\"profile\":\"claude\""));
	uint64_t now_ms = host->now_ms(&world->server);
	struct bh_verdict verdict;

	bh_judge_hook(terminal->judge, "UserPromptSubmit", NULL, now_ms);
	if (has_slept) {
		host->resumed(&world->server);
	}
	bh_judge_evaluate(terminal->judge, terminal->screen, now_ms + 2500, &verdict);
	return verdict.state;
}

static void after_a_suspend_events_are_forgotten(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	assert_int_equal(told_of_a_turn(&world, "a", false), BH_STATE_WORKING);
	assert_int_not_equal(told_of_a_turn(&world, "b", true), BH_STATE_WORKING);
	world_close(&world);
}

// Whoever sets the clock makes no wait longer or shorter.
static void intervals_go_by_a_clock_that_nobody_sets(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	assert_true(host->now_ms(&world.server) <= bh_clock_mono_ms());
	assert_true(host->now_ms(&world.server) + 60000 > bh_clock_mono_ms());
	assert_true(host->wall_ms(&world.server) > 1500000000000);
	world_close(&world);
}

static void what_is_gone_takes_nothing(void **state)
{
	struct world world;
	struct bh_deliver_view view;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", "");
	const struct bh_uuid ids[] = {child->id, bh_uuid_new()};

	world_exit(&world, child, 0);
	for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
		assert_false(host->view(&world.server, &ids[i], &view));
		assert_int_equal(host->write(&world.server, &ids[i], "x", 1, BH_INPUT_TYPIST_TEXT),
		                 BH_ECLOSED);
		host->hold(&world.server, &ids[i]);
		host->note(&world.server, &ids[i], "x");
		host->release(&world.server, &ids[i], false);
	}
	assert_false(terminal_of(&world, child)->is_held);
	assert_string_equal(terminal_of(&world, child)->note, "");
	world_close(&world);
}

static void somebody_looks_while_a_client_is_attached(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	world_run(&world, "b", "");
	assert_false(host->has_ui(&world.server));
	assert_non_null(world_call(&world, "terminal.attach", "\"name\":\"a\",\"observe\":true"));
	assert_false(host->has_ui(&world.server));
	world_come_as(&world, BH_CALLER_OPERATOR);
	assert_non_null(world_call(&world, "terminal.attach", "\"name\":\"b\""));
	assert_true(host->has_ui(&world.server));
	world_close(&world);
}

static void callers_are_found_by_child_and_by_token(void **state)
{
	struct world world;
	struct bh_uuid id;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", ",\"profile\":\"claude\"");
	struct bh_terminal *terminal = terminal_of(&world, child);
	struct bh_callers_world callers = bh_wiring_callers_world(&world.server);

	assert_ptr_equal(callers.user, &world.server);
	assert_true(callers.terminal_of_token(callers.user, terminal->token, &id));
	assert_true(bh_uuid_is_equal(&id, &child->id));
	assert_false(callers.terminal_of_token(callers.user, "no such token", &id));
	assert_false(callers.terminal_of_token(callers.user, "", &id));
	assert_true(callers.terminal_of_child(callers.user, child->pid, terminal->pid_start, &id));
	assert_true(bh_uuid_is_equal(&id, &child->id));
	assert_false(
		callers.terminal_of_child(callers.user, child->pid, terminal->pid_start + 1, &id));
	assert_false(callers.terminal_of_child(callers.user, child->pid + 1, 0, &id));
	world_close(&world);
}

// The daemon serves all terminals, so the secret of one proves nothing.
static void a_token_of_a_shared_daemon_is_refused(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", ",\"profile\":\"claude\"");
	struct bh_terminal *terminal = terminal_of(&world, child);
	struct bh_callers_world callers = bh_wiring_callers_world(&world.server);
	const struct bh_profile *own = terminal->profile;
	struct bh_profile daemon = *own;
	const struct bh_uuid unknown = bh_uuid_new();

	assert_false(callers.is_token_refused(callers.user, &child->id));
	daemon.has_shared_daemon = true;
	terminal->profile = &daemon;
	assert_true(callers.is_token_refused(callers.user, &child->id));
	terminal->profile = own;
	assert_true(callers.is_token_refused(callers.user, &unknown));
	world_close(&world);
}

static void a_start_opens_a_spool_and_an_exit_removes_it(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	struct world_child *child = world_run(&world, "a", "");
	char *spool = strdup(terminal_of(&world, child)->spool_path);

	assert_int_equal(access(spool, W_OK), 0);
	world_exit(&world, child, 0);
	for (int i = 0; i < 100 && access(spool, F_OK) == 0; i++) {
		world_turn(&world);
	}
	assert_int_equal(access(spool, F_OK), -1);
	free(spool);
	world_close(&world);
}

// While the store is opened, it tells of what it reads; nothing listens yet.
static void early_news_of_mail_are_dropped(void **state)
{
	struct world world;

	(void)state;
	world_open(&world);
	world_run(&world, "a", "");
	struct bh_deliver *deliver = world.server.deliver;

	world.server.deliver = NULL;
	bh_wiring_mail_changed(&world.server, bh_store_mailbox(world.server.store, "a"));
	world.server.deliver = deliver;
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(delivery_sees_a_terminal_as_it_is_now),
		cmocka_unit_test(delivery_writes_holds_and_releases),
		cmocka_unit_test(delivery_notes),
		cmocka_unit_test(after_a_suspend_events_are_forgotten),
		cmocka_unit_test(intervals_go_by_a_clock_that_nobody_sets),
		cmocka_unit_test(what_is_gone_takes_nothing),
		cmocka_unit_test(somebody_looks_while_a_client_is_attached),
		cmocka_unit_test(callers_are_found_by_child_and_by_token),
		cmocka_unit_test(a_token_of_a_shared_daemon_is_refused),
		cmocka_unit_test(a_start_opens_a_spool_and_an_exit_removes_it),
		cmocka_unit_test(early_news_of_mail_are_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
