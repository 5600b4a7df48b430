/** @file
 * `bellhop` and `bellhop attach`: the session's tabs and panes on a person's terminal, until the
 * person detaches, the last pane closes, or the server is gone for good. Survives a restart of the
 * server.
 */
#ifndef BH_UI_APP_H
#define BH_UI_APP_H

#include "src/base/err.h"
#include "src/client/client.h"
#include "src/client/sessions.h"
#include "src/ui/outer.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/** What to show, and where. Everything is borrowed for the call. */
struct bh_app_settings {
	/** The session, and its name. */
	const struct bh_client_settings *client;
	const char *session;
	/** The folder of all sessions (struct bh_paths), for a way to others; NULL: there is none. */
	const char *sessions_dir;
	/** A sentence for the status line at the start; NULL: none. */
	const char *greeting;
	/** Only look: nothing is typed or changed, the size is left alone. */
	bool is_observing;
	/** What the person's terminal can, as far as is known before it was asked. */
	struct bh_outer outer;
	/** The user's settings; NULL: all defaults. That they are missing is a fault. */
	const char *config_file;
	bool is_config_named;
	/** The file of what is remembered from one time to the next (src/ui/remembered.h); NULL: nothing
	 * is. */
	const char *remembered_file;
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
	/** The person goes to another session. */
	BH_APP_SWITCHED,
	/** The last pane has closed. */
	BH_APP_EMPTY,
	/** The server was stopped on purpose. */
	BH_APP_STOPPED,
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
	/** Of SWITCHED: which; perhaps there is none of that name yet. */
	char session[BH_SESSIONS_NAME];
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
