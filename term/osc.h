/** Operating system commands: titles, colours, links, folder, progress, marks, notifications. */
#ifndef BH_TERM_OSC_H
#define BH_TERM_OSC_H

#include "term/state.h"

/** Act on a whole OSC. Unknown ones do nothing. */
void bh_osc_run(struct bh_screen *s, const struct bh_token *token);

/** XTWINOPS 22: push title and icon name. */
void bh_osc_push_titles(struct bh_screen *s);

/** XTWINOPS 23: pop both; take back both (@what 0), the icon name (1) or the title (2). */
void bh_osc_pop_titles(struct bh_screen *s, int what);

/** The 0xRRGGBB that @index (0..255 or BH_STATE_COLOR_*) stands for. */
uint32_t bh_osc_color(const struct bh_screen *s, int index);

#endif
