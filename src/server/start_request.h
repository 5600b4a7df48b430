/** @file
 * A request to start a terminal: its parameters, and the words for why it failed. For `terminal.run`
 * and whatever else starts one.
 */
#ifndef BH_SERVER_START_REQUEST_H
#define BH_SERVER_START_REQUEST_H

#include "src/server/terminals.h"

#include <stdbool.h>

struct bh_request;

/** What is started when the request does not say; borrowed. */
struct bh_start_defaults {
	/** The program. */
	const char *program;
	/** A command for sh, in its place; "": none. */
	const char *command;
	/** Where it runs; absolute. */
	const char *cwd;
};

/**
 * Read the parameters of `terminal.run`.
 *
 * @defaults
 *         NULL: the request must have `argv`.
 * @start_out
 *         For bh_terminals_run(), which takes what is the caller's in it; the rest is good until the
 *         request is answered.
 * @return
 *         false: the request was failed.
 */
bool bh_start_request_read(struct bh_request *request, const struct bh_start_defaults *defaults,
                           struct bh_terminals_start *start_out);

/** Fail a request with what bh_terminals_run() reported. */
void bh_start_request_fail(struct bh_request *request, const struct bh_err *err);

#endif
