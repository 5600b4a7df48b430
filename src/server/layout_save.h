/** @file
 * A layout as a JSON object and back: the file layout.json of a session, and copies to try things on.
 */
#ifndef BH_SERVER_LAYOUT_SAVE_H
#define BH_SERVER_LAYOUT_SAVE_H

#include "src/base/err.h"
#include "src/server/layout.h"

#include <cjson/cJSON.h>

/** All of a layout. The caller deletes it. */
cJSON *bh_layout_save(const struct bh_layout *layout);

/**
 * A layout as it was saved. Everything in @saved is checked; one thing that makes no sense spoils all.
 *
 * @return
 *         NULL with @err (BH_EINVALID).
 */
struct bh_layout *bh_layout_load(const cJSON *saved, struct bh_err *err);

/** A copy. */
struct bh_layout *bh_layout_dup(const struct bh_layout *layout);

#endif
