/** @file
 * Text to read in a part of the frame: wrapped between words to its width, scrolled by lines. Pure.
 */
#ifndef BH_UI_TEXTVIEW_H
#define BH_UI_TEXTVIEW_H

#include "src/ui/draw.h"
#include "src/ui/layer.h"

#include <stdbool.h>

/** A text and how far it is scrolled. */
struct bh_textview;

/** Empty. The caller frees it with bh_textview_free(). */
struct bh_textview *bh_textview_new(void);

/** Free; NULL allowed. */
void bh_textview_free(struct bh_textview *view);

/** Show @text from now on: UTF-8, lines end with \n; borrowed for the call. What could steer a
 * terminal must be escaped already. The place in the text is kept where there still is one. */
void bh_textview_set(struct bh_textview *view, const char *text);

/** Back to the beginning. */
void bh_textview_rewind(struct bh_textview *view);

/** Draw it into @rect, with a mark at the right when there is more above or below. */
void bh_textview_draw(struct bh_textview *view, struct bh_draw *draw, struct bh_draw_rect rect);

/** Scroll: up, down, page keys, Home, End, Space, j, k, g, G. False: it is no such key. */
bool bh_textview_key(struct bh_textview *view, const struct bh_layer_key *key);

/** Scroll by @lines, up when negative. */
void bh_textview_scroll(struct bh_textview *view, long lines);

#endif
