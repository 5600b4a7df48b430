/** @file
 * Calls to a session's server: over its socket, started if need be; or over the spool where a
 * sandbox forbids sockets. The UI takes the connection for itself to attach terminals.
 */
#ifndef BH_CLIENT_CLIENT_H
#define BH_CLIENT_CLIENT_H

#include "src/base/buf.h"
#include "src/base/err.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/** Time limit of a call that the server answers at once (ms); a send is held up to 8 s. */
#define BH_CLIENT_CALL_MS 20000

struct bh_conn;

/** Hear, while a call waits, what it waits for and what can be done: one sentence. */
typedef void (*bh_client_tell)(void *user, const char *sentence);

/** Where a session is and who calls. Strings are borrowed for the life of the client. */
struct bh_client_settings {
	/** Path of server.sock. */
	const char *socket_path;
	/** Words of the keeper about a server that it gave up on; NULL: none. */
	const char *keeper_state_path;
	/** The file that a living keeper holds a lock on; NULL: not known. */
	const char *keeper_lock_path;
	/** The server's log, for error messages; NULL: none. */
	const char *server_log_path;
	/** Command line that starts the keeper; NULL: a server that is not there stays so. */
	const char *const *keeper_argv;
	/** $BELLHOP_SPOOL, or NULL. */
	const char *spool_dir;
	/** $BELLHOP_TOKEN, or NULL. */
	const char *token;
	/** How long to try to reach a server (ms); 0: one try. */
	long connect_ms;
	/** How long at most when not even its socket is there, or surely no keeper, and none may be
	 * started (ms). */
	long absent_ms;
	/** Called inside bh_client_do() when the server does not react, or its answer is overdue; NULL:
	 * nobody wants to know. */
	bh_client_tell tell;
	void *tell_user;
};

/** A client of one session. */
struct bh_client;

/** One call. */
struct bh_client_call {
	/** The method. */
	const char *method;
	/** Its parameters, an object; NULL for none. Taken and freed. */
	cJSON *params;
	/** Time limit of the answer (ms); negative: none. */
	long timeout_ms;
	/**
	 * Doing it twice is as good as doing it once (a read; a send, by its message_id): it is sent
	 * again when the connection breaks before the answer.
	 */
	bool is_repeatable;
	/**
	 * The parameter that says how long the server may wait (ms), or NULL: what has passed is taken
	 * off when the call is sent again.
	 */
	const char *wait_param;
};

/**
 * Reach the server.
 *
 * @return
 *         0; BH_EDENIED (another user's); -ENOENT (no server and no keeper_argv); BH_ETIMEOUT (it
 *         does not come up; @err has the reason the keeper wrote down, or names the log); -errno.
 */
int bh_client_open(const struct bh_client_settings *settings, struct bh_client **client_out,
                   struct bh_err *err);

/** Close; NULL allowed. */
void bh_client_close(struct bh_client *client);

/**
 * Make a call and wait for its answer. Frames that arrive meanwhile are dropped.
 *
 * @result_out
 *         On success the result; the caller deletes it.
 * @return
 *         0; a BH_E code or -errno with a sentence in @err. After an error answer of the server
 *         bh_client_fault() has its word; otherwise it is "".
 */
int bh_client_do(struct bh_client *client, const struct bh_client_call *call, cJSON **result_out,
                 struct bh_err *err);

/** Say in @err that the server did not answer in @waited_ms, and what to do. Gives BH_ETIMEOUT. */
int bh_client_report_silence(const struct bh_client *client, uint64_t waited_ms,
                             struct bh_err *err);

/** Whether @code of bh_client_do() says that no answer came, so that it is not known what was done. */
bool bh_client_is_lost(const struct bh_client *client, int code);

/** The word of the last error answer ("not_found"), "" when there was none. Until the next call. */
const char *bh_client_fault(const struct bh_client *client);

/** `data` of the last error answer, or NULL. Borrowed until the next call. */
const cJSON *bh_client_fault_data(const struct bh_client *client);

/** Whether calls go over the spool: then nothing can be attached. */
bool bh_client_is_spool(const struct bh_client *client);

/** The connection, or NULL with the spool. Borrowed; a call on the client may replace it. */
struct bh_conn *bh_client_conn(struct bh_client *client);

/** A request line (without newline) as a call would send it. @params is taken. The caller frees. */
char *bh_client_request(const struct bh_client *client, int id, const char *method, cJSON *params);

/** Take a line that came. 1: it is no answer to request @id; else as bh_client_do(). */
int bh_client_take_answer(struct bh_client *client, struct bh_span line, int id, cJSON **result_out,
                          struct bh_err *err);

#endif
