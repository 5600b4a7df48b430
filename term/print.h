/** Text onto the grid: charsets, wrapping, widths, clusters, insert mode. */
#ifndef BH_TERM_PRINT_H
#define BH_TERM_PRINT_H

#include "term/state.h"

/** Print @len bytes of 0x20..0x7E. This is the hot path. */
void bh_print_ascii(struct bh_screen *s, const char *text, size_t len);

/** Print one code point above U+009F. */
void bh_print_codepoint(struct bh_screen *s, uint32_t cp);

/** REP: print the glyph before the cursor @count times more, at most a screenful. */
void bh_print_repeat(struct bh_screen *s, int count);

/** UTF-8 of the cell, not NUL-terminated: at most BH_CELL_TEXT - 1 bytes. A blank is " ", the right
 * half of a wide glyph "". @buffer may be used for it. */
const char *bh_print_cell_text(const struct bh_glyphs *glyphs, const struct bh_grid_cell *cell,
                               char buffer[4], size_t *len_out);

/** Could a glyph with this text and width be printed at all, code point by code point (false in
 * *@is_cluster_out) or with mode 2027 (true)? */
bool bh_print_is_possible(const char *text, size_t len, int width, bool *is_cluster_out);

#endif
