/** @file
 * What the methods about tabs and panes share (method_layout*.c), and the methods themselves for the
 * table in methods.c. doc/PROTOCOL.md section 10 says what each takes and gives.
 */
#ifndef BH_SERVER_METHOD_LAYOUT_H
#define BH_SERVER_METHOD_LAYOUT_H

#include "src/server/layout.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

struct bh_request;
struct bh_terminal;

/** A pane that a request is about. */
struct bh_layout_target {
	/** Its tab. */
	struct bh_layout_tab *tab;
	/** The pane. */
	struct bh_layout_node *leaf;
};

/** The layout of the server that the request came to. */
struct bh_layout *bh_layout_of(const struct bh_request *request);

/** The tab of `tab` or `index`, without both the active one. NULL: the request was failed. */
struct bh_layout_tab *bh_layout_target_tab(struct bh_request *request);

/** The pane of the terminal that @param names; without it, the one in focus. false: the request was
 * failed. */
bool bh_layout_target_pane(struct bh_request *request, const char *param,
                           struct bh_layout_target *target_out);

/** The direction that the string parameter @name says; missing: as it is. false: the request was
 * failed. */
bool bh_layout_read_direction(struct bh_request *request, const char *name,
                              enum bh_layout_direction *direction_out);

/** An optional boolean with @fallback. false: the request was failed. */
bool bh_layout_read_flag(struct bh_request *request, const char *name, bool fallback,
                         bool *value_out);

/** Answer a request that has changed the layout: sizes follow, `version` is added. @result (an object)
 * is taken. */
void bh_layout_answer(struct bh_request *request, cJSON *result);

/** Fail with `no_room`. */
void bh_layout_fail_room(struct bh_request *request);

/** method_layout.c. */
void bh_method_layout_get(struct bh_request *request);
/** See above. */
void bh_method_layout_arrange(struct bh_request *request);
/** See above. */
void bh_method_tab_select(struct bh_request *request);
/** See above. */
void bh_method_tab_rename(struct bh_request *request);
/** See above. */
void bh_method_tab_move(struct bh_request *request);
/** "tab.swap". */
void bh_method_tab_swap(struct bh_request *request);

/** method_layout_run.c: new panes. */
void bh_method_tab_new(struct bh_request *request);
/** See above. */
void bh_method_pane_split(struct bh_request *request);
/** See above. */
void bh_method_pane_show(struct bh_request *request);
/** `terminal.run` with `place`. */
void bh_method_terminal_run_placed(struct bh_request *request);

/** method_layout_pane.c: panes that there are. */
void bh_method_pane_focus(struct bh_request *request);
/** See above. */
void bh_method_pane_swap(struct bh_request *request);
/** See above. */
void bh_method_pane_zoom(struct bh_request *request);
/** See above. */
void bh_method_pane_resize(struct bh_request *request);
/** See above. */
void bh_method_pane_break(struct bh_request *request);
/** See above. */
void bh_method_pane_join(struct bh_request *request);
/** See above. */
void bh_method_pane_rotate(struct bh_request *request);
/** See above. */
void bh_method_pane_close(struct bh_request *request);
/** See above. */
void bh_method_tab_close(struct bh_request *request);

/** method_layout_client.c: UIs and listeners. */
void bh_method_ui_attach(struct bh_request *request);
/** See above. */
void bh_method_ui_size(struct bh_request *request);
/** See above. */
void bh_method_ui_detach(struct bh_request *request);
/** See above. */
void bh_method_session_size_policy(struct bh_request *request);
/** See above. */
void bh_method_events_subscribe(struct bh_request *request);
/** See above. */
void bh_method_events_unsubscribe(struct bh_request *request);

#endif
