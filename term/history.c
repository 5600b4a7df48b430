#include "term/history.h"

#include "term/cell.h"
#include "term/codepoint.h"

#include <stdlib.h>
#include <string.h>

// The packing is a stream that is read from the front, cheaper than columns of attributes: output is
// mostly text in one pen, and a row is read whole or not at all. A row of plain text costs its length
// and five bytes. Blocks of rows keep the heap from being cut into small pieces, and make dropping the
// oldest rows one call of free() in 256.

/** A packed row is a byte of flags, then cells. A cell is its UTF-8, with these in front. */
enum {
	MARK_WIDE = 0x01,    // the glyph takes two columns
	MARK_CLUSTER = 0x02, // a length and so many bytes: several code points
	MARK_PEN = 0x03,     // a mask of enum pen_part, then those parts
	MARK_LINK = 0x04,    // a length (2 bytes), the link, NUL; length 0: no link
};

enum pen_part {
	PEN_ATTRS = 1,
	PEN_FG = 2,
	PEN_BG = 4,
	PEN_UNDERLINE = 8,
};

enum {
	PEN_BYTES = 16, // at most: mark, mask, attributes, three colours of four
	ROW_WRAPPED = 1,
	BYTES_PER_ROW = 1024, // the share of a row in the bound on memory
	BYTES_MIN = 1 << 20,
	LINKS_MAX = 16 << 10, // a row longer than this keeps no further links
};

struct bh_history_block {
	uint32_t offsets[BH_HISTORY_BLOCK + 1]; // offsets[i + 1] is the end of row i
	int count;
	size_t cap;
	uint8_t *data;
};

void bh_history_init(struct bh_history *history, size_t max_rows)
{
	*history = (struct bh_history){.max_rows = max_rows};
}

static void block_free(struct bh_history *history, struct bh_history_block *block)
{
	history->bytes -= block->cap + sizeof(*block);
	free(block->data);
	free(block);
}

static void blocks_drop_first(struct bh_history *history)
{
	block_free(history, history->blocks[0]);
	history->block_count--;
	memmove(history->blocks, history->blocks + 1,
	        history->block_count * sizeof(history->blocks[0]));
	history->first_id += BH_HISTORY_BLOCK;
}

void bh_history_clear(struct bh_history *history)
{
	for (size_t i = 0; i < history->block_count; i++) {
		block_free(history, history->blocks[i]);
	}
	free(history->blocks);
	bh_bytes_clear(&history->scratch);
	bh_history_init(history, history->max_rows);
}

void bh_history_forget(struct bh_history *history)
{
	while (history->block_count > 1) {
		blocks_drop_first(history);
	}
	history->cleared_to = history->next_id;
}

static void block_reserve(struct bh_history *history, struct bh_history_block *block, size_t more)
{
	size_t need = block->offsets[block->count] + more;
	size_t cap = block->cap > 0 ? block->cap : 2048;

	if (need <= block->cap) {
		return;
	}
	while (cap < need) {
		cap += cap / 2;
	}
	block->data = bh_bytes_realloc(block->data, cap);
	history->bytes += cap - block->cap;
	block->cap = cap;
}

static void block_trim(struct bh_history *history, struct bh_history_block *block)
{
	size_t used = block->offsets[block->count];

	block->data = bh_bytes_realloc(block->data, used);
	history->bytes -= block->cap - used;
	block->cap = used;
}

static struct bh_history_block *block_for_push(struct bh_history *history)
{
	if (history->block_count > 0) {
		struct bh_history_block *last = history->blocks[history->block_count - 1];

		if (last->count < BH_HISTORY_BLOCK) {
			return last;
		}
		block_trim(history, last);
	}
	if (history->block_count == history->block_cap) {
		history->block_cap = history->block_cap > 0 ? history->block_cap * 2 : 8;
		history->blocks = bh_bytes_realloc(history->blocks,
		                                   history->block_cap * sizeof(history->blocks[0]));
	}
	struct bh_history_block *block = bh_bytes_alloc(1, sizeof(*block));

	history->blocks[history->block_count++] = block;
	history->bytes += sizeof(*block);
	return block;
}

static void blocks_bound(struct bh_history *history)
{
	size_t max_bytes = BYTES_MIN + history->max_rows * BYTES_PER_ROW;
	uint64_t kept = history->next_id - history->first_id;

	while (history->block_count > 1 &&
	       (kept >= history->max_rows + BH_HISTORY_BLOCK || history->bytes > max_bytes)) {
		blocks_drop_first(history);
		kept -= BH_HISTORY_BLOCK;
	}
}

static char *pack_color(char *out, uint32_t color)
{
	*out++ = (char)(color >> 24);
	if (bh_color_is_index(color)) {
		*out++ = (char)color;
	} else if (bh_color_is_rgb(color)) {
		*out++ = (char)(color >> 16);
		*out++ = (char)(color >> 8);
		*out++ = (char)color;
	}
	return out;
}

/** What the packer remembers from cell to cell. */
struct packer {
	struct bh_bytes *out;
	uint16_t attrs;
	uint16_t extra;
	uint32_t fg, bg, underline_color;
	const char *link;
};

static void pack_pen(struct packer *packer, const struct bh_grid_cell *cell,
                     uint32_t underline_color)
{
	uint16_t attrs = cell->attrs & (uint16_t)~BH_GRID_WIDE_MASK;
	unsigned mask = (attrs != packer->attrs ? PEN_ATTRS : 0U) |
	                (cell->fg != packer->fg ? PEN_FG : 0U) |
	                (cell->bg != packer->bg ? PEN_BG : 0U) |
	                (underline_color != packer->underline_color ? PEN_UNDERLINE : 0U);

	if (mask == 0) {
		return;
	}
	char *at = bh_bytes_room(packer->out, PEN_BYTES);
	char *start = at;

	*at++ = MARK_PEN;
	*at++ = (char)mask;
	if ((mask & PEN_ATTRS) != 0) {
		*at++ = (char)(attrs & 0xFF);
		*at++ = (char)(attrs >> 8);
	}
	at = (mask & PEN_FG) != 0 ? pack_color(at, cell->fg) : at;
	at = (mask & PEN_BG) != 0 ? pack_color(at, cell->bg) : at;
	at = (mask & PEN_UNDERLINE) != 0 ? pack_color(at, underline_color) : at;
	packer->out->len += (size_t)(at - start);
	packer->attrs = attrs;
	packer->fg = cell->fg;
	packer->bg = cell->bg;
	packer->underline_color = underline_color;
}

static void pack_link(struct packer *packer, const char *link)
{
	link = packer->out->len < LINKS_MAX ? link : NULL;
	size_t len = link != NULL ? strlen(link) : 0;
	bool is_same = link == packer->link ||
	               (link != NULL && packer->link != NULL && strcmp(link, packer->link) == 0);

	if (is_same) {
		return;
	}
	bh_bytes_add(packer->out,
	             (const char[]){MARK_LINK, (char)(len & 0xFF), (char)(len >> 8 & 0xFF)}, 3);
	if (len > 0) {
		bh_bytes_add(packer->out, link, len + 1);
	}
	packer->link = link;
}

static void pack_glyph(struct packer *packer, const struct bh_grid_cell *cell,
                       const struct bh_glyphs *glyphs)
{
	char text[4];
	size_t len;

	if ((cell->attrs & BH_GRID_WIDE) != 0) {
		bh_bytes_add_byte(packer->out, MARK_WIDE);
	}
	if ((cell->glyph & BH_GLYPH_CLUSTER) != 0) {
		const char *cluster = bh_glyphs_text(glyphs, cell->glyph, &len);

		bh_bytes_add(packer->out, (const char[]){MARK_CLUSTER, (char)len}, 2);
		bh_bytes_add(packer->out, cluster, len);
		return;
	}
	len = bh_codepoint_encode(cell->glyph != 0 ? cell->glyph : ' ', text);
	bh_bytes_add(packer->out, text, len);
}

/** How many cells from @from on are ASCII in the packer's pen. They are appended. */
static int pack_plain(struct packer *packer, const struct bh_grid_cell *cells, int from, int to)
{
	const struct bh_grid_cell *cell = &cells[from];
	const struct bh_grid_cell *end = &cells[to];
	char *at = bh_bytes_room(packer->out, (size_t)(to - from));
	int count = 0;

	while (cell < end && cell->glyph < 0x80 && cell->attrs == packer->attrs &&
	       cell->fg == packer->fg && cell->bg == packer->bg && cell->extra == packer->extra) {
		at[count++] = cell->glyph != 0 ? (char)cell->glyph : ' ';
		cell++;
	}
	packer->out->len += (size_t)count;
	return count;
}

static void pack_row(struct bh_bytes *out, const struct bh_grid_row *row,
                     const struct bh_glyphs *glyphs)
{
	struct packer packer = {.out = out};
	// Blanks at the end of a row whose line goes on are part of the line.
	int length = row->is_wrapped ? row->used : bh_grid_row_length(row);

	bh_bytes_add_byte(out, row->is_wrapped ? ROW_WRAPPED : 0);
	for (int c = 0; c < length;) {
		int plain = pack_plain(&packer, row->cells, c, length);

		c += plain;
		if (plain > 0 || c >= length) {
			continue;
		}
		const struct bh_grid_cell *cell = &row->cells[c++];

		if ((cell->attrs & BH_GRID_TAIL) != 0) {
			continue;
		}
		pack_pen(&packer, cell, bh_glyphs_underline_color(glyphs, cell->extra));
		pack_link(&packer, bh_glyphs_link(glyphs, cell->extra));
		packer.extra = cell->extra;
		pack_glyph(&packer, cell, glyphs);
	}
}

void bh_history_push(struct bh_history *history, const struct bh_grid_row *row,
                     const struct bh_glyphs *glyphs)
{
	if (history->max_rows == 0) {
		return;
	}
	history->scratch.len = 0;
	pack_row(&history->scratch, row, glyphs);
	struct bh_history_block *block = block_for_push(history);
	size_t len = history->scratch.len;

	block_reserve(history, block, len);
	memcpy(block->data + block->offsets[block->count], history->scratch.data, len);
	block->offsets[block->count + 1] = block->offsets[block->count] + (uint32_t)len;
	block->count++;
	history->next_id++;
	blocks_bound(history);
}

uint64_t bh_history_first(const struct bh_history *history)
{
	uint64_t first =
		history->first_id > history->cleared_to ? history->first_id : history->cleared_to;

	if (history->next_id - first > history->max_rows) {
		first = history->next_id - history->max_rows;
	}
	return first;
}

size_t bh_history_count(const struct bh_history *history)
{
	return (size_t)(history->next_id - bh_history_first(history));
}

bool bh_history_read(const struct bh_history *history, uint64_t id,
                     struct bh_history_reader *reader)
{
	if (id < bh_history_first(history) || id >= history->next_id) {
		return false;
	}
	uint64_t index = id - history->first_id;
	const struct bh_history_block *block = history->blocks[index / BH_HISTORY_BLOCK];
	size_t row = index % BH_HISTORY_BLOCK;

	*reader = (struct bh_history_reader){
		.at = block->data + block->offsets[row] + 1,
		.end = block->data + block->offsets[row + 1],
		.is_wrapped = (block->data[block->offsets[row]] & ROW_WRAPPED) != 0,
	};
	return true;
}

static uint32_t read_color(struct bh_history_reader *reader)
{
	uint32_t kind = *reader->at++;
	uint32_t color = kind << 24;

	if (kind == 1) {
		return color | *reader->at++;
	}
	for (int shift = 16; kind == 2 && shift >= 0; shift -= 8) {
		color |= (uint32_t)*reader->at++ << shift;
	}
	return color;
}

static void read_pen(struct bh_history_reader *reader)
{
	unsigned mask = *reader->at++;
	struct bh_history_cell *cell = &reader->cell;

	if ((mask & PEN_ATTRS) != 0) {
		cell->attrs = (uint16_t)(reader->at[0] | reader->at[1] << 8);
		reader->at += 2;
	}
	if ((mask & PEN_FG) != 0) {
		cell->fg = read_color(reader);
	}
	if ((mask & PEN_BG) != 0) {
		cell->bg = read_color(reader);
	}
	if ((mask & PEN_UNDERLINE) != 0) {
		cell->underline_color = read_color(reader);
	}
}

static void read_link(struct bh_history_reader *reader)
{
	size_t len = reader->at[0] | (size_t)reader->at[1] << 8;

	reader->at += 2;
	reader->cell.link = len > 0 ? (const char *)reader->at : NULL;
	reader->at += len > 0 ? len + 1 : 0;
}

const struct bh_history_cell *bh_history_next(struct bh_history_reader *reader)
{
	struct bh_history_cell *cell = &reader->cell;
	uint32_t cp;

	cell->width = 1;
	while (reader->at < reader->end) {
		uint8_t byte = *reader->at;

		if (byte >= 0x20) {
			cell->text = (const char *)reader->at;
			cell->len = bh_codepoint_decode(reader->at,
			                                (size_t)(reader->end - reader->at), &cp);
			reader->at += cell->len;
			return cell;
		}
		reader->at++;
		if (byte == MARK_WIDE) {
			cell->width = 2;
		} else if (byte == MARK_PEN) {
			read_pen(reader);
		} else if (byte == MARK_LINK) {
			read_link(reader);
		} else {
			cell->len = *reader->at++;
			cell->text = (const char *)reader->at;
			reader->at += cell->len;
			return cell;
		}
	}
	return NULL;
}
