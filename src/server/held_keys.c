#include "src/server/held_keys.h"

#include <string.h>

bool bh_held_keys_is_report(const char *bytes, size_t len)
{
	return len >= 3 && bytes[0] == '\033' &&
	       (bytes[1] == ']' || bytes[1] == 'P' ||
	        (bytes[1] == '[' && bytes[2] != '\0' && strchr("IOM<?>", bytes[2]) != NULL));
}

bool bh_held_keys_is_focus(const char *bytes, size_t len)
{
	return len == 3 && bytes[0] == '\033' && bytes[1] == '[' &&
	       (bytes[2] == 'I' || bytes[2] == 'O');
}

static bool byte_is_answer(char byte)
{
	return byte == '\r' || byte == '\n' || byte == '\033' || (byte >= '0' && byte <= '9');
}

// The length of the escape sequence at the front: of an arrow key not only the Esc must go, or its
// rest would be typed as text.
static size_t sequence_len(const char *bytes, size_t len)
{
	size_t at = 2;

	if (len < 2 || (bytes[1] != '[' && bytes[1] != 'O')) {
		return 1;
	}
	while (at < len && bytes[at] >= 0x20 && bytes[at] < 0x40) {
		at++;
	}
	return at < len ? at + 1 : len;
}

size_t bh_held_keys_drop_answers(struct bh_buf *held)
{
	size_t before = held->len;
	size_t kept = 0;
	size_t at = 0;

	while (at < before) {
		if (held->data[at] == '\033') {
			at += sequence_len(held->data + at, before - at);
		} else if (byte_is_answer(held->data[at])) {
			at++;
		} else {
			held->data[kept++] = held->data[at++];
		}
	}
	held->len = kept;
	return before - kept;
}
