/** @file
 * JSON-RPC on the session's socket: connections, lines and frames, the one table of methods.
 *
 * A method is a function that gets a request and answers it exactly once, now or later:
 *
 *     static void method_greet(struct bh_request *request)
 *     {
 *             const char *name = bh_request_string(request, "name");     // fails the request itself
 *
 *             if (name != NULL) {
 *                     cJSON *result = cJSON_CreateObject();
 *
 *                     cJSON_AddStringToObject(result, "greeting", name);
 *                     bh_request_answer(request, result);
 *             }
 *     }
 *
 * A method that answers later keeps the pointer: a request lives until it is answered, also when
 * its connection ends first (then the answer goes nowhere). bh_request_on_gone() tells. The same
 * methods serve the spool. After bh_request_answer() or bh_request_fail() the request is gone.
 */
#ifndef BH_SERVER_RPC_H
#define BH_SERVER_RPC_H

#include "src/base/err.h"
#include "src/server/callers.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bh_request;
struct bh_server;

/** Who may call a method besides the bits of enum bh_caller_kind. */
enum bh_method_flags {
	/** A person. */
	BH_METHOD_OPERATOR = BH_CALLER_OPERATOR,
	/** An agent in a terminal of ours. */
	BH_METHOD_INSIDE = BH_CALLER_INSIDE,
	/** An agent that we did not start. */
	BH_METHOD_EXTERNAL = BH_CALLER_EXTERNAL,
	/** Also those below the keeper that nobody can name. */
	BH_METHOD_UNVERIFIED = BH_CALLER_UNVERIFIED,
	/** Everybody who can be named. */
	BH_METHOD_ALL = BH_METHOD_OPERATOR | BH_METHOD_INSIDE | BH_METHOD_EXTERNAL,
	/** Only on a connection, not through the spool. */
	BH_METHOD_NEEDS_CONNECTION = 1 << 8,
	/** Also for a program that speaks another version of the protocol. */
	BH_METHOD_ANY_VERSION = 1 << 9,
};

/** One row of the table. */
struct bh_method {
	/** Name in the protocol. */
	const char *name;
	/** Bits of enum bh_method_flags. Checked before run is called. */
	unsigned flags;
	/** Does it. */
	void (*run)(struct bh_request *request);
};

/** The table: every method of the server, ended by a row whose name is NULL (methods.c). */
extern const struct bh_method bh_methods[];

/** The server that the request came to. */
struct bh_server *bh_request_server(const struct bh_request *request);

/** Who made the request. Good until it is answered. */
const struct bh_caller *bh_request_caller(const struct bh_request *request);

/** The token that came with the request, whatever it is worth; NULL: none. Borrowed as the params. */
const char *bh_request_token(const struct bh_request *request);

/** The params: an object, never NULL. Borrowed until it is answered. */
const cJSON *bh_request_params(const struct bh_request *request);

/** The value of the string parameter @name; missing or no string: the request is failed, NULL. */
const char *bh_request_string(struct bh_request *request, const char *name);

/**
 * The value of an optional string parameter.
 *
 * @value_out
 *         The string, or NULL when the parameter is missing or null.
 * @return
 *         false when it is something else: the request was failed.
 */
bool bh_request_optional_string(struct bh_request *request, const char *name,
                                const char **value_out);

/**
 * The value of an optional whole number.
 *
 * @fallback
 *         What counts when it is missing.
 * @value_out
 *         The number.
 * @return
 *         false when it is no whole number of @min to @max: the request was failed.
 */
bool bh_request_number(struct bh_request *request, const char *name, int64_t fallback, int64_t min,
                       int64_t max, int64_t *value_out);
/** Range of a number parameter that takes anything a JSON number holds exactly. */
#define BH_REQUEST_NUMBER_MAX ((int64_t)1 << 53)

/**
 * As bh_request_number() for a time that the caller wants to wait (ms, from 0): what it has waited under
 * an earlier server is taken off; 0 stays 0, other times become 1 at least.
 */
bool bh_request_wait(struct bh_request *request, const char *name, int64_t fallback, int64_t max,
                     int64_t *value_out);

/** The value of an optional boolean (missing: false). false: no boolean, the request was failed. */
bool bh_request_flag(struct bh_request *request, const char *name, bool *value_out);

/** Answer. @result becomes ours (an object). The request is gone. */
void bh_request_answer(struct bh_request *request, cJSON *result);

/**
 * Refuse or fail. The request is gone.
 *
 * @word
 *         `data.word` of the error (doc/PROTOCOL.md section 3). Static.
 * @format
 *         The sentence that says what to do.
 */
void bh_request_fail(struct bh_request *request, const char *word, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** As bh_request_fail(), with further members for `data` (object; becomes ours). */
void bh_request_fail_data(struct bh_request *request, const char *word, cJSON *data,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));

/** Fail with the word and the sentence of @err. The request is gone. */
void bh_request_fail_err(struct bh_request *request, const struct bh_err *err);

/**
 * Be told when nobody waits for the answer any more (its connection ended). The request still must
 * be answered, from inside @gone at the earliest. NULL takes it back. Never called for the spool.
 */
void bh_request_on_gone(struct bh_request *request, void (*gone)(void *user), void *user);

/** Whether nobody waits for the answer any more. Never for the spool. */
bool bh_request_is_gone(const struct bh_request *request);

/**
 * Leave the request to the next server: ours ends to be started anew, and what was waited for has not
 * come. The connection is closed without an answer, so that the client asks again, for what is left of
 * its time; in the spool it stays as if nobody had taken it. The request is gone.
 */
void bh_request_leave(struct bh_request *request);

/** The connection of the request, or NULL for the spool. For attach only. */
struct bh_connection *bh_request_connection(const struct bh_request *request);

#endif
