// What a child did beside the screen, done again on another one. Covers: term/aside.
#include "term/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ASIDE \
	(BH_SCREEN_CHANGED_BELL | BH_SCREEN_CHANGED_NOTIFICATION | BH_SCREEN_CHANGED_CLIPBOARD)

static struct bh_screen *screen_new(void)
{
	const struct bh_screen_settings settings = {.cols = 20, .rows = 4};

	return bh_screen_new(&settings);
}

static void it_is_done_again(void **state)
{
	static const struct {
		const char *bytes;
		uint32_t changes;
		const char *title, *body;
		const char *clipboard;
	} rows[] = {
		{"text\x1b[1m\x1b]2;title\x07", 0, NULL, NULL, NULL},
		{"\a\a", BH_SCREEN_CHANGED_BELL, NULL, NULL, NULL},
		{"\x1b]9;done; all\x07", BH_SCREEN_CHANGED_NOTIFICATION, "", "done; all", NULL},
		{"\x1b]777;notify;a b;c;d\x07", BH_SCREEN_CHANGED_NOTIFICATION, "a b", "c;d", NULL},
		{"\x1b]52;c;aGVsbG8=\x07", BH_SCREEN_CHANGED_CLIPBOARD, NULL, NULL, "hello"},
		{"\x1b]52;c;aGVsbG8=\x07\a\x1b]52;c;eA==\x07\x1b]9;x\x07\x1b]9;y\x07", ASIDE, "",
	         "y", "x"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct bh_screen *from = screen_new();
		struct bh_screen *to = screen_new();
		struct bh_notification note;
		size_t len = 0;

		bh_screen_feed(from, rows[i].bytes, strlen(rows[i].bytes), 1);
		char *bytes = bh_screen_aside(from, bh_screen_take_changes(from), &len);

		assert_int_equal(bytes != NULL, rows[i].changes != 0);
		bh_screen_feed(to, bytes != NULL ? bytes : "", len, 1);
		free(bytes);
		assert_int_equal(bh_screen_take_changes(to) & ASIDE, rows[i].changes);
		assert_int_equal(bh_screen_take_notification(to, &note), rows[i].body != NULL);
		if (rows[i].body != NULL) {
			assert_string_equal(note.title, rows[i].title);
			assert_string_equal(note.body, rows[i].body);
		}
		char *text = bh_screen_take_clipboard(to, &len);

		assert_int_equal(text != NULL, rows[i].clipboard != NULL);
		if (text != NULL) {
			assert_string_equal(text, rows[i].clipboard);
		}
		free(text);
		assert_null(bh_screen_aside(from, bh_screen_take_changes(from), &len));
		bh_screen_free(from);
		bh_screen_free(to);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_done_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
