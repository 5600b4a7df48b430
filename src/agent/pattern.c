#include "pattern.h"

#include "src/base/err.h"
#include "src/base/mem.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>

/** Backtracking steps of one match; real patterns on a screen need some hundreds. */
#define PATTERN_MATCH_LIMIT 50000
/** Kibibytes that one match may take for backtracking. */
#define PATTERN_HEAP_LIMIT 512

struct bh_pattern {
	pcre2_code *code;
	pcre2_match_context *limits;
	pcre2_match_data *data;
};

struct bh_pattern *bh_pattern_new(const char *text, struct bh_err *err)
{
	struct bh_pattern *pattern;
	PCRE2_UCHAR words[128] = "";
	PCRE2_SIZE at = 0;
	int code = 0;
	pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
	                                     PCRE2_UTF | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C,
	                                     &code, &at, NULL);

	if (!compiled) {
		(void)pcre2_get_error_message(code, words, sizeof words);
		(void)bh_err_set(err, BH_EINVALID, "bad pattern at character %zu: %s", (size_t)at,
		                 (const char *)words);
		return NULL;
	}
	pattern = bh_xmalloc(sizeof *pattern);
	pattern->code = compiled;
	pattern->limits = pcre2_match_context_create(NULL);
	pattern->data = pcre2_match_data_create_from_pattern(compiled, NULL);
	if (!pattern->limits || !pattern->data) {
		BH_BUG("out of memory for a pattern");
	}
	(void)pcre2_set_match_limit(pattern->limits, PATTERN_MATCH_LIMIT);
	(void)pcre2_set_heap_limit(pattern->limits, PATTERN_HEAP_LIMIT);
	return pattern;
}

void bh_pattern_free(struct bh_pattern *pattern)
{
	if (!pattern) {
		return;
	}
	pcre2_match_data_free(pattern->data);
	pcre2_match_context_free(pattern->limits);
	pcre2_code_free(pattern->code);
	free(pattern);
}

enum bh_match bh_pattern_find(const struct bh_pattern *pattern, const char *text, size_t len,
                              size_t *start_out, size_t *end_out)
{
	const PCRE2_SIZE *range;
	int count = pcre2_match(pattern->code, (PCRE2_SPTR)text, len, 0, PCRE2_NO_UTF_CHECK,
	                        pattern->data, pattern->limits);

	if (count == PCRE2_ERROR_NOMATCH) {
		return BH_MATCH_NO;
	}
	if (count < 0) {
		return BH_MATCH_LIMIT;
	}
	range = pcre2_get_ovector_pointer(pattern->data);
	if (start_out) {
		*start_out = range[0];
	}
	if (end_out) {
		*end_out = range[1];
	}
	return BH_MATCH_YES;
}

enum bh_match bh_pattern_group(const struct bh_pattern *pattern, const char *text, size_t len,
                               char *group_out, size_t size)
{
	enum bh_match match = bh_pattern_find(pattern, text, len, NULL, NULL);
	const PCRE2_SIZE *range = pcre2_get_ovector_pointer(pattern->data);
	size_t group =
		pcre2_get_ovector_count(pattern->data) > 1 && range[2] != PCRE2_UNSET ? 2 : 0;

	if (match == BH_MATCH_YES) {
		(void)snprintf(group_out, size, "%.*s", (int)(range[group + 1] - range[group]),
		               text + range[group]);
	}
	return match;
}
