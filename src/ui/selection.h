/** @file
 * What a reader has marked: characters, words, rows or a rectangle, from where the mark was set to
 * where the cursor is. Pure.
 */
#ifndef BH_UI_SELECTION_H
#define BH_UI_SELECTION_H

#include "src/base/buf.h"
#include "src/ui/linecache.h"

#include <limits.h>
#include <stdbool.h>

/** What is marked. */
enum bh_selection_kind {
	BH_SELECTION_NONE,
	BH_SELECTION_CHARS,
	BH_SELECTION_WORDS,
	BH_SELECTION_LINES,
	BH_SELECTION_BLOCK,
};

/** A selection. Zero-initialise: none. */
struct bh_selection {
	enum bh_selection_kind kind;
	/** The cell where it was begun, and the one where it ends, in any order. */
	struct bh_linecache_place anchor, head;
	/** Of CHARS and BLOCK: the later cell is not part of it (as emacs has it). */
	bool is_exclusive;
};

/** Columns of a row. */
struct bh_selection_range {
	/** From @from to @to - 1; INT_MAX: and the end of the line. Empty when not from < to. */
	int from, to;
};

/** Begin one at @at. */
void bh_selection_begin(struct bh_selection *selection, enum bh_selection_kind kind,
                        struct bh_linecache_place at);

/** Which columns of a row are in it. Whole characters. */
struct bh_selection_range bh_selection_of_row(const struct bh_selection *selection,
                                              const struct bh_linecache *cache, int64_t row);

/** Append its text: lines that were wrapped are whole again; of a rectangle every row is a line,
 * without blanks at its end. */
void bh_selection_text(const struct bh_selection *selection, const struct bh_linecache *cache,
                       struct bh_buf *out);

#endif
