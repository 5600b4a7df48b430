#include "src/ui/url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** The address at the first '#' of @text, which is taken out; NULL: there is none. */
static void check(const char *text, const char *wanted)
{
	char line[200];
	size_t at = strcspn(text, "#");
	size_t start = 0;
	size_t len = 0;

	memcpy(line, text, at);
	(void)strcpy(line + at, text + at + 1);
	assert_int_equal(bh_url_find(line, at, &start, &len), wanted != NULL);
	if (wanted != NULL) {
		assert_int_equal(len, strlen(wanted));
		assert_memory_equal(line + start, wanted, len);
	}
}

static void addresses_are_told_from_their_sentence(void **state)
{
	(void)state;
	check("see #https://example.org/a?b=c&d now", "https://example.org/a?b=c&d");
	check("see https://example.org/#a.", "https://example.org/a");
	check("(https://example.org/a#b)", "https://example.org/ab");
	check("https://example.org/wiki/C_(lang#uage)", "https://example.org/wiki/C_(language)");
	check("[x](http://a.b/#c), and", "http://a.b/c");
	check("\"mailto:me@exam#ple.org\"", "mailto:me@example.org");
	check("http://a.b/\xc3\xbc#x!", "http://a.b/\xc3\xbcx");
	check("http://a.b/c# http://d.e/f", NULL);
	check("http://a.b/c http://d.e#/f", "http://d.e/f");
	check("no #address", NULL);
	check("https#://", NULL);
	check("#", NULL);
}

/** What a click at a cell opens after @bytes were drawn on a screen of 20 x 4. */
static void check_cell(const char *bytes, int row, int col, const char *wanted)
{
	struct bh_screen_settings settings = {.cols = 20, .rows = 4};
	struct bh_screen *screen = bh_screen_new(&settings);
	char *url = NULL;

	bh_screen_feed(screen, bytes, strlen(bytes), 1);
	url = bh_url_at(screen, row, col);
	if (wanted == NULL) {
		assert_null(url);
	} else {
		assert_non_null(url);
		assert_string_equal(url, wanted);
	}
	free(url);
	bh_screen_free(screen);
}

static void a_cell_has_a_link_or_an_address(void **state)
{
	static const char wrapped[] = "at https://example.org/a/long/way/to/go.\r\nend";
	static const char wide[] = "\xe6\x97\xa5 http://a.b/ x";

	(void)state;
	check_cell("\x1b]8;;https://x.y/\x1b\\text\x1b]8;;\x1b\\", 0, 1, "https://x.y/");
	check_cell("\x1b]8;;https://x.y/\x1b\\text\x1b]8;;\x1b\\", 0, 5, NULL);
	check_cell(wrapped, 0, 10, "https://example.org/a/long/way/to/go");
	check_cell(wrapped, 1, 3, "https://example.org/a/long/way/to/go");
	check_cell(wrapped, 0, 1, NULL);
	check_cell(wrapped, 2, 1, NULL);
	check_cell(wide, 0, 2, NULL);
	check_cell(wide, 0, 3, "http://a.b/");
	check_cell("", 3, 19, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_told_from_their_sentence),
		cmocka_unit_test(a_cell_has_a_link_or_an_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
