#include "src/base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_reads_characters(void **state)
{
	uint32_t code = 0;

	(void)state;
	assert_int_equal(bh_utf8_next("a", 1, &code), 1);
	assert_int_equal(code, 'a');
	assert_int_equal(bh_utf8_next("\xc3\xb1", 2, &code), 2);
	assert_int_equal(code, 0xf1);
	assert_int_equal(bh_utf8_next("漢", 3, &code), 3);
	assert_int_equal(code, 0x6f22);
	assert_int_equal(bh_utf8_next("\xf0\x9f\x9a\x80", 4, NULL), 4);
	assert_int_equal(bh_utf8_next("\0", 1, &code), 1);
	assert_int_equal(code, 0);
}

static void test_refuses_what_is_no_character(void **state)
{
	static const char *const bad[] = {
		"\x80",
		"\xc0\x80",
		"\xc1\xbf",
		"\xe0\x9f\xbf",
		"\xed\xa0\x80",
		"\xf0\x8f\xbf\xbf",
		"\xf4\x90\x80\x80",
		"\xf5\x80\x80\x80",
		"\xff",
		"\xe6\xbc",
		"\xc3",
		"\xc3(",
	};
	uint32_t code = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(bh_utf8_next(bad[i], strlen(bad[i]), &code), 0);
		assert_int_equal(code, 0xfffd);
		assert_false(bh_utf8_is_valid(bad[i], strlen(bad[i])));
	}
	assert_int_equal(bh_utf8_next("", 0, &code), 0);
}

static void test_writes_what_it_reads(void **state)
{
	static const uint32_t codes[] = {1, 0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff};

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		char bytes[4];
		uint32_t code = 0;
		size_t len = bh_utf8_put(codes[i], bytes);

		assert_int_equal(bh_utf8_next(bytes, len, &code), len);
		assert_int_equal(code, codes[i]);
	}
}

static void test_finds_the_first_bad_byte(void **state)
{
	(void)state;
	assert_int_equal(bh_utf8_valid_len("añ\xff!", 5), 3);
	assert_int_equal(bh_utf8_valid_len("abc", 3), 3);
	assert_int_equal(bh_utf8_valid_len("", 0), 0);
	assert_true(bh_utf8_is_valid("a\0b", 3));
}

static void test_cuts_between_characters(void **state)
{
	char text[7];

	(void)state;
	assert_int_equal(bh_utf8_cut("漢字", 6, 6), 6);
	assert_int_equal(bh_utf8_cut("漢字", 6, 5), 3);
	assert_int_equal(bh_utf8_cut("漢字", 6, 2), 0);
	assert_int_equal(bh_utf8_cut("abc", 3, 99), 3);
	bh_utf8_copy(text, sizeof(text), "a漢字");
	assert_string_equal(text, "a漢");
	bh_utf8_copy(text, sizeof(text), "漢字");
	assert_string_equal(text, "漢字");
}

static void test_escapes_what_steers_a_terminal(void **state)
{
	static const char steering[] = "a\n\t\033[2J\\\x7f\xff\xc2\x9bñ";
	struct bh_buf out = {0};

	(void)state;
	bh_utf8_escape(&out, steering, sizeof(steering) - 1);
	assert_string_equal(out.data, "a\\n\\t\\e[2J\\\\\\x7f\\xff\\u{9b}ñ");
	bh_buf_clear(&out);
	bh_utf8_escape(&out, "\u202e\u2028", 6);
	assert_string_equal(out.data, "\\u{202e}\\u{2028}");
	bh_buf_clear(&out);
}

static void test_counts_lines_as_a_reader_does(void **state)
{
	static const struct {
		const char *text;
		size_t lines;
	} texts[] = {
		{"", 1},
		{"one", 1},
		{"one\n", 1},
		{"one\ntwo", 2},
		{"one\r\ntwo\r\n", 2},
		{"a\rb\vc\fd\xc2\x85"
	         "e\xe2\x80\xa8"
	         "f\xe2\x80\xa9g",
	         7},
		{"\n\n", 2},
		{"\xe2\x80\xa7\x0e\t\xc2\x84", 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		assert_int_equal(bh_utf8_lines(texts[i].text, strlen(texts[i].text)),
		                 texts[i].lines);
	}
	assert_int_equal(bh_utf8_line_end("\r\n", 1), 1);
	assert_int_equal(bh_utf8_line_end("\xe2\x80", 2), 0);
	assert_int_equal(bh_utf8_line_end("x\n", 2), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads_characters),
		cmocka_unit_test(test_refuses_what_is_no_character),
		cmocka_unit_test(test_writes_what_it_reads),
		cmocka_unit_test(test_finds_the_first_bad_byte),
		cmocka_unit_test(test_cuts_between_characters),
		cmocka_unit_test(test_counts_lines_as_a_reader_does),
		cmocka_unit_test(test_escapes_what_steers_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
