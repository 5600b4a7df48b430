/** @file
 * Small JSON files in the session's runtime folder: what one server leaves for the next that is
 * worthless after a boot, because processes and terminals are in it. Mode 0600: secrets may be, too.
 */
#ifndef BH_SERVER_KEEPSAKE_H
#define BH_SERVER_KEEPSAKE_H

#include <cjson/cJSON.h>

struct bh_server;

/**
 * Write @json (taken) to the file @name of the runtime folder, in place of the one before. A failure
 * is logged with @what ("registrations"): the next server will not know of them.
 */
void bh_keepsake_save(const struct bh_server *server, const char *name, const char *what,
                      cJSON *json);

/** What was saved as @name: an array; an empty one when there is nothing, or it cannot be read. The
 * caller ends it with cJSON_Delete(). */
cJSON *bh_keepsake_load(const struct bh_server *server, const char *name);

#endif
