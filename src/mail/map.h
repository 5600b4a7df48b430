/** @file
 * A hash table of pointers, keyed by bytes that live inside the values: names, numbers, UUIDs.
 */
#ifndef BH_MAIL_MAP_H
#define BH_MAIL_MAP_H

#include <stddef.h>

/** One place of the table; empty when value is NULL. */
struct bh_map_slot {
	/** The key, borrowed from the value. */
	const void *key;
	/** Bytes of the key. */
	size_t len;
	/** What it stands for. */
	void *value;
};

/** The table. Zero-initialise; end with bh_map_clear(). Values stay the caller's. */
struct bh_map {
	/** Places; a power of two, or none. */
	struct bh_map_slot *slots;
	/** Number of places. */
	size_t size;
	/** Number of values. */
	size_t count;
};

/** The value of a key, or NULL. */
void *bh_map_get(const struct bh_map *map, const void *key, size_t len);

/**
 * Add a value. The key must not be in the table yet, and must stay as it is while it is there.
 */
void bh_map_add(struct bh_map *map, const void *key, size_t len, void *value);

/** Take a key out. @return its value, or NULL when it was not there. */
void *bh_map_remove(struct bh_map *map, const void *key, size_t len);

/** Free the table, not the values; it is empty and usable again. */
void bh_map_clear(struct bh_map *map);

#endif
