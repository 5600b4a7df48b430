#include "src/mail/threads.h"

#include "src/base/buf.h"

static int thread_missing(struct bh_ledger *ledger, const struct bh_change *change)
{
	return bh_err_set(&ledger->db.err, BH_ENOTFOUND,
	                  "%s is no message that you sent or got: see `bellhop history`",
	                  change->ref);
}

int bh_threads_collect(struct bh_ledger *ledger, const struct bh_change *change,
                       struct bh_custody_items *items)
{
	struct bh_query query;
	struct bh_buf keys = {0};
	uint64_t seq = 0;
	int code = bh_ledger_find_message(ledger, change->ref, &seq);

	if (code == 0) {
		return thread_missing(ledger, change);
	}
	code = code < 0 ? code : bh_ledger_list_keys(ledger, change, &keys);
	if (code < 0) {
		bh_buf_clear(&keys);
		return code;
	}
	// A message answers an older one, so the way up ends and the way down is a tree.
	bh_query_start(
		&query, &ledger->db,
		"WITH RECURSIVE up (seq, reply) AS (SELECT seq, reply_to FROM message"
		" WHERE seq = ?1 UNION ALL SELECT m.seq, m.reply_to FROM up JOIN message m"
		" ON m.seq = up.reply WHERE up.reply <> 0 LIMIT ?5),"
		" down (seq) AS (SELECT min(seq) FROM up UNION ALL SELECT m.seq FROM down"
		" CROSS JOIN message m ON m.reply_to = down.seq AND m.reply_to <> 0 LIMIT ?5)"
		" SELECT m.seq, m.to_id, m.body_len FROM down CROSS JOIN message m"
		" ON m.seq = down.seq WHERE m.seq > ?2 AND (?3"
		" OR m.from_id IN (SELECT value FROM json_each(?4))"
		" OR EXISTS (SELECT 1 FROM delivery d WHERE d.seq = m.seq"
		" AND d.mailbox IN (SELECT value FROM json_each(?4)))"
		" OR EXISTS (SELECT 1 FROM member r WHERE r.room = m.to_id"
		" AND r.identity IN (SELECT value FROM json_each(?4)))) ORDER BY m.seq",
		"nniti", seq, change->seq, (int)(change->name_count == 0), keys.data,
		BH_THREADS_MAX);
	while ((code = bh_query_next(&query)) > 0) {
		struct bh_custody_item item = {
			.seq = (uint64_t)bh_query_number(&query, 0),
			.mailbox_id = (uint64_t)bh_query_number(&query, 1),
			.body_len = (size_t)bh_query_number(&query, 2),
		};

		bh_custody_add(items, &item);
	}
	bh_buf_clear(&keys);
	return code == 0 && items->count == 0 && change->seq == 0 ? thread_missing(ledger, change)
	                                                          : code;
}
