#include "demo_text.h"

#include <wchar.h>

struct glyph {
	size_t len;
	int width;
};

/* One character at the start of @text; a bad byte is a glyph of one column, with width -1. */
static struct glyph glyph_at(struct bh_span text)
{
	mbstate_t state = {0};
	wchar_t point = 0;
	size_t len = mbrtowc(&point, text.data, text.len, &state);

	if (len == (size_t)-1 || len == (size_t)-2 || len == 0) {
		return (struct glyph){.len = 1, .width = -1};
	}
	return (struct glyph){.len = len, .width = wcwidth(point)};
}

static struct bh_span span_rest(struct bh_span text, size_t from)
{
	return (struct bh_span){.data = text.data + from, .len = text.len - from};
}

int bh_demo_text_width(struct bh_span text)
{
	int width = 0;
	struct glyph glyph;

	for (size_t at = 0; at < text.len; at += glyph.len) {
		glyph = glyph_at(span_rest(text, at));
		width += glyph.width < 0 ? 1 : glyph.width;
	}
	return width;
}

size_t bh_demo_text_fit(struct bh_span text, int cols)
{
	size_t at = 0;
	int width = 0;

	while (at < text.len && text.data[at] != '\n') {
		struct glyph glyph = glyph_at(span_rest(text, at));

		width += glyph.width < 0 ? 1 : glyph.width;
		if (width > cols && at > 0) {
			break;
		}
		at += glyph.len;
	}
	return at;
}

void bh_demo_text_show(struct bh_buf *out, struct bh_span text)
{
	struct glyph glyph;

	for (size_t at = 0; at < text.len; at += glyph.len) {
		glyph = glyph_at(span_rest(text, at));
		if (text.data[at] == '\t') {
			bh_buf_puts(out, " ");
		} else if (glyph.width < 0) {
			bh_buf_puts(out, "?");
		} else {
			bh_buf_append(out, text.data + at, glyph.len);
		}
	}
}
