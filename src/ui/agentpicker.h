/** @file
 * A new agent: which of the installed programs, its name, and where its pane goes.
 */
#ifndef BH_UI_AGENTPICKER_H
#define BH_UI_AGENTPICKER_H

#include "src/ui/layer.h"
#include "src/ui/model.h"

#include <cjson/cJSON.h>

/**
 * Make the layer, and ask which programs there are; all is borrowed for its life.
 *
 * @environ
 *         The environment of what is started (object), its PATH is searched; NULL: the server's.
 */
struct bh_layer *bh_agentpicker_new(const struct bh_layer_host *host, const struct bh_model *model,
                                    const cJSON *environ);

#endif
