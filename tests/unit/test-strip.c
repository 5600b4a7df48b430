#include "term/strip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *text, size_t len, const char *want)
{
	size_t got_len;
	char *got = bh_strip_message(text, len, &got_len);

	assert_int_equal(got_len, strlen(want));
	assert_string_equal(got, want);
	free(got);
}

static void plain_text_stays(void **state)
{
	static const char text[] = "Mail m42 from coder:\n| a\tb \u6F22 e\u0301 "
				   "\U0001F468\u200D\U0001F469 \u2764\uFE0F \u0643";

	(void)state;
	expect(text, strlen(text), text);
	expect("", 0, "");
}

static void controls_go(void **state)
{
	char all[33];

	(void)state;
	for (int i = 0; i < 32; i++) {
		all[i] = (char)i;
	}
	all[32] = 0x7F;
	expect(all, 33, "\t\n\n");
	expect("a\x1B[201~\rb", 9, "a[201~\nb");
	expect("\xC2\x9B"
	       "31m\xC2\x80\xC2\x9F",
	       9, "31m");
}

static void line_ends_become_newlines(void **state)
{
	(void)state;
	expect("a\r\nb\rc\nd\r", 9, "a\nb\nc\nd\n");
	expect("a\u2028b\u2029c", 9, "a\nb\nc");
}

static void characters_that_deceive_go(void **state)
{
	static const char *const hidden[] = {
		"\u202A", "\u202E", "\u2066", "\u2069", "\u200E", "\u200F", "\u061C",
		"\u200B", "\u2060", "\uFEFF", "\u00AD", "\u180E", "\uFFF9", "\U000E0001",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
		char text[16] = "a";

		strcat(text, hidden[i]);
		strcat(text, "b");
		expect(text, strlen(text), "ab");
	}
}

static void text_that_only_models_read_goes(void **state)
{
	(void)state;
	// Tags: a flag of a region may have them, nothing else.
	expect("\U0001F3F4\U000E0067\U000E0062\U000E007Fx", 17,
	       "\U0001F3F4\U000E0067\U000E0062\U000E007Fx");
	expect("a\U000E0068\U000E0069"
	       "b",
	       10, "ab");
	// A run of variation selectors or joiners is a message, one is not.
	expect("\u2764\uFE0F\uFE00\uFE01", 12, "\u2764\uFE0F");
	expect("a\U000E0101\U000E0102"
	       "b",
	       10,
	       "a\U000E0101"
	       "b");
	expect("a\u200D\u200C\u200D"
	       "b",
	       11,
	       "a\u200D"
	       "b");
	expect("\uFE0Fx \u200Dy", 10, "x y");
	expect("\u2764\uFE0F\u200D\U0001F525", 13, "\u2764\uFE0F\u200D\U0001F525");
	// Fillers that look like nothing.
	expect("a\u3164\u115F\uFFA0"
	       "b",
	       11, "ab");
}

static void broken_bytes_are_replaced(void **state)
{
	(void)state;
	expect("a\xFF"
	       "b\xE2\x82",
	       5, "a\uFFFDb\uFFFD");
	expect("\xED\xA0\x80", 3, "\uFFFD\uFFFD\uFFFD");
}

static void nothing_that_could_act_is_ever_left(void **state)
{
	uint32_t random = 1;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		char bytes[64];
		size_t len;

		for (size_t i = 0; i < sizeof(bytes); i++) {
			random = random * 1664525U + 1013904223U;
			bytes[i] = (char)(random >> 16);
		}
		char *got = bh_strip_message(bytes, sizeof(bytes), &len);

		for (size_t i = 0; i < len; i++) {
			unsigned char c = (unsigned char)got[i];

			assert_true(c >= 0x20 || c == '\n' || c == '\t');
			assert_int_not_equal(c, 0x7F);
			assert_false(c == 0xC2 && (unsigned char)got[i + 1] < 0xA0);
		}
		free(got);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_text_stays),
		cmocka_unit_test(controls_go),
		cmocka_unit_test(line_ends_become_newlines),
		cmocka_unit_test(characters_that_deceive_go),
		cmocka_unit_test(text_that_only_models_read_goes),
		cmocka_unit_test(broken_bytes_are_replaced),
		cmocka_unit_test(nothing_that_could_act_is_ever_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
