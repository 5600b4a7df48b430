#include "term/glyph.h"

#include "term/cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void equal_content_has_one_number(void **state)
{
	struct bh_glyphs glyphs = {0};
	size_t len;
	uint32_t a = bh_glyphs_cluster(&glyphs, "e\u0301", 3);
	uint32_t b = bh_glyphs_cluster(&glyphs, "o\u0301", 3);

	(void)state;
	assert_int_equal(bh_glyphs_cluster(&glyphs, "e\u0301", 3), a);
	assert_int_not_equal(a, b);
	assert_memory_equal(bh_glyphs_text(&glyphs, b, &len), "o\u0301", 3);
	assert_int_equal(len, 3);
	bh_glyphs_clear(&glyphs);
}

static void extras_hold_colour_and_link(void **state)
{
	struct bh_glyphs glyphs = {0};
	bool is_full;
	uint16_t plain = bh_glyphs_extra(&glyphs, BH_COLOR_DEFAULT, NULL, NULL, &is_full);
	uint16_t both = bh_glyphs_extra(&glyphs, BH_COLOR_INDEX(9), "http://a", "id", &is_full);
	uint16_t color = bh_glyphs_extra(&glyphs, BH_COLOR_INDEX(9), NULL, NULL, &is_full);

	(void)state;
	assert_int_equal(plain, 0);
	assert_null(bh_glyphs_link(&glyphs, plain));
	assert_string_equal(bh_glyphs_link_id(&glyphs, plain), "");
	assert_int_equal(bh_glyphs_underline_color(&glyphs, both), BH_COLOR_INDEX(9));
	assert_string_equal(bh_glyphs_link(&glyphs, both), "http://a");
	assert_string_equal(bh_glyphs_link_id(&glyphs, both), "id");
	assert_int_not_equal(color, both);
	assert_null(bh_glyphs_link(&glyphs, color));
	bh_glyphs_clear(&glyphs);
}

static void a_sweep_frees_what_is_not_marked(void **state)
{
	struct bh_glyphs glyphs = {0};
	char text[16];
	size_t len;
	uint32_t kept = bh_glyphs_cluster(&glyphs, "kept", 4);

	(void)state;
	for (int i = 0; i < 5000; i++) {
		(void)snprintf(text, sizeof(text), "gone%d", i); // fits
		(void)bh_glyphs_cluster(&glyphs, text, strlen(text));
	}
	assert_true(bh_glyphs_want_sweep(&glyphs));
	bh_glyphs_sweep_begin(&glyphs);
	bh_glyphs_mark(&glyphs, kept, 0);
	bh_glyphs_sweep_end(&glyphs);
	assert_int_equal(glyphs.clusters.used, 1);
	assert_false(bh_glyphs_want_sweep(&glyphs));
	assert_memory_equal(bh_glyphs_text(&glyphs, kept, &len), "kept", 4);
	assert_int_equal(bh_glyphs_cluster(&glyphs, "kept", 4), kept);
	// The numbers are used again.
	uint32_t count = glyphs.clusters.count;

	for (int i = 0; i < 4000; i++) {
		(void)snprintf(text, sizeof(text), "new%d", i); // fits
		(void)bh_glyphs_cluster(&glyphs, text, strlen(text));
	}
	assert_int_equal(glyphs.clusters.count, count);
	bh_glyphs_clear(&glyphs);
}

static void hostile_links_are_bounded(void **state)
{
	struct bh_glyphs glyphs = {0};
	char link[BH_GLYPH_LINK_MAX + 1];
	bool is_full = false;
	int made = 0;

	(void)state;
	memset(link, 'x', sizeof(link) - 1);
	link[sizeof(link) - 1] = '\0';
	while (!is_full && made < 100000) {
		(void)snprintf(link, 16, "%d", made); // fits
		link[strlen(link)] = '/';
		(void)bh_glyphs_extra(&glyphs, 0, link, "", &is_full);
		made++;
	}
	assert_true(is_full);
	assert_true(glyphs.extras.bytes <= 4 << 20);
	bh_glyphs_clear(&glyphs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_content_has_one_number),
		cmocka_unit_test(extras_hold_colour_and_link),
		cmocka_unit_test(a_sweep_frees_what_is_not_marked),
		cmocka_unit_test(hostile_links_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
