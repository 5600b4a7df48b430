/** @file
 * Lifecycle mail (doc/CONTRACT.md section 8): what happens to a terminal that an agent started is told
 * to that agent, as mail from `bellhop`: its program ended, a turn ended in an error, it waits for a
 * person's decision for long. Unread ones about the same child are superseded by the newest.
 */
#ifndef BH_SERVER_LIFECYCLE_H
#define BH_SERVER_LIFECYCLE_H

#include "src/agent/judge.h"

#include <stdbool.h>
#include <stdint.h>

struct bh_lifecycle;
struct bh_server;
struct bh_terminal;

/** What is remembered of a terminal. Zero at its start. */
struct bh_watched {
	/** Its state when it was looked at last. */
	enum bh_state state;
	/** It was seen to work, and how that ended has not been seen yet. */
	bool has_worked;
	/** Since when it has been awaiting a person (loop time, ms); 0: it is not. */
	uint64_t awaiting_ms;
	/** That was told. */
	bool is_told;
	/** The agent that started it has sent it a signal: its end is no news. */
	bool is_ended_by_agent;
};

/** Start. */
struct bh_lifecycle *bh_lifecycle_new(struct bh_server *server);

/** Close its timer; the memory goes with that. NULL is allowed. */
void bh_lifecycle_close(struct bh_lifecycle *lifecycle);

/** It was judged afresh. */
void bh_lifecycle_evaluated(struct bh_terminal *terminal);

/** It has EXITED, and `respawn_at` is set if a successor follows by itself. Call it before the exit is
 * written down: if the server dies in between, it is told when the exit is learned again. */
void bh_lifecycle_exited(const struct bh_terminal *terminal);

#endif
