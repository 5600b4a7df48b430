#include "src/server/mail_caller.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/base/words.h"
#include "src/mail/store.h"
#include "src/server/externals.h"
#include "src/server/server.h"
#include "src/server/terminals.h"
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
	// Who runs outside has a mailbox once it has registered.
	if (caller->kind != BH_CALLER_INSIDE &&
	    (caller->kind != BH_CALLER_EXTERNAL || bh_uuid_is_none(&caller->terminal_id))) {
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

/** Of a program outside: from the caller to the process that stands for it; who is known by the token
 * alone stands for itself. */
static void chain_cut(struct bh_chain *chain, const struct bh_external *external)
{
	for (size_t i = 0; i < chain->count; i++) {
		if (chain->pids[i] == external->anchor.pid) {
			chain->count = i + 1;
			return;
		}
	}
	chain->count = chain->count > 0 ? 1 : 0;
}

bool bh_mail_caller_stands(struct bh_request *request, struct bh_chain *chain_out)
{
	struct bh_server *server = bh_request_server(request);
	const struct bh_caller *caller = bh_request_caller(request);
	const struct bh_terminal *terminal =
		server->terminals != NULL
			? bh_terminals_get(server->terminals, &caller->terminal_id)
			: NULL;

	// Our parent is the keeper, and so is that of every terminal's child.
	bh_chain_read(chain_out, caller->pid, getppid());
	if (server->externals != NULL) {
		const struct bh_external *external =
			bh_externals_get(server->externals, &caller->terminal_id);

		if (external != NULL) {
			chain_cut(chain_out, external);
			return true;
		}
	}
	return terminal == NULL || bh_chain_is_from(chain_out, terminal->pid);
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

void bh_mail_standing_add(cJSON *json, const struct bh_message *message)
{
	// What went without being seen is not called seen.
	bool is_gone =
		message->seen_how == BH_SEEN_SUPERSEDED || message->seen_how == BH_SEEN_DISCARDED;

	cJSON_AddStringToObject(json, "state",
	                        is_gone ? bh_seen_word(message->seen_how)
	                                : bh_ownership_word(message->ownership));
	if (message->ownership == BH_OWNER_SEEN && message->seen_how != BH_SEEN_NOT) {
		cJSON_AddStringToObject(json, "seen_how", bh_seen_word(message->seen_how));
		cJSON_AddNumberToObject(json, "seen_at", (double)message->seen_ms);
	}
	if (bh_identity_is_room(message->mailbox)) {
		cJSON *counts = cJSON_AddObjectToObject(json, "counts");

		cJSON_AddNumberToObject(counts, "members", message->members);
		cJSON_AddNumberToObject(counts, "seen", message->members_seen);
	}
}

/** Who holds a name, for the error that says that it is taken. */
static cJSON *holder_json(const struct bh_store *store, const char *name)
{
	const struct bh_mailbox *mailbox = bh_store_mailbox(store, name);
	const struct bh_terminal_record *record = NULL;
	const struct bh_mailbox *speaks = NULL;
	const char *by = "unread mail";
	cJSON *data = cJSON_CreateObject();

	if (mailbox != NULL && mailbox->terminal[0] != '\0') {
		by = mailbox->terminal;
		record = bh_store_terminal(store, mailbox->terminal);
		speaks = record != NULL ? bh_store_speaks_as(record) : NULL;
	} else if (mailbox != NULL && mailbox->unread == 0) {
		by = "a terminal that waits for its respawn";
	}
	cJSON_AddStringToObject(data, "by", by);
	if (speaks != NULL) {
		cJSON_AddStringToObject(data, "by_name", speaks->name);
	}
	return data;
}

void bh_mail_fail_name(struct bh_request *request, const char *name, const struct bh_err *err)
{
	if (err->code == BH_EEXISTS) {
		bh_request_fail_data(request, "identity_taken",
		                     holder_json(bh_request_server(request)->store, name), "%s",
		                     err->text);
	} else {
		bh_mail_fail(request, err, "identity_taken");
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
	if (message->task_status != BH_TASK_NONE) {
		cJSON_AddStringToObject(json, "status", bh_task_status_word(message->task_status));
	}
	cJSON_AddBoolToObject(json, "shown_before", message->is_shown_before);
	if (has_state) {
		bh_mail_standing_add(json, message);
	}
	bh_compose_message(&text, message);
	cJSON_AddStringToObject(json, "text", text.data);
	bh_buf_clear(&text);
	return json;
}

void bh_mail_page_json(cJSON *result, const struct bh_answer *answer, bool is_newest)
{
	cJSON_AddBoolToObject(result, "more", answer->has_more);
	if (answer->has_more && is_newest && answer->message_count > 0) {
		cJSON_AddNumberToObject(result, "next_before_seq", (double)answer->messages[0].seq);
	}
}

cJSON *bh_mail_messages_json(const struct bh_message *messages, size_t count, bool has_state)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < count; i++) {
		cJSON_AddItemToArray(array, bh_mail_message_json(&messages[i], has_state));
	}
	return array;
}
