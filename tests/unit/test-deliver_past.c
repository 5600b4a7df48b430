// Mail that an earlier terminal took, and the record of the session that runs now.
#include "tests/unit/deliver-world.h"

#include <stdlib.h>
#include <string.h>

static void receipt_is(struct world *world, uint64_t seq, const char *end)
{
	char *receipt = world_receipt(world, seq);
	size_t len = strlen(receipt);

	if (len < strlen(end) || strcmp(receipt + len - strlen(end), end) != 0) {
		fail_msg("%s does not end in %s", receipt, end);
	}
	free(receipt);
}

static size_t unread_of(struct world *world)
{
	return bh_store_mailbox(world->store, "reviewer")->unread;
}

/** Mail whose turn did not end before its terminal did. Gives what was typed. */
static const char *turn_cut(struct world *world, struct sent *sent, const char *body)
{
	struct agent *first = world_run(world, 0, "reviewer");

	world_send(world, NULL, "reviewer", body, sent);
	world_pass(world, 1000);
	assert_int_equal(first->turn_count, 1);
	agent_be(first, BH_STATE_WORKING);
	agent_exit(first);
	assert_int_equal(unread_of(world), 1);
	receipt_is(world, sent->seq, "seen(typed) returned(exited)");
	return first->turns[0];
}

static void a_resumed_session_has_seen_what_its_record_holds(void **state)
{
	struct world *world = *state;
	struct sent sent = {0};
	struct agent *second;

	world->agents[1].record = turn_cut(world, &sent, "x");
	second = world_run(world, 1, "reviewer");
	world_pass(world, 5000);
	assert_int_equal(second->pastes, 0);
	assert_int_equal(unread_of(world), 0);
	receipt_is(world, sent.seq, "returned(exited) typed(resumed session's record) seen(typed)");
	assert_int_equal(second->looks_back, 1);
	// It is no turn of this terminal: its end does not return it.
	agent_exit(second);
	assert_int_equal(unread_of(world), 0);
}

static void a_fresh_session_gets_it_again(void **state)
{
	struct world *world = *state;
	struct sent sent = {0};
	struct agent *second;

	(void)turn_cut(world, &sent, "x");
	second = world_run(world, 1, "reviewer");
	world_pass(world, 5000);
	assert_int_equal(second->turn_count, 1);
	assert_int_equal(second->looks_back, 1);
	assert_int_equal(unread_of(world), 0);
	receipt_is(world, sent.seq, "typed(transcript) seen(typed)");
}

static void a_record_with_another_text_of_that_number_counts_for_nothing(void **state)
{
	struct world *world = *state;
	struct sent sent = {0};
	struct agent *second;

	(void)turn_cut(world, &sent, "x");
	world->agents[1].record = "Mail m1 from the operator:\n| y";
	second = world_run(world, 1, "reviewer");
	world_pass(world, 5000);
	assert_int_equal(second->turn_count, 1);
}

static void only_what_the_record_holds_is_left_out(void **state)
{
	struct world *world = *state;
	struct sent sent = {0};
	struct sent later = {0};
	struct agent *second;

	world->agents[1].record = turn_cut(world, &sent, "x");
	world_send(world, NULL, "reviewer", "news", &later);
	second = world_run(world, 1, "reviewer");
	world_pass(world, 5000);
	assert_int_equal(second->turn_count, 1);
	assert_non_null(strstr(second->turns[0], "| news"));
	assert_null(strstr(second->turns[0], "| x"));
	assert_int_equal(unread_of(world), 0);
	assert_int_equal(second->looks_back, 1); // new mail is not sought
}

/** The second terminal ends before its turn, too. */
static const char *turn_cut_again(struct world *world)
{
	struct agent *second = world_run(world, 1, "reviewer");

	world_pass(world, 1000);
	agent_be(second, BH_STATE_WORKING);
	agent_exit(second);
	assert_int_equal(unread_of(world), 1);
	return second->turns[0];
}

static void what_was_typed_twice_is_sought_before_a_notice(void **state)
{
	struct world *world = *state;
	struct sent sent = {0};
	struct agent *third;

	(void)turn_cut(world, &sent, "x");
	world->agents[2].record = turn_cut_again(world);
	third = world_run(world, 2, "reviewer");
	world_pass(world, 5000);
	assert_int_equal(third->pastes, 0);
	assert_int_equal(third->looks_back, 1);
	assert_int_equal(unread_of(world), 0);
}

static void the_look_is_not_repeated_while_mail_waits(void **state)
{
	struct world *world = *state;
	struct sent sent = {0};
	struct agent *third;

	(void)turn_cut(world, &sent, "x");
	(void)turn_cut_again(world);
	third = world_run(world, 2, "reviewer");
	for (int i = 0; i < 20; i++) {
		agent_be(third, BH_STATE_WORKING);
		world_pass(world, 5000);
		agent_be(third, BH_STATE_IDLE);
		world_pass(world, 5000);
	}
	assert_true(third->pastes > 0); // a notice
	assert_int_equal(unread_of(world), 1);
	assert_int_equal(third->looks_back, 1);
}

// A composer may be drawn before the transcript that tells which session it is.
static void a_transcript_is_waited_for(void **state)
{
	struct world *world = *state;
	struct sent sent = {0};
	struct agent *second;

	world->agents[1].record = turn_cut(world, &sent, "x");
	world->agents[1].is_undrawn = true;
	second = world_run(world, 1, "reviewer");
	world_pass(world, 15000);
	assert_int_equal(second->looks_back, 0);
	assert_int_equal(second->pastes, 0);
	second->is_undrawn = false;
	world_pass(world, 1000);
	assert_int_equal(second->looks_back, 1);
	assert_int_equal(second->pastes, 0);
	receipt_is(world, sent.seq, "returned(exited) typed(resumed session's record) seen(typed)");
}

static void a_transcript_is_not_waited_for_without_end(void **state)
{
	struct world *world = *state;
	struct sent sent = {0};
	struct agent *second;

	(void)turn_cut(world, &sent, "x");
	world->agents[1].is_undrawn = true;
	second = world_run(world, 1, "reviewer");
	world_pass(world, 30000);
	assert_int_equal(second->turn_count, 1);
	assert_int_equal(unread_of(world), 0);
}

static void who_has_got_nothing_yet_waits_for_no_transcript(void **state)
{
	struct world *world = *state;
	struct sent sent = {0};
	struct agent *first;

	world->agents[0].is_undrawn = true;
	first = world_run(world, 0, "reviewer");
	world_send(world, NULL, "reviewer", "x", &sent);
	world_pass(world, 1000);
	assert_int_equal(first->turn_count, 1);
}

static void a_known_session_need_not_be_drawn(void **state)
{
	struct world *world = *state;
	struct sent sent = {0};
	struct agent *second;

	world->agents[1].record = turn_cut(world, &sent, "x");
	world->agents[1].is_undrawn = true;
	world->agents[1].session_record = "/records/1";
	second = world_run(world, 1, "reviewer");
	world_pass(world, 1000);
	assert_int_equal(second->looks_back, 1);
	assert_int_equal(second->pastes, 0);
	assert_int_equal(unread_of(world), 0);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, world_setup, world_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_resumed_session_has_seen_what_its_record_holds),
		CASE(a_fresh_session_gets_it_again),
		CASE(a_record_with_another_text_of_that_number_counts_for_nothing),
		CASE(only_what_the_record_holds_is_left_out),
		CASE(what_was_typed_twice_is_sought_before_a_notice),
		CASE(the_look_is_not_repeated_while_mail_waits),
		CASE(a_transcript_is_waited_for),
		CASE(a_transcript_is_not_waited_for_without_end),
		CASE(who_has_got_nothing_yet_waits_for_no_transcript),
		CASE(a_known_session_need_not_be_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
