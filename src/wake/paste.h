/** @file
 * The bytes that are written to a terminal for a text: one bracketed paste. Pure.
 */
#ifndef BH_WAKE_PASTE_H
#define BH_WAKE_PASTE_H

#include "src/base/buf.h"

#include <stddef.h>

/**
 * Append what is written to the terminal for a text: one bracketed paste, its text made safe
 * (bh_strip_message()).
 */
void bh_paste_text(struct bh_buf *out, const char *text, size_t len);

/** The end of a bracketed paste, for a paste that a crash may have cut. Static. */
const char *bh_paste_end(void);

#endif
