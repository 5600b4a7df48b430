/** @file
 * The environment of this process, as a request carries it.
 */
#ifndef BH_CMD_OWN_ENVIRON_H
#define BH_CMD_OWN_ENVIRON_H

#include <cjson/cJSON.h>

/**
 * Our whole environment as an object: a program is to run as if it had been started here. What JSON
 * cannot carry (names or values that are no UTF-8) is left out. The caller deletes it.
 */
cJSON *bh_own_environ_new(void);

#endif
