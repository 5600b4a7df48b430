#include "src/mail/archive.h"

#include "src/base/mem.h"
#include "src/mail/custody.h"
#include "src/mail/rooms.h"
#include "src/mail/threads.h"

#include <stdlib.h>

// Most messages that come with a task.
#define TASK_MESSAGES_MAX 200

// Who is counted as having seen it: not those for whom it was discarded (6) or superseded (7).
#define MESSAGE_SELECT \
	"SELECT m.seq, m.message_id, i.name, t.name, f.name, m.sender, m.from_terminal," \
	" m.by_token, m.reply_to, m.task_id, m.task_status, m.created_ms, d.ownership," \
	" d.seen_how, d.seen_ms, d.shown_before, d.typings, m.body_lines, m.body_len, m.body," \
	" i.kind, iif(i.kind = 3, (SELECT count(*) - 1 FROM delivery x WHERE x.seq = d.seq), 0)," \
	" iif(i.kind = 3, (SELECT count(*) - 1 FROM delivery x WHERE x.seq = d.seq" \
	" AND x.ownership = 2 AND x.seen_how < 6), 0)" \
	" FROM delivery d JOIN message m ON m.seq = d.seq JOIN identity i ON i.id = d.mailbox" \
	" JOIN identity t ON t.id = m.to_id JOIN identity f ON f.id = m.from_id "

static void message_read(const struct bh_query *row, struct bh_message *message, bool with_body)
{
	message->seq = (uint64_t)bh_query_number(row, 0);
	bh_query_text(row, 1, message->message_id, sizeof(message->message_id));
	bh_query_text(row, 2, message->mailbox, sizeof(message->mailbox));
	bh_query_text(row, 3, message->to, sizeof(message->to));
	bh_query_text(row, 4, message->from, sizeof(message->from));
	message->sender = (enum bh_sender)bh_query_int(row, 5);
	bh_query_text(row, 6, message->from_terminal, sizeof(message->from_terminal));
	message->is_by_token = bh_query_int(row, 7) != 0;
	message->reply_to = (uint64_t)bh_query_number(row, 8);
	bh_query_text(row, 9, message->task_id, sizeof(message->task_id));
	message->task_status = (enum bh_task_status)bh_query_int(row, 10);
	message->created_ms = bh_query_number(row, 11);
	message->ownership = (enum bh_ownership)bh_query_int(row, 12);
	message->seen_how = (enum bh_seen_how)bh_query_int(row, 13);
	message->seen_ms = bh_query_number(row, 14);
	message->is_shown_before = bh_query_int(row, 15) != 0;
	message->typings = (unsigned)bh_query_int(row, 16);
	message->body_lines = (size_t)bh_query_number(row, 17);
	message->body_len = (size_t)bh_query_number(row, 18);
	message->members = (unsigned)bh_query_int(row, 21);
	message->members_seen = (unsigned)bh_query_int(row, 22);
	if (bh_query_int(row, 20) == BH_IDENTITY_ROOM) { // its own row is only for the archive
		message->ownership =
			message->members_seen > 0 && message->members_seen == message->members
				? BH_OWNER_SEEN
				: BH_OWNER_NONE;
	}
	if (with_body) { // a column that is not asked for is not read from disk
		struct bh_span body = bh_query_bytes(row, 19);

		message->body = bh_xmemdup(body.data, body.len);
	}
}

int bh_archive_add_message(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                           uint64_t mailbox_id, bool with_body)
{
	struct bh_query query;
	int code;

	bh_query_start(&query, &ledger->db, MESSAGE_SELECT "WHERE d.seq = ? AND d.mailbox = ?",
	               "nn", seq, mailbox_id);
	while ((code = bh_query_next(&query)) > 0) {
		message_read(&query, bh_change_add_message(change), with_body);
	}
	return code;
}

static int archive_add_items(struct bh_ledger *ledger, struct bh_change *change,
                             const struct bh_custody_items *items)
{
	int code = 0;

	for (size_t i = 0; code == 0 && i < items->count; i++) {
		code = bh_archive_add_message(ledger, change, items->rows[i].seq,
		                              items->rows[i].mailbox_id, true);
	}
	return code;
}

int bh_archive_resume(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_query query;
	int64_t kind = 0;
	int code = bh_query_find(&ledger->db, &kind, "SELECT kind FROM claim WHERE id = ?", "n",
	                         change->claim_id);

	if (code == 0) {
		return bh_err_set(&ledger->db.err, BH_ENOTFOUND,
		                  "there is no open claim %llu; its mail is unread or seen",
		                  (unsigned long long)change->claim_id);
	}
	if (code < 0) {
		return code;
	}
	change->answer.claim_id = change->claim_id;
	bh_query_start(&query, &ledger->db,
	               MESSAGE_SELECT "JOIN claim_item c ON c.seq = d.seq AND c.mailbox = d.mailbox"
	                              " WHERE c.claim = ? ORDER BY d.seq",
	               "n", change->claim_id);
	while ((code = bh_query_next(&query)) > 0) {
		message_read(&query, bh_change_add_message(change), true);
	}
	return code;
}

static size_t limit_or(size_t limit, size_t fallback)
{
	if (limit == 0) {
		return fallback;
	}
	return limit < BH_ARCHIVE_MESSAGES_MAX ? limit : BH_ARCHIVE_MESSAGES_MAX;
}

int bh_archive_peek(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_custody_items items = {0};
	size_t limit = limit_or(change->limit, BH_ARCHIVE_MESSAGES_MAX);
	int code = bh_custody_list_unread(ledger, change, limit, &items);

	if (code == 0) {
		bh_custody_cut(&items, BH_ARCHIVE_BODIES_MAX, 0, true);
		code = archive_add_items(ledger, change, &items);
	}
	free(items.rows);
	return code;
}

// A range of at most so many messages that holds this one ends less than that behind it.
#define RANGE(size) \
	"(r.mailbox = d.mailbox AND r.size = " size \
	" AND r.to_seq BETWEEN d.seq AND d.seq + " size " - 1)"
#define OR_RANGE(size) " OR " RANGE(size)
#define RANGES \
	RANGE("1") \
	OR_RANGE("16") OR_RANGE("256") OR_RANGE("4096") OR_RANGE("65536") OR_RANGE("(1 << 60)")
#define RECEIPT_SELECT \
	"SELECT i.name, r.step, r.at_ms, r.cause, 0 AS is_range, r.n AS n" \
	" FROM receipt r JOIN identity i ON i.id = r.mailbox WHERE r.seq = ?1" \
	" UNION ALL SELECT i.name, r.step, r.at_ms, r.cause, 1, r.id" \
	" FROM delivery d CROSS JOIN range_receipt r ON (" RANGES ") AND r.from_seq <= d.seq" \
	" JOIN identity i ON i.id = d.mailbox" \
	" WHERE d.seq = ?1 AND (d.seen_ms = 0 OR d.seen_ms > r.at_ms) "

static void receipt_read(const struct bh_query *row, struct bh_receipt *receipt)
{
	bh_query_text(row, 0, receipt->mailbox, sizeof(receipt->mailbox));
	receipt->step = (enum bh_receipt_step)bh_query_int(row, 1);
	receipt->at_ms = bh_query_number(row, 2);
	bh_query_text(row, 3, receipt->cause, sizeof(receipt->cause));
}

static int archive_add_receipts(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq)
{
	struct bh_query query;
	int code;

	bh_query_start(&query, &ledger->db, RECEIPT_SELECT "ORDER BY 3, 5, 6", "n", seq);
	while ((code = bh_query_next(&query)) > 0) {
		receipt_read(&query, bh_change_add_receipt(change));
	}
	return code;
}

// The newest receipt of a message; each has one at least.
static int archive_add_last(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq)
{
	struct bh_query query;
	struct bh_receipt *receipt = bh_change_add_receipt(change);
	int code;

	bh_query_start(&query, &ledger->db,
	               RECEIPT_SELECT "ORDER BY 3 DESC, 5 DESC, 6 DESC LIMIT 1", "n", seq);
	while ((code = bh_query_next(&query)) > 0) {
		receipt_read(&query, receipt);
	}
	return code;
}

// The parts of the archive: mail of all, mail sent by ?1, received by ?1, sent by ?1 to ?4, and
// sent by ?1 and not seen (the row of a room itself counts as seen).
enum history_part {
	HISTORY_ALL,
	HISTORY_SENT,
	HISTORY_RECEIVED,
	HISTORY_PAIR,
	HISTORY_UNSEEN,
	HISTORY_PARTS,
};

#define HISTORY_MESSAGE "SELECT seq, to_id, body_len FROM message WHERE "
#define HISTORY_DELIVERY \
	"SELECT d.seq, d.mailbox, m.body_len FROM delivery d JOIN message m ON m.seq = d.seq WHERE "

// Each oldest first after ?2 and before ?5, and newest first; at most ?3.
static const char *const history_sql[HISTORY_PARTS][2] = {
	[HISTORY_ALL] = {HISTORY_MESSAGE "?1 = 0 AND seq > ?2 AND seq < ?5 ORDER BY seq LIMIT ?3",
                         HISTORY_MESSAGE
                         "?1 = 0 AND seq > ?2 AND seq < ?5 ORDER BY seq DESC LIMIT ?3"},
	[HISTORY_SENT] = {HISTORY_MESSAGE
                          "from_id = ?1 AND seq > ?2 AND seq < ?5 ORDER BY seq LIMIT ?3",
                          HISTORY_MESSAGE
                          "from_id = ?1 AND seq > ?2 AND seq < ?5 ORDER BY seq DESC LIMIT ?3"},
	[HISTORY_RECEIVED] =
		{HISTORY_DELIVERY
                 "d.mailbox = ?1 AND d.seq > ?2 AND d.seq < ?5 ORDER BY d.seq LIMIT ?3",
                 HISTORY_DELIVERY
                 "d.mailbox = ?1 AND d.seq > ?2 AND d.seq < ?5 ORDER BY d.seq DESC LIMIT ?3"},
	[HISTORY_PAIR] =
		{HISTORY_MESSAGE
                 "from_id = ?1 AND to_id = ?4 AND seq > ?2 AND seq < ?5 ORDER BY seq LIMIT ?3",
                 HISTORY_MESSAGE
                 "from_id = ?1 AND to_id = ?4 AND seq > ?2 AND seq < ?5 ORDER BY seq DESC LIMIT ?3"},
	[HISTORY_UNSEEN] =
		{HISTORY_MESSAGE
                 "from_id = ?1 AND seq > ?2 AND seq < ?5 AND EXISTS (SELECT 1 FROM delivery d"
                 " WHERE d.seq = message.seq AND d.ownership <> 2) ORDER BY seq LIMIT ?3",
                 HISTORY_MESSAGE
                 "from_id = ?1 AND seq > ?2 AND seq < ?5 AND EXISTS (SELECT 1 FROM delivery d"
                 " WHERE d.seq = message.seq AND d.ownership <> 2)"
                 " ORDER BY seq DESC LIMIT ?3"},
};

// A history being collected.
struct history {
	struct bh_ledger *ledger;
	uint64_t after_seq;
	/** Never 0. */
	uint64_t before_seq;
	size_t limit;
	/** Whether the newest are wanted. */
	bool is_newest;
	struct bh_custody_items items;
};

static int history_read(struct bh_query *query, struct bh_custody_items *items)
{
	int code;

	while ((code = bh_query_next(query)) > 0) {
		struct bh_custody_item item = {
			.seq = (uint64_t)bh_query_number(query, 0),
			.mailbox_id = (uint64_t)bh_query_number(query, 1),
			.body_len = (size_t)bh_query_number(query, 2),
		};

		bh_custody_add(items, &item);
	}
	return code;
}

static int history_add(struct history *history, enum history_part part, uint64_t id,
                       uint64_t with_id)
{
	const char *sql = history_sql[part][history->is_newest];
	struct bh_query query;

	bh_query_start(&query, &history->ledger->db, sql, "nnnnn", id, history->after_seq,
	               (uint64_t)history->limit + 1, with_id, history->before_seq);
	return history_read(&query, &history->items);
}

// All mail of one mailbox, or only that with another one (with_id 0: all).
static int history_add_mailbox(struct history *history, uint64_t id, uint64_t with_id)
{
	int code;

	if (with_id != 0) {
		code = history_add(history, HISTORY_PAIR, id, with_id);
		return code < 0 ? code : history_add(history, HISTORY_PAIR, with_id, id);
	}
	code = history_add(history, HISTORY_SENT, id, 0);
	return code < 0 ? code : history_add(history, HISTORY_RECEIVED, id, 0);
}

static int history_collect(struct history *history, const struct bh_change *change)
{
	uint64_t with_id = 0;
	int code = 1;

	if (change->name[0] != '\0') {
		code = bh_ledger_find_mailbox(history->ledger, change->name, &with_id);
	}
	if (code == 0) { // an empty answer would look like a name without mail
		return bh_err_set(&history->ledger->db.err, BH_ENOTFOUND,
		                  bh_identity_is_room(change->name)
		                          ? "there is no room %s: see `bellhop room list`"
		                          : "no mailbox is called %s: see `bellhop list`",
		                  change->name);
	}
	if (code < 0) {
		return code;
	}
	if (bh_identity_is_room(change->name)) {
		code = change->name_count == 0
		               ? 0
		               : bh_rooms_check_member(history->ledger, change, with_id);
		return code < 0 ? code : history_add(history, HISTORY_RECEIVED, with_id, 0);
	}
	if (change->name_count == 0) {
		return with_id == 0 ? history_add(history, HISTORY_ALL, 0, 0)
		                    : history_add_mailbox(history, with_id, 0);
	}
	for (size_t i = 0; code >= 0 && i < change->name_count; i++) {
		uint64_t id = 0;

		code = bh_ledger_find_mailbox(history->ledger, change->names[i], &id);
		if (code > 0 && change->flag) {
			code = history_add(
				history, change->is_unseen ? HISTORY_UNSEEN : HISTORY_SENT, id, 0);
		} else if (code > 0) {
			code = history_add_mailbox(history, id, with_id);
		}
	}
	return code < 0 ? code : 0;
}

static void items_reverse(struct bh_custody_items *items)
{
	for (size_t i = 0; i < items->count / 2; i++) {
		struct bh_custody_item other = items->rows[items->count - 1 - i];

		items->rows[items->count - 1 - i] = items->rows[i];
		items->rows[i] = other;
	}
}

// In order of seq, each message once, as many as fit, from the wanted end. Gives whether some did not.
static bool history_arrange(struct history *history)
{
	struct bh_custody_items *items = &history->items;
	size_t found;

	bh_custody_sort(items);
	while (items->count > 0 && items->rows[items->count - 1].seq >= history->before_seq) {
		items->count--; // of a thread
	}
	found = items->count;
	if (history->is_newest) {
		items_reverse(items);
	}
	items->count = items->count < history->limit ? items->count : history->limit;
	bh_custody_cut(items, BH_ARCHIVE_BODIES_MAX, 0, true);
	if (history->is_newest) {
		items_reverse(items);
	}
	return items->count < found;
}

int bh_archive_add_task(struct bh_ledger *ledger, struct bh_change *change, const char *task_id)
{
	struct history history = {.ledger = ledger,
	                          .before_seq = INT64_MAX,
	                          .limit = TASK_MESSAGES_MAX,
	                          .is_newest = true};
	struct bh_query query;
	int code;

	bh_query_start(&query, &ledger->db,
	               HISTORY_MESSAGE "task_id = ? AND task_id <> '' ORDER BY seq DESC LIMIT ?",
	               "tn", task_id, (uint64_t)TASK_MESSAGES_MAX + 1);
	code = history_read(&query, &history.items);
	if (code == 0) {
		change->answer.has_more = history_arrange(&history);
		code = archive_add_items(ledger, change, &history.items);
	}
	free(history.items.rows);
	return code;
}

// Messages without their texts, each with its newest receipt.
static int archive_add_sent(struct bh_ledger *ledger, struct bh_change *change,
                            const struct bh_custody_items *items)
{
	int code = 0;

	for (size_t i = 0; code == 0 && i < items->count; i++) {
		code = bh_archive_add_message(ledger, change, items->rows[i].seq,
		                              items->rows[i].mailbox_id, false);
		if (code == 0) {
			code = archive_add_last(ledger, change, items->rows[i].seq);
		}
	}
	return code;
}

int bh_archive_history(struct bh_ledger *ledger, struct bh_change *change)
{
	struct history history = {
		.ledger = ledger,
		.after_seq = change->seq,
		.before_seq = change->before_seq == 0 ? INT64_MAX : change->before_seq,
		.limit = limit_or(change->limit, 100),
		.is_newest = change->seq == 0,
	};
	int code = change->ref[0] != '\0' ? bh_threads_collect(ledger, change, &history.items)
	                                  : history_collect(&history, change);

	for (size_t i = 0; change->flag && i < history.items.count; i++) {
		history.items.rows[i].body_len = 0; // texts do not come along
	}
	if (code == 0) {
		change->answer.has_more = history_arrange(&history);
		code = change->flag ? archive_add_sent(ledger, change, &history.items)
		                    : archive_add_items(ledger, change, &history.items);
	}
	free(history.items.rows);
	return code;
}

int bh_archive_receipts(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_query query;
	uint64_t seq = 0;
	int code = bh_ledger_find_message(ledger, change->ref, &seq);

	if (code == 0) {
		return bh_err_set(&ledger->db.err, BH_ENOTFOUND,
		                  "there is no message %s: look at the history for its id",
		                  change->ref);
	}
	if (code < 0) {
		return code;
	}
	change->answer.seq = seq;
	bh_query_start(&query, &ledger->db,
	               MESSAGE_SELECT "WHERE d.seq = ? ORDER BY i.kind = 3 DESC, d.mailbox", "n",
	               seq);
	while ((code = bh_query_next(&query)) > 0) {
		message_read(&query, bh_change_add_message(change), true);
	}
	return code < 0 ? code : archive_add_receipts(ledger, change, seq);
}
