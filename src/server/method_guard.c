#include "src/server/method_guard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/base/mem.h"
#include "src/base/words.h"
#include "src/mail/store_guard.h"
#include "src/server/deliver.h"
#include "src/server/mail_caller.h"
#include "src/server/server.h"

/** Most senders that one row of `parked.list` names. */
#define FROM_MAX 8
/** Most unread messages that are looked at for one that its chain stopped. */
#define LOOK_MAX 4096

/** A change of what a name lets through. */
struct changing {
	struct bh_request *request;
	/** Answers; the change is in memory then. */
	void (*answer)(struct bh_request *request, const struct bh_mailbox *mailbox);
	char name[BH_IDENTITY_SIZE];
};

/**
 * The mailbox of the parameter `name`: for an agent one of its own (`me`, or none: as which it
 * speaks). NULL: the request was failed.
 */
static const struct bh_mailbox *own_mailbox(struct bh_request *request)
{
	const struct bh_store *store = bh_request_server(request)->store;
	struct bh_mail_caller caller;
	const struct bh_mailbox *mailbox;
	const char *name = NULL;
	bool is_own;

	if (!bh_request_optional_string(request, "name", &name) ||
	    !bh_mail_caller_self(request, &caller)) {
		return NULL;
	}
	if (name == NULL || (!caller.is_operator && bh_identity_is_same(name, "me"))) {
		name = caller.name;
	}
	is_own = caller.is_operator;
	for (size_t i = 0; i < caller.name_count && !is_own; i++) {
		is_own = bh_identity_is_same(caller.names[i], name);
	}
	if (!is_own) {
		bh_request_fail(request, "operator_only",
		                "only a person may say this for another name; yours is %s",
		                caller.name);
		return NULL;
	}
	mailbox = bh_store_mailbox(store, name);
	if (mailbox != NULL && mailbox->kind != BH_IDENTITY_AGENT) {
		bh_request_fail(request, "invalid",
		                "%s is no agent, so nothing is ever typed to it; name one of "
		                "`bellhop list`",
		                name);
		return NULL;
	}
	if (mailbox == NULL || !mailbox->is_known) {
		bh_request_fail(request, "not_found",
		                "no agent ever used the name %s; see `bellhop list`", name);
		return NULL;
	}
	return mailbox;
}

static struct changing *changing_new(struct bh_request *request, const struct bh_mailbox *mailbox,
                                     void (*answer)(struct bh_request *, const struct bh_mailbox *))
{
	struct changing *changing = bh_xmalloc(sizeof(*changing));

	*changing = (struct changing){.request = request, .answer = answer};
	memcpy(changing->name, mailbox->name, sizeof(changing->name));
	return changing;
}

static void on_changed(void *user, const struct bh_answer *answer)
{
	struct changing *changing = user;
	struct bh_request *request = changing->request;

	if (answer->err.code != 0) {
		bh_mail_fail(request, &answer->err, "invalid");
	} else {
		changing->answer(request, bh_store_mailbox(bh_request_server(request)->store,
		                                           changing->name));
	}
	free(changing);
}

/** A request to the store was refused at once. */
static void changing_fail(struct changing *changing, const struct bh_err *err)
{
	bh_mail_fail(changing->request, err, "invalid");
	free(changing);
}

// ---- do not disturb ----

static void dnd_answer(struct bh_request *request, const struct bh_mailbox *mailbox)
{
	cJSON *result = cJSON_CreateObject();
	const char *word = "off";

	switch (mailbox->dnd) {
	case BH_DND_STATE_ON:
		word = "on";
		break;
	case BH_DND_STATE_TIME:
		word = mailbox->dnd_until_ms > bh_clock_wall_ms() ? "until" : "off";
		break;
	case BH_DND_STATE_NEXT_IDLE:
	case BH_DND_STATE_IDLE:
		word = "until_idle";
		break;
	case BH_DND_STATE_OFF:
		break;
	}
	cJSON_AddStringToObject(result, "name", mailbox->name);
	cJSON_AddStringToObject(result, "dnd", word);
	if (strcmp(word, "until") == 0) {
		cJSON_AddNumberToObject(result, "until", (double)mailbox->dnd_until_ms);
	} else {
		cJSON_AddNullToObject(result, "until");
	}
	bh_request_answer(request, result);
}

/** Read what is wanted; false: the request was failed. */
static bool dnd_read(struct bh_request *request, const struct bh_mailbox *mailbox, const char *set,
                     struct bh_set_dnd *what)
{
	bool until_idle = false;

	if (!bh_request_number(request, "until", 0, 0, BH_REQUEST_NUMBER_MAX, &what->until_ms) ||
	    !bh_request_flag(request, "until_idle", &until_idle)) {
		return false;
	}
	if (strcmp(set, "off") != 0 && strcmp(set, "on") != 0) {
		bh_request_fail(request, "invalid", "`set` is \"on\" or \"off\"");
		return false;
	}
	if (what->until_ms != 0 && until_idle) {
		bh_request_fail(request, "invalid", "give `until` or `until_idle`, not both");
		return false;
	}
	what->name = mailbox->name;
	if (strcmp(set, "off") == 0) {
		what->dnd = BH_DND_STATE_OFF;
	} else if (until_idle) {
		// An agent that asks is at work: it means this turn. A person means the next, if idle.
		what->dnd = bh_request_caller(request)->kind == BH_CALLER_INSIDE
		                    ? BH_DND_STATE_IDLE
		                    : BH_DND_STATE_NEXT_IDLE;
	} else {
		what->dnd = what->until_ms != 0 ? BH_DND_STATE_TIME : BH_DND_STATE_ON;
	}
	return true;
}

void bh_method_guard_dnd(struct bh_request *request)
{
	const struct bh_mailbox *mailbox = own_mailbox(request);
	struct bh_set_dnd what = {0};
	struct changing *changing;
	struct bh_err err = {0};
	const char *set = NULL;

	if (mailbox == NULL || !bh_request_optional_string(request, "set", &set)) {
		return;
	}
	if (set == NULL) {
		dnd_answer(request, mailbox);
		return;
	}
	if (!dnd_read(request, mailbox, set, &what)) {
		return;
	}
	changing = changing_new(request, mailbox, dnd_answer);
	if (bh_store_set_dnd(bh_request_server(request)->store, &what, on_changed, changing,
	                     &err) != 0) {
		changing_fail(changing, &err);
	}
}

// ---- block ----

static void block_answer(struct bh_request *request, const struct bh_mailbox *mailbox)
{
	const struct bh_store *store = bh_request_server(request)->store;
	cJSON *result = cJSON_CreateObject();
	cJSON *senders;

	cJSON_AddStringToObject(result, "name", mailbox->name);
	senders = cJSON_AddArrayToObject(result, "blocked");
	for (size_t i = 0; i < mailbox->blocked_count; i++) {
		const struct bh_mailbox *sender = bh_store_mailbox(store, mailbox->blocked[i]);

		cJSON_AddItemToArray(
			senders,
			cJSON_CreateString(sender != NULL ? sender->name : mailbox->blocked[i]));
	}
	bh_request_answer(request, result);
}

void bh_method_guard_block(struct bh_request *request)
{
	const struct bh_mailbox *mailbox = own_mailbox(request);
	struct bh_set_block what = {0};
	struct changing *changing;
	struct bh_err err = {0};
	bool is_off = false;

	if (mailbox == NULL || !bh_request_optional_string(request, "sender", &what.sender) ||
	    !bh_request_flag(request, "off", &is_off)) {
		return;
	}
	if (what.sender == NULL) {
		block_answer(request, mailbox);
		return;
	}
	what.name = mailbox->name;
	what.is_blocked = !is_off;
	changing = changing_new(request, mailbox, block_answer);
	if (bh_store_set_block(bh_request_server(request)->store, &what, on_changed, changing,
	                       &err) != 0) {
		changing_fail(changing, &err);
	}
}

// ---- parked ----

/** The oldest unread message of a terminal that its chain keeps from waking, or NULL. */
static const struct bh_item *loop_find(const struct bh_terminal_record *record)
{
	const struct bh_mailbox *name = NULL;
	unsigned looked = 0;

	while ((name = bh_store_next_name(record, name)) != NULL) {
		const struct bh_item *item =
			name->looping == 0 ? NULL : bh_mailbox_first_unread(name);

		while (item != NULL && looked++ < LOOK_MAX) {
			if (item->hops >= BH_MESSAGE_HOPS_MAX) {
				return item;
			}
			item = bh_mailbox_next_unread(item);
		}
	}
	return NULL;
}

/** Names of the senders of a terminal's unread mail, each once. */
static void senders_add(cJSON *row, const struct bh_terminal_record *record)
{
	cJSON *senders = cJSON_AddArrayToObject(row, "from");
	const struct bh_mailbox *name = NULL;
	size_t unread = 0;
	unsigned looked = 0;
	bool has_more = false;

	while ((name = bh_store_next_name(record, name)) != NULL) {
		const struct bh_item *item = bh_mailbox_first_unread(name);

		unread += name->unread;
		for (; item != NULL && looked++ < LOOK_MAX; item = bh_mailbox_next_unread(item)) {
			const cJSON *at = senders->child;

			while (at != NULL && !bh_identity_is_same(at->valuestring, item->from)) {
				at = at->next;
			}
			if (at == NULL && cJSON_GetArraySize(senders) == FROM_MAX) {
				has_more = true;
			} else if (at == NULL) {
				cJSON_AddItemToArray(senders, cJSON_CreateString(item->from));
			}
		}
	}
	cJSON_AddBoolToObject(row, "from_more", has_more || looked >= LOOK_MAX);
	cJSON_AddNumberToObject(row, "unread", (double)unread);
}

static bool is_parked(const struct bh_terminal_record *record)
{
	return record->notice.id != 0 && record->notice.state == BH_NOTICE_PARKED;
}

/** The row of a terminal whose mail waits for a person to act; NULL: it has none. */
static cJSON *parked_row(const struct bh_terminal_record *record)
{
	const struct bh_mailbox *speaks = bh_store_speaks_as(record);
	const struct bh_item *loop = loop_find(record);
	bool has_parked = is_parked(record);
	char notice[24];
	cJSON *row;

	if (speaks == NULL || (!has_parked && loop == NULL)) {
		return NULL;
	}
	row = cJSON_CreateObject();
	cJSON_AddStringToObject(row, "name", speaks->name);
	cJSON_AddStringToObject(row, "terminal_id", record->uuid);
	cJSON_AddStringToObject(
		row, "reason",
		bh_word(BH_WORDS_REASON, has_parked ? BH_REASON_PARKED : BH_REASON_LOOP));
	if (has_parked) {
		(void)snprintf(notice, sizeof(notice), "n%" PRIu64, record->notice.id);
		cJSON_AddStringToObject(row, "notice", notice);
		cJSON_AddNumberToObject(row, "since", (double)record->notice.last_ring_ms);
	} else {
		cJSON_AddNullToObject(row, "notice");
		cJSON_AddNumberToObject(row, "since", (double)loop->created_ms);
	}
	senders_add(row, record);
	return row;
}

void bh_method_parked_list(struct bh_request *request)
{
	const struct bh_store *store = bh_request_server(request)->store;
	const struct bh_terminal_record *record = NULL;
	cJSON *result = cJSON_CreateObject();
	cJSON *rows = cJSON_AddArrayToObject(result, "parked");

	while ((record = bh_store_next_terminal(store, record)) != NULL) {
		cJSON *row = parked_row(record);

		if (row != NULL) {
			cJSON_AddItemToArray(rows, row);
		}
	}
	bh_request_answer(request, result);
}

static void on_discarded(void *user, const struct bh_answer *answer)
{
	struct bh_request *request = user;
	cJSON *result;

	if (answer->err.code != 0) {
		bh_mail_fail(request, &answer->err, "invalid");
		return;
	}
	result = cJSON_CreateObject();
	cJSON_AddNumberToObject(result, "discarded", (double)answer->seq);
	bh_request_answer(request, result);
}

void bh_method_parked_discard(struct bh_request *request)
{
	struct bh_store *store = bh_request_server(request)->store;
	const char *name = bh_request_string(request, "name");
	const struct bh_mailbox *mailbox = name != NULL ? bh_store_mailbox(store, name) : NULL;
	const struct bh_terminal_record *record =
		mailbox != NULL ? bh_store_terminal(store, mailbox->terminal) : NULL;
	struct bh_err err = {0};

	if (name == NULL) {
		return;
	}
	if (record == NULL || (!is_parked(record) && loop_find(record) == NULL)) {
		bh_request_fail(request, "not_found",
		                "%s has no parked mail; see `bellhop parked list`", name);
		return;
	}
	bh_deliver_discarding(bh_request_server(request)->deliver, record->uuid);
	if (bh_store_discard(store, &(struct bh_take){.terminal = record->uuid}, on_discarded,
	                     request, &err) != 0) {
		bh_mail_fail(request, &err, "invalid");
	}
}
