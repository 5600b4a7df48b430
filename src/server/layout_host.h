/** @file
 * The layout at work: sizes go to the terminals, changes to listeners and to disk, terminals that end
 * lose their panes, successors take them.
 *
 * A method changes the layout (layout.h) and then calls bh_layout_host_changed(). Listeners are told
 * and the file is written from the loop, once for all changes of a turn.
 */
#ifndef BH_SERVER_LAYOUT_HOST_H
#define BH_SERVER_LAYOUT_HOST_H

#include "src/server/layout.h"
#include "src/server/layout_clients.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

struct bh_layout_host;
struct bh_request;
struct bh_server;
struct bh_terminal;

/** A program that has a pane closed gets SIGHUP, and SIGKILL after so long (ms). */
#define BH_LAYOUT_KILL_MS 3000

/** A terminal gets the sizes of its pane at least so long apart (ms). */
#define BH_LAYOUT_RESIZE_MS 250

/** The layout that the session had, or an empty one. */
struct bh_layout_host *bh_layout_host_new(struct bh_server *server);

/** Save it and close its handles; memory is freed by the loop. The server's pointer is set to NULL. */
void bh_layout_host_close(struct bh_layout_host *host);

/** The table of terminals is complete: panes of those that are not there go. */
void bh_layout_host_settle(struct bh_layout_host *host);

/** The layout; to be changed by the functions of layout.h. */
struct bh_layout *bh_layout_host_layout(const struct bh_layout_host *host);

/** The clients; to be changed by the functions of layout_clients.h. */
struct bh_layout_clients *bh_layout_host_clients(struct bh_layout_host *host);

/** The layout or the clients are different: sizes are set now, all else follows. @request: who did
 * it, which counts as use; NULL: nobody. */
void bh_layout_host_changed(struct bh_layout_host *host, const struct bh_request *request);

/** The layout object of the protocol. NULL host: an empty object. */
cJSON *bh_layout_host_view(struct bh_layout_host *host);

/**
 * The size that a terminal would have in a pane of its own at @place.
 *
 * @return
 *         false when there is no room.
 */
bool bh_layout_host_room(const struct bh_layout_host *host, const struct bh_layout_place *place,
                         int *cols_out, int *rows_out);

/** End the program in a pane; the pane goes when it has ended. It gets no successor. */
void bh_layout_host_end(struct bh_layout_host *host, struct bh_terminal *terminal);

/** No client's own size holds for a terminal any more: it has that of its pane, if it has one. A NULL
 * host is fine. */
void bh_layout_host_fit(struct bh_layout_host *host, struct bh_terminal *terminal);

/* ---- for wiring.c; a NULL host is fine -------------------------------------------------------- */

/** A terminal runs: it takes the pane of the one that it succeeds, and its size. */
void bh_layout_host_started(struct bh_layout_host *host, struct bh_terminal *terminal);

/** A terminal has ended, or leaves the list (@is_leaving). */
void bh_layout_host_ended(struct bh_layout_host *host, const struct bh_terminal *terminal,
                          bool is_leaving);

#endif
