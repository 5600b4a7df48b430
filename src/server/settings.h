/** @file
 * The user's settings as the server holds them: read at the start, and again on `server.reload`.
 */
#ifndef BH_SERVER_SETTINGS_H
#define BH_SERVER_SETTINGS_H

#include "src/base/err.h"

struct bh_layout_clients;
struct bh_server;

/** Read them at the start, after the paths are known. Faults are logged; those keys have defaults. */
void bh_settings_open(struct bh_server *server);

/** The size policy that the settings say. */
void bh_settings_size_policy(const struct bh_server *server, struct bh_layout_clients *clients);

/**
 * Read them again and let what changed take effect.
 *
 * @return
 *         0; BH_EINVALID when anything in the file is at fault: nothing has changed, @err has the
 *         first fault and how many there are.
 */
int bh_settings_reload(struct bh_server *server, struct bh_err *err);

/** Free them. */
void bh_settings_close(struct bh_server *server);

#endif
