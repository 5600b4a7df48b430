/** @file
 * Why an agent is in the state that it is in: the answer of terminal.explain over the panes.
 */
#ifndef BH_UI_EXPLAINVIEW_H
#define BH_UI_EXPLAINVIEW_H

#include "src/ui/layer.h"

/** Make the layer for the terminal @id, called @identity, and ask for its explanation; again when
 * there are news of it. @host and @model are borrowed for its life. */
struct bh_layer *bh_explainview_new(const struct bh_layer_host *host, const struct bh_model *model,
                                    const char *id, const char *identity);

#endif
