#include "term/strip.h"

#include "term/bytes.h"
#include "term/codepoint.h"

#include <stdbool.h>
#include <stdint.h>

// What is typed into an agent reads as its user's words. A message must not end its paste, and must not
// say to the model what a person who looks at the screen cannot see.

/** Ranges of invisible characters that reorder, hide or fake text. What shapes visible glyphs is
 * looked at in its place, see enum shaper. */
static const struct {
	uint32_t first, last;
} hidden[] = {
	{0x0000, 0x0008},   {0x000B, 0x001F},   {0x007F, 0x009F}, {0x00AD, 0x00AD},
	{0x061C, 0x061C},   {0x180E, 0x180E},   {0x200B, 0x200B}, {0x200E, 0x200F},
	{0x2028, 0x202E},   {0x2060, 0x206F},   {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB},
	{0xE0000, 0xE001F}, {0xE0080, 0xE00FF}, {0x115F, 0x1160}, {0x3164, 0x3164},
	{0xFFA0, 0xFFA0},   {0xE01F0, 0xE0FFF},
};

/** Invisible characters with a good use. In a row they could carry a text that models read and
 * people do not see, so each stands only where its use is. */
enum shaper {
	SHAPER_NONE,
	SHAPER_JOINER,    // one between two characters
	SHAPER_VARIATION, // one after a character
	SHAPER_TAG,       // after a black flag: the flag of a region
};

#define BLACK_FLAG 0x1F3F4U

static enum shaper shaper_of(uint32_t cp)
{
	if (cp == 0x200C || cp == 0x200D) {
		return SHAPER_JOINER;
	}
	if ((cp >= 0xFE00 && cp <= 0xFE0F) || (cp >= 0xE0100 && cp <= 0xE01EF)) {
		return SHAPER_VARIATION;
	}
	return cp >= 0xE0020 && cp <= 0xE007F ? SHAPER_TAG : SHAPER_NONE;
}

/** May @cp follow @before, the last character that was kept (0: none)? */
static bool is_in_place(uint32_t cp, uint32_t before)
{
	enum shaper shaper = shaper_of(cp);
	enum shaper last = shaper_of(before);

	if (shaper == SHAPER_NONE) {
		return true;
	}
	if (shaper == SHAPER_TAG) {
		return before == BLACK_FLAG || last == SHAPER_TAG;
	}
	return before > ' ' && shaper != last && last != SHAPER_JOINER;
}

static bool is_hidden(uint32_t cp)
{
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
		if (cp >= hidden[i].first && cp <= hidden[i].last) {
			return true;
		}
	}
	return false;
}

/** Add @cp if it may stay. Returns the last character that was kept. */
static uint32_t strip_codepoint(struct bh_bytes *out, uint32_t cp, uint32_t before)
{
	char encoded[4];

	if (cp == 0x2028 || cp == 0x2029) {
		cp = '\n';
	}
	if (is_hidden(cp) || !is_in_place(cp, before)) {
		return before;
	}
	bh_bytes_add(out, encoded, bh_codepoint_encode(cp, encoded));
	return cp;
}

char *bh_strip_message(const char *text, size_t len, size_t *len_out)
{
	const uint8_t *bytes = (const uint8_t *)text;
	struct bh_bytes out = {0};
	uint32_t before = 0;

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
		before = strip_codepoint(&out, cp, before);
	}
	return bh_bytes_detach(&out, len_out);
}
