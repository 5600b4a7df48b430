#include "src/server/method_mail.h"

#include <string.h>

#include "src/base/clock.h"
#include "src/base/utf8.h"
#include "src/base/words.h"
#include "src/mail/store.h"
#include "src/server/deliver.h"
#include "src/server/mail_caller.h"
#include "src/server/server.h"
#include "src/server/target.h"
#include "src/server/terminals.h"

/** Longest that a send may ask to be held (ms): a day. */
#define WAIT_SEEN_MAX_MS (24 * 3600 * 1000)

/** Whether a send is to be answered only when it is seen. */
static bool waits_for_sight(const struct bh_request *request)
{
	const cJSON *wait =
		cJSON_GetObjectItemCaseSensitive(bh_request_params(request), "wait_seen_ms");

	return cJSON_IsNumber(wait) && wait->valuedouble > 0;
}

static void on_sent(void *user, const struct bh_err *err, const struct bh_outcome *outcome)
{
	struct bh_request *request = user;

	if (outcome == NULL) {
		bh_mail_fail(request, err, "message_id_conflict");
		return;
	}
	if (bh_request_server(request)->is_restarting && !outcome->is_seen &&
	    waits_for_sight(request)) {
		bh_request_leave(request);
		return;
	}
	bh_request_answer(request, bh_outcome_json(outcome));
}

/** Read what the message says about its task; false: the request was failed. */
static bool send_read_status(struct bh_request *request, struct bh_put *put)
{
	const char *word = NULL;
	struct bh_err err = {0};

	if (!bh_request_optional_string(request, "status", &word)) {
		return false;
	}
	if (word == NULL) {
		return true;
	}
	if (put->task_id == NULL) {
		bh_request_fail(request, "invalid", "a status is about a task: give its task_id");
		return false;
	}
	if (bh_task_status_parse(word, &put->task_status, &err) != 0) {
		bh_request_fail_err(request, &err);
		return false;
	}
	if (put->task_status == BH_TASK_SUBMITTED) {
		bh_request_fail(request, "invalid",
		                "a task is submitted by its first message, without a status");
		return false;
	}
	return true;
}

/** Read the parameters of a send; false: the request was failed. */
static bool send_read(struct bh_request *request, struct bh_deliver_send *send)
{
	const char *body = NULL;
	int64_t wait_ms = 0;

	send->put.to = bh_request_string(request, "to");
	if (send->put.to == NULL) {
		return false;
	}
	body = bh_request_string(request, "body");
	if (body == NULL) {
		return false;
	}
	send->put.body = bh_span_of(body);
	send->put.message_id = bh_request_string(request, "message_id");
	if (send->put.message_id == NULL ||
	    !bh_request_optional_string(request, "reply_to", &send->put.reply_to) ||
	    !bh_request_optional_string(request, "task_id", &send->put.task_id) ||
	    !send_read_status(request, &send->put) ||
	    !bh_request_flag(request, "no_wait", &send->no_wait) ||
	    !bh_request_wait(request, "wait_seen_ms", 0, WAIT_SEEN_MAX_MS, &wait_ms)) {
		return false;
	}
	send->wait_seen_ms = (uint64_t)wait_ms;
	return true;
}

/** Check what the store does not; false: the request was failed. */
static bool send_check(struct bh_request *request, const struct bh_deliver_send *send)
{
	struct bh_err err = {0};

	if (send->put.to != NULL && bh_identity_check_recipient(send->put.to, &err) != 0) {
		bh_request_fail_err(request, &err);
		return false;
	}
	if (send->put.body.len == 0) {
		bh_request_fail(request, "invalid", "the message is empty; nothing was stored");
		return false;
	}
	if (send->put.body.len > BH_MESSAGE_BODY_MAX) {
		bh_request_fail(request, "limit",
		                "the message has %zu bytes, the limit is %d; nothing was stored: "
		                "put it in a file and send its path",
		                send->put.body.len, BH_MESSAGE_BODY_MAX);
		return false;
	}
	if (!bh_message_id_is_valid(send->put.message_id)) {
		bh_request_fail(request, "invalid",
		                "message_id must be 1 to 64 of letters, digits and ._:-");
		return false;
	}
	if (!bh_utf8_is_valid(send->put.body.data, send->put.body.len)) {
		bh_request_fail(request, "invalid", "the message is not valid UTF-8");
		return false;
	}
	return true;
}

void bh_method_mail_post(struct bh_request *request, struct bh_deliver_send *send)
{
	struct bh_mail_caller caller;
	struct bh_err err = {0};

	if (!bh_mail_caller_self(request, &caller) || !send_check(request, send)) {
		return;
	}
	send->put.from = caller.name;
	send->put.sender = caller.sender;
	send->put.from_terminal = caller.terminal[0] != '\0' ? caller.terminal : NULL;
	send->put.is_by_token = caller.is_by_token;
	if (bh_deliver_send(bh_request_server(request)->deliver, send, on_sent, request, &err) !=
	    0) {
		bh_mail_fail(request, &err, "message_id_conflict");
	}
}

void bh_method_message_send(struct bh_request *request)
{
	struct bh_deliver_send send = {0};

	if (send_read(request, &send)) {
		bh_method_mail_post(request, &send);
	}
}

static void on_rung(void *user, const struct bh_err *err, const struct bh_outcome *outcome)
{
	struct bh_request *request = user;
	cJSON *json;
	cJSON *result;

	if (outcome == NULL) {
		bh_mail_fail(request, err, "invalid");
		return;
	}
	// Message mode types the text itself; for the person who rang that is the same question.
	json = bh_outcome_json(outcome);
	result = cJSON_CreateObject();
	cJSON_AddStringToObject(
		result, "notice",
		bh_word(BH_WORDS_FATE, outcome->is_seen ? BH_FATE_TYPED : (int)outcome->fate));
	for (const cJSON *at = json->child; at != NULL; at = at->next) {
		if (strcmp(at->string, "next") == 0 || strcmp(at->string, "warning") == 0 ||
		    strcmp(at->string, "reason") == 0) {
			cJSON_AddStringToObject(result, at->string, at->valuestring);
		}
	}
	cJSON_Delete(json);
	bh_request_answer(request, result);
}

/** The name to ring: @name, or that of the terminal it is the id of. NULL: the request was failed, with
 * what starts a terminal for the name. */
static const char *ring_name(struct bh_request *request, const char *name)
{
	const struct bh_server *server = bh_request_server(request);
	const struct bh_mailbox *mailbox = bh_store_mailbox(server->store, name);
	struct bh_terminal *terminal = NULL;

	if (mailbox != NULL && mailbox->terminal[0] != '\0') {
		return mailbox->name;
	}
	if (bh_terminals_find(server->terminals, name, &terminal) != BH_FIND_ONE) {
		bh_target_fail_unknown(request, name);
		return NULL;
	}
	if (terminal->phase != BH_TERMINAL_EXITED) {
		return terminal->identity;
	}
	mailbox = bh_store_mailbox(server->store, terminal->identity);
	bh_request_fail(
		request, "not_found",
		"%s has ended, so there is nothing to ring in; its mail (%u unread) waits: %s",
		terminal->identity, mailbox != NULL ? (unsigned)mailbox->unread : 0,
		terminal->respawn_at != 0 ? "it is started again by itself and gets it then"
					  : "`bellhop respawn` starts it again");
	return NULL;
}

void bh_method_notice_ring(struct bh_request *request)
{
	const char *name = bh_request_string(request, "name");
	struct bh_err err = {0};

	name = name != NULL ? ring_name(request, name) : NULL;
	if (name != NULL && bh_deliver_ring(bh_request_server(request)->deliver, name, on_rung,
	                                    request, &err) != 0) {
		bh_mail_fail(request, &err, "invalid");
	}
}

/** The newest proof of any kind, and how old it is. */
static void last_proof_add(cJSON *json, const struct bh_tier_verdict *verdict)
{
	cJSON *proof;
	int64_t age_ms = bh_clock_wall_ms() - verdict->last_proof_ms;

	if (verdict->last_proof == NULL) {
		cJSON_AddNullToObject(json, "last_proof");
		return;
	}
	proof = cJSON_AddObjectToObject(json, "last_proof");
	cJSON_AddStringToObject(proof, "what", verdict->last_proof);
	cJSON_AddNumberToObject(proof, "at", (double)verdict->last_proof_ms);
	cJSON_AddNumberToObject(proof, "age_ms", age_ms > 0 ? (double)age_ms : 0);
}

cJSON *bh_method_mail_wake(struct bh_server *server, const char *name)
{
	struct bh_tier_verdict verdict = bh_deliver_can_wake(server->deliver, name);
	cJSON *json = cJSON_CreateObject();
	cJSON *conditions;

	cJSON_AddStringToObject(json, "name", name);
	cJSON_AddStringToObject(json, "tier", bh_word(BH_WORDS_TIER, (int)verdict.tier));
	cJSON_AddStringToObject(json, "now",
	                        verdict.blocked == BH_REASON_NONE ? "free" : "blocked");
	if (verdict.blocked != BH_REASON_NONE) {
		cJSON_AddStringToObject(json, "reason",
		                        bh_word(BH_WORDS_REASON, (int)verdict.blocked));
	} else {
		cJSON_AddNullToObject(json, "reason");
	}
	conditions = cJSON_AddArrayToObject(json, "conditions");
	for (size_t i = 0; i < verdict.condition_count; i++) {
		cJSON_AddItemToArray(conditions, cJSON_CreateString(verdict.conditions[i]));
	}
	cJSON_AddStringToObject(json, "by", bh_word(BH_WORDS_PATH, (int)verdict.by));
	last_proof_add(json, &verdict);
	cJSON_AddNumberToObject(json, "unknown_percent", verdict.unknown_percent);
	if (verdict.proved_ms != 0) {
		cJSON_AddNumberToObject(json, "proved_at", (double)verdict.proved_ms);
	} else {
		cJSON_AddNullToObject(json, "proved_at");
	}
	return json;
}

void bh_method_wake_can_wake(struct bh_request *request)
{
	struct bh_server *server = bh_request_server(request);
	const char *name = bh_request_string(request, "name");
	const struct bh_mailbox *mailbox;

	if (name == NULL) {
		return;
	}
	if (bh_identity_is_room(name)) {
		bh_method_room_wake(request, name);
		return;
	}
	mailbox = bh_store_mailbox(server->store, name);
	if (mailbox == NULL || !mailbox->is_known) {
		const struct bh_terminal *terminal = bh_target_find(request);

		if (terminal != NULL) {
			bh_request_answer(request, bh_method_mail_wake(server, terminal->identity));
		}
		return;
	}
	bh_request_answer(request, bh_method_mail_wake(server, mailbox->name));
}
