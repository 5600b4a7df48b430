#include "src/mail/map.h"

#include "src/base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Open addressing with linear probing; at most three quarters full; a removal moves the followers
// of its cluster back, so that there are no tombstones.

static size_t key_hash(const void *key, size_t len)
{
	const unsigned char *bytes = key;
	uint64_t hash = 0xcbf29ce484222325U;

	for (size_t i = 0; i < len; i++) {
		hash = (hash ^ bytes[i]) * 0x100000001b3U;
	}
	hash ^= hash >> 32; // numbers differ in few bits: spread them to the low end
	hash *= 0x9e3779b97f4a7c15U;
	return (size_t)(hash >> 32);
}

// The place of a key, or the empty one where it would go. The table has an empty place.
static size_t slot_find(const struct bh_map *map, const void *key, size_t len)
{
	size_t at = key_hash(key, len) & (map->size - 1);

	while (map->slots[at].value != NULL &&
	       (map->slots[at].len != len || memcmp(map->slots[at].key, key, len) != 0)) {
		at = (at + 1) & (map->size - 1);
	}
	return at;
}

static void map_grow(struct bh_map *map)
{
	struct bh_map old = *map;

	map->size = old.size == 0 ? 16 : old.size * 2;
	map->slots = bh_xcalloc(map->size, sizeof(map->slots[0]));
	for (size_t i = 0; i < old.size; i++) {
		const struct bh_map_slot *slot = &old.slots[i];

		if (slot->value != NULL) {
			map->slots[slot_find(map, slot->key, slot->len)] = *slot;
		}
	}
	free(old.slots);
}

void *bh_map_get(const struct bh_map *map, const void *key, size_t len)
{
	return map->size == 0 ? NULL : map->slots[slot_find(map, key, len)].value;
}

void bh_map_add(struct bh_map *map, const void *key, size_t len, void *value)
{
	if ((map->count + 1) * 4 > map->size * 3) {
		map_grow(map);
	}
	map->slots[slot_find(map, key, len)] =
		(struct bh_map_slot){.key = key, .len = len, .value = value};
	map->count++;
}

void *bh_map_remove(struct bh_map *map, const void *key, size_t len)
{
	size_t hole, at;
	void *value;

	if (map->size == 0) {
		return NULL;
	}
	hole = slot_find(map, key, len);
	value = map->slots[hole].value;
	if (value == NULL) {
		return NULL;
	}
	for (at = (hole + 1) & (map->size - 1); map->slots[at].value != NULL;
	     at = (at + 1) & (map->size - 1)) {
		size_t home = key_hash(map->slots[at].key, map->slots[at].len) & (map->size - 1);

		// It may move back unless its home lies between the hole and where it stands.
		if (((at - home) & (map->size - 1)) >= ((at - hole) & (map->size - 1))) {
			map->slots[hole] = map->slots[at];
			hole = at;
		}
	}
	map->slots[hole] = (struct bh_map_slot){0};
	map->count--;
	return value;
}

void bh_map_clear(struct bh_map *map)
{
	free(map->slots);
	*map = (struct bh_map){0};
}
