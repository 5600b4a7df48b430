/**
 * Rows that left the top of the screen, packed: UTF-8 with the changes of attributes between. Rows
 * are in blocks of BH_HISTORY_BLOCK; the oldest block goes when enough newer rows are there.
 */
#ifndef BH_TERM_HISTORY_H
#define BH_TERM_HISTORY_H

#include "term/bytes.h"
#include "term/glyph.h"
#include "term/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Rows in a block. */
#define BH_HISTORY_BLOCK 256

struct bh_history_block;

/** The history; bh_history_init() it. */
struct bh_history {
	size_t max_rows;                  ///< 0: keep nothing
	struct bh_history_block **blocks; ///< oldest first
	size_t block_count, block_cap;
	uint64_t first_id;       ///< id of the first row of the first block
	uint64_t next_id;        ///< id of the row that comes next
	uint64_t cleared_to;     ///< rows before this id were cleared
	size_t bytes;            ///< held in blocks
	struct bh_bytes scratch; ///< the row being packed
};

/** A cell read back. */
struct bh_history_cell {
	const char *text; ///< UTF-8, not NUL-terminated; a blank is " "
	size_t len;
	int width;      ///< 1 or 2
	uint16_t attrs; ///< enum bh_attr
	uint32_t fg, bg, underline_color;
	const char *link; ///< NULL: none; good as long as the row
};

/** Reads the cells of one row. */
struct bh_history_reader {
	const uint8_t *at, *end;
	struct bh_history_cell cell;
	bool is_wrapped; ///< the row's line goes on in the next one
};

/** Start with room for @max_rows. */
void bh_history_init(struct bh_history *history, size_t max_rows);

/** Free all. */
void bh_history_clear(struct bh_history *history);

/** Forget the rows, but go on with the ids. */
void bh_history_forget(struct bh_history *history);

/** Add a copy of @row, which becomes the newest. */
void bh_history_push(struct bh_history *history, const struct bh_grid_row *row,
                     const struct bh_glyphs *glyphs);

/** Rows that can be read. */
size_t bh_history_count(const struct bh_history *history);

/** The id of the oldest of them; that of the next row when there are none. */
uint64_t bh_history_first(const struct bh_history *history);

/** Begin to read row @id; false when it is not there. The reader is good until the next push. */
bool bh_history_read(const struct bh_history *history, uint64_t id,
                     struct bh_history_reader *reader);

/** The next cell, NULL at the end of the row. Borrowed until the next call. */
const struct bh_history_cell *bh_history_next(struct bh_history_reader *reader);

#endif
