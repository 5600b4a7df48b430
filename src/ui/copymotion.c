#include "src/ui/copymotion.h"

#include <string.h>

/** A bracket's partner is looked for in so many rows. */
#define BRACKET_ROWS 5000

enum bh_copymotion_class bh_copymotion_class_at(const struct bh_linecache_line *line, int col)
{
	uint32_t code = 0;

	if (col < 0 || col >= line->cols) {
		return BH_COPYMOTION_BLANK;
	}
	code = line->codes[col];
	if (code == 0 && col > 0) {
		code = line->codes[col - 1]; // its left half
	}
	if (code == ' ' || code == 0xa0 || code == 0x3000) {
		return BH_COPYMOTION_BLANK;
	}
	// As tmux has it: all marks of ASCII part words but the underline.
	if (code < 0x80 && strchr("!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~", (int)code) != NULL) {
		return BH_COPYMOTION_MARK;
	}
	return BH_COPYMOTION_LETTER;
}

/** A place that walks over the cells of all rows. */
struct walk {
	const struct bh_linecache *cache;
	struct bh_linecache_line line;
	int col;
	bool is_big;
};

static void walk_begin(struct walk *walk, const struct bh_linecache *cache,
                       struct bh_linecache_place at, bool is_big)
{
	walk->cache = cache;
	walk->col = at.col;
	walk->is_big = is_big;
	bh_linecache_read(cache, at.row, &walk->line);
}

static struct bh_linecache_place walk_place(const struct walk *walk)
{
	struct bh_linecache_place place = {walk->line.row, walk->col};

	while (place.col > 0 && place.col < walk->line.cols && walk->line.codes[place.col] == 0) {
		place.col--;
	}
	return place;
}

static enum bh_copymotion_class walk_class(const struct walk *walk)
{
	enum bh_copymotion_class class = bh_copymotion_class_at(&walk->line, walk->col);

	return walk->is_big && class == BH_COPYMOTION_MARK ? BH_COPYMOTION_LETTER : class;
}

/** One cell on. The end of a line that goes on nowhere is a blank cell of its own. */
static bool walk_next(struct walk *walk)
{
	int last = walk->line.is_wrapped ? walk->line.cols - 1 : walk->line.cols;

	if (walk->col < last) {
		walk->col++;
		return true;
	}
	if (walk->line.row + 1 >= bh_linecache_end(walk->cache)) {
		return false;
	}
	bh_linecache_read(walk->cache, walk->line.row + 1, &walk->line);
	walk->col = 0;
	return true;
}

/** The same over the right half of a wide one. */
static bool walk_next_glyph(struct walk *walk)
{
	bool is_moved = walk_next(walk);

	while (is_moved && walk->col < walk->line.cols && walk->line.codes[walk->col] == 0) {
		is_moved = walk_next(walk);
	}
	return is_moved;
}

static bool walk_previous(struct walk *walk)
{
	if (walk->col > 0) {
		walk->col--;
		return true;
	}
	if (walk->line.row <= bh_linecache_first(walk->cache)) {
		return false;
	}
	bh_linecache_read(walk->cache, walk->line.row - 1, &walk->line);
	walk->col = walk->line.is_wrapped && walk->line.cols > 0 ? walk->line.cols - 1
	                                                         : walk->line.cols;
	return true;
}

/** On while the class is @class. False: it is so up to the end. */
static bool walk_over(struct walk *walk, enum bh_copymotion_class class)
{
	while (walk_class(walk) == class) {
		if (!walk_next(walk)) {
			return false;
		}
	}
	return true;
}

static bool walk_back_over(struct walk *walk, enum bh_copymotion_class class)
{
	while (walk_class(walk) == class) {
		if (!walk_previous(walk)) {
			return false;
		}
	}
	return true;
}

/** Behind the end of the word at @walk, or of the next one. */
static void walk_after_word(struct walk *walk)
{
	(void)walk_over(walk, BH_COPYMOTION_BLANK); // at the end it stays
	if (walk_class(walk) != BH_COPYMOTION_BLANK) {
		(void)walk_over(walk, walk_class(walk)); // likewise
	}
}

static void walk_back(struct walk *walk)
{
	if (!walk_previous(walk) || !walk_back_over(walk, BH_COPYMOTION_BLANK) ||
	    !walk_back_over(walk, walk_class(walk))) {
		return; // at the first place there is
	}
	(void)walk_next(walk); // it came from there
}

struct bh_linecache_place bh_copymotion_word(const struct bh_linecache *cache,
                                             struct bh_linecache_place at,
                                             enum bh_copymotion_word where, bool is_big)
{
	struct walk walk;

	walk_begin(&walk, cache, at, is_big);
	switch (where) {
	case BH_COPYMOTION_WORD_START:
		if (walk_class(&walk) == BH_COPYMOTION_BLANK ||
		    walk_over(&walk, walk_class(&walk))) {
			(void)walk_over(&walk, BH_COPYMOTION_BLANK); // at the end it stays
		}
		break;
	case BH_COPYMOTION_WORD_END:
		if (walk_next_glyph(&walk)) {
			walk_after_word(&walk);
			(void)walk_previous(&walk); // it came from there
		}
		break;
	case BH_COPYMOTION_WORD_AFTER:
		walk_after_word(&walk);
		break;
	case BH_COPYMOTION_WORD_BACK:
		walk_back(&walk);
		break;
	}
	return walk_place(&walk);
}

struct bh_linecache_place bh_copymotion_column(const struct bh_linecache *cache,
                                               struct bh_linecache_place at, int by)
{
	struct bh_linecache_line line;

	bh_linecache_read(cache, at.row, &line);
	at.col = at.col > line.cols ? line.cols : at.col;
	do {
		at.col += by;
	} while (at.col > 0 && at.col < line.cols && line.codes[at.col] == 0);
	at.col = at.col < 0 ? 0 : at.col > line.cols ? line.cols : at.col;
	return at;
}

struct bh_linecache_place bh_copymotion_paragraph(const struct bh_linecache *cache,
                                                  struct bh_linecache_place at, int by)
{
	int64_t first = bh_linecache_first(cache);
	int64_t last = bh_linecache_end(cache) - 1;
	int64_t row = at.row;

	while (row + by >= first && row + by <= last && bh_linecache_text(cache, row).len == 0) {
		row += by;
	}
	while (row + by >= first && row + by <= last && bh_linecache_text(cache, row).len > 0) {
		row += by;
	}
	return (struct bh_linecache_place){row, 0};
}

int bh_copymotion_indentation(const struct bh_linecache *cache, int64_t row)
{
	struct bh_linecache_line line;

	bh_linecache_read(cache, row, &line);
	for (int col = 0; col < line.cols; col++) {
		if (bh_copymotion_class_at(&line, col) != BH_COPYMOTION_BLANK) {
			return col;
		}
	}
	return 0;
}

int bh_copymotion_last(const struct bh_linecache *cache, int64_t row)
{
	struct bh_linecache_line line;
	int col = 0;

	bh_linecache_read(cache, row, &line);
	col = line.cols - 1;
	while (col > 0 && line.codes[col] == 0) {
		col--;
	}
	return col < 0 ? 0 : col;
}

struct bh_linecache_place bh_copymotion_jump(const struct bh_linecache *cache,
                                             struct bh_linecache_place at, uint32_t code, int by,
                                             bool is_till)
{
	struct bh_linecache_line line;

	bh_linecache_read(cache, at.row, &line);
	for (int col = at.col + by; col >= 0 && col < line.cols; col += by) {
		int stop = is_till ? col - by : col;

		if (line.codes[col] == code && stop != at.col) {
			return (struct bh_linecache_place){at.row, stop};
		}
	}
	return at;
}

/** The bracket @code's partner, and which way it is; 0: it is no bracket. */
static uint32_t partner_of(uint32_t code, int *by_out)
{
	static const char pairs[] = "()[]{}<>";
	const char *at = code > 0 && code < 0x80 ? strchr(pairs, (int)code) : NULL;

	if (at == NULL) {
		return 0;
	}
	*by_out = (at - pairs) % 2 == 0 ? 1 : -1;
	return (uint32_t)at[*by_out];
}

struct bh_linecache_place bh_copymotion_bracket(const struct bh_linecache *cache,
                                                struct bh_linecache_place at)
{
	struct walk walk;
	uint32_t code = 0;
	uint32_t partner = 0;
	int by = 0;
	int depth = 0;

	walk_begin(&walk, cache, at, false);
	while (walk.col < walk.line.cols &&
	       (partner = partner_of(walk.line.codes[walk.col], &by)) == 0) {
		walk.col++;
	}
	if (partner == 0) {
		return at;
	}
	code = walk.line.codes[walk.col];
	do {
		uint32_t here = walk.col < walk.line.cols ? walk.line.codes[walk.col] : 0;

		depth += here == code ? 1 : here == partner ? -1 : 0;
		if (depth == 0) {
			return walk_place(&walk);
		}
		if (walk.line.row - at.row > BRACKET_ROWS ||
		    at.row - walk.line.row > BRACKET_ROWS) {
			break;
		}
	} while (by > 0 ? walk_next(&walk) : walk_previous(&walk));
	return at;
}
