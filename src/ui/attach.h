/** @file
 * `bellhop attach`: one terminal of the session, full screen, until the person detaches or it ends.
 * Keys go there as they are, but for the prefix; the bottom line says what is shown and what state
 * it is in. Survives a restart of the server.
 */
#ifndef BH_UI_ATTACH_H
#define BH_UI_ATTACH_H

#include "src/base/err.h"
#include "src/client/client.h"
#include "src/ui/outer.h"

#include <stdbool.h>
#include <stdint.h>

/** What to show, and where. Strings are borrowed for the call. */
struct bh_attach_settings {
	/** The session. */
	const struct bh_client_settings *client;
	/** Identity, terminal id, or its beginning. */
	const char *name;
	/** Only look: nothing is typed and the size is left alone. */
	bool is_observing;
	/** The prefix, as struct bh_config has it, and what it is called; 0 and NULL: C-b. */
	int prefix;
	const char *prefix_name;
	/** So long an Escape waits (ms); 0: BH_INPUT_PARTIAL_MS. */
	unsigned escape_ms;
	/** What the person's terminal can, as far as is known before it was asked. */
	struct bh_outer outer;
	/** The person's terminal. */
	int in_fd, out_fd;
};

/** How an attach ended. */
enum bh_attach_outcome {
	/** The person detached. */
	BH_ATTACH_DETACHED,
	/** The program in the terminal ended. */
	BH_ATTACH_EXITED,
	/** A signal, or the person's terminal is gone. */
	BH_ATTACH_SIGNALLED,
	/** The server or the terminal went away; the error says why. */
	BH_ATTACH_LOST,
};

/** What there is to say afterwards. */
struct bh_attach_end {
	/** How it ended. */
	enum bh_attach_outcome outcome;
	/** The terminal's identity and id. */
	char identity[80];
	char terminal_id[40];
	/** Of EXITED: wait status. */
	int32_t status;
	/** Of SIGNALLED: the signal, 0 when the person's terminal is gone. */
	int signal;
};

/**
 * Show the terminal. The person's terminal is as before on return, whatever happened.
 *
 * @return
 *         0 with @end_out; a code with words in @err when it could not be attached at all (no such
 *         terminal, no terminal here), or outcome is LOST.
 */
int bh_attach_run(const struct bh_attach_settings *settings, struct bh_attach_end *end_out,
                  struct bh_err *err);

#endif
