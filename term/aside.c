#include "label.h"
#include "state.h"

#include <string.h>

// A title ends at the first semicolon (OSC 777).
static void notification_write(const struct bh_notification *note, struct bh_bytes *out)
{
	bh_bytes_puts(out, "\x1b]777;notify;");
	for (const char *at = note->title; *at != '\0'; at++) {
		bh_bytes_add_byte(out, *at == ';' ? ',' : *at);
	}
	bh_bytes_add_byte(out, ';');
	bh_bytes_puts(out, note->body);
	bh_bytes_puts(out, "\x1b\\");
}

char *bh_screen_aside(const struct bh_screen *s, uint32_t changes, size_t *len_out)
{
	struct bh_bytes out = {0};

	if ((changes & BH_SCREEN_CHANGED_BELL) != 0) {
		bh_bytes_puts(&out, "\a");
	}
	if ((changes & BH_SCREEN_CHANGED_NOTIFICATION) != 0 && s->notification != NULL) {
		notification_write(s->notification, &out);
	}
	if ((changes & BH_SCREEN_CHANGED_CLIPBOARD) != 0 && s->has_clipboard) {
		bh_bytes_puts(&out, "\x1b]52;c;");
		bh_label_encode_base64(s->clipboard.data != NULL ? s->clipboard.data : "",
		                       s->clipboard.len, &out);
		bh_bytes_puts(&out, "\x1b\\");
	}
	if (out.len == 0) {
		bh_bytes_clear(&out);
		return NULL;
	}
	return bh_bytes_detach(&out, len_out);
}
