// The methods about the guards, called with made-up requests on a real store and real delivery.
#include "src/server/method_guard.h"

#include <stdio.h>
#include <string.h>

#include "src/mail/store_guard.h"
#include "src/server/method_mail.h"
#include "tests/unit/fake-request.h"

static void an_agent_asks_for_peace_for_itself(void **state)
{
	struct world *world = *state;

	agent_be(world_run(world, 0, "Coder"), BH_STATE_WORKING);
	(void)world_run(world, 1, "other");
	ANSWERED(world, 0, bh_method_guard_dnd, "{}", "name", "\"Coder\"", "dnd", "\"off\"",
	         "until", "null");
	ANSWERED(world, 0, bh_method_guard_dnd, "{\"name\":\"me\",\"set\":\"on\"}", "dnd",
	         "\"on\"");
	ANSWERED(world, 0, bh_method_guard_dnd,
	         "{\"name\":\"coder\",\"set\":\"on\",\"until_idle\":true}", "dnd",
	         "\"until_idle\"");
	assert_int_equal(bh_store_mailbox(world->store, "coder")->dnd, BH_DND_STATE_IDLE);
	ANSWERED(world, OPERATOR, bh_method_guard_dnd,
	         "{\"name\":\"coder\",\"set\":\"on\",\"until\":4102444800000}", "dnd", "\"until\"",
	         "until", "4102444800000");
	ANSWERED(world, OPERATOR, bh_method_guard_dnd,
	         "{\"name\":\"coder\",\"set\":\"on\",\"until\":1000}", "dnd", "\"off\"");
	ANSWERED(world, OPERATOR, bh_method_guard_dnd, "{\"name\":\"coder\",\"set\":\"off\"}",
	         "dnd", "\"off\"");
	refused(world, 1, bh_method_guard_dnd, "{\"name\":\"coder\",\"set\":\"on\"}",
	        "operator_only");
	refused(world, OPERATOR, bh_method_guard_dnd, "{\"set\":\"on\"}", "invalid");
	refused(world, OPERATOR, bh_method_guard_dnd, "{\"name\":\"me\"}", "not_found");
	refused(world, 0, bh_method_guard_dnd, "{\"set\":\"perhaps\"}", "invalid");
	refused(world, 0, bh_method_guard_dnd, "{\"set\":\"on\",\"until\":5,\"until_idle\":true}",
	        "invalid");
	refused(world, UNVERIFIED, bh_method_guard_dnd, "{}", "unverified");
}

static void a_name_blocks_and_unblocks_senders(void **state)
{
	struct world *world = *state;

	(void)world_run(world, 0, "Coder");
	(void)world_run(world, 1, "Pest");
	ANSWERED(world, 0, bh_method_guard_block, "{}", "name", "\"Coder\"", "blocked", "[]");
	ANSWERED(world, 0, bh_method_guard_block, "{\"sender\":\"pest\"}", "blocked", "[\"Pest\"]");
	ANSWERED(world, 1, bh_method_message_send,
	         "{\"to\":\"coder\",\"body\":\"x\",\"message_id\":\"a\"}", "reason",
	         "\"blocked_sender\"", "will_be_seen", "\"only_if_it_looks\"");
	ANSWERED(world, OPERATOR, bh_method_guard_block,
	         "{\"name\":\"coder\",\"sender\":\"pest\",\"off\":true}", "blocked", "[]");
	refused(world, 1, bh_method_guard_block, "{\"name\":\"coder\",\"sender\":\"x\"}",
	        "operator_only");
	refused(world, 0, bh_method_guard_block, "{\"sender\":\"operator\"}", "invalid");
	refused(world, 0, bh_method_guard_block, "{\"sender\":\"coder\"}", "invalid");
	refused(world, 0, bh_method_guard_block, "{\"sender\":\"no name\"}", "invalid");
	refused(world, 0, bh_method_guard_block, "{\"sender\":\"pest\",\"off\":1}", "params");
	refused(world, UNVERIFIED, bh_method_guard_block, "{}", "unverified");
}

static void parked_mail_is_listed_and_discarded(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "lead");
	struct bh_request request;
	struct sent sent;

	ANSWERED(world, OPERATOR, bh_method_parked_list, "{}", "parked", "[]");
	agent->mode = BH_MODE_NOTICE;
	world_send(world, "coder", "lead", "x", &sent);
	refused(world, OPERATOR, bh_method_parked_discard, "{\"name\":\"lead\"}", "not_found");
	for (int i = 0; i < 2; i++) { // two notices that nobody cares for
		world_pass(world, 1000);
		agent_be(agent, BH_STATE_COMPLETED);
		world_pass(world, 70000);
	}
	agent_be(agent, BH_STATE_COMPLETED);
	world_pass(world, 400000);
	call(world, &request, 0, bh_method_parked_list, "{}");
	member_is(member(request.result, "parked")->child, "name", "\"lead\"");
	member_is(member(request.result, "parked")->child, "reason", "\"parked\"");
	member_is(member(request.result, "parked")->child, "notice", "\"n1\"");
	member_is(member(request.result, "parked")->child, "unread", "1");
	member_is(member(request.result, "parked")->child, "from", "[\"coder\"]");
	request_clear(&request);
	ANSWERED(world, OPERATOR, bh_method_parked_discard, "{\"name\":\"lead\"}", "discarded",
	         "1");
	ANSWERED(world, OPERATOR, bh_method_parked_list, "{}", "parked", "[]");
	refused(world, OPERATOR, bh_method_parked_discard, "{\"name\":\"nobody\"}", "not_found");
}

static void mail_that_its_chain_stopped_is_listed(void **state)
{
	struct world *world = *state;
	struct bh_request request;
	struct bh_put put = {.message_id = "loop",
	                     .to = "lead",
	                     .from = "bellhop",
	                     .sender = BH_SENDER_BELLHOP,
	                     .hops = BH_MESSAGE_HOPS_MAX,
	                     .body = bh_span_of("x")};

	(void)world_run(world, 0, "lead");
	assert_int_equal(bh_store_put(world->store, &put, NULL, NULL, NULL), 0);
	world_settle(world);
	call(world, &request, OPERATOR, bh_method_parked_list, "{}");
	member_is(member(request.result, "parked")->child, "reason", "\"loop\"");
	member_is(member(request.result, "parked")->child, "notice", "null");
	request_clear(&request);
	ANSWERED(world, OPERATOR, bh_method_parked_discard, "{\"name\":\"lead\"}", "discarded",
	         "1");
}

static void a_person_means_the_next_time_that_it_is_idle(void **state)
{
	struct world *world = *state;
	static const char until_idle[] = "{\"name\":\"coder\",\"set\":\"on\",\"until_idle\":true}";

	(void)world_run(world, 0, "coder");
	ANSWERED(world, OPERATOR, bh_method_guard_dnd, until_idle, "dnd", "\"until_idle\"");
	assert_int_equal(bh_store_mailbox(world->store, "coder")->dnd, BH_DND_STATE_NEXT_IDLE);
	ANSWERED(world, OPERATOR, bh_method_guard_dnd, "{\"name\":\"coder\",\"set\":\"on\"}", "dnd",
	         "\"on\"", "until", "null");
	ANSWERED(world, OPERATOR, bh_method_message_send,
	         "{\"to\":\"coder\",\"body\":\"x\",\"message_id\":\"a\"}", "reason",
	         "\"do_not_disturb\"");
	refused(world, OPERATOR, bh_method_guard_dnd,
	        "{\"name\":\"coder\",\"set\":\"on\",\"until\":-1}", "params");
	refused(world, OPERATOR, bh_method_guard_dnd,
	        "{\"name\":\"coder\",\"set\":\"on\",\"until_idle\":1}", "params");
	refused(world, OPERATOR, bh_method_guard_dnd, "{\"name\":\"coder\",\"set\":true}",
	        "params");
	refused(world, OPERATOR, bh_method_guard_dnd, "{\"name\":\"operator\",\"set\":\"on\"}",
	        "invalid");
}

static void a_row_names_each_sender_once_and_no_more_than_some(void **state)
{
	struct world *world = *state;
	struct bh_request request;
	char from[32], id[32];

	(void)world_run(world, 0, "lead");
	for (int i = 0; i < 20; i++) {
		struct bh_put put = {.message_id = id,
		                     .to = "lead",
		                     .from = from,
		                     .sender = BH_SENDER_AGENT,
		                     .hops = BH_MESSAGE_HOPS_MAX,
		                     .body = bh_span_of("x")};

		(void)snprintf(from, sizeof(from), i % 2 == 0 ? "a%d" : "A%d", i / 2);
		(void)snprintf(id, sizeof(id), "id-%d", i);
		assert_int_equal(bh_store_put(world->store, &put, NULL, NULL, NULL), 0);
	}
	world_settle(world);
	call(world, &request, OPERATOR, bh_method_parked_list, "{}");
	member_is(member(request.result, "parked")->child, "unread", "20");
	member_is(member(request.result, "parked")->child, "from",
	          "[\"a0\",\"a1\",\"a2\",\"a3\",\"a4\",\"a5\",\"a6\",\"a7\"]");
	request_clear(&request);
	refused(world, OPERATOR, bh_method_parked_discard, "{}", "params");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)
	const struct CMUnitTest tests[] = {
		CASE(an_agent_asks_for_peace_for_itself),
		CASE(a_name_blocks_and_unblocks_senders),
		CASE(parked_mail_is_listed_and_discarded),
		CASE(mail_that_its_chain_stopped_is_listed),
		CASE(a_person_means_the_next_time_that_it_is_idle),
		CASE(a_row_names_each_sender_once_and_no_more_than_some),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
