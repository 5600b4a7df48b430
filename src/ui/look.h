/** @file
 * How a cell looks, in the sequences of one terminal: what it cannot do is left out, colours that it
 * has not become the nearest of those it has. Pure.
 */
#ifndef BH_UI_LOOK_H
#define BH_UI_LOOK_H

#include "src/base/buf.h"
#include "src/ui/outer.h"

#include <stdint.h>

/** A look. Zero is plain. */
struct bh_look {
	/** enum bh_attr. */
	uint16_t attrs;
	/** BH_COLOR_*. */
	uint32_t fg, bg, underline_color;
};

/** Append the SGR sequence that sets exactly this look, whatever was set before. */
void bh_look_put(const struct bh_look *look, const struct bh_outer *outer, struct bh_buf *out);

#endif
