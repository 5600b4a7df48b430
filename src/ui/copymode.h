/** @file
 * Copy mode: reading, searching and copying what a terminal shows and what has left its top, while
 * the terminal goes on underneath. A layer over one pane.
 */
#ifndef BH_UI_COPYMODE_H
#define BH_UI_COPYMODE_H

#include "src/ui/layer.h"
#include "term/screen.h"

#include <stdbool.h>

/** How it is. */
struct bh_copymode_settings {
	/** The keys of emacs, else those of vi. */
	bool is_emacs;
};

/**
 * One over the pane of @terminal_id, whose screen is @screen now (copied). It asks for the history
 * at once. When what it is told first is the mouse, it leaves by itself once it is scrolled to the
 * end again, or what a drag marked is copied.
 */
struct bh_layer *bh_copymode_new(const struct bh_layer_host *host, const char *terminal_id,
                                 const struct bh_screen *screen,
                                 const struct bh_copymode_settings *settings);

#endif
