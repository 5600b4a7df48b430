/** @file
 * The lines around panes: a title line above each, a column between neighbours, joined where they
 * meet, heavy around the pane in focus. Pure.
 */
#ifndef BH_UI_BORDER_H
#define BH_UI_BORDER_H

#include "src/ui/draw.h"
#include "src/ui/model.h"
#include "src/ui/scene.h"

/** A border that can be moved: one pane's, with all that share it. */
struct bh_border {
	/** A pane at its left, or above it; NULL: there is none. Borrowed from the model. */
	const struct bh_model_pane *pane;
	/** It runs from top to bottom, and is moved sideways. */
	bool is_vertical;
	/** Its column or row, in the session's area. */
	int at;
};

/** The border at a cell of the session's area. */
struct bh_border bh_border_at(const struct bh_model *model, int row, int col);

/** Where the border of the pane of @terminal_id is now, -1 when it has none any more. */
int bh_border_find(const struct bh_model *model, const char *terminal_id, bool is_vertical);

/** The pane whose title line is at a cell of the session's area, or NULL. */
const struct bh_model_pane *bh_border_title_at(const struct bh_model *model, int row, int col);

/**
 * Draw the lines around the visible panes of the active tab, where they are within @area; cells
 * without a line are left alone. @origin is the cell of the session that stands in the upper left
 * corner of @area.
 */
void bh_border_draw(struct bh_draw *draw, struct bh_draw_rect area, struct bh_scene_origin origin,
                    const struct bh_model *model);

#endif
