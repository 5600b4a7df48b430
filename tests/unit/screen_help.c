#include "tests/unit/screen_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void screen_feed(struct bh_screen *screen, const char *bytes)
{
	bh_screen_feed(screen, bytes, strlen(bytes), 0);
}

struct bh_screen *screen_with(int cols, int rows, const char *bytes)
{
	struct bh_screen *screen =
		bh_screen_new(&(struct bh_screen_settings){.cols = cols, .rows = rows});

	screen_feed(screen, bytes);
	return screen;
}

void screen_expect_row(const struct bh_screen *screen, int row, const char *text)
{
	char got[4096];

	(void)bh_screen_row_text(screen, row, got, sizeof(got)); // compared as a string
	assert_string_equal(got, text);
}

void screen_expect_replies(struct bh_screen *screen, const char *bytes)
{
	size_t len;
	const char *got = bh_screen_replies(screen, &len);

	assert_int_equal(len, strlen(bytes));
	assert_memory_equal(got, bytes, len);
	bh_screen_replies_consume(screen, len);
}

struct bh_screen *screen_expect_repaint(const struct bh_screen *screen, const char *where)
{
	struct bh_screen *twin = screen_with(bh_screen_cols(screen), bh_screen_rows(screen), "");
	size_t len;
	char *bytes = bh_screen_repaint(screen, &len);
	const char *why;

	bh_screen_feed(twin, bytes, len, 0);
	if (!bh_screen_equal(screen, twin, &why)) {
		print_error("%s: %s differs after\n%s\n", where, why, bytes);
		fail();
	}
	free(bytes);
	return twin;
}
