/** @file
 * The list of this user's sessions, to go to another one or to begin one. A layer.
 */
#ifndef BH_UI_SESSIONPICKER_H
#define BH_UI_SESSIONPICKER_H

#include "src/client/sessions.h"
#include "src/ui/layer.h"

/** Called with the name of the session that was chosen, before the layer closes. */
typedef void bh_sessionpicker_go(void *user, const char *name);

/** Make it. @sessions is taken; @current, whose session this is, is copied. @go is called with @user. */
struct bh_layer *bh_sessionpicker_new(const struct bh_layer_host *host,
                                      struct bh_sessions *sessions, const char *current,
                                      bh_sessionpicker_go *go, void *user);

#endif
