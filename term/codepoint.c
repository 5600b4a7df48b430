#include "term/codepoint.h"

// A broken sequence is replaced by as many U+FFFD as the Unicode standard recommends: one for each
// longest beginning that could have become a character. So two readers of the same bytes, cut
// differently, see the same text.

// The range of the second byte is what excludes overlong forms, surrogates and the far end.
static size_t lead_length(uint8_t lead, uint8_t *low_out, uint8_t *high_out)
{
	*low_out = 0x80;
	*high_out = 0xBF;
	if (lead >= 0xC2 && lead <= 0xDF) {
		return 2;
	}
	if (lead >= 0xE0 && lead <= 0xEF) {
		*low_out = lead == 0xE0 ? 0xA0 : 0x80;
		*high_out = lead == 0xED ? 0x9F : 0xBF;
		return 3;
	}
	if (lead >= 0xF0 && lead <= 0xF4) {
		*low_out = lead == 0xF0 ? 0x90 : 0x80;
		*high_out = lead == 0xF4 ? 0x8F : 0xBF;
		return 4;
	}
	return 0;
}

size_t bh_codepoint_decode(const uint8_t *bytes, size_t len, uint32_t *cp_out)
{
	uint8_t low;
	uint8_t high;

	if (bytes[0] < 0x80) {
		*cp_out = bytes[0];
		return 1;
	}
	size_t need = lead_length(bytes[0], &low, &high);

	if (need == 0) {
		*cp_out = BH_CODEPOINT_BAD;
		return 1;
	}
	uint32_t cp = bytes[0] & (0x7FU >> need);

	for (size_t i = 1; i < need; i++) {
		if (i >= len) {
			return 0;
		}
		if (bytes[i] < low || bytes[i] > high) {
			*cp_out = BH_CODEPOINT_BAD;
			return i;
		}
		cp = cp << 6 | (bytes[i] & 0x3FU);
		low = 0x80;
		high = 0xBF;
	}
	*cp_out = cp;
	return need;
}

size_t bh_codepoint_encode(uint32_t cp, char *out)
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xC0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3F));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xE0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3F));
		out[2] = (char)(0x80 | (cp & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | (cp >> 18 & 0x07));
	out[1] = (char)(0x80 | (cp >> 12 & 0x3F));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3F));
	out[3] = (char)(0x80 | (cp & 0x3F));
	return 4;
}
