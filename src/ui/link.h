/** @file
 * The UI's connection to the server: requests that are answered later, notifications, and the frames
 * of the streams, all in the order in which they came. Knows nothing of what they mean.
 */
#ifndef BH_UI_LINK_H
#define BH_UI_LINK_H

#include "src/base/err.h"
#include "src/client/client.h"
#include "src/client/conn.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/** Most requests that wait for an answer; the server takes 64. */
#define BH_LINK_PENDING_MAX 60

/** A connection, or the lack of one. */
struct bh_link;

/** What came. */
enum bh_link_kind {
	/** A notification: method and params. */
	BH_LINK_NOTIFICATION,
	/** The result of a request: its method, params and result. */
	BH_LINK_RESULT,
	/** The refusal of a request: its method, params, word and message. */
	BH_LINK_REFUSAL,
	/** A frame. */
	BH_LINK_FRAME,
};

/** One of them. Everything is borrowed until the next bh_link_next(). */
struct bh_link_event {
	enum bh_link_kind kind;
	const char *method;
	const cJSON *params;
	const cJSON *result;
	/** Of a result or refusal: who asked, as bh_link_request_for() was told; 0 for nobody. */
	unsigned asker;
	/** Of a refusal: the word to decide by, the sentence for a person. */
	const char *word;
	const char *message;
	struct bh_conn_item frame;
};

/** Not connected. @client is borrowed for its life. */
struct bh_link *bh_link_new(const struct bh_client_settings *client);

/** Close and free; NULL allowed. */
void bh_link_free(struct bh_link *link);

/** The place for panes that a UI has, as it tells the server. */
struct bh_link_place {
	int cols, rows;
	/** Only look. */
	bool is_observing;
};

/**
 * Connect, attach as a UI and subscribe to events. Blocks until the server has answered.
 *
 * @connect_ms
 *         How long to try to reach the server; 0: one try.
 * @state_out
 *         The result of events.subscribe; the caller deletes it.
 * @return
 *         0; as bh_client_open(); BH_EUNSUPPORTED in a sandbox; as the server says.
 */
int bh_link_connect(struct bh_link *link, long connect_ms, struct bh_link_place place,
                    cJSON **state_out, struct bh_err *err);

/** bh_link_reconnect(): it goes on. */
#define BH_LINK_UNDERWAY 1

/**
 * As bh_link_connect() with one try, but it never waits: to be called again and again, as bh_link_fd()
 * and bh_link_wants_write() say and now and then besides, until the server has answered. @place may
 * change meanwhile.
 *
 * @return
 *         Also BH_LINK_UNDERWAY. After an error code the next call begins anew.
 */
int bh_link_reconnect(struct bh_link *link, struct bh_link_place place, cJSON **state_out,
                      struct bh_err *err);

/** Close; requests without an answer are forgotten. */
void bh_link_close(struct bh_link *link);

/** Our number among the session's UIs, as the layout object has it; 0 when it is not known. */
int bh_link_number(const struct bh_link *link);

/** Before the close of one that is lost: take a request that has no answer, as refused. False when there
 * is none left. */
bool bh_link_give_up(struct bh_link *link, struct bh_link_event *event_out);

/** Whether it is connected, and the server has answered. */
bool bh_link_is_open(const struct bh_link *link);

/** For poll(): -1 when there is no connection, not even one under way. */
int bh_link_fd(const struct bh_link *link);

/** Whether to poll() for POLLOUT too. */
bool bh_link_wants_write(const struct bh_link *link);

/** Queue a request; @params is taken. False when too many wait already, or not connected. */
bool bh_link_request(struct bh_link *link, const char *method, cJSON *params);

/** The same for one of many who ask: @asker, not 0, comes back with the answer. */
bool bh_link_request_for(struct bh_link *link, unsigned asker, const char *method, cJSON *params);

/** Queue keys for a stream. */
void bh_link_keys(struct bh_link *link, uint16_t stream, struct bh_span bytes);

/** Write and read what can be. 0, or the code that ended the connection; then bh_link_next() still
 * gives what came before. */
int bh_link_pump(struct bh_link *link);

/** Write what can be, and read nothing: nobody would look at it before the next poll(). As
 * bh_link_pump(). */
int bh_link_flush(struct bh_link *link);

/** The next event. 1, 0 when there is none now, or BH_EPROTOCOL. */
int bh_link_next(struct bh_link *link, struct bh_link_event *event_out);

#endif
