// The guards of CONTRACT.md section 8, in the made-up world.
#include "src/mail/store_guard.h"
#include "src/server/deliver_guard.h"
#include "src/wake/rate.h"
#include "tests/unit/deliver-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void on_done(void *user, const struct bh_answer *answer)
{
	(void)user;
	assert_int_equal(answer->err.code, 0);
}

/** Send from inside @from's terminal, with a reply when @reply_to is not NULL. */
static void send_inside(struct agent *from, const char *to, const char *reply_to, struct sent *sent)
{
	struct world *world = from->world;
	char id[32];
	struct bh_deliver_send what = {
		.put = {.message_id = id,
	                .to = to,
	                .from = from->name,
	                .sender = BH_SENDER_AGENT,
	                // A reply alone must hold a chain together.
	                .from_terminal = reply_to == NULL ? from->text : NULL,
	                .reply_to = reply_to,
	                .body = bh_span_of("and again")}};

	(void)snprintf(id, sizeof(id), "inside-%u", ++world->next_message);
	world_send_with(world, &what, sent);
}

/** It has the turn: works, then is done. */
static void agent_turn(struct agent *agent)
{
	agent_be(agent, BH_STATE_WORKING);
	agent_be(agent, BH_STATE_COMPLETED);
}

static void set_dnd(struct world *world, const char *name, enum bh_dnd_state dnd, int64_t until_ms)
{
	assert_int_equal(bh_store_set_dnd(world->store,
	                                  &(struct bh_set_dnd){
						  .name = name, .dnd = dnd, .until_ms = until_ms},
	                                  on_done, NULL, NULL),
	                 0);
	world_settle(world);
}

static void set_block(struct world *world, const char *name, const char *sender, bool is_blocked)
{
	assert_int_equal(bh_store_set_block(world->store,
	                                    &(struct bh_set_block){.name = name,
	                                                           .sender = sender,
	                                                           .is_blocked = is_blocked},
	                                    on_done, NULL, NULL),
	                 0);
	world_settle(world);
}

static void person_acts(struct agent *agent)
{
	bh_deliver_person(agent->world->deliver, &agent->id);
	world_settle(agent->world);
}

static void receipt_has(struct world *world, uint64_t seq, const char *part)
{
	char *receipt = world_receipt(world, seq);

	if (strstr(receipt, part) == NULL) {
		fail_msg("no %s in %s", part, receipt);
	}
	free(receipt);
}

static size_t unread_of(struct world *world, const char *name)
{
	return bh_store_mailbox(world->store, name)->unread;
}

// ---- rate ----

/** Thirty messages from one to the other, each a turn, one a second. */
static void thirty_turns(struct agent *from, struct agent *to)
{
	struct world *world = from->world;
	struct sent sent;

	world_pass(world, BH_RATE_RESUME_FOR_MS);
	for (int i = 0; i < 30; i++) {
		send_inside(from, to->name, NULL, &sent);
		world_pass(world, 1000);
		assert_true(sent.is_seen);
		agent_turn(to);
	}
	assert_int_equal(to->turn_count, 30);
}

static void the_thirty_first_in_a_minute_waits(void **state)
{
	struct world *world = *state;
	struct agent *to = world_run(world, 0, "reviewer");
	struct agent *from = world_run(world, 1, "coder");
	struct sent sent;

	thirty_turns(from, to);
	send_inside(from, "reviewer", NULL, &sent);
	assert_int_equal(sent.count, 1); // at once: it is known that nothing happens now
	assert_int_equal(sent.reason, BH_REASON_RATE_LIMITED);
	assert_int_equal(sent.prospect, BH_PROSPECT_WHEN_FREE);
	assert_int_equal(sent.fate, BH_FATE_QUEUED);
	receipt_has(world, sent.seq, "queued(rate_limited)");
	world_pass(world, 29000);
	assert_int_equal(to->turn_count, 30);
	world_pass(world, 3000);
	assert_int_equal(to->turn_count, 31); // the minute freed
}

static void what_waits_for_its_minute_holds_up_nobody(void **state)
{
	struct world *world = *state;
	struct agent *to = world_run(world, 0, "reviewer");
	struct agent *from = world_run(world, 1, "coder");
	struct agent *other = world_run(world, 2, "tester");
	struct sent sent;

	thirty_turns(from, to);
	send_inside(from, "reviewer", NULL, &sent);
	assert_int_equal(sent.reason, BH_REASON_RATE_LIMITED);
	send_inside(from, "tester", NULL, &sent); // another pair
	world_pass(world, 1000);
	assert_true(sent.is_seen);
	agent_turn(other);
	send_inside(other, "reviewer", NULL, &sent); // another pair, too; the order is kept
	world_pass(world, 1000);
	assert_true(sent.is_seen);
	assert_int_equal(to->turn_count, 31);
	assert_non_null(strstr(to->turns[30], "from coder"));
	assert_non_null(strstr(to->turns[30], "from tester"));
	assert_int_equal(unread_of(world, "reviewer"), 0);
}

static void a_person_is_not_limited(void **state)
{
	struct world *world = *state;
	struct agent *to = world_run(world, 0, "reviewer");
	struct sent sent = {0};

	world_pass(world, BH_RATE_RESUME_FOR_MS);
	for (int i = 0; i < 40; i++) {
		world_send(world, NULL, "reviewer", "x", &sent);
		world_pass(world, 1000);
		agent_turn(to);
	}
	assert_int_equal(to->turn_count, 40);
}

// ---- loops ----

/** Two agents answer each other until nothing wakes any more; how many turns that took. */
static size_t play_loop(struct agent *a, struct agent *b, bool with_reply, struct sent *last)
{
	struct world *world = a->world;
	size_t turns = a->turn_count + b->turn_count;
	struct agent *speaks = a;
	struct agent *hears = b;
	size_t sent_count = 0;

	for (;;) {
		size_t before = hears->turn_count;
		struct agent *turn = speaks;
		char reply[24] = "";

		if (with_reply && sent_count > 0) {
			(void)snprintf(reply, sizeof(reply), "m%u", (unsigned)last->seq);
		}
		memset(last, 0, sizeof(*last));
		send_inside(speaks, hears->name, reply[0] != '\0' ? reply : NULL, last);
		world_pass(world, 3000); // not so fast that the rate guard acts
		if (++sent_count > 200 || hears->turn_count == before) {
			return a->turn_count + b->turn_count - turns;
		}
		agent_turn(hears);
		speaks = hears;
		hears = turn;
	}
}

static void endless_answers_stop(struct world *world, bool with_reply)
{
	struct agent *a = world_run(world, 0, "alpha");
	struct agent *b = world_run(world, 1, "beta");
	struct sent sent = {0};
	const struct bh_item *item;

	world_send(world, NULL, "alpha", "talk to beta", &sent);
	world_pass(world, 3000);
	agent_turn(a);
	assert_int_equal(play_loop(a, b, with_reply, &sent), BH_MESSAGE_HOPS_MAX - 1);
	assert_int_equal(sent.reason, BH_REASON_LOOP); // the sender is told
	assert_int_equal(sent.prospect, BH_PROSPECT_ONLY_IF_IT_LOOKS);
	assert_int_equal(sent.path, BH_PATH_INBOX_ONLY);
	receipt_has(world, sent.seq, "queued(loop)");
	// The recipient is told, without being woken; and people are.
	item = bh_mailbox_last_unread(bh_store_mailbox(
		world->store, bh_store_item(world->store, "alpha", sent.seq) ? "alpha" : "beta"));
	assert_int_equal(item->sender, BH_SENDER_BELLHOP);
	assert_true(item->is_quiet);
	assert_int_equal(world->told, 1);
	assert_non_null(strstr(world->told_text, "bellhop ring"));
	world_pass(world, 600000);
	assert_int_equal(a->turn_count + b->turn_count, BH_MESSAGE_HOPS_MAX);
}

static void endless_answers_stop_without_replies(void **state)
{
	endless_answers_stop(*state, false);
}

static void endless_answers_stop_with_replies(void **state)
{
	endless_answers_stop(*state, true);
}

static void a_person_lets_a_chain_go_on(void **state)
{
	struct world *world = *state;
	struct agent *a = world_run(world, 0, "alpha");
	struct agent *b = world_run(world, 1, "beta");
	struct agent *holds;
	struct agent *sender;
	struct sent sent = {0};
	size_t turns;

	// Whoever begins by itself has no chain: one more message than after mail of a person.
	assert_int_equal(play_loop(a, b, false, &sent), BH_MESSAGE_HOPS_MAX);
	holds = bh_store_item(world->store, "alpha", sent.seq) != NULL ? a : b;
	sender = holds == a ? b : a;
	turns = holds->turn_count;
	person_acts(world_run(world, 2, "gamma")); // a third terminal: nothing to do with it
	world_pass(world, 3000);
	assert_int_equal(holds->turn_count, turns);
	person_acts(sender); // in the sender's terminal
	world_pass(world, 3000);
	assert_int_equal(holds->turn_count, turns + 1);
	agent_turn(holds);
	// And it has its whole length again.
	assert_true(play_loop(holds, sender, false, &sent) >= BH_MESSAGE_HOPS_MAX - 2);
	assert_int_equal(sent.reason, BH_REASON_LOOP);
}

/** Hops of what @from says after it took mail of 10 hops, and a person pressed a key in between or not. */
static int hops_after(struct world *world, struct agent *from, bool person_acted)
{
	struct bh_deliver_send what = {.put = {.message_id = person_acted ? "a" : "b",
	                                       .to = from->name,
	                                       .from = "coder",
	                                       .sender = BH_SENDER_AGENT,
	                                       .hops = 10,
	                                       .body = bh_span_of("x")},
	                               .no_wait = true};
	struct sent sent;

	person_acts(from); // before the mail: no news
	agent_be(from, BH_STATE_AWAITING);
	world_send_with(world, &what, &sent);
	world_settle(world);
	if (person_acted) {
		person_acts(from);
	}
	agent_be(from, BH_STATE_IDLE);
	world_pass(world, 1000);
	assert_true(from->turn_count > 0);
	agent_be(from, BH_STATE_WORKING);
	send_inside(from, "nobody", NULL, &sent);
	world_settle(world);
	return bh_store_item(world->store, "nobody", sent.seq)->hops;
}

static void a_key_behind_mail_that_waits_begins_its_chain_anew(void **state)
{
	struct world *world = *state;

	assert_int_equal(hops_after(world, world_run(world, 0, "alpha"), false), 11);
	assert_int_equal(hops_after(world, world_run(world, 1, "beta"), true), 1);
}

/** Mail from @from that its chain stops, by what it answers: the turn of @from is of no chain. */
static void stopped_from(struct agent *from, const char *id)
{
	struct sent sent = {0};

	world_send_with(from->world,
	                &(struct bh_deliver_send){.put = {.message_id = id,
	                                                  .to = "reviewer",
	                                                  .from = from->name,
	                                                  .sender = BH_SENDER_AGENT,
	                                                  .from_terminal = from->text,
	                                                  .hops = BH_MESSAGE_HOPS_MAX,
	                                                  .body = bh_span_of("x")}},
	                &sent);
	world_pass(from->world, 1000);
	assert_int_equal(sent.reason, BH_REASON_LOOP);
}

static void a_person_at_the_sender_frees_what_it_sent(void **state)
{
	struct world *world = *state;
	struct agent *to = world_run(world, 0, "reviewer");
	struct agent *from = world_run(world, 1, "alpha");
	struct got got = {0};

	for (size_t i = 1; i <= 2; i++) { // the first time is not the last
		stopped_from(from, i == 1 ? "1" : "2");
		assert_int_equal(to->turn_count, i - 1);
		person_acts(from);
		world_pass(world, 1000);
		assert_int_equal(to->turn_count, i);
		agent_turn(to);
	}
	// What was read meanwhile needs no freeing.
	stopped_from(from, "3");
	agent_read(to, 0, &got);
	assert_int_equal(bh_deliver_confirm(world->deliver, got.claim_id, on_done, NULL, NULL), 0);
	world_settle(world);
	person_acts(from);
	world_pass(world, 1000);
	assert_int_equal(to->turn_count, 2);
}

static void a_ring_lets_a_chain_go_on(void **state)
{
	struct world *world = *state;
	struct agent *a = world_run(world, 0, "alpha");
	struct agent *b = world_run(world, 1, "beta");
	struct agent *holds;
	struct sent sent = {0};
	size_t turns;

	(void)play_loop(a, b, true, &sent);
	holds = bh_store_item(world->store, "alpha", sent.seq) != NULL ? a : b;
	turns = holds->turn_count;
	world_crash(world); // a restart of the server does not
	world_pass(world, 60000);
	assert_int_equal(holds->turn_count, turns);
	memset(&sent, 0, sizeof(sent));
	assert_int_equal(bh_deliver_ring(world->deliver, holds->name, on_sent, &sent, NULL), 0);
	world_pass(world, 9000);
	assert_int_equal(sent.count, 1);
	assert_int_equal(holds->turn_count, turns + 1);
}

/** A message that its chain stopped, from nowhere. */
static void stopped_mail(struct world *world, const char *id, const char *from, struct sent *sent)
{
	struct bh_deliver_send what = {.put = {.message_id = id,
	                                       .to = "reviewer",
	                                       .from = from,
	                                       .sender = BH_SENDER_AGENT,
	                                       .hops = BH_MESSAGE_HOPS_MAX + 3,
	                                       .body = bh_span_of("and again")}};

	world_send_with(world, &what, sent);
	world_pass(world, 100);
	assert_int_equal(sent->reason, BH_REASON_LOOP);
}

static void the_recipient_is_told_once_of_each_chain(void **state)
{
	struct world *world = *state;
	struct agent *to = world_run(world, 0, "reviewer");
	struct sent sent;
	struct got got = {0};

	stopped_mail(world, "1", "alpha", &sent);
	assert_int_equal(unread_of(world, "reviewer"), 2);
	stopped_mail(world, "2", "alpha", &sent);
	assert_int_equal(unread_of(world, "reviewer"), 3);
	stopped_mail(world, "3", "beta", &sent);
	assert_int_equal(unread_of(world, "reviewer"), 5);
	agent_read(to, 0, &got);
	world_settle(world);
	assert_int_equal(bh_deliver_confirm(world->deliver, got.claim_id, on_done, NULL, NULL), 0);
	world_settle(world);
	stopped_mail(world, "4", "alpha", &sent); // it knows
	assert_int_equal(unread_of(world, "reviewer"), 1);
	assert_int_equal(world->told, 2);
	// What a waiter takes needs nobody's help.
	memset(&got, 0, sizeof(got));
	agent_read(to, 0, &got);
	world_settle(world);
	assert_int_equal(bh_deliver_confirm(world->deliver, got.claim_id, on_done, NULL, NULL), 0);
	memset(&got, 0, sizeof(got));
	(void)agent_wait(to, 5000, &got);
	world_send_with(world,
	                &(struct bh_deliver_send){.put = {.message_id = "5",
	                                                  .to = "reviewer",
	                                                  .from = "gamma",
	                                                  .sender = BH_SENDER_AGENT,
	                                                  .hops = BH_MESSAGE_HOPS_MAX,
	                                                  .body = bh_span_of("x")}},
	                &sent);
	world_settle(world);
	assert_int_equal(got.messages, 1);
	assert_int_equal(world->told, 2);
	world_pass(world, 9000); // until the last answer
	assert_int_equal(sent.count, 1);
}

// ---- block ----

static void a_blocked_sender_wakes_nobody(void **state)
{
	struct world *world = *state;
	struct agent *to = world_run(world, 0, "reviewer");
	struct agent *pest = world_run(world, 1, "pest");
	struct sent sent = {0};
	struct got got = {0};

	set_block(world, "reviewer", "pest", true);
	send_inside(pest, "reviewer", NULL, &sent);
	world_pass(world, 1000);
	assert_int_equal(sent.count, 1);
	assert_int_equal(sent.reason, BH_REASON_BLOCKED_SENDER);
	assert_int_equal(sent.prospect, BH_PROSPECT_ONLY_IF_IT_LOOKS);
	receipt_has(world, sent.seq, "queued(blocked_sender)");
	assert_int_equal(to->pastes, 0);
	// Nor does it end a wait, nor go with others' mail.
	(void)agent_wait(to, 5000, &got);
	memset(&sent, 0, sizeof(sent));
	send_inside(pest, "reviewer", NULL, &sent);
	world_pass(world, 1000);
	assert_int_equal(got.count, 0);
	assert_int_equal(sent.reason, BH_REASON_BLOCKED_SENDER);
	world_pass(world, 5000);
	assert_true(got.is_timed_out);
	world_send(world, NULL, "reviewer", "mine", &sent);
	world_pass(world, 1000);
	assert_int_equal(to->turn_count, 1);
	assert_null(strstr(to->turns[0], "pest"));
	agent_turn(to);
	// The inbox shows all that is unread.
	memset(&got, 0, sizeof(got));
	agent_read(to, 0, &got);
	world_settle(world);
	assert_int_equal(got.messages, 2);
}

static void unblocked_mail_is_typed(void **state)
{
	struct world *world = *state;
	struct agent *to = world_run(world, 0, "reviewer");
	struct agent *pest = world_run(world, 1, "pest");
	struct sent sent = {0};

	set_block(world, "reviewer", "pest", true);
	send_inside(pest, "reviewer", NULL, &sent);
	world_pass(world, 1000);
	assert_int_equal(to->pastes, 0);
	set_block(world, "reviewer", "pest", false);
	world_pass(world, 1000);
	assert_int_equal(to->turn_count, 1);
}

// ---- do not disturb ----

static void nothing_is_typed_while_disturbing_is_not_wanted(void **state)
{
	struct world *world = *state;
	struct agent *to = world_run(world, 0, "reviewer");
	struct sent sent = {0};
	struct got got = {0};

	set_dnd(world, "reviewer", BH_DND_STATE_ON, 0);
	world_send(world, NULL, "reviewer", "x", &sent);
	world_pass(world, 1000);
	assert_int_equal(sent.reason, BH_REASON_DO_NOT_DISTURB);
	assert_int_equal(sent.prospect, BH_PROSPECT_NEEDS_A_PERSON);
	assert_int_equal(to->pastes, 0);
	world_crash(world); // durable
	world_pass(world, 60000);
	assert_int_equal(to->pastes, 0);
	(void)agent_wait(to, 5000, &got); // whoever looks by itself is served
	world_settle(world);
	assert_int_equal(got.messages, 1);
	assert_int_equal(bh_deliver_confirm(world->deliver, got.claim_id, on_done, NULL, NULL), 0);
	world_settle(world);
	set_dnd(world, "reviewer", BH_DND_STATE_OFF, 0);
	world_send(world, NULL, "reviewer", "y", &sent);
	world_pass(world, 1000);
	assert_int_equal(to->turn_count, 1);
}

static void it_holds_for_all_names_of_a_terminal(void **state)
{
	struct world *world = *state;
	struct agent *to = world_run(world, 0, "reviewer");
	struct sent sent = {0};

	assert_int_equal(
		bh_store_announce(world->store,
	                          &(struct bh_announce){.terminal = to->text, .name = "checker"},
	                          on_done, NULL, NULL),
		0);
	world_settle(world);
	set_dnd(world, "checker", BH_DND_STATE_ON, 0);
	world_send(world, NULL, "reviewer", "x", &sent);
	world_pass(world, 1000);
	assert_int_equal(sent.reason, BH_REASON_DO_NOT_DISTURB);
	assert_int_equal(to->pastes, 0);
	set_dnd(world, "checker", BH_DND_STATE_OFF, 0);
	world_pass(world, 1000);
	assert_int_equal(to->turn_count, 1);
}

static void it_ends_at_its_time(void **state)
{
	struct world *world = *state;
	struct agent *to = world_run(world, 0, "reviewer");
	struct sent sent = {0};

	set_dnd(world, "reviewer", BH_DND_STATE_TIME,
	        (int64_t)world->now_ms + 1700000000000 + 5000);
	world_send(world, NULL, "reviewer", "x", &sent);
	world_pass(world, 4900);
	assert_int_equal(sent.reason, BH_REASON_DO_NOT_DISTURB);
	assert_int_equal(sent.prospect, BH_PROSPECT_WHEN_FREE);
	assert_int_equal(to->pastes, 0);
	world_pass(world, 1000);
	assert_int_equal(to->turn_count, 1);
}

static void it_ends_with_the_turn(void **state)
{
	struct world *world = *state;
	struct agent *to = world_run(world, 0, "reviewer");
	struct sent sent = {0};

	set_dnd(world, "reviewer", BH_DND_STATE_NEXT_IDLE, 0);
	world_send(world, NULL, "reviewer", "x", &sent);
	world_pass(world, 40000); // idle now is not the idle that is meant
	assert_int_equal(to->pastes, 0);
	agent_be(to, BH_STATE_WORKING);
	assert_int_equal(bh_store_mailbox(world->store, "reviewer")->dnd, BH_DND_STATE_IDLE);
	agent_be(to, BH_STATE_IDLE);
	world_pass(world, 1000);
	assert_int_equal(bh_store_mailbox(world->store, "reviewer")->dnd, BH_DND_STATE_OFF);
	assert_int_equal(to->turn_count, 1);
	// Also where no mail waits for that.
	set_dnd(world, "reviewer", BH_DND_STATE_NEXT_IDLE, 0);
	agent_be(to, BH_STATE_WORKING);
	world_settle(world);
	agent_be(to, BH_STATE_IDLE);
	world_settle(world);
	assert_int_equal(bh_store_mailbox(world->store, "reviewer")->dnd, BH_DND_STATE_OFF);
}

// ---- the flood after a resume ----

static void few_typings_begin_at_once_after_a_start(void **state)
{
	struct world *world = *state;
	struct agent *agents[WORLD_TERMINALS];
	struct sent sent = {0};
	unsigned typed = 0;
	char name[16];

	for (int i = 0; i < WORLD_TERMINALS; i++) {
		(void)snprintf(name, sizeof(name), "agent%d", i);
		agents[i] = world_run(world, i, name);
		agents[i]->mode = BH_MODE_OFF;
	}
	world_pass(world, BH_RATE_RESUME_FOR_MS);
	for (int i = 0; i < WORLD_TERMINALS; i++) {
		(void)snprintf(name, sizeof(name), "agent%d", i);
		world_send(world, NULL, name, "x", &sent);
	}
	world_settle(world);
	// Four terminals are as many as may begin in a second; one more typing has to wait.
	world_crash(world);
	for (int i = 0; i < WORLD_TERMINALS; i++) {
		agents[i]->mode = BH_MODE_MESSAGE;
		bh_deliver_look(world->deliver, &agents[i]->id);
	}
	world_settle(world);
	world_pass(world, 400);
	for (int i = 0; i < WORLD_TERMINALS; i++) {
		typed += agents[i]->pastes;
	}
	assert_int_equal(typed, BH_RATE_RESUME);
	agent_turn(agents[0]);
	world_send(world, NULL, "agent0", "y", &sent);
	world_pass(world, 100);
	assert_int_equal(agents[0]->pastes, 1);
	world_pass(world, 1500);
	assert_int_equal(agents[0]->pastes, 2);
}

static void a_suspend_is_a_resume(void **state)
{
	struct world *world = *state;
	struct agent *agents[WORLD_TERMINALS];
	struct sent sent = {0};
	char name[16];

	for (int i = 0; i < WORLD_TERMINALS; i++) {
		(void)snprintf(name, sizeof(name), "agent%d", i);
		agents[i] = world_run(world, i, name);
	}
	world_pass(world, BH_RATE_RESUME_FOR_MS);
	world->slept_ms += 1000; // a clock that was put right is none
	world_send(world, NULL, "nobody", "x", &sent);
	assert_int_equal(world->resumes, 0);
	world->slept_ms += 3600000;
	for (int i = 0; i < WORLD_TERMINALS; i++) {
		(void)snprintf(name, sizeof(name), "agent%d", i);
		world_send(world, NULL, name, "x", &sent);
	}
	// Old evidence is forgotten before anything is typed.
	assert_int_equal(world->resumes, 1);
	world_pass(world, 900);
	agent_turn(agents[0]);
	world_send(world, NULL, "agent0", "y", &sent);
	world_pass(world, 50);
	assert_int_equal(agents[0]->pastes, 1);
	world_pass(world, 1500);
	assert_int_equal(agents[0]->pastes, 2);
	assert_int_equal(world->resumes, 1);
}

// ---- turns ----

static void an_exit_after_a_restart_returns_what_the_turn_took(void **state)
{
	struct world *world = *state;
	struct agent *to = world_run(world, 0, "reviewer");
	struct sent sent = {0};

	world_send(world, NULL, "reviewer", "x", &sent);
	world_pass(world, 1000);
	assert_int_equal(to->turn_count, 1);
	agent_be(to, BH_STATE_WORKING);
	world_crash(world);
	world_pass(world, 60000); // it works on
	agent_exit(to);
	assert_int_equal(unread_of(world, "reviewer"), 1);
	receipt_has(world, sent.seq, "seen(typed) returned(exited)");
}

static void a_turn_that_ends_after_a_restart_keeps_it(void **state)
{
	struct world *world = *state;
	struct agent *to = world_run(world, 0, "reviewer");
	struct sent sent = {0};

	world_send(world, NULL, "reviewer", "x", &sent);
	world_pass(world, 1000);
	agent_be(to, BH_STATE_WORKING);
	world_crash(world);
	agent_turn(to);
	world_settle(world);
	agent_exit(to);
	assert_int_equal(unread_of(world, "reviewer"), 0);
}

static void a_turn_that_ended_before_keeps_it(void **state)
{
	struct world *world = *state;
	struct agent *to = world_run(world, 0, "reviewer");
	struct sent sent = {0};

	world_send(world, NULL, "reviewer", "x", &sent);
	world_pass(world, 1000);
	agent_turn(to);
	world_settle(world);
	agent_exit(to);
	assert_int_equal(unread_of(world, "reviewer"), 0);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, world_setup, world_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(the_thirty_first_in_a_minute_waits),
		CASE(what_waits_for_its_minute_holds_up_nobody),
		CASE(a_person_is_not_limited),
		CASE(endless_answers_stop_without_replies),
		CASE(endless_answers_stop_with_replies),
		CASE(a_person_lets_a_chain_go_on),
		CASE(a_key_behind_mail_that_waits_begins_its_chain_anew),
		CASE(a_person_at_the_sender_frees_what_it_sent),
		CASE(a_ring_lets_a_chain_go_on),
		CASE(the_recipient_is_told_once_of_each_chain),
		CASE(a_blocked_sender_wakes_nobody),
		CASE(unblocked_mail_is_typed),
		CASE(nothing_is_typed_while_disturbing_is_not_wanted),
		CASE(it_holds_for_all_names_of_a_terminal),
		CASE(it_ends_at_its_time),
		CASE(it_ends_with_the_turn),
		CASE(few_typings_begin_at_once_after_a_start),
		CASE(a_suspend_is_a_resume),
		CASE(an_exit_after_a_restart_returns_what_the_turn_took),
		CASE(a_turn_that_ends_after_a_restart_keeps_it),
		CASE(a_turn_that_ended_before_keeps_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
