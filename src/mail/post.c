#include "src/mail/post.h"

#include "src/base/utf8.h"
#include "src/mail/archive.h"
#include "src/mail/bell.h"
#include "src/mail/custody.h"
#include "src/mail/rooms.h"
#include "src/mail/shield.h"
#include "src/mail/tasks.h"
#include "src/mail/turn.h"

#include <stdio.h>
#include <string.h>

// What a message has in numbers, once its names are resolved.
struct resolved {
	uint64_t from_id;
	uint64_t to_id;
	uint64_t reply_to;
	/** The recipient is a room. */
	bool is_room;
};

// Whether the recipient is a room.
static int room_find(struct bh_ledger *ledger, struct resolved *out)
{
	int64_t kind = 0;
	int code = bh_query_find(&ledger->db, &kind, "SELECT kind FROM identity WHERE id = ?", "n",
	                         out->to_id);

	out->is_room = kind == BH_IDENTITY_ROOM;
	return code < 0 ? code : 0;
}

// A message that names no recipient goes to the other party of its task; sent again, to whom it went.
static int put_find_other(struct bh_ledger *ledger, const struct bh_change *change,
                          struct resolved *out)
{
	int64_t to_id = 0;
	int code =
		bh_query_find(&ledger->db, &to_id, "SELECT to_id FROM message WHERE message_id = ?",
	                      "t", change->message.message_id);

	if (code > 0) {
		out->to_id = (uint64_t)to_id;
	}
	return code != 0 ? (code < 0 ? code : 0)
	                 : bh_tasks_find_other(ledger, change, out->from_id, &out->to_id);
}

static int put_resolve(struct bh_ledger *ledger, struct bh_change *change, struct resolved *out)
{
	const struct bh_message *message = &change->message;
	int code;

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
	if (code == 0 && message->to[0] != '\0') {
		code = bh_ledger_make_mailbox(ledger, &change->effects, message->to, &out->to_id);
	} else if (code == 0) {
		code = put_find_other(ledger, change, out);
	}
	return code < 0 ? code : room_find(ledger, out);
}

// Whether a new message may be stored; what was stored before may always be asked for again.
static int put_check(struct bh_ledger *ledger, const struct bh_change *change,
                     const struct resolved *resolved)
{
	int code = 0;

	if (resolved->is_room) {
		code = bh_rooms_check_sender(ledger, change, resolved->to_id, resolved->from_id);
	}
	return code < 0 ? code : bh_tasks_check(ledger, change, resolved->from_id, resolved->to_id);
}

// The message as it stands, and in a room as it stands with each member.
static int put_answer(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                      const struct resolved *resolved)
{
	int code = bh_archive_add_message(ledger, change, seq, resolved->to_id, false);

	change->answer.seq = seq;
	return code < 0 || !resolved->is_room
	               ? code
	               : bh_rooms_add_members(ledger, change, seq, resolved->to_id);
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
	return code < 0 ? code : put_answer(ledger, change, seq, resolved);
}

static int put_deliver(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                       const struct resolved *resolved)
{
	int code = bh_query_run(&ledger->db, "INSERT INTO delivery (seq, mailbox) VALUES (?, ?)",
	                        "nn", seq, resolved->to_id);

	if (code == 0) {
		code = bh_tasks_supersede(ledger, change, seq, resolved->to_id, resolved->from_id);
	}
	return code < 0 ? code
	                : bh_ledger_touch_item(ledger, &change->effects, seq, resolved->to_id);
}

static int put_insert(struct bh_ledger *ledger, struct bh_change *change,
                      const struct resolved *resolved, int hops)
{
	const struct bh_message *message = &change->message;
	struct bh_span body = {message->body, message->body_len};
	int code = bh_query_run(
		&ledger->db,
		"INSERT INTO message (message_id, from_id, to_id, sender, from_terminal, by_token,"
		" reply_to, task_id, task_status, created_ms, body_lines, body_len, body, hops,"
		" quiet, topic) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		"tnnitintinnnbiit", message->message_id, resolved->from_id, resolved->to_id,
		(int)message->sender, message->from_terminal, (int)message->is_by_token,
		resolved->reply_to, message->task_id, (int)message->task_status, ledger->now_ms,
		(uint64_t)bh_utf8_lines(body.data, body.len), (uint64_t)body.len, &body, hops,
		(int)(message->is_quiet || message->task_status == BH_TASK_UPDATE), message->topic);
	uint64_t seq;

	if (code < 0) {
		return code;
	}
	seq = (uint64_t)sqlite3_last_insert_rowid(ledger->db.handle);
	code = resolved->is_room
	               ? bh_rooms_deliver(ledger, change, seq, resolved->to_id, resolved->from_id)
	               : put_deliver(ledger, change, seq, resolved);
	if (code == 0) {
		code = bh_ledger_write_receipt(ledger, seq, resolved->to_id, BH_RECEIPT_STORED, "");
	}
	if (code == 0) {
		code = bh_tasks_note(ledger, change, seq, resolved->from_id, resolved->to_id);
	}
	if (code == 0 && message->topic[0] != '\0' && !resolved->is_room) {
		code = bh_shield_supersede(ledger, change, seq, resolved->to_id);
	}
	return code < 0 ? code : put_answer(ledger, change, seq, resolved);
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
	int hops = 0;
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
		code = put_check(ledger, change, &resolved);
	}
	if (code == 0) {
		code = bh_turn_hops(ledger, change, resolved.to_id, resolved.reply_to, &hops);
	}
	if (code == 0) {
		code = put_insert(ledger, change, &resolved, hops);
	}
	if (code == 0) {
		put_name(change);
		code = change->has_take && !resolved.is_room ? bh_custody_take(ledger, change) : 0;
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
	code = change->text == NULL ? 0
	                            : bh_ledger_write_receipt(ledger, seq, mailbox_id,
	                                                      BH_RECEIPT_TYPED, change->text);
	if (code == 0) {
		code = bh_custody_mark_seen(ledger, change, seq, mailbox_id, change->how);
	}
	if (code == 0 && change->how == BH_SEEN_ACK) {
		code = bh_turn_take_in(ledger, change, seq, mailbox_id);
	}
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

// The mailbox that a note is about; its message, if it names one, must be there.
static int named_find(struct bh_ledger *ledger, const struct bh_change *change,
                      uint64_t *mailbox_id)
{
	enum bh_ownership ownership;
	char ref[32];
	int code = bh_ledger_find_mailbox(ledger, change->name, mailbox_id);

	if (code > 0 && change->seq != 0) {
		code = delivery_find(ledger, change->seq, *mailbox_id, &ownership);
	}
	if (code != 0) {
		return code < 0 ? code : 0;
	}
	(void)snprintf(ref, sizeof(ref), "m%llu", (unsigned long long)change->seq); // it fits
	return message_missing(ledger, ref);
}

int bh_post_note(struct bh_ledger *ledger, struct bh_change *change)
{
	uint64_t mailbox_id = 0;
	int64_t said = 0;
	int code = named_find(ledger, change, &mailbox_id);

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
