/** @file
 * Puts a screen on its terminal's tape, for the server that comes after us.
 */
#ifndef BH_SERVER_CHECKPOINT_H
#define BH_SERVER_CHECKPOINT_H

#include "src/server/terminal.h"

/**
 * Replace all that the tape holds by a checkpoint of the screen as it is, with some of its history. A
 * screen that is too rich for its tape is kept without history, links or colours; one that does not
 * fit at all is logged, and a restart would show it blank.
 */
void bh_checkpoint_write(struct bh_terminal *terminal);

#endif
