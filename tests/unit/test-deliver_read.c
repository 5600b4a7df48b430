#include "tests/unit/deliver-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Let real time pass: leases are the store's, on the loop's own clock. */
static void world_wait_real(struct world *world, unsigned ms)
{
	for (unsigned i = 0; i < ms / 10; i++) {
		usleep(10000);
		world_settle(world);
	}
}

static void confirm(struct world *world, const struct got *got)
{
	assert_int_not_equal(got->claim_id, 0);
	assert_int_equal(bh_deliver_confirm(world->deliver, got->claim_id, NULL, NULL, NULL), 0);
	world_settle(world);
}

static void a_waiter_gets_it_whatever_the_screen_shows(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent; // it may be answered after the case, at the stop
	static struct got got;

	agent_be(agent, BH_STATE_WORKING);
	(void)agent_wait(agent, 100000, &got);
	assert_int_equal(got.count, 0);
	world_send(world, "coder", "reviewer", "hello", &sent);
	assert_int_equal(got.count, 1);
	assert_int_equal(got.messages, 1);
	assert_string_equal(got.first, "hello");
	// Handed over is not seen yet.
	assert_int_equal(sent.count, 0);
	confirm(world, &got);
	assert_int_equal(sent.count, 1);
	assert_true(sent.is_seen);
	assert_int_equal(sent.path, BH_PATH_WAITER);
	assert_int_equal(agent->pastes, 0);
}

/** Whether both steps of a message bear one time: they were of one change. */
static void on_receipts(void *user, const struct bh_answer *answer)
{
	unsigned *at_once = user;

	assert_int_equal(answer->receipt_count, 2);
	assert_int_equal(answer->receipts[1].step, BH_RECEIPT_HANDED_OVER);
	*at_once += answer->receipts[0].at_ms == answer->receipts[1].at_ms;
}

static void the_hand_over_is_of_the_commit_that_stores(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent; // it may be answered after the case, at the stop
	unsigned at_once = 0;

	agent_be(agent, BH_STATE_WORKING);
	for (unsigned i = 1; i <= 20; i++) {
		struct got got = {0};
		char ref[16];

		(void)agent_wait(agent, 100000, &got);
		world_send(world, "coder", "reviewer", "hello", &sent);
		assert_int_equal(got.messages, 1);
		(void)snprintf(ref, sizeof(ref), "m%u", i);
		assert_int_equal(bh_store_receipts(world->store, ref, on_receipts, &at_once, NULL),
		                 0);
		world_settle(world);
		confirm(world, &got);
	}
	assert_int_equal(at_once, 20);
}

static void mail_that_waits_already_is_handed_over_at_once(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent; // it may be answered after the case, at the stop
	static struct got got;

	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "one", &sent);
	world_send(world, "coder", "reviewer", "two", &sent);
	(void)agent_wait(agent, 100000, &got);
	assert_int_equal(got.messages, 2);
	assert_string_equal(got.first, "one");
}

static void unconfirmed_goes_the_next_way(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent; // it may be answered after the case, at the stop
	static struct got got;

	(void)agent_wait(agent, 100000, &got);
	world_send(world, "coder", "reviewer", "hello", &sent);
	assert_int_equal(got.count, 1);
	world_pass(world, 1000);
	assert_int_equal(agent->pastes, 0);
	world_wait_real(world, 2300);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
	assert_true(sent.is_seen);
	assert_int_equal(sent.path, BH_PATH_TERMINAL);
}

static void the_newest_waiter_wins_and_a_cancelled_one_gets_nothing(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent; // it may be answered after the case, at the stop
	static struct got first;
	static struct got second;
	static struct got third;
	struct bh_waiter *waiter;

	(void)agent_wait(agent, 100000, &first);
	(void)agent_wait(agent, 100000, &second);
	waiter = agent_wait(agent, 100000, &third);
	bh_deliver_wait_cancel(world->deliver, waiter);
	world_send(world, "coder", "reviewer", "hello", &sent);
	assert_int_equal(first.count, 0);
	assert_int_equal(second.count, 1);
	assert_int_equal(third.count, 0);
	confirm(world, &second);
	world_send(world, "coder", "reviewer", "again", &sent);
	assert_int_equal(first.count, 1);
	assert_string_equal(first.first, "again");
}

static void a_hand_over_that_finds_nothing_leaves_the_waiter_whole(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct bh_deliver_reader reader = {.terminal = &agent->id, .done = on_got};
	static struct sent sent; // it may be answered after the case, at the stop
	static struct got read;
	static struct got got;
	struct bh_waiter *waiter;

	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "hello", &sent);
	reader.user = &read;
	assert_int_equal(bh_deliver_read(world->deliver, &reader, NULL), 0);
	waiter = agent_wait(agent, 100000, &got); // too late: the read before it takes the mail
	world_settle(world);
	assert_int_equal(read.messages, 1);
	assert_int_equal(got.count, 0);
	bh_deliver_wait_cancel(world->deliver, waiter); // nothing dangles
}

/** How far a wait has come when its client dies, or the server. */
enum death {
	WAITING,
	TAKING,
	HANDED,
	CONFIRMING,
	DEATH_COUNT
};

/** Bring a wait for one message that far, and end it there. */
static void wait_die(struct world *world, struct agent *agent, enum death when, bool is_server)
{
	struct got got = {0};
	struct bh_waiter *waiter;
	static struct sent sent;

	if (when == WAITING) {
		waiter = agent_wait(agent, 100000, &got);
		if (is_server) {
			world_crash(world);
		} else {
			bh_deliver_wait_cancel(world->deliver, waiter);
		}
		world_send(world, "coder", "reviewer", "hello", &sent);
		return;
	}
	world_send(world, "coder", "reviewer", "hello", &sent);
	if (when == TAKING) {
		struct bh_deliver_reader reader = {
			.terminal = &agent->id, .timeout_ms = 100000, .done = on_got, .user = &got};

		waiter = bh_deliver_wait(world->deliver, &reader, NULL);
		assert_non_null(waiter);
		assert_true(bh_store_pending(world->store) > 0);
		if (!is_server) {
			bh_deliver_wait_cancel(world->deliver, waiter);
		}
	} else {
		(void)agent_wait(agent, 100000, &got);
		assert_int_equal(got.messages, 1);
	}
	if (when == CONFIRMING) {
		assert_int_equal(bh_deliver_confirm(world->deliver, got.claim_id, NULL, NULL, NULL),
		                 0);
	}
	if (is_server) {
		world_crash(world);
	} else {
		world_settle(world); // a client that dies after the hand-over says nothing more
	}
}

static void a_wait_may_die_at_any_point(void **state)
{
	for (int i = 0; i < DEATH_COUNT * 2; i++) {
		enum death when = (enum death)(i / 2);
		struct world *world;
		struct agent *agent;
		const struct bh_mailbox *mailbox;

		world_setup(state);
		world = *state;
		agent = world_run(world, 0, "reviewer");
		agent_be(agent, BH_STATE_WORKING);
		wait_die(world, agent, when, i % 2 == 1);
		if (when == HANDED && i % 2 == 0) {
			world_wait_real(world, 2300); // its lease
		}
		mailbox = bh_store_mailbox(world->store, "reviewer");
		assert_int_equal(mailbox->unread, when == CONFIRMING ? 0 : 1);
		assert_int_equal(mailbox->claimed, 0);
		// Unread is unread to every way: it goes by the next.
		if (when != CONFIRMING) {
			agent_be(agent, BH_STATE_IDLE);
			world_pass(world, 2000);
			assert_int_equal(agent->turn_count, 1);
		}
		world_teardown(state);
	}
}

static bool is_dead(void *user)
{
	(void)user;
	return false;
}

static void a_waiter_whose_chain_broke_gets_nothing(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct got got = {0};
	struct bh_deliver_reader reader = {.terminal = &agent->id,
	                                   .timeout_ms = 100000,
	                                   .is_alive = is_dead,
	                                   .done = on_got,
	                                   .user = &got};
	static struct sent sent; // it may be answered after the case, at the stop

	assert_non_null(bh_deliver_wait(world->deliver, &reader, NULL));
	world_send(world, "coder", "reviewer", "hello", &sent);
	world_pass(world, 1000);
	assert_int_equal(got.messages, 0);
	assert_true(got.is_timed_out);
	assert_int_equal(agent->turn_count, 1);
}

static void a_wait_times_out_and_ends_with_its_terminal(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct got got;

	(void)agent_wait(agent, 5000, &got);
	world_pass(world, 4999);
	assert_int_equal(got.count, 0);
	world_pass(world, 1);
	assert_int_equal(got.count, 1);
	assert_true(got.is_timed_out);
	(void)agent_wait(agent, 100000, &got);
	agent_exit(agent);
	assert_int_equal(got.count, 1);
	assert_true(got.is_timed_out);
}

static void only_a_program_inside_can_wait(void **state)
{
	struct world *world = *state;
	struct bh_deliver_reader reader = {.done = on_got};
	struct bh_uuid nobody = bh_uuid_new();
	struct bh_err err = {0};

	assert_null(bh_deliver_wait(world->deliver, &reader, &err));
	assert_int_equal(err.code, BH_EUNSUPPORTED);
	reader.terminal = &nobody;
	assert_null(bh_deliver_wait(world->deliver, &reader, &err));
}

static void a_read_pages_and_counts_when_confirmed(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent; // it may be answered after the case, at the stop
	static struct got got;

	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "one", &sent);
	world_send(world, "coder", "reviewer", "two", &sent);
	world_send(world, "coder", "reviewer", "three", &sent);
	agent_read(agent, 2, &got);
	assert_int_equal(got.messages, 2);
	assert_int_equal(got.unread_left, 1);
	assert_string_equal(got.first, "one");
	confirm(world, &got);
	agent_read(agent, 2, &got);
	assert_int_equal(got.messages, 1);
	assert_string_equal(got.first, "three");
	confirm(world, &got);
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 2000);
	assert_int_equal(agent->pastes, 0);
}

static void a_send_that_waits_hears_of_the_read(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct bh_deliver_send what = {.put = {.message_id = "x",
	                                       .to = "reviewer",
	                                       .from = "operator",
	                                       .body = bh_span_of("hello")},
	                               .wait_seen_ms = 60000};
	static struct sent sent; // it may be answered after the case, at the stop
	static struct got got;

	agent_be(agent, BH_STATE_WORKING);
	world_send_with(world, &what, &sent);
	agent_read(agent, 10, &got);
	assert_int_equal(sent.count, 0);
	confirm(world, &got);
	assert_int_equal(sent.count, 1);
	assert_true(sent.is_seen);
	assert_int_equal(sent.path, BH_PATH_INBOX_ONLY);
}

static struct agent *noticed(struct world *world, struct sent *sent)
{
	struct agent *agent = world_run(world, 0, "lead");

	agent->mode = BH_MODE_NOTICE;
	world_send(world, "coder", "lead", "a secret", sent);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
	assert_string_equal(agent->turns[0], "Mail n1: you have mail. Run: bellhop inbox");
	return agent;
}

static void a_notice_has_no_payload_and_new_mail_joins_it(void **state)
{
	struct world *world = *state;
	static struct sent sent; // it may be answered after the case, at the stop
	struct agent *agent = noticed(world, &sent);
	static struct got got;

	assert_int_equal(sent.count, 1);
	assert_false(sent.is_seen);
	assert_int_equal(sent.path, BH_PATH_NOTICE);
	assert_int_equal(sent.fate, BH_FATE_TYPED);
	assert_int_equal(sent.prospect, BH_PROSPECT_WHEN_FREE);
	world_send(world, "coder", "lead", "another", &sent);
	assert_int_equal(sent.fate, BH_FATE_JOINED);
	agent_read(agent, 50, &got);
	assert_int_equal(got.messages, 2);
	confirm(world, &got);
	agent_be(agent, BH_STATE_COMPLETED);
	world_pass(world, 1000000);
	assert_int_equal(agent->pastes, 1);
	// The reader who comes too late hears who was first.
	agent_read(agent, 50, &got);
	assert_int_equal(got.messages, 0);
	assert_int_equal(got.read_notice_id, 1);
	// The group is closed: the next mail has a notice of its own.
	world_send(world, "coder", "lead", "third", &sent);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 2);
	assert_memory_equal(agent->turns[1], "Mail n2:", 8);
}

/** Who reads a page at a time, and ends its turn in between, is told of what is left, and never parked. */
static void an_agent_that_reads_pages_is_reading(void **state)
{
	struct world *world = *state;
	static struct sent sent; // it may be answered after the case, at the stop
	struct agent *agent = noticed(world, &sent);
	static struct got got;

	for (int i = 0; i < 5; i++) {
		world_send(world, "coder", "lead", "more", &sent);
	}
	for (int page = 0; page < 3; page++) {
		assert_int_equal(agent->pastes, page + 1);
		agent_read(agent, 2, &got);
		assert_int_equal(got.messages, 2);
		confirm(world, &got);
		world_pass(world, 400000); // it works on them, longer than any limit
		assert_int_equal(agent->pastes, page + 1);
		agent_be(agent, BH_STATE_COMPLETED);
		world_pass(world, 2000);
	}
	assert_int_equal(agent->pastes, 3); // nothing is left
	world_pass(world, 1000000);
	assert_int_equal(agent->pastes, 3);
	assert_int_equal(world->told, 0);
	assert_memory_equal(agent->turns[1], "Mail n2:", 8);
	assert_memory_equal(agent->turns[2], "Mail n3:", 8);
}

static void an_unread_notice_is_repeated_once_and_parked(void **state)
{
	struct world *world = *state;
	static struct sent sent; // it may be answered after the case, at the stop
	struct agent *agent = noticed(world, &sent);

	agent_be(agent, BH_STATE_COMPLETED);
	world_pass(world, 59000);
	assert_int_equal(agent->pastes, 1);
	world_pass(world, 3000);
	assert_int_equal(agent->pastes, 2);
	agent_be(agent, BH_STATE_COMPLETED);
	world_pass(world, 290000);
	world_send(world, "coder", "lead", "x", &sent);
	assert_int_equal(sent.fate, BH_FATE_JOINED);
	world_pass(world, 20000);
	world_send(world, "coder", "lead", "x", &sent);
	assert_int_equal(sent.fate, BH_FATE_PARKED);
	assert_int_equal(world->told, 1); // people, once
	assert_non_null(strstr(world->told_text, "bellhop ring lead"));
	assert_int_equal(bh_deliver_can_wake(world->deliver, "lead").blocked, BH_REASON_PARKED);
	assert_int_equal(sent.prospect, BH_PROSPECT_ONLY_IF_IT_LOOKS);
	world_pass(world, 10000000);
	assert_int_equal(agent->pastes, 2);
	assert_int_equal(world->told, 1);
	assert_int_equal(bh_store_terminal(world->store, agent->text)->notice.state,
	                 BH_NOTICE_PARKED);
	// A person rings.
	sent = (struct sent){0};
	assert_int_equal(bh_deliver_ring(world->deliver, "lead", on_sent, &sent, NULL), 0);
	world_pass(world, 1000);
	assert_int_equal(sent.count, 1);
	assert_int_equal(sent.fate, BH_FATE_TYPED);
	assert_int_equal(agent->pastes, 3);
	// It gives the whole budget again.
	agent_be(agent, BH_STATE_COMPLETED);
	world_pass(world, 62000);
	assert_int_equal(agent->pastes, 4);
	agent_be(agent, BH_STATE_COMPLETED);
	world_pass(world, 10000000);
	assert_int_equal(agent->pastes, 4);
}

static void a_ring_is_for_all_names_of_a_terminal(void **state)
{
	struct world *world = *state;
	static struct sent sent;
	struct agent *agent = noticed(world, &sent);

	assert_int_equal(
		bh_store_announce(world->store,
	                          &(struct bh_announce){.terminal = agent->text, .name = "chief"},
	                          NULL, NULL, NULL),
		0);
	world_settle(world);
	agent_be(agent, BH_STATE_COMPLETED);
	sent = (struct sent){0};
	// `parked` names a terminal by its newest name, whichever its mail is for.
	assert_int_equal(bh_deliver_ring(world->deliver, "chief", on_sent, &sent, NULL), 0);
	world_pass(world, 1000);
	assert_int_equal(sent.fate, BH_FATE_TYPED);
	assert_int_equal(agent->pastes, 2);
}

static void a_restart_of_the_server_rings_no_more_than_it_may(void **state)
{
	struct world *world = *state;
	static struct sent sent; // it may be answered after the case, at the stop
	struct agent *agent = noticed(world, &sent);

	for (int i = 0; i < 10; i++) {
		agent_be(agent, BH_STATE_COMPLETED);
		world_pass(world, 100000);
		world_crash(world);
	}
	assert_int_equal(agent->pastes, 2);
}

static void a_respawned_terminal_is_told_anew(void **state)
{
	struct world *world = *state;
	static struct sent sent; // it may be answered after the case, at the stop
	struct agent *agent = noticed(world, &sent);

	agent_exit(agent);
	agent = world_run(world, 1, "lead");
	agent->mode = BH_MODE_NOTICE;
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count + (size_t)(agent->pastes > 1), 1);
}

static void a_notice_that_is_not_begun_is_withdrawn_by_a_read(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "lead");
	static struct sent sent; // it may be answered after the case, at the stop
	static struct got got;

	agent->mode = BH_MODE_NOTICE;
	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "lead", "x", &sent);
	assert_int_equal(sent.path, BH_PATH_NOTICE);
	assert_int_equal(sent.fate, BH_FATE_QUEUED);
	assert_int_equal(sent.reason, BH_REASON_WORKING);
	agent_read(agent, 50, &got);
	confirm(world, &got);
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 100000);
	assert_int_equal(agent->pastes, 0);
}

static void long_mail_is_noticed_and_holds_back_what_follows(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	char body[2100];
	static struct sent sent; // it may be answered after the case, at the stop
	static struct got got;

	memset(body, 'x', 2048);
	body[2048] = '\0';
	world_send(world, "coder", "reviewer", body, &sent);
	world_pass(world, 1000);
	assert_true(sent.is_seen);
	agent_be(agent, BH_STATE_COMPLETED);
	strcpy(body + 2048, "y");
	world_send(world, "coder", "reviewer", body, &sent);
	world_pass(world, 1000);
	assert_int_equal(sent.path, BH_PATH_NOTICE);
	assert_int_equal(sent.fate, BH_FATE_TYPED);
	agent_be(agent, BH_STATE_COMPLETED);
	world_send(world, "coder", "reviewer", "short", &sent);
	assert_int_equal(sent.fate, BH_FATE_JOINED);
	world_pass(world, 10000);
	assert_int_equal(agent->turn_count, 2);
	agent_read(agent, 50, &got);
	assert_int_equal(got.messages, 2);
	confirm(world, &got);
	agent_be(agent, BH_STATE_IDLE);
	world_send(world, "coder", "reviewer", "short again", &sent);
	world_pass(world, 1000);
	assert_true(sent.is_seen);
	assert_int_equal(sent.path, BH_PATH_TERMINAL);
}

static void what_fits_alone_but_not_together_is_noticed(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	char body[1501];
	static struct sent sent;

	memset(body, 'x', 1500);
	body[1500] = '\0';
	assert_int_equal(
		bh_store_announce(world->store,
	                          &(struct bh_announce){.terminal = agent->text, .name = "checker"},
	                          NULL, NULL, NULL),
		0);
	world_settle(world);
	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", body, &sent);
	world_send(world, "coder", "checker", body, &sent); // another name, the same composer
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
	assert_memory_equal(agent->turns[0], "Mail n1:", 8);
}

static void a_line_is_what_a_reader_takes_for_one(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;

	world_send(world, "coder", "reviewer",
	           "1\r2\r3\r4\r5\r6\r7\r8\r9\r10\r11\r12\r13\r14\r15\r16\r17\r18\r19\r20\r21",
	           &sent);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
	assert_memory_equal(agent->turns[0], "Mail n1:", 8);
}

static void the_profile_may_want_less_in_one_submission(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;

	agent->typing.text_lines_max = 2;
	world_send(world, "coder", "reviewer", "1\n2", &sent);
	world_pass(world, 1000);
	assert_int_equal(sent.path, BH_PATH_TERMINAL);
	agent_be(agent, BH_STATE_COMPLETED);
	world_send(world, "coder", "reviewer", "1\n2\n3", &sent);
	world_pass(world, 1000);
	assert_int_equal(sent.path, BH_PATH_NOTICE);
}

static void what_follows_a_notice_is_not_typed_before_it_is_read(void **state)
{
	struct world *world = *state;
	static struct sent sent;
	struct agent *agent = noticed(world, &sent);

	agent->mode = BH_MODE_MESSAGE; // from now on
	agent_be(agent, BH_STATE_COMPLETED);
	world_send(world, "coder", "lead", "short", &sent);
	assert_int_equal(sent.fate, BH_FATE_JOINED);
	world_pass(world, 10000);
	assert_int_equal(agent->pastes, 1);
}

static void mail_that_the_composer_cannot_show_is_noticed(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;

	agent->rows = 12;
	world_send(world, "coder", "reviewer", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12", &sent);
	world_pass(world, 1000);
	assert_int_equal(sent.path, BH_PATH_NOTICE);
}

static void nobody_waits_for_a_server_that_ends(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct got got = {0};
	struct bh_deliver_reader reader = {
		.terminal = &agent->id, .timeout_ms = 1000, .done = on_got, .user = &got};
	struct bh_err err = {0};

	bh_deliver_stop(world->deliver);
	assert_null(bh_deliver_wait(world->deliver, &reader, &err));
	assert_int_equal(err.code, BH_ECLOSED);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)
	const struct CMUnitTest tests[] = {
		CASE(a_waiter_gets_it_whatever_the_screen_shows),
		CASE(the_hand_over_is_of_the_commit_that_stores),
		CASE(mail_that_waits_already_is_handed_over_at_once),
		CASE(unconfirmed_goes_the_next_way),
		CASE(the_newest_waiter_wins_and_a_cancelled_one_gets_nothing),
		CASE(a_hand_over_that_finds_nothing_leaves_the_waiter_whole),
		cmocka_unit_test(a_wait_may_die_at_any_point),
		CASE(a_waiter_whose_chain_broke_gets_nothing),
		CASE(a_wait_times_out_and_ends_with_its_terminal),
		CASE(only_a_program_inside_can_wait),
		CASE(a_read_pages_and_counts_when_confirmed),
		CASE(a_send_that_waits_hears_of_the_read),
		CASE(a_notice_has_no_payload_and_new_mail_joins_it),
		CASE(an_agent_that_reads_pages_is_reading),
		CASE(an_unread_notice_is_repeated_once_and_parked),
		CASE(a_ring_is_for_all_names_of_a_terminal),
		CASE(a_restart_of_the_server_rings_no_more_than_it_may),
		CASE(a_respawned_terminal_is_told_anew),
		CASE(a_notice_that_is_not_begun_is_withdrawn_by_a_read),
		CASE(long_mail_is_noticed_and_holds_back_what_follows),
		CASE(what_fits_alone_but_not_together_is_noticed),
		CASE(a_line_is_what_a_reader_takes_for_one),
		CASE(the_profile_may_want_less_in_one_submission),
		CASE(what_follows_a_notice_is_not_typed_before_it_is_read),
		CASE(mail_that_the_composer_cannot_show_is_noticed),
		CASE(nobody_waits_for_a_server_that_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
