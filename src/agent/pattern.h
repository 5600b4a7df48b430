/** @file
 * A compiled pattern (PCRE2, UTF-8, `^` and `$` at each line) with bounded work per match: a
 * pattern of a user's profile must not be able to stop the server.
 */
#ifndef BH_AGENT_PATTERN_H
#define BH_AGENT_PATTERN_H

#include <stddef.h>

struct bh_err;

/** A compiled pattern. */
struct bh_pattern;

/** What a match came to. */
enum bh_match {
	/** It does not occur. */
	BH_MATCH_NO,
	/** It occurs. */
	BH_MATCH_YES,
	/** The work limit was reached: nothing is known. */
	BH_MATCH_LIMIT,
};

/** Compile @text; NULL on a syntax error, which @err (NULL allowed) tells with its position. */
struct bh_pattern *bh_pattern_new(const char *text, struct bh_err *err);

/** Free it. NULL is allowed. */
void bh_pattern_free(struct bh_pattern *pattern);

/**
 * Look for it in @len bytes of valid UTF-8.
 *
 * @start_out, @end_out
 *         On BH_MATCH_YES the byte range of the first match. Both may be NULL.
 */
enum bh_match bh_pattern_find(const struct bh_pattern *pattern, const char *text, size_t len,
                              size_t *start_out, size_t *end_out);

/**
 * As bh_pattern_find(), and copy the first group of the match to @group_out (of @size bytes, cut to
 * fit, NUL-terminated). A pattern without a group gives the whole match.
 */
enum bh_match bh_pattern_group(const struct bh_pattern *pattern, const char *text, size_t len,
                               char *group_out, size_t size);

#endif
