#include "src/mail/rooms.h"

#include "src/mail/archive.h"
#include "src/mail/custody.h"
#include "src/mail/room.h"
#include "src/mail/tasks.h"

#include <stdlib.h>
#include <string.h>

// Most rooms in one list.
#define ROOMS_MAX 1000

static int not_member(struct bh_ledger *ledger, const char *room)
{
	return bh_err_set(&ledger->db.err, BH_ENOTMEMBER,
	                  "you are not in %s: join it first, with `bellhop room join '%s'`", room,
	                  room);
}

// Whether a name is in a room. Gives 1, 0, or a code.
static int member_find(struct bh_ledger *ledger, uint64_t room_id, uint64_t id)
{
	int64_t found = 0;

	return bh_query_find(&ledger->db, &found,
	                     "SELECT 1 FROM member WHERE room = ? AND identity = ?", "nn", room_id,
	                     id);
}

// Whether one of the names in @change is in a room. Gives 1, 0, or a code.
static int names_find(struct bh_ledger *ledger, const struct bh_change *change, uint64_t room_id)
{
	int code = 0;

	for (size_t i = 0; code == 0 && i < change->name_count; i++) {
		uint64_t id = 0;

		code = bh_ledger_find_mailbox(ledger, change->names[i], &id);
		if (code > 0) {
			code = member_find(ledger, room_id, id);
		}
	}
	return code;
}

int bh_rooms_check_member(struct bh_ledger *ledger, const struct bh_change *change,
                          uint64_t room_id)
{
	int code = names_find(ledger, change, room_id);

	if (code == 0) {
		return not_member(ledger, change->name);
	}
	return code < 0 ? code : 0;
}

int bh_rooms_check_sender(struct bh_ledger *ledger, const struct bh_change *change,
                          uint64_t room_id, uint64_t from_id)
{
	const struct bh_message *message = &change->message;
	int64_t found = 0;
	int code;

	if (message->sender == BH_SENDER_OPERATOR || message->sender == BH_SENDER_BELLHOP) {
		return 0;
	}
	code = bh_query_find(&ledger->db, &found,
	                     "SELECT 1 FROM member m JOIN identity i ON i.id = m.identity"
	                     " WHERE m.room = ?1 AND (m.identity = ?2"
	                     " OR (i.terminal = ?3 AND ?3 <> '')) LIMIT 1",
	                     "nnt", room_id, from_id, message->from_terminal);
	if (code == 0) {
		return not_member(ledger, message->to);
	}
	return code < 0 ? code : 0;
}

// The mailboxes, but the room's own, that a message went to.
static int recipients_list(struct bh_ledger *ledger, uint64_t seq, uint64_t room_id,
                           struct bh_custody_items *items)
{
	struct bh_query query;
	int code;

	bh_query_start(&query, &ledger->db,
	               "SELECT mailbox FROM delivery WHERE seq = ? AND mailbox <> ?"
	               " ORDER BY mailbox",
	               "nn", seq, room_id);
	while ((code = bh_query_next(&query)) > 0) {
		struct bh_custody_item item = {.seq = seq,
		                               .mailbox_id = (uint64_t)bh_query_number(&query, 0)};

		bh_custody_add(items, &item);
	}
	return code;
}

int bh_rooms_deliver(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                     uint64_t room_id, uint64_t from_id)
{
	struct bh_custody_items items = {0};
	int code = bh_query_run(&ledger->db,
	                        "INSERT INTO delivery (seq, mailbox, ownership) VALUES (?, ?, 2)",
	                        "nn", seq, room_id);

	if (code == 0) { // who is in a room under two names is told but once, under the newest
		code = bh_query_run(
			&ledger->db,
			"INSERT INTO delivery (seq, mailbox) SELECT ?1, m.identity FROM member m"
			" JOIN identity i ON i.id = m.identity WHERE m.room = ?2"
			" AND m.identity <> ?3 AND (i.terminal = '' OR i.terminal <> ?4)"
			" AND NOT EXISTS (SELECT 1 FROM identity j CROSS JOIN member o"
			" ON o.room = m.room AND o.identity = j.id WHERE j.terminal = i.terminal"
			" AND j.terminal <> '' AND j.bound > i.bound)",
			"nnnt", seq, room_id, from_id, change->message.from_terminal);
	}
	if (code == 0) {
		code = recipients_list(ledger, seq, room_id, &items);
	}
	for (size_t i = 0; code == 0 && i < items.count; i++) {
		uint64_t mailbox_id = items.rows[i].mailbox_id;

		code = bh_tasks_supersede(ledger, change, seq, mailbox_id, from_id);
		if (code == 0) {
			code = bh_ledger_touch_item(ledger, &change->effects, seq, mailbox_id);
		}
	}
	free(items.rows);
	return code;
}

int bh_rooms_add_members(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                         uint64_t room_id)
{
	struct bh_custody_items items = {0};
	int code = recipients_list(ledger, seq, room_id, &items);

	for (size_t i = 0; code == 0 && i < items.count; i++) {
		code = bh_archive_add_message(ledger, change, seq, items.rows[i].mailbox_id, false);
	}
	free(items.rows);
	return code;
}

// How a room is spelled, for the answer.
static int room_name(struct bh_ledger *ledger, struct bh_change *change, uint64_t room_id)
{
	struct bh_query query;
	int code;

	bh_query_start(&query, &ledger->db, "SELECT name FROM identity WHERE id = ?", "n", room_id);
	code = bh_query_next(&query);
	if (code > 0) {
		bh_query_text(&query, 0, change->answer.name, sizeof(change->answer.name));
		bh_query_end(&query);
	}
	return code < 0 ? code : 0;
}

static int room_make(struct bh_ledger *ledger, struct bh_change *change, uint64_t *room_id)
{
	int code = bh_ledger_make_mailbox(ledger, &change->effects, change->name, room_id);

	if (code == 0) { // whoever wrote to it before: who makes it spells it
		code = bh_query_run(
			&ledger->db,
			"UPDATE identity SET known = 1, name = ? WHERE id = ? AND known = 0", "tn",
			change->name, *room_id);
	}
	return code < 0 ? code : bh_ledger_touch_mailbox(ledger, &change->effects, *room_id);
}

static int member_add(struct bh_ledger *ledger, uint64_t room_id, const struct bh_change *change)
{
	int64_t count = 0;
	int64_t known = 0;
	uint64_t id = 0;
	int code = bh_ledger_find_mailbox(ledger, change->text, &id);

	if (code > 0) {
		code = bh_query_find(
			&ledger->db, &known,
			"SELECT 1 FROM identity WHERE id = ? AND known <> 0 AND kind <> 3", "n",
			id);
	}
	if (code == 0) {
		return bh_err_set(&ledger->db.err, BH_ENOTFOUND,
		                  "nobody ever used the name %.80s: see the list of terminals",
		                  change->text);
	}
	if (code > 0) {
		code = bh_query_find(&ledger->db, &count,
		                     "SELECT count(*) FROM member WHERE room = ?", "n", room_id);
	}
	if (code > 0 && count >= BH_ROOM_MEMBERS_MAX) {
		return bh_err_set(&ledger->db.err, BH_ELIMIT,
		                  "%s has %d members, which is the limit: somebody must leave",
		                  change->name, BH_ROOM_MEMBERS_MAX);
	}
	return code < 0 ? code
	                : bh_query_run(&ledger->db,
	                               "INSERT OR IGNORE INTO member (room, identity, joined_ms)"
	                               " VALUES (?, ?, ?)",
	                               "nnn", room_id, id, ledger->now_ms);
}

int bh_rooms_join(struct bh_ledger *ledger, struct bh_change *change)
{
	uint64_t room_id = 0;
	int code = room_make(ledger, change, &room_id);

	if (code == 0) {
		code = room_name(ledger, change, room_id);
	}
	if (code == 0) {
		code = names_find(ledger, change, room_id);
	}
	change->answer.is_replay = code > 0;
	return code == 0 ? member_add(ledger, room_id, change) : code < 0 ? code : 0;
}

// End the membership of one name. Gives how many there were, or a code.
static int member_remove(struct bh_ledger *ledger, uint64_t room_id, const char *name)
{
	uint64_t id = 0;
	int64_t found = 0;
	int code = bh_ledger_find_mailbox(ledger, name, &id);

	return code <= 0 ? code
	                 : bh_query_find(&ledger->db, &found,
	                                 "DELETE FROM member WHERE room = ? AND identity = ?"
	                                 " RETURNING 1",
	                                 "nn", room_id, id);
}

int bh_rooms_leave(struct bh_ledger *ledger, struct bh_change *change)
{
	uint64_t room_id = 0;
	int removed = 0;
	int code = bh_ledger_find_mailbox(ledger, change->name, &room_id);

	memcpy(change->answer.name, change->name, sizeof(change->answer.name));
	if (code > 0) {
		code = room_name(ledger, change, room_id);
	}
	if (code == 0 && change->text[0] != '\0') {
		code = removed = member_remove(ledger, room_id, change->text);
	}
	for (size_t i = 0; code >= 0 && change->text[0] == '\0' && i < change->name_count; i++) {
		code = member_remove(ledger, room_id, change->names[i]);
		removed += code > 0;
	}
	change->answer.is_replay = removed == 0;
	return code < 0 ? code : 0;
}

static int members_list(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_query query;
	uint64_t room_id = 0;
	int64_t known = 0;
	int code = bh_ledger_find_mailbox(ledger, change->name, &room_id);

	if (code > 0) {
		code = bh_query_find(&ledger->db, &known,
		                     "SELECT 1 FROM identity WHERE id = ? AND known <> 0", "n",
		                     room_id);
	}
	if (code == 0) {
		return bh_err_set(&ledger->db.err, BH_ENOTFOUND,
		                  "there is no room %s: see `bellhop room list`", change->name);
	}
	code = code < 0 ? code : room_name(ledger, change, room_id);
	if (code < 0) {
		return code;
	}
	bh_query_start(&query, &ledger->db,
	               "SELECT i.name, m.joined_ms FROM member m JOIN identity i"
	               " ON i.id = m.identity WHERE m.room = ? ORDER BY i.folded",
	               "n", room_id);
	while ((code = bh_query_next(&query)) > 0) {
		struct bh_room *room = bh_change_add_room(change);

		memcpy(room->name, change->answer.name, sizeof(room->name));
		bh_query_text(&query, 0, room->member, sizeof(room->member));
		room->joined_ms = bh_query_number(&query, 1);
	}
	return code;
}

int bh_rooms_list(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_query query;
	int code;

	if (change->name[0] != '\0') {
		return members_list(ledger, change);
	}
	bh_query_start(&query, &ledger->db,
	               "SELECT r.name, r.id, (SELECT count(*) FROM member WHERE room = r.id),"
	               " (SELECT coalesce(max(seq), 0) FROM delivery WHERE mailbox = r.id)"
	               " FROM identity r WHERE r.kind = 3 AND r.known <> 0 ORDER BY r.folded"
	               " LIMIT ?",
	               "i", ROOMS_MAX + 1);
	while ((code = bh_query_next(&query)) > 0) {
		if (change->answer.room_count == ROOMS_MAX) {
			change->answer.has_more = true;
			bh_query_end(&query);
			return 0;
		}

		struct bh_room *room = bh_change_add_room(change);

		bh_query_text(&query, 0, room->name, sizeof(room->name));
		room->members = (unsigned)bh_query_int(&query, 2);
		room->last_seq = (uint64_t)bh_query_number(&query, 3);
		code = names_find(ledger, change, (uint64_t)bh_query_number(&query, 1));
		room->is_member = code > 0;
		if (code < 0) {
			bh_query_end(&query);
			return code;
		}
	}
	return code;
}
