#include "src/server/method_mail.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/base/limits.h"
#include "src/base/mem.h"
#include "src/mail/store.h"
#include "src/server/chain.h"
#include "src/server/deliver.h"
#include "src/server/mail_caller.h"
#include "src/server/rpc_server.h"
#include "src/server/server.h"

/** Messages of one read when the caller does not say. */
#define READ_LIMIT 50
/** Most messages of one read. */
#define READ_LIMIT_MAX 1000
/** Longest wait (ms): a day. */
#define WAIT_MAX_MS (24 * 3600 * 1000)
/** Room for a confirmation token. */
#define CONFIRM_SIZE 24

/** A wait that is open. */
struct wait {
	/** What is to be answered; NULL once it is. */
	struct bh_request *request;
	/** Whose. */
	struct bh_deliver *deliver;
	/** In delivery. */
	struct bh_waiter *waiter;
	/** The process that waits, and its parents. */
	struct bh_chain chain;
};

/** Mail that was handed to a connection and is to be confirmed over it. */
struct loan {
	struct bh_guest guest;
	struct bh_store *store;
	uint64_t claim_id;
};

/** Its reader will not confirm it any more. What is confirmed or given back already stays so. */
static void loan_return(struct bh_store *store, uint64_t claim_id, bool was_shown)
{
	if (bh_store_claim(store, claim_id) != NULL) {
		(void)bh_store_release(store,
		                       &(struct bh_release){.claim_id = claim_id,
		                                            .was_shown = was_shown,
		                                            .why = "reader gone"},
		                       NULL, NULL, NULL); // else its lease ends it
	}
}

static void on_reader_gone(struct bh_guest *guest)
{
	struct loan *loan = bh_container_of(guest, struct loan, guest);

	loan_return(loan->store, loan->claim_id, true);
	free(loan);
}

/** Let the mail of an answer go back when the connection ends before it is confirmed. A connection
 * has one loan for all that it reads, and more only while several are open. */
static void loan_make(struct bh_request *request, uint64_t claim_id)
{
	struct bh_store *store = bh_request_server(request)->store;
	struct bh_guest *guest = bh_rpc_find_guest(request, on_reader_gone);
	struct loan *loan = NULL;

	if (guest != NULL) {
		loan = bh_container_of(guest, struct loan, guest);
	}
	if (loan == NULL || bh_store_claim(store, loan->claim_id) != NULL) {
		loan = bh_xmalloc(sizeof(*loan));
		*loan = (struct loan){.guest = {.gone = on_reader_gone}, .store = store};
		bh_list_init(&loan->guest.link);
		bh_rpc_add_guest(request, &loan->guest);
	}
	loan->claim_id = claim_id;
}

/** Answer a read, or give the mail back where nobody is there to get it. */
static void reading_answer(struct bh_request *request, uint64_t claim_id, cJSON *result)
{
	bool is_bound = false;

	if (claim_id != 0 && bh_request_is_gone(request)) {
		loan_return(bh_request_server(request)->store, claim_id, false);
	} else if (claim_id != 0 && bh_request_flag(request, "bound", &is_bound) && is_bound &&
	           bh_request_connection(request) != NULL) {
		loan_make(request, claim_id);
	}
	bh_request_answer(request, result);
}

/** "2026-11-30 23:45" is what a reader can do something with; the log's form is close enough. */
static void note_add(cJSON *result, const struct bh_reading *reading)
{
	char at[BH_CLOCK_TEXT];
	char note[120];

	if (reading->read_notice_id == 0) {
		return;
	}
	(void)snprintf(note, sizeof(note), "nothing new; the mail of n%" PRIu64 " was read at %s",
	               reading->read_notice_id, bh_clock_text(reading->read_at_ms, at));
	cJSON_AddStringToObject(result, "note", note);
}

static cJSON *reading_json(const struct bh_reading *reading)
{
	cJSON *result = cJSON_CreateObject();
	char confirm[CONFIRM_SIZE];

	cJSON_AddItemToObject(result, "messages",
	                      bh_mail_messages_json(reading->messages, reading->count, false));
	cJSON_AddNumberToObject(result, "unread_left", (double)reading->unread_left);
	if (reading->claim_id != 0) {
		(void)snprintf(confirm, sizeof(confirm), "c%" PRIu64, reading->claim_id);
		cJSON_AddStringToObject(result, "confirm", confirm);
	} else {
		cJSON_AddNullToObject(result, "confirm");
	}
	note_add(result, reading);
	return result;
}

static void on_read(void *user, const struct bh_reading *reading)
{
	struct bh_request *request = user;

	if (reading->err.code != 0) {
		bh_mail_fail(request, &reading->err, "invalid");
		return;
	}
	reading_answer(request, reading->claim_id, reading_json(reading));
}

void bh_method_inbox_read(struct bh_request *request)
{
	struct bh_mail_caller caller;
	struct bh_deliver_reader reader = {.done = on_read, .user = request};
	struct bh_err err = {0};
	int64_t limit = 0;
	bool is_bound = false;

	if (!bh_mail_caller_of(request, &caller) || !bh_request_flag(request, "bound", &is_bound) ||
	    !bh_request_number(request, "limit", READ_LIMIT, 1, READ_LIMIT_MAX, &limit)) {
		return;
	}
	reader.limit = (size_t)limit;
	reader.terminal = caller.terminal_id;
	if (caller.is_operator) {
		reader.names = caller.names;
		reader.name_count = caller.name_count;
	}
	if (bh_deliver_read(bh_request_server(request)->deliver, &reader, &err) != 0) {
		bh_mail_fail(request, &err, "invalid");
	}
}

/** A confirmation that is under way. */
struct confirm {
	struct bh_request *request;
	size_t count;
};

static void on_confirmed(void *user, const struct bh_answer *answer)
{
	struct confirm *confirm = user;
	struct bh_request *request = confirm->request;
	size_t count = confirm->count;
	cJSON *result;

	free(confirm);
	if (answer->err.code != 0) {
		bh_mail_fail(request, &answer->err, "invalid");
		return;
	}
	result = cJSON_CreateObject();
	cJSON_AddNumberToObject(result, "seen", (double)count);
	bh_request_answer(request, result);
}

void bh_method_inbox_confirm(struct bh_request *request)
{
	struct bh_server *server = bh_request_server(request);
	struct bh_mail_caller caller;
	const char *token = bh_request_string(request, "confirm");
	const struct bh_claim *claim;
	struct confirm *confirm;
	struct bh_err err = {0};

	if (token == NULL || !bh_mail_caller_self(request, &caller)) {
		return;
	}
	claim = bh_store_claim(server->store, bh_message_number('c', token));
	if (claim == NULL || strcmp(claim->terminal, caller.terminal) != 0) {
		bh_request_fail(request, "not_found",
		                "%s confirms nothing (any more): it took too long, and the mail is "
		                "unread again",
		                token);
		return;
	}
	confirm = bh_xmalloc(sizeof(*confirm));
	*confirm = (struct confirm){.request = request, .count = claim->item_count};
	if (bh_deliver_confirm(server->deliver, claim->id, on_confirmed, confirm, &err) != 0) {
		free(confirm);
		bh_mail_fail(request, &err, "invalid");
	}
}

static void on_peeked(void *user, const struct bh_answer *answer)
{
	struct bh_request *request = user;
	cJSON *result;

	if (answer->err.code != 0) {
		bh_mail_fail(request, &answer->err, "invalid");
		return;
	}
	result = cJSON_CreateObject();
	cJSON_AddItemToObject(
		result, "messages",
		bh_mail_messages_json(answer->messages, answer->message_count, false));
	cJSON_AddNumberToObject(result, "unread_left", (double)answer->unread_left);
	bh_request_answer(request, result);
}

void bh_method_inbox_peek(struct bh_request *request)
{
	struct bh_mail_caller caller;
	struct bh_err err = {0};
	int64_t limit = 0;

	if (!bh_mail_caller_of(request, &caller) ||
	    !bh_request_number(request, "limit", READ_LIMIT, 1, READ_LIMIT_MAX, &limit)) {
		return;
	}
	if (bh_store_peek(bh_request_server(request)->store,
	                  &(struct bh_take){.names = caller.names,
	                                    .name_count = caller.name_count,
	                                    .limit = (size_t)limit},
	                  on_peeked, request, &err) != 0) {
		bh_mail_fail(request, &err, "invalid");
	}
}

static bool wait_is_alive(void *user)
{
	const struct wait *wait = user;

	return bh_chain_is_whole(&wait->chain);
}

static void on_waited(void *user, const struct bh_reading *reading)
{
	struct wait *wait = user;
	struct bh_request *request = wait->request;
	cJSON *result;

	bh_request_on_gone(request, NULL, NULL);
	free(wait);
	if (reading->err.code != 0) {
		bh_mail_fail(request, &reading->err, "invalid");
		return;
	}
	if (reading->is_timed_out && bh_request_server(request)->is_restarting) {
		bh_request_leave(request); // its time is not over
		return;
	}
	result = reading_json(reading);
	if (reading->is_timed_out) {
		cJSON_AddTrueToObject(result, "timed_out");
		cJSON_AddNumberToObject(
			result, "next_seq",
			(double)(bh_store_last_seq(bh_request_server(request)->store) + 1));
	}
	reading_answer(request, reading->claim_id, result);
}

/** Its connection is gone: so is the waiter. */
static void on_gone(void *user)
{
	struct wait *wait = user;
	struct bh_request *request = wait->request;

	bh_deliver_wait_cancel(wait->deliver, wait->waiter);
	free(wait);
	bh_request_fail(request, "exited", "the program that waited is gone");
}

void bh_method_inbox_wait(struct bh_request *request)
{
	struct bh_mail_caller caller;
	struct bh_err err = {0};
	struct wait *wait;
	struct bh_deliver_reader reader = {.done = on_waited, .is_alive = wait_is_alive};
	int64_t limit = 0;
	int64_t timeout_ms = 0;
	bool is_bound = false;

	if (!bh_mail_caller_inside(request, &caller) ||
	    !bh_request_flag(request, "bound", &is_bound) ||
	    !bh_request_number(request, "limit", READ_LIMIT, 1, READ_LIMIT_MAX, &limit) ||
	    !bh_request_wait(request, "timeout_ms", BH_LIMIT_WAIT_MS, WAIT_MAX_MS, &timeout_ms)) {
		return;
	}
	wait = bh_xmalloc(sizeof(*wait));
	wait->request = request;
	wait->deliver = bh_request_server(request)->deliver;
	if (!bh_mail_caller_stands(request, &wait->chain)) {
		free(wait);
		bh_request_fail(request, "exited",
		                "the program that began this wait has ended; nobody would read it");
		return;
	}
	reader.terminal = caller.terminal_id;
	reader.limit = (size_t)limit;
	reader.timeout_ms = (uint64_t)timeout_ms;
	reader.user = wait;
	wait->waiter = bh_deliver_wait(wait->deliver, &reader, &err);
	if (wait->waiter == NULL) {
		free(wait);
		bh_mail_fail(request, &err, "invalid");
		return;
	}
	bh_request_on_gone(request, on_gone, wait);
}
