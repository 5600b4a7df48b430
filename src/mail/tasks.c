#include "src/mail/tasks.h"

#include "src/base/buf.h"
#include "src/mail/archive.h"
#include "src/mail/custody.h"
#include "src/mail/task.h"

#include <stdlib.h>
#include <string.h>

// Most older updates that a new one looks at: of one sender and task hardly more than one is unread.
#define UPDATES_MAX 16

// A task's row.
struct task_row {
	uint64_t creator;
	uint64_t assignee;
	enum bh_task_status state;
	uint64_t last_seq;
};

// The task of a message. Gives 1, 0 when there is none of its id, or a code.
static int row_find(struct bh_ledger *ledger, const char *task_id, struct task_row *row)
{
	struct bh_query query;
	int code;

	bh_query_start(&query, &ledger->db,
	               "SELECT creator, assignee, state, last_seq FROM task WHERE task_id = ?", "t",
	               task_id);
	code = bh_query_next(&query);
	if (code > 0) {
		row->creator = (uint64_t)bh_query_number(&query, 0);
		row->assignee = (uint64_t)bh_query_number(&query, 1);
		row->state = (enum bh_task_status)bh_query_int(&query, 2);
		row->last_seq = (uint64_t)bh_query_number(&query, 3);
		bh_query_end(&query);
	}
	return code;
}

static int task_missing(struct bh_ledger *ledger, const char *task_id)
{
	return bh_err_set(&ledger->db.err, BH_ENOTFOUND,
	                  "there is no task %s that you take part in: see `bellhop task list`",
	                  task_id);
}

// Whether the sender is a party of a task: by one of its names, or as a member of a room. Gives 1,
// 0, or a code.
static int party_find(struct bh_ledger *ledger, const struct bh_message *message, uint64_t from_id,
                      uint64_t party_id)
{
	int64_t found = 0;

	return bh_query_find(
		&ledger->db, &found,
		"SELECT 1 FROM identity i WHERE i.id = ?1 AND (i.id = ?2"
		" OR (i.terminal = ?3 AND ?3 <> '') OR (i.kind = 3 AND EXISTS (SELECT 1"
		" FROM member m JOIN identity j ON j.id = m.identity WHERE m.room = i.id"
		" AND (j.id = ?2 OR (j.terminal = ?3 AND ?3 <> '')))))",
		"nnt", party_id, from_id, message->from_terminal);
}

static bool sender_is_free(const struct bh_message *message)
{
	return message->sender == BH_SENDER_OPERATOR || message->sender == BH_SENDER_BELLHOP;
}

int bh_tasks_find_other(struct bh_ledger *ledger, const struct bh_change *change, uint64_t from_id,
                        uint64_t *to_id_out)
{
	const struct bh_message *message = &change->message;
	struct task_row row = {0};
	int code = row_find(ledger, message->task_id, &row);

	if (code <= 0) {
		return code < 0 ? code : task_missing(ledger, message->task_id);
	}
	code = party_find(ledger, message, from_id, row.creator);
	if (code > 0) {
		*to_id_out = row.assignee;
		return 0;
	}
	*to_id_out = row.creator;
	if (code == 0) {
		code = party_find(ledger, message, from_id, row.assignee);
	}
	if (code == 0 && !sender_is_free(message)) {
		return task_missing(ledger, message->task_id);
	}
	// A person who is no party ends it: who works on it must stop, who asked for it gets it.
	if (code == 0 && message->task_status == BH_TASK_CANCELED) {
		*to_id_out = row.assignee;
	}
	return code < 0 ? code : 0;
}

static int check_parties(struct bh_ledger *ledger, const struct bh_message *message,
                         const struct task_row *row, uint64_t from_id, uint64_t to_id)
{
	int code = sender_is_free(message) ? 1 : party_find(ledger, message, from_id, row->creator);

	if (code == 0) {
		code = party_find(ledger, message, from_id, row->assignee);
	}
	if (code == 0) {
		return bh_err_set(&ledger->db.err, BH_EDENIED,
		                  "the task %s is between others: choose another id for yours",
		                  message->task_id);
	}
	if (code > 0 && message->task_status != BH_TASK_NONE && to_id != row->creator &&
	    to_id != row->assignee) {
		return bh_err_set(
			&ledger->db.err, BH_EINVALID,
			"%s takes no part in the task %s: send its status to who asked for it or "
			"works on it",
			message->to, message->task_id);
	}
	return code < 0 ? code : 0;
}

int bh_tasks_check(struct bh_ledger *ledger, const struct bh_change *change, uint64_t from_id,
                   uint64_t to_id)
{
	const struct bh_message *message = &change->message;
	struct task_row row = {0};
	int code;

	if (message->task_id[0] == '\0') {
		return 0;
	}
	code = row_find(ledger, message->task_id, &row);
	if (code == 0 && message->task_status != BH_TASK_NONE) {
		return task_missing(ledger, message->task_id);
	}
	if (code <= 0) {
		return code;
	}
	code = check_parties(ledger, message, &row, from_id, to_id);
	if (code == 0 && bh_task_status_is_final(row.state)) {
		return bh_err_set(
			&ledger->db.err, BH_ETASKENDED,
			"the task %s is %s (m%llu), which is final; nothing was stored: send "
			"without a task, or open another one",
			message->task_id, bh_task_status_word(row.state),
			(unsigned long long)row.last_seq);
	}
	return code;
}

// The state that a message brings a task to.
static enum bh_task_status state_after(enum bh_task_status state, enum bh_task_status status)
{
	if (status == BH_TASK_UPDATE) {
		return state == BH_TASK_SUBMITTED ? BH_TASK_WORKING : state;
	}
	return status == BH_TASK_NONE ? state : status;
}

int bh_tasks_note(struct bh_ledger *ledger, const struct bh_change *change, uint64_t seq,
                  uint64_t from_id, uint64_t to_id)
{
	const struct bh_message *message = &change->message;
	struct task_row row = {0};
	int code;

	if (message->task_id[0] == '\0') {
		return 0;
	}
	code = row_find(ledger, message->task_id, &row);
	if (code < 0) {
		return code;
	}
	if (code > 0) {
		return bh_query_run(
			&ledger->db,
			"UPDATE task SET state = ?, updated_ms = ?, last_seq = ? WHERE task_id = ?",
			"innt", (int)state_after(row.state, message->task_status), ledger->now_ms,
			seq, message->task_id);
	}
	return bh_query_run(
		&ledger->db,
		"INSERT INTO task (task_id, creator, assignee, state, title, created_ms,"
		" updated_ms, last_seq) SELECT ?1, ?2, ?3, ?4, substr(CAST(body AS TEXT), 1,"
		" min(?5, instr(CAST(body AS TEXT) || char(10), char(10)) - 1)), ?6, ?6, seq"
		" FROM message WHERE seq = ?7",
		"tnniinn", message->task_id, from_id, to_id, BH_TASK_SUBMITTED, BH_TASK_TITLE_MAX,
		ledger->now_ms, seq);
}

int bh_tasks_supersede(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                       uint64_t mailbox_id, uint64_t from_id)
{
	struct bh_custody_items items = {0};
	struct bh_query query;
	int code;

	if (change->message.task_status != BH_TASK_UPDATE) {
		return 0;
	}
	bh_query_start(&query, &ledger->db,
	               "SELECT d.seq FROM (SELECT seq FROM message WHERE task_id = ?1"
	               " AND task_id <> '' AND from_id = ?2 AND task_status = ?3 AND seq < ?4"
	               " ORDER BY seq DESC LIMIT ?5) u JOIN delivery d ON d.seq = u.seq"
	               " AND d.mailbox = ?6 WHERE d.ownership = 0 ORDER BY d.seq",
	               "tninin", change->message.task_id, from_id, BH_TASK_UPDATE, seq, UPDATES_MAX,
	               mailbox_id);
	while ((code = bh_query_next(&query)) > 0) {
		struct bh_custody_item item = {.seq = (uint64_t)bh_query_number(&query, 0)};

		bh_custody_add(&items, &item);
	}
	for (size_t i = 0; code == 0 && i < items.count; i++) {
		code = bh_custody_supersede(ledger, change, items.rows[i].seq, mailbox_id, seq);
	}
	free(items.rows);
	return code;
}

#define TASK_SELECT \
	"SELECT t.task_id, c.name, a.name, t.state, t.title, t.created_ms, t.updated_ms," \
	" t.last_seq FROM task t JOIN identity c ON c.id = t.creator" \
	" JOIN identity a ON a.id = t.assignee "
// Tasks of the names whose keys are in the array ?1, or of rooms that they are in.
#define TASK_PARTY \
	"(t.creator IN (SELECT value FROM json_each(?1))" \
	" OR t.assignee IN (SELECT value FROM json_each(?1) UNION SELECT m.room FROM member m" \
	" WHERE m.identity IN (SELECT value FROM json_each(?1))))"

// A page of those whose last message is older than ?3: what changes meanwhile moves to the front.
#define TASK_PAGE " AND t.last_seq < ?3 ORDER BY t.last_seq DESC LIMIT ?4"

static int tasks_read(struct bh_query *query, struct bh_change *change)
{
	int code;

	while ((code = bh_query_next(query)) > 0) {
		struct bh_task *task = bh_change_add_task(change);

		bh_query_text(query, 0, task->task_id, sizeof(task->task_id));
		bh_query_text(query, 1, task->creator, sizeof(task->creator));
		bh_query_text(query, 2, task->assignee, sizeof(task->assignee));
		task->state = (enum bh_task_status)bh_query_int(query, 3);
		bh_query_text(query, 4, task->title, sizeof(task->title));
		task->created_ms = bh_query_number(query, 5);
		task->updated_ms = bh_query_number(query, 6);
		task->last_seq = (uint64_t)bh_query_number(query, 7);
	}
	return code;
}

// One task, with its messages.
static int task_show(struct bh_ledger *ledger, struct bh_change *change, const char *keys)
{
	struct bh_query query;
	int code;

	bh_query_start(&query, &ledger->db,
	               TASK_SELECT "WHERE t.task_id = ?2 AND (?3 OR " TASK_PARTY ")", "tti", keys,
	               change->ref, (int)(change->name_count == 0));
	code = tasks_read(&query, change);
	if (code == 0 && change->answer.task_count == 0) {
		return task_missing(ledger, change->ref);
	}
	return code < 0 ? code : bh_archive_add_task(ledger, change, change->ref);
}

int bh_tasks_list(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_buf keys = {0};
	struct bh_query query;
	uint64_t limit = change->limit == 0 ? 100 : change->limit;
	uint64_t before_seq = change->before_seq == 0 ? INT64_MAX : change->before_seq;
	int code = bh_ledger_list_keys(ledger, change, &keys);

	if (code == 0 && change->ref[0] != '\0') {
		code = task_show(ledger, change, keys.data);
	} else if (code == 0) {
		// One more tells whether there are more.
		bh_query_start(&query, &ledger->db,
		               change->name_count == 0
		                       ? TASK_SELECT "WHERE (?2 OR t.state < 4)" TASK_PAGE
		                       : TASK_SELECT "WHERE " TASK_PARTY
		                                     " AND (?2 OR t.state < 4)" TASK_PAGE,
		               "tinn", keys.data, (int)change->flag, before_seq, limit + 1);
		code = tasks_read(&query, change);
		change->answer.has_more = change->answer.task_count > limit;
		change->answer.task_count -= change->answer.has_more ? 1 : 0;
	}
	bh_buf_clear(&keys);
	return code;
}
