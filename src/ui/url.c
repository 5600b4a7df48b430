#include "src/ui/url.h"

#include "src/base/buf.h"
#include "src/base/mem.h"

#include <string.h>

/** Rows of one line that are looked at, before and after the one with the cell. */
#define ROWS_MAX 40

static const char *const schemes[] = {"https://", "http://", "file://", "ftp://", "mailto:"};

/** Whether a byte can stand in an address as people write it: no blank, no quote, no control. */
static bool is_part(char byte)
{
	return (unsigned char)byte > ' ' && byte != 0x7f && strchr("\"'<>`{}|\\^", byte) == NULL;
}

/** The length of the scheme at @text, 0 for none. */
static size_t scheme_len(const char *text)
{
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		size_t len = strlen(schemes[i]);

		if (strncmp(text, schemes[i], len) == 0 && is_part(text[len])) {
			return len;
		}
	}
	return 0;
}

static size_t count_of(const char *text, size_t len, char byte)
{
	size_t count = 0;

	for (size_t i = 0; i < len; i++) {
		count += text[i] == byte;
	}
	return count;
}

/** Whether the last byte of an address belongs to the sentence around it. */
static bool is_tail(const char *text, size_t len)
{
	char last = text[len - 1];

	if (last == ')') {
		return count_of(text, len, ')') > count_of(text, len, '(');
	}
	if (last == ']') {
		return count_of(text, len, ']') > count_of(text, len, '[');
	}
	return strchr(".,;:!?*", last) != NULL;
}

/** The length of the address that begins at @text, 0 for none. */
static size_t url_len(const char *text)
{
	size_t scheme = scheme_len(text);
	size_t len = scheme;

	while (scheme > 0 && is_part(text[len])) {
		len++;
	}
	while (len > scheme && is_tail(text, len)) {
		len--;
	}
	return len > scheme ? len : 0;
}

bool bh_url_find(const char *text, size_t at, size_t *start_out, size_t *len_out)
{
	size_t size = strlen(text);

	for (size_t start = 0; start < size && start <= at; start++) {
		size_t len = url_len(text + start);

		if (len > 0 && at < start + len) {
			*start_out = start;
			*len_out = len;
			return true;
		}
		start += len > 0 ? len - 1 : 0;
	}
	return false;
}

/** Append a row of cells; gives where in @out the cell at @col begins. */
static size_t append_row(struct bh_buf *out, const struct bh_screen *screen, int row, int col)
{
	size_t at = out->len;

	for (int i = 0; i < bh_screen_cols(screen); i++) {
		struct bh_cell cell = bh_screen_cell(screen, row, i);

		if (i <= col && cell.width > 0) {
			at = out->len;
		}
		bh_buf_append(out, cell.text, cell.text_len);
	}
	return at;
}

char *bh_url_at(const struct bh_screen *screen, int row, int col)
{
	struct bh_cell cell = bh_screen_cell(screen, row, col);
	struct bh_buf line = {0};
	char *url = NULL;
	int first = row;
	size_t at = 0;
	size_t start = 0;
	size_t len = 0;

	if (cell.link != NULL && cell.link[0] != '\0') {
		return bh_xstrdup(cell.link);
	}
	while (first > 0 && row - first < ROWS_MAX && bh_screen_is_wrapped(screen, first - 1)) {
		first--;
	}
	for (int i = first; i < row + ROWS_MAX && i < bh_screen_rows(screen); i++) {
		size_t here = append_row(&line, screen, i, i == row ? col : -1);

		at = i == row ? here : at;
		if (i >= row && !bh_screen_is_wrapped(screen, i)) {
			break;
		}
	}
	if (line.data != NULL && bh_url_find(line.data, at, &start, &len)) {
		url = bh_xasprintf("%.*s", (int)len, line.data + start);
	}
	bh_buf_clear(&line);
	return url;
}
