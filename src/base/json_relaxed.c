#include "src/base/json_relaxed.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/** The offset after the string that begins at @at. */
static size_t string_end(const char *text, size_t at, size_t len)
{
	for (at++; at < len && text[at] != '"'; at++) {
		if (text[at] == '\\') {
			at++;
		}
	}
	return at < len ? at + 1 : len;
}

static bool is_at(const char *text, size_t at, size_t len, const char *mark)
{
	return len - at >= 2 && memcmp(text + at, mark, 2) == 0;
}

/** The offset after the comment that begins at @at; @at itself when none does, beyond
 * @len when it never ends. */
static size_t comment_end(const char *text, size_t at, size_t len)
{
	if (is_at(text, at, len, "//")) {
		while (at < len && text[at] != '\n') {
			at++;
		}
	} else if (is_at(text, at, len, "/*")) {
		for (at += 2; at < len && !is_at(text, at, len, "*/"); at++) {
		}
		at = at < len ? at + 2 : len + 1;
	}
	return at;
}

static void blank(char *text, size_t from, size_t to)
{
	for (; from < to; from++) {
		text[from] = text[from] == '\n' ? '\n' : ' ';
	}
}

int bh_json_relaxed_plain(char *text, size_t len, size_t *at_out, struct bh_err *err)
{
	size_t comma = len; // the last token, if it was a comma

	for (size_t at = 0; at < len;) {
		size_t end = comment_end(text, at, len);

		if (end > len) {
			*at_out = at;
			return bh_err_set(err, BH_EINVALID, "this comment does not end");
		}
		if (end > at) {
			blank(text, at, end);
			at = end;
			continue;
		}
		if (strchr("]}", text[at]) != NULL && text[at] != '\0' && comma < len) {
			text[comma] = ' ';
		}
		if (!isspace((unsigned char)text[at])) {
			comma = text[at] == ',' ? at : len;
		}
		at = text[at] == '"' ? string_end(text, at, len) : at + 1;
	}
	return 0;
}
