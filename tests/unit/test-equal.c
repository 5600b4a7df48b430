#include "tests/unit/screen_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** What makes a screen unlike a fresh one, and the name of the field that tells. */
static const struct {
	const char *bytes, *why;
} differences[] = {
	{"x\x1B[H", "cell"},
	{"\x1B[41m\x1B[K\x1B[m", "cell"},
	{"\x1B]8;;u\x07 \x1B]8;;\x07\x1B[H", "cell"},
	{"\x1B[58;5;1m \x1B[m\x1B[H", "cell"},
	{"e\u0301\x1B[H", "cell"},
	{"          \x20\x1B[H", "wrapped row"},
	{"\x1B[2;2H", "cursor"},
	{"          ", "cursor"},
	{"\x1B[?7l         \x1B[?7h\x20\x1B[?2027h", "modes"},
	{"\x1B[3 q\x1B[?12l", "cursor shape"},
	{"\x1B[1m", "pen"},
	{"\x1B[58;5;1m", "pen"},
	{"\x1B]8;;u\x07", "pen"},
	{"\x1B(0", "charsets"},
	{"\x0E", "charsets"},
	{"\x1BN", "charsets"},
	{"\x1B[2;3H\x1B"
         "7\x1B[H",
         "saved cursor"},
	{"\x1B[?6h\x1B"
         "7\x1B[?6l",
         "saved cursor"},
	{"\x1B[1m\x1B"
         "7\x1B[m",
         "saved pen"},
	{"\x1B(0\x1B"
         "7\x1B(B",
         "saved charsets"},
	{"\x1B[?2004h", "modes"},
	{"\x1B[4h", "modes"},
	{"\x1B[2;3r", "margins"},
	{"\x1B[3g", "tab stops"},
	{"\x1B[>1u", "kitty keyboard"},
	{"\x1B[?1049h\x1B[>1u\x1B[?1049l", "kitty keyboard"},
	{"\x1B[>4;1m", "modifyOtherKeys"},
	{"\x1B]2;t\x07", "title"},
	{"\x1B]1;i\x07", "title"},
	{"\x1B[22t", "title stack"},
	{"\x1B]7;x\x07", "folder"},
	{"\x1B]7501;state=idle\x07", "status"},
	{"\x1B]7501;state=idle:id=1\x07", "background tasks"},
	{"\x1B]9;4;1;5\x07", "progress"},
	{"\x1B]133;A\x07", "prompt mark"},
	{"\x1B]4;1;#123\x07", "palette"},
	{"\x1B]10;#123\x07", "palette"},
	{"\x1B[", "unfinished token"},
	{"\xE2\x82", "unfinished token"},
	{"\x1B]0;x", "unfinished token"},
	{"\x1B_", "unfinished token"},
	{"\x1B]0;\x1B", "unfinished token"},
};

static void every_field_is_compared(void **state)
{
	struct bh_screen *fresh = screen_with(10, 4, "");

	(void)state;
	for (size_t i = 0; i < sizeof(differences) / sizeof(differences[0]); i++) {
		struct bh_screen *s = screen_with(10, 4, differences[i].bytes);
		const char *why = NULL;

		assert_false(bh_screen_equal(s, fresh, &why));
		assert_string_equal(why, differences[i].why);
		assert_false(bh_screen_equal(fresh, s, NULL));
		assert_true(bh_screen_equal(s, s, &why));
		assert_null(why);
		bh_screen_free(screen_expect_repaint(s, differences[i].bytes));
		bh_screen_free(s);
	}
	bh_screen_free(fresh);
}

static void sizes_are_compared(void **state)
{
	struct bh_screen *a = screen_with(10, 4, "");
	struct bh_screen *b = screen_with(10, 5, "");
	const char *why;

	(void)state;
	assert_false(bh_screen_equal(a, b, &why));
	assert_string_equal(why, "size");
	bh_screen_free(a);
	bh_screen_free(b);
}

static void numbers_of_equal_glyphs_do_not_matter(void **state)
{
	struct bh_screen *a = screen_with(10, 4, "e\u0301o\u0301\x1B[2;1H\x1B]8;;u\x07z");
	struct bh_screen *b = screen_with(
		10, 4,
		"\x1B[4;1Hx\u0301\x1B]8;;v\x07y\x1B]8;;\x07\x1B[2K\x1B[Ho\u0301o\u0301\x1B[He\u0301o\u0301\x1B[2;1H\x1B]8;;u\x07z");
	const char *why = "";

	(void)state;
	if (!bh_screen_equal(a, b, &why)) {
		print_error("%s\n", why);
		fail();
	}
	bh_screen_free(a);
	bh_screen_free(b);
}

static void history_does_not_matter(void **state)
{
	struct bh_screen *a = screen_with(10, 2, "1\r\n2\r\n3\r\n4");
	struct bh_screen *b = screen_with(10, 2, "3\r\n4");

	(void)state;
	assert_true(bh_screen_equal(a, b, NULL));
	bh_screen_free(a);
	bh_screen_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_is_compared),
		cmocka_unit_test(sizes_are_compared),
		cmocka_unit_test(numbers_of_equal_glyphs_do_not_matter),
		cmocka_unit_test(history_does_not_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
