/** @file
 * What a reader looks for: plain text or a pattern, without regard to case as long as it has no
 * capital. Pure. Text is found in 100,000 rows in a few milliseconds; a look for a pattern can be
 * had in parts.
 */
#ifndef BH_UI_COPYSEARCH_H
#define BH_UI_COPYSEARCH_H

#include "src/base/buf.h"
#include "src/base/err.h"
#include "src/ui/copypattern.h"

#include <stdbool.h>
#include <stddef.h>

/** Longest text to look for (bytes). */
#define BH_COPYSEARCH_MAX 256

/** What is looked for. Zero-initialise: nothing, which is never found; end with
 * bh_copysearch_clear(). */
struct bh_copysearch {
	char text[BH_COPYSEARCH_MAX];
	size_t len;
	/** Capitals and small letters are the same. */
	bool is_folded;
	/** It was set as a pattern; and what it came to, NULL when it means but itself. */
	bool is_pattern;
	struct bh_copypattern *pattern;
};

/** A place where it is, in bytes of all text. */
struct bh_copysearch_match {
	size_t at, len;
};

/** How far a look has come. */
enum bh_copysearch_result {
	BH_COPYSEARCH_FOUND,
	BH_COPYSEARCH_NOWHERE,
	/** The time is over; it goes on with the next call. */
	BH_COPYSEARCH_PART,
	/** The pattern takes too long in too many lines. */
	BH_COPYSEARCH_TOO_MUCH,
};

/** When to stop for now; without `is_over` when it is done. */
struct bh_copysearch_budget {
	void *user;
	bool (*is_over)(void *user);
};

/** A look through all text in one direction. What is in it is its own, but for bh_copysearch_shift(). */
struct bh_copysearch_run {
	bool is_up;
	/** Matches begin here or later; on the way up before. */
	size_t bound;
	/** The beginning of the line in hand, and where it goes on. */
	size_t line, at;
	/** The last match in that line, on the way up. */
	struct bh_copysearch_match last;
	bool has_last;
	/** A quick look at this line was not enough: one beginning at a time is tried. */
	bool is_slow;
	/** Lines that were given up. */
	int given_up;
};

/**
 * Look for @text from now on; what is too long is cut.
 *
 * @is_pattern
 *         It is a regular expression.
 * @return
 *         BH_EINVALID: it is none, which @err (or NULL) tells in words. Then nothing is found.
 */
int bh_copysearch_set(struct bh_copysearch *search, struct bh_span text, bool is_pattern,
                      struct bh_err *err);

/** Look for what @from does. */
void bh_copysearch_copy(struct bh_copysearch *search, const struct bh_copysearch *from);

/** Look for nothing. */
void bh_copysearch_clear(struct bh_copysearch *search);

/** Begin a look for the first match that begins at @from or later, or the last one that begins before
 * @from. Matches of a pattern are counted from the beginning of their line and do not overlap. */
void bh_copysearch_start(struct bh_copysearch_run *run, struct bh_span all, size_t from,
                         bool is_up);

/** All text has become longer by @by bytes at its beginning since. */
void bh_copysearch_shift(struct bh_copysearch_run *run, size_t by);

/**
 * Look on, in the same text. On the way down it can go on behind a match.
 *
 * @match_out
 *         Of BH_COPYSEARCH_FOUND: the match.
 */
enum bh_copysearch_result bh_copysearch_go(const struct bh_copysearch *search,
                                           struct bh_copysearch_run *run, struct bh_span all,
                                           const struct bh_copysearch_budget *budget,
                                           struct bh_copysearch_match *match_out);

#endif
