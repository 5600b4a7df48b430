#include "src/mail/post.h"

#include "src/mail/archive.h"
#include "src/mail/bell.h"
#include "src/mail/custody.h"

#include <stdio.h>
#include <string.h>

// What a message has in numbers, once its names are resolved.
struct resolved {
	uint64_t from_id;
	uint64_t to_id;
	uint64_t reply_to;
};

static size_t body_lines(const char *body, size_t len)
{
	size_t lines = 0;

	for (size_t i = 0; i < len; i++) {
		lines += body[i] == '\n';
	}
	return len == 0 || body[len - 1] != '\n' ? lines + 1 : lines;
}

static int put_resolve(struct bh_ledger *ledger, struct bh_change *change, struct resolved *out)
{
	const struct bh_message *message = &change->message;
	int code;

	if (bh_identity_is_room(message->to)) {
		return bh_err_set(
			&ledger->db.err, BH_EUNSUPPORTED,
			"%s is a room, and this version has no rooms: send to each member",
			message->to);
	}
	if (change->ref[0] != '\0') {
		code = bh_ledger_find_message(ledger, change->ref, &out->reply_to);
		if (code == 0) {
			return bh_err_set(
				&ledger->db.err, BH_ENOTFOUND,
				"there is no message %s to reply to: look at the history for its "
				"id",
				change->ref);
		}
		if (code < 0) {
			return code;
		}
	}
	code = bh_ledger_make_mailbox(ledger, &change->effects, message->from, &out->from_id);
	if (code == 0) {
		code = bh_ledger_make_mailbox(ledger, &change->effects, message->to, &out->to_id);
	}
	return code;
}

// A message with this id was stored before: the same one is answered again, for ever.
static int put_replay(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                      const struct resolved *resolved)
{
	const struct bh_message *message = &change->message;
	struct bh_span body = {message->body, message->body_len};
	int64_t same = 0;
	int code = bh_query_find(
		&ledger->db, &same,
		"SELECT 1 FROM message WHERE seq = ? AND from_id = ? AND to_id = ?"
		" AND reply_to = ? AND task_id = ? AND task_status = ? AND body = ?",
		"nnnntib", seq, resolved->from_id, resolved->to_id, resolved->reply_to,
		message->task_id, (int)message->task_status, &body);

	if (code == 0) {
		return bh_err_set(
			&ledger->db.err, BH_EEXISTS,
			"message id %s was used for other content or another recipient (m%llu): "
			"send new content under a new id",
			message->message_id, (unsigned long long)seq);
	}
	change->answer.is_replay = true;
	change->answer.seq = seq;
	return code < 0 ? code
	                : bh_archive_add_message(ledger, change, seq, resolved->to_id, false);
}

static int put_insert(struct bh_ledger *ledger, struct bh_change *change,
                      const struct resolved *resolved)
{
	const struct bh_message *message = &change->message;
	struct bh_span body = {message->body, message->body_len};
	int code = bh_query_run(
		&ledger->db,
		"INSERT INTO message (message_id, from_id, to_id, sender, from_terminal, by_token,"
		" reply_to, task_id, task_status, created_ms, body_lines, body_len, body)"
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		"tnnitintinnnb", message->message_id, resolved->from_id, resolved->to_id,
		(int)message->sender, message->from_terminal, (int)message->is_by_token,
		resolved->reply_to, message->task_id, (int)message->task_status, ledger->now_ms,
		(uint64_t)body_lines(body.data, body.len), (uint64_t)body.len, &body);
	uint64_t seq;

	if (code < 0) {
		return code;
	}
	seq = (uint64_t)sqlite3_last_insert_rowid(ledger->db.handle);
	change->answer.seq = seq;
	code = bh_query_run(&ledger->db, "INSERT INTO delivery (seq, mailbox) VALUES (?, ?)", "nn",
	                    seq, resolved->to_id);
	if (code == 0) {
		code = bh_ledger_write_receipt(ledger, seq, resolved->to_id, BH_RECEIPT_STORED, "");
	}
	if (code == 0) {
		code = bh_ledger_touch_item(ledger, &change->effects, seq, resolved->to_id);
	}
	return code < 0 ? code
	                : bh_archive_add_message(ledger, change, seq, resolved->to_id, false);
}

// The name in the answer is the recipient's, as its mailbox spells it.
static void put_name(struct bh_change *change)
{
	memcpy(change->answer.name, change->messages[0].mailbox, sizeof(change->answer.name));
}

int bh_post_put(struct bh_ledger *ledger, struct bh_change *change)
{
	struct resolved resolved = {0};
	int64_t seq = 0;
	int code = put_resolve(ledger, change, &resolved);

	if (code < 0) {
		return code;
	}
	code = bh_query_find(&ledger->db, &seq, "SELECT seq FROM message WHERE message_id = ?", "t",
	                     change->message.message_id);
	if (code > 0) {
		code = put_replay(ledger, change, (uint64_t)seq, &resolved);
		if (code == 0) {
			put_name(change);
		}
		return code;
	}
	if (code == 0) {
		code = put_insert(ledger, change, &resolved);
	}
	if (code == 0) {
		put_name(change);
		code = change->has_take ? bh_custody_take(ledger, change) : 0;
	}
	return code;
}

// Ownership of a message in a mailbox. Gives 1, 0 when it is not there, or a code.
static int delivery_find(struct bh_ledger *ledger, uint64_t seq, uint64_t mailbox_id,
                         enum bh_ownership *ownership_out)
{
	int64_t ownership = 0;
	int code = bh_query_find(&ledger->db, &ownership,
	                         "SELECT ownership FROM delivery WHERE seq = ? AND mailbox = ?",
	                         "nn", seq, mailbox_id);

	if (code > 0) {
		*ownership_out = (enum bh_ownership)ownership;
	}
	return code;
}

static int message_missing(struct bh_ledger *ledger, const char *ref)
{
	return bh_err_set(&ledger->db.err, BH_ENOTFOUND,
	                  "there is no message %s in this mailbox: look at the history for its id",
	                  ref);
}

// Acknowledge in one mailbox. Gives 1 when it was there, 0 when not, or a code.
static int ack_in(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                  const char *name)
{
	enum bh_ownership ownership = BH_OWNER_NONE;
	uint64_t mailbox_id = 0;
	int code = bh_ledger_find_mailbox(ledger, name, &mailbox_id);

	if (code > 0) {
		code = delivery_find(ledger, seq, mailbox_id, &ownership);
	}
	if (code <= 0 || ownership == BH_OWNER_SEEN) {
		return code;
	}
	code = bh_custody_mark_seen(ledger, change, seq, mailbox_id, change->how);
	if (code == 0) {
		code = bh_bell_close_if_read(ledger, change, mailbox_id);
	}
	return code < 0 ? code : 1;
}

int bh_post_ack(struct bh_ledger *ledger, struct bh_change *change)
{
	uint64_t seq = 0;
	int code = bh_ledger_find_message(ledger, change->ref, &seq);
	bool is_found = false;

	for (size_t i = 0; code >= 0 && seq != 0 && i < change->name_count; i++) {
		code = ack_in(ledger, change, seq, change->names[i]);
		is_found = is_found || code > 0;
	}
	if (code < 0) {
		return code;
	}
	change->answer.seq = seq;
	return is_found ? 0 : message_missing(ledger, change->ref);
}

// The mailbox and message that reopen and note are about, with its ownership.
static int named_find(struct bh_ledger *ledger, const struct bh_change *change,
                      uint64_t *mailbox_id, enum bh_ownership *ownership_out)
{
	char ref[32];
	int code = bh_ledger_find_mailbox(ledger, change->name, mailbox_id);

	*ownership_out = BH_OWNER_NONE;
	if (code > 0 && change->seq != 0) {
		code = delivery_find(ledger, change->seq, *mailbox_id, ownership_out);
	}
	if (code != 0) {
		return code < 0 ? code : 0;
	}
	(void)snprintf(ref, sizeof(ref), "m%llu", (unsigned long long)change->seq); // it fits
	return message_missing(ledger, ref);
}

int bh_post_reopen(struct bh_ledger *ledger, struct bh_change *change)
{
	enum bh_ownership ownership;
	uint64_t mailbox_id = 0;
	int code = named_find(ledger, change, &mailbox_id, &ownership);

	if (code < 0 || ownership != BH_OWNER_SEEN) {
		return code;
	}
	code = bh_query_run(&ledger->db,
	                    "UPDATE delivery SET ownership = 0, shown_before = 1, seen_how = 0,"
	                    " seen_ms = 0 WHERE seq = ? AND mailbox = ?",
	                    "nn", change->seq, mailbox_id);
	if (code == 0) {
		code = bh_ledger_write_receipt(ledger, change->seq, mailbox_id, BH_RECEIPT_RETURNED,
		                               change->text);
	}
	return code < 0 ? code
	                : bh_ledger_touch_item(ledger, &change->effects, change->seq, mailbox_id);
}

int bh_post_note(struct bh_ledger *ledger, struct bh_change *change)
{
	enum bh_ownership ownership;
	uint64_t mailbox_id = 0;
	int64_t said = 0;
	int code = named_find(ledger, change, &mailbox_id, &ownership);

	if (code < 0) {
		return code;
	}
	if (change->seq == 0) {
		return bh_ledger_write_range(ledger, mailbox_id, change->step, change->text);
	}
	code = bh_query_find(&ledger->db, &said,
	                     "SELECT 1 FROM (SELECT * FROM receipt WHERE seq = ?1 AND mailbox = ?2"
	                     " ORDER BY n DESC LIMIT 1) WHERE step = ?3 AND cause = ?4",
	                     "nnit", change->seq, mailbox_id, (int)change->step, change->text);
	if (code != 0) {
		return code < 0 ? code : 0;
	}
	return bh_ledger_write_receipt(ledger, change->seq, mailbox_id, change->step, change->text);
}
