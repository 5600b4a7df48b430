#include "src/ui/textview.h"

#include "src/ui/keytable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	COLS = 12,
	ROWS = 3
};

/** Fail unless these rows are shown, joined by |. */
static void expect(struct bh_textview *view, int cols, const char *wanted)
{
	struct bh_draw_settings settings = {.cols = cols, .rows = ROWS};
	struct bh_screen_settings outer_settings = {.cols = cols, .rows = ROWS};
	struct bh_draw *draw = bh_draw_new(&settings);
	struct bh_screen *outer = bh_screen_new(&outer_settings);
	struct bh_buf out = {0};
	struct bh_buf rows = {0};

	bh_textview_draw(view, draw, (struct bh_draw_rect){0, 0, ROWS, cols});
	bh_draw_flush(draw, &out);
	bh_screen_feed(outer, out.data == NULL ? "" : out.data, out.len, 1);
	for (int i = 0; i < ROWS; i++) {
		char text[COLS * 4 + 1];

		(void)bh_screen_row_text(outer, i, text, sizeof(text));
		bh_buf_printf(&rows, "%s%s", i == 0 ? "" : "|", text);
	}
	assert_string_equal(rows.data, wanted);
	bh_buf_clear(&rows);
	bh_buf_clear(&out);
	bh_screen_free(outer);
	bh_draw_free(draw);
}

static void press(struct bh_textview *view, uint32_t key)
{
	assert_true(bh_textview_key(view, &(struct bh_layer_key){.key = key}));
}

static void text_is_wrapped_between_words(void **state)
{
	struct bh_textview *view = bh_textview_new();

	(void)state;
	bh_textview_set(view, "one two three four\n\nlast");
	expect(view, COLS, "one two|three four|           ↓");
	press(view, 'j');
	expect(view, COLS, "three four ↑||last");
	// A word that is too long is cut where the line ends; wide characters are not cut.
	bh_textview_set(view, "abcdefghijklmn\n漢字漢字漢字");
	bh_textview_rewind(view);
	expect(view, COLS, "abcdefghij|klmn|漢字漢字漢 ↓");
	expect(view, 6, "abcd|efgh|ijkl ↓");
	bh_textview_free(view);
}

static void scrolling_stays_within_the_text(void **state)
{
	struct bh_textview *view = bh_textview_new();

	(void)state;
	expect(view, COLS, "||");
	bh_textview_set(view, "1\n2\n3\n4\n5\n6\n");
	expect(view, COLS, "1|2|3          ↓");
	press(view, BH_KEY_PAGE_DOWN);
	expect(view, COLS, "3          ↑|4|5          ↓");
	press(view, 'G');
	expect(view, COLS, "4          ↑|5|6");
	press(view, BH_KEY_DOWN);
	expect(view, COLS, "4          ↑|5|6");
	press(view, BH_KEY_PAGE_UP);
	press(view, BH_KEY_UP);
	expect(view, COLS, "1|2|3          ↓");
	bh_textview_scroll(view, 100);
	press(view, 'g');
	expect(view, COLS, "1|2|3          ↓");
	// Another text of the same kind keeps the place, a shorter one what is left of it.
	press(view, 'G');
	bh_textview_set(view, "1\n2\n3\n4\n5\n6\n7");
	expect(view, COLS, "4          ↑|5|6          ↓");
	bh_textview_set(view, "1");
	expect(view, COLS, "1||");
	assert_false(bh_textview_key(view, &(struct bh_layer_key){.key = 'x'}));
	bh_textview_free(view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_wrapped_between_words),
		cmocka_unit_test(scrolling_stays_within_the_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
