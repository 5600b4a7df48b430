/** @file
 * A regular expression that a person looks for in the lines of a terminal: POSIX extended ones, and
 * what PCRE2 has beyond them. Work is bounded, and any bytes may be looked at. Pure.
 */
#ifndef BH_UI_COPYPATTERN_H
#define BH_UI_COPYPATTERN_H

#include "src/base/buf.h"
#include "src/base/err.h"

#include <stdbool.h>
#include <stddef.h>

/** A compiled pattern. */
struct bh_copypattern;

/** What a look into a line came to. */
enum bh_copypattern_found {
	BH_COPYPATTERN_NO,
	BH_COPYPATTERN_YES,
	/** It would take too long: nothing is known. */
	BH_COPYPATTERN_TOO_MUCH,
};

/** Whether a text means something else as a pattern than itself. */
bool bh_copypattern_is_one(struct bh_span text);

/**
 * Compile a text. `\<` and `\>` are the beginning and the end of a word.
 *
 * @is_folded
 *         Capitals and small letters are the same.
 * @err
 *         On failure what is wrong with it, in words. May be NULL.
 * @return
 *         NULL: it is no pattern.
 */
struct bh_copypattern *bh_copypattern_new(struct bh_span text, bool is_folded, struct bh_err *err);

/** Free; NULL allowed. */
void bh_copypattern_free(struct bh_copypattern *pattern);

/** Where in a line a match may begin, and how much that may cost. */
struct bh_copypattern_range {
	size_t from, to;
	/** Give up early: all of it takes no longer than some thousandths of a second. */
	bool is_quick;
};

/**
 * Find the first match that begins in @range. One without any character is none.
 *
 * @at_out, @len_out
 *         Of BH_COPYPATTERN_YES: where it is, in bytes.
 */
enum bh_copypattern_found bh_copypattern_find(const struct bh_copypattern *pattern,
                                              struct bh_span line,
                                              struct bh_copypattern_range range, size_t *at_out,
                                              size_t *len_out);

#endif
