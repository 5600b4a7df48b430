#include "term/width.h"

#include "term/codepoint.h"

#include <utf8proc.h>

// utf8proc knows the width of a code point and where clusters end; the width of a cluster is our rule,
// as the sum of its members is what no terminal shows.

enum {
	ZWNJ = 0x200C,
	ZWJ = 0x200D,
	EMOJI_STYLE = 0xFE0F, // VS16
	SKIN_TONE_FIRST = 0x1F3FB,
	SKIN_TONE_LAST = 0x1F3FF,
	REGIONAL_FIRST = 0x1F1E6,
	REGIONAL_LAST = 0x1F1FF,
	TAG_FIRST = 0xE0020,
	TAG_LAST = 0xE007F,
};

static bool is_regional(uint32_t cp)
{
	return cp >= REGIONAL_FIRST && cp <= REGIONAL_LAST;
}

// Format characters that shape a cluster; all others of width 0 only hide text from the reader.
static bool is_joining_format(uint32_t cp)
{
	return cp == ZWNJ || cp == ZWJ || (cp >= TAG_FIRST && cp <= TAG_LAST);
}

// Vowels and last consonants of Hangul, which make one syllable with what stands before.
static bool is_hangul_part(uint32_t cp)
{
	return (cp >= 0x1160 && cp <= 0x11FF) || (cp >= 0xD7B0 && cp <= 0xD7FF);
}

int bh_width_codepoint(uint32_t cp)
{
	if (cp < 0x7F) {
		return cp < 0x20 ? -1 : 1;
	}
	if (cp < 0xA0) {
		return -1;
	}
	const utf8proc_property_t *property = utf8proc_get_property((utf8proc_int32_t)cp);

	switch (property->category) {
	case UTF8PROC_CATEGORY_CF:
		if (property->charwidth == 0 && !is_joining_format(cp)) {
			return -1;
		}
		break;
	case UTF8PROC_CATEGORY_MC:
		return 1; // as every wcwidth() has it, and with it the programs
	case UTF8PROC_CATEGORY_LO:
		if (is_hangul_part(cp)) {
			return 0; // likewise
		}
		break;
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CS:
		return -1;
	default:
		break;
	}
	// Unassigned code points have no width there; a later Unicode gives most of them one.
	if (property->category == UTF8PROC_CATEGORY_CN && property->charwidth == 0) {
		return 1;
	}
	return property->charwidth > 2 ? 2 : (int)property->charwidth;
}

int bh_width_cluster(const char *text, size_t len)
{
	const uint8_t *bytes = (const uint8_t *)text;
	int width = 1;
	int regionals = 0;
	uint32_t cp = 0;

	for (size_t at = 0, used = 0; at < len; at += used) {
		used = bh_codepoint_decode(bytes + at, len - at, &cp);
		if (used == 0) {
			break;
		}
		regionals += is_regional(cp);
		if (bh_width_codepoint(cp) == 2 || cp == EMOJI_STYLE || regionals == 2) {
			width = 2;
		}
	}
	return width;
}

static bool is_skin_tone(uint32_t cp)
{
	return cp >= SKIN_TONE_FIRST && cp <= SKIN_TONE_LAST;
}

// Unicode also joins spacing marks, which programs count as a column of their own: in Thai and the
// scripts of India rows would come out too short. Of what has columns only parts of emoji join.
static bool may_continue(uint32_t before, uint32_t cp)
{
	return bh_width_codepoint(cp) <= 0 || before == ZWJ || is_skin_tone(cp) || is_regional(cp);
}

bool bh_width_continues(const char *text, size_t len, uint32_t cp)
{
	const uint8_t *bytes = (const uint8_t *)text;
	utf8proc_int32_t state = 0;
	uint32_t before = 0;
	uint32_t next = 0;
	size_t at = bh_codepoint_decode(bytes, len, &before);

	if (len == 0 || at == 0) {
		return false;
	}
	for (size_t used = 0; at < len; at += used) {
		used = bh_codepoint_decode(bytes + at, len - at, &next);
		if (used == 0) {
			return false;
		}
		(void)utf8proc_grapheme_break_stateful((utf8proc_int32_t)before,
		                                       (utf8proc_int32_t)next,
		                                       &state); // only its state counts
		before = next;
	}
	return may_continue(before, cp) &&
	       !utf8proc_grapheme_break_stateful((utf8proc_int32_t)before, (utf8proc_int32_t)cp,
	                                         &state);
}

bool bh_width_is_cluster(const char *text, size_t len)
{
	const uint8_t *bytes = (const uint8_t *)text;
	uint32_t cp = 0;
	size_t at = len > 0 ? bh_codepoint_decode(bytes, len, &cp) : 0;

	if (at == 0) {
		return false;
	}
	for (size_t used = 0; at < len; at += used) {
		used = bh_codepoint_decode(bytes + at, len - at, &cp);
		if (used == 0 || !bh_width_continues(text, at, cp)) {
			return false;
		}
	}
	return true;
}

int bh_width_marked(const char *text, size_t len)
{
	const uint8_t *bytes = (const uint8_t *)text;
	uint32_t cp = 0;
	size_t at = len > 0 ? bh_codepoint_decode(bytes, len, &cp) : 0;
	int width = at > 0 ? bh_width_codepoint(cp) : 0;

	for (size_t used = 0; width > 0 && at < len; at += used) {
		used = bh_codepoint_decode(bytes + at, len - at, &cp);
		if (used == 0 || bh_width_codepoint(cp) != 0) {
			return 0;
		}
	}
	return width > 0 ? width : 0;
}
