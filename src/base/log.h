/** @file
 * The log of a process: one line = time, level, module, subject, text. The sink is the only mutable
 * state at file scope in the program; writing is safe from every thread.
 *
 *     2026-11-30T23:45:01.042Z warn keeper pty=6f1c…  spawn refused: the table is full
 *
 * Every line is escaped as a whole (bh_utf8_escape()), so nothing that comes from a terminal or a
 * message can forge a line or move a reader's cursor. Message bodies are logged at debug only.
 */
#ifndef BH_BASE_LOG_H
#define BH_BASE_LOG_H

#include "src/base/err.h"

/** How much a line matters. */
enum bh_log_level {
	/** Something was lost or refused that should not have been. */
	BH_LOG_ERROR,
	/** Something unusual that was handled. */
	BH_LOG_WARN,
	/** Life of processes, terminals and bindings. */
	BH_LOG_INFO,
	/** Everything else; the only level for bodies and for library code. */
	BH_LOG_DEBUG,
};

/**
 * Write the log to the file @path (appended, 0600) from now on. Without this call lines go nowhere.
 * Lines below @level are dropped. Beyond BH_LIMIT_LOG bytes the file becomes "<path>.1".
 *
 * @return
 *         0 or -errno; the sink is as before on failure.
 */
int bh_log_open(const char *path, enum bh_log_level level, struct bh_err *err);

/** Write the log to the descriptor @fd (borrowed, never closed) from now on. */
void bh_log_open_fd(int fd, enum bh_log_level level);

/** Close the sink; lines go nowhere. */
void bh_log_close(void);

/** Whether a line of @level would be written: ask before computing an expensive text. */
int bh_log_is_on(enum bh_log_level level);

/**
 * Write a line.
 *
 * @module
 *         Static word: "server", "keeper", "typist".
 * @subject
 *         What it is about, as "pty=<uuid>" or "box=<name>"; NULL or "" for none.
 */
void bh_log(enum bh_log_level level, const char *module, const char *subject, const char *format,
            ...) __attribute__((format(printf, 4, 5)));

/** The level with the word @word ("error", "warn", "info", "debug"), or -1. */
int bh_log_level_of(const char *word);

#endif
