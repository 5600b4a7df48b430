// Receipts: what became of a message, step by step; and of all that somebody sent, at a glance.
#include "src/server/method_mail.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/mail/store.h"
#include "src/server/mail_caller.h"
#include "src/server/server.h"

/** Receipts of one answer when the caller does not say, and at most. */
#define RECEIPTS_LIMIT 50
/** See RECEIPTS_LIMIT. */
#define RECEIPTS_LIMIT_MAX 1000

/** A receipt that is asked for. */
struct asking {
	struct bh_request *request;
	/** Names of the caller; none: a person, who may see every receipt. */
	size_t name_count;
	char names[BH_MAIL_CALLER_NAMES_MAX][BH_IDENTITY_SIZE];
	char id[BH_MESSAGE_ID_SIZE];
};

/** Whether the caller wrote this message, or got it, by itself or in a room. */
static bool asking_may_see(const struct asking *asking, const struct bh_answer *answer)
{
	for (size_t i = 0; i < asking->name_count; i++) {
		for (size_t j = 0; j < answer->message_count; j++) {
			if (bh_identity_is_same(asking->names[i], answer->messages[j].from) ||
			    bh_identity_is_same(asking->names[i], answer->messages[j].mailbox)) {
				return true;
			}
		}
	}
	return asking->name_count == 0;
}

/** What every receipt has: which message, and how it stands. */
static cJSON *head_json(const struct bh_message *message)
{
	cJSON *json = cJSON_CreateObject();
	char id[24];

	(void)snprintf(id, sizeof(id), "m%" PRIu64, message->seq);
	cJSON_AddStringToObject(json, "id", id);
	cJSON_AddNumberToObject(json, "seq", (double)message->seq);
	cJSON_AddStringToObject(json, "message_id", message->message_id);
	cJSON_AddStringToObject(json, "from", message->from);
	cJSON_AddStringToObject(json, "to", message->to);
	cJSON_AddNumberToObject(json, "sent_at", (double)message->created_ms);
	bh_mail_standing_add(json, message);
	return json;
}

static cJSON *step_json(const struct bh_receipt *row, bool has_member)
{
	cJSON *step = cJSON_CreateObject();

	cJSON_AddNumberToObject(step, "at", (double)row->at_ms);
	cJSON_AddStringToObject(step, "step", bh_receipt_word(row->step));
	cJSON_AddStringToObject(step, "cause", row->cause);
	if (has_member && !bh_identity_is_room(row->mailbox)) {
		cJSON_AddStringToObject(step, "member", row->mailbox);
	}
	return step;
}

static cJSON *receipt_json(const struct bh_answer *answer)
{
	bool is_room = bh_identity_is_room(answer->messages[0].mailbox);
	cJSON *result = head_json(&answer->messages[0]);
	cJSON *steps;

	if (is_room) {
		cJSON *members = cJSON_AddArrayToObject(result, "members");

		for (size_t i = 1; i < answer->message_count; i++) {
			cJSON *member = cJSON_CreateObject();

			cJSON_AddStringToObject(member, "name", answer->messages[i].mailbox);
			bh_mail_standing_add(member, &answer->messages[i]);
			cJSON_AddItemToArray(members, member);
		}
	}
	steps = cJSON_AddArrayToObject(result, "steps");
	for (size_t i = 0; i < answer->receipt_count; i++) {
		cJSON_AddItemToArray(steps, step_json(&answer->receipts[i], is_room));
	}
	return result;
}

static void on_receipts(void *user, const struct bh_answer *answer)
{
	struct asking *asking = user;
	struct bh_request *request = asking->request;
	cJSON *result = NULL;

	if (answer->err.code == 0 && answer->message_count > 0 && asking_may_see(asking, answer)) {
		result = receipt_json(answer);
	}
	if (result != NULL) {
		bh_request_answer(request, result);
	} else if (answer->err.code != 0 && answer->err.code != BH_ENOTFOUND) {
		bh_mail_fail(request, &answer->err, "invalid");
	} else {
		bh_request_fail(request, "not_found",
		                "%s is no message that you sent or got; see `bellhop history`",
		                asking->id);
	}
	free(asking);
}

void bh_method_mail_receipt(struct bh_request *request)
{
	struct bh_mail_caller caller;
	const char *id = bh_request_string(request, "id");
	struct bh_err err = {0};
	struct asking *asking;

	if (id == NULL || !bh_mail_caller_self(request, &caller)) {
		return;
	}
	asking = bh_xmalloc(sizeof(*asking));
	asking->request = request;
	asking->name_count = caller.is_operator ? 0 : caller.name_count;
	for (size_t i = 0; i < asking->name_count; i++) {
		(void)snprintf(asking->names[i], BH_IDENTITY_SIZE, "%s", caller.names[i]);
	}
	(void)snprintf(asking->id, sizeof(asking->id), "%s", id);
	if (bh_store_receipts(bh_request_server(request)->store, id, on_receipts, asking, &err) !=
	    0) {
		free(asking);
		bh_mail_fail(request, &err, "invalid");
	}
}

static void on_sent_mail(void *user, const struct bh_answer *answer)
{
	struct bh_request *request = user;
	uint64_t next_seq = 0;
	int64_t after = 0;
	cJSON *result;
	cJSON *receipts;

	if (answer->err.code != 0) {
		bh_mail_fail(request, &answer->err, "invalid");
		return;
	}
	result = cJSON_CreateObject();
	receipts = cJSON_AddArrayToObject(result, "receipts");
	for (size_t i = 0; i < answer->message_count; i++) {
		bool is_room = bh_identity_is_room(answer->messages[i].mailbox);
		cJSON *receipt = head_json(&answer->messages[i]);

		cJSON_AddItemToObject(receipt, "last_step",
		                      step_json(&answer->receipts[i], is_room));
		cJSON_AddItemToArray(receipts, receipt);
		next_seq = answer->messages[i].seq;
	}
	(void)bh_request_number(request, "after_seq", 0, 0, BH_REQUEST_NUMBER_MAX, &after);
	bh_mail_page_json(result, answer, after == 0);
	cJSON_AddNumberToObject(result, "next_seq", (double)next_seq);
	bh_request_answer(request, result);
}

void bh_method_mail_receipts(struct bh_request *request)
{
	struct bh_mail_caller caller;
	struct bh_history history = {.sent_only = true};
	struct bh_err err = {0};
	int64_t after = 0;
	int64_t before = 0;
	int64_t limit = 0;

	if (!bh_mail_caller_of(request, &caller) ||
	    !bh_request_flag(request, "unseen", &history.unseen_only) ||
	    !bh_request_number(request, "after_seq", 0, 0, BH_REQUEST_NUMBER_MAX, &after) ||
	    !bh_request_number(request, "before_seq", 0, 0, BH_REQUEST_NUMBER_MAX, &before) ||
	    !bh_request_number(request, "limit", RECEIPTS_LIMIT, 1, RECEIPTS_LIMIT_MAX, &limit)) {
		return;
	}
	history.names = caller.names;
	history.name_count = caller.name_count;
	history.after_seq = (uint64_t)after;
	history.before_seq = (uint64_t)before;
	history.limit = (size_t)limit;
	if (bh_store_history(bh_request_server(request)->store, &history, on_sent_mail, request,
	                     &err) != 0) {
		bh_mail_fail(request, &err, "invalid");
	}
}
