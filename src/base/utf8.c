#include "src/base/utf8.h"

#include <stdio.h>
#include <string.h>

#define REPLACEMENT 0xfffd
#define CODE_MAX 0x10ffff

struct lead {
	size_t len;    // of the whole character, 0: no lead byte
	uint32_t bits; // of the code point in the lead byte
	uint32_t min;  // smaller code points are overlong
};

static struct lead lead_of(uint8_t byte)
{
	if (byte < 0x80) {
		return (struct lead){1, byte, 0};
	}
	if (byte >= 0xc2 && byte <= 0xdf) {
		return (struct lead){2, byte & 0x1fU, 0x80};
	}
	if (byte >= 0xe0 && byte <= 0xef) {
		return (struct lead){3, byte & 0x0fU, 0x800};
	}
	if (byte >= 0xf0 && byte <= 0xf4) {
		return (struct lead){4, byte & 0x07U, 0x10000};
	}
	return (struct lead){0, 0, 0};
}

size_t bh_utf8_next(const char *bytes, size_t len, uint32_t *code_out)
{
	struct lead lead = len == 0 ? (struct lead){0, 0, 0} : lead_of((uint8_t)bytes[0]);
	uint32_t code = lead.bits;

	if (code_out != NULL) {
		*code_out = REPLACEMENT;
	}
	if (lead.len == 0 || lead.len > len) {
		return 0;
	}
	for (size_t i = 1; i < lead.len; i++) {
		uint8_t byte = (uint8_t)bytes[i];

		if ((byte & 0xc0) != 0x80) {
			return 0;
		}
		code = code << 6 | (byte & 0x3fU);
	}
	if (code < lead.min || code > CODE_MAX || (code >= 0xd800 && code <= 0xdfff)) {
		return 0;
	}
	if (code_out != NULL) {
		*code_out = code;
	}
	return lead.len;
}

size_t bh_utf8_put(uint32_t code, char out[4])
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xc0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (char)(0xe0 | code >> 12);
		out[1] = (char)(0x80 | (code >> 6 & 0x3f));
		out[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | (code >> 18 & 0x07));
	out[1] = (char)(0x80 | (code >> 12 & 0x3f));
	out[2] = (char)(0x80 | (code >> 6 & 0x3f));
	out[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

size_t bh_utf8_valid_len(const char *bytes, size_t len)
{
	size_t at = 0;

	while (at < len) {
		size_t step = bh_utf8_next(bytes + at, len - at, NULL);

		if (step == 0) {
			break;
		}
		at += step;
	}
	return at;
}

bool bh_utf8_is_valid(const char *bytes, size_t len)
{
	return bh_utf8_valid_len(bytes, len) == len;
}

size_t bh_utf8_cut(const char *bytes, size_t len, size_t max)
{
	size_t at = max;

	if (len <= max) {
		return len;
	}
	// At most three continuation bytes can stand before the cut; more are no UTF-8 anyway.
	while (at > 0 && max - at < 4 && ((uint8_t)bytes[at] & 0xc0) == 0x80) {
		at--;
	}
	return max - at < 4 ? at : max;
}

void bh_utf8_copy(char *out, size_t size, const char *text)
{
	size_t len = bh_utf8_cut(text, strlen(text), size - 1);

	memmove(out, text, len);
	out[len] = '\0';
}

size_t bh_utf8_line_end(const char *bytes, size_t len)
{
	uint32_t code = 0;
	size_t char_len;

	if (len >= 2 && bytes[0] == '\r' && bytes[1] == '\n') {
		return 2;
	}
	char_len = bh_utf8_next(bytes, len, &code);
	return (code >= '\n' && code <= '\r') || code == 0x85 || code == 0x2028 || code == 0x2029
	               ? char_len
	               : 0;
}

size_t bh_utf8_lines(const char *bytes, size_t len)
{
	size_t lines = 1;
	size_t at = 0;

	while (at < len) {
		size_t end_len = bh_utf8_line_end(bytes + at, len - at);

		at += end_len != 0 ? end_len : 1;
		lines += end_len != 0 && at < len;
	}
	return lines;
}

// Characters that would break a line, hide text or reorder it.
static bool is_unsafe(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x061c || code == 0x200e ||
	       code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

static void escape_byte(struct bh_buf *out, uint8_t byte)
{
	switch (byte) {
	case '\n':
		bh_buf_puts(out, "\\n");
		break;
	case '\r':
		bh_buf_puts(out, "\\r");
		break;
	case '\t':
		bh_buf_puts(out, "\\t");
		break;
	case 0x1b:
		bh_buf_puts(out, "\\e");
		break;
	default:
		bh_buf_printf(out, "\\x%02x", byte);
		break;
	}
}

void bh_utf8_escape(struct bh_buf *out, const char *bytes, size_t len)
{
	size_t at = 0;

	while (at < len) {
		uint32_t code;
		size_t step = bh_utf8_next(bytes + at, len - at, &code);

		if (step == 0 || (step == 1 && is_unsafe(code))) {
			escape_byte(out, (uint8_t)bytes[at]);
			at++;
			continue;
		}
		if (code == '\\') {
			bh_buf_puts(out, "\\\\");
		} else if (is_unsafe(code)) {
			bh_buf_printf(out, "\\u{%x}", code);
		} else {
			bh_buf_append(out, bytes + at, step);
		}
		at += step;
	}
}
