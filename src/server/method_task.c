// Tasks: what is asked of whom and how far it is. A task is opened and moved by mail; complete and
// cancel are mail too, to the other party, and so are stored once for ever under their message id.
#include "src/server/method_mail.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/mail/store_room.h"
#include "src/server/deliver.h"
#include "src/server/mail_caller.h"
#include "src/server/server.h"

/** Tasks of one answer when the caller does not say, and at most. */
#define TASKS_LIMIT 50
/** See TASKS_LIMIT. */
#define TASKS_LIMIT_MAX 1000

static cJSON *task_json(const struct bh_task *task)
{
	cJSON *json = cJSON_CreateObject();
	char id[24];

	cJSON_AddStringToObject(json, "task_id", task->task_id);
	cJSON_AddStringToObject(json, "state", bh_task_status_word(task->state));
	cJSON_AddStringToObject(json, "title", task->title);
	cJSON_AddStringToObject(json, "creator", task->creator);
	cJSON_AddStringToObject(json, "assignee", task->assignee);
	cJSON_AddNumberToObject(json, "created_at", (double)task->created_ms);
	cJSON_AddNumberToObject(json, "updated_at", (double)task->updated_ms);
	(void)snprintf(id, sizeof(id), "m%" PRIu64, task->last_seq);
	cJSON_AddStringToObject(json, "last_message", id);
	return json;
}

static void on_listed(void *user, const struct bh_answer *answer)
{
	struct bh_request *request = user;
	cJSON *result;
	cJSON *tasks;

	if (answer->err.code != 0) {
		bh_mail_fail(request, &answer->err, "invalid");
		return;
	}
	result = cJSON_CreateObject();
	tasks = cJSON_AddArrayToObject(result, "tasks");
	for (size_t i = 0; i < answer->task_count; i++) {
		cJSON_AddItemToArray(tasks, task_json(&answer->tasks[i]));
	}
	cJSON_AddBoolToObject(result, "more", answer->has_more);
	if (answer->has_more) {
		cJSON_AddNumberToObject(result, "next_before_seq",
		                        (double)answer->tasks[answer->task_count - 1].last_seq);
	}
	bh_request_answer(request, result);
}

static void on_shown(void *user, const struct bh_answer *answer)
{
	struct bh_request *request = user;
	cJSON *result;

	if (answer->err.code != 0 || answer->task_count == 0) {
		bh_mail_fail(request, &answer->err, "invalid");
		return;
	}
	result = cJSON_CreateObject();
	cJSON_AddItemToObject(result, "task", task_json(&answer->tasks[0]));
	cJSON_AddItemToObject(result, "messages",
	                      bh_mail_messages_json(answer->messages, answer->message_count, true));
	cJSON_AddBoolToObject(result, "more", answer->has_more);
	bh_request_answer(request, result);
}

/** Ask the store, of an agent for its own tasks only. */
static void tasks_query(struct bh_request *request, struct bh_task_query *query,
                        bh_store_done *done)
{
	struct bh_mail_caller caller;
	const char *name = NULL;
	struct bh_err err = {0};

	if (!bh_mail_caller_of(request, &caller) ||
	    !bh_request_optional_string(request, "name", &name)) {
		return;
	}
	if (!caller.is_operator || name != NULL) {
		query->names = caller.names;
		query->name_count = caller.name_count;
	}
	if (bh_store_tasks(bh_request_server(request)->store, query, done, request, &err) != 0) {
		bh_mail_fail(request, &err, "invalid");
	}
}

void bh_method_task_list(struct bh_request *request)
{
	struct bh_task_query query = {0};
	int64_t before = 0;
	int64_t limit = 0;

	if (bh_request_number(request, "before_seq", 0, 0, BH_REQUEST_NUMBER_MAX, &before) &&
	    bh_request_flag(request, "all", &query.with_ended) &&
	    bh_request_number(request, "limit", TASKS_LIMIT, 1, TASKS_LIMIT_MAX, &limit)) {
		query.before_seq = (uint64_t)before;
		query.limit = (size_t)limit;
		tasks_query(request, &query, on_listed);
	}
}

void bh_method_task_show(struct bh_request *request)
{
	struct bh_task_query query = {.task_id = bh_request_string(request, "task_id")};

	if (query.task_id != NULL) {
		tasks_query(request, &query, on_shown);
	}
}

/** End a task by a message to the other party. */
static void task_end(struct bh_request *request, enum bh_task_status status, const char *otherwise)
{
	const char *body = NULL;
	struct bh_deliver_send send = {0};

	send.put.task_id = bh_request_string(request, "task_id");
	if (send.put.task_id == NULL) {
		return;
	}
	send.put.message_id = bh_request_string(request, "message_id");
	if (send.put.message_id == NULL || !bh_request_optional_string(request, "body", &body) ||
	    !bh_request_flag(request, "no_wait", &send.no_wait)) {
		return;
	}
	send.put.body = bh_span_of(body != NULL ? body : otherwise);
	send.put.task_status = status;
	bh_method_mail_post(request, &send);
}

void bh_method_task_complete(struct bh_request *request)
{
	task_end(request, BH_TASK_COMPLETED, "The task is completed.");
}

void bh_method_task_cancel(struct bh_request *request)
{
	task_end(request, BH_TASK_CANCELED, "The task is canceled: stop working on it.");
}
