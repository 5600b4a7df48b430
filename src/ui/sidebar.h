/** @file
 * The sidebar: every agent with its state, how long it has had it, and its mail; who needs a person
 * first. Pure.
 */
#ifndef BH_UI_SIDEBAR_H
#define BH_UI_SIDEBAR_H

#include "src/ui/draw.h"
#include "src/ui/model.h"

/** Draw it into @rect; its last column is the line to the panes. */
void bh_sidebar_draw(struct bh_draw *draw, struct bh_draw_rect rect, const struct bh_model *model,
                     uint64_t now_ms);

/** When it looks different without any news (bh_clock_mono_ms()), 0: never. */
uint64_t bh_sidebar_due_ms(const struct bh_model *model, uint64_t now_ms);

#endif
