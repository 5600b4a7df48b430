/** @file
 * Draws the demo agent. Only rows that changed are sent, each frame inside mode 2026. The screen
 * is described at the top of main.c.
 */
#ifndef BH_DEMO_VIEW_H
#define BH_DEMO_VIEW_H

#include "demo_agent.h"

/** How often a working agent is drawn (ms): the speed of the spinner. */
#define BH_DEMO_SPIN_MS 120

/** The last frame. Zero-initialise; end with bh_demo_view_clear(). */
struct bh_demo_view {
	int cols;
	int rows;
	/** The shown rows, @rows of them, or NULL before the first frame. */
	char **shown;
	/** The title last set, or NULL. */
	char *title;
};

/** The terminal has this size now; the next frame is whole. Sizes below 2 are taken as 2. */
void bh_demo_view_resize(struct bh_demo_view *view, int cols, int rows);

/** Add to @out what turns the last frame into one that shows @agent. */
void bh_demo_view_draw(struct bh_demo_view *view, const struct bh_demo_agent *agent,
                       uint64_t now_ms, struct bh_buf *out);

/** Free the frame; usable again after a resize. */
void bh_demo_view_clear(struct bh_demo_view *view);

#endif
