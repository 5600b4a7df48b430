/** @file
 * From a command to the server: reads the environment, finds the session, makes the call, prints
 * the failure. The only place of the client's side that looks at variables of a terminal.
 */
#ifndef BH_CMD_SESSION_H
#define BH_CMD_SESSION_H

#include "src/base/err.h"
#include "src/base/paths.h"
#include "src/client/client.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

struct bh_cmd;

/** Whether a command may start a server that is not there. */
enum bh_session_start {
	/** Start it (not from inside a terminal: there it must be running already). */
	BH_SESSION_START,
	/** Only talk to one that runs; one try. */
	BH_SESSION_RUNNING,
	/** Talk to one that is being started anew; its socket may be missing meanwhile. */
	BH_SESSION_RETURNING,
};

/** An open session. Zero-initialise; ends with bh_session_clear(). Not to be moved meanwhile. */
struct bh_session {
	/** Whose call it is. */
	const struct bh_cmd *cmd;
	/** Its paths. */
	struct bh_paths paths;
	/** How it is reached. */
	struct bh_client_settings settings;
	/** The two programs. */
	char *keeper_path;
	char *bellhop_path;
	/** The keeper's command line (src/keeper/wire.h); settings.keeper_argv points here. */
	const char *keeper_argv[13];
	/** The client; NULL before it is open. */
	struct bh_client *client;
};

/**
 * Find the session and fill @session without connecting.
 *
 * @return 0, or BH_EINVALID with words in @err. bh_session_clear() is due either way.
 */
int bh_session_find(const struct bh_cmd *cmd, struct bh_session *session, struct bh_err *err);

/** bh_session_find() and connect. As bh_client_open(); bh_session_clear() is due either way. */
int bh_session_open(const struct bh_cmd *cmd, enum bh_session_start start,
                    struct bh_session *session, struct bh_err *err);

/** Wait until the server has closed the connection, at most @limit_ms. */
void bh_session_wait_closed(struct bh_session *session, uint64_t limit_ms);

/** Close and free; the struct is empty again. */
void bh_session_clear(struct bh_session *session);

/** One call of a command that makes only one. */
struct bh_request {
	/** The method. */
	const char *method;
	/** Its parameters; taken and freed, NULL for none. */
	cJSON *params;
	/** Time limit of the answer (ms); 0: BH_CLIENT_CALL_MS; negative: none. */
	long timeout_ms;
	/** May be sent twice, and the parameter for waiting then; see struct bh_client_call. What may
	 * not, and is not answered, is not known to be done: BH_EXIT_UNKNOWN. */
	bool is_repeatable;
	const char *wait_param;
	/** Fail when no server runs instead of starting one. */
	bool needs_running;
};

/**
 * Open the session, make the call, close. A failure is printed.
 *
 * @result_out
 *         On BH_EXIT_OK the result; the caller deletes it.
 * @return
 *         BH_EXIT_OK, BH_EXIT_FAILED or BH_EXIT_UNKNOWN.
 */
int bh_session_request(const struct bh_cmd *cmd, const struct bh_request *request,
                       cJSON **result_out);

/** The same on a session that is open. */
int bh_session_call(const struct bh_cmd *cmd, struct bh_session *session,
                    const struct bh_request *request, cJSON **result_out);

/**
 * Print that no answer came to a message, and how to ask again. Gives BH_EXIT_UNKNOWN.
 *
 * @lost
 *         How it was lost.
 */
int bh_session_report_lost(const struct bh_cmd *cmd, const struct bh_err *lost,
                           const char *message_id);

#endif
