#include "src/mail/change.h"

#include "src/base/mem.h"
#include "src/mail/room.h"
#include "src/mail/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bh_change *bh_change_new(enum bh_change_kind kind, bh_store_done *done, void *user)
{
	struct bh_change *change = bh_xmalloc(sizeof(*change));

	bh_list_init(&change->link);
	change->kind = kind;
	change->done = done;
	change->user = user;
	return change;
}

void bh_change_free(struct bh_change *change)
{
	bh_change_reset(change);
	bh_message_clear(&change->message);
	bh_terminal_record_clear(&change->record);
	free(change->names);
	free(change->text);
	free(change);
}

void bh_change_set_names(struct bh_change *change, const char *const *names, size_t count)
{
	if (count == 0) {
		return;
	}
	change->names = bh_xcalloc(count, sizeof(change->names[0]));
	change->name_count = count;
	for (size_t i = 0; i < count; i++) {
		// A name that is too long is cut and then names nobody, as it did before.
		(void)snprintf(change->names[i], sizeof(change->names[i]), "%s", names[i]);
	}
}

void bh_change_set_take(struct bh_change *change, const struct bh_take *take)
{
	change->has_take = true;
	change->take_kind = take->kind;
	change->limit = take->limit;
	change->body_max = take->body_max;
	change->lines_max = take->lines_max;
	change->lease_ms = take->lease_ms;
	(void)snprintf(change->terminal, sizeof(change->terminal), "%s",
	               take->terminal == NULL ? "" : take->terminal); // a UUID fits
	bh_change_set_names(change, take->names, take->name_count);
}

void bh_change_reset(struct bh_change *change)
{
	for (size_t i = 0; i < change->answer.message_count; i++) {
		bh_message_clear(&change->messages[i]);
	}
	free(change->messages);
	free(change->receipts);
	free(change->rooms);
	free(change->tasks);
	free(change->terminals);
	bh_effects_clear(&change->effects);
	change->messages = NULL;
	change->message_size = 0;
	change->receipts = NULL;
	change->receipt_size = 0;
	change->rooms = NULL;
	change->room_size = 0;
	change->tasks = NULL;
	change->task_size = 0;
	change->terminals = NULL;
	memset(&change->answer, 0, sizeof(change->answer));
}

struct bh_message *bh_change_add_message(struct bh_change *change)
{
	struct bh_message *message;

	if (change->answer.message_count == change->message_size) {
		change->message_size = change->message_size == 0 ? 2 : change->message_size * 2;
		change->messages =
			bh_xrealloc(change->messages, change->message_size, sizeof(*message));
	}
	change->answer.messages = change->messages;
	message = &change->messages[change->answer.message_count++];
	memset(message, 0, sizeof(*message));
	return message;
}

struct bh_receipt *bh_change_add_receipt(struct bh_change *change)
{
	struct bh_receipt *receipt;

	if (change->answer.receipt_count == change->receipt_size) {
		change->receipt_size = change->receipt_size == 0 ? 8 : change->receipt_size * 2;
		change->receipts =
			bh_xrealloc(change->receipts, change->receipt_size, sizeof(*receipt));
	}
	change->answer.receipts = change->receipts;
	receipt = &change->receipts[change->answer.receipt_count++];
	memset(receipt, 0, sizeof(*receipt));
	return receipt;
}

struct bh_room *bh_change_add_room(struct bh_change *change)
{
	struct bh_room *room;

	if (change->answer.room_count == change->room_size) {
		change->room_size = change->room_size == 0 ? 8 : change->room_size * 2;
		change->rooms = bh_xrealloc(change->rooms, change->room_size, sizeof(*room));
	}
	change->answer.rooms = change->rooms;
	room = &change->rooms[change->answer.room_count++];
	memset(room, 0, sizeof(*room));
	return room;
}

struct bh_task *bh_change_add_task(struct bh_change *change)
{
	struct bh_task *task;

	if (change->answer.task_count == change->task_size) {
		change->task_size = change->task_size == 0 ? 8 : change->task_size * 2;
		change->tasks = bh_xrealloc(change->tasks, change->task_size, sizeof(*task));
	}
	change->answer.tasks = change->tasks;
	task = &change->tasks[change->answer.task_count++];
	memset(task, 0, sizeof(*task));
	return task;
}
