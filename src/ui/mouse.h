/** @file
 * Reports of the mouse: from those of a person's terminal to what the UI's own parts and the
 * programs in panes take. Pure.
 */
#ifndef BH_UI_MOUSE_H
#define BH_UI_MOUSE_H

#include "src/base/buf.h"
#include "src/ui/input.h"
#include "src/ui/layer.h"
#include "term/screen.h"

#include <stdbool.h>
#include <stdint.h>

/** The presses before this one. Zero-initialise. */
struct bh_mouse_clicks {
	int row, col, button;
	uint64_t at_ms;
	/** How many followed on each other, 1 to 3; 0 before the first. */
	int count;
};

/**
 * What a report says.
 *
 * @return
 *         False when it is of a button or wheel that the UI has no use for.
 */
bool bh_mouse_read(struct bh_mouse_clicks *clicks, const struct bh_input_mouse *report,
                   uint64_t now_ms, struct bh_layer_mouse *mouse_out);

/**
 * Append a report as the program of @screen asked for it.
 *
 * @report
 *         Its cell is that of the program's screen.
 * @return
 *         False with nothing appended when it did not ask for it, or cannot be told of so far a
 *         cell.
 */
bool bh_mouse_encode(const struct bh_screen *screen, const struct bh_input_mouse *report,
                     struct bh_buf *out);

#endif
