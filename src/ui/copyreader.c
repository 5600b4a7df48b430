#include "src/ui/copyreader.h"

#include "src/ui/copymotion.h"

#include <limits.h>

/** So many rows above the view are fetched before they are needed: a flood takes the oldest away. */
#define ROWS_AHEAD 10000
/** The view goes up at most so far when rows come that it waited for. */
#define OWED_MAX 100000

// -------------------------------------------------------------------------- cursor and view

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
	return value > high ? (high < low ? low : high) : value < low ? low : value;
}

/** The first row of a view of the newest rows. */
static int64_t bottom_top(const struct bh_copyreader *reader)
{
	int64_t first = bh_linecache_first(reader->cache);
	int64_t top = bh_linecache_end(reader->cache) - reader->rows;

	return top < first ? first : top;
}

/** The last column where the cursor may be in a row. */
static int last_col(const struct bh_copyreader *reader, int64_t row)
{
	struct bh_linecache_line line;

	if (reader->selection.kind == BH_SELECTION_BLOCK) {
		return bh_linecache_cols(reader->cache) - 1;
	}
	if (!reader->is_emacs) {
		return bh_copymotion_last(reader->cache, row);
	}
	bh_linecache_read(reader->cache, row, &line);
	return line.cols < bh_linecache_cols(reader->cache) ? line.cols : line.cols - 1;
}

/** The start of the glyph at a column. */
static int glyph_start(const struct bh_copyreader *reader, int64_t row, int col)
{
	struct bh_linecache_line line;

	bh_linecache_read(reader->cache, row, &line);
	while (col > 0 && col < line.cols && line.codes[col] == 0) {
		col--;
	}
	return col;
}

/** The cursor to a row of the view and to a column of that, as near as there are such. */
static void put_cursor(struct bh_copyreader *reader, int64_t row, int col)
{
	int last = 0;

	row = clamp(row, bh_linecache_first(reader->cache), bh_linecache_end(reader->cache) - 1);
	last = last_col(reader, row);
	col = col > last ? last : col < 0 ? 0 : col;
	reader->cursor = (struct bh_linecache_place){row, glyph_start(reader, row, col)};
	reader->selection.head = reader->cursor;
	if (reader->cursor.col < reader->left) {
		reader->left = reader->cursor.col;
	} else if (reader->cursor.col >= reader->left + reader->cols) {
		reader->left = reader->cursor.col - reader->cols + 1;
	}
}

/** The view moves as little as it must to show the cursor. */
static void show_cursor(struct bh_copyreader *reader)
{
	int64_t row = reader->cursor.row;

	if (row < reader->top) {
		reader->top = row;
	} else if (row >= reader->top + reader->rows) {
		reader->top = row - reader->rows + 1;
	}
	reader->top = clamp(reader->top, bh_linecache_first(reader->cache), bottom_top(reader));
}

/** The cursor is in the view, in the column that it had. */
static void hold_cursor(struct bh_copyreader *reader)
{
	int64_t row = clamp(reader->cursor.row, reader->top, reader->top + reader->rows - 1);

	if (row != reader->cursor.row) {
		put_cursor(reader, row, reader->wanted_col);
	}
}

void bh_copyreader_begin(struct bh_copyreader *reader, struct bh_linecache_place cursor)
{
	reader->rows = reader->rows < 1 ? 1 : reader->rows;
	reader->cols = reader->cols < 1 ? 1 : reader->cols;
	reader->top = bottom_top(reader);
	put_cursor(reader, cursor.row, cursor.col);
	reader->wanted_col = reader->cursor.col;
	show_cursor(reader);
}

void bh_copyreader_resize(struct bh_copyreader *reader, int rows, int cols)
{
	bool is_bottom = bh_copyreader_is_at_bottom(reader);

	if (rows < 1 || cols < 1 || (rows == reader->rows && cols == reader->cols)) {
		return;
	}
	reader->rows = rows;
	reader->cols = cols;
	reader->top = is_bottom ? bottom_top(reader)
	                        : clamp(reader->top, bh_linecache_first(reader->cache),
	                                bottom_top(reader));
	put_cursor(reader, reader->cursor.row, reader->cursor.col);
	show_cursor(reader);
}

void bh_copyreader_goto(struct bh_copyreader *reader, struct bh_linecache_place place)
{
	put_cursor(reader, place.row, place.col);
	reader->wanted_col = reader->cursor.col;
	show_cursor(reader);
}

void bh_copyreader_scroll(struct bh_copyreader *reader, int64_t by)
{
	int64_t first = bh_linecache_first(reader->cache);
	int64_t top = reader->top + by;

	if (top < first && !bh_linecache_is_complete(reader->cache)) {
		reader->owed = clamp(first - top, 0, OWED_MAX);
	}
	reader->top = clamp(top, first, bottom_top(reader));
	hold_cursor(reader);
}

bool bh_copyreader_is_at_bottom(const struct bh_copyreader *reader)
{
	return reader->top >= bottom_top(reader);
}

int64_t bh_copyreader_position(const struct bh_copyreader *reader)
{
	return bottom_top(reader) - reader->top;
}

// ---------------------------------------------------------------------------------- motions

/** View and cursor together; at an end only the cursor goes on. */
static void page(struct bh_copyreader *reader, int64_t by)
{
	int64_t row = reader->cursor.row + by;

	bh_copyreader_scroll(reader, by);
	put_cursor(reader, row, reader->wanted_col);
	show_cursor(reader);
}

static void vertical(struct bh_copyreader *reader, int64_t by)
{
	put_cursor(reader, reader->cursor.row + by, reader->wanted_col);
	show_cursor(reader);
}

static void other_end(struct bh_copyreader *reader)
{
	struct bh_selection *selection = &reader->selection;
	struct bh_linecache_place anchor = selection->anchor;

	if (selection->kind != BH_SELECTION_NONE) {
		selection->anchor = reader->cursor;
		bh_copyreader_goto(reader, anchor);
	}
}

/** Commands that move by rows or pages; false: another one. */
static bool move_view(struct bh_copyreader *reader, enum bh_copy_command command, int count)
{
	int64_t rows = reader->rows;
	int64_t by = count;

	switch ((int)command) {
	case BH_COPY_UP:
		vertical(reader, -by);
		break;
	case BH_COPY_DOWN:
		vertical(reader, by);
		break;
	case BH_COPY_PAGE_UP:
		page(reader, -by * (rows > 2 ? rows - 2 : 1));
		break;
	case BH_COPY_PAGE_DOWN:
		page(reader, by * (rows > 2 ? rows - 2 : 1));
		break;
	case BH_COPY_HALF_UP:
		page(reader, -by * (rows > 1 ? rows / 2 : 1));
		break;
	case BH_COPY_HALF_DOWN:
		page(reader, by * (rows > 1 ? rows / 2 : 1));
		break;
	case BH_COPY_SCROLL_UP:
		bh_copyreader_scroll(reader, -by);
		break;
	case BH_COPY_SCROLL_DOWN:
		bh_copyreader_scroll(reader, by);
		break;
	default:
		return false;
	}
	return true;
}

/** Commands that go to a row of the view or of all. */
static bool move_to_row(struct bh_copyreader *reader, enum bh_copy_command command)
{
	int64_t last = reader->top + reader->rows - 1;

	switch ((int)command) {
	case BH_COPY_SCREEN_TOP:
		put_cursor(reader, reader->top, 0);
		break;
	case BH_COPY_SCREEN_MIDDLE:
		put_cursor(reader, reader->top + reader->rows / 2, 0);
		break;
	case BH_COPY_SCREEN_BOTTOM:
		put_cursor(reader, last, 0);
		break;
	case BH_COPY_CENTER:
		reader->top = clamp(reader->cursor.row - reader->rows / 2,
		                    bh_linecache_first(reader->cache), bottom_top(reader));
		return true;
	case BH_COPY_HISTORY_TOP:
		reader->is_top_wanted = !bh_linecache_is_complete(reader->cache);
		put_cursor(reader, bh_linecache_first(reader->cache), 0);
		reader->top = bh_linecache_first(reader->cache);
		break;
	case BH_COPY_HISTORY_BOTTOM:
		put_cursor(reader, bh_linecache_end(reader->cache) - 1, 0);
		reader->top = bottom_top(reader);
		break;
	default:
		return false;
	}
	reader->wanted_col = reader->cursor.col;
	return true;
}

/** The place that a command goes to from @at. */
static struct bh_linecache_place target_of(const struct bh_copyreader *reader,
                                           struct bh_linecache_place at,
                                           enum bh_copy_command command)
{
	const struct bh_linecache *cache = reader->cache;

	switch ((int)command) {
	case BH_COPY_LEFT:
		return bh_copymotion_column(cache, at, -1);
	case BH_COPY_RIGHT:
		return bh_copymotion_column(cache, at, 1);
	case BH_COPY_LINE_START:
		at.col = 0;
		return at;
	case BH_COPY_LINE_INDENT:
		at.col = bh_copymotion_indentation(cache, at.row);
		return at;
	case BH_COPY_LINE_END:
		at.col = reader->is_emacs ? BH_SCREEN_MAX_COLS : bh_copymotion_last(cache, at.row);
		return at;
	case BH_COPY_WORD_NEXT:
	case BH_COPY_BIG_NEXT:
		return bh_copymotion_word(cache, at, BH_COPYMOTION_WORD_START,
		                          command == BH_COPY_BIG_NEXT);
	case BH_COPY_WORD_END:
	case BH_COPY_BIG_END:
		return bh_copymotion_word(cache, at, BH_COPYMOTION_WORD_END,
		                          command == BH_COPY_BIG_END);
	case BH_COPY_WORD_AFTER:
		return bh_copymotion_word(cache, at, BH_COPYMOTION_WORD_AFTER, false);
	case BH_COPY_WORD_BACK:
	case BH_COPY_BIG_BACK:
		return bh_copymotion_word(cache, at, BH_COPYMOTION_WORD_BACK,
		                          command == BH_COPY_BIG_BACK);
	case BH_COPY_PARAGRAPH_UP:
		return bh_copymotion_paragraph(cache, at, -1);
	case BH_COPY_PARAGRAPH_DOWN:
		return bh_copymotion_paragraph(cache, at, 1);
	case BH_COPY_BRACKET:
		return bh_copymotion_bracket(cache, at);
	default:
		return at;
	}
}

static bool is_same(struct bh_linecache_place a, struct bh_linecache_place b)
{
	return a.row == b.row && a.col == b.col;
}

void bh_copyreader_move(struct bh_copyreader *reader, enum bh_copy_command command, int count)
{
	struct bh_linecache_place at = reader->cursor;

	if (move_view(reader, command, count) || move_to_row(reader, command)) {
		return;
	}
	if (command == BH_COPY_OTHER_END) {
		other_end(reader);
		return;
	}
	if (command == BH_COPY_JUMP_AGAIN || command == BH_COPY_JUMP_REVERSE) {
		int by = reader->jump_by;

		bh_copyreader_jump(reader, reader->jump_code,
		                   command == BH_COPY_JUMP_AGAIN ? by : -by, reader->is_jump_till,
		                   count);
		reader->jump_by = by;
		return;
	}
	for (int i = 0; i < count; i++) {
		struct bh_linecache_place next = target_of(reader, at, command);

		if (is_same(next, at)) {
			break;
		}
		at = next;
	}
	bh_copyreader_goto(reader, at);
	if (command == BH_COPY_LINE_END) {
		reader->wanted_col = INT_MAX;
	}
}

void bh_copyreader_jump(struct bh_copyreader *reader, uint32_t code, int by, bool is_till,
                        int count)
{
	struct bh_linecache_place at = reader->cursor;

	if (by == 0) {
		return;
	}
	reader->jump_code = code;
	reader->jump_by = by;
	reader->is_jump_till = is_till;
	for (int i = 0; i < count; i++) {
		at = bh_copymotion_jump(reader->cache, at, code, by, is_till);
	}
	bh_copyreader_goto(reader, at);
}

// ---------------------------------------------------------------------------------- searching

static size_t offset_of(const struct bh_copyreader *reader, struct bh_linecache_place at)
{
	struct bh_linecache_line line;

	bh_linecache_read(reader->cache, at.row, &line);
	return bh_linecache_offset(reader->cache, at.row) +
	       line.offsets[at.col < line.cols ? at.col : line.cols];
}

/** The cursor to a match, with rows around it when it was out of view. */
static enum bh_copyreader_found found_at(struct bh_copyreader *reader, size_t offset)
{
	struct bh_linecache_place place = bh_linecache_place_at(reader->cache, offset);

	reader->search_stage = BH_COPYREADER_STAGE_NONE;
	reader->match_from_end = bh_linecache_all(reader->cache).len - offset;
	if (place.row < reader->top || place.row >= reader->top + reader->rows) {
		reader->top = place.row - reader->rows / 2;
	}
	bh_copyreader_goto(reader, place);
	return BH_COPYREADER_FOUND;
}

static void stage_begin(struct bh_copyreader *reader, enum bh_copyreader_stage stage, size_t from,
                        bool is_up)
{
	reader->search_stage = stage;
	bh_copysearch_start(&reader->run, bh_linecache_all(reader->cache), from, is_up);
}

/** It is not between where the search began and the end of what is there. */
static void search_turn(struct bh_copyreader *reader)
{
	bool is_up = reader->run.is_up;

	if (bh_linecache_is_complete(reader->cache)) {
		stage_begin(reader, BH_COPYREADER_STAGE_ROUND,
		            is_up ? bh_linecache_all(reader->cache).len : 0, is_up);
	} else {
		reader->search_stage = BH_COPYREADER_STAGE_ROWS;
	}
}

enum bh_copyreader_found bh_copyreader_search_on(struct bh_copyreader *reader)
{
	while (bh_copyreader_is_busy(reader)) {
		struct bh_span all = bh_linecache_all(reader->cache);
		struct bh_copysearch_match match = {0};
		bool is_round = reader->search_stage == BH_COPYREADER_STAGE_ROUND;

		reader->searched = all.len;
		switch (bh_copysearch_go(&reader->search, &reader->run, all, &reader->budget,
		                         &match)) {
		case BH_COPYSEARCH_FOUND:
			return found_at(reader, match.at);
		case BH_COPYSEARCH_PART:
			return BH_COPYREADER_SEARCHING;
		case BH_COPYSEARCH_TOO_MUCH:
			bh_copyreader_stop(reader);
			return BH_COPYREADER_TOO_MUCH;
		case BH_COPYSEARCH_NOWHERE:
			if (is_round) {
				bh_copyreader_stop(reader);
				reader->match_from_end = 0;
				return BH_COPYREADER_NOT_FOUND;
			}
			search_turn(reader);
			break;
		}
	}
	return BH_COPYREADER_SEARCHING;
}

enum bh_copyreader_found bh_copyreader_search(struct bh_copyreader *reader, bool is_up,
                                              struct bh_linecache_place from)
{
	bh_copyreader_stop(reader);
	reader->is_search_up = is_up;
	if (reader->search.len == 0) {
		return BH_COPYREADER_NOT_FOUND;
	}
	stage_begin(reader, BH_COPYREADER_STAGE_REST, offset_of(reader, from) + (is_up ? 0 : 1),
	            is_up);
	return bh_copyreader_search_on(reader);
}

/** Rows have come above those that are searched. */
static enum bh_copyreader_found search_more(struct bh_copyreader *reader)
{
	size_t len = bh_linecache_all(reader->cache).len;
	size_t more = len > reader->searched ? len - reader->searched : 0;

	if (bh_copyreader_is_busy(reader)) {
		bh_copysearch_shift(&reader->run, more);
	} else if (reader->run.is_up) {
		stage_begin(reader, BH_COPYREADER_STAGE_REST, more, true);
	} else {
		search_turn(reader);
	}
	return bh_copyreader_search_on(reader);
}

bool bh_copyreader_is_busy(const struct bh_copyreader *reader)
{
	return reader->search_stage == BH_COPYREADER_STAGE_REST ||
	       reader->search_stage == BH_COPYREADER_STAGE_ROUND;
}

void bh_copyreader_hold(struct bh_copyreader *reader)
{
	struct bh_linecache_place top = {reader->top, 0};

	// Twice in a row: the first time counts.
	if (!reader->is_held) {
		reader->is_held = true;
		reader->held_top = bh_linecache_mark(reader->cache, top);
		reader->held_cursor = bh_linecache_mark(reader->cache, reader->cursor);
		reader->held_anchor = bh_linecache_mark(reader->cache, reader->selection.anchor);
	}
}

/** Go to what was held, once it is there. */
static void find_held(struct bh_copyreader *reader)
{
	struct bh_linecache_place top;
	struct bh_linecache_place cursor;

	if (!bh_linecache_find(reader->cache, reader->held_top, &top) ||
	    !bh_linecache_find(reader->cache, reader->held_cursor, &cursor) ||
	    !bh_linecache_find(reader->cache, reader->held_anchor, &reader->selection.anchor)) {
		reader->is_held = !bh_linecache_is_complete(reader->cache);
		return;
	}
	reader->is_held = false;
	reader->top = clamp(top.row, bh_linecache_first(reader->cache), bottom_top(reader));
	bh_copyreader_goto(reader, cursor);
}

enum bh_copyreader_found bh_copyreader_rows_came(struct bh_copyreader *reader, int shift)
{
	int64_t owed = reader->owed;

	reader->top -= shift;
	reader->cursor.row -= shift;
	reader->selection.anchor.row -= shift;
	reader->selection.head.row -= shift;
	reader->top = clamp(reader->top, bh_linecache_first(reader->cache), bottom_top(reader));
	put_cursor(reader, reader->cursor.row, reader->cursor.col);
	if (reader->is_held) {
		find_held(reader);
	}
	if (owed > 0) {
		reader->owed = 0;
		bh_copyreader_scroll(reader, -owed);
	}
	if (reader->is_top_wanted) {
		(void)move_to_row(reader, BH_COPY_HISTORY_TOP); // it is one of those
	}
	return bh_copyreader_is_searching(reader) ? search_more(reader) : BH_COPYREADER_FOUND;
}

bool bh_copyreader_wants_rows(const struct bh_copyreader *reader)
{
	return !bh_linecache_is_complete(reader->cache) &&
	       (reader->is_held || bh_copyreader_is_searching(reader) || reader->is_top_wanted ||
	        reader->owed > 0 || reader->top - ROWS_AHEAD < bh_linecache_first(reader->cache));
}

void bh_copyreader_stop(struct bh_copyreader *reader)
{
	reader->owed = 0;
	reader->is_top_wanted = false;
	reader->search_stage = BH_COPYREADER_STAGE_NONE;
	reader->is_held = false;
}

bool bh_copyreader_is_searching(const struct bh_copyreader *reader)
{
	return reader->search_stage != BH_COPYREADER_STAGE_NONE;
}
