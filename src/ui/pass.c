#include "src/ui/pass.h"

#include "src/base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bh_pass_title(struct bh_pass_title *title, const struct bh_screen *screen, const char *name,
                   struct bh_buf *out)
{
	const char *text = screen == NULL ? "" : bh_screen_title(screen);
	char whole[sizeof(title->text)];

	bh_utf8_copy(whole, sizeof(whole), text[0] == '\0' ? name : text);
	if (strcmp(title->text, whole) != 0) {
		memcpy(title->text, whole, sizeof(whole));
		bh_buf_printf(out, "\x1b]2;%s\x1b\\", title->text);
	}
}

void bh_pass_yank(struct bh_span text, struct bh_buf *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	bh_buf_puts(out, "\x1b]52;c;");
	for (size_t i = 0; i < text.len; i += 3) {
		const unsigned char *in = (const unsigned char *)text.data + i;
		size_t n = text.len - i < 3 ? text.len - i : 3;
		unsigned bits = (unsigned)in[0] << 16 | (n > 1 ? (unsigned)in[1] << 8 : 0) |
		                (n > 2 ? (unsigned)in[2] : 0);
		char four[4] = {digits[bits >> 18], digits[bits >> 12 & 63],
		                n > 1 ? digits[bits >> 6 & 63] : '=',
		                n > 2 ? digits[bits & 63] : '='};

		bh_buf_append(out, four, 4);
	}
	bh_buf_puts(out, "\x1b\\");
}

void bh_pass_clipboard(struct bh_screen *screen, struct bh_buf *out)
{
	size_t len = 0;
	char *text = bh_screen_take_clipboard(screen, &len);

	if (text != NULL) {
		bh_pass_yank((struct bh_span){.data = text, .len = len}, out);
		free(text);
	}
}

/** Append text that stands inside of a sequence: nothing in it may end one. */
static void put_text(const char *text, struct bh_buf *out)
{
	size_t len = strlen(text);

	for (size_t at = 0, n = 0; at < len; at += n) {
		uint32_t code = 0;

		n = bh_utf8_next(text + at, len - at, &code);
		if (n > 0 && code >= ' ' && (code < 0x7f || code >= 0xa0)) {
			bh_buf_append(out, text + at, n);
		}
		n = n == 0 ? 1 : n;
	}
}

void bh_pass_note(const char *title, const char *body, struct bh_buf *out)
{
	bh_buf_puts(out, "\x1b]9;");
	put_text(title, out);
	bh_buf_puts(out, title[0] == '\0' || body[0] == '\0' ? "" : ": ");
	put_text(body, out);
	bh_buf_puts(out, "\x1b\\");
}

void bh_pass_notification(struct bh_screen *screen, struct bh_buf *out)
{
	struct bh_notification note;

	if (bh_screen_take_notification(screen, &note)) {
		bh_pass_note(note.title, note.body, out);
	}
}
