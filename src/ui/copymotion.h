/** @file
 * Where a reader's cursor goes: by characters, words, paragraphs and brackets, over rows that do not
 * change. Pure; no motion leaves the rows that are there.
 */
#ifndef BH_UI_COPYMOTION_H
#define BH_UI_COPYMOTION_H

#include "src/ui/linecache.h"

#include <stdbool.h>
#include <stdint.h>

/** What a character is to a motion by words. */
enum bh_copymotion_class {
	BH_COPYMOTION_BLANK,
	BH_COPYMOTION_MARK,
	BH_COPYMOTION_LETTER,
};

/** The class of a character of a line; what is behind its end is blank. */
enum bh_copymotion_class bh_copymotion_class_at(const struct bh_linecache_line *line, int col);

/** Where a motion by words stops. */
enum bh_copymotion_word {
	/** At the first character of the next word. */
	BH_COPYMOTION_WORD_START,
	/** At the last character of this or the next word. */
	BH_COPYMOTION_WORD_END,
	/** Behind it, as emacs does. */
	BH_COPYMOTION_WORD_AFTER,
	/** At the first character of this or the word before. */
	BH_COPYMOTION_WORD_BACK,
};

/** By one word; @is_big: whatever is between blanks is a word. At the last (or first) place when
 * there is none. */
struct bh_linecache_place bh_copymotion_word(const struct bh_linecache *cache,
                                             struct bh_linecache_place at,
                                             enum bh_copymotion_word where, bool is_big);

/** One character to the left (@by -1) or to the right (1): not over the ends of a line. */
struct bh_linecache_place bh_copymotion_column(const struct bh_linecache *cache,
                                               struct bh_linecache_place at, int by);

/** The next blank row upwards (@by -1) or downwards (1). */
struct bh_linecache_place bh_copymotion_paragraph(const struct bh_linecache *cache,
                                                  struct bh_linecache_place at, int by);

/** The first column of a line that is not blank, 0 when there is none. */
int bh_copymotion_indentation(const struct bh_linecache *cache, int64_t row);

/** The last column of a line, 0 when it is empty. */
int bh_copymotion_last(const struct bh_linecache *cache, int64_t row);

/** The next @code in the line to the left or right of @at; @is_till: the cell before it. @at when
 * there is none. */
struct bh_linecache_place bh_copymotion_jump(const struct bh_linecache *cache,
                                             struct bh_linecache_place at, uint32_t code, int by,
                                             bool is_till);

/** The bracket that belongs to the next one in the line from @at on; @at when there is none. */
struct bh_linecache_place bh_copymotion_bracket(const struct bh_linecache *cache,
                                                struct bh_linecache_place at);

#endif
