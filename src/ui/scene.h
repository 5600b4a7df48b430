/** @file
 * One frame of the UI: tab bar, sidebar, panes with their title lines, status line, help. Pure:
 * what is known goes in, cells come out.
 */
#ifndef BH_UI_SCENE_H
#define BH_UI_SCENE_H

#include "src/ui/bindings.h"
#include "src/ui/draw.h"
#include "src/ui/model.h"
#include "term/screen.h"

#include <stdbool.h>
#include <stdint.h>

struct bh_question;

/** Where the parts stand on the person's terminal. */
struct bh_scene_place {
	/** All of it. */
	int cols, rows;
	/** Columns of the sidebar, its line at the right included; 0: none. */
	int sidebar_cols;
	/** Rows of the tab bar above and of the status line below: 0 or 1. */
	int top_rows, bottom_rows;
	/** What is left for panes. */
	struct bh_draw_rect area;
};

/** The widths that a sidebar can be given. */
#define BH_SCENE_SIDEBAR_MIN 18
#define BH_SCENE_SIDEBAR_MAX 36

/** Divide a terminal of @cols x @rows. A small one loses first the sidebar, then the two lines.
 * @sidebar_cols: how wide the sidebar is; 0: by the width of all. */
struct bh_scene_place bh_scene_divide(int cols, int rows, bool wants_sidebar, int sidebar_cols);

/** Where the sidebar stands; 0 columns: there is none. */
struct bh_draw_rect bh_scene_sidebar_rect(const struct bh_scene_place *place);

/** The screen of a terminal, or NULL when there is none yet. */
typedef const struct bh_screen *bh_scene_screen_of(void *user, const char *terminal_id);

struct bh_scene;

/** Compose what stands over the panes, and place the cursor. */
typedef void bh_scene_draw_over(void *user, const struct bh_scene *scene);

/** All that a frame shows. Borrowed for the call. */
struct bh_scene {
	const struct bh_model *model;
	struct bh_scene_place place;
	/** The session's name. */
	const char *session;
	/** The keys in force. */
	const struct bh_bindings *bindings;
	bh_scene_screen_of *screen_of;
	/** NULL: nothing stands over them, and the cursor is that of the pane in focus. */
	bh_scene_draw_over *draw_over;
	void *user;
	/** The question in the status line, if it is open. */
	const struct bh_question *question;
	/** A sentence in the status line; "" for none. */
	const char *message;
	/** The prefix was pressed; the person only looks. */
	bool is_prefix, is_observing;
	/** Lines of the sidebar that are scrolled out above. */
	int sidebar_scroll;
	/** For ages (bh_clock_mono_ms()). */
	uint64_t now_ms;
};

/** The first row and column of the session's area that are shown: not 0 when it is larger than our
 * place and the cursor of the pane in focus is beyond. */
struct bh_scene_origin {
	int row, col;
};

/** See there. */
struct bh_scene_origin bh_scene_origin(const struct bh_scene *scene);

/** Where what the program of @pane draws is seen on the person's terminal; 0 rows or columns when it
 * is not. */
struct bh_draw_rect bh_scene_pane_rect(const struct bh_scene *scene, struct bh_scene_origin origin,
                                       const struct bh_model_pane *pane);

/** The rows that the message takes, from the lowest on; above the first it covers panes. */
int bh_scene_message_rows(const struct bh_scene *scene);

/** Compose only what is new of what the program of @pane draws since its bh_screen_see(), where nothing
 * else has changed since the whole was composed. */
void bh_scene_draw_screen(struct bh_draw *draw, const struct bh_scene *scene,
                          const struct bh_model_pane *pane);

/** Place the cursor, after that. */
void bh_scene_draw_cursor(struct bh_draw *draw, const struct bh_scene *scene);

/** Compose all of the frame. */
void bh_scene_draw(struct bh_draw *draw, const struct bh_scene *scene);

/** The pane whose screen is at a cell of the person's terminal, or NULL. */
const struct bh_model_pane *bh_scene_pane_at(const struct bh_scene *scene, int row, int col);

/** The cell of a pane's screen that is at a cell of the person's terminal; outside of it too. */
struct bh_draw_rect bh_scene_cell_of(const struct bh_scene *scene, const struct bh_model_pane *pane,
                                     int row, int col);

/** The mark of a terminal's state: a glyph of one column, never the only sign of it. */
const char *bh_scene_glyph(const struct bh_model_terminal *terminal);

/** The colours of the mark and of the word beside it. */
struct bh_draw_style bh_scene_state_style(const struct bh_model_terminal *terminal);

#endif
