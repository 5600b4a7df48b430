#include "term/strip.h"

#include "term/bytes.h"
#include "term/codepoint.h"

#include <stdbool.h>
#include <stdint.h>

/** Ranges of invisible characters that reorder, hide or fake text. Joiners (200C, 200D), variation
 * selectors and tags stay: they shape visible glyphs. */
static const struct {
	uint32_t first, last;
} hidden[] = {
	{0x0000, 0x0008}, {0x000B, 0x001F}, {0x007F, 0x009F},   {0x00AD, 0x00AD}, {0x061C, 0x061C},
	{0x180E, 0x180E}, {0x200B, 0x200B}, {0x200E, 0x200F},   {0x2028, 0x202E}, {0x2060, 0x206F},
	{0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0001, 0xE0001},
};

static bool is_hidden(uint32_t cp)
{
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
		if (cp >= hidden[i].first && cp <= hidden[i].last) {
			return true;
		}
	}
	return false;
}

static void strip_codepoint(struct bh_bytes *out, uint32_t cp)
{
	char encoded[4];

	if (cp == 0x2028 || cp == 0x2029) {
		bh_bytes_add_byte(out, '\n');
	} else if (!is_hidden(cp)) {
		bh_bytes_add(out, encoded, bh_codepoint_encode(cp, encoded));
	}
}

char *bh_strip_message(const char *text, size_t len, size_t *len_out)
{
	const uint8_t *bytes = (const uint8_t *)text;
	struct bh_bytes out = {0};

	for (size_t at = 0; at < len;) {
		uint32_t cp;
		size_t used = bh_codepoint_decode(bytes + at, len - at, &cp);

		if (used == 0) {
			cp = BH_CODEPOINT_BAD;
			used = len - at;
		}
		at += used;
		if (cp == '\r') {
			at += at < len && bytes[at] == '\n' ? 1 : 0;
			cp = '\n';
		}
		strip_codepoint(&out, cp);
	}
	return bh_bytes_detach(&out, len_out);
}
