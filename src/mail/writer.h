/** @file
 * The writer: a thread that applies changes to the ledger. It never waits for a batch: whatever is
 * queued when it is free goes into one transaction. If that fails, each change of the batch is
 * tried alone, so that one that the disk has no room for does not take the others with it.
 */
#ifndef BH_MAIL_WRITER_H
#define BH_MAIL_WRITER_H

#include "src/mail/change.h"
#include "src/mail/ledger.h"

#include <stdbool.h>
#include <uv.h>

/** Most changes of one transaction. */
#define BH_WRITER_BATCH_MAX 512

/** The write-ahead log is moved into the database beyond this size, in bytes, ... */
#define BH_WRITER_WAL_MAX (4 * 1024 * 1024)

/** ... and when nothing was queued for so long, in milliseconds. */
#define BH_WRITER_IDLE_MS 1000

/** The thread and its queues. Embedded in the store; fields are the module's own. */
struct bh_writer {
	/** The thread, and what guards the lists and flags below. */
	uv_thread_t thread;
	uv_mutex_t lock;
	uv_cond_t wake;
	/** Changes that wait, and changes that are answered. */
	struct bh_list queue;
	struct bh_list done;
	/** The thread ends when the queue is empty. */
	bool is_stopping;
	/** The thread has closed the ledger and ends. */
	bool has_stopped;
	/** Sent after each batch, and when the thread has stopped. Borrowed. */
	uv_async_t *notify;
	/** The thread's own. */
	struct bh_ledger *ledger;
};

/**
 * Start the thread.
 *
 * @ledger
 *         Open; the thread's from now on, which closes it when it ends.
 * @notify
 *         Sent when there is something to collect.
 * @return
 *         0 or -errno.
 */
int bh_writer_start(struct bh_writer *writer, struct bh_ledger *ledger, uv_async_t *notify,
                    struct bh_err *err);

/** Queue all of a list (struct bh_change.link), which is empty then. */
void bh_writer_queue(struct bh_writer *writer, struct bh_list *changes);

/** Move all answered changes to the end of @out, in the order of their requests. */
void bh_writer_collect(struct bh_writer *writer, struct bh_list *out);

/** Ask the thread to end once its queue is empty. */
void bh_writer_stop(struct bh_writer *writer);

/** Whether it has ended, so that bh_writer_join() does not wait. */
bool bh_writer_has_stopped(struct bh_writer *writer);

/** Wait for its end and free what it holds. */
void bh_writer_join(struct bh_writer *writer);

/** Apply a list of changes and fill their answers: what the thread does with each batch. */
void bh_writer_commit(struct bh_ledger *ledger, struct bh_list *batch);

#endif
