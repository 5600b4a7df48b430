#include "term/label.h"

#include "term/codepoint.h"
#include "term/width.h"

#include <string.h>

// Titles and messages of a program are shown to people in lists and borders, so they must not be able
// to move the cursor, to reverse the text that follows or to hide.

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void bh_label_copy(const char *text, size_t len, char *out, size_t size)
{
	const uint8_t *bytes = (const uint8_t *)text;
	size_t written = 0;

	for (size_t at = 0; at < len;) {
		char encoded[4];
		uint32_t cp;
		size_t used = bh_codepoint_decode(bytes + at, len - at, &cp);

		if (used == 0) {
			// Cut off at the end.
			cp = BH_CODEPOINT_BAD;
			used = len - at;
		}
		at += used;
		if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0)) {
			cp = ' ';
		} else if (bh_width_codepoint(cp) < 0) {
			continue;
		}
		size_t more = bh_codepoint_encode(cp, encoded);

		if (written + more >= size) {
			break;
		}
		memcpy(out + written, encoded, more);
		written += more;
	}
	out[written] = '\0';
}

char *bh_label_dup(const char *text, size_t len, size_t max)
{
	// A broken byte grows to the three of U+FFFD.
	size_t size = len * 3 < max ? len * 3 + 1 : max + 1;
	char *copy = bh_bytes_alloc(1, size);

	bh_label_copy(text, len, copy, size);
	return copy;
}

void bh_label_decode_base64(const char *text, size_t len, struct bh_bytes *out)
{
	uint32_t bits = 0;
	int count = 0;

	for (size_t i = 0; i < len; i++) {
		const char *found = text[i] != '\0' ? strchr(alphabet, text[i]) : NULL;

		if (found == NULL) {
			break;
		}
		bits = bits << 6 | (uint32_t)(found - alphabet);
		count += 6;
		if (count >= 8) {
			count -= 8;
			bh_bytes_add_byte(out, (char)(bits >> count & 0xFF));
		}
	}
}

void bh_label_encode_base64(const char *data, size_t len, struct bh_bytes *out)
{
	const uint8_t *bytes = (const uint8_t *)data;

	for (size_t i = 0; i < len; i += 3) {
		uint32_t bits = (uint32_t)bytes[i] << 16;
		char text[4] = {'=', '=', '=', '='};

		bits |= i + 1 < len ? (uint32_t)bytes[i + 1] << 8 : 0;
		bits |= i + 2 < len ? (uint32_t)bytes[i + 2] : 0;
		text[0] = alphabet[bits >> 18 & 63];
		text[1] = alphabet[bits >> 12 & 63];
		text[2] = i + 1 < len ? alphabet[bits >> 6 & 63] : '=';
		text[3] = i + 2 < len ? alphabet[bits & 63] : '=';
		bh_bytes_add(out, text, sizeof(text));
	}
}
