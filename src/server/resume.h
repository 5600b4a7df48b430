/** @file
 * Which session an agent's terminal is, and a successor that goes on with it. The session's record
 * (agent/proof.h) is noted while the agent runs, and kept in a file of the runtime folder for the next
 * server.
 */
#ifndef BH_SERVER_RESUME_H
#define BH_SERVER_RESUME_H

#include "src/base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct bh_terminal;

/** The session of a terminal's agent. */
struct bh_session {
	/** Its record; NULL: not known. */
	char *record;
	/** When it was looked at last (loop time, ms). */
	uint64_t looked_ms;
	/** A successor of the terminal is to go on with it. */
	bool is_resume_due;
	/** It is that of the terminal before this one. */
	bool is_resumed;
	/** Somebody has pressed a key or a mouse button since: it may be in another session. */
	bool is_touched;
};

/**
 * Note which session runs in a living terminal.
 *
 * @is_change
 *         Something happened with which it can be another one; else it is looked at only while none is
 *         known, at most once a second.
 */
void bh_resume_look(struct bh_terminal *terminal, bool is_change, uint64_t now_ms);

/** Read back what another server noted. */
void bh_resume_load(struct bh_terminal *terminal);

/** The terminal is forgotten: remove the file. */
void bh_resume_remove(const struct bh_terminal *terminal);

/**
 * Whether a successor of @before could go on with its session.
 *
 * @return
 *         0, or BH_EINVALID: its program cannot; BH_ENOTFOUND: its session is not known or has no
 *         record; BH_EBUSY: another terminal runs it. @err says so.
 */
int bh_resume_check(const struct bh_terminal *before, struct bh_err *err);

/** Its policy starts a successor: decide how (is_resume_due of it). */
void bh_resume_plan(struct bh_terminal *before);

/** Make @terminal, which has no child yet, go on with the session of @before. */
void bh_resume_hand_over(struct bh_terminal *terminal, struct bh_terminal *before);

/** The record of the session that @terminal goes on with, as long as it must be in that one; NULL: it
 * goes on with none, or somebody may have left it. */
const char *bh_resume_record(const struct bh_terminal *terminal);

/**
 * The command line to start it with; the caller frees it with bh_setup_strings_free().
 *
 * @return
 *         The user's own unless it goes on with a session. NULL with @err when that cannot be made.
 */
char **bh_resume_argv(const struct bh_terminal *terminal, struct bh_err *err);

#endif
