/** @file
 * Strings by number: equal strings have equal numbers, so that cells can be compared and copied as
 * plain memory. Pure.
 */
#ifndef BH_UI_STRINGS_H
#define BH_UI_STRINGS_H

#include <stddef.h>
#include <stdint.h>

/** Most strings in one table. */
#define BH_STRINGS_MAX 8192

/** A table. Zero-initialise; end with bh_strings_clear(). */
struct bh_strings {
	/** By number less one; each NUL-terminated. */
	char **items;
	size_t count, room;
	/** Numbers by hash, open addressing; 0: free. */
	uint16_t *slots;
	size_t slot_count;
};

/** Free; usable again. */
void bh_strings_clear(struct bh_strings *strings);

/**
 * The number of a string, which is copied if it is new.
 *
 * @return
 *         1 to BH_STRINGS_MAX; 0: the table is full and it is not in it.
 */
uint16_t bh_strings_number(struct bh_strings *strings, const char *text, size_t len);

/** The string of a number; "" for 0. Borrowed until the next clear. */
const char *bh_strings_text(const struct bh_strings *strings, uint16_t number);

#endif
