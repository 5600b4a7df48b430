/** @file
 * A command that stays on the line: makes one call, then hands on what the server tells on the same
 * connection, and lines of standard input. When the server is started anew it connects and calls
 * again by itself.
 */
#ifndef BH_CMD_FOLLOW_H
#define BH_CMD_FOLLOW_H

#include "src/base/buf.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

struct bh_cmd;
struct bh_follow;

/** What a callback gives back to go on; any other value is the exit status. */
#define BH_FOLLOW_ON (-1)

/** What is followed. */
struct bh_follow_settings {
	/** The call that begins it, and its parameters (borrowed; NULL for none). */
	const char *method;
	const cJSON *params;
	/** May start a server that is not there. */
	bool may_start;
	/** The call was answered: at the beginning, and again after each new connection. */
	int (*begun)(struct bh_follow *follow, const cJSON *result, void *user);
	/** The server tells something. */
	int (*told)(struct bh_follow *follow, const char *method, const cJSON *params, void *user);
	/** A line of standard input, without its newline. NULL: it is not read. Its end ends the
	 * command with status 0. */
	int (*typed)(struct bh_follow *follow, struct bh_span line, void *user);
	/** Argument of the callbacks. */
	void *user;
};

/** Follow until a callback ends it, nobody reads standard output any more, or the server stays away.
 * Failures are printed. Gives the exit status. */
int bh_follow_run(const struct bh_cmd *cmd, const struct bh_follow_settings *settings);

/** Make another call; a failure of it is printed, its result goes nowhere. @params is taken. */
void bh_follow_send(struct bh_follow *follow, const char *method, cJSON *params);

/** Write out what was printed. BH_FOLLOW_ON, or the exit status when nobody takes it. */
int bh_follow_flush(void);

#endif
