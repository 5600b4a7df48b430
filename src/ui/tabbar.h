/** @file
 * The line with the tabs and the session's name. Pure.
 */
#ifndef BH_UI_TABBAR_H
#define BH_UI_TABBAR_H

#include "src/ui/draw.h"
#include "src/ui/model.h"
#include "src/ui/scene.h"

/** Draw it into row 0. The active tab is always in it; ‹ and › tell that there are more. */
void bh_tabbar_draw(struct bh_draw *draw, const struct bh_scene *scene);

/** The tab at a column of it, or NULL. */
const struct bh_model_tab *bh_tabbar_at(const struct bh_scene *scene, int col);

#endif
