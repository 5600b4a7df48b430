/** @file
 * Somebody who reads the rows of a terminal: where the view and the cursor are, what is marked, what
 * was looked for. Pure; the rows come from a bh_linecache, which may still grow upwards.
 */
#ifndef BH_UI_COPYREADER_H
#define BH_UI_COPYREADER_H

#include "src/ui/copykeys.h"
#include "src/ui/copysearch.h"
#include "src/ui/linecache.h"
#include "src/ui/selection.h"

#include <stdbool.h>
#include <stdint.h>

/** How a search went. */
enum bh_copyreader_found {
	BH_COPYREADER_FOUND,
	BH_COPYREADER_NOT_FOUND,
	/** Not yet: there is more to do, or rows are to come. */
	BH_COPYREADER_SEARCHING,
	/** Given up: the pattern takes too long. */
	BH_COPYREADER_TOO_MUCH,
};

/** What a search is about. */
enum bh_copyreader_stage {
	BH_COPYREADER_STAGE_NONE,
	/** The rows from where it began to the end of those that are there. */
	BH_COPYREADER_STAGE_REST,
	/** It waits for rows. */
	BH_COPYREADER_STAGE_ROWS,
	/** All rows, from the other end. */
	BH_COPYREADER_STAGE_ROUND,
};

/** One reader. Zero-initialise, set what is borrowed, then bh_copyreader_begin(). */
struct bh_copyreader {
	/** Borrowed. */
	struct bh_linecache *cache;
	/** The habits of emacs: the cursor goes behind a line's last character, and the character that it
	 * is on is not marked. */
	bool is_emacs;
	/** Size of the view; at least 1. */
	int rows, cols;
	/** The first row and column that are seen. */
	int64_t top;
	int left;
	struct bh_linecache_place cursor;
	struct bh_selection selection;
	struct bh_copysearch search;
	/** Whether n goes up. */
	bool is_search_up;
	/** The person was told that the last search found nothing. */
	bool is_miss_told;
	/** How much of a search is done at once. */
	struct bh_copysearch_budget budget;
	/** Where the match is that was found last, as bytes to the end of all text; 0: none. */
	size_t match_from_end;

	// Of the reader itself.
	/** The column that up and down try to keep. */
	int wanted_col;
	/** Rows that the view is to go up when they have come; all there are. */
	int64_t owed;
	bool is_top_wanted;
	/** The last jump to a character. */
	uint32_t jump_code;
	int jump_by;
	bool is_jump_till;
	/** Places to be found again in rows that are fetched anew: of the view, the cursor and the
	 * mark. */
	bool is_held;
	struct bh_linecache_mark held_top, held_cursor, held_anchor;
	/** A search that goes on, and how long all text was when it had it last. */
	enum bh_copyreader_stage search_stage;
	struct bh_copysearch_run run;
	size_t searched;
};

/** Stand at @cursor, with the newest rows in view. */
void bh_copyreader_begin(struct bh_copyreader *reader, struct bh_linecache_place cursor);

/** The view has another size. */
void bh_copyreader_resize(struct bh_copyreader *reader, int rows, int cols);

/** Do a command up to BH_COPY_LAST_MOTION, @count times. */
void bh_copyreader_move(struct bh_copyreader *reader, enum bh_copy_command command, int count);

/** Move the view by rows, up when negative; the cursor moves only to stay in it. */
void bh_copyreader_scroll(struct bh_copyreader *reader, int64_t by);

/** Move the cursor, and the view only as much as is needed to show it. */
void bh_copyreader_goto(struct bh_copyreader *reader, struct bh_linecache_place place);

/** To a character in the line, and remember it. */
void bh_copyreader_jump(struct bh_copyreader *reader, uint32_t code, int by, bool is_till,
                        int count);

/** The newest rows are in view. */
bool bh_copyreader_is_at_bottom(const struct bh_copyreader *reader);

/** How many rows further up the view is than it would be at the bottom. */
int64_t bh_copyreader_position(const struct bh_copyreader *reader);

/** Look for what `search` says, from behind @from on or above it. The cursor goes there. */
enum bh_copyreader_found bh_copyreader_search(struct bh_copyreader *reader, bool is_up,
                                              struct bh_linecache_place from);

/** Whether a search goes on, here or when rows come. */
bool bh_copyreader_is_searching(const struct bh_copyreader *reader);

/** Whether bh_copyreader_search_on() is to be called: there is more of it to do here. */
bool bh_copyreader_is_busy(const struct bh_copyreader *reader);

/** Go on with a search whose budget was used up. */
enum bh_copyreader_found bh_copyreader_search_on(struct bh_copyreader *reader);

/** Rows have come: what waited for them is done. Of a search how it stands. @shift as of
 * bh_linecache_take(). */
enum bh_copyreader_found bh_copyreader_rows_came(struct bh_copyreader *reader, int shift);

/** Rows are about to be fetched anew: find everything again when they come. */
void bh_copyreader_hold(struct bh_copyreader *reader);

/** Whether more rows are needed now. */
bool bh_copyreader_wants_rows(const struct bh_copyreader *reader);

/** Give up what waits for rows. */
void bh_copyreader_stop(struct bh_copyreader *reader);

#endif
