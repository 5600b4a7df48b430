#include "src/mail/writer.h"

#include "src/base/mem.h"

static struct bh_change *change_of(struct bh_list *link)
{
	return bh_container_of(link, struct bh_change, link);
}

// Take all of @from, keeping the order.
static void list_move(struct bh_list *from, struct bh_list *to, size_t max)
{
	bh_list_for (at, after, from) {
		if (max-- == 0) {
			return;
		}
		bh_list_remove(at);
		bh_list_append(to, at);
	}
}

// Commit what was applied. On a disk that was full from the beginning what was but read is answered all the
// same: it saw what will be there.
static int batch_commit(struct bh_ledger *ledger, bool is_read_only)
{
	int code = bh_database_commit(&ledger->db);

	if (code == 0) {
		ledger->is_unsettled = false;
	} else if (ledger->is_unsettled && is_read_only && bh_database_is_full(code)) {
		code = 0;
	}
	return code;
}

// One transaction from begin to commit. On failure the words are in db->err.
static int batch_try(struct bh_ledger *ledger, struct bh_list *first, const struct bh_list *end)
{
	int code = bh_database_begin(&ledger->db);
	int64_t written;

	if (code == 0) {
		code = bh_ledger_settle(ledger);
	}
	written = bh_database_written(&ledger->db);
	for (struct bh_list *at = first; code == 0 && at != end; at = at->next) {
		code = bh_ledger_apply(ledger, change_of(at));
	}
	if (code == 0) {
		code = batch_commit(ledger, written == bh_database_written(&ledger->db));
	}
	if (code < 0) {
		bh_database_rollback(&ledger->db);
	}
	return code;
}

void bh_writer_commit(struct bh_ledger *ledger, struct bh_list *batch)
{
	if (batch_try(ledger, batch->next, batch) == 0) {
		return;
	}
	bh_list_for (at, after, batch) {
		struct bh_change *change = change_of(at);

		bh_change_reset(change);
		if (batch_try(ledger, at, after) < 0) {
			bh_change_reset(change);
			change->answer.err = ledger->db.err;
		}
	}
}

// Wait for work. Gives false when there is none and there will be none, or the database has
// something to put away meanwhile (@is_dirty: waits no longer than that).
static bool writer_wait(struct bh_writer *writer, bool is_dirty)
{
	const uint64_t idle_ns = BH_WRITER_IDLE_MS * UINT64_C(1000000);

	while (bh_list_is_empty(&writer->queue) && !writer->is_stopping) {
		if (!is_dirty) {
			uv_cond_wait(&writer->wake, &writer->lock);
		} else if (uv_cond_timedwait(&writer->wake, &writer->lock, idle_ns) != 0) {
			return false;
		}
	}
	return !bh_list_is_empty(&writer->queue);
}

// Take what is queued, commit it, hand it back. The lock is held by the caller, and let go while
// the disk is busy.
static void writer_turn(struct bh_writer *writer)
{
	struct bh_list batch;

	bh_list_init(&batch);
	list_move(&writer->queue, &batch, BH_WRITER_BATCH_MAX);
	uv_mutex_unlock(&writer->lock);
	bh_writer_commit(writer->ledger, &batch);
	uv_mutex_lock(&writer->lock);
	list_move(&batch, &writer->done, SIZE_MAX);
	(void)uv_async_send(writer->notify); // fails only on a handle that is not active
}

// A checkpoint that fails is tried again later; the log keeps everything until then.
static void writer_put_away(struct bh_writer *writer, bool is_resting)
{
	uv_mutex_unlock(&writer->lock);
	(void)bh_database_checkpoint(&writer->ledger->db);
	if (is_resting) {
		bh_database_rest(&writer->ledger->db);
		bh_mem_give_back();
	}
	uv_mutex_lock(&writer->lock);
}

static void writer_run(void *arg)
{
	struct bh_writer *writer = arg;
	const struct bh_database *db = &writer->ledger->db;
	bool is_dirty = false;

	uv_mutex_lock(&writer->lock);
	for (;;) {
		if (writer_wait(writer, is_dirty)) {
			writer_turn(writer);
			is_dirty = bh_database_wal_bytes(db) > 0;
			if (bh_database_wal_bytes(db) > BH_WRITER_WAL_MAX) {
				writer_put_away(writer, false);
			}
		} else if (!writer->is_stopping) {
			writer_put_away(writer, true);
			is_dirty = false; // if it failed, the next commit asks again
		} else {
			break;
		}
	}
	uv_mutex_unlock(&writer->lock);
	bh_ledger_close(writer->ledger);
	uv_mutex_lock(&writer->lock);
	writer->has_stopped = true;
	(void)uv_async_send(writer->notify); // as above
	uv_mutex_unlock(&writer->lock);
}

int bh_writer_start(struct bh_writer *writer, struct bh_ledger *ledger, uv_async_t *notify,
                    struct bh_err *err)
{
	int code;

	bh_list_init(&writer->queue);
	bh_list_init(&writer->done);
	writer->is_stopping = false;
	writer->has_stopped = false;
	writer->ledger = ledger;
	writer->notify = notify;
	if (uv_mutex_init(&writer->lock) != 0 || uv_cond_init(&writer->wake) != 0) {
		BH_BUG("no memory for a mutex");
	}
	code = uv_thread_create(&writer->thread, writer_run, writer);
	if (code < 0) {
		uv_cond_destroy(&writer->wake);
		uv_mutex_destroy(&writer->lock);
		return bh_err_sys(err, -code, "start the thread of the mail store");
	}
	return 0;
}

void bh_writer_queue(struct bh_writer *writer, struct bh_list *changes)
{
	if (bh_list_is_empty(changes)) {
		return;
	}
	uv_mutex_lock(&writer->lock);
	list_move(changes, &writer->queue, SIZE_MAX);
	uv_cond_signal(&writer->wake);
	uv_mutex_unlock(&writer->lock);
}

void bh_writer_collect(struct bh_writer *writer, struct bh_list *out)
{
	uv_mutex_lock(&writer->lock);
	list_move(&writer->done, out, SIZE_MAX);
	uv_mutex_unlock(&writer->lock);
}

void bh_writer_stop(struct bh_writer *writer)
{
	uv_mutex_lock(&writer->lock);
	writer->is_stopping = true;
	uv_cond_signal(&writer->wake);
	uv_mutex_unlock(&writer->lock);
}

bool bh_writer_has_stopped(struct bh_writer *writer)
{
	bool has_stopped;

	uv_mutex_lock(&writer->lock);
	has_stopped = writer->has_stopped;
	uv_mutex_unlock(&writer->lock);
	return has_stopped;
}

void bh_writer_join(struct bh_writer *writer)
{
	(void)uv_thread_join(&writer->thread); // fails only for what is no thread
	uv_cond_destroy(&writer->wake);
	uv_mutex_destroy(&writer->lock);
}
