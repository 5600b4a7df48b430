#include "src/server/deliver_channel.h"

#include "tests/unit/deliver-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/mail/message.h"

/** A program that holds a channel. */
struct plugin {
	struct world *world;
	struct bh_channel *channel;
	unsigned count;
	char last[16];
	char last_body[64];
	bool was_shown_before;
	char steered[64];
	char steer_id[16];
	unsigned closed;
	enum bh_channel_end end;
	bool is_dead;
};

static void on_message(void *user, const struct bh_message *message)
{
	struct plugin *plugin = user;

	plugin->count++;
	snprintf(plugin->last, sizeof(plugin->last), "m%llu", (unsigned long long)message->seq);
	snprintf(plugin->last_body, sizeof(plugin->last_body), "%s", message->body);
	plugin->was_shown_before = message->is_shown_before;
}

static void on_steer(void *user, const char *id, const char *from, const char *text)
{
	struct plugin *plugin = user;

	snprintf(plugin->steer_id, sizeof(plugin->steer_id), "%s", id);
	snprintf(plugin->steered, sizeof(plugin->steered), "%s: %s", from, text);
}

static void on_closed(void *user, enum bh_channel_end why)
{
	struct plugin *plugin = user;

	plugin->closed++;
	plugin->end = why;
	plugin->channel = NULL;
}

static bool is_alive(void *user)
{
	return !((struct plugin *)user)->is_dead;
}

/** Open one: of a terminal, or of a name. Leases are real time, so they are short here. */
static void plugin_open(struct world *world, struct plugin *plugin, const struct agent *agent,
                        const char *name, uint64_t lease_ms)
{
	plugin->world = world;
	plugin->channel = bh_deliver_channel_open(
		world->deliver,
		&(struct bh_channel_settings){.terminal = agent != NULL ? &agent->id : NULL,
	                                      .name = name,
	                                      .can_steer = true,
	                                      .lease_ms = lease_ms,
	                                      .is_alive = is_alive,
	                                      .message = on_message,
	                                      .steer = on_steer,
	                                      .closed = on_closed,
	                                      .user = plugin},
		NULL);
	assert_non_null(plugin->channel);
	world_settle(world);
}

static void on_acked(void *user, const struct bh_answer *answer)
{
	*(int *)user = answer->err.code;
}

static int plugin_ack(struct plugin *plugin, const char *ref)
{
	static int code;

	code = 1;
	assert_int_equal(bh_deliver_channel_ack(plugin->world->deliver, plugin->channel, ref,
	                                        on_acked, &code, NULL),
	                 0);
	assert_int_equal(code, 1); // never inside the call
	world_settle(plugin->world);
	return code;
}

/** Let real time pass: leases are the store's. */
static void wait_real(struct world *world, unsigned ms)
{
	for (unsigned i = 0; i < ms / 10; i++) {
		usleep(10000);
		world_settle(world);
	}
}

static void receipt_is(struct world *world, uint64_t seq, const char *expected)
{
	char *receipt = world_receipt(world, seq);

	assert_string_equal(receipt, expected);
	free(receipt);
}

static void acknowledged_is_seen_and_then_comes_the_next(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent first, second; // they may be answered after the case, at the stop
	struct plugin plugin = {0};

	agent_be(agent, BH_STATE_WORKING);
	plugin_open(world, &plugin, agent, NULL, 0);
	world_send(world, "coder", "reviewer", "one", &first);
	world_send(world, "coder", "reviewer", "two", &second);
	assert_int_equal(plugin.count, 1);
	assert_string_equal(plugin.last_body, "one");
	assert_int_equal(first.count, 0); // given is not seen
	assert_int_equal(plugin_ack(&plugin, "m1"), 0);
	assert_true(first.is_seen);
	assert_int_equal(first.path, BH_PATH_CHANNEL);
	assert_int_equal(plugin.count, 2);
	assert_string_equal(plugin.last_body, "two");
	assert_int_equal(second.count, 0);
	world_pass(world, 8000);
	assert_int_equal(second.count, 1);
	assert_int_equal(second.path, BH_PATH_CHANNEL);
	assert_int_equal(second.prospect, BH_PROSPECT_WHEN_FREE);
	assert_int_equal(plugin_ack(&plugin, "m2"), 0);
	assert_int_equal(plugin_ack(&plugin, "m2"), 0); // twice is fine
	assert_int_equal(plugin_ack(&plugin, "m99"), BH_ENOTFOUND);
	assert_int_equal(agent->pastes, 0);
	receipt_is(world, 1, "stored handed_over(channel) seen(channel)");
	bh_deliver_channel_close(world->deliver, plugin.channel);
}

static void a_lease_that_ends_sends_it_the_next_way(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;
	struct plugin plugin = {0};

	plugin_open(world, &plugin, agent, NULL, 100);
	world_send(world, "coder", "reviewer", "one", &sent);
	assert_int_equal(plugin.count, 1);
	wait_real(world, 300);
	world_pass(world, 2000);
	assert_int_equal(agent->turn_count, 1);
	assert_true(sent.is_seen);
	assert_int_equal(sent.path, BH_PATH_TERMINAL);
	// Skipped was that message, not the channel.
	agent_be(agent, BH_STATE_COMPLETED);
	world_send(world, "coder", "reviewer", "two", &sent);
	assert_int_equal(plugin.count, 2);
	assert_int_equal(plugin_ack(&plugin, "m2"), 0);
	assert_int_equal(agent->turn_count, 1);
	bh_deliver_channel_close(world->deliver, plugin.channel);
}

static void three_in_a_row_close_it_and_show_in_can_wake(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct bh_tier_verdict verdict;
	static struct sent sent;
	struct plugin plugin = {0};

	plugin_open(world, &plugin, agent, NULL, 100);
	for (int i = 0; i < 3; i++) {
		world_send(world, "coder", "reviewer", "again", &sent);
		assert_int_equal(plugin.count, i + 1);
		wait_real(world, 300);
		world_pass(world, 2000);
		assert_int_equal(agent->turn_count, i + 1);
		agent_be(agent, BH_STATE_COMPLETED);
	}
	assert_int_equal(plugin.closed, 1);
	assert_int_equal(plugin.end, BH_CHANNEL_MISSED);
	verdict = bh_deliver_can_wake(world->deliver, "reviewer");
	assert_int_equal(verdict.tier, BH_TIER_CONDITIONAL);
	assert_non_null(strstr(verdict.conditions[0], "channel was closed"));
	// One that works makes up for it.
	plugin_open(world, &plugin, agent, NULL, 0);
	world_send(world, "coder", "reviewer", "again", &sent);
	assert_int_equal(plugin_ack(&plugin, "m4"), 0);
	verdict = bh_deliver_can_wake(world->deliver, "reviewer");
	assert_int_equal(verdict.tier, BH_TIER_GUARANTEED);
	assert_int_equal(verdict.by, BH_PATH_CHANNEL);
	assert_string_equal(verdict.last_proof, "channel");
	bh_deliver_channel_close(world->deliver, plugin.channel);
}

static void a_late_acknowledgement_counts(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;
	struct plugin plugin = {0};

	agent_be(agent, BH_STATE_WORKING);
	plugin_open(world, &plugin, agent, NULL, 100);
	world_send(world, "coder", "reviewer", "one", &sent);
	wait_real(world, 300);
	assert_int_equal(plugin_ack(&plugin, "m1"), 0);
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 2000);
	assert_int_equal(agent->pastes, 0);
	bh_deliver_channel_close(world->deliver, plugin.channel);
}

static void the_end_of_its_connection_returns_what_it_held(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;
	struct plugin plugin = {0};

	plugin_open(world, &plugin, agent, NULL, 0);
	world_send(world, "coder", "reviewer", "one", &sent);
	assert_int_equal(plugin.count, 1);
	assert_int_equal(agent->pastes, 0);
	bh_deliver_channel_close(world->deliver, plugin.channel);
	world_settle(world);
	receipt_is(world, 1, "stored handed_over(channel) returned(channel gone)");
	world_pass(world, 2000);
	assert_int_equal(agent->turn_count, 1);
	assert_int_equal(plugin.closed, 0);
}

static void the_take_of_a_channel_that_went_away_is_given_back(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;
	struct plugin plugin = {0};

	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "one", &sent);
	plugin.world = world;
	plugin.channel =
		bh_deliver_channel_open(world->deliver,
	                                &(struct bh_channel_settings){.terminal = &agent->id,
	                                                              .message = on_message,
	                                                              .closed = on_closed,
	                                                              .user = &plugin},
	                                NULL);
	bh_deliver_channel_close(world->deliver, plugin.channel); // before the store answers
	world_settle(world);
	assert_int_equal(plugin.count, 0);
	assert_int_equal(bh_store_mailbox(world->store, "reviewer")->unread, 1);
}

static void the_newest_channel_wins(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;
	struct plugin first = {0}, second = {0};

	plugin_open(world, &first, agent, NULL, 0);
	world_send(world, "coder", "reviewer", "one", &sent);
	assert_int_equal(first.count, 1);
	plugin_open(world, &second, agent, NULL, 0);
	assert_int_equal(first.closed, 1);
	assert_int_equal(first.end, BH_CHANNEL_REPLACED);
	assert_int_equal(second.count, 1);
	assert_true(second.was_shown_before);
	assert_int_equal(plugin_ack(&second, "m1"), 0);
	agent_exit(agent);
	world_settle(world);
	assert_int_equal(second.closed, 1);
	assert_int_equal(second.end, BH_CHANNEL_EXITED);
}

/** The connection of one that was ended goes before that is told; what it asked for has come meanwhile. */
static void one_that_is_over_may_be_closed(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;
	struct plugin first = {.world = world}, second = {0};

	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "one", &sent);
	first.channel = bh_deliver_channel_open(
		world->deliver,
		&(struct bh_channel_settings){.terminal = &agent->id, .user = &first}, NULL);
	second.channel = bh_deliver_channel_open(
		world->deliver,
		&(struct bh_channel_settings){
			.terminal = &agent->id, .message = on_message, .user = &second},
		NULL);
	while (bh_store_pending(world->store) > 0) {
		uv_run(&world->loop, UV_RUN_ONCE); // without a tick
	}
	bh_deliver_channel_close(world->deliver, first.channel);
	world_settle(world);
	world_pass(world, 1000);
	assert_int_equal(second.count, 1);
	bh_deliver_channel_close(world->deliver, second.channel);
}

static void a_waiter_goes_before_a_channel(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;
	static struct got got;
	struct plugin plugin = {0};

	agent_be(agent, BH_STATE_WORKING);
	plugin_open(world, &plugin, agent, NULL, 0);
	(void)agent_wait(agent, 100000, &got);
	world_send(world, "coder", "reviewer", "one", &sent);
	assert_int_equal(got.messages, 1);
	assert_int_equal(plugin.count, 0);
	// What is in flight by one way does not pass by another.
	world_send(world, "coder", "reviewer", "two", &sent);
	assert_int_equal(plugin.count, 0);
	assert_int_equal(bh_deliver_confirm(world->deliver, got.claim_id, NULL, NULL, NULL), 0);
	world_settle(world);
	assert_int_equal(plugin.count, 1);
	assert_string_equal(plugin.last_body, "two");
	bh_deliver_channel_close(world->deliver, plugin.channel);
}

static void an_orphan_gets_nothing(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;
	struct plugin plugin = {0};

	plugin_open(world, &plugin, agent, NULL, 0);
	plugin.is_dead = true;
	world_send(world, "coder", "reviewer", "one", &sent);
	world_pass(world, 2000);
	assert_int_equal(plugin.count, 0);
	assert_int_equal(plugin.closed, 1);
	assert_int_equal(plugin.end, BH_CHANNEL_ORPHANED);
	assert_int_equal(agent->turn_count, 1);
}

static void a_name_without_terminal_is_served_in_order(void **state)
{
	struct world *world = *state;
	static struct sent sent, later;
	struct bh_tier_verdict verdict;
	struct plugin plugin = {0};

	plugin_open(world, &plugin, NULL, "robot", 100);
	world_send(world, "coder", "robot", "one", &sent);
	assert_int_equal(plugin.count, 1);
	world_send(world, "coder", "robot", "two", &later);
	wait_real(world, 150);
	// It has no other way: the same message again, so that order is kept.
	assert_int_equal(plugin.count, 2);
	assert_string_equal(plugin.last_body, "one");
	assert_true(plugin.was_shown_before);
	assert_int_equal(plugin_ack(&plugin, "m1"), 0);
	assert_true(sent.is_seen);
	assert_int_equal(plugin_ack(&plugin, "m2"), 0);
	assert_true(later.is_seen);
	verdict = bh_deliver_can_wake(world->deliver, "Robot");
	assert_int_equal(verdict.tier, BH_TIER_CONDITIONAL);
	assert_int_equal(verdict.by, BH_PATH_CHANNEL);
	assert_int_equal(verdict.blocked, BH_REASON_NONE);
	// The name gets a terminal.
	(void)world_run(world, 0, "robot");
	world_settle(world);
	assert_int_equal(plugin.closed, 1);
	assert_int_equal(plugin.end, BH_CHANNEL_TERMINAL);
	verdict = bh_deliver_can_wake(world->deliver, "robot");
	assert_int_equal(verdict.by, BH_PATH_TERMINAL);
}

static void a_name_with_a_terminal_is_not_served_from_outside(void **state)
{
	struct world *world = *state;
	struct bh_err err = {0};

	(void)world_run(world, 0, "reviewer");
	assert_null(bh_deliver_channel_open(
		world->deliver, &(struct bh_channel_settings){.name = "reviewer"}, &err));
	assert_int_equal(err.code, BH_EDENIED);
}

static void where_nothing_is_typed_the_channel_gets_another_chance(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;
	struct plugin plugin = {0};

	agent->mode = BH_MODE_OFF;
	plugin_open(world, &plugin, agent, NULL, 100);
	world_send(world, "coder", "reviewer", "one", &sent);
	wait_real(world, 600);
	assert_int_equal(plugin.count, 3);
	assert_int_equal(plugin.closed, 1);
	assert_int_equal(plugin.end, BH_CHANNEL_MISSED);
	assert_int_equal(bh_store_mailbox(world->store, "reviewer")->unread, 1);
}

static void another_reader_may_have_it_meanwhile(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static const char *const names[] = {"reviewer"};
	static struct sent sent;
	struct plugin plugin = {0};

	agent_be(agent, BH_STATE_WORKING);
	plugin_open(world, &plugin, agent, NULL, 0);
	world_send(world, "coder", "reviewer", "one", &sent);
	assert_int_equal(plugin.count, 1);
	assert_int_equal(bh_store_ack(world->store,
	                              &(struct bh_ack){.names = names,
	                                               .name_count = 1,
	                                               .ref = "m1",
	                                               .how = BH_SEEN_ACK},
	                              NULL, NULL, NULL),
	                 0);
	world_settle(world);
	assert_true(sent.is_seen);
	world_send(world, "coder", "reviewer", "two", &sent);
	assert_int_equal(plugin.count, 2);
	assert_int_equal(plugin.closed, 0);
	bh_deliver_channel_close(world->deliver, plugin.channel);
}

/** A reader holds what is older: the channel has its turn when that is settled, and asks for nothing
 * before, though a sender waits for its answer. */
static void what_a_reader_holds_goes_first(struct world *world, const struct agent *agent,
                                           const char *name)
{
	static const char *const names[] = {"reviewer", "robot"};
	struct got got = {0};
	struct bh_deliver_reader reader = {
		.names = names, .name_count = 2, .limit = 1, .done = on_got, .user = &got};
	static struct sent one, two;
	struct plugin plugin = {0};
	unsigned ticks;

	world_send(world, "coder", name, "one", &one);
	assert_int_equal(bh_deliver_read(world->deliver, &reader, NULL), 0);
	world_settle(world);
	assert_int_equal(got.messages, 1);
	plugin_open(world, &plugin, agent, agent == NULL ? name : NULL, 0);
	ticks = world->ticks;
	world_send(world, "coder", name, "two", &two);
	world_pass(world, 5000);
	assert_in_range(world->ticks - ticks, 1, 5);
	assert_int_equal(plugin.count, 0);
	assert_int_equal(two.count, 0);
	// It is the reader's end that lets it go on, not the time.
	assert_int_equal(bh_deliver_confirm(world->deliver, got.claim_id, NULL, NULL, NULL), 0);
	world_settle(world);
	assert_string_equal(plugin.last_body, "two");
	assert_int_equal(plugin_ack(&plugin, plugin.last), 0);
	assert_true(two.is_seen);
	bh_deliver_channel_close(world->deliver, plugin.channel);
}

static void a_terminals_channel_rests_while_a_reader_holds_what_is_older(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");

	agent_be(agent, BH_STATE_WORKING);
	what_a_reader_holds_goes_first(world, agent, "reviewer");
}

static void a_names_channel_rests_while_a_reader_holds_what_is_older(void **state)
{
	what_a_reader_holds_goes_first(*state, NULL, "robot");
}

static void all_names_of_its_terminal_are_served(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;
	struct plugin plugin = {0};
	int code = 1;

	assert_int_equal(
		bh_store_announce(world->store,
	                          &(struct bh_announce){.terminal = agent->text, .name = "checker"},
	                          on_acked, &code, NULL),
		0);
	world_settle(world);
	assert_int_equal(code, 0);
	agent_be(agent, BH_STATE_WORKING);
	plugin_open(world, &plugin, agent, NULL, 0);
	world_send(world, "coder", "checker", "one", &sent);
	assert_string_equal(plugin.last_body, "one");
	assert_int_equal(plugin_ack(&plugin, "m1"), 0);
	world_send(world, "coder", "reviewer", "two", &sent);
	assert_string_equal(plugin.last_body, "two");
	assert_int_equal(plugin_ack(&plugin, "m2"), 0);
	bh_deliver_channel_close(world->deliver, plugin.channel);
}

static void what_it_was_given_is_read_as_by_the_agent_itself(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;
	struct plugin plugin = {0};

	agent->mode = BH_MODE_NOTICE;
	world_send(world, "coder", "reviewer", "one", &sent);
	world_pass(world, 1000);
	assert_memory_equal(agent->turns[0], "Mail n1:", 8);
	plugin_open(world, &plugin, agent, NULL, 0);
	assert_string_equal(plugin.last_body, "one");
	assert_int_equal(plugin_ack(&plugin, "m1"), 0);
	// All is read: the notice's group is closed, and the next mail rings anew.
	bh_deliver_channel_close(world->deliver, plugin.channel);
	agent_be(agent, BH_STATE_COMPLETED);
	world_send(world, "coder", "reviewer", "two", &sent);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 2);
	assert_memory_equal(agent->turns[1], "Mail n2:", 8);
}

static void while_parked_the_channel_gets_another_chance(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;
	struct plugin plugin = {0};

	agent->mode = BH_MODE_NOTICE;
	world_send(world, "coder", "reviewer", "one", &sent);
	for (int i = 0; i < 2; i++) { // two notices that nobody cares for
		world_pass(world, 1000);
		agent_be(agent, BH_STATE_COMPLETED);
		world_pass(world, 70000);
	}
	world_pass(world, 400000);
	assert_int_equal(agent->pastes, 2);
	plugin_open(world, &plugin, agent, NULL, 100);
	assert_int_equal(plugin.count, 1);
	wait_real(world, 150);
	assert_int_equal(plugin.count, 2);
	assert_string_equal(plugin.last_body, "one");
	assert_int_equal(plugin_ack(&plugin, "m1"), 0);
	bh_deliver_channel_close(world->deliver, plugin.channel);
}

static void on_steered(void *user, bool is_acknowledged)
{
	*(int *)user = is_acknowledged;
}

static void a_steer_is_answered_by_the_acknowledgement(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "child");
	struct bh_deliver_steer what = {.terminal = &agent->id, .from = "lead", .text = "stop"};
	struct plugin plugin = {0};
	struct bh_err err = {0};
	static int taken;

	assert_int_equal(bh_deliver_steer(world->deliver, &what, on_steered, &taken, &err),
	                 BH_ENOTFOUND);
	plugin_open(world, &plugin, agent, NULL, 0);
	taken = -1;
	assert_int_equal(bh_deliver_steer(world->deliver, &what, on_steered, &taken, &err), 0);
	world_settle(world);
	assert_string_equal(plugin.steered, "lead: stop");
	assert_int_equal(taken, -1);
	assert_false(bh_deliver_steer_ack(world->deliver, plugin.channel, "s77"));
	assert_true(bh_deliver_steer_ack(world->deliver, plugin.channel, plugin.steer_id));
	assert_int_equal(taken, -1); // from the loop
	world_settle(world);
	assert_int_equal(taken, 1);
	// Nobody says anything.
	taken = -1;
	assert_int_equal(bh_deliver_steer(world->deliver, &what, on_steered, &taken, &err), 0);
	world_pass(world, BH_CHANNEL_STEER_MS - 1);
	assert_int_equal(taken, -1);
	world_pass(world, 1);
	assert_int_equal(taken, 0);
	// It goes away.
	taken = -1;
	assert_int_equal(bh_deliver_steer(world->deliver, &what, on_steered, &taken, &err), 0);
	bh_deliver_channel_close(world->deliver, plugin.channel);
	world_settle(world);
	assert_int_equal(taken, 0);
	assert_int_equal(bh_store_last_seq(world->store), 0); // nothing of it is mail
}

static void only_a_channel_that_says_so_is_steered(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "child");
	struct bh_deliver_steer what = {.terminal = &agent->id, .from = "lead", .text = "stop"};
	static struct plugin plugin;
	struct bh_err err = {0};
	int taken = -1;

	plugin.world = world;
	plugin.channel =
		bh_deliver_channel_open(world->deliver,
	                                &(struct bh_channel_settings){.terminal = &agent->id,
	                                                              .message = on_message,
	                                                              .steer = on_steer,
	                                                              .closed = on_closed,
	                                                              .user = &plugin},
	                                NULL);
	assert_int_equal(bh_deliver_steer(world->deliver, &what, on_steered, &taken, &err),
	                 BH_ENOTFOUND);
	assert_non_null(strstr(err.text, "no channel that can be steered"));
	assert_string_equal(plugin.steered, "");
	assert_int_equal(agent->pastes, 0); // nor is it typed
}

static void quiet_mail_waits_until_something_wakes(void **state)
{
	struct world *world = *state;
	struct bh_deliver_send quiet = {.put = {.message_id = "q",
	                                        .to = "robot",
	                                        .from = "coder",
	                                        .sender = BH_SENDER_AGENT,
	                                        .is_quiet = true,
	                                        .body = bh_span_of("progress")},
	                                .no_wait = true};
	static struct sent sent;
	struct plugin plugin = {0};

	plugin_open(world, &plugin, NULL, "robot", 0);
	world_send_with(world, &quiet, &sent);
	assert_int_equal(plugin.count, 0);
	world_send(world, "coder", "robot", "wake up", &sent);
	// One that may wake takes all with it, in order.
	assert_string_equal(plugin.last_body, "progress");
	assert_int_equal(plugin_ack(&plugin, "m1"), 0);
	assert_string_equal(plugin.last_body, "wake up");
	assert_int_equal(plugin_ack(&plugin, "m2"), 0);
	bh_deliver_channel_close(world->deliver, plugin.channel);
}

static void the_end_of_the_server_is_told(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct plugin plugin;
	struct bh_err err = {0};

	plugin_open(world, &plugin, agent, NULL, 0);
	assert_ptr_equal(bh_deliver_channel_next(world->deliver, NULL), plugin.channel);
	assert_ptr_equal(bh_deliver_channel_user(plugin.channel), &plugin);
	assert_null(bh_deliver_channel_next(world->deliver, plugin.channel));
	bh_deliver_stop(world->deliver);
	assert_int_equal(plugin.closed, 1);
	assert_int_equal(plugin.end, BH_CHANNEL_STOPPED);
	assert_string_equal(bh_channel_end_word(plugin.end), "stopped");
	assert_string_equal(bh_channel_end_sentence(plugin.end), "the server ends");
	// A request for another one may come to its end only now.
	assert_null(bh_deliver_channel_open(world->deliver,
	                                    &(struct bh_channel_settings){.name = "robot"}, &err));
	assert_int_equal(err.code, BH_ECLOSED);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)
	const struct CMUnitTest tests[] = {
		CASE(acknowledged_is_seen_and_then_comes_the_next),
		CASE(a_lease_that_ends_sends_it_the_next_way),
		CASE(three_in_a_row_close_it_and_show_in_can_wake),
		CASE(a_late_acknowledgement_counts),
		CASE(the_end_of_its_connection_returns_what_it_held),
		CASE(the_take_of_a_channel_that_went_away_is_given_back),
		CASE(the_newest_channel_wins),
		CASE(one_that_is_over_may_be_closed),
		CASE(a_waiter_goes_before_a_channel),
		CASE(an_orphan_gets_nothing),
		CASE(a_name_without_terminal_is_served_in_order),
		CASE(a_name_with_a_terminal_is_not_served_from_outside),
		CASE(where_nothing_is_typed_the_channel_gets_another_chance),
		CASE(another_reader_may_have_it_meanwhile),
		CASE(a_terminals_channel_rests_while_a_reader_holds_what_is_older),
		CASE(a_names_channel_rests_while_a_reader_holds_what_is_older),
		CASE(all_names_of_its_terminal_are_served),
		CASE(what_it_was_given_is_read_as_by_the_agent_itself),
		CASE(while_parked_the_channel_gets_another_chance),
		CASE(a_steer_is_answered_by_the_acknowledgement),
		CASE(only_a_channel_that_says_so_is_steered),
		CASE(quiet_mail_waits_until_something_wakes),
		CASE(the_end_of_the_server_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
