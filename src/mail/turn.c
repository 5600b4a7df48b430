#include "src/mail/turn.h"

#include "src/mail/custody.h"

#include <stdlib.h>

int bh_turn_begin(struct bh_ledger *ledger, const char *terminal)
{
	int code = bh_query_run(&ledger->db, "DELETE FROM turn_item WHERE terminal = ?", "t",
	                        terminal);

	return code < 0 ? code
	                : bh_query_run(&ledger->db,
	                               "UPDATE terminal SET turn_over = 1 WHERE uuid = ?", "t",
	                               terminal);
}

int bh_turn_take(struct bh_ledger *ledger, const char *terminal, uint64_t seq, uint64_t mailbox_id,
                 bool is_typed)
{
	int code = bh_query_run(
		&ledger->db,
		"UPDATE terminal SET turn_over = 0, turn_ms = ?, turn_hops = max(iif(turn_over, -1, turn_hops),"
		" (SELECT iif(created_ms <= terminal.person_ms, 0, hops) FROM message WHERE seq = ?))"
		" WHERE uuid = ?",
		"nnt", ledger->now_ms, seq, terminal);

	if (code < 0 || !is_typed) {
		return code;
	}
	return bh_query_run(
		&ledger->db,
		"INSERT OR IGNORE INTO turn_item (terminal, seq, mailbox) VALUES (?, ?, ?)", "tnn",
		terminal, seq, mailbox_id);
}

int bh_turn_take_in(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                    uint64_t mailbox_id)
{
	char terminal[BH_CLAIM_TERMINAL_SIZE];
	int code = bh_ledger_find_terminal(ledger, mailbox_id, terminal);

	if (code <= 0) {
		return code;
	}
	code = bh_turn_take(ledger, terminal, seq, mailbox_id, false);
	return code < 0 ? code : bh_ledger_touch_terminal(ledger, &change->effects, terminal);
}

// The hops of what a terminal says follow its turn. Those of what bellhop says about it follow also the
// turn that started it: an agent that starts a child, hears of its end, starts another ... is in a chain.
// A person who acted since begins anew.
#define HOPS_SINCE(hops, when) "iif(" when " <= ?1, min(" hops ", 0), " hops ")"
#define TURN_HOPS "SELECT " HOPS_SINCE("turn_hops", "turn_ms") " FROM terminal WHERE uuid = ?2"
#define CHILD_HOPS \
	"SELECT max(" HOPS_SINCE("turn_hops", "turn_ms") ", " HOPS_SINCE( \
		"born_hops", "started_ms") ") FROM terminal WHERE uuid = ?2"

// What was submitted in a terminal and is not proved yet: the agent may be quicker than we read its record.
// The few open claims are looked through, so that none of the large tables is.
#define SUBMITTED_HOPS \
	"SELECT coalesce(max(iif(m.created_ms <= ?1, 0, m.hops)), -1) FROM claim c" \
	" CROSS JOIN claim_item i ON i.claim = c.id CROSS JOIN message m ON m.seq = i.seq" \
	" WHERE c.terminal = ?2 AND c.kind = ?3 AND c.phase >= ?4"

int bh_turn_hops(struct bh_ledger *ledger, const struct bh_change *change, uint64_t to_id,
                 uint64_t reply_to, int *hops_out)
{
	const struct bh_message *message = &change->message;
	int64_t before = -1;
	int64_t hops = -1;
	int64_t person_ms = 0;
	int code = 0;

	if (message->sender == BH_SENDER_OPERATOR) {
		*hops_out = 0;
		return 0;
	}
	if (message->from_terminal[0] != '\0' || reply_to != 0) {
		code = bh_query_find(&ledger->db, &person_ms,
		                     "SELECT coalesce(max(person_ms), 0) FROM terminal WHERE uuid"
		                     " IN (?, (SELECT terminal FROM identity WHERE id = ?))",
		                     "tn", message->from_terminal, to_id);
	}
	if (code >= 0 && message->from_terminal[0] != '\0') {
		code = bh_query_find(&ledger->db, &before,
		                     message->sender == BH_SENDER_BELLHOP ? CHILD_HOPS : TURN_HOPS,
		                     "nt", person_ms, message->from_terminal);
	}
	if (code >= 0 && message->sender == BH_SENDER_AGENT && message->from_terminal[0] != '\0') {
		code = bh_query_find(&ledger->db, &hops, SUBMITTED_HOPS, "ntnn", person_ms,
		                     message->from_terminal, (uint64_t)BH_CLAIM_TYPING,
		                     (uint64_t)BH_PHASE_CR_SENT);
		before = hops > before ? hops : before;
	}
	if (code >= 0 && reply_to != 0) {
		code = bh_query_find(&ledger->db, &hops,
		                     "SELECT iif(created_ms <= ?, 0, hops) FROM message"
		                     " WHERE seq = ?",
		                     "nn", person_ms, reply_to);
	}
	before = hops > before ? hops : before;
	*hops_out = message->hops > before + 1 ? message->hops : (int)before + 1;
	return code < 0 ? code : 0;
}

// The mail that a turn took and that is still there. @sql gives seq and mailbox.
static int items_find(struct bh_ledger *ledger, const char *sql, const char *terminal,
                      struct bh_custody_items *items)
{
	struct bh_query query;
	int code;

	bh_query_start(&query, &ledger->db, sql, "t", terminal);
	while ((code = bh_query_next(&query)) > 0) {
		bh_custody_add(items, &(struct bh_custody_item){
					      .seq = (uint64_t)bh_query_number(&query, 0),
					      .mailbox_id = (uint64_t)bh_query_number(&query, 1)});
	}
	return code;
}

int bh_turn_break(struct bh_ledger *ledger, struct bh_change *change, const char *terminal)
{
	struct bh_custody_items items = {0};
	int code = items_find(ledger,
	                      "SELECT t.seq, t.mailbox FROM turn_item t JOIN delivery d"
	                      " ON d.seq = t.seq AND d.mailbox = t.mailbox"
	                      " WHERE t.terminal = ? AND d.ownership = 2 ORDER BY t.seq",
	                      terminal, &items);

	for (size_t i = 0; code == 0 && i < items.count; i++) {
		const struct bh_custody_item *item = &items.rows[i];

		code = bh_custody_reopen(ledger, change, item->seq, item->mailbox_id, "exited");
	}
	free(items.rows);
	return code < 0 ? code
	                : bh_query_run(&ledger->db, "DELETE FROM turn_item WHERE terminal = ?", "t",
	                               terminal);
}

int bh_turn_end(struct bh_ledger *ledger, struct bh_change *change)
{
	int code = bh_turn_begin(ledger, change->terminal);

	return code < 0 ? code
	                : bh_ledger_touch_terminal(ledger, &change->effects, change->terminal);
}

// Mail to or from the terminal that its chain keeps from waking wakes again.
static int loops_free(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_custody_items items = {0};
	int code = items_find(ledger,
	                      "SELECT d.seq, d.mailbox FROM message m"
	                      " JOIN delivery d ON d.seq = m.seq WHERE m.hops >= 50"
	                      " AND d.ownership <> 2 AND ?1 IN (m.from_terminal,"
	                      " (SELECT terminal FROM identity WHERE id = d.mailbox))",
	                      change->terminal, &items);

	for (size_t i = 0; code == 0 && i < items.count; i++) {
		const struct bh_custody_item *item = &items.rows[i];

		code = bh_query_run(&ledger->db, "UPDATE message SET hops = 0 WHERE seq = ?", "n",
		                    item->seq);
		if (code == 0) {
			code = bh_ledger_touch_item(ledger, &change->effects, item->seq,
			                            item->mailbox_id);
		}
	}
	free(items.rows);
	return code;
}

int bh_turn_person(struct bh_ledger *ledger, struct bh_change *change)
{
	int code = bh_query_run(
		&ledger->db,
		"UPDATE terminal SET turn_hops = -1, person_ms = ? WHERE uuid = ? AND status <> 2",
		"nt", ledger->now_ms, change->terminal);

	if (code == 0) {
		code = loops_free(ledger, change);
	}
	return code < 0 ? code
	                : bh_ledger_touch_terminal(ledger, &change->effects, change->terminal);
}
