/** @file
 * What a reader sees: the rows of the view as the program drew them, matches and what is marked in
 * other looks, how far up it is, and the prompt. Pure: cells out.
 */
#ifndef BH_UI_COPYDRAW_H
#define BH_UI_COPYDRAW_H

#include "src/ui/copyprompt.h"
#include "src/ui/copyreader.h"
#include "src/ui/draw.h"

/** The view as a screen, kept from frame to frame. Zero-initialise; end with bh_copydraw_clear(). */
struct bh_copydraw {
	struct bh_screen *screen;
};

/** Free; usable again. */
void bh_copydraw_clear(struct bh_copydraw *copydraw);

/** Draw it at @rect, which has the size of the view, and place the cursor. */
void bh_copydraw_draw(struct bh_copydraw *copydraw, const struct bh_copyreader *reader,
                      const struct bh_copyprompt *prompt, struct bh_draw *draw,
                      struct bh_draw_rect rect);

#endif
