/** @file
 * The mail view: all mailboxes; the messages of one, with body and receipt of the chosen message.
 * Looking marks nothing as seen, but for mail to the operator, who is the one that looks.
 */
#ifndef BH_UI_MAILVIEW_H
#define BH_UI_MAILVIEW_H

#include "src/ui/layer.h"
#include "src/ui/model.h"

/**
 * Make the layer; both are borrowed for its life. The mailbox of the agent in focus is chosen.
 *
 * @is_observing
 *         Nothing is rung and nothing marked as seen.
 */
struct bh_layer *bh_mailview_new(const struct bh_layer_host *host, const struct bh_model *model,
                                 bool is_observing);

#endif
