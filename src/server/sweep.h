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
 * Remove saved environments ("environ-<id>") and spool folders ("spool/<id>/") of unknown terminals, and
 * when none is known what they showed ("history-<id>") and which sessions they were ("session-<id>").
 * Anything else is left alone; what cannot be removed stays without a word.
 *
 * @is_known
 *         NULL: no terminal is known, all of them go.
 * @return
 *         Number of files and folders removed; files in spool folders are not counted.
 */
size_t bh_sweep_runtime(const struct bh_paths *paths, bh_sweep_is_known *is_known, void *user);

/** The same with what terminals showed ("history-<id>") and which sessions they were ("session-<id>"). */
size_t bh_sweep_histories(const struct bh_paths *paths, bh_sweep_is_known *is_known, void *user);

/** Called with the path of a file or folder that the sweep would remove. */
typedef void bh_sweep_found(void *user, const char *path);

/** As bh_sweep_runtime(), but only tell what would go. */
void bh_sweep_find(const struct bh_paths *paths, bh_sweep_is_known *is_known, bh_sweep_found *found,
                   void *user);

#endif
