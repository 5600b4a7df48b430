#include "src/server/method_mail.h"

#include <string.h>

#include "src/base/utf8.h"
#include "src/base/words.h"
#include "src/mail/store.h"
#include "src/server/deliver.h"
#include "src/server/mail_caller.h"
#include "src/server/server.h"
#include "src/server/target.h"

/** Longest that a send may ask to be held (ms): a day. */
#define WAIT_SEEN_MAX_MS (24 * 3600 * 1000)

static void on_sent(void *user, const struct bh_err *err, const struct bh_outcome *outcome)
{
	struct bh_request *request = user;

	if (outcome == NULL) {
		bh_mail_fail(request, err, "message_id_conflict");
		return;
	}
	bh_request_answer(request, bh_outcome_json(outcome));
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
	    !bh_request_flag(request, "no_wait", &send->no_wait) ||
	    !bh_request_number(request, "wait_seen_ms", 0, 0, WAIT_SEEN_MAX_MS, &wait_ms)) {
		return false;
	}
	send->wait_seen_ms = (uint64_t)wait_ms;
	return true;
}

/** Check what the store does not; false: the request was failed. */
static bool send_check(struct bh_request *request, const struct bh_deliver_send *send)
{
	struct bh_err err = {0};

	if (send->put.to[0] == '#') {
		bh_request_fail(request, "invalid",
		                "rooms come with a later release; send to each name");
		return false;
	}
	if (bh_identity_check_recipient(send->put.to, &err) != 0) {
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

void bh_method_message_send(struct bh_request *request)
{
	struct bh_mail_caller caller;
	struct bh_deliver_send send = {0};
	struct bh_err err = {0};

	if (!bh_mail_caller_self(request, &caller) || !send_read(request, &send) ||
	    !send_check(request, &send)) {
		return;
	}
	send.put.from = caller.name;
	send.put.sender = caller.sender;
	send.put.from_terminal = caller.terminal[0] != '\0' ? caller.terminal : NULL;
	send.put.is_by_token = caller.is_by_token;
	if (bh_deliver_send(bh_request_server(request)->deliver, &send, on_sent, request, &err) !=
	    0) {
		bh_mail_fail(request, &err, "message_id_conflict");
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

void bh_method_notice_ring(struct bh_request *request)
{
	const char *name = bh_request_string(request, "name");
	struct bh_err err = {0};

	if (name != NULL && bh_deliver_ring(bh_request_server(request)->deliver, name, on_rung,
	                                    request, &err) != 0) {
		bh_mail_fail(request, &err, "invalid");
	}
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
