/** @file
 * A process and its parents, as they were at one time: to tell whether somebody still waits for
 * what the process will print. When an agent's tool call is cut off, the shell between the agent
 * and `bellhop wait` dies, and the wait lives on with another parent.
 */
#ifndef BH_SERVER_CHAIN_H
#define BH_SERVER_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** Longest chain that is looked at. */
#define BH_CHAIN_MAX 32

/** The chain, the process first. Zero: not known, and taken for whole. */
struct bh_chain {
	/** Pids. */
	pid_t pids[BH_CHAIN_MAX];
	/** Their start times. */
	uint64_t starts[BH_CHAIN_MAX];
	/** How many. */
	size_t count;
};

/**
 * Read the chain of @pid from /proc, up to but without @top (or the first process of all). 0 or a
 * process that is gone gives an empty one.
 */
void bh_chain_read(struct bh_chain *chain, pid_t pid, pid_t top);

/** Whether the chain comes from @root: its last process is that one. An empty chain does. */
bool bh_chain_is_from(const struct bh_chain *chain, pid_t root);

/** Whether every process still lives with the same parent. */
bool bh_chain_is_whole(const struct bh_chain *chain);

#endif
