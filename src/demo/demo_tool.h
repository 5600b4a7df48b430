/** @file
 * The demo agent's shell tool: one command at a time, its output through a pipe.
 */
#ifndef BH_DEMO_TOOL_H
#define BH_DEMO_TOOL_H

#include <stdbool.h>
#include <sys/types.h>

/** The running command. Initialise with BH_DEMO_TOOL_INIT. */
struct bh_demo_tool {
	/** Its process, leader of a group of its own; 0: none. */
	pid_t pid;
	/** Where its output comes from; -1: none, or at its end. */
	int fd;
};

/** No command. */
#define BH_DEMO_TOOL_INIT \
	{ \
		.pid = 0, .fd = -1 \
	}

/** Start @command with /bin/sh, our environment, no input. 0, or -errno. */
int bh_demo_tool_start(struct bh_demo_tool *tool, const char *command);

/** Whether the command ended, and how: its status, or 128 + signal. Does not wait. */
bool bh_demo_tool_reap(struct bh_demo_tool *tool, int *status_out);

/** End the command and its group, at once. */
void bh_demo_tool_kill(struct bh_demo_tool *tool);

#endif
