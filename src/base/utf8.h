/** @file
 * UTF-8: validation of what comes from outside, and an escape that makes any bytes safe to show.
 */
#ifndef BH_BASE_UTF8_H
#define BH_BASE_UTF8_H

#include "src/base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Read one character. Overlong forms, surrogates and numbers above U+10FFFF are no characters.
 *
 * @code_out
 *         The code point; 0xFFFD when 0 is returned. May be NULL.
 * @return
 *         Its length in bytes, or 0 when no valid whole character stands at @bytes.
 */
size_t bh_utf8_next(const char *bytes, size_t len, uint32_t *code_out);

/** Write @code (a valid code point) to @out, without NUL; gives its length, 1 to 4. */
size_t bh_utf8_put(uint32_t code, char out[4]);

/** The number of bytes before the first that is not valid UTF-8; @len when all is valid. */
size_t bh_utf8_valid_len(const char *bytes, size_t len);

/** Whether all bytes are valid UTF-8. NUL is valid. */
bool bh_utf8_is_valid(const char *bytes, size_t len);

/** The longest length <= @max at which @bytes may be cut without cutting a character in two. */
size_t bh_utf8_cut(const char *bytes, size_t len, size_t max);

/** Length of what ends a line for somebody who may read the text, at its first byte: CR LF, LF, CR, VT,
 * FF, NEL, LS, PS. 0: none stands there. */
size_t bh_utf8_line_end(const char *bytes, size_t len);

/** How many lines a text has; a line end at its very end begins none. At least 1. */
size_t bh_utf8_lines(const char *bytes, size_t len);

/** Copy a string to @out of @size bytes, NUL included: as many whole characters as fit. */
void bh_utf8_copy(char *out, size_t size, const char *text);

/**
 * Add @bytes to @out so that they can stand on one line of a log or a terminal: printable UTF-8 as
 * it is; control characters (C0, DEL, C1), bidi controls, line separators, backslash and bytes that
 * are no UTF-8 as \n \r \t \e \\ \xNN or \u{NNNN}.
 */
void bh_utf8_escape(struct bh_buf *out, const char *bytes, size_t len);

#endif
