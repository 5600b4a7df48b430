#include "term/keys.h"

#include "tests/unit/screen_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_key(const struct bh_screen *s, const char *name, const char *want)
{
	char bytes[BH_KEYS_MAX];
	size_t len = bh_keys_encode(s, name, bytes, sizeof(bytes));

	assert_int_equal(len, strlen(want));
	assert_memory_equal(bytes, want, len);
}

static void names_ignore_case_and_have_synonyms(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "");

	(void)state;
	expect_key(s, "enter", "\r");
	expect_key(s, "RETURN", "\r");
	expect_key(s, "Esc", "\x1B");
	expect_key(s, "PgUp", "\x1B[5~");
	expect_key(s, "BTab", "\x1B[Z");
	expect_key(s, "S-Tab", "\x1B[Z");
	expect_key(s, "-", "-");
	expect_key(s, "C--", "-");
	bh_screen_free(s);
}

static void bytes_that_do_not_fit_are_none(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "");
	char bytes[BH_KEYS_MAX] = "untouched";

	(void)state;
	assert_int_equal(bh_keys_encode(s, "C-S-F12", bytes, 3), 0);
	assert_string_equal(bytes, "untouched");
	assert_int_equal(bh_keys_encode(s, "Nonsense", bytes, sizeof(bytes)), 0);
	assert_int_equal(bh_keys_encode(s, "\xFF", bytes, sizeof(bytes)), 0);
	assert_int_equal(bh_keys_encode(s, "\x1B", bytes, sizeof(bytes)), 0);
	bh_screen_free(s);
}

static void every_name_fits(void **state)
{
	static const char *const modes[] = {"", "\x1B[?1h", "\x1B[>31u", "\x1B[>4;2m", "\x1B[20h"};
	static const char *const names[] = {"C-M-S-Up", "C-M-S-F12", "C-M-S-Enter",
	                                    "C-M-S-\U0010FFFF"};

	(void)state;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		struct bh_screen *s = screen_with(20, 5, modes[i]);

		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
			char bytes[BH_KEYS_MAX];

			assert_int_not_equal(bh_keys_encode(s, names[k], bytes, sizeof(bytes)), 0);
		}
		bh_screen_free(s);
	}
}

static void the_paste_markers_follow_the_mode(void **state)
{
	struct bh_screen *s = screen_with(20, 5, "");
	size_t len;
	char *bytes = bh_keys_paste(s, "a", 1, &len);

	(void)state;
	assert_string_equal(bytes, "a");
	free(bytes);
	screen_feed(s, "\x1B[?2004h");
	bytes = bh_keys_paste(s, "a", 1, &len);
	assert_string_equal(bytes, "\x1B[200~a\x1B[201~");
	assert_int_equal(len, 13);
	free(bytes);
	bh_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_ignore_case_and_have_synonyms),
		cmocka_unit_test(bytes_that_do_not_fit_are_none),
		cmocka_unit_test(every_name_fits),
		cmocka_unit_test(the_paste_markers_follow_the_mode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
