/** Another size: the lines of the main screen are wrapped anew. */
#ifndef BH_TERM_REFLOW_H
#define BH_TERM_REFLOW_H

#include "term/state.h"

/** Take the size @cols x @rows, which must be in range. Rows that no longer fit go to the history.
 * Margins and tab stops of new columns are the default ones, saved cursors are clamped. */
void bh_reflow_resize(struct bh_screen *s, int cols, int rows);

#endif
