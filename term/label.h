/** Short texts out of a stream (titles, messages): made clean before anyone sees them. */
#ifndef BH_TERM_LABEL_H
#define BH_TERM_LABEL_H

#include "term/bytes.h"

#include <stddef.h>

/** Copy @len bytes of @text into @out of @size bytes: UTF-8 without control characters (each
 * becomes a space, broken bytes U+FFFD) and without invisible format characters, cut to fit between
 * characters, NUL-terminated. A copy of the copy is equal. */
void bh_label_copy(const char *text, size_t len, char *out, size_t size);

/** The same as a new string of at most @max bytes; the caller frees it. */
char *bh_label_dup(const char *text, size_t len, size_t max);

/** Append the bytes that base64 @text stands for; stops at the first character that is none. */
void bh_label_decode_base64(const char *text, size_t len, struct bh_bytes *out);

/** Append the base64 form of @data. */
void bh_label_encode_base64(const char *data, size_t len, struct bh_bytes *out);

#endif
