/** @file
 * How a caller waits for a server that is silent: it asks from time to time whether that still
 * reacts, and has something to tell when it does not, or when an answer is overdue. Pure but for a
 * look at /proc; the caller keeps the clock (bh_clock_mono_ms()) and does what is due.
 */
#ifndef BH_CLIENT_PATIENCE_H
#define BH_CLIENT_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct bh_buf;

/** A time that never comes. */
#define BH_PATIENCE_NEVER UINT64_MAX

/** What is due. */
enum bh_patience_step {
	/** Nothing: wait on. */
	BH_PATIENCE_WAIT,
	/** Ask the server for a sign of life; bh_patience_heard() when one comes. */
	BH_PATIENCE_ASK,
	/** Tell the person that the server does not react. */
	BH_PATIENCE_TELL_HUNG,
	/** Tell the person that the server reacts, but that the answer is overdue. */
	BH_PATIENCE_TELL_LATE,
	/** Tell the person, whom BH_PATIENCE_TELL_HUNG was told, that it reacts; never given by
	 * bh_patience_step(), but due when bh_patience_heard() says so. */
	BH_PATIENCE_TELL_BACK,
};

/** One wait for one answer. */
struct bh_patience {
	/** When the caller gives up, or BH_PATIENCE_NEVER. */
	uint64_t deadline_ms;
	/** When the answer is overdue, or BH_PATIENCE_NEVER. */
	uint64_t late_ms;
	/** When to ask next; BH_PATIENCE_NEVER while a sign of life is awaited. */
	uint64_t ask_ms;
	/** When what was asked counts as not answered; BH_PATIENCE_NEVER: nothing was asked. */
	uint64_t doubt_ms;
	/** The pause before the next question (ms). It doubles up to a minute: a long wait is no work. */
	uint64_t pause_ms;
	/** The person was told so. */
	bool is_hung;
};

/** What a sentence is about. */
struct bh_patience_view {
	/** The server's process; 0: not known. */
	pid_t pid;
	/** The method that was called. */
	const char *method;
	/** Path of the server's log, or NULL. */
	const char *log_path;
	/** How long the caller has waited and will wait (ms); left_ms negative: for ever. */
	uint64_t waited_ms;
	int64_t left_ms;
};

/** Begin to wait. */
void bh_patience_begin(struct bh_patience *patience, uint64_t now_ms, uint64_t deadline_ms);

/** When bh_patience_step() wants to be called; BH_PATIENCE_NEVER possible. */
uint64_t bh_patience_due(const struct bh_patience *patience);

/** What is due now. */
enum bh_patience_step bh_patience_step(struct bh_patience *patience, uint64_t now_ms);

/** The server sent something. Gives whether a person was told that it does not react. */
bool bh_patience_heard(struct bh_patience *patience, uint64_t now_ms);

/** Whether process @pid is stopped (by SIGSTOP, or a debugger). */
bool bh_patience_is_stopped(pid_t pid);

/** Append the sentence for BH_PATIENCE_TELL_*: what is waited for and what to do. */
void bh_patience_words(struct bh_buf *out, enum bh_patience_step step,
                       const struct bh_patience_view *view);

#endif
