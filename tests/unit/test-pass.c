#include "src/ui/pass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct bh_screen *screen_with(const char *bytes)
{
	struct bh_screen_settings settings = {.cols = 20, .rows = 5};
	struct bh_screen *screen = bh_screen_new(&settings);

	bh_screen_feed(screen, bytes, strlen(bytes), 1);
	return screen;
}

static void expect(struct bh_buf *out, const char *wanted)
{
	assert_string_equal(out->data == NULL ? "" : out->data, wanted);
	bh_buf_clear(out);
}

static void a_title_is_given_once(void **state)
{
	struct bh_pass_title title = {0};
	struct bh_screen *screen = screen_with("\x1b]2;vim\x07");
	struct bh_buf out = {0};

	(void)state;
	bh_pass_title(&title, NULL, "coder", &out);
	expect(&out, "\x1b]2;coder\x1b\\");
	bh_pass_title(&title, screen, "coder", &out);
	expect(&out, "\x1b]2;vim\x1b\\");
	bh_pass_title(&title, screen, "coder", &out);
	expect(&out, "");
	bh_screen_free(screen);
}

static void a_long_title_is_cut_between_characters(void **state)
{
	struct bh_pass_title title = {0};
	struct bh_buf out = {0};
	char text[400] = "x";

	(void)state;
	for (int i = 0; i < 100; i++) {
		strcat(text, "漢");
	}
	bh_pass_title(&title, NULL, text, &out);
	assert_int_equal(out.len, strlen("\x1b]2;\x1b\\") + 253);
	bh_buf_clear(&out);
	bh_pass_title(&title, NULL, text, &out); // the same is not said again
	assert_int_equal(out.len, 0);
}

static void the_clipboard_goes_on_as_base64(void **state)
{
	static const char *const texts[][2] = {
		{"YQ==", "\x1b]52;c;YQ==\x1b\\"},
		{"YWI=", "\x1b]52;c;YWI=\x1b\\"},
		{"YWJj", "\x1b]52;c;YWJj\x1b\\"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct bh_buf in = {0};
		struct bh_buf out = {0};
		struct bh_screen *screen = NULL;

		bh_buf_printf(&in, "\x1b]52;c;%s\x07", texts[i][0]);
		screen = screen_with(in.data);
		bh_pass_clipboard(screen, &out);
		expect(&out, texts[i][1]);
		bh_pass_clipboard(screen, &out);
		expect(&out, "");
		bh_buf_clear(&in);
		bh_screen_free(screen);
	}
}

static void a_notification_goes_on(void **state)
{
	struct bh_screen *screen = screen_with("\x1b]777;notify;tests;all green\x07");
	struct bh_buf out = {0};

	(void)state;
	bh_pass_notification(screen, &out);
	expect(&out, "\x1b]9;tests: all green\x1b\\");
	bh_screen_free(screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_title_is_given_once),
		cmocka_unit_test(a_long_title_is_cut_between_characters),
		cmocka_unit_test(the_clipboard_goes_on_as_base64),
		cmocka_unit_test(a_notification_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
