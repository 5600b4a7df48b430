#include "src/server/method_mail.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/json.h"
#include "src/base/mem.h"
#include "src/mail/store.h"
#include "src/server/mail_caller.h"
#include "src/server/server.h"

/** Messages of one page when the caller does not say, and at most. */
#define HISTORY_LIMIT 50
/** See HISTORY_LIMIT. */
#define HISTORY_LIMIT_MAX 1000
/** Most messages acknowledged in one request. */
#define ACK_MAX 1000

static void on_history(void *user, const struct bh_answer *answer)
{
	struct bh_request *request = user;
	uint64_t next_seq = 0;
	cJSON *result;

	if (answer->err.code != 0) {
		bh_mail_fail(request, &answer->err, "invalid");
		return;
	}
	result = cJSON_CreateObject();
	cJSON_AddItemToObject(result, "messages",
	                      bh_mail_messages_json(answer->messages, answer->message_count, true));
	if (answer->message_count > 0) {
		next_seq = answer->messages[answer->message_count - 1].seq;
	}
	cJSON_AddNumberToObject(result, "next_seq", (double)next_seq);
	bh_request_answer(request, result);
}

void bh_method_mail_history(struct bh_request *request)
{
	struct bh_mail_caller caller;
	struct bh_history history = {0};
	struct bh_err err = {0};
	const char *name = NULL;
	int64_t after = 0;
	int64_t limit = 0;

	if (!bh_mail_caller_of(request, &caller) ||
	    !bh_request_number(request, "after_seq", 0, 0, BH_REQUEST_NUMBER_MAX, &after) ||
	    !bh_request_number(request, "limit", HISTORY_LIMIT, 1, HISTORY_LIMIT_MAX, &limit) ||
	    !bh_request_optional_string(request, "with", &history.with) ||
	    !bh_request_optional_string(request, "name", &name)) {
		return;
	}
	history.after_seq = (uint64_t)after;
	history.limit = (size_t)limit;
	// A person who names no mailbox sees all mail of the session.
	if (!caller.is_operator || name != NULL) {
		history.names = caller.names;
		history.name_count = caller.name_count;
	}
	if (bh_store_history(bh_request_server(request)->store, &history, on_history, request,
	                     &err) != 0) {
		bh_mail_fail(request, &err, "invalid");
	}
}

/** A receipt that is asked for. */
struct asking {
	struct bh_request *request;
	/** Names of the caller; none: a person, who may see every receipt. */
	size_t name_count;
	char names[BH_MAIL_CALLER_NAMES_MAX][BH_IDENTITY_SIZE];
	char id[BH_MESSAGE_ID_SIZE];
};

/** Whether the caller wrote or got this message. */
static bool asking_may_see(const struct asking *asking, const struct bh_message *message)
{
	for (size_t i = 0; i < asking->name_count; i++) {
		if (bh_identity_is_same(asking->names[i], message->from) ||
		    bh_identity_is_same(asking->names[i], message->mailbox)) {
			return true;
		}
	}
	return asking->name_count == 0;
}

static cJSON *receipt_json(const struct bh_answer *answer)
{
	cJSON *result = cJSON_CreateObject();
	cJSON *steps;
	char id[24];

	(void)snprintf(id, sizeof(id), "m%" PRIu64, answer->messages[0].seq);
	cJSON_AddStringToObject(result, "id", id);
	cJSON_AddNumberToObject(result, "seq", (double)answer->messages[0].seq);
	cJSON_AddStringToObject(result, "message_id", answer->messages[0].message_id);
	cJSON_AddStringToObject(result, "from", answer->messages[0].from);
	cJSON_AddStringToObject(result, "to", answer->messages[0].to);
	cJSON_AddStringToObject(result, "state", bh_ownership_word(answer->messages[0].ownership));
	steps = cJSON_AddArrayToObject(result, "steps");
	for (size_t i = 0; i < answer->receipt_count; i++) {
		const struct bh_receipt *row = &answer->receipts[i];
		cJSON *step = cJSON_CreateObject();

		cJSON_AddNumberToObject(step, "at", (double)row->at_ms);
		cJSON_AddStringToObject(step, "step", bh_receipt_word(row->step));
		cJSON_AddStringToObject(step, "cause", row->cause);
		cJSON_AddItemToArray(steps, step);
	}
	return result;
}

static void on_receipts(void *user, const struct bh_answer *answer)
{
	struct asking *asking = user;
	struct bh_request *request = asking->request;
	cJSON *result = NULL;

	if (answer->err.code == 0 && answer->message_count > 0 &&
	    asking_may_see(asking, &answer->messages[0])) {
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

/** An acknowledgement of several messages. */
struct acking {
	struct bh_request *request;
	/** Requests to the store that are under way, and one for the loop that makes them. */
	size_t pending;
	size_t acked;
	/** The first thing that went wrong. */
	struct bh_err err;
};

static void acking_done(struct acking *acking)
{
	struct bh_request *request = acking->request;
	cJSON *result;

	if (--acking->pending > 0) {
		return;
	}
	if (acking->err.code != 0) {
		bh_mail_fail(request, &acking->err, "invalid");
	} else {
		result = cJSON_CreateObject();
		cJSON_AddNumberToObject(result, "acked", (double)acking->acked);
		bh_request_answer(request, result);
	}
	free(acking);
}

static void on_acked(void *user, const struct bh_answer *answer)
{
	struct acking *acking = user;

	if (answer->err.code == 0) {
		acking->acked++;
	} else if (acking->err.code == 0) {
		acking->err = answer->err;
	}
	acking_done(acking);
}

void bh_method_mail_ack(struct bh_request *request)
{
	struct bh_mail_caller caller;
	const char **ids = NULL;
	struct bh_err err = {0};
	struct acking *acking;

	if (bh_json_get_strv(bh_request_params(request), "ids", ACK_MAX, &ids, &err) != 0) {
		bh_request_fail_err(request, &err);
		return;
	}
	if (!bh_mail_caller_self(request, &caller)) {
		free(ids);
		return;
	}
	acking = bh_xmalloc(sizeof(*acking));
	*acking = (struct acking){.request = request, .pending = 1};
	for (size_t i = 0; ids[i] != NULL && acking->err.code == 0; i++) {
		if (bh_store_ack(bh_request_server(request)->store,
		                 &(struct bh_ack){.names = caller.names,
		                                  .name_count = caller.name_count,
		                                  .ref = ids[i],
		                                  .how = BH_SEEN_ACK},
		                 on_acked, acking, &acking->err) == 0) {
			acking->pending++;
		}
	}
	free(ids);
	acking_done(acking);
}
