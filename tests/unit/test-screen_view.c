#include "src/server/screen_view.h"

#include "src/base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct bh_screen *screen_with(const char *bytes)
{
	const struct bh_screen_settings settings = {.cols = 20, .rows = 4};
	struct bh_screen *screen = bh_screen_new(&settings);

	bh_screen_feed(screen, bytes, strlen(bytes), 1);
	return screen;
}

static void assert_first_line(const char *bytes, const char *json)
{
	struct bh_screen *screen = screen_with(bytes);
	cJSON *lines = bh_screen_view_lines(screen);
	char *text = bh_json_print(cJSON_GetArrayItem(lines, 0));

	assert_int_equal(cJSON_GetArraySize(lines), 4);
	assert_string_equal(text, json);
	free(text);
	cJSON_Delete(lines);
	bh_screen_free(screen);
}

static void runs_follow_the_style(void **state)
{
	(void)state;
	assert_first_line("plain", "{\"text\":\"plain\",\"runs\":[{\"text\":\"plain\"}]}");
	assert_first_line("", "{\"text\":\"\",\"runs\":[]}");
	assert_first_line("a\033[1;31mb\033[0m c",
	                  "{\"text\":\"ab c\",\"runs\":[{\"text\":\"a\"},"
	                  "{\"text\":\"b\",\"fg\":1,\"bold\":true},{\"text\":\" c\"}]}");
	assert_first_line("\033[2;38;2;1;2;3mx\033[m",
	                  "{\"text\":\"x\",\"runs\":[{\"text\":\"x\",\"fg\":\"#010203\","
	                  "\"dim\":true}]}");
	// A coloured blank is something to see, a plain one behind the text is not.
	assert_first_line("\033[44m \033[m   ",
	                  "{\"text\":\"\",\"runs\":[{\"text\":\" \",\"bg\":4}]}");
	// A wide glyph is one cell of text and an empty one.
	assert_first_line("\346\227\245x",
	                  "{\"text\":\"\346\227\245x\",\"runs\":[{\"text\":\"\346\227\245x\"}]}");
}

static void history_comes_newest_rows_oldest_first(void **state)
{
	struct bh_screen *screen = screen_with("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7");
	struct bh_buf text = {0};

	(void)state;
	assert_int_equal(bh_screen_view_history(screen, 2, &text), 2);
	assert_string_equal(text.data, "2\n3\n");
	bh_buf_clear(&text);
	assert_int_equal(bh_screen_view_history(screen, 100, &text), 3);
	assert_string_equal(text.data, "1\n2\n3\n");
	bh_buf_clear(&text);
	assert_int_equal(bh_screen_view_history(screen, 0, &text), 0);
	assert_int_equal(text.len, 0);
	bh_screen_free(screen);
}

static void a_screen_of_a_million_looks_is_refused(void **state)
{
	const struct bh_screen_settings settings = {.cols = 600, .rows = 200};
	struct bh_screen *screen = bh_screen_new(&settings);
	struct bh_buf bytes = {0};
	cJSON *lines = NULL;

	(void)state;
	for (int i = 0; i < 600 * 100; i++) {
		bh_buf_printf(&bytes, "\033[3%dmx", i % 2);
	}
	bh_screen_feed(screen, bytes.data, bytes.len / 2, 1);
	lines = bh_screen_view_lines(screen);
	assert_non_null(lines);
	cJSON_Delete(lines);
	bh_screen_feed(screen, bytes.data + bytes.len / 2, bytes.len - bytes.len / 2, 1);
	assert_null(bh_screen_view_lines(screen));
	bh_buf_clear(&bytes);
	bh_screen_free(screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_follow_the_style),
		cmocka_unit_test(history_comes_newest_rows_oldest_first),
		cmocka_unit_test(a_screen_of_a_million_looks_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
