#include "src/ui/token.h"

#include "src/ui/keytable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** A key, and the bytes that terminals send for it. */
static const struct {
	const char *bytes;
	/** With C-, M-, S- in front. */
	const char *name;
} keys[] = {
	{"a", "a"},
	{"A", "A"},
	{"\xc3\xa4", "U+e4"},
	{"\x01", "C-a"},
	{"\x1a", "C-z"},
	{"\x1c", "C-\\"},
	{"\x1f", "C-_"},
	{"\r", "Enter"},
	{"\t", "Tab"},
	{"\n", "C-j"},
	{"\x7f", "Backspace"},
	{"\x08", "C-h"},
	{"\x1b[Z", "S-Tab"},
	{"\x1b[9;2u", "S-Tab"},
	{"\x1b[A", "Up"},
	{"\x1bOB", "Down"},
	{"\x1b[1;5C", "C-Right"},
	{"\x1b[1;4D", "M-S-Left"},
	{"\x1b[H", "Home"},
	{"\x1b[4~", "End"},
	{"\x1b[8~", "End"},
	{"\x1b[2~", "Insert"},
	{"\x1b[3;5~", "C-Delete"},
	{"\x1b[5~", "PageUp"},
	{"\x1b[6~", "PageDown"},
	{"\x1bOP", "F1"},
	{"\x1b[11~", "F1"},
	{"\x1b[15~", "F5"},
	{"\x1b[24~", "F12"},
	{"\x1bOM", "Enter"},
	{"\x1bOx", "8"},
	{"\x1bx", "M-x"},
	{"\x1b\xc3\xa4", "M-U+e4"},
	{"\x1b\r", "M-Enter"},
	{"\x1b[97;3u", "M-a"},
	{"\x1b[97;2u", "S-A"},
	{"\x1b[97:65;2u", "S-A"},
	{"\x1b[53:37;2u", "S-%"},
	{"\x1b[53;2;37u", "S-%"},
	{"\x1b[97;69u", "C-a"},
	{"\x1b[27;6;97~", "C-S-a"},
	{"\x1b[27u", "Escape"},
	{"\x1b[57414u", "Enter"},
	{"\x1b[57400;1u", "1"},
	{"\x1b[57419u", "Up"},
	{"\x1b\x01", "C-M-a"},
	{"\x1b\x7f", "M-Backspace"},
	{"\x1b ", "M-Space"},
	{"\x1b[1;3A", "M-Up"},
	{"\x1b[1;7B", "C-M-Down"},
	{"\x1b[1;2P", "S-F1"},
	{"\x1b[1;5R", "C-F3"},
	{"\x1b[13;5~", "C-F3"},
	{"\x1b[15;2~", "S-F5"},
	{"\x1b[24;3~", "M-F12"},
	{"\x1b[27;3;97~", "M-a"},
	{"\x1b[27;4;65~", "M-S-A"},
	{"\x1b[97;4u", "M-S-A"},
	{"\x1b[97;7u", "C-M-a"},
	{"\x1b[32;5u", "C-Space"},
	{"\x1b[127;5u", "C-Backspace"},
	{"\x1b[13;2u", "S-Enter"},
	{"\x1b[[A", "F1"},
	{"\x1b[[E", "F5"},
	{"\x1b[a", "S-Up"},
	{"\x1bOd", "C-Left"},
	{"\x1b[5^", "C-PageUp"},
	{"\x1b[3@", "C-S-Delete"},
};

static void describe(const struct bh_token *token, char *out, size_t size)
{
	struct bh_key_row row = {.key = token->key.key};
	char key[24];

	bh_keytable_key(&row, key, sizeof(key));
	if (row.key >= 0x80 && row.key < BH_KEY_UP) {
		(void)snprintf(key, sizeof(key), "U+%x", (unsigned)row.key);
	}
	(void)snprintf(out, size, "%s%s%s%s", token->key.is_control ? "C-" : "",
	               token->key.is_alt ? "M-" : "", token->key.is_shift ? "S-" : "", key);
}

static void keys_are_known_in_every_encoding(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct bh_token token = bh_token_read(keys[i].bytes, strlen(keys[i].bytes));
		char name[48];

		assert_int_equal(token.kind, BH_TOKEN_KEY);
		assert_int_equal(token.len, strlen(keys[i].bytes));
		describe(&token, name, sizeof(name));
		assert_string_equal(name, keys[i].name);
	}
}

static void check_kind(const char *bytes, enum bh_token_kind kind, size_t len)
{
	struct bh_token token = bh_token_read(bytes, strlen(bytes));

	assert_int_equal(token.kind, kind);
	assert_int_equal(token.len, len);
}

static void what_is_no_key_is_told_apart(void **state)
{
	(void)state;
	check_kind("\x1b[97;1:3u", BH_TOKEN_SILENT, 9);
	check_kind("\x1b[57442u", BH_TOKEN_SILENT, 8);
	check_kind("\x1b[55296u", BH_TOKEN_OTHER, 8);
	check_kind("\x1b[1114112u", BH_TOKEN_OTHER, 10);
	check_kind("\x1b[200~x", BH_TOKEN_PASTE_BEGIN, 6);
	check_kind("\x1b[201~x", BH_TOKEN_PASTE_END, 6);
	check_kind("\x1b[?1;2cx", BH_TOKEN_ANSWER, 7);
	check_kind("\x1b[?2026;2$yx", BH_TOKEN_ANSWER, 11);
	check_kind("\x1b[?0ux", BH_TOKEN_ANSWER, 5);
	check_kind("\x1b[>1;10;0cx", BH_TOKEN_ANSWER, 10);
	check_kind("\x1bP>|foot(1.2)\x1b\\x", BH_TOKEN_ANSWER, 15);
	check_kind("\x1bPx", BH_TOKEN_KEY, 2);
	check_kind("\xffx", BH_TOKEN_OTHER, 1);
	assert_true(bh_token_read("\x1b[I", 3).has_focus);
	assert_false(bh_token_read("\x1b[O", 3).has_focus);
}

static void beginnings_are_waited_for(void **state)
{
	struct bh_token token;

	(void)state;
	check_kind("\x1b", BH_TOKEN_PARTIAL, 1);
	check_kind("\x1b[", BH_TOKEN_PARTIAL, 2);
	check_kind("\x1b[1;", BH_TOKEN_PARTIAL, 4);
	check_kind("\x1bO", BH_TOKEN_PARTIAL, 2);
	check_kind("\x1bP", BH_TOKEN_PARTIAL, 2);
	check_kind("\x1bP>|foot\x1b", BH_TOKEN_PARTIAL, 9);
	check_kind("\x1b[M  ", BH_TOKEN_PARTIAL, 5);
	assert_true(bh_token_read("\xe2\x82", 2).is_cut);
	assert_false(bh_token_read("\xe2x", 2).is_cut && bh_token_read("\xe2xy", 3).is_cut);
	token = bh_token_give_up("\x1b", 1);
	assert_int_equal(token.key.key, 0x1b);
	token = bh_token_give_up("\x1b[", 2);
	assert_int_equal(token.key.key, '[');
	assert_true(token.key.is_alt);
	assert_int_equal(bh_token_give_up("\x1b[1;", 4).kind, BH_TOKEN_OTHER);
	// Escape before another sequence is a key of its own.
	check_kind("\x1b\x1b[A", BH_TOKEN_KEY, 1);
}

static void the_mouse_reports_cells_from_0(void **state)
{
	struct bh_token token = bh_token_read("\x1b[<20;10;5M", 11);

	(void)state;
	assert_int_equal(token.kind, BH_TOKEN_MOUSE);
	assert_int_equal(token.button, 20);
	assert_int_equal(token.row, 4);
	assert_int_equal(token.col, 9);
	assert_false(token.is_release);
	assert_true(bh_token_read("\x1b[<0;10;5m", 10).is_release);
	assert_int_equal(bh_token_read("\x1b[<0;99999999999;0M", 19).row, 0);
	token = bh_token_read("\x1b[M!*%", 6);
	assert_int_equal(token.kind, BH_TOKEN_MOUSE);
	assert_int_equal(token.button, 1);
	assert_int_equal(token.col, 9);
	assert_int_equal(token.row, 4);
	token = bh_token_read("\x1b[M#*%", 6);
	assert_true(token.is_release);
	assert_int_equal(token.button, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_known_in_every_encoding),
		cmocka_unit_test(what_is_no_key_is_told_apart),
		cmocka_unit_test(beginnings_are_waited_for),
		cmocka_unit_test(the_mouse_reports_cells_from_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
