/** @file
 * The tabs of a session and the panes in them: order, names, focus, zoom. Pure: it knows terminals by
 * their ids only. layout_tree.h lays the panes of one tab out; layout_host.h is what the server does
 * with it.
 *
 * A terminal stands in one pane at most. A tab is never empty: it goes with its last pane. The tab in
 * front and the focus of each tab always exist while there is a tab.
 */
#ifndef BH_SERVER_LAYOUT_H
#define BH_SERVER_LAYOUT_H

#include "src/base/list.h"
#include "src/server/layout_tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Longest name of a tab (bytes, without the NUL). */
#define BH_LAYOUT_NAME_MAX 255
/** Most tabs of a session. */
#define BH_LAYOUT_TABS_MAX 500
/** The area before any client has told its size. */
#define BH_LAYOUT_AREA_COLS 120
/** See BH_LAYOUT_AREA_COLS. */
#define BH_LAYOUT_AREA_ROWS 40

/** A tab. Read the fields, change them through the functions only. */
struct bh_layout_tab {
	/** In the layout, in order. */
	struct bh_list link;
	/** Its number, never used again in this session. */
	int id;
	/** The name that a person gave; NULL: none. */
	char *name;
	/** Its panes. */
	struct bh_layout_node *root;
	/** The terminal in focus. */
	struct bh_uuid focus;
	/** The one that was in focus before; none: there was none, or it has gone. */
	struct bh_uuid last_focus;
	/** The pane in focus has the whole area. */
	bool is_zoomed;
	/** The arrangement that was asked for last (enum bh_layout_preset); -1: none yet. */
	int preset;
};

/** A layout. Read the fields, change them through the functions only. */
struct bh_layout {
	/** The tabs (`link`). */
	struct bh_list tabs;
	/** The tab in front; NULL when there is none. */
	struct bh_layout_tab *active;
	/** The tab that was in front before; NULL: none. */
	struct bh_layout_tab *last;
	/** The area of all panes of a tab, title lines included. */
	int cols, rows;
	/** The id of the next tab. */
	int next_id;
	/** Grows with every change. */
	uint64_t version;
};

/** Where a new pane goes. */
struct bh_layout_place {
	/** The terminal beside which; none: a new tab. */
	struct bh_uuid beside;
	/** On which side of it. */
	enum bh_layout_direction direction;
	/** Of a new tab: its name, borrowed; NULL: none. */
	const char *name;
	/** Of a new tab: where it stands, from 1; 0: at the end. */
	int index;
	/** It comes to the front and into focus. */
	bool is_focused;
};

/** An empty layout. */
struct bh_layout *bh_layout_new(void);

/** Free it with its tabs. NULL is allowed. */
void bh_layout_free(struct bh_layout *layout);

/** Set the area; every tab is fitted into it. False: it had this size. */
bool bh_layout_set_area(struct bh_layout *layout, int cols, int rows);

/* ---- tabs ------------------------------------------------------------------------------------ */

/** Number of tabs. */
size_t bh_layout_tab_count(const struct bh_layout *layout);

/** The tab with this id, or NULL. */
struct bh_layout_tab *bh_layout_tab_get(const struct bh_layout *layout, int64_t id);

/** The tab at this place, from 1, or NULL. */
struct bh_layout_tab *bh_layout_tab_at(const struct bh_layout *layout, int64_t index);

/** The place of a tab, from 1. */
int bh_layout_tab_index(const struct bh_layout *layout, const struct bh_layout_tab *tab);

/** The tab before (@step -1) or after (1) @tab, the other end at the ends. */
struct bh_layout_tab *bh_layout_tab_step(const struct bh_layout *layout,
                                         const struct bh_layout_tab *tab, int step);

/** Bring a tab to the front. */
void bh_layout_tab_select(struct bh_layout *layout, struct bh_layout_tab *tab);

/** Name a tab; "" takes its name away, a longer one than BH_LAYOUT_NAME_MAX is cut. */
void bh_layout_tab_rename(struct bh_layout *layout, struct bh_layout_tab *tab, const char *name);

/** Put a tab at this place, from 1; beyond the end: at the end. */
void bh_layout_tab_move(struct bh_layout *layout, struct bh_layout_tab *tab, int64_t index);

/** Two tabs change places. */
void bh_layout_tab_swap(struct bh_layout *layout, struct bh_layout_tab *a, struct bh_layout_tab *b);

/** Lay the panes of a tab out anew. Ends its zoom. */
void bh_layout_tab_arrange(struct bh_layout *layout, struct bh_layout_tab *tab,
                           enum bh_layout_preset preset);

/** Put every terminal of a tab into the next pane (@is_reverse: into the one before). The focus
 * stays at its place on the screen. Ends the zoom. */
void bh_layout_tab_rotate(struct bh_layout *layout, struct bh_layout_tab *tab, bool is_reverse);

/** Zoom the pane in focus, or end that. A tab of one pane is never zoomed. */
void bh_layout_tab_zoom(struct bh_layout *layout, struct bh_layout_tab *tab, bool is_zoomed);

/* ---- panes ----------------------------------------------------------------------------------- */

/** The tab that has a pane of @terminal, or NULL. */
struct bh_layout_tab *bh_layout_pane_tab(const struct bh_layout *layout,
                                         const struct bh_uuid *terminal);

/**
 * Give @terminal, which has none, a pane.
 *
 * @return
 *         Its tab. NULL when there is no room (a pane would be too small, too many panes or tabs),
 *         or `beside` has no pane; nothing is changed then.
 */
struct bh_layout_tab *bh_layout_pane_add(struct bh_layout *layout, const struct bh_uuid *terminal,
                                         const struct bh_layout_place *place);

/** Take the pane of @terminal out; its tab goes with the last one. Nothing happens without one. */
void bh_layout_pane_remove(struct bh_layout *layout, const struct bh_uuid *terminal);

/** Move the pane of @terminal to another place. NULL: there is none, or no room; nothing is changed. */
struct bh_layout_tab *bh_layout_pane_move(struct bh_layout *layout, const struct bh_uuid *terminal,
                                          const struct bh_layout_place *place);

/** The pane of @before shows @after from now on, which has none. Focus and place stay. */
void bh_layout_pane_succeed(struct bh_layout *layout, const struct bh_uuid *before,
                            const struct bh_uuid *after);

/** Bring the pane of @terminal into focus and its tab to the front. Nothing happens without one. */
void bh_layout_pane_focus(struct bh_layout *layout, const struct bh_uuid *terminal);

/** Two terminals that have panes change places, also across tabs. Ends the zoom of their tabs. */
void bh_layout_pane_swap(struct bh_layout *layout, const struct bh_uuid *a,
                         const struct bh_uuid *b);

/** Move a border of the pane of @terminal, as bh_layout_push(). Ends the zoom. */
int bh_layout_pane_push(struct bh_layout *layout, const struct bh_uuid *terminal,
                        enum bh_layout_direction direction, int cells);

/** Where the pane of a leaf stands now, its title line included: the whole area when it is zoomed. */
struct bh_layout_rect bh_layout_pane_rect(const struct bh_layout *layout,
                                          const struct bh_layout_tab *tab,
                                          const struct bh_layout_node *leaf);

/** Whether the pane of a leaf is seen when its tab is in front. */
bool bh_layout_pane_is_visible(const struct bh_layout_tab *tab, const struct bh_layout_node *leaf);

/** The pane before (@step -1) or after (1) that of @terminal in its tab, the other end at the ends. */
struct bh_layout_node *bh_layout_pane_step(const struct bh_layout_tab *tab,
                                           const struct bh_uuid *terminal, int step);

#endif
