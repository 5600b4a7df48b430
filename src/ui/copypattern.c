#include "src/ui/copypattern.h"

#include "src/base/mem.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

/** Steps that may be taken back for one beginning of a match; patterns that people write need some
 * thousands in a long line. */
#define MATCH_LIMIT 20000
/** The same for all beginnings of a quick look together: some milliseconds. */
#define QUICK_LIMIT 50000
/** Kibibytes that one match may take for that. */
#define HEAP_LIMIT 4096

/** UCP: what a letter is, and a word, is known of all scripts. */
#define OPTIONS \
	(PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C | \
	 PCRE2_USE_OFFSET_LIMIT)

struct bh_copypattern {
	pcre2_code *code;
	pcre2_match_context *limits;
	pcre2_match_data *data;
};

bool bh_copypattern_is_one(struct bh_span text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (strchr("^$*+?.()[]{}|\\", text.data[i]) != NULL) {
			return true;
		}
	}
	return false;
}

/** The text as PCRE2 has it. */
static void translate(struct bh_span text, struct bh_buf *out)
{
	bool is_in_set = false;

	for (size_t i = 0; i < text.len; i++) {
		char next = i + 1 < text.len ? text.data[i + 1] : '\0';

		if (text.data[i] != '\\' || next == '\0') {
			bh_buf_append(out, text.data + i, 1);
			is_in_set = text.data[i] == '[' || (is_in_set && text.data[i] != ']');
			continue;
		}
		if (!is_in_set && (next == '<' || next == '>')) {
			bh_buf_puts(out, next == '<' ? "[[:<:]]" : "[[:>:]]");
		} else {
			bh_buf_append(out, text.data + i, 2);
		}
		i++;
	}
}

struct bh_copypattern *bh_copypattern_new(struct bh_span text, bool is_folded, struct bh_err *err)
{
	struct bh_copypattern *pattern = NULL;
	struct bh_buf translated = {0};
	PCRE2_UCHAR words[128] = "";
	PCRE2_SIZE at = 0;
	int code = 0;
	pcre2_code *compiled = NULL;

	translate(text, &translated);
	compiled = pcre2_compile((PCRE2_SPTR)translated.data, translated.len,
	                         OPTIONS | (is_folded ? PCRE2_CASELESS : 0), &code, &at, NULL);
	bh_buf_clear(&translated);
	if (compiled == NULL) {
		(void)pcre2_get_error_message(code, words, sizeof(words)); // cut: it is for people
		(void)bh_err_set(err, BH_EINVALID,
		                 "no pattern: %s (a \\ before ( [ { . * + ? | ^ "
		                 "$ takes them as they are)",
		                 (const char *)words);
		return NULL;
	}
	pattern = bh_xmalloc(sizeof(*pattern));
	pattern->code = compiled;
	pattern->limits = pcre2_match_context_create(NULL);
	pattern->data = pcre2_match_data_create(1, NULL);
	if (pattern->limits == NULL || pattern->data == NULL) {
		BH_BUG("out of memory for a pattern");
	}
	(void)pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE); // where there is none it is slower
	(void)pcre2_set_heap_limit(pattern->limits, HEAP_LIMIT);
	return pattern;
}

void bh_copypattern_free(struct bh_copypattern *pattern)
{
	if (pattern != NULL) {
		pcre2_match_data_free(pattern->data);
		pcre2_match_context_free(pattern->limits);
		pcre2_code_free(pattern->code);
		free(pattern);
	}
}

/** Steps for each of so many beginnings. */
static uint32_t limit_of(const struct bh_copypattern_range *range)
{
	size_t each = QUICK_LIMIT / (range->to - range->from);

	return !range->is_quick || each > MATCH_LIMIT ? MATCH_LIMIT : (uint32_t)each + 1;
}

enum bh_copypattern_found bh_copypattern_find(const struct bh_copypattern *pattern,
                                              struct bh_span line,
                                              struct bh_copypattern_range range, size_t *at_out,
                                              size_t *len_out)
{
	const PCRE2_SIZE *found = NULL;
	int rc = 0;

	if (range.from >= range.to) {
		return BH_COPYPATTERN_NO;
	}
	(void)pcre2_set_offset_limit(pattern->limits, range.to - 1);
	(void)pcre2_set_match_limit(pattern->limits, limit_of(&range));
	rc = pcre2_match(pattern->code, (PCRE2_SPTR)line.data, line.len, range.from, PCRE2_NOTEMPTY,
	                 pattern->data, pattern->limits);
	if (rc < 0) {
		return rc == PCRE2_ERROR_NOMATCH ? BH_COPYPATTERN_NO : BH_COPYPATTERN_TOO_MUCH;
	}
	found = pcre2_get_ovector_pointer(pattern->data);
	if (found[1] <= found[0]) {
		return BH_COPYPATTERN_NO; // \K made it end before it begins
	}
	*at_out = found[0];
	*len_out = found[1] - found[0];
	return BH_COPYPATTERN_YES;
}
