#include "src/server/mail_caller.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/base/words.h"
#include "src/mail/store.h"
#include "src/server/server.h"
#include "src/wake/compose.h"

/** Fill in the names of an agent's terminal; false when it has none (any more). */
static bool caller_add_names(struct bh_mail_caller *caller, const struct bh_store *store)
{
	const struct bh_terminal_record *record = bh_store_terminal(store, caller->terminal);
	const struct bh_mailbox *speaks = record != NULL ? bh_store_speaks_as(record) : NULL;
	const struct bh_mailbox *name = NULL;

	if (speaks == NULL) {
		return false;
	}
	caller->name = speaks->name;
	while (caller->name_count < BH_MAIL_CALLER_NAMES_MAX &&
	       (name = bh_store_next_name(record, name)) != NULL) {
		caller->names[caller->name_count++] = name->name;
	}
	return true;
}

static bool operator_of(struct bh_request *request, const char *name, struct bh_mail_caller *caller)
{
	const struct bh_store *store = bh_request_server(request)->store;
	const struct bh_mailbox *mailbox = name != NULL ? bh_store_mailbox(store, name) : NULL;

	caller->is_operator = true;
	caller->sender = BH_SENDER_OPERATOR;
	caller->name = "operator";
	caller->names[0] = "operator";
	caller->name_count = 1;
	if (name == NULL) {
		return true;
	}
	if (mailbox == NULL) {
		bh_request_fail(request, "not_found", "no mailbox is called %s; see `bellhop list`",
		                name);
		return false;
	}
	caller->names[0] = mailbox->name;
	return true;
}

/** Refuse a caller that no mailbox belongs to. */
static void stranger_fail(struct bh_request *request, enum bh_caller_kind kind)
{
	enum bh_fault fault = kind == BH_CALLER_EXTERNAL ? BH_FAULT_EXTERNAL : BH_FAULT_UNVERIFIED;

	bh_request_fail(request, bh_word(BH_WORDS_FAULT, (int)fault), "%s",
	                bh_word_meaning(BH_WORDS_FAULT, (int)fault));
}

static bool caller_find(struct bh_request *request, const char *name,
                        struct bh_mail_caller *caller_out)
{
	const struct bh_caller *caller = bh_request_caller(request);

	*caller_out = (struct bh_mail_caller){.sender = BH_SENDER_AGENT};
	if (caller->kind == BH_CALLER_OPERATOR) {
		return operator_of(request, name, caller_out);
	}
	if (caller->kind != BH_CALLER_INSIDE) {
		stranger_fail(request, caller->kind);
		return false;
	}
	if (name != NULL) {
		bh_request_fail(request, "operator_only",
		                "only a person may open the mailbox of another; leave `name` out");
		return false;
	}
	bh_uuid_format(&caller->terminal_id, caller_out->terminal);
	caller_out->terminal_id = &caller->terminal_id;
	caller_out->is_by_token = caller->proof == BH_CALLER_BY_TOKEN;
	if (!caller_add_names(caller_out, bh_request_server(request)->store)) {
		bh_request_fail(request, "unverified",
		                "the terminal of this program has no name any more");
		return false;
	}
	return true;
}

bool bh_mail_caller_of(struct bh_request *request, struct bh_mail_caller *caller_out)
{
	const char *name = NULL;

	return bh_request_optional_string(request, "name", &name) &&
	       caller_find(request, name, caller_out);
}

bool bh_mail_caller_self(struct bh_request *request, struct bh_mail_caller *caller_out)
{
	return caller_find(request, NULL, caller_out);
}

bool bh_mail_caller_inside(struct bh_request *request, struct bh_mail_caller *caller_out)
{
	if (!caller_find(request, NULL, caller_out)) {
		return false;
	}
	if (caller_out->is_operator) {
		bh_request_fail(request, "invalid",
		                "only a program inside a terminal of bellhop can do this; you are "
		                "outside, as the operator");
		return false;
	}
	return true;
}

void bh_mail_fail(struct bh_request *request, const struct bh_err *err, const char *conflict)
{
	if (err->code == BH_EEXISTS) {
		bh_request_fail(request, conflict, "%s", err->text);
	} else if (err->code < 0 && strcmp(bh_err_word(err->code), "errno") == 0) {
		bh_request_fail(request, "disk", "%s", err->text);
	} else {
		bh_request_fail_err(request, err);
	}
}

cJSON *bh_mail_message_json(const struct bh_message *message, bool has_state)
{
	cJSON *json = cJSON_CreateObject();
	struct bh_buf text = {0};
	char id[24];

	(void)snprintf(id, sizeof(id), "m%" PRIu64, message->seq);
	cJSON_AddStringToObject(json, "id", id);
	cJSON_AddNumberToObject(json, "seq", (double)message->seq);
	cJSON_AddStringToObject(json, "message_id", message->message_id);
	cJSON_AddStringToObject(json, "from", message->from);
	cJSON_AddBoolToObject(json, "from_operator", message->sender == BH_SENDER_OPERATOR);
	cJSON_AddStringToObject(json, "to", message->to);
	cJSON_AddStringToObject(json, "body", message->body != NULL ? message->body : "");
	cJSON_AddNumberToObject(json, "sent_at", (double)message->created_ms);
	if (message->reply_to != 0) {
		(void)snprintf(id, sizeof(id), "m%" PRIu64, message->reply_to);
		cJSON_AddStringToObject(json, "reply_to", id);
	} else {
		cJSON_AddNullToObject(json, "reply_to");
	}
	if (message->task_id[0] != '\0') {
		cJSON_AddStringToObject(json, "task_id", message->task_id);
	} else {
		cJSON_AddNullToObject(json, "task_id");
	}
	cJSON_AddBoolToObject(json, "shown_before", message->is_shown_before);
	if (has_state) {
		cJSON_AddStringToObject(json, "state", bh_ownership_word(message->ownership));
	}
	bh_compose_message(&text, message);
	cJSON_AddStringToObject(json, "text", text.data);
	bh_buf_clear(&text);
	return json;
}

cJSON *bh_mail_messages_json(const struct bh_message *messages, size_t count, bool has_state)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < count; i++) {
		cJSON_AddItemToArray(array, bh_mail_message_json(&messages[i], has_state));
	}
	return array;
}
