/** @file
 * Cleaning the runtime folder: what belongs to terminals that are gone, because the server or the
 * machine stopped before it could be removed. Environments hold secrets, so they must not stay.
 */
#ifndef BH_SERVER_SWEEP_H
#define BH_SERVER_SWEEP_H

#include "src/base/paths.h"
#include "src/base/uuid.h"

#include <stdbool.h>
#include <stddef.h>

/** Whether there is a terminal with this id. */
typedef bool bh_sweep_is_known(void *user, const struct bh_uuid *id);

/**
 * Remove saved environments ("environ-<id>") and spool folders ("spool/<id>/") of unknown terminals.
 * Anything else is left alone; what cannot be removed stays without a word.
 *
 * @is_known
 *         NULL: no terminal is known, all of them go.
 * @return
 *         Number of files and folders removed; files in spool folders are not counted.
 */
size_t bh_sweep_runtime(const struct bh_paths *paths, bh_sweep_is_known *is_known, void *user);

#endif
