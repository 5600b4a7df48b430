/** @file
 * `bellhop` and `bellhop attach`: the session's tabs and panes on a person's terminal, until the
 * person detaches, the last pane closes, or the server is gone for good. Survives a restart of the
 * server.
 */
#ifndef BH_UI_APP_H
#define BH_UI_APP_H

#include "src/base/err.h"
#include "src/client/client.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/** What to show, and where. Everything is borrowed for the call. */
struct bh_app_settings {
	/** The session, and its name. */
	const struct bh_client_settings *client;
	const char *session;
	/** Only look: nothing is typed or changed, the size is left alone. */
	bool is_observing;
	/** The person's terminal takes direct colours. */
	bool is_truecolor;
	/** The environment and the folder of programs that are started from here. */
	const cJSON *environ;
	const char *cwd;
	/** The person's terminal. */
	int in_fd, out_fd;
};

/** How it ended. */
enum bh_app_outcome {
	/** The person detached. */
	BH_APP_DETACHED,
	/** The last pane has closed. */
	BH_APP_EMPTY,
	/** A signal, or the person's terminal is gone. */
	BH_APP_SIGNALLED,
	/** The server went away; the error says why. */
	BH_APP_LOST,
};

/** What there is to say afterwards. */
struct bh_app_end {
	/** How it ended. */
	enum bh_app_outcome outcome;
	/** Of DETACHED: how many terminals go on. */
	int terminals;
	/** Of SIGNALLED: the signal, 0 when the person's terminal is gone. */
	int signal;
};

/**
 * Show the session. With nothing in it a shell is started. The person's terminal is as before on
 * return, whatever happened.
 *
 * @return
 *         0 with @end_out; a code with words in @err when it could not be attached at all, or the
 *         outcome is LOST.
 */
int bh_app_run(const struct bh_app_settings *settings, struct bh_app_end *end_out,
               struct bh_err *err);

#endif
