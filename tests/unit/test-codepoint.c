#include "term/codepoint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	const char *bytes;
	size_t len, used;
	uint32_t cp;
} cases[] = {
	{"a", 1, 1, 'a'},
	{"\xC2\x80", 2, 2, 0x80},
	{"\xC3\xA9", 2, 2, 0xE9},
	{"\xDF\xBF", 2, 2, 0x7FF},
	{"\xE0\xA0\x80", 3, 3, 0x800},
	{"\xED\x9F\xBF", 3, 3, 0xD7FF},
	{"\xEF\xBF\xBF", 3, 3, 0xFFFF},
	{"\xF0\x90\x80\x80", 4, 4, 0x10000},
	{"\xF4\x8F\xBF\xBF", 4, 4, 0x10FFFF},
	// A beginning: more is needed.
	{"\xC3", 1, 0, 0},
	{"\xE2\x82", 2, 0, 0},
	{"\xF0\x9F\x98", 3, 0, 0},
	// Broken: the longest good beginning is used up.
	{"\x80", 1, 1, BH_CODEPOINT_BAD},
	{"\xFF", 1, 1, BH_CODEPOINT_BAD},
	{"\xC0\xAF", 2, 1, BH_CODEPOINT_BAD},
	{"\xC3(", 2, 1, BH_CODEPOINT_BAD},
	{"\xE2\x82(", 3, 2, BH_CODEPOINT_BAD},
	{"\xE0\x9F\xBF", 3, 1, BH_CODEPOINT_BAD},
	{"\xED\xA0\x80", 3, 1, BH_CODEPOINT_BAD},
	{"\xF0\x8F\xBF\xBF", 4, 1, BH_CODEPOINT_BAD},
	{"\xF4\x90\x80\x80", 4, 1, BH_CODEPOINT_BAD},
	{"\xF0\x9F\x98(", 4, 3, BH_CODEPOINT_BAD},
};

static void decodes_by_the_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t cp = 0;
		size_t used =
			bh_codepoint_decode((const uint8_t *)cases[i].bytes, cases[i].len, &cp);

		assert_int_equal(used, cases[i].used);
		assert_int_equal(cp, cases[i].cp);
	}
}

static void what_is_encoded_is_decoded(void **state)
{
	(void)state;
	for (uint32_t cp = 1; cp <= 0x10FFFF; cp += cp < 0x3000 ? 1 : 251) {
		char bytes[4];
		uint32_t back = 0;
		size_t len = bh_codepoint_encode(cp, bytes);

		if (cp >= 0xD800 && cp <= 0xDFFF) {
			continue;
		}
		assert_int_equal(bh_codepoint_decode((const uint8_t *)bytes, len, &back), len);
		assert_int_equal(back, cp);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decodes_by_the_table),
		cmocka_unit_test(what_is_encoded_is_decoded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
