/** @file
 * Text in columns: how much of a line fits, and what of foreign text may be shown.
 * UTF-8; the process must run with LC_CTYPE=C.UTF-8 (main sets it), widths are the C library's.
 */
#ifndef BH_DEMO_TEXT_H
#define BH_DEMO_TEXT_H

#include "src/base/buf.h"

/** Columns that the bytes of @text take; invalid bytes count one each. */
int bh_demo_text_width(struct bh_span text);

/**
 * How many bytes from the start of @text fit into @cols columns, never splitting a character and
 * never less than one character of a non-empty text. A line feed ends the line and is not counted.
 */
size_t bh_demo_text_fit(struct bh_span text, int cols);

/** Add @text to @out with control characters and invalid bytes shown as `?`; tabs become blanks. */
void bh_demo_text_show(struct bh_buf *out, struct bh_span text);

#endif
