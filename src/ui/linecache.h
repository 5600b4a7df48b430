/** @file
 * The rows of a terminal as they were at one moment, for a reader: those of the screen, and above
 * them as much of the history as was fetched yet, which grows upwards. Nothing in it moves. Row 0 is
 * the first one of the screen; rows of the history have negative numbers, -1 the newest. Pure.
 *
 * All text stands in one piece, rows parted by newlines where no line goes on, so that a search is
 * one look over it and finds what was wrapped.
 */
#ifndef BH_UI_LINECACHE_H
#define BH_UI_LINECACHE_H

#include "src/base/buf.h"
#include "term/screen.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A cell of it. */
struct bh_linecache_place {
	int64_t row;
	int col;
};

/** A place in the text, which stays the same when rows are fetched anew in another width. */
struct bh_linecache_mark {
	/** The id of the first row of its line, as the server has it, and bytes from there on. */
	int64_t line;
	size_t offset;
};

/** A row, cell by cell. */
struct bh_linecache_line {
	/** Which. */
	int64_t row;
	/** Columns up to its last glyph, trailing blanks included that it has. */
	int cols;
	/** Its line goes on in the next row. */
	bool is_wrapped;
	/** The first code point of the glyph at a column, 0 for the right half of a wide one. */
	uint32_t codes[BH_SCREEN_MAX_COLS];
	/** Where that glyph begins in the row's text, and after the last one where the text ends; the
	 * right half has the offset of the whole. */
	uint32_t offsets[BH_SCREEN_MAX_COLS + 1];
};

/** The rows. */
struct bh_linecache;

/** One without rows. */
struct bh_linecache *bh_linecache_new(void);

/** Free; NULL allowed. */
void bh_linecache_free(struct bh_linecache *cache);

/** Take the rows of a screen as it is now, for as long as the server has not answered. */
void bh_linecache_take_screen(struct bh_linecache *cache, const struct bh_screen *screen);

/**
 * The parameters of the next terminal.history to ask for; one at a time.
 *
 * @return
 *         NULL when all is there. The caller deletes it.
 */
cJSON *bh_linecache_want(const struct bh_linecache *cache, const char *terminal_id);

/**
 * Take an answer of terminal.history to bh_linecache_want(). The first one replaces the screen that
 * was taken before.
 *
 * @shift_out
 *         By how many rows the numbers of the rows became smaller, because output came between: a
 *         row that was 3 is then 3 - *@shift_out.
 * @return
 *         false: it does not fit. Nothing is changed then, and no more is wanted.
 */
bool bh_linecache_take(struct bh_linecache *cache, const cJSON *answer, int *shift_out);

/** Want everything anew; what is there stays until the answer. */
void bh_linecache_restart(struct bh_linecache *cache);

/** Whether the first answer is there. */
bool bh_linecache_is_started(const struct bh_linecache *cache);

/** Whether all of the history is, or no more of it can be had. */
bool bh_linecache_is_complete(const struct bh_linecache *cache);

/** The first of the rows that are there. */
int64_t bh_linecache_first(const struct bh_linecache *cache);

/** One more than the last of them; at least 1. */
int64_t bh_linecache_end(const struct bh_linecache *cache);

/** Rows of history that there were at that moment, fetched or not. */
int64_t bh_linecache_history(const struct bh_linecache *cache);

/** The mark of a place. */
struct bh_linecache_mark bh_linecache_mark(const struct bh_linecache *cache,
                                           struct bh_linecache_place place);

/** The place of a mark. False: it is above the rows that are there. */
bool bh_linecache_find(const struct bh_linecache *cache, struct bh_linecache_mark mark,
                       struct bh_linecache_place *place_out);

/** Columns of the terminal; lines of the history are wrapped to them anew. */
int bh_linecache_cols(const struct bh_linecache *cache);

/** A row's text; "" outside. Borrowed until the next take. */
struct bh_span bh_linecache_text(const struct bh_linecache *cache, int64_t row);

/** The same with SGR sequences. */
struct bh_span bh_linecache_ansi(const struct bh_linecache *cache, int64_t row);

/** Whether the line of a row goes on in the next one. */
bool bh_linecache_is_wrapped(const struct bh_linecache *cache, int64_t row);

/** Look at a row cell by cell. */
void bh_linecache_read(const struct bh_linecache *cache, int64_t row,
                       struct bh_linecache_line *line_out);

/** All text. Borrowed until the next take. */
struct bh_span bh_linecache_all(const struct bh_linecache *cache);

/** Where a row begins in all text; its end for rows behind the last. */
size_t bh_linecache_offset(const struct bh_linecache *cache, int64_t row);

/** The place of a byte in all text. */
struct bh_linecache_place bh_linecache_place_at(const struct bh_linecache *cache, size_t offset);

#endif
