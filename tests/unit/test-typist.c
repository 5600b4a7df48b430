#include "src/wake/typist.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct bh_typist_rules rules = {
	.settle_ms = 150, .echo_limit_ms = 5000, .proof_limit_ms = 5000};

#define COMMITS \
	(BH_DO_TAKE | BH_DO_COMMIT_WRITING | BH_DO_COMMIT_CR_SENT | BH_DO_COMMIT_PROVED | \
	 BH_DO_COMMIT_UNCERTAIN | BH_DO_COMMIT_WITHDRAWN)

/** An idle agent with an empty composer. */
static struct bh_sight idle(void)
{
	return (struct bh_sight){.is_alive = true,
	                         .is_open = true,
	                         .is_free = true,
	                         .is_empty = true,
	                         .quiet_ms = 1000,
	                         .can_clear = true};
}

/** Our text stands in its composer. */
static struct bh_sight echoed(void)
{
	struct bh_sight sight = idle();

	sight.is_open = false;
	sight.is_empty = false;
	sight.echo = BH_SIGHT_OURS;
	return sight;
}

/** A typist that was led along a path of events. */
static struct bh_typist after(const enum bh_typist_event *events, size_t count)
{
	struct bh_typist typist = {0};

	for (size_t i = 0; i < count; i++) {
		assert_true(bh_typist_knows(typist.state, events[i]));
		bh_typist_step(&typist, events[i], &rules, 1000);
	}
	return typist;
}
#define AFTER(...) \
	after((const enum bh_typist_event[]){__VA_ARGS__}, \
	      sizeof((const enum bh_typist_event[]){__VA_ARGS__}) / sizeof(enum bh_typist_event))

#define TO_ECHOING BH_SAW_START, BH_SAW_DONE_OPEN, BH_SAW_DONE_OPEN
#define TO_SETTLING TO_ECHOING, BH_SAW_ECHO
#define TO_SENDING TO_SETTLING, BH_SAW_QUIET
#define TO_PROVING TO_SENDING, BH_SAW_DONE_OPEN
#define TO_LOST TO_PROVING, BH_SAW_LATE, BH_SAW_DONE_OPEN

/** Step on from @typist with @event; gives the actions and checks where it goes. */
static unsigned step(struct bh_typist *typist, enum bh_typist_event event,
                     enum bh_typist_state next)
{
	unsigned actions = bh_typist_step(typist, event, &rules, 2000);

	assert_int_equal(typist->state, next);
	return actions;
}

static void for_each_row(void (*check)(enum bh_typist_state, enum bh_typist_event,
                                       enum bh_typist_state, unsigned))
{
	int rows = 0;

	for (int s = 0; s < BH_TYPIST_STATE_COUNT; s++) {
		for (int e = 0; e < BH_SAW_COUNT; e++) {
			struct bh_typist typist = {.state = (enum bh_typist_state)s};
			unsigned actions = bh_typist_step(&typist, e, &rules, 1000);

			if (bh_typist_knows(s, e)) {
				check(s, e, typist.state, actions);
				rows++;
			} else {
				assert_int_equal(actions, 0);
				assert_int_equal(typist.state, s);
			}
		}
	}
	assert_true(rows > 50);
}

static void row_writes_in_one_place(enum bh_typist_state from, enum bh_typist_event event,
                                    enum bh_typist_state to, unsigned actions)
{
	(void)to;
	if (actions & BH_DO_WRITE_PASTE) {
		assert_int_equal(from, BH_TYPIST_ARMING);
		assert_int_equal(event, BH_SAW_DONE_OPEN);
		assert_true(actions & BH_DO_WATCH);
	}
	if (actions & BH_DO_WRITE_CR) {
		assert_int_equal(from, BH_TYPIST_SENDING);
		assert_int_equal(event, BH_SAW_DONE_OPEN);
	}
	if (actions & BH_DO_WRITE_CLEAR) {
		assert_true(event == BH_SAW_BUSY_CLEARABLE || event == BH_SAW_OWN_TAKEN);
	}
	if (actions & BH_DO_WRITE_PASTE_END) {
		assert_int_equal(event, BH_SAW_RECOVER_WRITING);
	}
}

static void row_balances_the_hold(enum bh_typist_state from, enum bh_typist_event event,
                                  enum bh_typist_state to, unsigned actions)
{
	bool was_held = bh_typist_is_holding(from);
	bool is_held = bh_typist_is_holding(to);

	(void)event;
	assert_int_equal((actions & BH_DO_HOLD) != 0, !was_held && is_held);
	assert_int_equal((actions & BH_DO_RELEASE) != 0, was_held && !is_held);
}

static void row_commits_before_it_waits_for_a_commit(enum bh_typist_state from,
                                                     enum bh_typist_event event,
                                                     enum bh_typist_state to, unsigned actions)
{
	unsigned commits = actions & COMMITS;

	if (event == BH_SAW_LATE && bh_typist_is_committing(from)) {
		// The commit that is on its way stays on its way; only the keys go.
		assert_true(bh_typist_is_committing(to));
		assert_int_equal(actions, BH_DO_RELEASE);
		return;
	}
	assert_int_equal(commits != 0, bh_typist_is_committing(to));
	assert_int_equal(commits & (commits - 1), 0);
}

static void the_table_writes_in_one_place(void **state)
{
	(void)state;
	for_each_row(row_writes_in_one_place);
}

static void the_table_releases_what_it_holds(void **state)
{
	(void)state;
	for_each_row(row_balances_the_hold);
}

static void the_table_commits_each_phase(void **state)
{
	(void)state;
	for_each_row(row_commits_before_it_waits_for_a_commit);
}

static void every_state_has_a_way_out(void **state)
{
	(void)state;
	for (int s = BH_TYPIST_REST + 1; s < BH_TYPIST_STATE_COUNT; s++) {
		if (bh_typist_is_committing(s)) {
			assert_true(bh_typist_knows(s, BH_SAW_DONE_OPEN));
			assert_true(bh_typist_knows(s, BH_SAW_DONE_SHUT));
			assert_true(bh_typist_knows(s, BH_SAW_FAILED));
			assert_false(bh_typist_knows(s, BH_SAW_EXITED));
		} else {
			assert_true(bh_typist_knows(s, BH_SAW_EXITED));
		}
		if (bh_typist_is_holding(s)) {
			struct bh_typist typist = {.state = (enum bh_typist_state)s};

			assert_true(bh_typist_knows(s, BH_SAW_LATE));
			bh_typist_step(&typist, BH_SAW_LATE, &rules, 1000);
			assert_false(bh_typist_is_holding(typist.state));
		}
	}
}

static void a_message_is_typed_and_proved(void **state)
{
	struct bh_typist typist = {0};
	struct bh_sight sight = idle();
	unsigned actions;

	(void)state;
	assert_int_equal(bh_typist_step(&typist, BH_SAW_START, &rules, 1000), BH_DO_TAKE);
	actions = bh_typist_step(&typist, bh_typist_done(&typist, true, &sight), &rules, 1010);
	assert_int_equal(actions, BH_DO_HOLD | BH_DO_COMMIT_WRITING | BH_DO_REPORT);
	actions = bh_typist_step(&typist, bh_typist_done(&typist, true, &sight), &rules, 1020);
	assert_int_equal(actions, BH_DO_WATCH | BH_DO_WRITE_PASTE);
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 1030), BH_SAW_NOTHING);
	sight = echoed();
	sight.quiet_ms = 0;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 1040), BH_SAW_ECHO);
	bh_typist_step(&typist, BH_SAW_ECHO, &rules, 1040);
	// Quiet before the echo does not count for the settling after it.
	sight.quiet_ms = 1000;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 1189), BH_SAW_NOTHING);
	sight.quiet_ms = 149;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 1200), BH_SAW_NOTHING);
	sight.quiet_ms = 150;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 1201), BH_SAW_QUIET);
	actions = bh_typist_step(&typist, BH_SAW_QUIET, &rules, 1201);
	assert_int_equal(actions, BH_DO_COMMIT_CR_SENT);
	actions = bh_typist_step(&typist, bh_typist_done(&typist, true, &sight), &rules, 1205);
	assert_int_equal(actions, BH_DO_WRITE_CR | BH_DO_RELEASE);
	// The composer still shows it: no second CR.
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 1300), BH_SAW_NOTHING);
	sight = idle();
	sight.is_free = false;
	sight.is_working = true;
	sight.is_submitted = true;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 1400), BH_SAW_SUBMITTED);
	assert_int_equal(bh_typist_step(&typist, BH_SAW_SUBMITTED, &rules, 1400),
	                 BH_DO_COMMIT_PROVED);
	assert_int_equal(step(&typist, bh_typist_done(&typist, true, &sight), BH_TYPIST_REST),
	                 BH_DO_REPORT);
}

static void a_gate_that_closes_before_the_first_byte_stops_it(void **state)
{
	struct bh_sight sight = idle();
	struct bh_typist typist = AFTER(BH_SAW_START);

	(void)state;
	sight.is_open = false;
	assert_int_equal(bh_typist_done(&typist, true, &sight), BH_SAW_DONE_SHUT);
	typist = AFTER(BH_SAW_START, BH_SAW_DONE_OPEN);
	assert_int_equal(bh_typist_done(&typist, true, &sight), BH_SAW_DONE_SHUT);
	assert_int_equal(step(&typist, BH_SAW_DONE_SHUT, BH_TYPIST_WITHDRAWING),
	                 BH_DO_RELEASE | BH_DO_COMMIT_WITHDRAWN);
	typist = AFTER(BH_SAW_START, BH_SAW_DONE_OPEN);
	sight = idle();
	sight.is_alive = false;
	assert_int_equal(bh_typist_done(&typist, true, &sight), BH_SAW_DONE_SHUT);
}

static void a_dialog_between_the_steps_gets_no_key(void **state)
{
	struct bh_sight sight = idle();
	struct bh_typist typist = AFTER(TO_ECHOING);

	(void)state;
	sight.has_dialog = true;
	sight.is_empty = false;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 2000), BH_SAW_DIALOG);
	assert_int_equal(step(&typist, BH_SAW_DIALOG, BH_TYPIST_DOUBTING),
	                 BH_DO_RELEASE | BH_DO_COMMIT_UNCERTAIN | BH_DO_REPORT);
	typist = AFTER(TO_SETTLING);
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 2000), BH_SAW_DIALOG);
	typist = AFTER(TO_SENDING);
	sight = echoed();
	sight.has_dialog = true;
	assert_int_equal(bh_typist_done(&typist, true, &sight), BH_SAW_DONE_SHUT);
	// As long as it is open nothing is done.
	typist = AFTER(TO_LOST);
	for (uint64_t now_ms = 2000; now_ms < 100000; now_ms += 1000) {
		assert_int_equal(bh_typist_see(&typist, &sight, &rules, now_ms), BH_SAW_NOTHING);
	}
}

static void no_echo_means_no_cr(void **state)
{
	struct bh_sight sight = idle();
	struct bh_typist typist = AFTER(TO_ECHOING);

	(void)state;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 5999), BH_SAW_NOTHING);
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 6000), BH_SAW_LATE);
	assert_int_equal(step(&typist, BH_SAW_LATE, BH_TYPIST_DOUBTING),
	                 BH_DO_RELEASE | BH_DO_COMMIT_UNCERTAIN | BH_DO_REPORT);
	step(&typist, BH_SAW_DONE_OPEN, BH_TYPIST_LOST);
	// What else stands there is no echo, nor is our text with something beside it.
	typist = AFTER(TO_ECHOING);
	sight.is_empty = false;
	sight.echo = BH_SIGHT_OTHER;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 5999), BH_SAW_NOTHING);
	typist = AFTER(TO_LOST);
	// Mixed with a person's text it stays where it is.
	sight = echoed();
	sight.echo = BH_SIGHT_OTHER;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 60000), BH_SAW_NOTHING);
	// Alone in an idle composer only a CR is due, once a person's keys have rested.
	sight = echoed();
	sight.is_disturbed = true;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 60000), BH_SAW_NOTHING);
	sight.is_disturbed = false;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 60000), BH_SAW_OWN);
	assert_int_equal(step(&typist, BH_SAW_OWN, BH_TYPIST_SENDING),
	                 BH_DO_HOLD | BH_DO_COMMIT_CR_SENT);
}

static void a_cr_is_repeated_only_so_often(void **state)
{
	struct bh_sight sight = echoed();
	struct bh_typist typist = AFTER(TO_LOST);

	(void)state;
	for (int i = 0; i < BH_TYPIST_RESENDS_MAX; i++) {
		assert_int_equal(bh_typist_see(&typist, &sight, &rules, 9000), BH_SAW_OWN);
		step(&typist, BH_SAW_OWN, BH_TYPIST_SENDING);
		step(&typist, BH_SAW_DONE_OPEN, BH_TYPIST_PROVING);
		step(&typist, BH_SAW_LATE, BH_TYPIST_DOUBTING);
		step(&typist, BH_SAW_DONE_OPEN, BH_TYPIST_LOST);
	}
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 99000), BH_SAW_NOTHING);
}

static void gone_must_hold_and_be_proved(void **state)
{
	struct bh_sight sight = idle();
	struct bh_typist typist = AFTER(TO_LOST);

	(void)state;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 10000), BH_SAW_NOTHING);
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 12999), BH_SAW_NOTHING);
	sight.is_free = false;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 13000), BH_SAW_NOTHING);
	sight.is_free = true;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 14000), BH_SAW_NOTHING);
	// A program that is stopped has our text still before it.
	sight.has_unread = true;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 17000), BH_SAW_NOTHING);
	sight.has_unread = false;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 18000), BH_SAW_NOTHING);
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 21000), BH_SAW_GONE);
	// A late proof is still a proof.
	sight.is_submitted = true;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 17000), BH_SAW_SUBMITTED);
	step(&typist, BH_SAW_SUBMITTED, BH_TYPIST_PROVED);
}

static void the_agents_own_queue_is_waited_for(void **state)
{
	struct bh_sight sight = idle();
	struct bh_typist typist = AFTER(TO_PROVING);

	(void)state;
	sight.is_queued = true;
	sight.is_free = false;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 2000), BH_SAW_QUEUED);
	step(&typist, BH_SAW_QUEUED, BH_TYPIST_IN_QUEUE);
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 900000), BH_SAW_NOTHING);
	// An interrupt gives it back to the composer: own again.
	sight = echoed();
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 900000), BH_SAW_OWN);
	step(&typist, BH_SAW_OWN, BH_TYPIST_DOUBTING);
	typist = AFTER(TO_PROVING, BH_SAW_QUEUED);
	sight = idle();
	sight.is_submitted = true;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 900000), BH_SAW_SUBMITTED);
}

static void a_turn_that_begins_by_itself_gets_no_cr(void **state)
{
	struct bh_sight sight = echoed();
	struct bh_typist typist = AFTER(TO_SETTLING);

	(void)state;
	sight.is_free = false;
	sight.is_working = true;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 2000), BH_SAW_BUSY_CLEARABLE);
	assert_int_equal(step(&typist, BH_SAW_BUSY_CLEARABLE, BH_TYPIST_CLEARING),
	                 BH_DO_WRITE_CLEAR);
	sight.echo = BH_SIGHT_NONE;
	sight.is_empty = true;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 2100), BH_SAW_EMPTY);
	assert_int_equal(step(&typist, BH_SAW_EMPTY, BH_TYPIST_WITHDRAWING),
	                 BH_DO_RELEASE | BH_DO_COMMIT_WITHDRAWN);
	typist = AFTER(TO_SETTLING);
	sight = echoed();
	sight.is_working = true;
	sight.can_clear = false;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 2000), BH_SAW_BUSY);
	step(&typist, BH_SAW_BUSY, BH_TYPIST_DOUBTING);
}

static void mail_that_a_reader_took_is_cleared_not_sent(void **state)
{
	struct bh_sight sight = echoed();
	struct bh_typist typist = AFTER(TO_LOST);

	(void)state;
	sight.is_taken = true;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 9000), BH_SAW_OWN_TAKEN);
	assert_int_equal(step(&typist, BH_SAW_OWN_TAKEN, BH_TYPIST_CLEARING),
	                 BH_DO_HOLD | BH_DO_WRITE_CLEAR);
}

static void what_the_agents_queue_gives_back_is_lost_not_queued(void **state)
{
	struct bh_sight sight = echoed();
	struct bh_typist typist = AFTER(TO_LOST);

	(void)state;
	typist.resends = BH_TYPIST_RESENDS_MAX;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 9000), BH_SAW_NOTHING);
	sight.is_queued = true;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 9000), BH_SAW_QUEUED);
	step(&typist, BH_SAW_QUEUED, BH_TYPIST_IN_QUEUE);
	sight.is_queued = false;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 9100), BH_SAW_OWN);
	step(&typist, BH_SAW_OWN, BH_TYPIST_DOUBTING);
}

static void what_was_read_before_the_first_byte_is_not_typed(void **state)
{
	struct bh_sight sight = idle();
	struct bh_typist typist = AFTER(BH_SAW_START);

	(void)state;
	sight.is_open = true;
	assert_int_equal(bh_typist_done(&typist, true, &sight), BH_SAW_DONE_OPEN);
	sight.is_taken = true;
	assert_int_equal(bh_typist_done(&typist, true, &sight), BH_SAW_DONE_SHUT);
	typist = AFTER(BH_SAW_START, BH_SAW_DONE_OPEN);
	assert_int_equal(bh_typist_done(&typist, true, &sight), BH_SAW_DONE_SHUT);
}

static void what_a_reader_holds_waits_for_the_reader(void **state)
{
	struct bh_sight sight = echoed();
	struct bh_typist typist = AFTER(TO_LOST);

	(void)state;
	sight.is_held = true;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 9000), BH_SAW_NOTHING);
	sight.is_held = false;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 9000), BH_SAW_OWN);
	step(&typist, BH_SAW_OWN, BH_TYPIST_SENDING);
	// While the commit was on its way a reader came, or got it at last.
	sight.is_held = true;
	assert_int_equal(bh_typist_done(&typist, true, &sight), BH_SAW_DONE_SHUT);
	sight.is_held = false;
	sight.is_taken = true;
	assert_int_equal(bh_typist_done(&typist, true, &sight), BH_SAW_DONE_SHUT);
	sight.can_clear = false; // twice seen is better than a composer that is shut for ever
	assert_int_equal(bh_typist_done(&typist, true, &sight), BH_SAW_DONE_OPEN);
}

static void a_disk_that_does_not_answer_holds_nobodys_keys(void **state)
{
	struct bh_sight sight = idle();
	struct bh_typist typist = AFTER(BH_SAW_START, BH_SAW_DONE_OPEN);

	(void)state;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 5999), BH_SAW_NOTHING);
	assert_int_equal(bh_typist_next_ms(&typist, &rules, 5999), 6000);
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 6000), BH_SAW_LATE);
	assert_int_equal(step(&typist, BH_SAW_LATE, BH_TYPIST_ARMING_LATE), BH_DO_RELEASE);
	// When it answers at last the moment is over, open or not.
	assert_int_equal(step(&typist, BH_SAW_DONE_OPEN, BH_TYPIST_WITHDRAWING),
	                 BH_DO_COMMIT_WITHDRAWN);
	typist = AFTER(TO_SENDING);
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 5999), BH_SAW_NOTHING);
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 6000), BH_SAW_LATE);
	step(&typist, BH_SAW_LATE, BH_TYPIST_SENDING_LATE);
	step(&typist, BH_SAW_DONE_OPEN, BH_TYPIST_DOUBTING);
}

static void a_crash_is_taken_up_by_its_phase(void **state)
{
	struct bh_typist typist = {0};
	struct bh_sight sight = idle();

	(void)state;
	assert_int_equal(step(&typist, BH_SAW_RECOVER_WRITING, BH_TYPIST_DOUBTING),
	                 BH_DO_WATCH | BH_DO_WRITE_PASTE_END | BH_DO_COMMIT_UNCERTAIN |
	                         BH_DO_REPORT);
	typist = (struct bh_typist){0};
	step(&typist, BH_SAW_RECOVER_LATER, BH_TYPIST_DOUBTING);
	step(&typist, BH_SAW_DONE_OPEN, BH_TYPIST_LOST);
	sight.is_submitted = true;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 9000), BH_SAW_SUBMITTED);
	typist = (struct bh_typist){0};
	step(&typist, BH_SAW_RECOVER_LOST, BH_TYPIST_LOST);
	sight = idle();
	sight.is_alive = false;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 9000), BH_SAW_EXITED);
}

static void an_agent_that_ended_with_proof_has_read_it(void **state)
{
	struct bh_sight sight = {.is_submitted = true};
	struct bh_typist typist = AFTER(TO_PROVING);

	(void)state;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 2000), BH_SAW_SUBMITTED);
	sight.is_submitted = false;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 2000), BH_SAW_EXITED);
	typist = AFTER(TO_ECHOING);
	sight.is_submitted = true;
	assert_int_equal(bh_typist_see(&typist, &sight, &rules, 2000), BH_SAW_EXITED);
}

static void it_looks_again_by_itself(void **state)
{
	(void)state;
	for (int s = 0; s < BH_TYPIST_STATE_COUNT; s++) {
		struct bh_typist typist = {.state = (enum bh_typist_state)s};
		uint64_t next_ms = bh_typist_next_ms(&typist, &rules, 5000);

		if (s == BH_TYPIST_REST || bh_typist_is_committing(s)) {
			assert_int_equal(next_ms, typist.late_ms);
		} else {
			assert_true(next_ms > 5000 && next_ms <= 6000);
		}
		assert_int_not_equal(bh_typist_state_word(s)[0], '\0');
	}
	assert_string_equal(bh_typist_event_word(BH_SAW_OWN_TAKEN), "own_taken");
}

/** A plain generator, so that a failure can be run again. */
static uint32_t walk_next(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 16;
}

static struct bh_sight walk_sight(uint32_t *seed)
{
	uint32_t bits = walk_next(seed);

	return (struct bh_sight){.is_alive = walk_next(seed) % 64 != 0,
	                         .is_open = bits & 1,
	                         .has_dialog = (bits & 6) == 6,
	                         .is_free = bits & 8,
	                         .is_working = !(bits & 8) && (bits & 16),
	                         .is_disturbed = (bits & 96) == 96,
	                         .is_empty = bits & 128,
	                         .echo = (enum bh_sight_echo)(walk_next(seed) % 3),
	                         .quiet_ms = walk_next(seed) % 300,
	                         .is_submitted = walk_next(seed) % 16 == 0,
	                         .is_queued = walk_next(seed) % 16 == 0,
	                         .is_taken = (bits & 0x300) == 0x300,
	                         .is_held = (bits & 0x1800) == 0x1800,
	                         .can_clear = bits & 0x400};
}

/** What the walk remembers beside the typist. */
struct walk {
	struct bh_typist typist;
	bool is_held;
	bool has_commit;
	unsigned pastes;
	unsigned crs;
	unsigned done;
};

static void walk_act(struct walk *walk, unsigned actions, const struct bh_sight *sight,
                     bool is_late)
{
	if (actions & BH_DO_TAKE) {
		walk->pastes = 0;
		walk->crs = 0;
	}
	if (actions & BH_DO_HOLD) {
		assert_false(walk->is_held);
		walk->is_held = true;
	}
	if (actions & BH_DO_WRITE_PASTE) {
		assert_true(sight->is_alive && sight->is_open && walk->is_held);
		assert_int_equal(++walk->pastes, 1);
	}
	if (actions & BH_DO_WRITE_CR) {
		assert_true(sight->is_alive && sight->is_free && !sight->has_dialog);
		assert_int_equal(sight->echo, BH_SIGHT_OURS);
		assert_true(walk->is_held && walk->pastes == 1);
		assert_true(++walk->crs <= 1 + BH_TYPIST_RESENDS_MAX);
	}
	if (actions & BH_DO_WRITE_CLEAR) {
		assert_true(sight->echo == BH_SIGHT_OURS && sight->can_clear && walk->is_held);
	}
	if (actions & BH_DO_RELEASE) {
		assert_true(walk->is_held);
		walk->is_held = false;
	}
	walk->has_commit = (actions & COMMITS) != 0 || (walk->has_commit && is_late);
	walk->done += walk->typist.state == BH_TYPIST_REST && (actions & BH_DO_REPORT);
}

static void no_walk_breaks_the_guarantees(void **state)
{
	unsigned done = 0;
	unsigned proved = 0;

	(void)state;
	for (uint32_t start = 1; start <= 3000; start++) {
		struct walk walk = {0};
		uint32_t seed = start;
		uint64_t now_ms = 1000;

		for (int i = 0; i < 300; i++) {
			struct bh_sight sight = walk_sight(&seed);
			enum bh_typist_event event;

			now_ms += walk_next(&seed) % 800;
			if (walk.typist.state == BH_TYPIST_REST) {
				event = sight.is_open ? BH_SAW_START : BH_SAW_NOTHING;
			} else if (walk.has_commit && walk_next(&seed) % 4 != 0) {
				event = bh_typist_done(&walk.typist, walk_next(&seed) % 32 != 0,
				                       &sight);
			} else {
				event = bh_typist_see(&walk.typist, &sight, &rules, now_ms);
			}
			proved += event == BH_SAW_SUBMITTED;
			if (event != BH_SAW_NOTHING) {
				assert_true(bh_typist_knows(walk.typist.state, event));
				walk_act(&walk, bh_typist_step(&walk.typist, event, &rules, now_ms),
				         &sight, event == BH_SAW_LATE);
			}
			assert_int_equal(walk.is_held, bh_typist_is_holding(walk.typist.state));
			assert_int_equal(walk.has_commit,
			                 bh_typist_is_committing(walk.typist.state));
		}
		done += walk.done;
	}
	assert_true(done > 10000 && proved > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_writes_in_one_place),
		cmocka_unit_test(the_table_releases_what_it_holds),
		cmocka_unit_test(the_table_commits_each_phase),
		cmocka_unit_test(every_state_has_a_way_out),
		cmocka_unit_test(a_message_is_typed_and_proved),
		cmocka_unit_test(a_gate_that_closes_before_the_first_byte_stops_it),
		cmocka_unit_test(a_dialog_between_the_steps_gets_no_key),
		cmocka_unit_test(no_echo_means_no_cr),
		cmocka_unit_test(a_cr_is_repeated_only_so_often),
		cmocka_unit_test(gone_must_hold_and_be_proved),
		cmocka_unit_test(the_agents_own_queue_is_waited_for),
		cmocka_unit_test(a_turn_that_begins_by_itself_gets_no_cr),
		cmocka_unit_test(mail_that_a_reader_took_is_cleared_not_sent),
		cmocka_unit_test(what_the_agents_queue_gives_back_is_lost_not_queued),
		cmocka_unit_test(what_was_read_before_the_first_byte_is_not_typed),
		cmocka_unit_test(what_a_reader_holds_waits_for_the_reader),
		cmocka_unit_test(a_disk_that_does_not_answer_holds_nobodys_keys),
		cmocka_unit_test(a_crash_is_taken_up_by_its_phase),
		cmocka_unit_test(an_agent_that_ended_with_proof_has_read_it),
		cmocka_unit_test(it_looks_again_by_itself),
		cmocka_unit_test(no_walk_breaks_the_guarantees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
