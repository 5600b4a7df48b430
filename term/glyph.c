#include "term/glyph.h"

#include "term/bytes.h"
#include "term/cell.h"

#include <stdlib.h>
#include <string.h>

// Numbers instead of pointers keep a cell at 16 bytes. Nobody counts who uses an entry: printing over
// a cell would have to. Instead entries are swept when there are twice as many as the last sweep left
// over, which costs a constant amount per new entry however the stream is made.
//
// Whether an extra can be had must depend on the screen alone, not on its past, or a repaint would not
// be equal: the caller sweeps and asks again before it accepts that the table is full.

/** The fixed part of an extra; the link and its id follow, each NUL-terminated. */
struct bh_extra {
	uint32_t underline_color;
	uint32_t link_len; // 0: no link
};

enum {
	EXTRAS_MAX = 65535,     // numbers are 16 bits
	EXTRAS_BYTES = 4 << 20, // what hostile links may cost
};

static uint32_t hash_bytes(const void *data, size_t len)
{
	const uint8_t *bytes = data;
	uint32_t hash = 2166136261U;

	for (size_t i = 0; i < len; i++) {
		hash = (hash ^ bytes[i]) * 16777619U;
	}
	return hash;
}

static void slot_insert(struct bh_glyph_table *table, uint32_t number)
{
	uint32_t mask = table->slot_count - 1;
	uint32_t at = table->entries[number].hash & mask;

	while (table->slots[at] != 0) {
		at = (at + 1) & mask;
	}
	table->slots[at] = number;
}

static void table_rehash(struct bh_glyph_table *table, uint32_t slot_count)
{
	free(table->slots);
	table->slots = bh_bytes_alloc(slot_count, sizeof(table->slots[0]));
	table->slot_count = slot_count;
	for (uint32_t i = 1; i < table->count; i++) {
		if (table->entries[i].data != NULL) {
			slot_insert(table, i);
		}
	}
}

static uint32_t table_find(const struct bh_glyph_table *table, const void *data, size_t len,
                           uint32_t hash)
{
	uint32_t mask = table->slot_count - 1;

	if (table->slot_count == 0) {
		return 0;
	}
	for (uint32_t at = hash & mask; table->slots[at] != 0; at = (at + 1) & mask) {
		const struct bh_glyph_entry *entry = &table->entries[table->slots[at]];

		if (entry->hash == hash && entry->len == len &&
		    memcmp(entry->data, data, len) == 0) {
			return table->slots[at];
		}
	}
	return 0;
}

static void table_grow(struct bh_glyph_table *table)
{
	uint32_t count = table->count > 0 ? table->count * 2 : 16;

	table->entries =
		bh_bytes_realloc(table->entries, (size_t)count * sizeof(table->entries[0]));
	memset(table->entries + table->count, 0,
	       (size_t)(count - table->count) * sizeof(table->entries[0]));
	for (uint32_t i = count - 1; i >= (table->count > 0 ? table->count : 1); i--) {
		table->entries[i].hash = table->free_first;
		table->free_first = i;
	}
	table->count = count;
	table_rehash(table, count * 2);
}

static uint32_t table_intern(struct bh_glyph_table *table, const void *data, size_t len)
{
	uint32_t hash = hash_bytes(data, len);
	uint32_t number = table_find(table, data, len, hash);

	if (number != 0) {
		return number;
	}
	if (table->free_first == 0) {
		table_grow(table);
	}
	number = table->free_first;
	struct bh_glyph_entry *entry = &table->entries[number];

	table->free_first = entry->hash;
	entry->data = bh_bytes_alloc(1, len + 1);
	memcpy(entry->data, data, len);
	entry->len = (uint32_t)len;
	entry->hash = hash;
	table->used++;
	table->bytes += len;
	slot_insert(table, number);
	return number;
}

static void table_clear(struct bh_glyph_table *table)
{
	for (uint32_t i = 0; i < table->count; i++) {
		free(table->entries[i].data);
	}
	free(table->entries);
	free(table->slots);
	*table = (struct bh_glyph_table){0};
}

void bh_glyphs_clear(struct bh_glyphs *glyphs)
{
	table_clear(&glyphs->clusters);
	table_clear(&glyphs->extras);
	glyphs->sweep_at = 0;
}

uint32_t bh_glyphs_cluster(struct bh_glyphs *glyphs, const char *text, size_t len)
{
	return BH_GLYPH_CLUSTER | table_intern(&glyphs->clusters, text, len);
}

const char *bh_glyphs_text(const struct bh_glyphs *glyphs, uint32_t glyph, size_t *len_out)
{
	const struct bh_glyph_entry *entry = &glyphs->clusters.entries[glyph & ~BH_GLYPH_CLUSTER];

	*len_out = entry->len;
	return entry->data;
}

uint16_t bh_glyphs_extra(struct bh_glyphs *glyphs, uint32_t underline_color, const char *link,
                         const char *link_id, bool *is_full_out)
{
	struct bh_glyph_table *table = &glyphs->extras;
	size_t link_len = link != NULL ? strlen(link) : 0;

	*is_full_out = false;
	if (underline_color == BH_COLOR_DEFAULT && link_len == 0) {
		return 0;
	}
	struct bh_extra fixed = {.underline_color = underline_color,
	                         .link_len = (uint32_t)link_len};
	struct bh_bytes key = {0};

	bh_bytes_add(&key, &fixed, sizeof(fixed));
	if (link_len > 0) {
		bh_bytes_add(&key, link, link_len + 1);
		bh_bytes_puts(&key, link_id != NULL ? link_id : "");
	}
	uint32_t number = table_find(table, key.data, key.len, hash_bytes(key.data, key.len));

	if (number == 0) {
		*is_full_out = table->used >= EXTRAS_MAX || table->bytes + key.len > EXTRAS_BYTES;
		number = *is_full_out ? 0 : table_intern(table, key.data, key.len);
	}
	bh_bytes_clear(&key);
	return (uint16_t)number;
}

static const char *extra_data(const struct bh_glyphs *glyphs, uint16_t extra,
                              struct bh_extra *fixed_out)
{
	const char *data = glyphs->extras.entries[extra].data;

	memcpy(fixed_out, data, sizeof(*fixed_out));
	return data + sizeof(*fixed_out);
}

uint32_t bh_glyphs_underline_color(const struct bh_glyphs *glyphs, uint16_t extra)
{
	struct bh_extra fixed;

	if (extra == 0) {
		return BH_COLOR_DEFAULT;
	}
	(void)extra_data(glyphs, extra, &fixed); // only the fixed part is asked for
	return fixed.underline_color;
}

const char *bh_glyphs_link(const struct bh_glyphs *glyphs, uint16_t extra)
{
	struct bh_extra fixed;

	if (extra == 0) {
		return NULL;
	}
	const char *link = extra_data(glyphs, extra, &fixed);

	return fixed.link_len > 0 ? link : NULL;
}

const char *bh_glyphs_link_id(const struct bh_glyphs *glyphs, uint16_t extra)
{
	struct bh_extra fixed;

	if (extra == 0) {
		return "";
	}
	const char *link = extra_data(glyphs, extra, &fixed);

	return fixed.link_len > 0 ? link + fixed.link_len + 1 : "";
}

static void table_unmark(struct bh_glyph_table *table)
{
	for (uint32_t i = 1; i < table->count; i++) {
		table->entries[i].is_marked = false;
	}
}

void bh_glyphs_sweep_begin(struct bh_glyphs *glyphs)
{
	table_unmark(&glyphs->clusters);
	table_unmark(&glyphs->extras);
}

void bh_glyphs_mark(struct bh_glyphs *glyphs, uint32_t glyph, uint16_t extra)
{
	if ((glyph & BH_GLYPH_CLUSTER) != 0) {
		glyphs->clusters.entries[glyph & ~BH_GLYPH_CLUSTER].is_marked = true;
	}
	if (extra != 0) {
		glyphs->extras.entries[extra].is_marked = true;
	}
}

static void table_sweep(struct bh_glyph_table *table)
{
	for (uint32_t i = 1; i < table->count; i++) {
		struct bh_glyph_entry *entry = &table->entries[i];

		if (entry->data == NULL || entry->is_marked) {
			continue;
		}
		table->used--;
		table->bytes -= entry->len;
		free(entry->data);
		*entry = (struct bh_glyph_entry){.hash = table->free_first};
		table->free_first = i;
	}
	if (table->slot_count > 0) {
		table_rehash(table, table->slot_count);
	}
}

void bh_glyphs_sweep_end(struct bh_glyphs *glyphs)
{
	table_sweep(&glyphs->clusters);
	table_sweep(&glyphs->extras);
	glyphs->sweep_at = 2 * (glyphs->clusters.used + glyphs->extras.used);
}
