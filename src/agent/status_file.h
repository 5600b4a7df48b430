/** @file
 * Claude Code's own status file, `<folder>/sessions/<pid>.json`: what it says of itself outside of
 * its screen. Measured facts: it says idle for up to 0.8 s between two queued turns, and stays
 * behind after a kill, so it counts only while its process lives and only when it holds.
 */
#ifndef BH_AGENT_STATUS_FILE_H
#define BH_AGENT_STATUS_FILE_H

#include "judge.h"

#include <stdbool.h>
#include <sys/types.h>

/** Whether programs of this profile write one. */
bool bh_status_file_exists(const struct bh_profile *profile);

/**
 * Read it.
 *
 * @folder
 *         The program's folder: the value of CLAUDE_CONFIG_DIR, or HOME/.claude.
 * @pid
 *         The process of the agent itself.
 * @session_out
 *         Room for 64 bytes: the session's id, "" when it is not told. NULL is allowed.
 * @return
 *         False when there is none, or it is another process's (start times differ), or its
 *         process is gone, or it is damaged.
 */
bool bh_status_file_read(const char *folder, pid_t pid, struct bh_status_file *file_out,
                         char *session_out);

#endif
