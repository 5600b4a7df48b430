/** @file
 * Screens as the protocol shows them: text, text with SGR, runs of cells (doc/PROTOCOL.md section 6).
 */
#ifndef BH_SERVER_SCREEN_VIEW_H
#define BH_SERVER_SCREEN_VIEW_H

#include "src/base/buf.h"
#include "term/screen.h"

#include <cjson/cJSON.h>

/** Append the newest @rows rows of history, oldest first, each ended by a newline; trailing blanks
 * are cut. Gives the number of rows. */
size_t bh_screen_view_history(const struct bh_screen *screen, size_t rows, struct bh_buf *out);

/** Most runs in the lines of one screen. Only output made for it has more, and building those would
 * stop the server for seconds. */
#define BH_SCREEN_VIEW_RUNS_MAX 50000

/** The rows of the screen as an array of {"text","runs"}. The caller owns it. NULL: it would have more
 * than BH_SCREEN_VIEW_RUNS_MAX runs. */
cJSON *bh_screen_view_lines(const struct bh_screen *screen);

#endif
