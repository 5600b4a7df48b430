/** @file
 * Addresses of the web in what a program has drawn. Pure.
 */
#ifndef BH_UI_URL_H
#define BH_UI_URL_H

#include "term/screen.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * The address that has the byte @at of @text in it: a scheme that browsers know, to the end of what
 * can belong to it. Marks and closing brackets after it are not part of it.
 *
 * @return
 *         Whether there is one; then its beginning and length.
 */
bool bh_url_find(const char *text, size_t at, size_t *start_out, size_t *len_out);

/** What a click at a cell of a screen opens: the target of a hyperlink, or an address that stands
 * there, also one that goes on over several rows. NULL for none; the caller frees it. */
char *bh_url_at(const struct bh_screen *screen, int row, int col);

#endif
