/** @file
 * When a dead child gets a successor. Pure.
 */
#ifndef BH_SERVER_RESPAWN_H
#define BH_SERVER_RESPAWN_H

#include "src/mail/terminal_record.h"

#include <stdint.h>

/** The first pause before a successor (ms); doubled for each that follows quickly. */
#define BH_RESPAWN_FIRST_MS 1000
/** The longest pause (ms). */
#define BH_RESPAWN_PAUSE_MAX_MS 60000
/** After so many quick deaths in a row no successor follows by itself. */
#define BH_RESPAWN_MAX 10

/**
 * The pause before the successor.
 *
 * @status
 *         The wait status of the child that ended.
 * @count
 *         Quick deaths in a row before this one.
 * @return
 *         Milliseconds; -1 when none is to be started.
 */
int64_t bh_respawn_pause_ms(enum bh_respawn policy, int status, unsigned count);

#endif
