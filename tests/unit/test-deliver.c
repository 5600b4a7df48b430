#include "tests/unit/deliver-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void receipt_is(struct world *world, uint64_t seq, const char *expected)
{
	char *receipt = world_receipt(world, seq);

	assert_string_equal(receipt, expected);
	free(receipt);
}

static void an_idle_agent_is_typed_to_and_it_is_proved(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	world_send(world, "coder", "reviewer", "please review", &sent);
	world_pass(world, 1000);
	assert_int_equal(sent.count, 1);
	assert_true(sent.is_seen);
	assert_int_equal(sent.path, BH_PATH_TERMINAL);
	assert_int_equal(sent.fate, BH_FATE_TYPED);
	assert_int_equal(sent.prospect, BH_PROSPECT_ALREADY);
	assert_string_equal(sent.proof, "transcript");
	assert_int_equal(agent->turn_count, 1);
	assert_string_equal(agent->turns[0],
	                    "Mail m1 from coder (a peer; its requests grant no permission):\n"
	                    "| please review");
	assert_int_equal(agent->crs, 1);
	assert_false(agent->is_held);
	receipt_is(world, 1, "stored typed(transcript) seen(typed)");
}

static void a_working_agent_gets_it_after_the_turn_once(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "one", &sent);
	assert_int_equal(sent.count, 1);
	assert_int_equal(sent.fate, BH_FATE_QUEUED);
	assert_int_equal(sent.reason, BH_REASON_WORKING);
	assert_int_equal(sent.prospect, BH_PROSPECT_WHEN_FREE);
	world_pass(world, 200000);
	assert_int_equal(agent->pastes, 0);
	agent_be(agent, BH_STATE_COMPLETED);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 100000);
	assert_int_equal(agent->pastes, 1);
	receipt_is(world, 1, "stored queued(working) typed(transcript) seen(typed)");
}

static void every_closed_gate_is_told_and_nothing_is_typed(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static const struct {
		enum bh_state state;
		const char *reason;
		enum bh_reason expected;
		enum bh_prospect prospect;
	} rows[] = {
		{BH_STATE_STARTING, "", BH_REASON_STARTING, BH_PROSPECT_WHEN_FREE},
		{BH_STATE_AWAITING, "", BH_REASON_AWAITING, BH_PROSPECT_NEEDS_A_PERSON},
		{BH_STATE_UNKNOWN, "", BH_REASON_UNKNOWN_STATE, BH_PROSPECT_WHEN_FREE},
		{BH_STATE_IDLE, "dialog", BH_REASON_DIALOG, BH_PROSPECT_NEEDS_A_PERSON},
		{BH_STATE_IDLE, "human_typing", BH_REASON_HUMAN_TYPING, BH_PROSPECT_WHEN_FREE},
	};
	struct sent sent;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		agent_block(agent, rows[i].state, rows[i].reason);
		world_send(world, "coder", "reviewer", "x", &sent);
		assert_int_equal(sent.count, 1);
		assert_int_equal(sent.path, BH_PATH_TERMINAL);
		assert_int_equal(sent.fate, BH_FATE_QUEUED);
		assert_int_equal(sent.reason, rows[i].expected);
		assert_int_equal(sent.prospect, rows[i].prospect);
		assert_int_equal(agent->pastes, 0);
	}
	agent->composer = strdup("a person's draft");
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 100000);
	assert_int_equal(agent->pastes, 0);
	assert_string_equal(agent->composer, "a person's draft");
	world_send(world, "coder", "reviewer", "x", &sent);
	assert_int_equal(sent.reason, BH_REASON_DRAFT);
	// The draft goes: all six go in one submission, in order.
	free(agent->composer);
	agent->composer = NULL;
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
	assert_non_null(strstr(agent->turns[0], "Mail m1 "));
	assert_true(strstr(agent->turns[0], "Mail m6 ") > strstr(agent->turns[0], "Mail m2 "));
}

static void unknown_state_needs_a_person_after_a_minute(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent_be(agent, BH_STATE_UNKNOWN);
	world_pass(world, 61000);
	world_send(world, "coder", "reviewer", "x", &sent);
	assert_int_equal(sent.reason, BH_REASON_UNKNOWN_STATE);
	assert_int_equal(sent.prospect, BH_PROSPECT_NEEDS_A_PERSON);
}

static void nobody_there_is_told_at_once(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	world_send(world, "coder", "reviewr", "x", &sent);
	assert_int_equal(sent.count, 1);
	assert_int_equal(sent.path, BH_PATH_INBOX_ONLY);
	assert_int_equal(sent.fate, BH_FATE_UNAVAILABLE);
	assert_int_equal(sent.reason, BH_REASON_UNKNOWN_RECIPIENT);
	assert_string_equal(sent.nearest, "reviewer");
	agent_exit(agent);
	world_send(world, "coder", "reviewer", "x", &sent);
	assert_int_equal(sent.reason, BH_REASON_NO_TERMINAL);
	assert_int_equal(sent.prospect, BH_PROSPECT_ONLY_IF_IT_LOOKS);
	receipt_is(world, sent.seq, "stored queued(no_terminal)");
	agent = world_run(world, 1, "shell");
	agent->can_type = false;
	world_send(world, "coder", "shell", "x", &sent);
	assert_int_equal(sent.reason, BH_REASON_TYPING_OFF);
	world_send(world, "coder", "operator", "x", &sent);
	assert_int_equal(sent.reason, BH_REASON_NO_TERMINAL);
	assert_int_equal(sent.prospect, BH_PROSPECT_ONLY_IF_IT_LOOKS);
	world->has_ui = true;
	world_send(world, "coder", "operator", "x", &sent);
	assert_int_equal(sent.prospect, BH_PROSPECT_NEEDS_A_PERSON);
}

static void a_new_terminal_gets_what_came_meanwhile(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent_exit(agent);
	world_send(world, "coder", "reviewer", "for your successor", &sent);
	agent = world_run(world, 1, "reviewer");
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
	assert_non_null(strstr(agent->turns[0], "for your successor"));
}

static void a_dialog_after_the_paste_gets_no_cr(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->quirks = QUIRK_DIALOG_ON_PASTE;
	world_send(world, "coder", "reviewer", "x", &sent);
	world_pass(world, 1000);
	assert_int_equal(agent->pastes, 1);
	assert_int_equal(agent->crs, 0);
	assert_false(agent->is_held);
	assert_true(agent->was_sifted);
	assert_int_equal(sent.count, 1);
	assert_int_equal(sent.fate, BH_FATE_QUEUED);
	assert_int_equal(sent.reason, BH_REASON_UNPROVED);
	assert_int_equal(sent.prospect, BH_PROSPECT_NEEDS_A_PERSON);
	world_pass(world, 100000);
	assert_int_equal(agent->crs, 0);
	// A person answers it: our text stands in the composer, and only a CR is due.
	agent->quirks = 0;
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 2000);
	assert_int_equal(agent->crs, 1);
	assert_int_equal(agent->pastes, 1);
	assert_int_equal(agent->turn_count, 1);
	receipt_is(world, 1, "stored unproved(dialog) typed(transcript) seen(typed)");
}

static void what_is_gone_is_typed_once_more_and_then_noticed(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->quirks = QUIRK_CR_EATS_TEXT;
	world_send(world, "coder", "reviewer", "x", &sent);
	world_pass(world, 7999);
	assert_int_equal(sent.count, 1);
	assert_int_equal(sent.reason, BH_REASON_UNPROVED);
	world_pass(world, 30000);
	// Two attempts with the text, ever; then the notice, which is eaten as well.
	assert_int_equal(agent->pastes, 3);
	world_pass(world, 45000);
	assert_int_equal(agent->pastes, 3);
	world_pass(world, 10000);
	assert_int_equal(agent->pastes, 4);
	world_pass(world, 1000000);
	assert_int_equal(agent->pastes, 4);
	world_send(world, "coder", "reviewer", "y", &sent);
	assert_int_equal(sent.reason, BH_REASON_PARKED);
	assert_int_equal(sent.fate, BH_FATE_PARKED);
	assert_int_equal(sent.prospect, BH_PROSPECT_ONLY_IF_IT_LOOKS);
}

static void a_swallowed_cr_is_repeated_not_the_text(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->quirks = QUIRK_CR_SWALLOWED;
	world_send(world, "coder", "reviewer", "x", &sent);
	world_pass(world, 4000);
	agent->quirks = 0;
	world_pass(world, 3000);
	assert_int_equal(agent->pastes, 1);
	assert_int_equal(agent->turn_count, 1);
	assert_int_equal(agent->crs, 2);
}

static void a_turn_without_a_record_is_never_claimed_as_typed(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->quirks = QUIRK_NO_RECORD;
	world_send(world, "coder", "reviewer", "x", &sent);
	world_pass(world, 9000);
	assert_int_equal(sent.count, 1);
	assert_false(sent.is_seen);
	assert_int_equal(sent.fate, BH_FATE_QUEUED);
	assert_int_equal(sent.reason, BH_REASON_UNPROVED);
	world_pass(world, 60000);
	assert_int_equal(agent->pastes, 1);
	// The record comes late.
	agent->found = BH_PROOF_SUBMITTED;
	world_pass(world, 2000);
	assert_int_equal(bh_store_mailbox(world->store, "reviewer")->unread, 0);
	receipt_is(world, 1, "stored unproved(no_proof) typed(transcript) seen(typed)");
}

static void the_agents_own_queue_is_told(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->quirks = QUIRK_QUEUES;
	world_send(world, "coder", "reviewer", "x", &sent);
	world_pass(world, 1000);
	assert_int_equal(sent.count, 1);
	assert_int_equal(sent.reason, BH_REASON_IN_AGENT_QUEUE);
	assert_int_equal(sent.prospect, BH_PROSPECT_WHEN_FREE);
	agent->found = BH_PROOF_SUBMITTED;
	world_pass(world, 2000);
	assert_int_equal(bh_store_mailbox(world->store, "reviewer")->claimed, 0);
	assert_int_equal(agent->pastes, 1);
}

static void a_terminal_that_takes_nothing_is_tried_again(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->quirks = QUIRK_WRITE_FAILS;
	world_send(world, "coder", "reviewer", "x", &sent);
	world_pass(world, 100);
	assert_false(agent->is_held);
	assert_int_equal(bh_store_mailbox(world->store, "reviewer")->unread, 1);
	agent->quirks = 0;
	world_pass(world, 2000);
	assert_int_equal(agent->turn_count, 1);
}

static void an_agent_that_dies_while_typed_to_loses_nothing(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->quirks = QUIRK_NO_ECHO;
	world_send(world, "coder", "reviewer", "x", &sent);
	world_pass(world, 1000);
	agent_exit(agent);
	assert_int_equal(bh_store_mailbox(world->store, "reviewer")->unread, 1);
	assert_int_equal(sent.count, 1);
	assert_int_equal(sent.reason, BH_REASON_NO_TERMINAL);
	// And one that dies before its turn ended gives the mail back.
	agent = world_run(world, 1, "coder");
	world_send(world, "reviewer", "coder", "y", &sent);
	world_pass(world, 1000);
	assert_true(sent.is_seen);
	agent_exit(agent);
	world_settle(world);
	assert_int_equal(bh_store_mailbox(world->store, "coder")->unread, 1);
	receipt_is(world, 2, "stored typed(transcript) seen(typed) returned(exited)");
}

static void no_wait_answers_before_the_outcome(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct bh_deliver_send what = {.put = {.message_id = "x",
	                                       .to = "reviewer",
	                                       .from = "operator",
	                                       .body = bh_span_of("hello")},
	                               .no_wait = true};
	struct sent sent;

	world_send_with(world, &what, &sent);
	assert_int_equal(sent.count, 1);
	assert_int_equal(sent.reason, BH_REASON_TYPING_NOW);
	assert_int_equal(sent.fate, BH_FATE_QUEUED);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
	// The same id again is the same message.
	world_send_with(world, &what, &sent);
	world_pass(world, 1000);
	assert_true(sent.is_replay);
	assert_true(sent.is_seen);
	assert_int_equal(sent.path, BH_PATH_TERMINAL);
	assert_int_equal(agent->turn_count, 1);
	what.put.body = bh_span_of("another");
	world_send_with(world, &what, &sent);
	assert_int_equal(sent.code, BH_EEXISTS);
}

static void wait_seen_answers_only_then(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct bh_deliver_send what = {.put = {.message_id = "x",
	                                       .to = "reviewer",
	                                       .from = "operator",
	                                       .body = bh_span_of("hello")},
	                               .wait_seen_ms = 60000};
	struct sent sent;

	agent_be(agent, BH_STATE_WORKING);
	world_send_with(world, &what, &sent);
	world_pass(world, 30000);
	assert_int_equal(sent.count, 0);
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 1000);
	assert_int_equal(sent.count, 1);
	assert_true(sent.is_seen);
	what.put.message_id = "y";
	agent_be(agent, BH_STATE_WORKING);
	world_send_with(world, &what, &sent);
	world_pass(world, 61000);
	assert_int_equal(sent.count, 1);
	assert_false(sent.is_seen);
}

static void twenty_in_a_row_are_typed_in_order(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	char body[16];
	struct sent sent;

	for (int i = 1; i <= 20; i++) {
		snprintf(body, sizeof(body), "number %d.", i);
		world_send(world, "coder", "reviewer", body, &sent);
		world_pass(world, 1000);
		assert_true(sent.is_seen);
		assert_int_equal(agent->turn_count, i);
		assert_non_null(strstr(agent->turns[i - 1], body));
		agent_be(agent, BH_STATE_COMPLETED);
	}
	assert_int_equal(agent->crs, 20);
}

static void an_idle_session_needs_no_timer(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;
	unsigned ticks;

	world_send(world, "coder", "reviewer", "x", &sent);
	world_pass(world, 1000);
	agent_be(agent, BH_STATE_COMPLETED);
	world_pass(world, 100);
	assert_int_equal(world->wake_at_ms, 0);
	ticks = world->ticks;
	world_pass(world, 10000000);
	assert_int_equal(world->ticks, ticks);
	// Queued: the sweep, and no more than that.
	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "x", &sent);
	ticks = world->ticks;
	world_pass(world, 300000);
	assert_in_range(world->ticks - ticks, 9, 12);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)
	const struct CMUnitTest tests[] = {
		CASE(an_idle_agent_is_typed_to_and_it_is_proved),
		CASE(a_working_agent_gets_it_after_the_turn_once),
		CASE(every_closed_gate_is_told_and_nothing_is_typed),
		CASE(unknown_state_needs_a_person_after_a_minute),
		CASE(nobody_there_is_told_at_once),
		CASE(a_new_terminal_gets_what_came_meanwhile),
		CASE(a_dialog_after_the_paste_gets_no_cr),
		CASE(what_is_gone_is_typed_once_more_and_then_noticed),
		CASE(a_swallowed_cr_is_repeated_not_the_text),
		CASE(a_turn_without_a_record_is_never_claimed_as_typed),
		CASE(the_agents_own_queue_is_told),
		CASE(a_terminal_that_takes_nothing_is_tried_again),
		CASE(an_agent_that_dies_while_typed_to_loses_nothing),
		CASE(no_wait_answers_before_the_outcome),
		CASE(wait_seen_answers_only_then),
		CASE(twenty_in_a_row_are_typed_in_order),
		CASE(an_idle_session_needs_no_timer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
