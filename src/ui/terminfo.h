/** @file
 * What the system's terminfo database says of a terminal.
 */
#ifndef BH_UI_TERMINFO_H
#define BH_UI_TERMINFO_H

#include "src/ui/outer.h"

/**
 * Look up the terminal called @term.
 *
 * @return
 *         0 with @outer_out; -ENOENT: nobody knows it; BH_EUNSUPPORTED: it cannot be drawn on, as its
 *         cursor cannot be placed, or not by ANSI sequences.
 */
int bh_terminfo_read(const char *term, struct bh_outer *outer_out);

#endif
