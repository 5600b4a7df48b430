#include "src/server/method_mail.h"

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
	int64_t next_seq = 0;
	cJSON *result;

	if (answer->err.code != 0) {
		bh_mail_fail(request, &answer->err, "invalid");
		return;
	}
	result = cJSON_CreateObject();
	cJSON_AddItemToObject(result, "messages",
	                      bh_mail_messages_json(answer->messages, answer->message_count, true));
	(void)bh_request_number(request, "after_seq", 0, 0, BH_REQUEST_NUMBER_MAX, &next_seq);
	bh_mail_page_json(result, answer, next_seq == 0);
	// Where nothing is new one goes on from where one was, and does not begin again.
	if (answer->message_count > 0) {
		next_seq = (int64_t)answer->messages[answer->message_count - 1].seq;
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
	int64_t before = 0;
	int64_t limit = 0;

	if (!bh_mail_caller_of(request, &caller) ||
	    !bh_request_number(request, "after_seq", 0, 0, BH_REQUEST_NUMBER_MAX, &after) ||
	    !bh_request_number(request, "before_seq", 0, 0, BH_REQUEST_NUMBER_MAX, &before) ||
	    !bh_request_number(request, "limit", HISTORY_LIMIT, 1, HISTORY_LIMIT_MAX, &limit) ||
	    !bh_request_optional_string(request, "with", &history.with) ||
	    !bh_request_optional_string(request, "thread", &history.thread) ||
	    !bh_request_optional_string(request, "name", &name)) {
		return;
	}
	history.after_seq = (uint64_t)after;
	history.before_seq = (uint64_t)before;
	history.limit = (size_t)limit;
	// A person who names no mailbox sees all mail of the session, and that of any room.
	if (!caller.is_operator ||
	    (name != NULL && (history.with == NULL || !bh_identity_is_room(history.with)))) {
		history.names = caller.names;
		history.name_count = caller.name_count;
	}
	if (bh_store_history(bh_request_server(request)->store, &history, on_history, request,
	                     &err) != 0) {
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
