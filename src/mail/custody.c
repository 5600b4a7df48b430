#include "src/mail/custody.h"

#include "src/base/mem.h"
#include "src/mail/archive.h"
#include "src/mail/bell.h"
#include "src/mail/shield.h"
#include "src/mail/turn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A claim's row.
struct claim_row {
	uint64_t id;
	enum bh_claim_kind kind;
	enum bh_phase phase;
	char terminal[BH_CLAIM_TERMINAL_SIZE];
	uint64_t notice_id;
	bool is_complete;
};

static bool kind_is_attempt(enum bh_claim_kind kind)
{
	return kind == BH_CLAIM_TYPING || kind == BH_CLAIM_NOTICE;
}

void bh_custody_add(struct bh_custody_items *items, const struct bh_custody_item *item)
{
	if (items->count == items->size) {
		items->size = items->size == 0 ? 16 : items->size * 2;
		items->rows = bh_xrealloc(items->rows, items->size, sizeof(*items->rows));
	}
	items->rows[items->count++] = *item;
}

// Add all rows (seq, mailbox, body_len, body_lines, typings) of a query that was started.
static int items_read(struct bh_query *query, struct bh_custody_items *items)
{
	int code;

	while ((code = bh_query_next(query)) > 0) {
		struct bh_custody_item item = {
			.seq = (uint64_t)bh_query_number(query, 0),
			.mailbox_id = (uint64_t)bh_query_number(query, 1),
			.body_len = (size_t)bh_query_number(query, 2),
			.body_lines = (size_t)bh_query_number(query, 3),
			.typings = (unsigned)bh_query_int(query, 4),
		};

		bh_custody_add(items, &item);
	}
	return code;
}

static int item_compare(const void *a, const void *b)
{
	uint64_t a_seq = ((const struct bh_custody_item *)a)->seq;
	uint64_t b_seq = ((const struct bh_custody_item *)b)->seq;

	return (a_seq > b_seq) - (a_seq < b_seq);
}

void bh_custody_sort(struct bh_custody_items *items)
{
	size_t kept = 0;

	if (items->count == 0) {
		return;
	}
	qsort(items->rows, items->count, sizeof(*items->rows), item_compare);
	for (size_t i = 1; i < items->count; i++) {
		if (item_compare(&items->rows[i], &items->rows[kept]) != 0) {
			items->rows[++kept] = items->rows[i];
		}
	}
	items->count = kept + 1;
}

#define UNREAD_SELECT \
	"SELECT d.seq, d.mailbox, m.body_len, m.body_lines, d.typings" \
	" FROM delivery d JOIN message m ON m.seq = d.seq WHERE d.mailbox = ? AND d.ownership = 0"

// Who opens the inbox sees all of it; other routes leave out senders that are blocked.
static int mailbox_list_unread(struct bh_ledger *ledger, const struct bh_change *change,
                               uint64_t mailbox_id, size_t limit, struct bh_custody_items *items)
{
	struct bh_query query;

	bh_query_start(&query, &ledger->db,
	               change->take_kind == BH_CLAIM_INBOX ? UNREAD_SELECT " ORDER BY d.seq LIMIT ?"
	                                                   : UNREAD_SELECT
	                       " AND" BH_SHIELD_PASSES " ORDER BY d.seq LIMIT ?",
	               "nn", mailbox_id, (uint64_t)limit);
	return items_read(&query, items);
}

// The unread mail of a terminal's names.
static int terminal_list_unread(struct bh_ledger *ledger, const struct bh_change *change,
                                size_t limit, struct bh_custody_items *items)
{
	uint64_t after = 0;
	int64_t id = 0;
	int code;

	while ((code = bh_query_find(
			&ledger->db, &id,
			"SELECT id FROM identity WHERE terminal = ? AND terminal <> '' AND id > ?"
			" ORDER BY id LIMIT 1",
			"tn", change->terminal, after)) > 0) {
		after = (uint64_t)id;
		code = mailbox_list_unread(ledger, change, after, limit, items);
		if (code < 0) {
			return code;
		}
	}
	return code;
}

int bh_custody_list_unread(struct bh_ledger *ledger, const struct bh_change *change, size_t limit,
                           struct bh_custody_items *items_out)
{
	int code = 0;

	if (change->name_count == 0 && change->terminal[0] != '\0') {
		code = terminal_list_unread(ledger, change, limit, items_out);
	}
	for (size_t i = 0; code >= 0 && i < change->name_count; i++) {
		uint64_t mailbox_id = 0;

		code = bh_ledger_find_mailbox(ledger, change->names[i], &mailbox_id);
		if (code > 0) {
			code = mailbox_list_unread(ledger, change, mailbox_id, limit, items_out);
		}
	}
	if (code < 0) {
		return code;
	}
	bh_custody_sort(items_out);
	items_out->count = items_out->count < limit ? items_out->count : limit;
	return 0;
}

void bh_custody_cut(struct bh_custody_items *items, size_t body_max, size_t lines_max,
                    bool always_first)
{
	size_t len = 0;
	size_t lines = 0;

	for (size_t i = 0; i < items->count; i++) {
		len += items->rows[i].body_len;
		lines += items->rows[i].body_lines;
		if (i == 0 && always_first) {
			continue;
		}
		if ((body_max != 0 && len > body_max) || (lines_max != 0 && lines > lines_max)) {
			items->count = i;
		}
	}
}

// What was typed twice is never typed again, and nothing overtakes it.
static void items_cut_typed(struct bh_custody_items *items)
{
	for (size_t i = 0; i < items->count; i++) {
		if (items->rows[i].typings >= BH_ITEM_TYPINGS_MAX) {
			items->count = i;
		}
	}
}

// Nothing overtakes mail that a reader holds: unconfirmed it would be shown after what is newer.
static int items_cut_held(struct bh_ledger *ledger, struct bh_custody_items *items)
{
	int64_t seq = 0;
	int code = 0;

	for (size_t i = 0; i < items->count && code == 0; i++) {
		code = bh_query_find(&ledger->db, &seq,
		                     "SELECT seq FROM delivery WHERE claim <> 0 AND ownership = 1"
		                     " AND mailbox = ? AND seq < ? LIMIT 1",
		                     "nn", items->rows[i].mailbox_id, items->rows[i].seq);
		if (code > 0) {
			items->count = i;
		}
	}
	return code < 0 ? code : 0;
}

static int claim_find(struct bh_ledger *ledger, uint64_t id, struct claim_row *row)
{
	struct bh_query query;
	int code;

	bh_query_start(&query, &ledger->db,
	               "SELECT id, kind, phase, terminal, notice, complete FROM claim WHERE id = ?",
	               "n", id);
	code = bh_query_next(&query);
	if (code == 0) {
		return bh_err_set(
			&ledger->db.err, BH_ENOTFOUND,
			"this mail is not held any more; what was not seen is unread again: "
			"read the inbox again");
	}
	if (code > 0) {
		row->id = (uint64_t)bh_query_number(&query, 0);
		row->kind = (enum bh_claim_kind)bh_query_int(&query, 1);
		row->phase = (enum bh_phase)bh_query_int(&query, 2);
		bh_query_text(&query, 3, row->terminal, sizeof(row->terminal));
		row->notice_id = (uint64_t)bh_query_number(&query, 4);
		row->is_complete = bh_query_int(&query, 5) != 0;
		bh_query_end(&query);
		code = 0;
	}
	return code;
}

static int claim_find_reader(struct bh_ledger *ledger, uint64_t id, struct claim_row *row)
{
	int code = claim_find(ledger, id, row);

	if (code == 0 && kind_is_attempt(row->kind)) {
		return bh_err_set(&ledger->db.err, BH_EINVALID,
		                  "claim %llu is a typing attempt, which only its phases move",
		                  (unsigned long long)id);
	}
	return code;
}

// The mail that a claim holds now.
static int claim_list_held(struct bh_ledger *ledger, uint64_t id, struct bh_custody_items *items)
{
	struct bh_query query;

	bh_query_start(&query, &ledger->db,
	               "SELECT seq, mailbox, 0, 0, typings FROM delivery WHERE claim = ?"
	               " AND claim <> 0 ORDER BY seq",
	               "n", id);
	return items_read(&query, items);
}

// The mail that an attempt is about and that nobody has seen, whoever holds it.
static int claim_list_unseen(struct bh_ledger *ledger, uint64_t id, struct bh_custody_items *items)
{
	struct bh_query query;

	bh_query_start(&query, &ledger->db,
	               "SELECT d.seq, d.mailbox, 0, 0, d.typings FROM claim_item c"
	               " JOIN delivery d ON d.seq = c.seq AND d.mailbox = c.mailbox"
	               " WHERE c.claim = ? AND d.ownership <> 2 ORDER BY d.seq",
	               "n", id);
	return items_read(&query, items);
}

static int claim_delete(struct bh_ledger *ledger, struct bh_change *change, uint64_t id)
{
	int code = bh_query_run(&ledger->db, "DELETE FROM claim_item WHERE claim = ?", "n", id);

	if (code == 0) {
		code = bh_query_run(&ledger->db, "DELETE FROM claim WHERE id = ?", "n", id);
	}
	return code < 0 ? code : bh_ledger_touch_claim(ledger, &change->effects, id);
}

int bh_custody_mark_seen(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                         uint64_t mailbox_id, enum bh_seen_how how)
{
	int code = bh_query_run(&ledger->db,
	                        "UPDATE delivery SET ownership = 2, claim = 0, seen_how = ?,"
	                        " seen_ms = ? WHERE seq = ? AND mailbox = ?",
	                        "innn", (int)how, ledger->now_ms, seq, mailbox_id);

	if (code == 0) {
		code = bh_ledger_write_receipt(ledger, seq, mailbox_id, BH_RECEIPT_SEEN,
		                               bh_seen_word(how));
	}
	return code < 0 ? code : bh_ledger_touch_item(ledger, &change->effects, seq, mailbox_id);
}

int bh_custody_reopen(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                      uint64_t mailbox_id, const char *why)
{
	int code = bh_query_run(&ledger->db,
	                        "UPDATE delivery SET ownership = 0, shown_before = 1, seen_how = 0,"
	                        " seen_ms = 0 WHERE seq = ? AND mailbox = ?",
	                        "nn", seq, mailbox_id);

	if (code == 0) {
		code = bh_ledger_write_receipt(ledger, seq, mailbox_id, BH_RECEIPT_RETURNED, why);
	}
	return code < 0 ? code : bh_ledger_touch_item(ledger, &change->effects, seq, mailbox_id);
}

int bh_custody_supersede(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                         uint64_t mailbox_id, uint64_t by)
{
	char cause[24];
	int code = bh_query_run(&ledger->db,
	                        "UPDATE delivery SET ownership = 2, claim = 0, seen_how = ?,"
	                        " seen_ms = ? WHERE seq = ? AND mailbox = ? AND ownership = 0",
	                        "innn", BH_SEEN_SUPERSEDED, ledger->now_ms, seq, mailbox_id);

	(void)snprintf(cause, sizeof(cause), "m%llu", (unsigned long long)by); // it fits
	if (code == 0) {
		code = bh_ledger_write_receipt(ledger, seq, mailbox_id, BH_RECEIPT_SUPERSEDED,
		                               cause);
	}
	return code < 0 ? code : bh_ledger_touch_item(ledger, &change->effects, seq, mailbox_id);
}

// Make all that a claim holds unread again. @cause NULL: without a receipt.
static int claim_let_go(struct bh_ledger *ledger, struct bh_change *change, uint64_t id,
                        bool was_shown, enum bh_receipt_step step, const char *cause)
{
	struct bh_custody_items items = {0};
	int code = claim_list_held(ledger, id, &items);

	for (size_t i = 0; code == 0 && i < items.count; i++) {
		const struct bh_custody_item *item = &items.rows[i];

		code = bh_query_run(
			&ledger->db,
			"UPDATE delivery SET ownership = 0, claim = 0,"
			" shown_before = shown_before OR ? WHERE seq = ? AND mailbox = ?",
			"inn", (int)was_shown, item->seq, item->mailbox_id);
		if (code == 0 && cause != NULL) {
			code = bh_ledger_write_receipt(ledger, item->seq, item->mailbox_id, step,
			                               cause);
		}
		if (code == 0) {
			code = bh_ledger_touch_item(ledger, &change->effects, item->seq,
			                            item->mailbox_id);
		}
	}
	free(items.rows);
	return code;
}

static int claim_insert(struct bh_ledger *ledger, struct bh_change *change,
                        const struct claim_row *row)
{
	int code = bh_query_run(&ledger->db,
	                        "INSERT INTO claim (id, kind, phase, terminal, notice, complete,"
	                        " lease_ms) VALUES (?, ?, 0, ?, ?, ?, ?)",
	                        "nitnin", row->id, (int)row->kind, row->terminal, row->notice_id,
	                        (int)row->is_complete, change->lease_ms);

	change->answer.claim_id = row->id;
	change->answer.notice_id = row->notice_id;
	return code < 0 ? code : bh_ledger_touch_claim(ledger, &change->effects, row->id);
}

// Give one unread message to a claim.
static int claim_hold(struct bh_ledger *ledger, const struct claim_row *row,
                      const struct bh_custody_item *item)
{
	int code = bh_query_run(&ledger->db,
	                        "UPDATE delivery SET ownership = 1, claim = ? WHERE seq = ?"
	                        " AND mailbox = ?",
	                        "nnn", row->id, item->seq, item->mailbox_id);

	if (code < 0) {
		return code;
	}
	if (kind_is_attempt(row->kind)) {
		return bh_query_run(&ledger->db,
		                    "INSERT INTO claim_item (claim, seq, mailbox) VALUES (?, ?, ?)",
		                    "nnn", row->id, item->seq, item->mailbox_id);
	}
	return bh_ledger_write_receipt(ledger, item->seq, item->mailbox_id, BH_RECEIPT_HANDED_OVER,
	                               bh_claim_kind_word(row->kind));
}

// Whether nothing is unread any more: in the terminal, under whatever name, for its notice is about
// all of them; of a reader outside, in the mailboxes that it named.
static int take_is_complete(struct bh_ledger *ledger, const struct bh_change *change,
                            bool *is_complete_out)
{
	struct bh_custody_items items = {0};
	bool has_mail = false;
	int code;

	if (change->terminal[0] != '\0') {
		code = bh_ledger_has_mail(ledger, change->terminal, true, &has_mail);
	} else {
		code = bh_custody_list_unread(ledger, change, 1, &items);
		has_mail = items.count > 0;
	}
	*is_complete_out = !has_mail;
	free(items.rows);
	return code;
}

static int take_items(struct bh_ledger *ledger, struct bh_change *change, struct claim_row *row,
                      const struct bh_custody_items *items)
{
	int code = 0;

	for (size_t i = 0; code == 0 && i < items->count; i++) {
		code = claim_hold(ledger, row, &items->rows[i]);
	}
	if (code == 0) {
		code = take_is_complete(ledger, change, &row->is_complete);
	}
	if (code == 0) {
		code = claim_insert(ledger, change, row);
	}
	for (size_t i = 0; code == 0 && i < items->count; i++) {
		const struct bh_custody_item *item = &items->rows[i];

		code = bh_ledger_touch_item(ledger, &change->effects, item->seq, item->mailbox_id);
		if (code == 0) {
			code = bh_archive_add_message(ledger, change, item->seq, item->mailbox_id,
			                              true);
		}
	}
	return code;
}

static int take_mail(struct bh_ledger *ledger, struct bh_change *change, struct claim_row *row)
{
	struct bh_custody_items items = {0};
	bool is_typing = row->kind == BH_CLAIM_TYPING;
	size_t limit = change->limit != 0 && change->limit < BH_ARCHIVE_MESSAGES_MAX
	                       ? change->limit
	                       : BH_ARCHIVE_MESSAGES_MAX;
	size_t body_max = change->body_max == 0 ? BH_ARCHIVE_BODIES_MAX : change->body_max;
	int code = bh_custody_list_unread(ledger, change, limit, &items);

	if (code == 0) {
		bh_custody_cut(&items, body_max, change->lines_max, !is_typing);
		if (is_typing) {
			items_cut_typed(&items);
		}
		if (is_typing || row->kind == BH_CLAIM_CHANNEL) {
			code = items_cut_held(ledger, &items);
		}
	}
	if (code == 0) {
		code = items.count == 0 ? 0 : take_items(ledger, change, row, &items);
	}
	free(items.rows);
	return code;
}

// One attempt per terminal: it must be over before the next begins.
static int take_check_attempt(struct bh_ledger *ledger, const struct bh_change *change)
{
	int64_t id = 0;
	int code = bh_query_find(&ledger->db, &id,
	                         "SELECT id FROM claim WHERE terminal = ? AND kind >= 3 LIMIT 1",
	                         "t", change->terminal);

	return code <= 0 ? code
	                 : bh_err_set(&ledger->db.err, BH_EBUSY,
	                              "an earlier typing attempt in this terminal is not over");
}

int bh_custody_take(struct bh_ledger *ledger, struct bh_change *change)
{
	struct claim_row row = {.kind = change->take_kind};
	int code = 0;

	memcpy(row.terminal, change->terminal, sizeof(row.terminal));
	row.id = ledger->boot << 32 | ++ledger->claims;
	if (kind_is_attempt(row.kind)) {
		code = take_check_attempt(ledger, change);
	}
	if (code < 0) {
		return code;
	}
	if (row.kind != BH_CLAIM_NOTICE) {
		return take_mail(ledger, change, &row);
	}
	code = bh_bell_claim(ledger, change, row.terminal, &row.notice_id);
	return code <= 0 ? code : claim_insert(ledger, change, &row);
}

static enum bh_seen_how seen_by(enum bh_claim_kind kind)
{
	static const enum bh_seen_how ways[] = {
		[BH_CLAIM_INBOX] = BH_SEEN_INBOX,     [BH_CLAIM_WAITER] = BH_SEEN_WAITER,
		[BH_CLAIM_CHANNEL] = BH_SEEN_CHANNEL, [BH_CLAIM_TYPING] = BH_SEEN_TYPED,
		[BH_CLAIM_NOTICE] = BH_SEEN_NOT,
	};

	return ways[kind];
}

int bh_custody_confirm(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_custody_items items = {0};
	struct claim_row row = {0};
	int code = claim_find_reader(ledger, change->claim_id, &row);

	if (code == 0) {
		code = claim_list_held(ledger, row.id, &items);
	}
	for (size_t i = 0; code == 0 && i < items.count; i++) {
		code = bh_custody_mark_seen(ledger, change, items.rows[i].seq,
		                            items.rows[i].mailbox_id, seen_by(row.kind));
		if (code == 0 && row.terminal[0] != '\0') {
			code = bh_turn_take(ledger, row.terminal, items.rows[i].seq,
			                    items.rows[i].mailbox_id, false);
		}
	}
	free(items.rows);
	if (code == 0) {
		code = claim_delete(ledger, change, row.id);
	}
	if (code == 0 && row.terminal[0] != '\0') {
		code = bh_ledger_touch_terminal(ledger, &change->effects, row.terminal);
	}
	if (code == 0 && row.terminal[0] != '\0') {
		// Who reads a page is reading: what is left is a group of its own.
		code = bh_bell_close(ledger, change, row.terminal, row.is_complete);
	}
	return code;
}

static int claim_release(struct bh_ledger *ledger, struct bh_change *change, uint64_t id,
                         bool was_shown, const char *why)
{
	int code = claim_let_go(ledger, change, id, was_shown, BH_RECEIPT_RETURNED, why);

	return code < 0 ? code : claim_delete(ledger, change, id);
}

int bh_custody_release(struct bh_ledger *ledger, struct bh_change *change)
{
	struct claim_row row = {0};
	int code = claim_find_reader(ledger, change->claim_id, &row);

	return code < 0 ? code : claim_release(ledger, change, row.id, change->flag, change->text);
}

int bh_custody_release_readers(struct bh_ledger *ledger, struct bh_change *change,
                               const char *terminal, const char *why)
{
	int64_t id = 0;
	int code;

	while ((code = bh_query_find(&ledger->db, &id,
	                             "SELECT id FROM claim WHERE terminal = ? AND kind < 3 LIMIT 1",
	                             "t", terminal)) > 0) {
		code = claim_release(ledger, change, (uint64_t)id, true, why);
		if (code < 0) {
			return code;
		}
	}
	return code;
}

// ---- the phases of an attempt: what else each one moves --------------------------------------

// Count an attempt that is about to be written; or (@by -1) take back that it was.
static int phase_count(struct bh_ledger *ledger, struct bh_change *change,
                       const struct claim_row *row, int by)
{
	struct bh_custody_items items = {0};
	int code;

	if (row->kind == BH_CLAIM_NOTICE) {
		return bh_bell_count_ring(ledger, change, row->terminal, row->notice_id, by);
	}
	code = claim_list_held(ledger, row->id, &items);
	for (size_t i = 0; code == 0 && i < items.count; i++) {
		const struct bh_custody_item *item = &items.rows[i];

		code = bh_query_run(&ledger->db,
		                    "UPDATE delivery SET typings = max(typings + ?, 0)"
		                    " WHERE seq = ? AND mailbox = ?",
		                    "inn", by, item->seq, item->mailbox_id);
		if (code == 0) {
			code = bh_ledger_touch_item(ledger, &change->effects, item->seq,
			                            item->mailbox_id);
		}
	}
	free(items.rows);
	return code;
}

// After `uncertain` only a CR was missing: what nobody took meanwhile is held again.
static int phase_cr_sent(struct bh_ledger *ledger, struct bh_change *change,
                         const struct claim_row *row)
{
	struct bh_custody_items items = {0};
	int code =
		row->phase == BH_PHASE_UNCERTAIN ? claim_list_unseen(ledger, row->id, &items) : 0;

	for (size_t i = 0; code == 0 && i < items.count; i++) {
		const struct bh_custody_item *item = &items.rows[i];

		code = bh_query_run(&ledger->db,
		                    "UPDATE delivery SET ownership = 1, claim = ? WHERE seq = ?"
		                    " AND mailbox = ? AND ownership = 0",
		                    "nnn", row->id, item->seq, item->mailbox_id);
		if (code == 0) {
			code = bh_ledger_touch_item(ledger, &change->effects, item->seq,
			                            item->mailbox_id);
		}
	}
	free(items.rows);
	return code;
}

static int phase_proved(struct bh_ledger *ledger, struct bh_change *change,
                        const struct claim_row *row)
{
	struct bh_custody_items items = {0};
	int code;

	if (row->kind == BH_CLAIM_NOTICE) {
		return bh_bell_prove(ledger, change, row->terminal, row->notice_id);
	}
	code = claim_list_unseen(ledger, row->id, &items);
	if (code == 0) {
		code = bh_turn_begin(ledger, row->terminal);
	}
	for (size_t i = 0; code == 0 && i < items.count; i++) {
		const struct bh_custody_item *item = &items.rows[i];

		code = bh_ledger_write_receipt(ledger, item->seq, item->mailbox_id,
		                               BH_RECEIPT_TYPED, change->text);
		if (code == 0) {
			code = bh_custody_mark_seen(ledger, change, item->seq, item->mailbox_id,
			                            BH_SEEN_TYPED);
		}
		if (code == 0) {
			code = bh_turn_take(ledger, row->terminal, item->seq, item->mailbox_id,
			                    true);
		}
	}
	if (code == 0) {
		code = bh_ledger_touch_terminal(ledger, &change->effects, row->terminal);
	}
	if (code == 0 && items.count > 0) {
		code = bh_bell_close_if_read(ledger, change, items.rows[0].mailbox_id);
	}
	free(items.rows);
	return code;
}

static int phase_withdrawn(struct bh_ledger *ledger, struct bh_change *change,
                           const struct claim_row *row)
{
	int code = 0;

	if (change->flag && row->phase == BH_PHASE_WRITING) {
		code = phase_count(ledger, change, row, -1);
	}
	return code < 0 ? code
	                : claim_let_go(ledger, change, row->id, false, BH_RECEIPT_RETURNED,
	                               row->phase == BH_PHASE_CLAIMED ? NULL : change->text);
}

static int phase_effects(struct bh_ledger *ledger, struct bh_change *change,
                         const struct claim_row *row)
{
	switch (change->phase) {
	case BH_PHASE_WRITING:
		return phase_count(ledger, change, row, 1);
	case BH_PHASE_CR_SENT:
		return phase_cr_sent(ledger, change, row);
	case BH_PHASE_PROVED:
		return phase_proved(ledger, change, row);
	case BH_PHASE_UNCERTAIN:
		return claim_let_go(ledger, change, row->id, true, BH_RECEIPT_UNPROVED,
		                    change->text);
	case BH_PHASE_WITHDRAWN:
		return phase_withdrawn(ledger, change, row);
	case BH_PHASE_CLAIMED:
	case BH_PHASE_ECHOED:
		break;
	}
	return 0;
}

int bh_custody_advance(struct bh_ledger *ledger, struct bh_change *change)
{
	struct claim_row row = {0};
	int code = claim_find(ledger, change->claim_id, &row);

	if (code < 0) {
		return code;
	}
	if (!kind_is_attempt(row.kind) || !bh_phase_may_follow(row.phase, change->phase)) {
		return bh_err_set(&ledger->db.err, BH_EINVALID,
		                  "a claim of kind %s in phase %s does not go to phase %s",
		                  bh_claim_kind_word(row.kind), bh_phase_word(row.phase),
		                  bh_phase_word(change->phase));
	}
	code = bh_query_run(&ledger->db, "UPDATE claim SET phase = ? WHERE id = ?", "in",
	                    (int)change->phase, row.id);
	if (code == 0) { // the claim first: mail that it holds again needs it
		code = bh_ledger_touch_claim(ledger, &change->effects, row.id);
	}
	if (code == 0) {
		code = phase_effects(ledger, change, &row);
	}
	if (code == 0 && bh_phase_is_final(change->phase)) {
		code = claim_delete(ledger, change, row.id);
	}
	return code;
}
