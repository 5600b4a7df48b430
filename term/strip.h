/** Make text safe to be typed into a terminal. */
#ifndef BH_TERM_STRIP_H
#define BH_TERM_STRIP_H

#include <stddef.h>

/**
 * A copy of @text that can be put between the markers of a bracketed paste: no control characters
 * but newline and tab (CR LF and lone CR become newline), so no paste end and no escape sequence;
 * no C1 controls, no bidi controls or other invisible format characters that could make the text
 * look like something else; joiners, variation selectors and tags only where they shape a glyph,
 * as runs of them could carry a text that models read and people do not see; broken UTF-8 becomes
 * U+FFFD. Never longer than three times @len.
 * The caller frees the result; it is NUL-terminated.
 */
char *bh_strip_message(const char *text, size_t len, size_t *len_out);

#endif
