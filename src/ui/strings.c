#include "src/ui/strings.h"

#include "src/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** Slots of the first table; always a power of two, at most half of them in use. */
#define SLOTS_MIN 64

void bh_strings_clear(struct bh_strings *strings)
{
	for (size_t i = 0; i < strings->count; i++) {
		free(strings->items[i]);
	}
	free(strings->items);
	free(strings->slots);
	*strings = (struct bh_strings){0};
}

/** FNV-1a. */
static size_t hash_of(const char *text, size_t len)
{
	uint64_t hash = 0xcbf29ce484222325U;

	for (size_t i = 0; i < len; i++) {
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3U;
	}
	return (size_t)(hash ^ hash >> 32);
}

/** Where the string stands, or the free slot where it would. */
static size_t slot_of(const struct bh_strings *strings, const char *text, size_t len)
{
	size_t at = hash_of(text, len) & (strings->slot_count - 1);

	while (strings->slots[at] != 0) {
		const char *have = strings->items[strings->slots[at] - 1];

		if (strncmp(have, text, len) == 0 && have[len] == '\0') {
			break;
		}
		at = (at + 1) & (strings->slot_count - 1);
	}
	return at;
}

/** Twice as many slots, everything put in anew. */
static void grow(struct bh_strings *strings)
{
	strings->slot_count = strings->slot_count == 0 ? SLOTS_MIN : strings->slot_count * 2;
	free(strings->slots);
	strings->slots = bh_xcalloc(strings->slot_count, sizeof(*strings->slots));
	strings->room = strings->slot_count / 2;
	strings->items = bh_xrealloc(strings->items, strings->room, sizeof(*strings->items));
	for (size_t i = 0; i < strings->count; i++) {
		const char *text = strings->items[i];

		strings->slots[slot_of(strings, text, strlen(text))] = (uint16_t)(i + 1);
	}
}

uint16_t bh_strings_number(struct bh_strings *strings, const char *text, size_t len)
{
	size_t at = 0;

	if (strings->count == strings->room && strings->count < BH_STRINGS_MAX) {
		grow(strings);
	}
	at = slot_of(strings, text, len);
	if (strings->slots[at] == 0 && strings->count < BH_STRINGS_MAX) {
		char *copy = bh_xmalloc(len + 1);

		memcpy(copy, text, len);
		copy[len] = '\0';
		strings->items[strings->count++] = copy;
		strings->slots[at] = (uint16_t)strings->count;
	}
	return strings->slots[at];
}

const char *bh_strings_text(const struct bh_strings *strings, uint16_t number)
{
	return number == 0 || number > strings->count ? "" : strings->items[number - 1];
}
