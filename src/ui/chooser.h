/** @file
 * The list of tabs and panes, and of terminals that have no pane: cut down by typing, Enter goes
 * there.
 */
#ifndef BH_UI_CHOOSER_H
#define BH_UI_CHOOSER_H

#include "src/ui/layer.h"
#include "src/ui/model.h"

/** Make the layer; both are borrowed for its life. The pane in focus is chosen. */
struct bh_layer *bh_chooser_new(const struct bh_layer_host *host, const struct bh_model *model);

#endif
