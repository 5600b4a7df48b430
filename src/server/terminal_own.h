/** @file
 * The inside of a terminal, shared by its output and life (terminal.c) and its input
 * (terminal_input.c). For nobody else.
 */
#ifndef BH_SERVER_TERMINAL_OWN_H
#define BH_SERVER_TERMINAL_OWN_H

#include "src/base/buf.h"
#include "src/server/courtesy.h"
#include "src/server/terminal.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

/** What bh_terminal_new() makes with a terminal. */
struct bh_terminal_own {
	/** Whose it is. */
	struct bh_terminal *terminal;
	/** Judges when it is due. */
	uv_timer_t evaluation;
	/** Ends the draining. */
	uv_timer_t drain;
	/** Handles that are not closed yet; the pty counts as one. */
	int handles;
	bool closing;
	/** When the evaluation timer is due (loop time); 0: it is not running. */
	uint64_t due_ms;
	/** When it was judged last. */
	uint64_t evaluated_ms;
	/** Somebody asked for a judgement out of turn: the listeners have not heard of it. */
	bool has_news;
	/** Keys of people while the typist holds the terminal. */
	struct bh_buf held;
	/** The size that waits for the end of a typing; 0: none. */
	int pending_cols, pending_rows;
	/** What was read while a person types elsewhere. */
	struct bh_courtesy_share share;
	/** What was read in this turn, for attached clients. */
	struct bh_buf batch;
	/** When people were last warned that their keys were dropped (loop time); 0: never. */
	uint64_t warned_ms;
	/** The child's end was reported while the tape was being replayed. */
	bool is_gone;
	/** What the screen showed is lost: the program is to draw it again. */
	bool is_lost;
	/** When a size that was changed to that end goes back (loop time), and to which; 0: never. */
	uint64_t nudge_ms;
	int nudge_rows;
};

/** Something happened: judge after @delay_ms, or when that may be again. */
void bh_terminal_own_dirty(struct bh_terminal *terminal, uint64_t delay_ms);

/** Do the resize that had to wait. */
void bh_terminal_own_resize(struct bh_terminal *terminal);

#endif
