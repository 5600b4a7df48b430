#include "src/mail/request.h"

#include "src/base/mem.h"
#include "src/mail/store_care.h"
#include "src/mail/store_guard.h"
#include "src/mail/store_room.h"
#include "src/mail/submit.h"

#include <stdio.h>
#include <string.h>

// Copy a name, UUID or id; NULL is "". What does not fit is cut and then names nothing.
#define SET(field, value) \
	(void)snprintf((field), sizeof(field), "%s", (value) == NULL ? "" : (value))

static int put_check(const struct bh_put *put, struct bh_err *err)
{
	if (!bh_message_id_is_valid(put->message_id)) {
		return bh_err_set(
			err, BH_EINVALID,
			"a message id is 1 to %d letters, digits, dots, dashes, underscores or "
			"colons",
			BH_MESSAGE_ID_SIZE - 1);
	}
	if (put->task_id != NULL && !bh_message_id_is_valid(put->task_id)) {
		return bh_err_set(
			err, BH_EINVALID,
			"a task id is 1 to %d letters, digits, dots, dashes, underscores or "
			"colons",
			BH_MESSAGE_ID_SIZE - 1);
	}
	if (!bh_identity_is_valid(put->from)) {
		return bh_err_set(err, BH_EINVALID, "the sender has no name: announce one");
	}
	if (put->body.len > BH_MESSAGE_BODY_MAX) {
		return bh_err_set(
			err, BH_ELIMIT,
			"the message has %zu bytes and the limit is %d: send a shorter one, or "
			"put the text in a file and send its path",
			put->body.len, BH_MESSAGE_BODY_MAX);
	}
	if (put->to == NULL && put->task_id == NULL) {
		return bh_err_set(err, BH_EINVALID, "a message needs a recipient or a task");
	}
	if (put->task_status != BH_TASK_NONE && put->task_id == NULL) {
		return bh_err_set(err, BH_EINVALID, "a status is about a task: name it");
	}
	return put->to == NULL ? 0 : bh_identity_check_recipient(put->to, err);
}

static void message_fill(struct bh_message *message, const struct bh_put *put)
{
	SET(message->message_id, put->message_id);
	SET(message->to, put->to);
	SET(message->from, put->from);
	SET(message->from_terminal, put->from_terminal);
	SET(message->task_id, put->task_id);
	SET(message->topic, put->topic);
	message->hops = put->hops;
	message->is_quiet = put->is_quiet;
	message->sender = put->sender;
	message->is_by_token = put->is_by_token;
	message->task_status = put->task_status;
	message->body = bh_xmemdup(put->body.data, put->body.len);
	message->body_len = put->body.len;
}

int bh_store_put(struct bh_store *store, const struct bh_put *put, bh_store_done *done, void *user,
                 struct bh_err *err)
{
	struct bh_change *change;
	int code = put_check(put, err);

	if (code < 0) {
		return code;
	}
	change = bh_change_new(BH_CHANGE_PUT, done, user);
	message_fill(&change->message, put);
	SET(change->ref, put->reply_to);
	if (put->take != NULL) {
		bh_change_set_take(change, put->take);
	}
	return bh_store_submit(store, change, err);
}

int bh_store_take(struct bh_store *store, const struct bh_take *take, bh_store_done *done,
                  void *user, struct bh_err *err)
{
	struct bh_change *change;
	bool is_attempt = take->kind == BH_CLAIM_TYPING || take->kind == BH_CLAIM_NOTICE;

	if (is_attempt && (take->terminal == NULL || take->terminal[0] == '\0')) {
		return bh_err_set(err, BH_EINVALID, "a typing attempt needs a terminal");
	}
	change = bh_change_new(BH_CHANGE_TAKE, done, user);
	bh_change_set_take(change, take);
	return bh_store_submit(store, change, err);
}

// A change about a claim. Never NULL.
static struct bh_change *claim_change(enum bh_change_kind kind, uint64_t claim_id,
                                      bh_store_done *done, void *user)
{
	struct bh_change *change = bh_change_new(kind, done, user);

	change->claim_id = claim_id;
	return change;
}

// Words of a receipt, which has room for so many.
static char *cause_copy(const char *cause)
{
	return bh_xasprintf("%.*s", BH_RECEIPT_CAUSE_SIZE - 1, cause == NULL ? "" : cause);
}

int bh_store_confirm(struct bh_store *store, uint64_t claim_id, bh_store_done *done, void *user,
                     struct bh_err *err)
{
	return bh_store_submit(store, claim_change(BH_CHANGE_CONFIRM, claim_id, done, user), err);
}

int bh_store_release(struct bh_store *store, const struct bh_release *release, bh_store_done *done,
                     void *user, struct bh_err *err)
{
	struct bh_change *change = claim_change(BH_CHANGE_RELEASE, release->claim_id, done, user);

	change->flag = release->was_shown;
	change->text = cause_copy(release->why);
	return bh_store_submit(store, change, err);
}

int bh_store_advance(struct bh_store *store, const struct bh_advance *advance, bh_store_done *done,
                     void *user, struct bh_err *err)
{
	struct bh_change *change = claim_change(BH_CHANGE_ADVANCE, advance->claim_id, done, user);

	change->phase = advance->phase;
	change->flag = advance->was_unwritten;
	change->text = cause_copy(advance->detail);
	return bh_store_submit(store, change, err);
}

int bh_store_resume(struct bh_store *store, uint64_t claim_id, bh_store_done *done, void *user,
                    struct bh_err *err)
{
	return bh_store_submit(store, claim_change(BH_CHANGE_RESUME, claim_id, done, user), err);
}

int bh_store_ack(struct bh_store *store, const struct bh_ack *ack, bh_store_done *done, void *user,
                 struct bh_err *err)
{
	struct bh_change *change = bh_change_new(BH_CHANGE_ACK, done, user);

	bh_change_set_names(change, ack->names, ack->name_count);
	SET(change->ref, ack->ref);
	change->how = ack->how;
	change->text = ack->proof != NULL ? cause_copy(ack->proof) : NULL;
	return bh_store_submit(store, change, err);
}

int bh_store_note(struct bh_store *store, const struct bh_note *note, bh_store_done *done,
                  void *user, struct bh_err *err)
{
	struct bh_change *change = bh_change_new(BH_CHANGE_NOTE, done, user);

	SET(change->name, note->mailbox);
	change->seq = note->seq;
	change->step = note->step;
	change->text = cause_copy(note->cause);
	return bh_store_submit(store, change, err);
}

int bh_store_peek(struct bh_store *store, const struct bh_take *take, bh_store_done *done,
                  void *user, struct bh_err *err)
{
	struct bh_change *change = bh_change_new(BH_CHANGE_PEEK, done, user);

	SET(change->terminal, take->terminal);
	bh_change_set_names(change, take->names, take->name_count);
	change->limit = take->limit;
	return bh_store_submit(store, change, err);
}

int bh_store_history(struct bh_store *store, const struct bh_history *history, bh_store_done *done,
                     void *user, struct bh_err *err)
{
	struct bh_change *change = bh_change_new(BH_CHANGE_HISTORY, done, user);

	bh_change_set_names(change, history->names, history->name_count);
	SET(change->name, history->with);
	change->seq = history->after_seq;
	change->before_seq = history->before_seq;
	change->limit = history->limit;
	SET(change->ref, history->thread);
	change->flag = history->sent_only;
	change->is_unseen = history->unseen_only;
	return bh_store_submit(store, change, err);
}

int bh_store_receipts(struct bh_store *store, const char *ref, bh_store_done *done, void *user,
                      struct bh_err *err)
{
	struct bh_change *change = bh_change_new(BH_CHANGE_RECEIPTS, done, user);

	SET(change->ref, ref);
	return bh_store_submit(store, change, err);
}

// A change about a terminal. Never NULL.
static struct bh_change *terminal_change(enum bh_change_kind kind, const char *terminal,
                                         bh_store_done *done, void *user)
{
	struct bh_change *change = bh_change_new(kind, done, user);

	SET(change->terminal, terminal);
	return change;
}

int bh_store_park(struct bh_store *store, const char *terminal, bh_store_done *done, void *user,
                  struct bh_err *err)
{
	return bh_store_submit(store, terminal_change(BH_CHANGE_PARK, terminal, done, user), err);
}

int bh_store_unpark(struct bh_store *store, const char *terminal, bh_store_done *done, void *user,
                    struct bh_err *err)
{
	return bh_store_submit(store, terminal_change(BH_CHANGE_UNPARK, terminal, done, user), err);
}

int bh_store_bind(struct bh_store *store, const struct bh_bind *bind, bh_store_done *done,
                  void *user, struct bh_err *err)
{
	struct bh_change *change;

	if (bind->record->uuid[0] == '\0') {
		return bh_err_set(err, BH_EINVALID, "a terminal needs a UUID");
	}
	change = bh_change_new(BH_CHANGE_BIND, done, user);
	bh_terminal_record_copy(&change->record, bind->record);
	change->text = bh_xasprintf("%.*s", BH_IDENTITY_MAX,
	                            bind->auto_base == NULL ? "" : bind->auto_base);
	change->flag = bind->by_operator;
	return bh_store_submit(store, change, err);
}

int bh_store_announce(struct bh_store *store, const struct bh_announce *announce,
                      bh_store_done *done, void *user, struct bh_err *err)
{
	struct bh_change *change =
		terminal_change(BH_CHANGE_ANNOUNCE, announce->terminal, done, user);

	SET(change->name, announce->name);
	change->flag = announce->by_operator;
	return bh_store_submit(store, change, err);
}

int bh_store_set_mode(struct bh_store *store, const char *terminal, enum bh_mode mode,
                      bh_store_done *done, void *user, struct bh_err *err)
{
	struct bh_change *change = terminal_change(BH_CHANGE_SET_MODE, terminal, done, user);

	change->mode = mode;
	return bh_store_submit(store, change, err);
}

int bh_store_retire(struct bh_store *store, const struct bh_retire *retire, bh_store_done *done,
                    void *user, struct bh_err *err)
{
	struct bh_change *change = terminal_change(BH_CHANGE_RETIRE, retire->terminal, done, user);

	change->exit_status = retire->exit_status;
	change->flag = retire->waits_respawn;
	return bh_store_submit(store, change, err);
}

int bh_store_end_turn(struct bh_store *store, const char *terminal, bh_store_done *done, void *user,
                      struct bh_err *err)
{
	return bh_store_submit(store, terminal_change(BH_CHANGE_END_TURN, terminal, done, user),
	                       err);
}

int bh_store_person(struct bh_store *store, const char *terminal, bh_store_done *done, void *user,
                    struct bh_err *err)
{
	return bh_store_submit(store, terminal_change(BH_CHANGE_PERSON, terminal, done, user), err);
}

int bh_store_set_dnd(struct bh_store *store, const struct bh_set_dnd *what, bh_store_done *done,
                     void *user, struct bh_err *err)
{
	struct bh_change *change = bh_change_new(BH_CHANGE_SET_DND, done, user);

	SET(change->name, what->name);
	change->dnd = what->dnd;
	change->until_ms = what->until_ms;
	return bh_store_submit(store, change, err);
}

int bh_store_set_block(struct bh_store *store, const struct bh_set_block *what, bh_store_done *done,
                       void *user, struct bh_err *err)
{
	struct bh_change *change = bh_change_new(BH_CHANGE_SET_BLOCK, done, user);

	SET(change->name, what->name);
	bh_change_set_names(change, &what->sender, 1);
	change->flag = what->is_blocked;
	return bh_store_submit(store, change, err);
}

int bh_store_discard(struct bh_store *store, const struct bh_take *what, bh_store_done *done,
                     void *user, struct bh_err *err)
{
	struct bh_change *change = bh_change_new(BH_CHANGE_DISCARD, done, user);

	SET(change->terminal, what->terminal);
	bh_change_set_names(change, what->names, what->name_count);
	return bh_store_submit(store, change, err);
}

// A change about a room. Never NULL.
static struct bh_change *membership_change(enum bh_change_kind kind,
                                           const struct bh_membership *membership,
                                           bh_store_done *done, void *user)
{
	struct bh_change *change = bh_change_new(kind, done, user);

	SET(change->name, membership->room);
	change->text = bh_xstrdup(membership->as == NULL ? "" : membership->as);
	bh_change_set_names(change, membership->names, membership->name_count);
	return change;
}

static int room_check(const char *room, struct bh_err *err)
{
	return bh_identity_is_room(room)
	               ? 0
	               : bh_err_set(err, BH_EINVALID,
	                            "%.80s is no name of a room: use # and a name, as #dev", room);
}

int bh_store_join(struct bh_store *store, const struct bh_membership *membership,
                  bh_store_done *done, void *user, struct bh_err *err)
{
	int code = room_check(membership->room, err);

	return code < 0 ? code
	                : bh_store_submit(store,
	                                  membership_change(BH_CHANGE_JOIN, membership, done, user),
	                                  err);
}

int bh_store_leave(struct bh_store *store, const struct bh_membership *membership,
                   bh_store_done *done, void *user, struct bh_err *err)
{
	int code = room_check(membership->room, err);

	return code < 0
	               ? code
	               : bh_store_submit(store,
	                                 membership_change(BH_CHANGE_LEAVE, membership, done, user),
	                                 err);
}

int bh_store_rooms(struct bh_store *store, const struct bh_room_query *query, bh_store_done *done,
                   void *user, struct bh_err *err)
{
	int code = query->room == NULL ? 0 : room_check(query->room, err);
	struct bh_change *change;

	if (code < 0) {
		return code;
	}
	change = bh_change_new(BH_CHANGE_ROOMS, done, user);
	SET(change->name, query->room);
	bh_change_set_names(change, query->names, query->name_count);
	return bh_store_submit(store, change, err);
}

int bh_store_tasks(struct bh_store *store, const struct bh_task_query *query, bh_store_done *done,
                   void *user, struct bh_err *err)
{
	struct bh_change *change;

	if (query->task_id != NULL && !bh_message_id_is_valid(query->task_id)) {
		return bh_err_set(err, BH_ENOTFOUND,
		                  "there is no task %.80s: see the list of tasks", query->task_id);
	}
	change = bh_change_new(BH_CHANGE_TASKS, done, user);
	SET(change->ref, query->task_id);
	bh_change_set_names(change, query->names, query->name_count);
	change->flag = query->with_ended;
	change->before_seq = query->before_seq;
	change->limit = query->limit;
	return bh_store_submit(store, change, err);
}

int bh_store_probe(struct bh_store *store, bh_store_done *done, void *user, struct bh_err *err)
{
	return bh_store_submit(store, bh_change_new(BH_CHANGE_PROBE, done, user), err);
}

int bh_store_ended(struct bh_store *store, size_t limit, bh_store_done *done, void *user,
                   struct bh_err *err)
{
	struct bh_change *change = bh_change_new(BH_CHANGE_ENDED, done, user);

	change->limit = limit;
	return bh_store_submit(store, change, err);
}

int bh_store_forget(struct bh_store *store, const char *terminal, bh_store_done *done, void *user,
                    struct bh_err *err)
{
	return bh_store_submit(store, terminal_change(BH_CHANGE_FORGET, terminal, done, user), err);
}
