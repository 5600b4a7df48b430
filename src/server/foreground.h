/** @file
 * Whether the program that reads a terminal now is the one that the terminal was started for.
 */
#ifndef BH_SERVER_FOREGROUND_H
#define BH_SERVER_FOREGROUND_H

#include <stdbool.h>
#include <sys/types.h>

struct bh_profile;

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

#endif
