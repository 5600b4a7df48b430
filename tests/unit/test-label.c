#include "term/label.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void copies_are_clean(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{"plain", "plain"},
		{"a\u202Eb\u200Bc\uFEFF\u2028", "abc"},
		{"e\u0301 \u2764\uFE0F", "e\u0301 \u2764\uFE0F"},
		{"a\nb\x1B[c\x7F", "a b [c "},
		{"\xC2\x9B"
	         "x",
	         " x"},
		{"\xFFx\xE2\x82", "\uFFFDx\uFFFD"},
		{"\u6F22\u5B57", "\u6F22\u5B57"},
	};
	char out[64];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bh_label_copy(cases[i].text, strlen(cases[i].text), out, sizeof(out));
		assert_string_equal(out, cases[i].want);
		// A copy of the copy is equal.
		char again[64];

		bh_label_copy(out, strlen(out), again, sizeof(again));
		assert_string_equal(again, out);
	}
}

static void cut_between_characters(void **state)
{
	char out[6];

	(void)state;
	bh_label_copy("ab\u6F22\u5B57", 8, out, sizeof(out));
	assert_string_equal(out, "ab\u6F22");
	bh_label_copy("abc\u6F22", 6, out, sizeof(out));
	assert_string_equal(out, "abc");
}

static void dup_grows_for_broken_bytes(void **state)
{
	char *copy = bh_label_dup("\xFF\xFF\xFF", 3, 1000);

	(void)state;
	assert_string_equal(copy, "\uFFFD\uFFFD\uFFFD");
	free(copy);
	copy = bh_label_dup("abcdef", 6, 3);
	assert_string_equal(copy, "abc");
	free(copy);
}

static void base64_round_trips(void **state)
{
	(void)state;
	for (size_t len = 0; len < 64; len++) {
		char data[64];
		struct bh_bytes text = {0};
		struct bh_bytes back = {0};

		for (size_t i = 0; i < len; i++) {
			data[i] = (char)(i * 37 + len);
		}
		bh_label_encode_base64(data, len, &text);
		bh_label_decode_base64(text.data, text.len, &back);
		assert_int_equal(back.len, len);
		assert_memory_equal(back.data != NULL ? back.data : "", data, len);
		bh_bytes_clear(&text);
		bh_bytes_clear(&back);
	}
}

static void base64_stops_at_rubbish(void **state)
{
	struct bh_bytes out = {0};

	(void)state;
	bh_label_decode_base64("aGk\0aGk", 7, &out);
	assert_int_equal(out.len, 2);
	assert_memory_equal(out.data, "hi", 2);
	bh_bytes_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_are_clean),
		cmocka_unit_test(cut_between_characters),
		cmocka_unit_test(dup_grows_for_broken_bytes),
		cmocka_unit_test(base64_round_trips),
		cmocka_unit_test(base64_stops_at_rubbish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
