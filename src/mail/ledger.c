#include "src/mail/ledger.h"

#include "src/base/clock.h"
#include "src/base/mem.h"
#include "src/mail/archive.h"
#include "src/mail/bell.h"
#include "src/mail/custody.h"
#include "src/mail/post.h"
#include "src/mail/registry.h"
#include "src/mail/rooms.h"
#include "src/mail/shield.h"
#include "src/mail/tasks.h"
#include "src/mail/turn.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAILBOX_SELECT \
	"SELECT id, name, folded, kind, known, terminal, line, bound," \
	" dnd, dnd_until_ms FROM identity "
#define ITEM_SELECT \
	"SELECT d.mailbox, d.seq, f.name, m.sender, m.created_ms, m.body_len, m.body_lines," \
	" d.typings, d.shown_before, m.task_status, d.ownership, d.claim, m.hops, m.quiet" \
	" FROM delivery d JOIN message m ON m.seq = d.seq JOIN identity f ON f.id = m.from_id "
#define CLAIM_SELECT "SELECT id, kind, phase, terminal, notice, complete, lease_ms FROM claim "
#define NOTICE_SELECT \
	"SELECT terminal, id, state, rings, last_ring_ms, proved_ms, closed_ms FROM notice "
#define TERMINAL_SELECT \
	"SELECT uuid, line, launched_by, identity, mode, started_agent, status, exit_status, cols," \
	" rows, respawn, respawn_count, headless, started_ms, exited_ms, argv, env, extra, cwd," \
	" profile, token_hash, turn_hops, turn_over, EXISTS (SELECT 1 FROM turn_item i WHERE" \
	" i.terminal = uuid) FROM terminal "

typedef int ledger_handler(struct bh_ledger *ledger, struct bh_change *change);

static ledger_handler *const handlers[] = {
	[BH_CHANGE_PUT] = bh_post_put,
	[BH_CHANGE_TAKE] = bh_custody_take,
	[BH_CHANGE_CONFIRM] = bh_custody_confirm,
	[BH_CHANGE_RELEASE] = bh_custody_release,
	[BH_CHANGE_ADVANCE] = bh_custody_advance,
	[BH_CHANGE_RESUME] = bh_archive_resume,
	[BH_CHANGE_ACK] = bh_post_ack,
	[BH_CHANGE_NOTE] = bh_post_note,
	[BH_CHANGE_PEEK] = bh_archive_peek,
	[BH_CHANGE_HISTORY] = bh_archive_history,
	[BH_CHANGE_RECEIPTS] = bh_archive_receipts,
	[BH_CHANGE_PARK] = bh_bell_park,
	[BH_CHANGE_UNPARK] = bh_bell_unpark,
	[BH_CHANGE_BIND] = bh_registry_bind,
	[BH_CHANGE_ANNOUNCE] = bh_registry_announce,
	[BH_CHANGE_SET_MODE] = bh_registry_set_mode,
	[BH_CHANGE_RETIRE] = bh_registry_retire,
	[BH_CHANGE_END_TURN] = bh_turn_end,
	[BH_CHANGE_PERSON] = bh_turn_person,
	[BH_CHANGE_SET_DND] = bh_shield_set_dnd,
	[BH_CHANGE_SET_BLOCK] = bh_shield_set_block,
	[BH_CHANGE_DISCARD] = bh_shield_discard,
	[BH_CHANGE_JOIN] = bh_rooms_join,
	[BH_CHANGE_LEAVE] = bh_rooms_leave,
	[BH_CHANGE_ROOMS] = bh_rooms_list,
	[BH_CHANGE_TASKS] = bh_tasks_list,
	[BH_CHANGE_PROBE] = bh_registry_probe,
	[BH_CHANGE_ENDED] = bh_registry_ended,
	[BH_CHANGE_FORGET] = bh_registry_forget,
};

static_assert(sizeof(handlers) / sizeof(handlers[0]) == BH_CHANGE_COUNT, "a handler per kind");

// Add the image of the row that a query stands on.
typedef void image_reader(const struct bh_query *row, struct bh_effects *effects);

static void read_mailbox(const struct bh_query *row, struct bh_effects *effects)
{
	struct bh_mailbox_image *image = &bh_effects_add(effects, BH_EFFECT_MAILBOX)->mailbox;

	image->id = (uint64_t)bh_query_number(row, 0);
	bh_query_text(row, 1, image->name, sizeof(image->name));
	bh_query_text(row, 2, image->folded, sizeof(image->folded));
	image->kind = (enum bh_identity_kind)bh_query_int(row, 3);
	image->is_known = bh_query_int(row, 4) != 0;
	bh_query_text(row, 5, image->terminal, sizeof(image->terminal));
	bh_query_text(row, 6, image->line, sizeof(image->line));
	image->bound = (uint64_t)bh_query_number(row, 7);
	image->dnd = (enum bh_dnd_state)bh_query_int(row, 8);
	image->dnd_until_ms = bh_query_number(row, 9);
}

static void read_block(const struct bh_query *row, struct bh_effects *effects)
{
	struct bh_block_image *image = &bh_effects_add(effects, BH_EFFECT_BLOCK)->block;

	image->mailbox_id = (uint64_t)bh_query_number(row, 0);
	image->is_blocked = true;
	bh_query_text(row, 1, image->sender, sizeof(image->sender));
}

static void read_item(const struct bh_query *row, struct bh_effects *effects)
{
	struct bh_item_image *image = &bh_effects_add(effects, BH_EFFECT_ITEM)->item;

	image->mailbox_id = (uint64_t)bh_query_number(row, 0);
	image->seq = (uint64_t)bh_query_number(row, 1);
	bh_query_text(row, 2, image->from, sizeof(image->from));
	image->sender = (enum bh_sender)bh_query_int(row, 3);
	image->created_ms = bh_query_number(row, 4);
	image->body_len = (size_t)bh_query_number(row, 5);
	image->body_lines = (size_t)bh_query_number(row, 6);
	image->typings = (unsigned)bh_query_int(row, 7);
	image->is_shown_before = bh_query_int(row, 8) != 0;
	image->task_status = (enum bh_task_status)bh_query_int(row, 9);
	image->ownership = (enum bh_ownership)bh_query_int(row, 10);
	image->claim_id = (uint64_t)bh_query_number(row, 11);
	image->hops = bh_query_int(row, 12);
	image->is_quiet = bh_query_int(row, 13) != 0;
}

static void read_claim(const struct bh_query *row, struct bh_effects *effects)
{
	struct bh_claim_image *image = &bh_effects_add(effects, BH_EFFECT_CLAIM)->claim;

	image->id = (uint64_t)bh_query_number(row, 0);
	image->kind = (enum bh_claim_kind)bh_query_int(row, 1);
	image->phase = (enum bh_phase)bh_query_int(row, 2);
	bh_query_text(row, 3, image->terminal, sizeof(image->terminal));
	image->notice_id = (uint64_t)bh_query_number(row, 4);
	image->is_complete = bh_query_int(row, 5) != 0;
	image->lease_ms = (uint64_t)bh_query_number(row, 6);
}

static void read_notice(const struct bh_query *row, struct bh_effects *effects)
{
	struct bh_notice_image *image = &bh_effects_add(effects, BH_EFFECT_NOTICE)->notice;

	bh_query_text(row, 0, image->terminal, sizeof(image->terminal));
	image->notice.id = (uint64_t)bh_query_number(row, 1);
	image->notice.state = (enum bh_notice_state)bh_query_int(row, 2);
	image->notice.rings = (unsigned)bh_query_int(row, 3);
	image->notice.last_ring_ms = bh_query_number(row, 4);
	image->notice.proved_ms = bh_query_number(row, 5);
	image->notice.closed_ms = bh_query_number(row, 6);
}

static char *column_copy(const struct bh_query *row, int column)
{
	struct bh_span bytes = bh_query_bytes(row, column);

	return bh_xmemdup(bytes.data, bytes.len);
}

static void read_terminal(const struct bh_query *row, struct bh_effects *effects)
{
	struct bh_terminal_record *record = bh_xmalloc(sizeof(*record));

	bh_effects_add(effects, BH_EFFECT_TERMINAL)->terminal = record;
	bh_list_init(&record->names);
	bh_list_init(&record->link);
	bh_query_text(row, 0, record->uuid, sizeof(record->uuid));
	bh_query_text(row, 1, record->line, sizeof(record->line));
	bh_query_text(row, 2, record->launched_by, sizeof(record->launched_by));
	bh_query_text(row, 3, record->identity, sizeof(record->identity));
	record->mode = (enum bh_mode)bh_query_int(row, 4);
	record->has_started_agent = bh_query_int(row, 5) != 0;
	record->status = (enum bh_terminal_status)bh_query_int(row, 6);
	record->exit_status = bh_query_int(row, 7);
	record->cols = bh_query_int(row, 8);
	record->rows = bh_query_int(row, 9);
	record->respawn = (enum bh_respawn)bh_query_int(row, 10);
	record->respawn_count = (unsigned)bh_query_int(row, 11);
	record->is_headless = bh_query_int(row, 12) != 0;
	record->started_ms = bh_query_number(row, 13);
	record->exited_ms = bh_query_number(row, 14);
	record->argv = column_copy(row, 15);
	record->env = column_copy(row, 16);
	record->extra = column_copy(row, 17);
	record->cwd = column_copy(row, 18);
	record->profile = column_copy(row, 19);
	record->token_hash = column_copy(row, 20);
	record->turn_hops = bh_query_int(row, 21);
	record->is_turn_over = bh_query_int(row, 22) != 0;
	record->has_turn_mail = bh_query_int(row, 23) != 0;
}

// Read all rows of a query that was started. Gives their number, or a code.
static int read_rows(struct bh_query *query, image_reader *reader, struct bh_effects *effects)
{
	int count = 0;
	int code;

	while ((code = bh_query_next(query)) > 0) {
		reader(query, effects);
		count++;
	}
	return code < 0 ? code : count;
}

int bh_ledger_touch_mailbox(struct bh_ledger *ledger, struct bh_effects *effects, uint64_t id)
{
	struct bh_query query;
	int count;

	bh_query_start(&query, &ledger->db, MAILBOX_SELECT "WHERE id = ?", "n", id);
	count = read_rows(&query, read_mailbox, effects);
	return count < 0 ? count : 0;
}

int bh_ledger_touch_item(struct bh_ledger *ledger, struct bh_effects *effects, uint64_t seq,
                         uint64_t mailbox_id)
{
	struct bh_query query;
	int count;

	bh_query_start(&query, &ledger->db, ITEM_SELECT "WHERE d.seq = ? AND d.mailbox = ?", "nn",
	               seq, mailbox_id);
	count = read_rows(&query, read_item, effects);
	return count < 0 ? count : 0;
}

int bh_ledger_touch_claim(struct bh_ledger *ledger, struct bh_effects *effects, uint64_t id)
{
	struct bh_query query;
	int count;

	bh_query_start(&query, &ledger->db, CLAIM_SELECT "WHERE id = ?", "n", id);
	count = read_rows(&query, read_claim, effects);
	if (count == 0) {
		struct bh_claim_image *image = &bh_effects_add(effects, BH_EFFECT_CLAIM)->claim;

		image->id = id;
		image->is_over = true;
	}
	return count < 0 ? count : 0;
}

int bh_ledger_touch_notice(struct bh_ledger *ledger, struct bh_effects *effects,
                           const char *terminal)
{
	struct bh_query query;
	int count;

	bh_query_start(&query, &ledger->db,
	               NOTICE_SELECT "WHERE terminal = ? ORDER BY id DESC LIMIT 1", "t", terminal);
	count = read_rows(&query, read_notice, effects);
	return count < 0 ? count : 0;
}

int bh_ledger_touch_terminal(struct bh_ledger *ledger, struct bh_effects *effects, const char *uuid)
{
	struct bh_query query;
	int count;

	bh_query_start(&query, &ledger->db, TERMINAL_SELECT "WHERE uuid = ?", "t", uuid);
	count = read_rows(&query, read_terminal, effects);
	return count < 0 ? count : 0;
}

int bh_ledger_read_ended(struct bh_ledger *ledger, struct bh_effects *effects, size_t limit)
{
	struct bh_query query;

	bh_query_start(&query, &ledger->db,
	               TERMINAL_SELECT
	               "WHERE uuid IN (SELECT uuid FROM terminal WHERE status = 2 AND forgotten = 0"
	               " AND exit_status <> -1 ORDER BY exited_ms DESC LIMIT ?)"
	               " ORDER BY started_ms DESC, exited_ms DESC",
	               "i", (int)limit);
	return read_rows(&query, read_terminal, effects);
}

int bh_ledger_find_mailbox(struct bh_ledger *ledger, const char *name, uint64_t *id_out)
{
	char folded[BH_IDENTITY_SIZE];
	int64_t id = 0;
	int code;

	bh_identity_fold(name, folded);
	code = bh_query_find(&ledger->db, &id, "SELECT id FROM identity WHERE folded = ?", "t",
	                     folded);
	if (code > 0) {
		*id_out = (uint64_t)id;
	}
	return code;
}

int bh_ledger_find_terminal(struct bh_ledger *ledger, uint64_t mailbox_id,
                            char out[BH_CLAIM_TERMINAL_SIZE])
{
	struct bh_query query;
	int code;

	out[0] = '\0';
	bh_query_start(&query, &ledger->db, "SELECT terminal FROM identity WHERE id = ?", "n",
	               mailbox_id);
	code = bh_query_next(&query);
	if (code <= 0) {
		return code;
	}
	bh_query_text(&query, 0, out, BH_CLAIM_TERMINAL_SIZE);
	bh_query_end(&query);
	return out[0] != '\0';
}

int bh_ledger_make_mailbox(struct bh_ledger *ledger, struct bh_effects *effects, const char *name,
                           uint64_t *id_out)
{
	char folded[BH_IDENTITY_SIZE];
	int kind = bh_identity_is_room(name) ? BH_IDENTITY_ROOM : BH_IDENTITY_AGENT;
	int code = bh_ledger_find_mailbox(ledger, name, id_out);

	if (code != 0) {
		return code < 0 ? code : 0;
	}
	bh_identity_fold(name, folded);
	code = bh_query_run(&ledger->db,
	                    "INSERT INTO identity (folded, name, kind, known) VALUES (?, ?, ?, 0)",
	                    "tti", folded, name, kind);
	if (code < 0) {
		return code;
	}
	*id_out = (uint64_t)sqlite3_last_insert_rowid(ledger->db.handle);
	return bh_ledger_touch_mailbox(ledger, effects, *id_out);
}

int bh_ledger_list_keys(struct bh_ledger *ledger, const struct bh_change *change,
                        struct bh_buf *out)
{
	int code = 0;

	bh_buf_puts(out, "[0");
	for (size_t i = 0; code >= 0 && i < change->name_count; i++) {
		uint64_t id = 0;

		code = bh_ledger_find_mailbox(ledger, change->names[i], &id);
		if (code > 0) {
			bh_buf_printf(out, ",%llu", (unsigned long long)id);
		}
	}
	bh_buf_puts(out, "]");
	return code < 0 ? code : 0;
}

int bh_ledger_find_message(struct bh_ledger *ledger, const char *ref, uint64_t *seq_out)
{
	uint64_t number = bh_message_number('m', ref);
	int64_t seq = 0;
	int code = 0;

	if (number != 0) {
		code = bh_query_find(&ledger->db, &seq, "SELECT seq FROM message WHERE seq = ?",
		                     "n", number);
	}
	if (code == 0) { // "m42" may also be the id that a client made
		code = bh_query_find(&ledger->db, &seq,
		                     "SELECT seq FROM message WHERE message_id = ?", "t", ref);
	}
	if (code > 0) {
		*seq_out = (uint64_t)seq;
	}
	return code;
}

int bh_ledger_has_mail(struct bh_ledger *ledger, const char *terminal, bool unread_only,
                       bool *has_out)
{
	int64_t found = 0;
	int code = bh_query_find(
		&ledger->db, &found,
		"SELECT 1 FROM identity i CROSS JOIN delivery d ON d.mailbox = i.id"
		" WHERE i.terminal = ? AND i.terminal <> '' AND d.ownership = 0 AND" BH_SHIELD_PASSES
		" LIMIT 1",
		"t", terminal);

	if (code == 0 && !unread_only) {
		code = bh_query_find(&ledger->db, &found,
		                     "SELECT 1 FROM claim c CROSS JOIN delivery d ON d.claim = c.id"
		                     " CROSS JOIN identity i ON i.id = d.mailbox"
		                     " WHERE d.claim <> 0 AND i.terminal = ? LIMIT 1",
		                     "t", terminal);
	}
	*has_out = code > 0;
	return code < 0 ? code : 0;
}

int bh_ledger_write_receipt(struct bh_ledger *ledger, uint64_t seq, uint64_t mailbox_id,
                            enum bh_receipt_step step, const char *cause)
{
	return bh_query_run(&ledger->db,
	                    "INSERT INTO receipt (seq, n, mailbox, at_ms, step, cause) VALUES (?1,"
	                    " (SELECT coalesce(max(n), 0) + 1 FROM receipt WHERE seq = ?1),"
	                    " ?2, ?3, ?4, ?5)",
	                    "nnnit", seq, mailbox_id, ledger->now_ms, (int)step, cause);
}

// The part of a mailbox's unread mail that its last range receipt did not say the same about:
// from *from_out to *to_out. Gives 1, or 0 when there is no such part.
static int range_find(struct bh_ledger *ledger, uint64_t mailbox_id, enum bh_receipt_step step,
                      const char *cause, int64_t bounds_out[2])
{
	struct bh_query query;
	int64_t said = 0;
	int code;

	bh_query_start(
		&query, &ledger->db,
		"SELECT coalesce(min(seq), 0), coalesce(max(seq), 0) FROM"
		" (SELECT min(seq) AS seq FROM delivery WHERE mailbox = ?1 AND ownership = 0"
		" UNION ALL"
		" SELECT max(seq) AS seq FROM delivery WHERE mailbox = ?1 AND ownership = 0)",
		"n", mailbox_id);
	code = bh_query_next(&query);
	if (code <= 0) {
		return code;
	}
	bounds_out[0] = bh_query_number(&query, 0);
	bounds_out[1] = bh_query_number(&query, 1);
	bh_query_end(&query);
	code = bh_query_find(&ledger->db, &said,
	                     "SELECT to_seq FROM (SELECT * FROM range_receipt WHERE mailbox = ?"
	                     " ORDER BY id DESC LIMIT 1) WHERE step = ? AND cause = ?",
	                     "nit", mailbox_id, (int)step, cause);
	if (code > 0 && said >= bounds_out[0]) {
		bounds_out[0] = said + 1;
	}
	return code < 0 ? code : bounds_out[1] != 0 && bounds_out[0] <= bounds_out[1];
}

int bh_ledger_write_range(struct bh_ledger *ledger, uint64_t mailbox_id, enum bh_receipt_step step,
                          const char *cause)
{
	int64_t bounds[2] = {0, 0};
	int code = range_find(ledger, mailbox_id, step, cause, bounds);

	if (code <= 0) {
		return code;
	}
	return bh_query_run(
		&ledger->db,
		"INSERT INTO range_receipt (mailbox, from_seq, to_seq, at_ms, step, cause)"
		" VALUES (?, ?, ?, ?, ?, ?)",
		"nnnnit", mailbox_id, bounds[0], bounds[1], ledger->now_ms, (int)step, cause);
}

int bh_ledger_apply(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_database *db = &ledger->db;
	int code = bh_query_run(db, "SAVEPOINT change", "");

	ledger->now_ms = bh_clock_wall_ms();
	if (code < 0) {
		return code;
	}
	db->is_broken = false;
	code = handlers[change->kind](ledger, change);
	if (db->is_broken) {
		return db->err.code;
	}
	if (code < 0) {
		struct bh_err refusal = db->err;

		code = bh_query_run(db, "ROLLBACK TO change", "");
		bh_change_reset(change);
		change->answer.err = refusal;
	}
	return code < 0 ? code : bh_query_run(db, "RELEASE change", "");
}

// What a crash left claimed, and nothing of which can be in a terminal: all claims of readers, and
// attempts that had not written a byte.
#define VOID_CLAIMS "(SELECT id FROM claim WHERE kind < 3 OR phase = 0)"

static int ledger_recover(struct bh_ledger *ledger)
{
	struct bh_database *db = &ledger->db;
	int64_t boot = 0;
	int code = bh_query_find(db, &boot, "UPDATE meta SET boot = boot + 1 RETURNING boot", "");

	if (code > 0) {
		ledger->boot = (uint64_t)boot;
		ledger->now_ms = bh_clock_wall_ms();
		code = bh_query_run(
			db,
			"INSERT INTO receipt (seq, n, mailbox, at_ms, step, cause)"
			" SELECT d.seq, (SELECT coalesce(max(n), 0) FROM receipt r"
			" WHERE r.seq = d.seq)"
			" + row_number() OVER (PARTITION BY d.seq), d.mailbox, ?, ?, ?"
			" FROM delivery d WHERE d.claim <> 0 AND d.claim IN " VOID_CLAIMS,
			"nit", ledger->now_ms, (int)BH_RECEIPT_RETURNED, "restart");
	}
	if (code == 0) { // a reader may have shown it, an attempt that wrote nothing has not
		code = bh_query_run(
			db,
			"UPDATE delivery SET ownership = 0, shown_before = shown_before OR"
			" (SELECT kind < 3 FROM claim WHERE id = delivery.claim), claim = 0"
			" WHERE claim <> 0 AND claim IN " VOID_CLAIMS,
			"");
	}
	if (code == 0) {
		code = bh_query_run(db, "DELETE FROM claim_item WHERE claim IN " VOID_CLAIMS, "");
	}
	return code < 0 ? code : bh_query_run(db, "DELETE FROM claim WHERE id IN " VOID_CLAIMS, "");
}

static int ledger_load_last(struct bh_ledger *ledger)
{
	int64_t seq = 0;
	int code =
		bh_query_find(&ledger->db, &seq, "SELECT coalesce(max(seq), 0) FROM message", "");

	ledger->last_seq = (uint64_t)seq;
	return code < 0 ? code : 0;
}

static int ledger_load(struct bh_ledger *ledger, struct bh_effects *effects)
{
	// Order matters: a row comes after those that it points to.
	static const struct {
		const char *sql;
		image_reader *reader;
	} parts[] = {
		{TERMINAL_SELECT "WHERE status <> 2 ORDER BY started_ms, uuid", read_terminal},
		{MAILBOX_SELECT "ORDER BY id", read_mailbox},
		{"SELECT b.mailbox, i.folded FROM block b JOIN identity i ON i.id = b.sender",
	         read_block},
		{NOTICE_SELECT "WHERE id IN (SELECT max(n.id) FROM terminal t"
	                       " CROSS JOIN notice n ON n.terminal = t.uuid"
	                       " WHERE t.status <> 2 GROUP BY n.terminal)",
	         read_notice},
		{CLAIM_SELECT "ORDER BY id", read_claim},
		{ITEM_SELECT "WHERE d.ownership = 0 ORDER BY d.mailbox, d.seq", read_item},
		{ITEM_SELECT
	         "WHERE d.claim <> 0 AND d.claim IN (SELECT id FROM claim) ORDER BY d.mailbox, d.seq",
	         read_item},
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct bh_query query;
		int count;

		bh_query_start(&query, &ledger->db, parts[i].sql, "");
		count = read_rows(&query, parts[i].reader, effects);
		if (count < 0) {
			return count;
		}
	}
	for (size_t i = 0; i < effects->count; i++) {
		if (effects->rows[i].kind == BH_EFFECT_CLAIM) {
			effects->rows[i].claim.is_recovered = true;
		}
	}
	return ledger_load_last(ledger);
}

int bh_ledger_open(struct bh_ledger *ledger, const char *path, unsigned max_pages,
                   struct bh_effects *effects, struct bh_err *err)
{
	int code;

	*ledger = (struct bh_ledger){0};
	code = bh_database_open(&ledger->db, path, max_pages, err);
	if (code < 0) {
		return code;
	}
	code = bh_database_begin(&ledger->db);
	if (code == 0) {
		code = ledger_recover(ledger);
	}
	if (code == 0) {
		code = ledger_load(ledger, effects);
	}
	if (code == 0) {
		code = bh_database_commit(&ledger->db);
		// It was loaded as it will be; people want to see what is there, most of all now.
		ledger->is_unsettled = bh_database_is_full(code);
		code = ledger->is_unsettled ? 0 : code;
	}
	if (code < 0) {
		(void)bh_err_set(err, code, "open the mail store %s: %s", path,
		                 ledger->db.err.text);
		bh_effects_clear(effects);
		bh_ledger_close(ledger);
	}
	return code;
}

int bh_ledger_settle(struct bh_ledger *ledger)
{
	return ledger->is_unsettled ? ledger_recover(ledger) : 0;
}

void bh_ledger_close(struct bh_ledger *ledger)
{
	bh_database_close(&ledger->db);
}
