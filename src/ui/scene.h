/** @file
 * One frame of the UI: tab bar, sidebar, panes with their title lines, status line, help. Pure:
 * what is known goes in, cells come out.
 */
#ifndef BH_UI_SCENE_H
#define BH_UI_SCENE_H

#include "src/ui/draw.h"
#include "src/ui/model.h"
#include "src/ui/question.h"
#include "term/screen.h"

#include <stdbool.h>
#include <stdint.h>

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

/** Divide a terminal of @cols x @rows. A small one loses first the sidebar, then the two lines. */
struct bh_scene_place bh_scene_divide(int cols, int rows, bool wants_sidebar);

/** The screen of a terminal, or NULL when there is none yet. */
typedef const struct bh_screen *bh_scene_screen_of(void *user, const char *terminal_id);

/** All that a frame shows. Borrowed for the call. */
struct bh_scene {
	const struct bh_model *model;
	struct bh_scene_place place;
	/** The session's name. */
	const char *session;
	bh_scene_screen_of *screen_of;
	void *user;
	/** The question in the status line, if it is open. */
	const struct bh_question *question;
	/** A sentence in the status line; "" for none. */
	const char *message;
	/** The prefix was pressed; the person only looks; the help is shown. */
	bool is_prefix, is_observing, is_help;
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

/** Compose only what the program of @pane draws, where nothing else has changed since the whole was
 * composed. */
void bh_scene_draw_screen(struct bh_draw *draw, const struct bh_scene *scene,
                          const struct bh_model_pane *pane);

/** Place the cursor, after that. */
void bh_scene_draw_cursor(struct bh_draw *draw, const struct bh_scene *scene);

/** Compose all of the frame. */
void bh_scene_draw(struct bh_draw *draw, const struct bh_scene *scene);

/** The mark of a terminal's state: a glyph of one column, never the only sign of it. */
const char *bh_scene_glyph(const struct bh_model_terminal *terminal);

#endif
