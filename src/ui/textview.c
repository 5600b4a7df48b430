#include "src/ui/textview.h"

#include "src/base/mem.h"
#include "src/base/utf8.h"
#include "src/ui/keytable.h"

#include <stdlib.h>
#include <string.h>

/** A line as it is shown: bytes of the text. */
struct line {
	size_t begin, len;
};

struct bh_textview {
	char *text;
	/** The lines when it is @cols wide; 0: they are to be found. */
	struct line *lines;
	size_t count, size;
	int cols;
	/** The first line that is shown, and how many were at the last drawing. */
	size_t first;
	int rows;
};

static const struct bh_draw_style plain = {0};
static const struct bh_draw_style dim = {.attrs = BH_ATTR_DIM};

struct bh_textview *bh_textview_new(void)
{
	struct bh_textview *view = bh_xcalloc(1, sizeof(*view));

	view->text = bh_xstrdup("");
	return view;
}

void bh_textview_free(struct bh_textview *view)
{
	if (view != NULL) {
		free(view->text);
		free(view->lines);
		free(view);
	}
}

void bh_textview_set(struct bh_textview *view, const char *text)
{
	free(view->text);
	view->text = bh_xstrdup(text);
	view->cols = 0;
}

void bh_textview_rewind(struct bh_textview *view)
{
	view->first = 0;
}

// -------------------------------------------------------------------------------- wrapping

static void line_add(struct bh_textview *view, size_t begin, size_t len)
{
	if (view->count == view->size) {
		view->size = view->size == 0 ? 64 : view->size * 2;
		view->lines = bh_xrealloc(view->lines, view->size, sizeof(*view->lines));
	}
	view->lines[view->count++] = (struct line){begin, len};
}

/** Columns of the character at @text of @len bytes. */
static int character_cols(const char *text, size_t len)
{
	char one[8] = "";

	memcpy(one, text, len < sizeof(one) ? len : sizeof(one) - 1);
	return bh_draw_width(one);
}

/** How many of @len bytes at @text go into @cols columns; at least one character. */
static size_t fitting_len(const char *text, size_t len, int cols)
{
	size_t at = 0;
	size_t after_blank = 0;
	int used = 0;

	while (at < len) {
		size_t n = bh_utf8_next(text + at, len - at, NULL);

		n = n == 0 ? 1 : n;
		used += character_cols(text + at, n);
		if (used > cols && at > 0) {
			return after_blank > 0 ? after_blank : at;
		}
		at += n;
		after_blank = text[at - 1] == ' ' ? at : after_blank;
	}
	return len;
}

static void wrap(struct bh_textview *view, int cols)
{
	const char *text = view->text;
	size_t begin = 0;

	view->count = 0;
	view->cols = cols;
	for (;;) {
		size_t len = strcspn(text + begin, "\n");
		size_t at = 0;

		do {
			size_t n = fitting_len(text + begin + at, len - at, cols);

			line_add(view, begin + at, n);
			at += n;
		} while (at < len);
		begin += len;
		if (text[begin] == '\0' || text[begin + 1] == '\0') {
			return;
		}
		begin++;
	}
}

// --------------------------------------------------------------------- drawing and scrolling

static void scroll_clamp(struct bh_textview *view)
{
	size_t shown = view->rows < 1 ? 1 : (size_t)view->rows;
	size_t last = view->count > shown ? view->count - shown : 0;

	view->first = view->first > last ? last : view->first;
}

void bh_textview_draw(struct bh_textview *view, struct bh_draw *draw, struct bh_draw_rect rect)
{
	int cols = rect.cols < 3 ? 1 : rect.cols - 2;

	if (rect.rows < 1 || rect.cols < 1) {
		return;
	}
	if (view->cols != cols) {
		wrap(view, cols);
	}
	view->rows = rect.rows;
	scroll_clamp(view);
	for (int i = 0; i < rect.rows && view->first + (size_t)i < view->count; i++) {
		const struct line *line = &view->lines[view->first + (size_t)i];
		char *copy = bh_xmemdup(view->text + line->begin, line->len);

		(void)bh_draw_text(draw, rect.row + i, rect.col, cols, copy, plain);
		free(copy);
	}
	if (view->first > 0) {
		(void)bh_draw_text(draw, rect.row, rect.col + rect.cols - 1, 1, "↑", dim);
	}
	if (view->first + (size_t)rect.rows < view->count) {
		(void)bh_draw_text(draw, rect.row + rect.rows - 1, rect.col + rect.cols - 1, 1, "↓",
		                   dim);
	}
}

void bh_textview_scroll(struct bh_textview *view, long lines)
{
	if (lines < 0 && view->first < (size_t)-lines) {
		view->first = 0;
	} else {
		view->first = (size_t)((long)view->first + lines);
	}
	scroll_clamp(view);
}

bool bh_textview_key(struct bh_textview *view, const struct bh_layer_key *key)
{
	long page = view->rows > 1 ? view->rows - 1 : 1;

	switch (key->key) {
	case BH_KEY_UP:
	case 'k':
		bh_textview_scroll(view, -1);
		return true;
	case BH_KEY_DOWN:
	case 'j':
		bh_textview_scroll(view, 1);
		return true;
	case BH_KEY_PAGE_UP:
		bh_textview_scroll(view, -page);
		return true;
	case BH_KEY_PAGE_DOWN:
	case ' ':
		bh_textview_scroll(view, page);
		return true;
	case 'g':
	case BH_KEY_HOME:
		view->first = 0;
		return true;
	case 'G':
	case BH_KEY_END:
		bh_textview_scroll(view, (long)view->count);
		return true;
	default:
		return false;
	}
}
