#include "tests/unit/deliver-world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void receipt_is(struct world *world, uint64_t seq, const char *expected)
{
	char *receipt = world_receipt(world, seq);

	assert_string_equal(receipt, expected);
	free(receipt);
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
	world_pass(world, 8000);
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
	assert_int_equal(world->told, 1); // people are, once
	assert_non_null(strstr(world->told_text, "bellhop ring"));
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

/** A person presses a key in the moment behind our CR. */
static void key_behind_the_cr(struct world *world, struct agent *agent, enum bh_deliver_point point)
{
	(void)world;
	if (point == BH_POINT_SENT) {
		assert_true(agent->is_held);
		agent_keys(agent, "k");
	}
}

/** An agent that is slow to take the CR, which is out; its profile lets keys wait. @sent must outlive the answer. */
static struct agent *agent_with_slow_cr(struct world *world, struct sent *sent)
{
	struct agent *agent = world_run(world, 0, "reviewer");

	agent->typing.release_ms = 1500;
	agent->quirks = QUIRK_CR_SWALLOWED | QUIRK_NO_RECORD;
	world_send(world, "coder", "reviewer", "x", sent);
	while (agent->crs == 0) {
		world_pass(world, 10);
	}
	return agent;
}

static void keys_wait_until_the_program_has_taken_the_cr(void **state)
{
	struct world *world = *state;
	struct sent sent;
	struct agent *agent = NULL;

	world->at_point = key_behind_the_cr;
	agent = agent_with_slow_cr(world, &sent);
	world->at_point = NULL;
	world_pass(world, 1300);
	assert_true(agent->is_held);
	assert_string_equal(agent->note, "typing mail");
	agent_keys(agent, "k");
	assert_non_null(agent->held_keys);
	// It empties its composer at last: the key goes behind the CR, not into the text.
	free(agent->composer);
	agent->composer = NULL;
	world_pass(world, 100);
	assert_false(agent->is_held);
	assert_null(agent->held_keys);
	assert_string_equal(agent->composer, "k");
	assert_string_equal(agent->note, "");
	world_pass(world, 9000); // until the sender has its answer
}

static void keys_do_not_wait_for_a_cr_for_ever(void **state)
{
	struct world *world = *state;
	struct sent sent;
	struct agent *agent = agent_with_slow_cr(world, &sent);

	world_pass(world, 1300);
	assert_true(agent->is_held);
	world_pass(world, 300);
	assert_false(agent->is_held);
	world_pass(world, 9000);
}

static void a_dialog_behind_the_cr_lets_sifted_keys_go(void **state)
{
	struct world *world = *state;
	struct sent sent;
	struct agent *agent = agent_with_slow_cr(world, &sent);

	world_pass(world, 200);
	assert_true(agent->is_held);
	agent->was_sifted = false;
	agent_be(agent, BH_STATE_AWAITING);
	world_pass(world, 200);
	assert_false(agent->is_held);
	assert_true(agent->was_sifted);
	world_pass(world, 9000);
}

static void a_server_that_stops_lets_keys_behind_a_cr_go(void **state)
{
	struct world *world = *state;
	struct sent sent;
	struct agent *agent = agent_with_slow_cr(world, &sent);

	assert_true(agent->is_held);
	bh_deliver_stop(world->deliver);
	assert_false(agent->is_held);
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

static void a_gate_that_closes_while_keys_are_held_is_seen(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->quirks = QUIRK_BUSY_ON_HOLD;
	world_send(world, "coder", "reviewer", "x", &sent);
	world_pass(world, 1000);
	assert_int_equal(agent->pastes, 0);
	assert_false(agent->is_held);
	assert_int_equal(sent.reason, BH_REASON_WORKING);
	assert_int_equal(bh_store_mailbox(world->store, "reviewer")->unread, 1);
	for (int i = 0; i < 3; i++) { // a refusal costs nothing, however often
		agent_be(agent, BH_STATE_IDLE);
		world_pass(world, 1000);
		assert_int_equal(agent->pastes, 0);
	}
	agent->quirks = 0;
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
}

static void output_that_is_not_read_yet_is_read_before_the_first_byte(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->quirks = QUIRK_UNREAD_DIALOG;
	world_send(world, "coder", "reviewer", "x", &sent);
	world_pass(world, 1000);
	assert_int_equal(agent->pastes, 0);
	assert_false(agent->is_held);
	assert_int_equal(sent.reason, BH_REASON_DIALOG);
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
	// The same before the CR.
	agent_be(agent, BH_STATE_COMPLETED);
	world_send(world, "coder", "reviewer", "y", &sent);
	world_pass(world, 100);
	assert_int_equal(agent->pastes, 2);
	agent->quirks = QUIRK_UNREAD_DIALOG;
	world_pass(world, 1000);
	assert_int_equal(agent->crs, 1);
	// And who never rests is served as it stands.
	agent_be(agent, BH_STATE_IDLE);
	agent->quirks = QUIRK_NEVER_RESTS;
	world_pass(world, 3000);
	assert_int_equal(agent->crs, 2);
	assert_int_equal(agent->turn_count, 2);
}

/** Go on until the agent has got @pastes pastes, then on by @more_ms. */
static void pass_until_pasted(struct agent *agent, unsigned pastes, uint64_t more_ms)
{
	for (int i = 0; i < 1000 && agent->pastes < pastes; i++) {
		world_pass(agent->world, 10);
	}
	assert_int_equal(agent->pastes, pastes);
	world_pass(agent->world, more_ms);
}

static void a_crash_before_the_cr_needs_only_the_cr(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	world_send(world, "coder", "reviewer", "x", &sent);
	pass_until_pasted(agent, 1, 50);
	assert_int_equal(agent->crs, 0);
	world_crash(world);
	world_pass(world, 5000);
	assert_int_equal(agent->pastes, 1);
	assert_int_equal(agent->crs, 1);
	assert_int_equal(agent->turn_count, 1);
	receipt_is(world, 1, "stored unproved(restart) typed(transcript) seen(typed)");
}

static void a_crash_after_the_cr_looks_into_the_record_first(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->quirks = QUIRK_NO_RECORD;
	world_send(world, "coder", "reviewer", "x", &sent);
	pass_until_pasted(agent, 1, 1000);
	assert_int_equal(agent->crs, 1);
	agent->found = BH_PROOF_SUBMITTED; // it was written while nobody looked
	world_crash(world);
	world_pass(world, 5000);
	assert_int_equal(agent->pastes, 1);
	assert_int_equal(agent->crs, 1);
	assert_int_equal(bh_store_mailbox(world->store, "reviewer")->unread, 0);
}

static void nothing_is_written_while_output_is_not_read(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->quirks = QUIRK_NEVER_READ;
	world_send(world, "coder", "reviewer", "x", &sent);
	// However often it is looked at meanwhile.
	for (int i = 0; i < 20; i++) {
		bh_deliver_look(world->deliver, &agent->id);
	}
	assert_int_equal(agent->pastes, 0);
	world_pass(world, 3000);
	assert_int_equal(agent->pastes, 0);
	assert_false(sent.is_seen);
	agent->quirks = 0;
	world_pass(world, 3000);
	assert_int_equal(agent->turn_count, 1);
}

static void a_stopped_agent_gets_the_text_once_when_it_goes_on(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->quirks = QUIRK_STOPPED;
	world_send(world, "coder", "reviewer", "x", &sent);
	// Its screen shows an empty composer all the time; that says nothing about our text.
	world_pass(world, 60000);
	assert_int_equal(agent->pastes, 1);
	assert_int_equal(agent->crs, 0);
	assert_int_equal(sent.reason, BH_REASON_UNPROVED);
	agent_continue(agent);
	world_pass(world, 5000);
	assert_int_equal(agent->pastes, 1);
	assert_int_equal(agent->turn_count, 1);
	receipt_is(world, 1, "stored unproved(no_proof) typed(transcript) seen(typed)");
}

static void nothing_is_typed_behind_input_that_is_not_read(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->unread = strdup("the words of a person");
	world_send(world, "coder", "reviewer", "x", &sent);
	world_pass(world, 20000);
	assert_int_equal(agent->pastes, 0);
	assert_int_equal(sent.reason, BH_REASON_UNKNOWN_STATE);
	// Nobody tells when it is read; it is looked for.
	free(agent->unread);
	agent->unread = NULL;
	world_pass(world, 2000);
	assert_int_equal(agent->turn_count, 1);
}

static void a_crash_that_lost_the_text_types_it_once_more(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->quirks = QUIRK_NO_ECHO;
	world_send(world, "coder", "reviewer", "x", &sent);
	pass_until_pasted(agent, 1, 100);
	world_crash(world);
	agent->quirks = 0;
	world_pass(world, 10000);
	assert_int_equal(agent->pastes, 2);
	assert_int_equal(agent->turn_count, 1);
	receipt_is(world, 1, "stored unproved(restart) typed(transcript) seen(typed)");
}

static void a_cut_paste_is_ended_only_where_pastes_are_known(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->quirks = QUIRK_NO_ECHO;
	world_send(world, "coder", "reviewer", "x", &sent);
	pass_until_pasted(agent, 1, 100);
	world_crash(world);
	assert_int_equal(agent->paste_ends, 1);
	world_pass(world, 4000);
	pass_until_pasted(agent, 2, 100);
	agent->has_paste_mode = false;
	world_crash(world);
	assert_int_equal(agent->paste_ends, 1);
}

static void an_attempt_whose_terminal_is_gone_after_a_crash_is_settled(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent->quirks = QUIRK_NO_ECHO;
	world_send(world, "coder", "reviewer", "x", &sent);
	pass_until_pasted(agent, 1, 100);
	agent->is_alive = false;
	world_crash(world);
	assert_int_equal(
		bh_store_retire(world->store,
	                        &(struct bh_retire){.terminal = agent->text, .exit_status = 0},
	                        NULL, NULL, NULL),
		0);
	bh_deliver_exited(world->deliver, &agent->id);
	world_settle(world);
	agent = world_run(world, 1, "reviewer");
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
}

static void a_notice_that_nobody_needs_any_more_is_cleared(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "lead");
	struct sent sent;
	struct got got;

	agent->mode = BH_MODE_NOTICE;
	agent->quirks = QUIRK_DIALOG_ON_PASTE;
	world_send(world, "coder", "lead", "x", &sent);
	pass_until_pasted(agent, 1, 500);
	agent_read(agent, 10, &got);
	assert_int_equal(got.messages, 1);
	assert_int_equal(bh_deliver_confirm(world->deliver, got.claim_id, NULL, NULL, NULL), 0);
	world_settle(world);
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 5000);
	assert_int_equal(agent->clears, 1);
	assert_int_equal(agent->crs, 0);
	assert_null(agent->composer);
}

static void read_while_keys_are_held(struct world *world, struct agent *agent,
                                     enum bh_deliver_point point)
{
	const char *name = agent->name;

	if (point == BH_POINT_HELD) {
		assert_int_equal(bh_store_ack(world->store,
		                              &(struct bh_ack){.names = &name,
		                                               .name_count = 1,
		                                               .ref = "m1",
		                                               .how = BH_SEEN_ACK},
		                              NULL, NULL, NULL),
		                 0);
	}
}

static void a_notice_that_is_read_before_its_first_byte_is_not_typed(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "lead");
	struct sent sent;

	agent->mode = BH_MODE_NOTICE;
	world->at_point = read_while_keys_are_held;
	world_send(world, "coder", "lead", "x", &sent);
	world_pass(world, 10000);
	assert_int_equal(agent->pastes, 0);
	assert_false(agent->is_held);
	assert_true(sent.is_seen);
	world->at_point = NULL;
	world_send(world, "coder", "lead", "y", &sent);
	world_pass(world, 1000);
	assert_int_equal(agent->pastes, 1);
}

static void mail_that_was_read_while_uncertain_is_cleared(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;
	struct got got;

	agent->quirks = QUIRK_DIALOG_ON_PASTE;
	world_send(world, "coder", "reviewer", "x", &sent);
	pass_until_pasted(agent, 1, 500);
	agent_read(agent, 10, &got);
	assert_int_equal(got.messages, 1);
	assert_int_equal(bh_deliver_confirm(world->deliver, got.claim_id, NULL, NULL, NULL), 0);
	world_settle(world);
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 5000);
	assert_int_equal(agent->clears, 1);
	assert_int_equal(agent->crs, 0);
	assert_null(agent->composer);
	agent->quirks = 0;
	world_send(world, "coder", "reviewer", "y", &sent);
	world_pass(world, 1000);
	assert_int_equal(agent->turn_count, 1);
}

static void mail_that_a_reader_holds_is_not_submitted(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;
	struct got got;

	agent->quirks = QUIRK_DIALOG_ON_PASTE;
	world_send(world, "coder", "reviewer", "x", &sent);
	pass_until_pasted(agent, 1, 500);
	agent_read(agent, 10, &got);
	assert_int_equal(got.messages, 1);
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 1000);
	assert_int_equal(agent->crs, 0);
	assert_int_equal(agent->clears, 0);
	assert_int_equal(bh_deliver_confirm(world->deliver, got.claim_id, NULL, NULL, NULL), 0);
	world_pass(world, 5000);
	assert_int_equal(agent->crs, 0);
	assert_int_equal(agent->clears, 1);
}

static void a_persons_text_in_ours_is_left_alone(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;
	char *mixed = NULL;

	agent->quirks = QUIRK_CR_SWALLOWED;
	world_send(world, "coder", "reviewer", "x", &sent);
	pass_until_pasted(agent, 1, 1000);
	assert_int_equal(agent->crs, 1);
	assert_true(asprintf(&mixed, "%s and mine", agent->composer) > 0);
	free(agent->composer);
	agent->composer = mixed;
	world_pass(world, 100000);
	assert_int_equal(agent->crs, 1);
	assert_int_equal(agent->clears, 0);
	assert_ptr_equal(agent->composer, mixed);
	// The person sends it: the record has it, and it is typed after all.
	agent->quirks = 0;
	free(agent->composer);
	agent->composer = NULL;
	agent->found = BH_PROOF_SUBMITTED;
	agent_be(agent, BH_STATE_WORKING);
	world_pass(world, 2000);
	assert_int_equal(bh_store_mailbox(world->store, "reviewer")->unread, 0);
}

static void a_full_disk_loses_nothing_and_spins_nowhere(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static char body[9000];
	static struct sent sent;
	unsigned stored = 0;
	unsigned ticks;
	struct got got;

	memset(body, 'x', sizeof(body) - 1);
	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "short", &sent);
	world->max_pages = 60;
	world_crash(world);
	for (stored = 1; stored < 200; stored++) {
		world_send(world, "coder", "reviewer", body, &sent);
		if (sent.code != 0) {
			break;
		}
	}
	assert_int_equal(sent.code, -ENOSPC);
	assert_true(stored > 1);
	ticks = world->ticks;
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 20000);
	assert_true(world->ticks - ticks < 400);
	assert_false(agent->is_held);
	// Room again: what was stored is all there.
	world->max_pages = 0;
	world_crash(world);
	world_pass(world, 20000);
	agent_read(agent, 0, &got);
	assert_int_equal(got.messages + (size_t)(got.messages == stored - 1), stored);
}

/** A plain generator, so that a failure can be run again. */
static uint32_t walk_next(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 16;
}

/** One thing that happens in the walk. The world asserts that each paste meets an open gate, that
 * the CR meets our text alone and no dialog, and that keys are held and released in turn. */
static void walk_step(struct world *world, struct agent *agent, uint32_t *seed, struct sent *sent)
{
	static const unsigned quirks[] = {0,
	                                  0,
	                                  QUIRK_NO_ECHO,
	                                  QUIRK_DIALOG_ON_PASTE,
	                                  QUIRK_CR_SWALLOWED,
	                                  QUIRK_CR_EATS_TEXT,
	                                  QUIRK_NO_RECORD,
	                                  QUIRK_BUSY_ON_HOLD,
	                                  QUIRK_UNREAD_DIALOG,
	                                  QUIRK_NEVER_RESTS,
	                                  QUIRK_WRITE_FAILS};

	switch (walk_next(seed) % 10) {
	case 0:
		world_send(world, "coder", "reviewer", "a message", sent);
		break;
	case 1:
		agent_be(agent, BH_STATE_WORKING);
		break;
	case 2:
		agent_be(agent, BH_STATE_IDLE);
		break;
	case 3:
		agent_block(agent, BH_STATE_IDLE, "dialog");
		break;
	case 4:
		agent->disturbed_ms = world->now_ms;
		break;
	case 5:
		agent->quirks = quirks[walk_next(seed) % (sizeof(quirks) / sizeof(quirks[0]))];
		break;
	case 6:
		world_crash(world);
		break;
	default:
		world_pass(world, walk_next(seed) % 4000);
		break;
	}
}

static void no_walk_types_into_a_closed_gate_or_loses_mail(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sents[4000];
	uint32_t seed = getenv("BELLHOP_TEST_SEED") != NULL
	                        ? (uint32_t)atoi(getenv("BELLHOP_TEST_SEED"))
	                        : 4711;
	struct got got;

	for (int i = 0; i < 4000; i++) {
		walk_step(world, agent, &seed, &sents[i]);
		if (agent->turn_count > 50) {
			while (agent->turn_count > 0) {
				free(agent->turns[--agent->turn_count]);
			}
		}
	}
	// Then all is well: what was not typed is read by the agent, and nothing is left.
	agent->quirks = 0;
	free(agent->composer);
	agent->composer = NULL;
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 20000);
	agent_read(agent, 0, &got);
	if (got.claim_id != 0) {
		assert_int_equal(bh_deliver_confirm(world->deliver, got.claim_id, NULL, NULL, NULL),
		                 0);
		world_settle(world);
	}
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 20000);
	assert_int_equal(bh_store_mailbox(world->store, "reviewer")->unread, 0);
	assert_int_equal(bh_store_mailbox(world->store, "reviewer")->claimed, 0);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)
	const struct CMUnitTest tests[] = {
		CASE(a_dialog_after_the_paste_gets_no_cr),
		CASE(what_is_gone_is_typed_once_more_and_then_noticed),
		CASE(a_swallowed_cr_is_repeated_not_the_text),
		CASE(keys_wait_until_the_program_has_taken_the_cr),
		CASE(keys_do_not_wait_for_a_cr_for_ever),
		CASE(a_dialog_behind_the_cr_lets_sifted_keys_go),
		CASE(a_server_that_stops_lets_keys_behind_a_cr_go),
		CASE(a_turn_without_a_record_is_never_claimed_as_typed),
		CASE(the_agents_own_queue_is_told),
		CASE(a_terminal_that_takes_nothing_is_tried_again),
		CASE(an_agent_that_dies_while_typed_to_loses_nothing),
		CASE(a_gate_that_closes_while_keys_are_held_is_seen),
		CASE(nothing_is_written_while_output_is_not_read),
		CASE(output_that_is_not_read_yet_is_read_before_the_first_byte),
		CASE(a_crash_before_the_cr_needs_only_the_cr),
		CASE(a_crash_after_the_cr_looks_into_the_record_first),
		CASE(a_stopped_agent_gets_the_text_once_when_it_goes_on),
		CASE(nothing_is_typed_behind_input_that_is_not_read),
		CASE(a_crash_that_lost_the_text_types_it_once_more),
		CASE(a_cut_paste_is_ended_only_where_pastes_are_known),
		CASE(an_attempt_whose_terminal_is_gone_after_a_crash_is_settled),
		CASE(a_notice_that_nobody_needs_any_more_is_cleared),
		CASE(a_notice_that_is_read_before_its_first_byte_is_not_typed),
		CASE(mail_that_was_read_while_uncertain_is_cleared),
		CASE(mail_that_a_reader_holds_is_not_submitted),
		CASE(a_persons_text_in_ours_is_left_alone),
		CASE(a_full_disk_loses_nothing_and_spins_nowhere),
		CASE(no_walk_types_into_a_closed_gate_or_loses_mail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
