#include "src/mail/shield.h"

#include "src/mail/bell.h"
#include "src/mail/custody.h"

#include <stdio.h>
#include <stdlib.h>

int bh_shield_supersede(struct bh_ledger *ledger, struct bh_change *change, uint64_t seq,
                        uint64_t mailbox_id)
{
	struct bh_query query;
	uint64_t older;
	int code;

	for (;;) {
		bh_query_start(&query, &ledger->db,
		               "SELECT m.seq FROM message n JOIN message m ON m.to_id = n.to_id"
		               " AND m.topic = n.topic AND m.topic <> '' AND m.from_id = n.from_id"
		               " JOIN delivery d ON d.seq = m.seq AND d.mailbox = ?2"
		               " WHERE n.seq = ?1 AND m.seq < ?1 AND d.ownership = 0 LIMIT 1",
		               "nn", seq, mailbox_id);
		code = bh_query_next(&query);
		if (code <= 0) {
			return code;
		}
		older = (uint64_t)bh_query_number(&query, 0);
		bh_query_end(&query);
		code = bh_custody_supersede(ledger, change, older, mailbox_id, seq);
		if (code < 0) {
			return code;
		}
	}
}

// The mailbox that a change names, which somebody must have used.
static int name_find(struct bh_ledger *ledger, const struct bh_change *change, uint64_t *id_out)
{
	int64_t id = 0;
	char folded[BH_IDENTITY_SIZE];
	int code;

	bh_identity_fold(change->name, folded);
	code = bh_query_find(&ledger->db, &id,
	                     "SELECT id FROM identity WHERE folded = ? AND known = 1 AND kind = 0",
	                     "t", folded);
	*id_out = (uint64_t)id;
	if (code == 0) {
		return bh_err_set(&ledger->db.err, BH_ENOTFOUND,
		                  "no agent ever used the name %s; see `bellhop list`",
		                  change->name);
	}
	return code < 0 ? code : 0;
}

int bh_shield_set_dnd(struct bh_ledger *ledger, struct bh_change *change)
{
	uint64_t id = 0;
	int code = name_find(ledger, change, &id);

	if (code == 0) {
		code = bh_query_run(&ledger->db,
		                    "UPDATE identity SET dnd = ?, dnd_until_ms = ? WHERE id = ?",
		                    "inn", (int)change->dnd, change->until_ms, id);
	}
	return code < 0 ? code : bh_ledger_touch_mailbox(ledger, &change->effects, id);
}

static int block_check(struct bh_ledger *ledger, const struct bh_change *change,
                       uint64_t mailbox_id)
{
	int64_t count = 0;
	int code = bh_identity_check(change->names[0], &ledger->db.err);

	if (code < 0 && bh_identity_is_reserved(change->names[0])) {
		code = bh_err_set(
			&ledger->db.err, BH_EINVALID,
			"mail of %s cannot be blocked; `bellhop dnd %s on` keeps all mail "
			"from being typed",
			change->names[0], change->name);
	}
	if (code == 0 && bh_identity_is_same(change->names[0], change->name)) {
		code = bh_err_set(&ledger->db.err, BH_EINVALID, "a name cannot block itself");
	}
	if (code < 0) {
		return code;
	}
	code = bh_query_find(&ledger->db, &count, "SELECT count(*) FROM block WHERE mailbox = ?",
	                     "n", mailbox_id);
	if (count >= BH_SHIELD_BLOCKS_MAX && change->flag) {
		return bh_err_set(
			&ledger->db.err, BH_ELIMIT,
			"%s blocks %d senders already, and that is the limit; unblock one",
			change->name, BH_SHIELD_BLOCKS_MAX);
	}
	return code < 0 ? code : 0;
}

int bh_shield_set_block(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_block_image *image;
	uint64_t mailbox_id = 0;
	uint64_t sender_id = 0;
	int code = name_find(ledger, change, &mailbox_id);

	if (code == 0) {
		code = block_check(ledger, change, mailbox_id);
	}
	if (code == 0) {
		code = bh_ledger_make_mailbox(ledger, &change->effects, change->names[0],
		                              &sender_id);
	}
	if (code == 0) {
		code = bh_query_run(&ledger->db,
		                    change->flag
		                            ? "INSERT OR IGNORE INTO block (mailbox, sender)"
		                              " VALUES (?, ?)"
		                            : "DELETE FROM block WHERE mailbox = ? AND sender = ?",
		                    "nn", mailbox_id, sender_id);
	}
	if (code < 0) {
		return code;
	}
	image = &bh_effects_add(&change->effects, BH_EFFECT_BLOCK)->block;
	image->mailbox_id = mailbox_id;
	image->is_blocked = change->flag;
	bh_identity_fold(change->names[0], image->sender);
	return 0;
}

int bh_shield_discard(struct bh_ledger *ledger, struct bh_change *change)
{
	struct bh_custody_items items = {0};
	int code = bh_custody_list_unread(ledger, change, SIZE_MAX / 2, &items);

	for (size_t i = 0; code == 0 && i < items.count; i++) {
		code = bh_custody_mark_seen(ledger, change, items.rows[i].seq,
		                            items.rows[i].mailbox_id, BH_SEEN_DISCARDED);
	}
	change->answer.seq = items.count;
	free(items.rows);
	return code < 0 || change->terminal[0] == '\0'
	               ? code
	               : bh_bell_close(ledger, change, change->terminal, true);
}
