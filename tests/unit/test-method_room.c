// The methods about rooms, tasks and receipts, called with made-up requests on a real store and real
// delivery. Covers: src/server/method_room, src/server/method_task, src/server/method_receipt. It
// stands for test-method_task.c and test-method_receipt.c.
#include "tests/unit/fake-request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/mail/store_guard.h"
#include "src/server/method_mail.h"

/** Two agents, the first two in #dev; the third is not. */
static void people(struct world *world)
{
	static const char *const names[] = {"anna", "bob", "carl"};

	for (int i = 0; i < 3; i++) {
		(void)world_run(world, i, names[i]);
	}
	ANSWERED(world, 0, bh_method_room_join, "{\"room\":\"#Dev\"}", "room", "\"#Dev\"", "joined",
	         "true");
	ANSWERED(world, 1, bh_method_room_join, "{\"room\":\"#dev\"}", "room", "\"#Dev\"", "joined",
	         "true");
}

static void rooms_are_joined_left_and_listed(void **state)
{
	struct world *world = *state;

	ANSWERED(world, OPERATOR, bh_method_room_list, "{}", "rooms", "[]");
	people(world);
	ANSWERED(world, 0, bh_method_room_join, "{\"room\":\"#dev\"}", "joined", "false");
	ANSWERED(world, 0, bh_method_room_list, "{}", "rooms",
	         "[{\"room\":\"#Dev\",\"members\":2,\"is_member\":true,\"last_seq\":0}]");
	ANSWERED(world, OPERATOR, bh_method_room_list, "{}", "rooms",
	         "[{\"room\":\"#Dev\",\"members\":2,\"is_member\":false,\"last_seq\":0}]");
	ANSWERED(world, OPERATOR, bh_method_room_join, "{\"room\":\"#dev\"}", "joined", "true");
	ANSWERED(world, OPERATOR, bh_method_room_join, "{\"room\":\"#dev\",\"name\":\"Carl\"}",
	         "joined", "true");
	ANSWERED(world, 1, bh_method_room_leave, "{\"room\":\"#dev\"}", "left", "true");
	ANSWERED(world, 1, bh_method_room_leave, "{\"room\":\"#dev\"}", "left", "false");
	ANSWERED(world, OPERATOR, bh_method_room_leave, "{\"room\":\"#dev\",\"name\":\"carl\"}",
	         "left", "true");
	ANSWERED(world, 2, bh_method_room_members, "{\"room\":\"#dev\"}", "room", "\"#Dev\"");
}

static void what_cannot_be_a_room_is_refused(void **state)
{
	struct world *world = *state;

	people(world);
	refused(world, 0, bh_method_room_join, "{}", "params");
	refused(world, 0, bh_method_room_join, "{\"room\":\"dev\"}", "invalid");
	refused(world, 0, bh_method_room_leave, "{\"room\":\"dev\"}", "invalid");
	refused(world, 0, bh_method_room_members, "{\"room\":\"#none\"}", "not_found");
	refused(world, 0, bh_method_room_members, "{}", "params");
	refused(world, 0, bh_method_room_join, "{\"room\":\"#dev\",\"name\":\"bob\"}",
	        "operator_only");
	refused(world, OPERATOR, bh_method_room_join, "{\"room\":\"#dev\",\"name\":\"nobody\"}",
	        "not_found");
	refused(world, UNVERIFIED, bh_method_room_join, "{\"room\":\"#dev\"}", "unverified");
	refused(world, UNVERIFIED, bh_method_room_list, "{}", "unverified");
	refused(world, 2, bh_method_message_send,
	        "{\"to\":\"#dev\",\"body\":\"x\",\"message_id\":\"a\"}", "not_member");
	refused(world, 2, bh_method_mail_history, "{\"with\":\"#dev\"}", "not_member");
	ANSWERED(world, OPERATOR, bh_method_mail_history, "{\"with\":\"#dev\",\"name\":\"carl\"}",
	         "messages", "[]");
}

/** The names in an array of objects, one after the other. */
static void names_are(const cJSON *array, const char *key, const char *expected)
{
	char text[256] = "";
	const cJSON *item;

	cJSON_ArrayForEach(item, array)
	{
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
		               text[0] == '\0' ? "" : " ", member(item, key)->valuestring);
	}
	assert_string_equal(text, expected);
}

/** Whether a receipt has a step of a member. */
static bool has_step(const cJSON *receipt, const char *step, const char *name)
{
	const cJSON *item;
	bool found = false;

	cJSON_ArrayForEach(item, member(receipt, "steps"))
	{
		const cJSON *of = cJSON_GetObjectItemCaseSensitive(item, "member");

		found |= strcmp(member(item, "step")->valuestring, step) == 0 &&
		         cJSON_IsString(of) && strcmp(of->valuestring, name) == 0;
	}
	return found;
}

static void a_room_answers_and_counts_for_each_member(void **state)
{
	struct world *world = *state;
	struct bh_request request;
	const cJSON *members;

	people(world);
	ANSWERED(world, 2, bh_method_room_join, "{\"room\":\"#dev\"}", "joined", "true");
	world->agents[1].can_type = false; // bob is a shell
	call(world, &request, 0, bh_method_message_send,
	     "{\"to\":\"#dev\",\"body\":\"x\",\"message_id\":\"a\"}");
	world_pass(world, 1000);
	assert_non_null(request.result);
	member_is(request.result, "delivered", "false");
	member_is(request.result, "delivery_path", "\"room\"");
	member_is(request.result, "will_be_seen", "\"only_if_it_looks\"");
	member_is(request.result, "reason", "\"typing_off\"");
	member_is(request.result, "counts", "{\"members\":2,\"seen\":1}");
	assert_non_null(strstr(member(request.result, "warning")->valuestring, "bob"));
	members = member(request.result, "members");
	names_are(members, "to", "bob carl");
	names_are(members, "will_be_seen", "only_if_it_looks already");
	assert_null(cJSON_GetObjectItem(members->child, "message_id"));
	request_clear(&request);

	call(world, &request, 1, bh_method_mail_receipt, "{\"id\":\"m1\"}"); // a member may see
	assert_non_null(request.result);
	member_is(request.result, "state", "\"unread\"");
	member_is(request.result, "counts", "{\"members\":2,\"seen\":1}");
	names_are(member(request.result, "members"), "name", "bob carl");
	names_are(member(request.result, "members"), "state", "unread seen");
	assert_true(has_step(request.result, "queued", "bob"));
	assert_true(has_step(request.result, "typed", "carl"));
	assert_true(has_step(request.result, "seen", "carl"));
	assert_false(has_step(request.result, "seen", "bob"));
	request_clear(&request);
	ANSWERED(world, 0, bh_method_mail_receipts, "{}", "next_seq", "1");
	refused(world, OPERATOR, bh_method_mail_receipt, "{\"id\":\"m9\"}", "not_found");
}

static void a_room_waits_until_all_have_seen_it(void **state)
{
	struct world *world = *state;
	struct bh_request request;

	people(world);
	agent_be(&world->agents[1], BH_STATE_WORKING);
	call(world, &request, OPERATOR, bh_method_message_send,
	     "{\"to\":\"#dev\",\"body\":\"x\",\"message_id\":\"a\",\"wait_seen_ms\":60000}");
	world_pass(world, 20000);
	assert_int_equal(request.answers, 0); // anna has it, bob works
	assert_int_equal(world->agents[0].turn_count, 1);
	agent_be(&world->agents[1], BH_STATE_IDLE);
	world_pass(world, 3000);
	assert_int_equal(request.answers, 1);
	member_is(request.result, "delivered", "true");
	member_is(request.result, "counts", "{\"members\":2,\"seen\":2}");
	request_clear(&request);
}

static void a_room_is_woken_as_its_worst_member(void **state)
{
	struct world *world = *state;
	struct bh_request request;

	people(world);
	call(world, &request, 0, bh_method_wake_can_wake, "{\"name\":\"#dev\"}");
	assert_non_null(request.result);
	member_is(request.result, "name", "\"#Dev\"");
	member_is(request.result, "tier", "\"CONDITIONAL\"");
	member_is(request.result, "now", "\"free\"");
	names_are(member(request.result, "members"), "name", "anna bob");
	request_clear(&request);
	world->agents[1].can_type = false;
	ANSWERED(world, 0, bh_method_wake_can_wake, "{\"name\":\"#dev\"}", "tier", "\"NONE\"",
	         "now", "\"blocked\"", "reason", "\"typing_off\"");
	ANSWERED(world, 0, bh_method_room_leave, "{\"room\":\"#dev\"}", "left", "true");
	ANSWERED(world, 1, bh_method_room_leave, "{\"room\":\"#dev\"}", "left", "true");
	ANSWERED(world, 0, bh_method_wake_can_wake, "{\"name\":\"#dev\"}", "tier", "\"NONE\"",
	         "members", "[]");
	refused(world, 0, bh_method_wake_can_wake, "{\"name\":\"#none\"}", "not_found");
}

static void tasks_are_opened_shown_and_ended(void **state)
{
	struct world *world = *state;
	struct bh_request request;

	people(world);
	ANSWERED(world, 0, bh_method_message_send,
	         "{\"to\":\"bob\",\"body\":\"do it\",\"message_id\":\"a\",\"task_id\":\"t1\"}",
	         "to", "\"bob\"");
	assert_non_null(strstr(world->agents[1].turns[0], "Mail m1 from anna, task t1 (a peer"));
	call(world, &request, 1, bh_method_task_show, "{\"task_id\":\"t1\"}");
	assert_non_null(request.result);
	member_is(member(request.result, "task"), "state", "\"submitted\"");
	member_is(member(request.result, "task"), "title", "\"do it\"");
	member_is(member(request.result, "task"), "creator", "\"anna\"");
	member_is(member(request.result, "task"), "assignee", "\"bob\"");
	member_is(member(request.result, "task"), "last_message", "\"m1\"");
	request_clear(&request);
	ANSWERED(world, 2, bh_method_task_list, "{\"all\":true}", "tasks", "[]");
	ANSWERED(world, 1, bh_method_task_complete, "{\"task_id\":\"t1\",\"message_id\":\"b\"}",
	         "to", "\"anna\"", "seq", "2");
	ANSWERED(world, 1, bh_method_task_complete, "{\"task_id\":\"t1\",\"message_id\":\"b\"}",
	         "to", "\"anna\"", "seq", "2", "idempotent_replay", "true");
	refused(world, 1, bh_method_task_complete,
	        "{\"task_id\":\"t1\",\"message_id\":\"b\",\"body\":\"other\"}",
	        "message_id_conflict");
	refused(world, 0, bh_method_task_cancel, "{\"task_id\":\"t1\",\"message_id\":\"c\"}",
	        "task_ended");
	ANSWERED(world, OPERATOR, bh_method_task_list, "{}", "tasks", "[]");
	ANSWERED(world, 1, bh_method_task_list, "{}", "tasks", "[]");
	call(world, &request, 1, bh_method_task_list, "{\"all\":true}");
	names_are(member(request.result, "tasks"), "state", "completed");
	request_clear(&request);
	call(world, &request, OPERATOR, bh_method_task_list, "{\"all\":true}");
	names_are(member(request.result, "tasks"), "state", "completed");
	request_clear(&request);
}

static void bad_words_about_tasks_are_refused(void **state)
{
	struct world *world = *state;

	people(world);
	ANSWERED(world, 0, bh_method_message_send,
	         "{\"to\":\"bob\",\"body\":\"x\",\"message_id\":\"a\",\"task_id\":\"t1\"}", "seq",
	         "1");
	refused(world, 0, bh_method_message_send,
	        "{\"to\":\"bob\",\"body\":\"x\",\"message_id\":\"b\",\"status\":\"working\"}",
	        "invalid");
	refused(world, 0, bh_method_message_send,
	        "{\"to\":\"bob\",\"body\":\"x\",\"message_id\":\"b\",\"task_id\":\"t1\","
	        "\"status\":\"asleep\"}",
	        "invalid");
	refused(world, 0, bh_method_message_send,
	        "{\"to\":\"bob\",\"body\":\"x\",\"message_id\":\"b\",\"task_id\":\"t1\","
	        "\"status\":\"submitted\"}",
	        "invalid");
	refused(world, 2, bh_method_message_send,
	        "{\"to\":\"bob\",\"body\":\"x\",\"message_id\":\"b\",\"task_id\":\"t1\"}",
	        "denied");
	refused(world, 2, bh_method_task_show, "{\"task_id\":\"t1\"}", "not_found");
	refused(world, 2, bh_method_task_cancel, "{\"task_id\":\"t1\",\"message_id\":\"b\"}",
	        "not_found");
	refused(world, 1, bh_method_task_complete, "{\"task_id\":\"t1\"}", "params");
	refused(world, 1, bh_method_task_complete, "{\"message_id\":\"b\"}", "params");
	refused(world, 1, bh_method_task_complete,
	        "{\"task_id\":\"t1\",\"message_id\":\"b\",\"body\":\"\"}", "invalid");
	refused(world, UNVERIFIED, bh_method_task_list, "{}", "unverified");
}

static void an_update_wakes_nobody_and_says_so(void **state)
{
	struct world *world = *state;
	struct bh_request first;
	struct bh_request request;

	people(world);
	ANSWERED(world, 0, bh_method_message_send,
	         "{\"to\":\"bob\",\"body\":\"x\",\"message_id\":\"a\",\"task_id\":\"t1\"}", "seq",
	         "1");
	call(world, &first, 1, bh_method_message_send,
	     "{\"to\":\"anna\",\"body\":\"half\",\"message_id\":\"b\",\"task_id\":\"t1\","
	     "\"status\":\"update\",\"wait_seen_ms\":60000}");
	world_pass(world, 5000);
	assert_int_equal(first.answers, 0);
	call(world, &request, 1, bh_method_message_send,
	     "{\"to\":\"anna\",\"body\":\"more\",\"message_id\":\"c\",\"task_id\":\"t1\","
	     "\"status\":\"update\"}");
	world_pass(world, 1000);
	member_is(request.result, "reason", "\"update\"");
	member_is(request.result, "delivered", "false");
	member_is(request.result, "delivery_path", "\"inbox_only\"");
	member_is(request.result, "will_be_seen", "\"only_if_it_looks\"");
	assert_null(cJSON_GetObjectItem(request.result, "warning"));
	request_clear(&request);
	assert_int_equal(first.answers, 1); // nobody will see it any more
	member_is(first.result, "reason", "\"superseded\"");
	member_is(first.result, "delivered", "false");
	request_clear(&first);
	assert_int_equal(world->agents[0].turn_count, 0);
	ANSWERED(world, 1, bh_method_message_send,
	         "{\"to\":\"anna\",\"body\":\"half\",\"message_id\":\"b\",\"task_id\":\"t1\","
	         "\"status\":\"update\"}",
	         "idempotent_replay", "true", "reason", "\"superseded\"");
	// What wakes takes it along, and older mail first.
	ANSWERED(world, 1, bh_method_message_send,
	         "{\"to\":\"anna\",\"body\":\"now\",\"message_id\":\"d\"}", "delivered", "true");
	assert_int_equal(world->agents[0].turn_count, 1);
	assert_non_null(strstr(world->agents[0].turns[0], "task t1 update"));
	assert_non_null(strstr(world->agents[0].turns[0], "more"));
	assert_null(strstr(world->agents[0].turns[0], "half"));
	ANSWERED(world, 0, bh_method_mail_receipt, "{\"id\":\"m3\"}", "state", "\"seen\"",
	         "seen_how", "\"typed\"");
	ANSWERED(world, 0, bh_method_mail_receipt, "{\"id\":\"m2\"}", "seen_how", "\"superseded\"");
}

static void an_update_with_other_mail_is_promised_with_it(void **state)
{
	struct world *world = *state;

	people(world);
	agent_be(&world->agents[0], BH_STATE_WORKING);
	ANSWERED(world, OPERATOR, bh_method_message_send,
	         "{\"to\":\"anna\",\"body\":\"x\",\"message_id\":\"a\",\"task_id\":\"t1\","
	         "\"no_wait\":true}",
	         "reason", "\"working\"");
	ANSWERED(world, OPERATOR, bh_method_message_send,
	         "{\"to\":\"anna\",\"body\":\"y\",\"message_id\":\"b\",\"task_id\":\"t1\","
	         "\"status\":\"update\"}",
	         "reason", "\"working\"", "will_be_seen", "\"when_free\"");
	agent_be(&world->agents[0], BH_STATE_IDLE);
	world_pass(world, 3000);
	assert_int_equal(world->agents[0].turn_count, 1);
	assert_non_null(strstr(world->agents[0].turns[0], "| y"));
}

static void what_was_thrown_away_was_not_seen(void **state)
{
	struct world *world = *state;
	struct bh_request request;
	struct bh_request waiting;

	people(world);
	agent_be(&world->agents[1], BH_STATE_WORKING);
	call(world, &waiting, OPERATOR, bh_method_message_send,
	     "{\"to\":\"#dev\",\"body\":\"x\",\"message_id\":\"a\",\"wait_seen_ms\":60000}");
	world_pass(world, 1000);
	assert_int_equal(waiting.answers, 0);
	bh_deliver_discarding(world->deliver, world->agents[1].text);
	assert_int_equal(bh_store_discard(world->store,
	                                  &(struct bh_take){.terminal = world->agents[1].text},
	                                  NULL, NULL, NULL),
	                 0);
	world_settle(world);
	world_pass(world, 1000);
	assert_int_equal(waiting.answers, 1);
	member_is(waiting.result, "delivered", "false");
	member_is(waiting.result, "reason", "\"discarded\"");
	member_is(waiting.result, "will_be_seen", "\"only_if_it_looks\"");
	member_is(waiting.result, "counts", "{\"members\":2,\"seen\":1}");
	request_clear(&waiting);
	ANSWERED(world, OPERATOR, bh_method_message_send,
	         "{\"to\":\"#dev\",\"body\":\"x\",\"message_id\":\"a\"}", "idempotent_replay",
	         "true", "delivered", "false", "reason", "\"discarded\"");
	call(world, &request, OPERATOR, bh_method_mail_receipt, "{\"id\":\"m1\"}");
	member_is(request.result, "state", "\"unread\"");
	member_is(request.result, "counts", "{\"members\":2,\"seen\":1}");
	names_are(member(request.result, "members"), "state", "seen discarded");
	request_clear(&request);
}

static void receipts_are_of_what_one_sent(void **state)
{
	struct world *world = *state;
	struct bh_request request;

	people(world);
	ANSWERED(world, 0, bh_method_message_send,
	         "{\"to\":\"bob\",\"body\":\"x\",\"message_id\":\"a\"}", "seq", "1");
	ANSWERED(world, 0, bh_method_message_send,
	         "{\"to\":\"nobody\",\"body\":\"x\",\"message_id\":\"b\"}", "seq", "2");
	ANSWERED(world, 1, bh_method_message_send,
	         "{\"to\":\"carl\",\"body\":\"x\",\"message_id\":\"c\"}", "seq", "3");
	call(world, &request, 0, bh_method_mail_receipts, "{}");
	names_are(member(request.result, "receipts"), "id", "m1 m2");
	names_are(member(request.result, "receipts"), "state", "seen unread");
	member_is(member(request.result, "receipts")->child, "seen_how", "\"typed\"");
	assert_string_equal(
		member(member(member(request.result, "receipts")->child->next, "last_step"),
	               "cause")
			->valuestring,
		"unknown_recipient");
	request_clear(&request);
	call(world, &request, 0, bh_method_mail_receipts, "{\"unseen\":true}");
	names_are(member(request.result, "receipts"), "id", "m2");
	request_clear(&request);
	call(world, &request, OPERATOR, bh_method_mail_receipts, "{\"name\":\"bob\"}");
	names_are(member(request.result, "receipts"), "id", "m3");
	request_clear(&request);
	ANSWERED(world, OPERATOR, bh_method_mail_receipts, "{}", "receipts", "[]");
	refused(world, 0, bh_method_mail_receipts, "{\"name\":\"bob\"}", "operator_only");
	refused(world, 0, bh_method_mail_receipts, "{\"limit\":0}", "params");
}

#define world_test(function) cmocka_unit_test_setup_teardown(function, world_setup, world_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(rooms_are_joined_left_and_listed),
		world_test(what_cannot_be_a_room_is_refused),
		world_test(a_room_answers_and_counts_for_each_member),
		world_test(a_room_waits_until_all_have_seen_it),
		world_test(a_room_is_woken_as_its_worst_member),
		world_test(tasks_are_opened_shown_and_ended),
		world_test(bad_words_about_tasks_are_refused),
		world_test(an_update_wakes_nobody_and_says_so),
		world_test(an_update_with_other_mail_is_promised_with_it),
		world_test(what_was_thrown_away_was_not_seen),
		world_test(receipts_are_of_what_one_sent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
