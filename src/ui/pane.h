/** @file
 * The client's view of one terminal of the session: a connection, the stream of its output, our own
 * screen fed by it, and what the server says of its state. Nothing of drawing.
 */
#ifndef BH_UI_PANE_H
#define BH_UI_PANE_H

#include "src/base/buf.h"
#include "src/base/err.h"
#include "src/client/client.h"
#include "term/screen.h"

#include <stdbool.h>
#include <stdint.h>

/** A pane. */
struct bh_pane;

/** How to make one; strings are borrowed for its life. */
struct bh_pane_settings {
	/** The session. */
	const struct bh_client_settings *client;
	/** Identity, terminal id, or its beginning. */
	const char *name;
	/** Only look. */
	bool is_observing;
	/** Size of its place on the person's terminal. */
	int cols, rows;
};

/** A pane that is not connected. Never NULL. */
struct bh_pane *bh_pane_new(const struct bh_pane_settings *settings);

/** Close and free; NULL allowed. */
void bh_pane_free(struct bh_pane *pane);

/**
 * Connect and attach. Blocks until the server has answered.
 *
 * @connect_ms
 *         How long to try to reach the server; 0: one try.
 * @return
 *         0; as bh_client_open(); BH_EUNSUPPORTED in a sandbox; as the server says (no such
 *         terminal).
 */
int bh_pane_connect(struct bh_pane *pane, long connect_ms, struct bh_err *err);

/** bh_pane_reconnect(): it goes on. */
#define BH_PANE_UNDERWAY 1

/**
 * As bh_pane_connect() with one try, but it never waits: to be called again and again, as bh_pane_fd()
 * and bh_pane_wants_write() say and now and then besides, until the server has answered.
 *
 * @return
 *         Also BH_PANE_UNDERWAY. After an error code the next call begins anew.
 */
int bh_pane_reconnect(struct bh_pane *pane, struct bh_err *err);

/** Whether it is connected, and the server has answered. */
bool bh_pane_is_connected(const struct bh_pane *pane);

/** The connection's descriptor for poll(); -1: there is none, not even one under way. */
int bh_pane_fd(const struct bh_pane *pane);

/** Whether to poll() for POLLOUT too. */
bool bh_pane_wants_write(const struct bh_pane *pane);

/**
 * Write and read what can be, take what came.
 *
 * @return
 *         0, or the code that ended the connection (BH_ECLOSED, BH_EPROTOCOL, -errno): then the
 *         pane is not connected any more, keeps its screen, and may be connected again.
 */
int bh_pane_pump(struct bh_pane *pane, uint64_t now_ms);

/** Send keys, or keep them until it is connected again; nothing when observing. What a server that died
 * did not pass on is sent to the next one. */
void bh_pane_keys(struct bh_pane *pane, struct bh_span bytes);

/** Nothing that was typed so far is sent to the next server. */
void bh_pane_forget_keys(struct bh_pane *pane);

/** Its place has another size now: the terminal follows, unless only observed. */
void bh_pane_resize(struct bh_pane *pane, int cols, int rows);

/** Its screen, NULL before the first snapshot. Borrowed until the next pump. */
struct bh_screen *bh_pane_screen(struct bh_pane *pane);

/** Whether a new snapshot, state, note or end came since the last call. */
bool bh_pane_take_news(struct bh_pane *pane);

/** The terminal's identity; before the first connect the name. */
const char *bh_pane_identity(const struct bh_pane *pane);

/** The terminal's id, "" before the first connect. */
const char *bh_pane_terminal_id(const struct bh_pane *pane);

/** Its state as the server says it ("idle"), "" when not known. */
const char *bh_pane_state(const struct bh_pane *pane);

/** The server's note for the border ("typing mail"), "" for none. */
const char *bh_pane_note(const struct bh_pane *pane);

/** What the program did beside the screen in output that was left out: bh_feed_take_aside(). */
struct bh_screen *bh_pane_take_aside(struct bh_pane *pane, uint32_t *changes_out);

/** Whether its program has ended; then *@status_out is the wait status. */
bool bh_pane_is_over(const struct bh_pane *pane, int32_t *status_out);

#endif
