#include "src/mail/bell.h"

#include <stdio.h>

// The newest notice of a terminal. Gives 1, 0 when it never had one, or a code.
static int notice_find(struct bh_ledger *ledger, const char *terminal, struct bh_notice *out)
{
	struct bh_query query;
	int code;

	bh_query_start(&query, &ledger->db,
	               "SELECT id, state, rings FROM notice WHERE terminal = ?"
	               " ORDER BY id DESC LIMIT 1",
	               "t", terminal);
	code = bh_query_next(&query);
	if (code > 0) {
		out->id = (uint64_t)bh_query_number(&query, 0);
		out->state = (enum bh_notice_state)bh_query_int(&query, 1);
		out->rings = (unsigned)bh_query_int(&query, 2);
		bh_query_end(&query);
	}
	return code;
}

// Write a receipt for all unread mail of a terminal.
static int terminal_write_receipt(struct bh_ledger *ledger, const char *terminal,
                                  enum bh_receipt_step step, const char *cause)
{
	uint64_t after = 0;
	int64_t id = 0;
	int code;

	// One name after the other: a statement must not be in use while rows of it are awaited.
	while ((code = bh_query_find(
			&ledger->db, &id,
			"SELECT id FROM identity WHERE terminal = ? AND terminal <> '' AND id > ?"
			" ORDER BY id LIMIT 1",
			"tn", terminal, after)) > 0) {
		after = (uint64_t)id;
		code = bh_ledger_write_range(ledger, after, step, cause);
		if (code < 0) {
			return code;
		}
	}
	return code;
}

static void notice_name(uint64_t id, char out[24])
{
	(void)snprintf(out, 24, "n%llu", (unsigned long long)id); // it fits
}

int bh_bell_claim(struct bh_ledger *ledger, struct bh_change *change, const char *terminal,
                  uint64_t *notice_id_out)
{
	struct bh_notice notice = {0};
	bool has_mail = false;
	int code = bh_ledger_has_mail(ledger, terminal, true, &has_mail);

	if (code < 0 || !has_mail) {
		return code;
	}
	code = notice_find(ledger, terminal, &notice);
	if (code < 0) {
		return code;
	}
	if (code == 0 || notice.state == BH_NOTICE_CLOSED) {
		code = bh_query_run(&ledger->db, "INSERT INTO notice (terminal) VALUES (?)", "t",
		                    terminal);
		*notice_id_out = (uint64_t)sqlite3_last_insert_rowid(ledger->db.handle);
		if (code == 0) {
			code = bh_ledger_touch_notice(ledger, &change->effects, terminal);
		}
		return code < 0 ? code : 1;
	}
	if (notice.state == BH_NOTICE_PARKED || notice.rings >= BH_NOTICE_RINGS_MAX) {
		return bh_err_set(
			&ledger->db.err, BH_EDENIED,
			"notice n%llu has rung %u times without an answer: a person must ring",
			(unsigned long long)notice.id, notice.rings);
	}
	*notice_id_out = notice.id;
	return 1;
}

int bh_bell_count_ring(struct bh_ledger *ledger, struct bh_change *change, const char *terminal,
                       uint64_t notice_id, int by)
{
	int code = bh_query_run(
		&ledger->db,
		"UPDATE notice SET rings = max(rings + ?, 0), last_ring_ms = ? WHERE id = ?", "inn",
		by, ledger->now_ms, notice_id);

	return code < 0 ? code : bh_ledger_touch_notice(ledger, &change->effects, terminal);
}

int bh_bell_prove(struct bh_ledger *ledger, struct bh_change *change, const char *terminal,
                  uint64_t notice_id)
{
	char name[24];
	int code = bh_query_run(&ledger->db, "UPDATE notice SET proved_ms = ? WHERE id = ?", "nn",
	                        ledger->now_ms, notice_id);

	notice_name(notice_id, name);
	if (code == 0) {
		code = terminal_write_receipt(ledger, terminal, BH_RECEIPT_NOTICED, name);
	}
	return code < 0 ? code : bh_ledger_touch_notice(ledger, &change->effects, terminal);
}

int bh_bell_close(struct bh_ledger *ledger, struct bh_change *change, const char *terminal,
                  bool was_read)
{
	struct bh_notice notice = {0};
	int code = notice_find(ledger, terminal, &notice);

	if (code <= 0 || notice.state == BH_NOTICE_CLOSED) {
		return code < 0 ? code : 0;
	}
	code = bh_query_run(&ledger->db, "UPDATE notice SET state = ?, closed_ms = ? WHERE id = ?",
	                    "inn", BH_NOTICE_CLOSED, was_read ? ledger->now_ms : 0, notice.id);
	return code < 0 ? code : bh_ledger_touch_notice(ledger, &change->effects, terminal);
}

int bh_bell_close_if_read(struct bh_ledger *ledger, struct bh_change *change, uint64_t mailbox_id)
{
	char terminal[BH_CLAIM_TERMINAL_SIZE];
	bool has_mail = false;
	int code = bh_ledger_find_terminal(ledger, mailbox_id, terminal);

	if (code <= 0) {
		return code;
	}
	code = bh_ledger_has_mail(ledger, terminal, false, &has_mail);
	return code < 0 || has_mail ? code : bh_bell_close(ledger, change, terminal, true);
}

int bh_bell_park(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_notice notice = {0};
	char name[24];
	int code = notice_find(ledger, change->terminal, &notice);

	if (code <= 0 || notice.state != BH_NOTICE_OPEN) {
		return code < 0 ? code : 0;
	}
	notice_name(notice.id, name);
	code = bh_query_run(&ledger->db, "UPDATE notice SET state = ? WHERE id = ?", "in",
	                    BH_NOTICE_PARKED, notice.id);
	if (code == 0) {
		code = terminal_write_receipt(ledger, change->terminal, BH_RECEIPT_PARKED, name);
	}
	return code < 0 ? code : bh_ledger_touch_notice(ledger, &change->effects, change->terminal);
}

int bh_bell_unpark(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_notice notice = {0};
	int code = notice_find(ledger, change->terminal, &notice);

	if (code <= 0 || notice.state == BH_NOTICE_CLOSED) {
		return code < 0 ? code : 0;
	}
	code = bh_query_run(&ledger->db, "UPDATE notice SET state = ?, rings = 0 WHERE id = ?",
	                    "in", BH_NOTICE_OPEN, notice.id);
	return code < 0 ? code : bh_ledger_touch_notice(ledger, &change->effects, change->terminal);
}
