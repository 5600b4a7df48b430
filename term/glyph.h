/**
 * What does not fit into a cell: clusters of several code points, and "extras", a hyperlink or an
 * underline colour. Cells hold numbers of entries here; equal content has one number. Entries that
 * no cell uses any more are found by marking, so nothing is counted while text is printed.
 */
#ifndef BH_TERM_GLYPH_H
#define BH_TERM_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Set in a cell's glyph: the other bits are the number of a cluster. */
#define BH_GLYPH_CLUSTER 0x80000000U
/** Longest hyperlink; longer ones are ignored. */
#define BH_GLYPH_LINK_MAX 2083
/** Longest id of a hyperlink; longer ones are cut. */
#define BH_GLYPH_LINK_ID_MAX 250

/** With fewer entries in use nothing is swept. */
#define BH_GLYPH_SWEEP_MIN 1024

/** A table of byte strings, each once, with stable numbers from 1. */
struct bh_glyph_table {
	struct bh_glyph_entry *entries; ///< [0] is not used
	uint32_t count;                 ///< entries allocated, [0] included
	uint32_t used;                  ///< entries in use
	uint32_t *slots;                ///< open hash of numbers, 0: empty
	uint32_t slot_count;            ///< a power of two, or 0
	uint32_t free_first;            ///< chain of unused entries, 0: none
	size_t bytes;                   ///< of all strings in use
};

/** An entry; read only. */
struct bh_glyph_entry {
	char *data;     ///< NULL: unused
	uint32_t len;   ///< bytes
	uint32_t hash;  ///< of the bytes; of an unused entry the next unused one
	bool is_marked; ///< found in use by the running sweep
};

/** Both tables of a screen. Zero is empty. */
struct bh_glyphs {
	struct bh_glyph_table clusters; ///< UTF-8
	struct bh_glyph_table extras;   ///< struct bh_extra with the link behind it
	uint32_t sweep_at;              ///< entries in use at which a sweep pays
};

/** Free all. */
void bh_glyphs_clear(struct bh_glyphs *glyphs);

/** The glyph value for the cluster @text (UTF-8, @len < BH_CELL_TEXT). */
uint32_t bh_glyphs_cluster(struct bh_glyphs *glyphs, const char *text, size_t len);

/** The text of a glyph value that has BH_GLYPH_CLUSTER. Borrowed until the next sweep. */
const char *bh_glyphs_text(const struct bh_glyphs *glyphs, uint32_t glyph, size_t *len_out);

/** The number for this underline colour and link (NULL: none), 0 when both are nothing or when the
 * table is full even after a sweep (then *@is_full_out). */
uint16_t bh_glyphs_extra(struct bh_glyphs *glyphs, uint32_t underline_color, const char *link,
                         const char *link_id, bool *is_full_out);

/** The underline colour of an extra; of 0 the default. */
uint32_t bh_glyphs_underline_color(const struct bh_glyphs *glyphs, uint16_t extra);

/** The link of an extra, or NULL. Borrowed until the next sweep. */
const char *bh_glyphs_link(const struct bh_glyphs *glyphs, uint16_t extra);

/** The link's id, "" when it has none. Borrowed until the next sweep. */
const char *bh_glyphs_link_id(const struct bh_glyphs *glyphs, uint16_t extra);

/** Is it time for a sweep? */
static inline bool bh_glyphs_want_sweep(const struct bh_glyphs *glyphs)
{
	uint32_t used = glyphs->clusters.used + glyphs->extras.used;

	return used >= BH_GLYPH_SWEEP_MIN && used >= glyphs->sweep_at;
}

/** Begin a sweep: nothing is marked. */
void bh_glyphs_sweep_begin(struct bh_glyphs *glyphs);

/** A cell with @glyph and @extra is in use. */
void bh_glyphs_mark(struct bh_glyphs *glyphs, uint32_t glyph, uint16_t extra);

/** Free what is not marked. */
void bh_glyphs_sweep_end(struct bh_glyphs *glyphs);

#endif
