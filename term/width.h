/** Columns of characters and of grapheme clusters. */
#ifndef BH_TERM_WIDTH_H
#define BH_TERM_WIDTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Columns of @cp on its own: 0 (it belongs to the glyph before it), 1 or 2; -1: it is shown in no
 * way at all (controls, invisible format characters) and should be dropped. */
int bh_width_codepoint(uint32_t cp);

/** Columns, 1 or 2, of a whole cluster (UTF-8, at least one code point) for a program that asked
 * for mode 2027: its first wide member makes it 2, U+FE0F and a pair of regional indicators too;
 * never the sum. */
int bh_width_cluster(const char *text, size_t len);

/** Does @cp continue the cluster @text? By the grapheme rules of Unicode, but a spacing mark, which has
 * a column, stands alone. */
bool bh_width_continues(const char *text, size_t len, uint32_t cp);

/** Is the whole of @text one cluster by those rules? */
bool bh_width_is_cluster(const char *text, size_t len);

/** Columns of @text when it is taken code point by code point and all but the first are marks of
 * width 0; 0 when that is not so. */
int bh_width_marked(const char *text, size_t len);

#endif
