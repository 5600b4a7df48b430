#include "src/ui/pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bh_pass_title(struct bh_pass_title *title, const struct bh_screen *screen, const char *name,
                   struct bh_buf *out)
{
	const char *text = screen == NULL ? "" : bh_screen_title(screen);

	if (text[0] == '\0') {
		text = name;
	}
	if (strncmp(title->text, text, sizeof(title->text) - 1) != 0) {
		(void)snprintf(title->text, sizeof(title->text), "%s", text);
		bh_buf_printf(out, "\x1b]2;%s\x1b\\", title->text);
	}
}

void bh_pass_clipboard(struct bh_screen *screen, struct bh_buf *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t len = 0;
	char *text = bh_screen_take_clipboard(screen, &len);

	if (text == NULL) {
		return;
	}
	bh_buf_puts(out, "\x1b]52;c;");
	for (size_t i = 0; i < len; i += 3) {
		const unsigned char *in = (const unsigned char *)text + i;
		size_t n = len - i < 3 ? len - i : 3;
		unsigned bits = (unsigned)in[0] << 16 | (n > 1 ? (unsigned)in[1] << 8 : 0) |
		                (n > 2 ? (unsigned)in[2] : 0);
		char four[4] = {digits[bits >> 18], digits[bits >> 12 & 63],
		                n > 1 ? digits[bits >> 6 & 63] : '=',
		                n > 2 ? digits[bits & 63] : '='};

		bh_buf_append(out, four, 4);
	}
	bh_buf_puts(out, "\x1b\\");
	free(text);
}

void bh_pass_notification(struct bh_screen *screen, struct bh_buf *out)
{
	struct bh_notification note;

	if (bh_screen_take_notification(screen, &note)) {
		bh_buf_printf(out, "\x1b]9;%s%s%s\x1b\\", note.title,
		              note.title[0] == '\0' || note.body[0] == '\0' ? "" : ": ", note.body);
	}
}
