#include "src/ui/copysearch.h"

#include "src/base/utf8.h"

#include <string.h>

/** Text is looked at in pieces of so many beginnings (bytes), so that the nearest place is found
 * first in both directions, and a piece without capitals fits on the stack. */
#define PIECE 16384
/** So many beginnings of a match of a pattern are tried between two looks at the time; fewer in a long
 * line, as a beginning may cost a look at all of it (PCRE2 counts no steps that are never taken back). */
#define STRETCH 4096
#define STRETCH_MIN 16
/** Most characters that are looked at between two looks at the time, for each part of a pattern. */
#define STRETCH_WORK (4 << 20)
/** A pattern that so many lines were given up for is given up. */
#define GIVEN_UP_MAX 20

/** A piece of text, in small letters where case is not regarded. */
struct piece {
	char folded[PIECE + BH_COPYSEARCH_MAX];
	const char *data;
	size_t len;
};

static bool is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

/** Whether a text has a capital; not what stands behind a backslash, such as \\S. */
static bool has_capital(struct bh_span text, bool is_pattern)
{
	for (size_t i = 0; i < text.len; i++) {
		if (is_pattern && text.data[i] == '\\') {
			i++;
		} else if (is_capital(text.data[i])) {
			return true;
		}
	}
	return false;
}

int bh_copysearch_set(struct bh_copysearch *search, struct bh_span text, bool is_pattern,
                      struct bh_err *err)
{
	size_t len = bh_utf8_cut(text.data, text.len, BH_COPYSEARCH_MAX);

	text.len = len;
	bh_copysearch_clear(search);
	search->is_pattern = is_pattern;
	search->is_folded = !has_capital(text, is_pattern);
	if (is_pattern && bh_copypattern_is_one(text)) {
		search->pattern = bh_copypattern_new(text, search->is_folded, err);
		if (search->pattern == NULL) {
			return BH_EINVALID;
		}
	}
	memcpy(search->text, text.data, len);
	search->len = len;
	return 0;
}

void bh_copysearch_copy(struct bh_copysearch *search, const struct bh_copysearch *from)
{
	(void)bh_copysearch_set(search, (struct bh_span){from->text, from->len}, from->is_pattern,
	                        NULL); // it was one before
}

void bh_copysearch_clear(struct bh_copysearch *search)
{
	bh_copypattern_free(search->pattern);
	*search = (struct bh_copysearch){0};
}

// ------------------------------------------------------------------------------- plain text

/** The piece in which every place begins that begins from @from to @to - 1. */
static void piece_take(const struct bh_copysearch *search, struct bh_span all, size_t from,
                       size_t to, struct piece *piece)
{
	size_t end = to + search->len - 1 < all.len ? to + search->len - 1 : all.len;

	piece->data = all.data + from;
	piece->len = end - from;
	if (search->is_folded) {
		for (size_t i = 0; i < piece->len; i++) {
			char c = piece->data[i];

			piece->folded[i] = (char)(c + (is_capital(c) ? 'a' - 'A' : 0));
		}
		piece->data = piece->folded;
	}
}

/** The first place in the piece from @from on, or NULL. */
static const char *piece_find(const struct bh_copysearch *search, const struct piece *piece,
                              size_t from)
{
	return memmem(piece->data + from, piece->len - from, search->text, search->len);
}

/** The first place that begins at @from or later. */
static bool text_next(const struct bh_copysearch *search, struct bh_span all, size_t from,
                      size_t *at_out)
{
	struct piece piece;

	for (size_t at = from; search->len > 0 && at < all.len; at += PIECE) {
		size_t to = all.len - at > PIECE ? at + PIECE : all.len;
		const char *found = NULL;

		piece_take(search, all, at, to, &piece);
		found = piece_find(search, &piece, 0);
		if (found != NULL) {
			*at_out = at + (size_t)(found - piece.data);
			return true;
		}
	}
	return false;
}

/** The last place that begins before @before. */
static bool text_previous(const struct bh_copysearch *search, struct bh_span all, size_t before,
                          size_t *at_out)
{
	struct piece piece;
	size_t to = before < all.len ? before : all.len;

	while (search->len > 0 && to > 0) {
		size_t at = to > PIECE ? to - PIECE : 0;
		const char *last = NULL;
		const char *found = NULL;

		piece_take(search, all, at, to, &piece);
		for (size_t from = 0; (found = piece_find(search, &piece, from)) != NULL;
		     from = (size_t)(found - piece.data) + 1) {
			last = found;
		}
		if (last != NULL) {
			*at_out = at + (size_t)(last - piece.data);
			return true;
		}
		to = at;
	}
	return false;
}

static enum bh_copysearch_result text_go(const struct bh_copysearch *search,
                                         struct bh_copysearch_run *run, struct bh_span all,
                                         struct bh_copysearch_match *match_out)
{
	match_out->len = search->len;
	if (run->is_up) {
		return text_previous(search, all, run->bound, &match_out->at)
		               ? BH_COPYSEARCH_FOUND
		               : BH_COPYSEARCH_NOWHERE;
	}
	if (!text_next(search, all, run->bound, &match_out->at)) {
		return BH_COPYSEARCH_NOWHERE;
	}
	run->bound = match_out->at + match_out->len;
	return BH_COPYSEARCH_FOUND;
}

// --------------------------------------------------------------------------------- patterns

/** Where the line begins that has @at in it. */
static size_t line_start(struct bh_span all, size_t at)
{
	const char *newline = at == 0 ? NULL : memrchr(all.data, '\n', at);

	return newline == NULL ? 0 : (size_t)(newline - all.data) + 1;
}

/** Where it ends. */
static size_t line_end(struct bh_span all, size_t at)
{
	const char *newline = at < all.len ? memchr(all.data + at, '\n', all.len - at) : NULL;

	return newline == NULL ? all.len : (size_t)(newline - all.data);
}

void bh_copysearch_start(struct bh_copysearch_run *run, struct bh_span all, size_t from, bool is_up)
{
	size_t in = from < all.len ? from : all.len;

	// On the way up what begins at @from is not looked for, were it alone in its line.
	in -= is_up && in > 0 ? 1 : 0;
	*run = (struct bh_copysearch_run){.is_up = is_up, .bound = from};
	run->line = line_start(all, in);
	run->at = run->line;
}

void bh_copysearch_shift(struct bh_copysearch_run *run, size_t by)
{
	run->bound += by;
	run->line += by;
	run->at += by;
	run->last.at += by;
}

/** The line in hand is done: what was found in it, or the next one. */
static enum bh_copysearch_result line_leave(struct bh_copysearch_run *run, struct bh_span all,
                                            size_t end, struct bh_copysearch_match *match_out)
{
	if (run->has_last) {
		*match_out = run->last;
		return BH_COPYSEARCH_FOUND;
	}
	if (run->given_up >= GIVEN_UP_MAX) {
		return BH_COPYSEARCH_TOO_MUCH;
	}
	if (run->is_up ? run->line == 0 : end >= all.len) {
		return BH_COPYSEARCH_NOWHERE;
	}
	run->line = run->is_up ? line_start(all, run->line - 1) : end + 1;
	run->at = run->line;
	run->is_slow = false;
	return BH_COPYSEARCH_PART;
}

/** How many beginnings of a line are tried at once: from each a pattern may look at all of the line. */
static size_t stretch_of(size_t line_len)
{
	size_t stretch = STRETCH_WORK / (line_len + 1);

	return stretch > STRETCH ? STRETCH : stretch < STRETCH_MIN ? STRETCH_MIN : stretch;
}

/** Where the beginnings end that are tried at once, between two characters. */
static size_t stretch_end(struct bh_span all, size_t at, size_t stop, size_t stretch)
{
	size_t to = stop;

	if (stop > at && stop - at > stretch) {
		to = at + stretch;
		while (to < stop && ((unsigned char)all.data[to] & 0xc0) == 0x80) {
			to++;
		}
	}
	return to;
}

/** Look on in the line in hand; PART: there is more to do. */
static enum bh_copysearch_result line_go(const struct bh_copysearch *search,
                                         struct bh_copysearch_run *run, struct bh_span all,
                                         struct bh_copysearch_match *match_out)
{
	size_t end = line_end(all, run->at);
	struct bh_span line = {all.data + run->line, end - run->line};
	size_t stop = run->is_up && run->bound < end ? run->bound : end;
	size_t to = stretch_end(all, run->at, stop, run->is_slow ? 1 : stretch_of(line.len));
	struct bh_copysearch_match match = {0};
	const struct bh_copypattern_range range = {.from = run->at - run->line,
	                                           .to = to > run->line ? to - run->line : 0,
	                                           .is_quick = !run->is_slow};
	enum bh_copypattern_found found =
		bh_copypattern_find(search->pattern, line, range, &match.at, &match.len);

	if (found == BH_COPYPATTERN_YES) {
		match.at += run->line;
		run->at = match.at + match.len;
		if (run->is_up) {
			run->last = match;
			run->has_last = true;
		} else if (match.at >= run->bound) {
			*match_out = match;
			return BH_COPYSEARCH_FOUND;
		}
		return BH_COPYSEARCH_PART;
	}
	if (found == BH_COPYPATTERN_TOO_MUCH && !run->is_slow) {
		run->is_slow = true;
		return BH_COPYSEARCH_PART;
	}
	if (found == BH_COPYPATTERN_TOO_MUCH) {
		run->given_up++;
		to = stop;
	}
	run->at = to > run->at ? to : run->at;
	return to < stop ? BH_COPYSEARCH_PART : line_leave(run, all, end, match_out);
}

enum bh_copysearch_result bh_copysearch_go(const struct bh_copysearch *search,
                                           struct bh_copysearch_run *run, struct bh_span all,
                                           const struct bh_copysearch_budget *budget,
                                           struct bh_copysearch_match *match_out)
{
	if (search->len == 0) {
		return BH_COPYSEARCH_NOWHERE;
	}
	if (search->pattern == NULL) {
		return text_go(search, run, all, match_out);
	}
	while (run->at <= all.len) {
		enum bh_copysearch_result result = line_go(search, run, all, match_out);

		if (result != BH_COPYSEARCH_PART) {
			return result;
		}
		if (budget != NULL && budget->is_over != NULL && budget->is_over(budget->user)) {
			return BH_COPYSEARCH_PART;
		}
	}
	return BH_COPYSEARCH_NOWHERE;
}
