// Rows for a reader: how they come, what they are called, and that they stay where they are.
#include "src/ui/linecache.h"

#include "tests/unit/copy_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool take(struct bh_linecache *cache, cJSON *answer, int *shift_out)
{
	bool is_taken = bh_linecache_take(cache, answer, shift_out);

	cJSON_Delete(answer);
	return is_taken;
}

static int wanted_number(const cJSON *want, const char *name)
{
	const cJSON *item = cJSON_GetObjectItem(want, name);

	return cJSON_IsNumber(item) ? item->valueint : -1;
}

static void history_grows_upwards(void **state)
{
	struct bh_linecache *cache = bh_linecache_new();
	cJSON *want = bh_linecache_want(cache, "t");
	int shift = 0;

	(void)state;
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(want, "screen")));
	assert_string_equal(cJSON_GetObjectItem(want, "name")->valuestring, "t");
	cJSON_Delete(want);
	assert_true(take(cache, copy_first_answer(7, 11, "e|f", 80, "g|h"), &shift));
	// Whether e is all of its line is not known before the row above it is there.
	copy_expect_rows(cache, "f|g|h");
	assert_int_equal(bh_linecache_first(cache), -1);
	assert_int_equal(bh_linecache_end(cache), 2);
	assert_int_equal(bh_linecache_history(cache), 6);
	want = bh_linecache_want(cache, "t");
	assert_int_equal(wanted_number(want, "before"), 11);
	assert_null(cJSON_GetObjectItem(want, "screen"));
	cJSON_Delete(want);
	assert_true(take(cache, copy_answer(7, 9, "c|d", 13), &shift));
	copy_expect_rows(cache, "d|e|f|g|h");
	assert_false(bh_linecache_is_complete(cache));
	// Meanwhile the oldest has become 8: there is no more than that.
	assert_true(take(cache, copy_answer(8, 8, "b", 99), &shift));
	copy_expect_rows(cache, "b|c|d|e|f|g|h");
	assert_true(bh_linecache_is_complete(cache));
	assert_int_equal(bh_linecache_history(cache), 5);
	assert_null(bh_linecache_want(cache, "t"));
	bh_linecache_free(cache);
}

static void rows_that_are_gone_end_it(void **state)
{
	struct bh_linecache *cache = bh_linecache_new();
	int shift = 0;

	(void)state;
	assert_true(take(cache, copy_first_answer(0, 100, "x", 80, "y"), &shift));
	// All older ones were dropped: the answer begins behind what was asked for, with nothing.
	assert_true(take(cache, copy_answer(500, 500, "", 900), &shift));
	copy_expect_rows(cache, "x|y");
	assert_true(bh_linecache_is_complete(cache));
	bh_linecache_free(cache);
	// Ids below those that there were: another server answers.
	cache = bh_linecache_new();
	assert_true(take(cache, copy_first_answer(0, 100, "x", 80, "y"), &shift));
	assert_false(take(cache, copy_answer(0, 99, "w", 100), &shift));
	copy_expect_rows(cache, "x|y");
	assert_true(bh_linecache_is_complete(cache));
	bh_linecache_free(cache);
	// An answer that is none changes nothing and is not asked for again.
	cache = copy_cache("a", "b", 80);
	assert_false(take(cache, cJSON_CreateObject(), &shift));
	copy_expect_rows(cache, "a|b");
	bh_linecache_free(cache);
}

static void looks_are_kept_apart_from_text(void **state)
{
	struct bh_linecache *cache =
		copy_cache("\033[0;31mred\033[0m and plain|plain", "\033[0;1m\u6f22", 80);

	(void)state;
	copy_expect_rows(cache, "red and plain|plain|\u6f22");
	assert_int_equal(bh_linecache_ansi(cache, -2).len, 24);
	assert_memory_equal(bh_linecache_ansi(cache, -2).data, "\033[0;31mred\033[0m and", 18);
	assert_memory_equal(bh_linecache_ansi(cache, -1).data, "plain", 5);
	assert_int_equal(bh_linecache_ansi(cache, 0).len, 9);
	assert_int_equal(bh_linecache_ansi(cache, 1).len, 0);
	bh_linecache_free(cache);
}

static void a_row_too_wide_becomes_several(void **state)
{
	struct bh_linecache *cache =
		copy_cache("\033[0;31mabcdefghij\033[0m|xy", "ab\u6f22\u5b57\\|c", 4);

	(void)state;
	// A wide character that does not fit goes to the next row, the colour goes on there.
	copy_expect_rows(cache, "abcd\\|efgh\\|ij|xy|ab\u6f22\\|\u5b57\\|c");
	assert_memory_equal(bh_linecache_ansi(cache, -3).data, "\033[0;31mefgh", 11);
	assert_int_equal(bh_linecache_first(cache), -4);
	assert_int_equal(bh_linecache_end(cache), 3);
	bh_linecache_free(cache);
}

static void lines_are_wrapped_anew(void **state)
{
	struct bh_linecache *cache = copy_cache("abcdef\\|gh|ij \\|kl|mn\\", "s", 4);

	(void)state;
	// The last goes on in the screen, whose rows stay as they are.
	copy_expect_rows(cache, "abcd\\|efgh|ij k\\|l|mn\\|s");
	bh_linecache_free(cache);
	cache = copy_cache("\033[0;31mab\033[0m\\|c\033[0;1md\033[0m", "s", 3);
	copy_expect_rows(cache, "abc\\|d|s");
	assert_memory_equal(bh_linecache_ansi(cache, -1).data, "\033[0;1md", 7);
	bh_linecache_free(cache);
}

static void a_line_without_end_is_wrapped_in_parts(void **state)
{
	struct bh_linecache *cache = bh_linecache_new();
	struct bh_buf rows = {0};
	int shift = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		bh_buf_puts(&rows, "0123456789abcdefghij\\|");
	}
	bh_buf_puts(&rows, "end");
	assert_true(take(cache, copy_first_answer(0, 0, rows.data, 20, "s"), &shift));
	assert_int_equal(bh_linecache_all(cache).len, 20 * 1000 + 6);
	assert_int_equal(bh_linecache_first(cache), -1001);
	assert_true(bh_linecache_is_wrapped(cache, -500));
	bh_buf_clear(&rows);
	bh_linecache_free(cache);
}

static void a_mark_is_found_in_another_width(void **state)
{
	struct bh_linecache *cache = copy_cache("ab|abcdefgh\\|ij", "s|t", 8);
	struct bh_linecache_place place = {-1, 1};
	struct bh_linecache_mark mark = bh_linecache_mark(cache, place);
	struct bh_linecache_mark screen_mark;

	(void)state;
	assert_int_equal(mark.line, 1);
	assert_int_equal(mark.offset, 9);
	place.row = 1;
	screen_mark = bh_linecache_mark(cache, place);
	bh_linecache_free(cache);
	cache = copy_cache("ab|abcdefgh\\|ij", "s|t", 4);
	assert_true(bh_linecache_find(cache, mark, &place));
	assert_int_equal(place.row, -1);
	assert_int_equal(place.col, 1);
	assert_true(bh_linecache_find(cache, screen_mark, &place));
	assert_int_equal(place.row, 1);
	mark.line = -1;
	assert_false(bh_linecache_find(cache, mark, &place));
	bh_linecache_free(cache);
}

static void cells_are_columns(void **state)
{
	struct bh_linecache *cache = copy_cache("", "a\u6f22e\u0301z", 80);
	struct bh_linecache_line line;

	(void)state;
	bh_linecache_read(cache, 0, &line);
	assert_int_equal(line.cols, 5);
	assert_int_equal(line.codes[1], 0x6f22);
	assert_int_equal(line.codes[2], 0);
	assert_int_equal(line.codes[3], 'e');
	assert_int_equal(line.codes[4], 'z');
	assert_int_equal(line.offsets[2], 1);
	assert_int_equal(line.offsets[3], 4);
	assert_int_equal(line.offsets[4], 7);
	assert_int_equal(line.offsets[5], 8);
	bh_linecache_read(cache, 7, &line);
	assert_int_equal(line.cols, 0);
	bh_linecache_free(cache);
}

static void places_are_found_in_all_text(void **state)
{
	struct bh_linecache *cache = copy_cache("one|two\\|o", "six", 3);
	struct bh_span all = bh_linecache_all(cache);
	struct bh_linecache_place place;

	(void)state;
	assert_int_equal(all.len, 13);
	assert_memory_equal(all.data, "one\ntwoo\nsix\n", 13);
	place = bh_linecache_place_at(cache, 7);
	assert_int_equal(place.row, -1);
	assert_int_equal(place.col, 0);
	place = bh_linecache_place_at(cache, 10);
	assert_int_equal(place.row, 0);
	assert_int_equal(place.col, 1);
	assert_int_equal(bh_linecache_offset(cache, -1), 7);
	assert_int_equal(bh_linecache_offset(cache, 0), 9);
	assert_int_equal(bh_linecache_offset(cache, 1), 13);
	assert_int_equal(bh_linecache_offset(cache, -9), 0);
	bh_linecache_free(cache);
}

static struct bh_linecache *cache_of_screen(const char *bytes)
{
	struct bh_screen_settings settings = {.cols = 10, .rows = 4};
	struct bh_screen *screen = bh_screen_new(&settings);
	struct bh_linecache *cache = bh_linecache_new();

	bh_screen_feed(screen, bytes, strlen(bytes), 1);
	bh_linecache_take_screen(cache, screen);
	bh_screen_free(screen);
	return cache;
}

static void a_screen_is_there_at_once(void **state)
{
	struct bh_linecache *cache = cache_of_screen("0123456789ab\r\n\r\n\033[31mx");

	(void)state;
	copy_expect_rows(cache, "0123456789\\|ab||x");
	assert_int_equal(bh_linecache_first(cache), 0);
	assert_false(bh_linecache_is_started(cache));
	bh_linecache_free(cache);
}

static void output_before_the_answer_is_seen_as_a_shift(void **state)
{
	static const struct {
		const char *screen;
		int shift;
	} rows[] = {
		{"a|b|c|d", 0},
		// The last row was still being written.
		{"a|b|c|dd", 0},
		{"c|dd|e|f", 2},
		{"b|c|d|e", 1},
		// Drawn anew: nothing was scrolled.
		{"w|x|y|z", 0},
		{"a|x|y|z", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bh_linecache *cache = cache_of_screen("a\r\nb\r\nc\r\nd");
		int shift = -1;

		assert_true(take(cache, copy_first_answer(0, 0, "", 10, rows[i].screen), &shift));
		// One row in common proves nothing: with a shift of two only c is compared.
		assert_int_equal(shift, rows[i].shift == 2 ? 0 : rows[i].shift);
		copy_expect_rows(cache, rows[i].screen);
		bh_linecache_free(cache);
	}
}

static void a_restart_keeps_the_rows_until_the_answer(void **state)
{
	struct bh_linecache *cache = copy_cache("a|b", "c", 80);
	int shift = 0;
	cJSON *want = NULL;

	(void)state;
	bh_linecache_restart(cache);
	copy_expect_rows(cache, "a|b|c");
	want = bh_linecache_want(cache, "t");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(want, "screen")));
	cJSON_Delete(want);
	assert_true(take(cache, copy_first_answer(0, 0, "a|b|c", 80, "d"), &shift));
	copy_expect_rows(cache, "a|b|c|d");
	bh_linecache_free(cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(history_grows_upwards),
		cmocka_unit_test(rows_that_are_gone_end_it),
		cmocka_unit_test(looks_are_kept_apart_from_text),
		cmocka_unit_test(a_row_too_wide_becomes_several),
		cmocka_unit_test(lines_are_wrapped_anew),
		cmocka_unit_test(a_line_without_end_is_wrapped_in_parts),
		cmocka_unit_test(a_mark_is_found_in_another_width),
		cmocka_unit_test(cells_are_columns),
		cmocka_unit_test(places_are_found_in_all_text),
		cmocka_unit_test(a_screen_is_there_at_once),
		cmocka_unit_test(output_before_the_answer_is_seen_as_a_shift),
		cmocka_unit_test(a_restart_keeps_the_rows_until_the_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
