/** @file
 * The sidebar: every agent with its state, how long it has had it, and what becomes of its mail; who
 * needs a person first. Pure.
 */
#ifndef BH_UI_SIDEBAR_H
#define BH_UI_SIDEBAR_H

#include "src/ui/draw.h"
#include "src/ui/model.h"

/** What it shows. Borrowed for the call. */
struct bh_sidebar {
	const struct bh_model *model;
	/** So many lines are scrolled out above; too many are as many as there can be. */
	int scroll;
	/** The keys that start an agent, told while there is none; NULL: there are no such keys. */
	const char *start_keys;
	/** For ages (bh_clock_mono_ms()). */
	uint64_t now_ms;
};

/** Draw it into @rect; its last column is the line to the panes. */
void bh_sidebar_draw(struct bh_draw *draw, struct bh_draw_rect rect,
                     const struct bh_sidebar *sidebar);

/** The agent whose line is row @row of the person's terminal, or NULL. Borrowed from the model. */
const struct bh_model_terminal *bh_sidebar_at(struct bh_draw_rect rect,
                                              const struct bh_sidebar *sidebar, int row);

/** Whether row @row is the line that counts mail. */
bool bh_sidebar_is_mail(struct bh_draw_rect rect, int row);

/** The largest scroll that shows anything else than the one before. */
int bh_sidebar_scroll_max(struct bh_draw_rect rect, const struct bh_model *model);

/** When it looks different without any news (bh_clock_mono_ms()), 0: never. */
uint64_t bh_sidebar_due_ms(const struct bh_model *model, uint64_t now_ms);

#endif
