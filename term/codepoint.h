/** UTF-8, strictly: no surrogates, no overlong forms, nothing above U+10FFFF. */
#ifndef BH_TERM_CODEPOINT_H
#define BH_TERM_CODEPOINT_H

#include <stddef.h>
#include <stdint.h>

/** What bh_codepoint_decode() gives for bytes that are none. */
#define BH_CODEPOINT_BAD 0xFFFDU

/**
 * Decode the code point at the start of @bytes (@len > 0).
 *
 * @cp_out
 *         The code point, or BH_CODEPOINT_BAD.
 * @return
 *         Bytes used, 1 to 4; of a broken sequence its longest good beginning (at least 1). 0: the
 *         bytes are a good beginning and more are needed.
 */
size_t bh_codepoint_decode(const uint8_t *bytes, size_t len, uint32_t *cp_out);

/** Write @cp into @out (4 bytes are enough) and return how many bytes. No NUL is added. */
size_t bh_codepoint_encode(uint32_t cp, char *out);

#endif
