/** @file
 * UUIDs (RFC 9562): random ones (v4) for terminals, time-ordered ones (v7) for messages; and random
 * bytes from the kernel for tokens.
 */
#ifndef BH_BASE_UUID_H
#define BH_BASE_UUID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Size of the text form, its NUL included: "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx". */
#define BH_UUID_TEXT 37
/** Fewest hex digits that bh_uuid_has_prefix() takes for a prefix. */
#define BH_UUID_PREFIX_MIN 4

/** A UUID in the byte order of its text. All zero: none. */
struct bh_uuid {
	/** The 128 bits. */
	uint8_t bytes[16];
};

/** Fill @out with @len random bytes of the kernel; aborts if the kernel has none. */
void bh_uuid_random(void *out, size_t len);

/** A new random UUID, version 4. */
struct bh_uuid bh_uuid_new(void);

/** A new UUID, version 7: sorts by @wall_ms (bh_clock_wall_ms()), the rest is random. */
struct bh_uuid bh_uuid_new_ordered(int64_t wall_ms);

/** Write the text form (lower case) to @out; gives @out back. */
const char *bh_uuid_format(const struct bh_uuid *uuid, char out[BH_UUID_TEXT]);

/** Read the text form, either case, any version; false when @text is not exactly one. */
bool bh_uuid_parse(const char *text, struct bh_uuid *out);

/** Whether both are the same. */
bool bh_uuid_is_equal(const struct bh_uuid *a, const struct bh_uuid *b);

/** Whether all bytes are zero. */
bool bh_uuid_is_none(const struct bh_uuid *uuid);

/**
 * Whether @text is a beginning of the text form: at least BH_UUID_PREFIX_MIN hex digits of either
 * case, dashes only where the text form has them, or left out altogether.
 */
bool bh_uuid_has_prefix(const struct bh_uuid *uuid, const char *text);

#endif
