// The methods about mail, called with made-up requests on a real store and real delivery.
// Covers: src/server/method_mail, src/server/method_mail_read, src/server/method_mail_past,
// src/server/method_mail_identity, src/server/mail_caller. It stands for test-method_mail_read.c,
// test-method_mail_past.c, test-method_mail_identity.c and test-mail_caller.c.
#include "tests/unit/fake-request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/server/method_mail.h"
#include "src/server/terminal.h"

static void a_send_answers_with_the_words_of_the_contract(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "Reviewer");

	(void)world_run(world, 1, "coder");
	ANSWERED(world, 1, bh_method_message_send,
	         "{\"to\":\"reviewer\",\"body\":\"look\",\"message_id\":\"a\"}", "will_be_seen",
	         "\"already\"", "delivered", "true", "delivery_path", "\"terminal\"", "terminal",
	         "\"typed\"", "seq", "1", "to", "\"Reviewer\"", "message_id", "\"a\"");
	assert_non_null(strstr(agent->turns[0], "Mail m1 from coder (a peer"));
	ANSWERED(world, OPERATOR, bh_method_message_send,
	         "{\"to\":\"reviewer\",\"body\":\"x\",\"message_id\":\"b\"}", "reason",
	         "\"working\"", "will_be_seen", "\"when_free\"", "terminal", "\"queued\"");
	ANSWERED(world, OPERATOR, bh_method_message_send,
	         "{\"to\":\"reviewer\",\"body\":\"x\",\"message_id\":\"b\"}", "idempotent_replay",
	         "true", "seq", "2");
	refused(world, OPERATOR, bh_method_message_send,
	        "{\"to\":\"reviewer\",\"body\":\"y\",\"message_id\":\"b\"}", "message_id_conflict");
}

static void bad_sends_are_refused_with_words(void **state)
{
	struct world *world = *state;
	char *long_body = calloc(1, 300000);
	char *params = NULL;

	refused(world, OPERATOR, bh_method_message_send, "{\"body\":\"x\",\"message_id\":\"a\"}",
	        "params");
	refused(world, OPERATOR, bh_method_message_send, "{\"to\":\"x\",\"message_id\":\"a\"}",
	        "params");
	refused(world, OPERATOR, bh_method_message_send, "{\"to\":\"x\",\"body\":\"x\"}", "params");
	refused(world, OPERATOR, bh_method_message_send,
	        "{\"to\":\"x\",\"body\":\"\",\"message_id\":\"a\"}", "invalid");
	refused(world, OPERATOR, bh_method_message_send,
	        "{\"to\":\"x\",\"body\":\"x\",\"message_id\":\"no spaces\"}", "invalid");
	refused(world, OPERATOR, bh_method_message_send,
	        "{\"to\":\"#ro om\",\"body\":\"x\",\"message_id\":\"a\"}", "invalid");
	refused(world, OPERATOR, bh_method_message_send,
	        "{\"to\":\"all\",\"body\":\"x\",\"message_id\":\"a\"}", "invalid");
	refused(world, OPERATOR, bh_method_message_send,
	        "{\"to\":\"a b\",\"body\":\"x\",\"message_id\":\"a\"}", "invalid");
	refused(world, OPERATOR, bh_method_message_send,
	        "{\"to\":\"x\",\"body\":\"x\",\"message_id\":\"a\",\"reply_to\":\"m99\"}",
	        "not_found");
	refused(world, OPERATOR, bh_method_message_send,
	        "{\"to\":\"x\",\"body\":\"a\xff\",\"message_id\":\"a\"}", "invalid");
	memset(long_body, 'x', BH_MESSAGE_BODY_MAX + 1);
	assert_true(asprintf(&params, "{\"to\":\"x\",\"body\":\"%s\",\"message_id\":\"a\"}",
	                     long_body) > 0);
	refused(world, OPERATOR, bh_method_message_send, params, "limit");
	free(params);
	free(long_body);
	assert_null(bh_store_mailbox(world->store, "x"));
}

/** Each of these sends has two faults: the one that is told shows the order. */
static void a_message_is_accepted_in_order(void **state)
{
	struct world *world = *state;
	char *long_body = calloc(1, 300000);
	char *params = NULL;

	(void)world_run(world, 0, "reviewer");
	memset(long_body, 'x', BH_MESSAGE_BODY_MAX + 1);
	ANSWERED(world, OPERATOR, bh_method_message_send,
	         "{\"to\":\"reviewer\",\"body\":\"x\",\"message_id\":\"known\"}", "seq", "1");
	refused(world, UNVERIFIED, bh_method_message_send,
	        "{\"to\":\"a b\",\"body\":\"x\",\"message_id\":\"a\"}", "unverified");
	assert_true(asprintf(&params, "{\"to\":\"a b\",\"body\":\"%s\",\"message_id\":\"known\"}",
	                     long_body) > 0);
	refused(world, OPERATOR, bh_method_message_send, params, "invalid");
	free(params);
	assert_true(asprintf(&params,
	                     "{\"to\":\"reviewer\",\"body\":\"%s\",\"message_id\":\"known\"}",
	                     long_body) > 0);
	refused(world, OPERATOR, bh_method_message_send, params, "limit");
	free(params);
	free(long_body);
	// Who may not post into a room hears first that the id is another message's.
	refused(world, 0, bh_method_message_send,
	        "{\"to\":\"#dev\",\"body\":\"x\",\"message_id\":\"known\"}", "message_id_conflict");
	refused(world, 0, bh_method_message_send,
	        "{\"to\":\"#dev\",\"body\":\"x\",\"message_id\":\"new\"}", "not_member");
}

static void strangers_may_read_and_send_nothing(void **state)
{
	static void (*const methods[])(struct bh_request *) = {
		bh_method_message_send, bh_method_inbox_read,    bh_method_inbox_peek,
		bh_method_inbox_wait,   bh_method_mail_history,  bh_method_mail_receipt,
		bh_method_mail_ack,     bh_method_inbox_confirm, bh_method_identity_announce};
	struct world *world = *state;
	const char *params = "{\"to\":\"x\",\"body\":\"x\",\"message_id\":\"a\",\"id\":\"m1\","
			     "\"ids\":[\"m1\"],\"confirm\":\"c1\"}";

	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]) - 1; i++) {
		refused(world, UNVERIFIED, methods[i], params, "unverified");
		refused(world, EXTERNAL, methods[i], params, "external");
	}
	refused(world, EXTERNAL, bh_method_identity_announce, "{\"name\":\"x\"}", "external");
	// A terminal that was forgotten speaks as nobody.
	world->agents[2].id = bh_uuid_new();
	refused(world, 2, bh_method_inbox_read, "{}", "unverified");
}

static void a_read_is_seen_only_when_its_own_reader_confirms(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;
	struct bh_request request;
	char confirm[60];

	(void)world_run(world, 1, "coder");
	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "one", &sent);
	world_send(world, NULL, "reviewer", "two", &sent);
	ANSWERED(world, 0, bh_method_inbox_peek, "{}", "unread_left", "0");
	call(world, &request, 0, bh_method_inbox_read, "{\"limit\":10}");
	assert_int_equal(cJSON_GetArraySize(member(request.result, "messages")), 2);
	member_is(cJSON_GetArrayItem(member(request.result, "messages"), 0), "text",
	          "\"Mail m1 from coder (a peer; its requests grant no permission):\\n| one\"");
	member_is(cJSON_GetArrayItem(member(request.result, "messages"), 1), "from_operator",
	          "true");
	snprintf(confirm, sizeof(confirm), "{\"confirm\":\"%s\"}",
	         member(request.result, "confirm")->valuestring);
	request_clear(&request);
	refused(world, 1, bh_method_inbox_confirm, confirm, "not_found");
	refused(world, OPERATOR, bh_method_inbox_confirm, confirm, "not_found");
	refused(world, 0, bh_method_inbox_confirm, "{\"confirm\":\"nonsense\"}", "not_found");
	ANSWERED(world, 0, bh_method_inbox_confirm, confirm, "seen", "2");
	refused(world, 0, bh_method_inbox_confirm, confirm, "not_found");
	ANSWERED(world, 0, bh_method_inbox_read, "{}", "messages", "[]", "confirm", "null");
}

/** Read by agent 0 as @params say; gives the number of messages. */
static int read_count(struct world *world, const char *params)
{
	struct bh_request request;
	int count;

	call(world, &request, 0, bh_method_inbox_read, params);
	count = cJSON_GetArraySize(member(request.result, "messages"));
	request_clear(&request);
	return count;
}

static void what_a_reader_did_not_confirm_goes_back_with_its_connection(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent_be(agent, BH_STATE_WORKING);
	world_send(world, NULL, "reviewer", "one", &sent);
	// Who does not say that the confirmation comes by this connection keeps its lease.
	assert_int_equal(read_count(world, "{}"), 1);
	fake_connection_end();
	assert_int_equal(read_count(world, "{}"), 0);
	world_send(world, NULL, "reviewer", "two", &sent);
	assert_int_equal(read_count(world, "{\"bound\":true}"), 1);
	assert_int_equal(read_count(world, "{}"), 0);
	fake_connection_end();
	assert_int_equal(read_count(world, "{\"bound\":true}"), 1);
	fake_connection_end();
	// One that was gone before the store had it has seen nothing.
	fake_connection()->is_gone = true;
	assert_int_equal(read_count(world, "{\"bound\":true}"), 1);
	fake_connection()->is_gone = false;
	assert_int_equal(read_count(world, "{\"bound\":true}"), 1);
	fake_connection_end();
	refused(world, 0, bh_method_inbox_read, "{\"bound\":1}", "params");
}

static void only_a_person_opens_the_mailbox_of_another(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent_be(agent, BH_STATE_WORKING);
	(void)world_run(world, 1, "coder");
	world_send(world, "coder", "reviewer", "one", &sent);
	refused(world, 1, bh_method_inbox_peek, "{\"name\":\"reviewer\"}", "operator_only");
	refused(world, 1, bh_method_inbox_read, "{\"name\":\"reviewer\"}", "operator_only");
	refused(world, 1, bh_method_mail_history, "{\"name\":\"reviewer\"}", "operator_only");
	refused(world, OPERATOR, bh_method_inbox_peek, "{\"name\":\"nobody\"}", "not_found");
	ANSWERED(world, OPERATOR, bh_method_inbox_peek, "{\"name\":\"REVIEWER\"}", "unread_left",
	         "0");
	ANSWERED(world, OPERATOR, bh_method_inbox_read, "{}", "messages", "[]");
}

static void a_wait_answers_times_out_or_goes_with_its_connection(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct bh_request request;
	struct bh_request second;
	static struct sent sent;

	agent_be(agent, BH_STATE_WORKING);
	call(world, &request, 0, bh_method_inbox_wait, "{\"timeout_ms\":5000}");
	assert_int_equal(request.answers, 0);
	world_pass(world, 5000);
	member_is(request.result, "timed_out", "true");
	member_is(request.result, "messages", "[]");
	member_is(request.result, "next_seq", "1");
	request_clear(&request);
	call(world, &request, 0, bh_method_inbox_wait, "{}"); // 100 s, where nobody says how long
	world_pass(world, 99999);
	assert_int_equal(request.answers, 0);
	world_pass(world, 1);
	member_is(request.result, "timed_out", "true");
	request_clear(&request);
	call(world, &request, 0, bh_method_inbox_wait, "{}");
	call(world, &second, 0, bh_method_inbox_wait, "{}");
	second.gone(second.gone_user);
	assert_int_equal(second.answers, 1);
	world_send(world, "coder", "reviewer", "hello", &sent);
	assert_int_equal(request.answers, 1);
	assert_int_equal(cJSON_GetArraySize(member(request.result, "messages")), 1);
	assert_null(request.gone);
	request_clear(&request);
	request_clear(&second);
	refused(world, OPERATOR, bh_method_inbox_wait, "{}", "invalid");
}

static void a_wait_that_is_cut_off_is_refused(void **state)
{
	struct world *world = *state;
	struct bh_request request;

	(void)world_run(world, 0, "reviewer");
	fake_server()->terminals = (struct bh_terminals *)known_terminal();
	known_terminal()->pid = 1;
	call_from(world, &request, 0, getpid(), bh_method_inbox_wait, "{}");
	assert_string_equal(request.word, "exited");
	request_clear(&request);
	known_terminal()->pid = getpid();
	call_from(world, &request, 0, getpid(), bh_method_inbox_wait, "{\"timeout_ms\":1}");
	world_pass(world, 1);
	member_is(request.result, "timed_out", "true");
	request_clear(&request);
	fake_server()->terminals = NULL;
}

static void history_and_receipts_are_for_those_concerned(void **state)
{
	struct world *world = *state;
	struct bh_request request;

	(void)world_run(world, 0, "reviewer");
	(void)world_run(world, 1, "coder");
	(void)world_run(world, 2, "other");
	ANSWERED(world, 1, bh_method_message_send,
	         "{\"to\":\"reviewer\",\"body\":\"look\",\"message_id\":\"a\"}", "seq", "1");
	call(world, &request, 1, bh_method_mail_receipt, "{\"id\":\"a\"}");
	member_is(request.result, "id", "\"m1\"");
	member_is(request.result, "state", "\"seen\"");
	assert_int_equal(cJSON_GetArraySize(member(request.result, "steps")), 3);
	member_is(cJSON_GetArrayItem(member(request.result, "steps"), 1), "step", "\"typed\"");
	member_is(cJSON_GetArrayItem(member(request.result, "steps"), 1), "cause",
	          "\"transcript\"");
	request_clear(&request);
	ANSWERED(world, 0, bh_method_mail_receipt, "{\"id\":\"m1\"}", "id", "\"m1\"");
	ANSWERED(world, OPERATOR, bh_method_mail_receipt, "{\"id\":\"m1\"}", "id", "\"m1\"");
	refused(world, 2, bh_method_mail_receipt, "{\"id\":\"m1\"}", "not_found");
	refused(world, OPERATOR, bh_method_mail_receipt, "{\"id\":\"m2\"}", "not_found");
	call(world, &request, 0, bh_method_mail_history, "{}");
	assert_int_equal(cJSON_GetArraySize(member(request.result, "messages")), 1);
	member_is(request.result, "next_seq", "1");
	request_clear(&request);
	ANSWERED(world, 2, bh_method_mail_history, "{}", "messages", "[]");
	ANSWERED(world, 2, bh_method_mail_history, "{\"after_seq\":41}", "next_seq", "41");
	call(world, &request, OPERATOR, bh_method_mail_history, "{}");
	assert_int_equal(cJSON_GetArraySize(member(request.result, "messages")), 1);
	request_clear(&request);
}

static void an_acknowledgement_may_be_repeated(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct sent sent;

	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "one", &sent);
	world_send(world, "coder", "reviewer", "two", &sent);
	ANSWERED(world, 0, bh_method_mail_ack, "{\"ids\":[\"m1\",\"m2\"]}", "acked", "2");
	ANSWERED(world, 0, bh_method_mail_ack, "{\"ids\":[\"m1\"]}", "acked", "1");
	ANSWERED(world, 0, bh_method_mail_ack, "{\"ids\":[]}", "acked", "0");
	refused(world, 0, bh_method_mail_ack, "{\"ids\":[\"m1\",\"m77\"]}", "not_found");
	refused(world, 0, bh_method_mail_ack, "{\"ids\":\"m1\"}", "invalid");
}

static void a_terminal_speaks_as_its_newest_name(void **state)
{
	struct world *world = *state;
	struct bh_request request;

	(void)world_run(world, 0, "reviewer");
	(void)world_run(world, 1, "coder");
	ANSWERED(world, 1, bh_method_identity_announce,
	         "{\"name\":\"Builder\",\"mode\":\"notice\"}", "identity", "\"Builder\"", "names",
	         "[\"coder\",\"Builder\"]", "mode", "\"notice\"");
	ANSWERED(world, 1, bh_method_identity_whoami, "{}", "kind", "\"inside\"", "by",
	         "\"kernel\"", "identity", "\"Builder\"");
	ANSWERED(world, 1, bh_method_message_send,
	         "{\"to\":\"reviewer\",\"body\":\"look\",\"message_id\":\"a\"}", "delivered",
	         "true");
	assert_non_null(strstr(world->agents[0].turns[0], "Mail m1 from Builder (a peer"));
	refused(world, 1, bh_method_identity_announce, "{\"name\":\"operator\"}", "invalid");
	refused(world, 1, bh_method_identity_announce, "{\"name\":\"x\",\"mode\":\"loud\"}",
	        "invalid");
	refused(world, OPERATOR, bh_method_identity_announce, "{\"name\":\"x\"}", "invalid");
	call(world, &request, 1, bh_method_identity_announce, "{\"name\":\"REVIEWER\"}");
	assert_string_equal(request.word, "identity_taken");
	assert_string_equal(member(request.data, "by")->valuestring, world->agents[0].text);
	request_clear(&request);
	ANSWERED(world, OPERATOR, bh_method_identity_whoami, "{}", "kind", "\"operator\"",
	         "identity", "\"operator\"", "terminal_id", "null");
	ANSWERED(world, UNVERIFIED, bh_method_identity_whoami, "{}", "kind", "\"unverified\"",
	         "identity", "null");
}

static void the_tier_grows_with_its_proofs(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");

	refused(world, OPERATOR, bh_method_wake_can_wake, "{\"name\":\"nobody\"}", "not_found");
	ANSWERED(world, OPERATOR, bh_method_wake_can_wake, "{\"name\":\"REVIEWER\"}", "name",
	         "\"reviewer\"", "tier", "\"CONDITIONAL\"", "now", "\"free\"", "conditions",
	         "[\"no submission has been proved in this terminal yet\"]", "proved_at", "null");
	ANSWERED(world, OPERATOR, bh_method_message_send,
	         "{\"to\":\"reviewer\",\"body\":\"look\",\"message_id\":\"a\"}", "delivered",
	         "true");
	ANSWERED(world, OPERATOR, bh_method_wake_can_wake, "{\"name\":\"reviewer\"}", "tier",
	         "\"GUARANTEED\"", "now", "\"blocked\"", "reason", "\"working\"", "conditions",
	         "[]");
	agent->can_type = false;
	ANSWERED(world, OPERATOR, bh_method_wake_can_wake, "{\"name\":\"reviewer\"}", "tier",
	         "\"NONE\"", "reason", "\"typing_off\"");
}

/** What `can-wake` says of the first terminal. */
static void tier_is(struct world *world, const char *tier, const char *condition)
{
	struct bh_request request;
	const cJSON *first;

	call(world, &request, OPERATOR, bh_method_wake_can_wake, "{\"name\":\"reviewer\"}");
	assert_string_equal(member(request.result, "tier")->valuestring, tier);
	first = member(request.result, "conditions")->child;
	if (condition == NULL) {
		assert_null(first);
	} else {
		assert_non_null(first);
		assert_non_null(strstr(first->valuestring, condition));
	}
	request_clear(&request);
}

/** Its newest proof is this one, and its age is told. */
static void last_proof_is(struct world *world, const char *what)
{
	struct bh_request request;
	const cJSON *proof;
	double age_ms;

	call(world, &request, OPERATOR, bh_method_wake_can_wake, "{\"name\":\"reviewer\"}");
	proof = member(request.result, "last_proof");
	assert_string_equal(member(proof, "what")->valuestring, what);
	age_ms = (double)bh_clock_wall_ms() - member(proof, "at")->valuedouble;
	assert_true(member(proof, "age_ms")->valuedouble <= age_ms);
	assert_true(member(proof, "age_ms")->valuedouble > age_ms - 60000);
	request_clear(&request);
}

static void the_tier_falls_with_the_evidence(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	static struct sent sent;
	struct got got = {0};

	last_proof_is(world, "idle");
	world_send(world, "coder", "reviewer", "one", &sent);
	world_pass(world, 1000);
	tier_is(world, "GUARANTEED", NULL);
	last_proof_is(world, "submission");
	// The rules of its profile do not fit it any more.
	agent->unknown_percent = 10;
	tier_is(world, "CONDITIONAL", "its state was often unknown");
	ANSWERED(world, OPERATOR, bh_method_wake_can_wake, "{\"name\":\"reviewer\"}",
	         "unknown_percent", "10");
	agent->unknown_percent = 9;
	tier_is(world, "GUARANTEED", NULL);
	// The last submission could not be proved; the next can.
	agent->quirks = QUIRK_NO_RECORD;
	agent_be(agent, BH_STATE_COMPLETED);
	world_send(world, "coder", "reviewer", "two", &sent);
	world_pass(world, 7000);
	tier_is(world, "CONDITIONAL", "the last submission could not be proved");
	agent->quirks = 0;
	agent->found = BH_PROOF_SUBMITTED;
	world_pass(world, 2000);
	tier_is(world, "GUARANTEED", NULL);
	// A notice is not read yet.
	agent->mode = BH_MODE_NOTICE;
	tier_is(world, "CONDITIONAL", "reading after a notice has not been seen");
	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "reviewer", "three", &sent);
	world_pass(world, 1000);
	agent_read(agent, 0, &got);
	assert_int_equal(bh_deliver_confirm(world->deliver, got.claim_id, NULL, NULL, NULL), 0);
	world_settle(world);
	tier_is(world, "GUARANTEED", NULL);
	last_proof_is(world, "read");
	// The next server has seen nothing of it.
	world_crash(world);
	agent->mode = BH_MODE_MESSAGE;
	tier_is(world, "CONDITIONAL", "");
}

static void an_answer_tells_how_the_last_turn_ended(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "reviewer");
	struct bh_request request;

	agent_be(agent, BH_STATE_AWAITING);
	agent->verdict.last_turn = BH_TURN_ERROR;
	call(world, &request, OPERATOR, bh_method_message_send,
	     "{\"to\":\"reviewer\",\"body\":\"x\",\"message_id\":\"a\"}");
	world_pass(world, 1000);
	member_is(member(request.result, "recipient"), "last_turn", "\"error\"");
	member_is(member(request.result, "recipient"), "state", "\"awaiting\"");
	request_clear(&request);
	agent_be(agent, BH_STATE_WORKING);
	agent->verdict.last_turn = BH_TURN_NONE;
	call(world, &request, OPERATOR, bh_method_message_send,
	     "{\"to\":\"reviewer\",\"body\":\"x\",\"message_id\":\"b\"}");
	world_pass(world, 1000);
	member_is(member(request.result, "recipient"), "last_turn", "null");
	request_clear(&request);
}

static void who_reads_too_late_hears_when_it_was_read(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "lead");
	struct bh_request request;
	struct sent sent;

	agent->mode = BH_MODE_NOTICE;
	ANSWERED(world, 0, bh_method_inbox_read, "{}", "messages", "[]");
	world_send(world, "coder", "lead", "x", &sent);
	world_pass(world, 1000);
	assert_memory_equal(agent->turns[0], "Mail n1:", 8);
	ANSWERED(world, 0, bh_method_mail_ack, "{\"ids\":[\"m1\"]}", "acked", "1");
	call(world, &request, 0, bh_method_inbox_read, "{}");
	assert_memory_equal(member(request.result, "note")->valuestring,
	                    "nothing new; the mail of n1 was read at 20", 42);
	request_clear(&request);
}

static void a_ring_needs_mail_and_a_terminal(void **state)
{
	struct world *world = *state;
	struct agent *agent = world_run(world, 0, "lead");
	struct sent sent;

	refused(world, OPERATOR, bh_method_notice_ring, "{\"name\":\"nobody\"}", "not_found");
	refused(world, OPERATOR, bh_method_notice_ring, "{\"name\":\"lead\"}", "not_found");
	agent->mode = BH_MODE_NOTICE;
	agent_be(agent, BH_STATE_WORKING);
	world_send(world, "coder", "lead", "x", &sent);
	ANSWERED(world, OPERATOR, bh_method_notice_ring, "{\"name\":\"lead\"}", "notice",
	         "\"queued\"", "reason", "\"working\"");
	agent_be(agent, BH_STATE_IDLE);
	world_pass(world, 1000);
	agent_be(agent, BH_STATE_COMPLETED);
	ANSWERED(world, OPERATOR, bh_method_notice_ring, "{\"name\":\"lead\"}", "notice",
	         "\"typed\"");
	assert_int_equal(agent->turn_count, 2);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)
	const struct CMUnitTest tests[] = {
		CASE(a_send_answers_with_the_words_of_the_contract),
		CASE(bad_sends_are_refused_with_words),
		CASE(a_message_is_accepted_in_order),
		CASE(strangers_may_read_and_send_nothing),
		CASE(a_read_is_seen_only_when_its_own_reader_confirms),
		CASE(what_a_reader_did_not_confirm_goes_back_with_its_connection),
		CASE(only_a_person_opens_the_mailbox_of_another),
		CASE(a_wait_answers_times_out_or_goes_with_its_connection),
		CASE(a_wait_that_is_cut_off_is_refused),
		CASE(history_and_receipts_are_for_those_concerned),
		CASE(an_acknowledgement_may_be_repeated),
		CASE(a_terminal_speaks_as_its_newest_name),
		CASE(the_tier_grows_with_its_proofs),
		CASE(the_tier_falls_with_the_evidence),
		CASE(an_answer_tells_how_the_last_turn_ended),
		CASE(who_reads_too_late_hears_when_it_was_read),
		CASE(a_ring_needs_mail_and_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
