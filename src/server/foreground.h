/** @file
 * What kind of program a process is: whether the one that reads a terminal now is the one that the
 * terminal was started for, and whether one anywhere is an agent.
 */
#ifndef BH_SERVER_FOREGROUND_H
#define BH_SERVER_FOREGROUND_H

#include <stdbool.h>
#include <sys/types.h>

struct bh_profile;
struct bh_profiles;

/**
 * Ask the kernel about the foreground process group.
 *
 * @foreground
 *         The group (TIOCGPGRP); 0: there is none.
 * @child
 *         The terminal's child.
 * @return
 *         true when the group is the child's own, or its leader's name or command line belongs to
 *         the profile's program (an agent that a shell started).
 */
bool bh_foreground_is_ours(const struct bh_profile *profile, pid_t foreground, pid_t child);

/**
 * Whether the process runs the program of one of the profiles, itself or by an interpreter, or is the
 * keeper of a session. A command line that only mentions such a name (an editor's) does not count.
 */
bool bh_foreground_is_agent(const struct bh_profiles *profiles, pid_t pid);

/**
 * Which agent a foreground process group is: its leader's command line or program file, as for a
 * terminal that is started with it (bh_profiles_match()), or that of a process of the group which reads
 * a terminal, below the leader (a wrapper script) or below the terminal's child (a pipeline).
 *
 * @group
 *         The group (TIOCGPGRP); 0: there is none.
 * @child
 *         The terminal's child.
 * @pid_out
 *         The process that is the agent; untouched when there is none.
 * @return
 *         Its profile, or NULL: no agent, or only dead ones.
 */
const struct bh_profile *bh_foreground_find(const struct bh_profiles *profiles, pid_t group,
                                            pid_t child, pid_t *pid_out);

/** The value of a variable in the environment that the process was started with; NULL: it has none,
 * or may not be looked at. The caller frees. */
char *bh_foreground_env(pid_t pid, const char *name);

#endif
