#include "term/sieve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** All tokens of @bytes in one line of text, fed in pieces of @step. */
static char *tokens(const char *bytes, size_t len, size_t step)
{
	static const char *const names[] = {"", "text", "cp", "ctl", "esc", "csi", "osc", "dcs"};
	struct bh_sieve sieve = {0};
	struct bh_bytes out = {0};
	struct bh_token token;

	for (size_t at = 0; at < len;) {
		size_t end = at + step < len ? at + step : len;

		while (at < end) {
			at += bh_sieve_next(&sieve, (const uint8_t *)bytes + at, end - at, &token);
			if (token.kind == BH_TOKEN_NONE) {
				continue;
			}
			// Runs of text are cut anywhere; they are put together again.
			if (token.kind == BH_TOKEN_ASCII) {
				bh_bytes_add(&out, token.text, token.len);
				continue;
			}
			bh_bytes_printf(&out, "<%s", names[token.kind]);
			if (token.kind == BH_TOKEN_CODEPOINT) {
				bh_bytes_printf(&out, " %X", token.codepoint);
			} else if (token.kind == BH_TOKEN_OSC || token.kind == BH_TOKEN_DCS) {
				bh_bytes_printf(&out, " %s%s", token.text,
				                token.is_bel ? " bel" : "");
			} else {
				bh_bytes_printf(&out, " %s%.2s", (const char[]){token.leader, 0},
				                token.intermediates);
				bh_bytes_printf(&out, token.final >= 0x20 ? "%c" : "\\%d",
				                token.final);
			}
			for (int i = 0; i < token.argc; i++) {
				bh_bytes_printf(&out, "%s%d",
				                (token.subs >> i & 1) != 0 ? ":" : " ",
				                token.args[i]);
			}
			bh_bytes_puts(&out, ">");
		}
	}
	bh_sieve_clear(&sieve);
	return bh_bytes_detach(&out, NULL);
}

static const struct {
	const char *bytes, *want;
} cases[] = {
	{"hello", "hello"},
	{"a\r\n", "a<ctl \\13><ctl \\10>"},
	{"\x1B[m", "<csi m>"},
	{"\x1B[1;2H", "<csi H 1 2>"},
	{"\x1B[;5H", "<csi H -1 5>"},
	{"\x1B[5;H", "<csi H 5 -1>"},
	{"\x1B[38:2::1:2:3;4m", "<csi m 38:2:-1:1:2:3 4>"},
	{"\x1B[?25;1h", "<csi ?h 25 1>"},
	{"\x1B[>0q", "<csi >q 0>"},
	{"\x1B[4 q", "<csi  q 4>"},
	{"\x1B[?2026$p", "<csi ?$p 2026>"},
	{"\x1B[99999999999999A", "<csi A 65535>"},
	{"\x1B(0q", "<esc (0>q"},
	{"\x1B#8", "<esc #8>"},
	{"\x1B"
         "7",
         "<esc 7>"},
	{"\x1B]0;t\x07x", "<osc 0;t bel>x"},
	{"\x1B]0;t\x1B\\x", "<osc 0;t>x"},
	{"\x1B]0;\xC3\xA9\x07", "<osc 0;\xC3\xA9 bel>"},
	{"\x1BP$qm\x1B\\x", "<dcs $qm>x"},
	{"\x1B_apc\x07still\x1B\\x", "x"},
	{"\x1B^pm\x1B\\\x1BXsos\x1B\\x", "x"},
	{"\x1B]junk\x07x\x1BPjunk\x1B\\y", "xy"},
	// Cut short.
	{"\x1B]0;t\x1B[1m", "<csi m 1>"},
	{"\x1B]0;t\x18x", "x"},
	{"\x1B[1\x1Ax", "x"},
	{"\x1B[1\x1B[2m", "<csi m 2>"},
	{"\x1B\x1B[2m", "<csi m 2>"},
	// Wrong in itself.
	{"\x1B[1<mx", "x"},
	{"\x1B[<<mx", "x"},
	{"\x1B[1 2mx", "x"},
	{"\x1B[1!!!mx", "x"},
	{"\x1B[5;?l\x1B[?h", "<csi ?h>"},
	{"\x1B[1\xC3\xA9x", "<cp E9>x"},
	{"\x1B\xC3\xA9", "<cp E9>"},
	// Controls act inside, DEL does nothing.
	{"\x1B[3\n1\x7Fm", "<ctl \\10><csi m 31>"},
	{"\x1B\r[m", "<ctl \\13><csi m>"},
	// UTF-8.
	{"\xE6\xBC\xA2", "<cp 6F22>"},
	{"\xC2\x80\xC2\x9Fx", "x"},
	{"\xE2\x82x", "<cp FFFD>x"},
	{"\xE2\x82\x1B[m", "<cp FFFD><csi m>"},
	{"\xF0\x9F\xE2\x82\xAC", "<cp FFFD><cp 20AC>"},
	{"\xFF\xC0\x80", "<cp FFFD><cp FFFD><cp FFFD>"},
};

static void tokens_do_not_depend_on_cuts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (size_t step = 1; step <= strlen(cases[i].bytes); step++) {
			char *got = tokens(cases[i].bytes, strlen(cases[i].bytes), step);

			assert_string_equal(got, cases[i].want);
			free(got);
		}
	}
}

static void the_unfinished_part_brings_a_new_sieve_there(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *bytes = cases[i].bytes;
		struct bh_sieve sieve = {0};

		for (size_t at = 0; bytes[at] != '\0'; at++) {
			struct bh_sieve twin = {0};
			struct bh_bytes rest = {0};
			struct bh_token token;

			(void)bh_sieve_next(&sieve, (const uint8_t *)bytes + at, 1,
			                    &token); // all used
			bh_sieve_unfinished(&sieve, &rest);
			for (size_t used = 0; used < rest.len;) {
				used += bh_sieve_next(&twin, (const uint8_t *)rest.data + used,
				                      rest.len - used, &token);
				assert_int_equal(token.kind, BH_TOKEN_NONE);
			}
			assert_true(bh_sieve_equal(&sieve, &twin));
			bh_sieve_clear(&twin);
			bh_bytes_clear(&rest);
		}
		bh_sieve_clear(&sieve);
	}
}

static void a_string_is_kept_up_to_the_limit(void **state)
{
	struct bh_bytes bytes = {0};

	(void)state;
	bh_bytes_puts(&bytes, "\x1B]0;");
	while (bytes.len < BH_SIEVE_STRING_MAX + 2) {
		bh_bytes_add_byte(&bytes, 'x');
	}
	bh_bytes_puts(&bytes, "\x07y");
	char *got = tokens(bytes.data, bytes.len, bytes.len);

	assert_int_equal(strlen(got), BH_SIEVE_STRING_MAX + strlen("<osc  bel>y"));
	free(got);
	// One byte more: swallowed, not cut.
	bytes.len -= 2;
	bh_bytes_puts(&bytes, "x\x07y");
	got = tokens(bytes.data, bytes.len, 1000);
	assert_string_equal(got, "y");
	free(got);
	bh_bytes_clear(&bytes);
}

static void arguments_are_bounded(void **state)
{
	struct bh_sieve sieve = {0};
	struct bh_bytes bytes = {0};
	struct bh_token token;

	(void)state;
	bh_bytes_puts(&bytes, "\x1B[");
	for (int i = 0; i < 40; i++) {
		bh_bytes_puts(&bytes, "7;");
	}
	bh_bytes_puts(&bytes, "m");
	(void)bh_sieve_next(&sieve, (const uint8_t *)bytes.data, bytes.len, &token); // all used
	assert_int_equal(token.kind, BH_TOKEN_CSI);
	assert_int_equal(token.argc, BH_SIEVE_ARGS);
	assert_int_equal(bh_token_arg(&token, BH_SIEVE_ARGS - 1, 0), 7);
	assert_int_equal(bh_token_arg(&token, BH_SIEVE_ARGS, 9), 9);
	bh_bytes_clear(&bytes);
	bh_sieve_clear(&sieve);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_do_not_depend_on_cuts),
		cmocka_unit_test(the_unfinished_part_brings_a_new_sieve_there),
		cmocka_unit_test(a_string_is_kept_up_to_the_limit),
		cmocka_unit_test(arguments_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
