#include "src/server/method_mail.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/words.h"
#include "src/mail/store.h"
#include "src/server/deliver.h"
#include "src/server/mail_caller.h"
#include "src/server/server.h"

/** An announcement that is under way. */
struct announcing {
	struct bh_request *request;
	/** The terminal; a copy, because the request's caller may not outlive it. */
	struct bh_uuid terminal_id;
	char name[BH_IDENTITY_SIZE];
	/** The mode that was asked for. */
	bool has_mode;
	enum bh_mode mode;
};

static void names_add(cJSON *json, const struct bh_terminal_record *record)
{
	cJSON *names = cJSON_AddArrayToObject(json, "names");
	const struct bh_mailbox *name = NULL;
	size_t unread = 0;

	while (record != NULL && (name = bh_store_next_name(record, name)) != NULL) {
		cJSON_AddItemToArray(names, cJSON_CreateString(name->name));
		unread += name->unread;
	}
	cJSON_AddNumberToObject(json, "unread", (double)unread);
}

static void identity_add(cJSON *json, const struct bh_terminal_record *record)
{
	const struct bh_mailbox *speaks = record != NULL ? bh_store_speaks_as(record) : NULL;

	if (speaks != NULL) {
		cJSON_AddStringToObject(json, "identity", speaks->name);
		cJSON_AddStringToObject(json, "mode",
		                        bh_mode_word(bh_terminal_record_mode(record)));
	} else {
		cJSON_AddNullToObject(json, "identity");
		cJSON_AddNullToObject(json, "mode");
	}
	names_add(json, record);
}

static void announcing_answer(struct announcing *announcing)
{
	struct bh_server *server = bh_request_server(announcing->request);
	char terminal[BH_UUID_TEXT];
	cJSON *result = cJSON_CreateObject();

	bh_uuid_format(&announcing->terminal_id, terminal);
	identity_add(result, bh_store_terminal(server->store, terminal));
	bh_request_answer(announcing->request, result);
	bh_deliver_bound(server->deliver, &announcing->terminal_id);
	free(announcing);
}

static void announcing_fail(struct announcing *announcing, const struct bh_err *err)
{
	bh_mail_fail_name(announcing->request, announcing->name, err);
	free(announcing);
}

static void on_mode(void *user, const struct bh_answer *answer)
{
	struct announcing *announcing = user;

	if (answer->err.code != 0) {
		announcing_fail(announcing, &answer->err);
		return;
	}
	announcing_answer(announcing);
}

static void on_announced(void *user, const struct bh_answer *answer)
{
	struct announcing *announcing = user;
	struct bh_err err = answer->err;
	char terminal[BH_UUID_TEXT];

	bh_uuid_format(&announcing->terminal_id, terminal);
	if (err.code == 0 && announcing->has_mode) {
		if (bh_store_set_mode(bh_request_server(announcing->request)->store, terminal,
		                      announcing->mode, on_mode, announcing, &err) == 0) {
			return;
		}
	}
	if (err.code != 0) {
		announcing_fail(announcing, &err);
		return;
	}
	announcing_answer(announcing);
}

void bh_method_identity_announce(struct bh_request *request)
{
	struct bh_mail_caller caller;
	const char *mode = NULL;
	const char *name = bh_request_string(request, "name");
	struct announcing *announcing;
	struct bh_err err = {0};

	if (name == NULL || !bh_request_optional_string(request, "mode", &mode)) {
		return;
	}
	if (!bh_mail_caller_inside(request, &caller)) {
		return;
	}
	announcing = bh_xmalloc(sizeof(*announcing));
	*announcing = (struct announcing){
		.request = request, .terminal_id = *caller.terminal_id, .has_mode = mode != NULL};
	if (bh_identity_check(name, &err) != 0 ||
	    (mode != NULL && bh_mode_parse(mode, &announcing->mode, &err) != 0)) {
		announcing_fail(announcing, &err);
		return;
	}
	memcpy(announcing->name, name, strlen(name) + 1);
	if (bh_store_announce(bh_request_server(request)->store,
	                      &(struct bh_announce){.terminal = caller.terminal, .name = name},
	                      on_announced, announcing, &err) != 0) {
		announcing_fail(announcing, &err);
	}
}

void bh_method_identity_whoami(struct bh_request *request)
{
	const struct bh_caller *caller = bh_request_caller(request);
	const struct bh_store *store = bh_request_server(request)->store;
	const struct bh_terminal_record *record = NULL;
	cJSON *result = cJSON_CreateObject();
	char terminal[BH_UUID_TEXT];

	cJSON_AddStringToObject(result, "kind", bh_caller_kind_word(caller->kind));
	cJSON_AddStringToObject(result, "by", bh_caller_proof_word(caller->proof));
	if (!bh_uuid_is_none(&caller->terminal_id)) {
		bh_uuid_format(&caller->terminal_id, terminal);
		cJSON_AddStringToObject(result, "terminal_id", terminal);
		record = bh_store_terminal(store, terminal);
	} else {
		cJSON_AddNullToObject(result, "terminal_id");
	}
	if (caller->kind == BH_CALLER_OPERATOR) {
		const struct bh_mailbox *mailbox = bh_store_mailbox(store, "operator");
		cJSON *names = cJSON_AddArrayToObject(result, "names");

		cJSON_AddItemToArray(names, cJSON_CreateString("operator"));
		cJSON_AddStringToObject(result, "identity", "operator");
		cJSON_AddNullToObject(result, "mode");
		cJSON_AddNumberToObject(result, "unread",
		                        mailbox != NULL ? (double)mailbox->unread : 0);
	} else {
		identity_add(result, record);
	}
	bh_request_answer(request, result);
}
