/** @file
 * Copy mode in the running UI. For its own files only.
 */
#ifndef BH_UI_APP_COPY_H
#define BH_UI_APP_COPY_H

#include "src/ui/layer.h"

struct bh_app;

/**
 * Let copy mode stand over the pane of a terminal, which is in view.
 *
 * @return
 *         Its layer, also when it was there already; NULL when there is nothing to copy from (the
 *         person was told).
 */
struct bh_layer *bh_app_copy_mode(struct bh_app *app, const char *terminal_id);

/** The same over the pane in focus. */
void bh_app_begin_copy(struct bh_app *app);

/** The same, a page up. */
void bh_app_copy_page_up(struct bh_app *app);

/** Give the program in focus what was copied last, as a paste. */
void bh_app_paste_yanked(struct bh_app *app);

#endif
