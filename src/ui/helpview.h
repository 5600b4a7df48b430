/** @file
 * The help: the key table over the panes, cut down by typing words of it.
 */
#ifndef BH_UI_HELPVIEW_H
#define BH_UI_HELPVIEW_H

#include "src/ui/layer.h"

#include <stddef.h>

/** Make the layer; @host is borrowed for its life. @direct_count keys need no prefix (bh_bindings). */
struct bh_layer *bh_helpview_new(const struct bh_layer_host *host, size_t direct_count);

#endif
