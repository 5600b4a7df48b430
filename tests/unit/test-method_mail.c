// The methods about mail, called with made-up requests on a real store and real delivery.
// Covers: src/server/method_mail, src/server/method_mail_read, src/server/method_mail_past,
// src/server/method_mail_identity, src/server/mail_caller. It stands for test-method_mail_read.c,
// test-method_mail_past.c, test-method_mail_identity.c and test-mail_caller.c.
#include "tests/unit/deliver-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/server/method_mail.h"
#include "src/server/server.h"
#include "src/server/target.h"
#include "src/server/terminals.h"

/** A request and its answer. */
struct bh_request {
	struct bh_server *server;
	struct bh_caller caller;
	cJSON *params;
	cJSON *result;
	char word[40];
	char message[300];
	cJSON *data;
	unsigned answers;
	void (*gone)(void *user);
	void *gone_user;
};

struct bh_server *bh_request_server(const struct bh_request *request)
{
	return request->server;
}

const struct bh_caller *bh_request_caller(const struct bh_request *request)
{
	return &request->caller;
}

const cJSON *bh_request_params(const struct bh_request *request)
{
	return request->params;
}

const char *bh_request_string(struct bh_request *request, const char *name)
{
	const char *value = NULL;

	if (bh_request_optional_string(request, name, &value) && value == NULL) {
		bh_request_fail(request, "params", "params.%s is missing", name);
	}
	return value;
}

bool bh_request_optional_string(struct bh_request *request, const char *name,
                                const char **value_out)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(request->params, name);

	if (item != NULL && !cJSON_IsString(item)) {
		bh_request_fail(request, "params", "params.%s must be a string", name);
		return false;
	}
	*value_out = item != NULL ? item->valuestring : NULL;
	return true;
}

bool bh_request_number(struct bh_request *request, const char *name, int64_t fallback, int64_t min,
                       int64_t max, int64_t *value_out)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(request->params, name);

	*value_out = item != NULL ? (int64_t)item->valuedouble : fallback;
	if (*value_out < min || *value_out > max) {
		bh_request_fail(request, "params", "params.%s is out of range", name);
		return false;
	}
	return true;
}

bool bh_request_flag(struct bh_request *request, const char *name, bool *value_out)
{
	*value_out = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(request->params, name)) != 0;
	return true;
}

void bh_request_answer(struct bh_request *request, cJSON *result)
{
	assert_int_equal(request->answers++, 0);
	request->result = result;
}

void bh_request_fail(struct bh_request *request, const char *word, const char *format, ...)
{
	va_list args;

	assert_int_equal(request->answers++, 0);
	snprintf(request->word, sizeof(request->word), "%s", word);
	va_start(args, format);
	vsnprintf(request->message, sizeof(request->message), format, args);
	va_end(args);
}

// No terminal has the name either.
struct bh_terminal *bh_target_find(struct bh_request *request)
{
	bh_request_fail(request, "not_found", "no terminal is called that");
	return NULL;
}

void bh_request_fail_data(struct bh_request *request, const char *word, cJSON *data,
                          const char *format, ...)
{
	(void)format;
	request->data = data;
	bh_request_fail(request, word, "with data");
}

void bh_request_fail_err(struct bh_request *request, const struct bh_err *err)
{
	bh_request_fail(request, bh_err_word(err->code), "%s", err->text);
}

void bh_request_on_gone(struct bh_request *request, void (*gone)(void *user), void *user)
{
	request->gone = gone;
	request->gone_user = user;
}

/** The one terminal that the server of the test knows: its pid counts. */
static struct bh_terminal *known_terminal(void)
{
	static struct bh_terminal terminal;

	return &terminal;
}

struct bh_terminal *bh_terminals_get(struct bh_terminals *terminals, const struct bh_uuid *id)
{
	(void)id;
	return terminals != NULL ? known_terminal() : NULL;
}

/** Who calls, besides the agents of the world. */
enum who {
	OPERATOR = -1,
	UNVERIFIED = -2,
	EXTERNAL = -3
};

static struct bh_server server;

/** Make a request of @who (an agent's index, or one of enum who) and call @method. */
static void call_from(struct world *world, struct bh_request *request, int who, pid_t pid,
                      void (*method)(struct bh_request *), const char *params)
{
	server.store = world->store;
	server.deliver = world->deliver;
	*request = (struct bh_request){.server = &server, .params = cJSON_Parse(params)};
	assert_non_null(request->params);
	request->caller.kind = who == OPERATOR     ? BH_CALLER_OPERATOR
	                       : who == UNVERIFIED ? BH_CALLER_UNVERIFIED
	                       : who == EXTERNAL   ? BH_CALLER_EXTERNAL
	                                           : BH_CALLER_INSIDE;
	if (who >= 0) {
		request->caller.terminal_id = world->agents[who].id;
		request->caller.proof = BH_CALLER_BY_KERNEL;
		request->caller.pid = pid;
	}
	method(request);
	world_settle(world);
}

static void call(struct world *world, struct bh_request *request, int who,
                 void (*method)(struct bh_request *), const char *params)
{
	call_from(world, request, who, 0, method, params);
}

static void request_clear(struct bh_request *request)
{
	cJSON_Delete(request->params);
	cJSON_Delete(request->result);
	cJSON_Delete(request->data);
	*request = (struct bh_request){0};
}

/** The call must be refused with @word. */
static void refused(struct world *world, int who, void (*method)(struct bh_request *),
                    const char *params, const char *word)
{
	struct bh_request request;

	call(world, &request, who, method, params);
	assert_int_equal(request.answers, 1);
	assert_null(request.result);
	assert_string_equal(request.word, word);
	assert_int_not_equal(request.message[0], '\0');
	request_clear(&request);
}

static const cJSON *member(const cJSON *json, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);

	assert_non_null(item);
	return item;
}

static void member_is(const cJSON *json, const char *key, const char *expected)
{
	char *text = cJSON_PrintUnformatted(member(json, key));

	assert_string_equal(text, expected);
	free(text);
}

/** The call must succeed; @checks are pairs of member and its JSON, ended by NULL. */
static void answered(struct world *world, int who, void (*method)(struct bh_request *),
                     const char *params, const char *const *checks)
{
	struct bh_request request;

	call(world, &request, who, method, params);
	world_pass(world, 1000);
	if (request.result == NULL) {
		fail_msg("%s: %s", request.word, request.message);
	}
	for (; checks != NULL && checks[0] != NULL; checks += 2) {
		member_is(request.result, checks[0], checks[1]);
	}
	request_clear(&request);
}
#define ANSWERED(world, who, method, params, ...) \
	answered(world, who, method, params, (const char *const[]){__VA_ARGS__, NULL})

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
	        "{\"to\":\"#room\",\"body\":\"x\",\"message_id\":\"a\"}", "invalid");
	refused(world, OPERATOR, bh_method_message_send,
	        "{\"to\":\"all\",\"body\":\"x\",\"message_id\":\"a\"}", "invalid");
	refused(world, OPERATOR, bh_method_message_send,
	        "{\"to\":\"a b\",\"body\":\"x\",\"message_id\":\"a\"}", "invalid");
	refused(world, OPERATOR, bh_method_message_send,
	        "{\"to\":\"x\",\"body\":\"x\",\"message_id\":\"a\",\"reply_to\":\"m99\"}",
	        "not_found");
	memset(long_body, 'x', BH_MESSAGE_BODY_MAX + 1);
	assert_true(asprintf(&params, "{\"to\":\"x\",\"body\":\"%s\",\"message_id\":\"a\"}",
	                     long_body) > 0);
	refused(world, OPERATOR, bh_method_message_send, params, "limit");
	free(params);
	free(long_body);
	assert_null(bh_store_mailbox(world->store, "x"));
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
	server.terminals = (struct bh_terminals *)known_terminal();
	known_terminal()->pid = 1;
	call_from(world, &request, 0, getpid(), bh_method_inbox_wait, "{}");
	assert_string_equal(request.word, "exited");
	request_clear(&request);
	known_terminal()->pid = getpid();
	call_from(world, &request, 0, getpid(), bh_method_inbox_wait, "{\"timeout_ms\":1}");
	world_pass(world, 1);
	member_is(request.result, "timed_out", "true");
	request_clear(&request);
	server.terminals = NULL;
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
		CASE(strangers_may_read_and_send_nothing),
		CASE(a_read_is_seen_only_when_its_own_reader_confirms),
		CASE(only_a_person_opens_the_mailbox_of_another),
		CASE(a_wait_answers_times_out_or_goes_with_its_connection),
		CASE(a_wait_that_is_cut_off_is_refused),
		CASE(history_and_receipts_are_for_those_concerned),
		CASE(an_acknowledgement_may_be_repeated),
		CASE(a_terminal_speaks_as_its_newest_name),
		CASE(the_tier_grows_with_its_proofs),
		CASE(a_ring_needs_mail_and_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
