// What brings nothing is not tried again at once. While a sender waits for its answer every change makes
// delivery look anew; a refusal of the store that counted as one made it ask again as fast as it could,
// for as long as the sender waited. deliver-world.c fails a case in which that happens; here are the
// states in which the store refuses, gives nothing, or cannot write.
#include "tests/faults/disk.h"
#include "tests/unit/deliver-world.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/mail/message.h"
#include "src/server/deliver_channel.h"

// The store writes on a thread of its own.
static atomic_bool is_disk_full;

static int disk_judge(enum bh_disk_operation operation)
{
	return operation == BH_DISK_WRITE && is_disk_full ? SQLITE_FULL : 0;
}

static int setup(void **state)
{
	is_disk_full = false;
	return world_setup(state);
}

static int teardown(void **state)
{
	is_disk_full = false;
	return world_teardown(state);
}

/** A sender who waits until it is seen. */
static void send_and_wait(struct world *world, const char *body, struct sent *sent)
{
	struct bh_deliver_send what = {.put = {.message_id = body,
	                                       .to = "reviewer",
	                                       .from = "coder",
	                                       .sender = BH_SENDER_AGENT,
	                                       .body = bh_span_of(body)},
	                               .wait_seen_ms = 3600000};

	world_send_with(world, &what, sent);
	assert_int_equal(sent->count, 0);
}

/** Let time pass in which nothing can go on. Twice a second it may be tried. */
static void nothing_goes_on(struct world *world)
{
	unsigned ticks = world->ticks;

	world_pass(world, 10000);
	assert_in_range(world->ticks - ticks, 0, 25);
}

static void a_waiter_rests_while_the_disk_is_full(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;
	static struct got got;

	agent_be(agent, BH_STATE_WORKING);
	send_and_wait(world, "one", &sent);
	is_disk_full = true;
	(void)agent_wait(agent, 100000, &got);
	nothing_goes_on(world);
	assert_int_equal(got.count, 0);
	is_disk_full = false;
	world_pass(world, 500);
	assert_int_equal(got.messages, 1);
	assert_int_equal(bh_deliver_confirm(world->deliver, got.claim_id, NULL, NULL, NULL), 0);
	world_settle(world);
	assert_true(sent.is_seen);
}

static void on_message(void *user, const struct bh_message *message)
{
	*(uint64_t *)user = message->seq;
}

static void on_closed(void *user, enum bh_channel_end why)
{
	(void)user;
	(void)why;
}

static struct bh_channel *channel_open(struct agent *agent, uint64_t *seq)
{
	struct bh_channel *channel =
		bh_deliver_channel_open(agent->world->deliver,
	                                &(struct bh_channel_settings){.terminal = &agent->id,
	                                                              .message = on_message,
	                                                              .closed = on_closed,
	                                                              .user = seq},
	                                NULL);

	assert_non_null(channel);
	world_settle(agent->world);
	return channel;
}

static void a_channel_rests_while_the_disk_is_full(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;
	static uint64_t seq;

	seq = 0;
	agent_be(agent, BH_STATE_WORKING);
	send_and_wait(world, "one", &sent);
	is_disk_full = true;
	(void)channel_open(agent, &seq);
	nothing_goes_on(world);
	assert_int_equal(seq, 0);
	is_disk_full = false;
	world_pass(world, 500);
	assert_int_equal(seq, 1);
}

static void a_proof_that_cannot_be_stored_rests(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;

	agent->quirks = QUIRK_NO_RECORD;
	send_and_wait(world, "one", &sent);
	world_pass(world, 1000);
	assert_int_equal(agent->crs, 1);
	is_disk_full = true;
	agent->found = BH_PROOF_SUBMITTED;
	bh_deliver_look(world->deliver, &agent->id);
	nothing_goes_on(world);
	assert_int_equal(sent.count, 0);
	is_disk_full = false;
	world_pass(world, 2000);
	assert_true(sent.is_seen);
	assert_int_equal(agent->pastes, 1);
}

static void an_end_that_cannot_be_stored_rests(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;

	agent->quirks = QUIRK_NO_RECORD;
	send_and_wait(world, "one", &sent);
	world_pass(world, 1000);
	assert_int_equal(agent->crs, 1);
	is_disk_full = true;
	agent->is_alive = false;
	agent->is_held = false;
	bh_deliver_exited(world->deliver, &agent->id);
	nothing_goes_on(world);
	is_disk_full = false;
	world_pass(world, 2000);
	assert_int_equal(bh_store_mailbox(world->store, "reviewer")->unread, 1);
}

static void a_channel_rests_while_the_agents_queue_holds_what_is_older(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent one, two;
	static uint64_t seq;

	seq = 0;
	agent->quirks = QUIRK_QUEUES;
	send_and_wait(world, "one", &one);
	world_pass(world, 1000);
	assert_int_equal(agent->found, BH_PROOF_QUEUED);
	(void)channel_open(agent, &seq);
	send_and_wait(world, "two", &two);
	nothing_goes_on(world);
	assert_int_equal(seq, 0);
	// The agent takes it from its queue: then it is the next one's turn, at once.
	agent->found = BH_PROOF_SUBMITTED;
	bh_deliver_look(world->deliver, &agent->id);
	world_settle(world);
	assert_true(one.is_seen);
	assert_int_equal(seq, 2);
}

static void nothing_is_typed_while_a_reader_holds_what_is_older(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent one, two;
	struct got got;

	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "one", &one);
	agent_read(agent, 1, &got);
	send_and_wait(world, "two", &two);
	agent_be(agent, BH_STATE_IDLE);
	nothing_goes_on(world);
	assert_int_equal(agent->pastes, 0);
	// It is the reader's end that lets it go on, not the time.
	assert_int_equal(bh_deliver_confirm(world->deliver, got.claim_id, NULL, NULL, NULL), 0);
	world_settle(world);
	assert_int_equal(agent->pastes, 1);
	world_pass(world, 1000);
	assert_true(two.is_seen);
}

static void a_doubt_that_was_not_stored_is_no_dead_end(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;

	send_and_wait(world, "one", &sent);
	assert_int_equal(agent->pastes, 1);
	is_disk_full = true;
	agent_block(agent, BH_STATE_IDLE,
	            "dialog"); // before the CR: what becomes of it is in doubt
	nothing_goes_on(world);
	is_disk_full = false;
	// A person answers the dialog and sends what stands there.
	free(agent->composer);
	agent->composer = NULL;
	agent->found = BH_PROOF_SUBMITTED;
	agent_be(agent, BH_STATE_WORKING);
	world_pass(world, 5000);
	assert_true(sent.is_seen);
	assert_int_equal(agent->pastes, 1);
}

static void people_hear_once_of_a_group_that_is_parked(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;

	agent->mode = BH_MODE_NOTICE;
	agent->quirks = QUIRK_CR_EATS_TEXT;
	world_send(world, "coder", "reviewer", "one", &sent);
	world_pass(world, 200000);
	assert_int_equal(agent->pastes, 2);
	is_disk_full = true;
	world_pass(world, 200000); // five minutes are over
	for (int i = 0; i < 5; i++) {
		bh_deliver_look(world->deliver, &agent->id);
		world_settle(world);
	}
	assert_int_equal(world->told, 0); // it is not so yet
	nothing_goes_on(world);
	is_disk_full = false;
	world->now_ms += 500;
	for (int i = 0; i < 5; i++) {
		bh_deliver_look(world->deliver, &agent->id); // while it is being written
	}
	world_settle(world);
	assert_int_equal(world->told, 1);
	world_pass(world, 100000);
	assert_int_equal(world->told, 1);
	assert_int_equal(agent->pastes, 2);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(a_waiter_rests_while_the_disk_is_full),
		CASE(a_channel_rests_while_the_disk_is_full),
		CASE(a_proof_that_cannot_be_stored_rests),
		CASE(an_end_that_cannot_be_stored_rests),
		CASE(a_channel_rests_while_the_agents_queue_holds_what_is_older),
		CASE(nothing_is_typed_while_a_reader_holds_what_is_older),
		CASE(a_doubt_that_was_not_stored_is_no_dead_end),
		CASE(people_hear_once_of_a_group_that_is_parked),
	};

	if (!bh_disk_install(disk_judge)) {
		return 99;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
