/** @file
 * Puts a screen on its terminal's tape, for the server that comes after us.
 */
#ifndef BH_SERVER_CHECKPOINT_H
#define BH_SERVER_CHECKPOINT_H

#include "src/server/tape.h"
#include "src/server/terminal.h"

/**
 * Replace all that the tape holds by a checkpoint of the screen as it is, with some of its history. A
 * screen that is too rich for its tape is kept without history, links or colours; one that does not
 * fit at all is logged, and a restart would show it blank.
 */
void bh_checkpoint_write(struct bh_terminal *terminal);

/**
 * Keep all of the history in a file, for the server that takes our place in order: more than a tape
 * holds. Only of a screen that has just been put on the tape. Nothing is kept where the tape has it
 * all; a file that cannot be written is logged.
 */
void bh_checkpoint_keep(const struct bh_terminal *terminal);

/**
 * Feed the screen, which is fresh, the checkpoint of @event, or in its place what bh_checkpoint_keep()
 * kept with it; the file is gone then.
 */
void bh_checkpoint_feed(struct bh_terminal *terminal, const struct bh_tape_event *event,
                        uint64_t now_ms);

/**
 * Keep what a terminal showed last when its program has ended: the tape goes, and the next servers of
 * the session find it here. What cannot be written is logged.
 */
void bh_checkpoint_keep_end(const struct bh_terminal *terminal);

/**
 * Show that again, on a fresh screen of its size.
 *
 * @return
 *         The screen; NULL: nothing was kept.
 */
struct bh_screen *bh_checkpoint_recall_end(const struct bh_terminal *terminal, uint64_t now_ms);

/** Nobody will want to see it any more. */
void bh_checkpoint_drop_end(const struct bh_terminal *terminal);

/**
 * A tape that killed servers before us is saved for a bug report and wiped.
 *
 * @return
 *         Whether it was such a one: what the screen showed is lost.
 */
bool bh_checkpoint_put_poison_aside(struct bh_terminal *terminal);

#endif
