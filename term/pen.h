/** How the next glyph will look, and SGR both ways. */
#ifndef BH_TERM_PEN_H
#define BH_TERM_PEN_H

#include "term/bytes.h"
#include "term/sieve.h"

#include <stdint.h>

/** A pen. All zero is the terminal's default. */
struct bh_pen {
	uint32_t fg;              ///< BH_COLOR_*
	uint32_t bg;              ///< BH_COLOR_*
	uint32_t underline_color; ///< BH_COLOR_*
	uint16_t attrs;           ///< enum bh_attr
	uint16_t extra; ///< number of underline colour and link, see glyph.h; the screen's
};

/** Apply the arguments of an SGR. DECSCA's protection and `extra` stay as they are. */
void bh_pen_apply(struct bh_pen *pen, const struct bh_token *token);

/** Append the parameters of the SGR that makes a terminal's pen this one whatever it was, as
 * "0;1;38;5;9" (without CSI and m). Protection and link are not SGR and not in it. */
void bh_pen_write(const struct bh_pen *pen, struct bh_bytes *out);

#endif
