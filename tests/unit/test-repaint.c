#include "src/agent/cast.h"
#include "src/base/err.h"
#include "tests/unit/screen_help.h"

#include <dirent.h>
#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** Streams that stress what printing alone can make; each is cut at every byte. */
static const char *const streams[] = {
	"plain text\r\nand more\r\n",
	"0123456789012345678901234567890123456789",
	"\x1B[1;31mred\x1B[0;4:3;58:2::1:2:3;48;5;99m under\x1B[m\x1B[41m\x1B[K\x1B[2J",
	"\x1B[2;4r\x1B[?69h\x1B[3;9s\x1B[?6h\x1B[99;99Hxyz\x1B"
	"7\x1B[?6l\x1B[?69l\x1B[r\x1B"
	"8w",
	"\x1B[1;20Hx\x1B"
	"7\x1B[H\x1B[2J\x1B"
	"8yz",
	"\x1B[5;20Hlast\x1B[20;1H\n\n\nabc\x1B[5;1H01234567890123456789x",
	"\u6F22\u5B57\u6F22\u5B57\u6F22\u5B57\u6F22\u5B57\u6F22\u5B57\u6F22\u5B57\x1B[3G\x1B[X\x1B[P\x1B[@a\x1B[1;20H\u6F22",
	"e\u0301o\u0301\x1B[?2027h\U0001F468\u200D\U0001F469\u2764\uFE0F\U0001F1E9\U0001F1EA\U0001F1E9\x1B[1m\U0001F1EA\x1B[?2027l\u0301",
	"\x1B[?2027h0123456789012345678\u2764\uFE0F\x1B[?7l\u2764\uFE0Fx\u0301",
	"main\x1B(0lqk\x1B"
	"7\x1B[?1049halt\x1B[>5u\x1B[3;3H\x1B"
	"7\x1B[2;3Hx\x1B[?1049lback\x1B[?1047h\x1B[?1047l",
	"\x1B]0;title\x07\x1B[22;0t\x1B]2;other\x1B\\\x1B[23;0t\x1B]7;file:///x\x07\x1B]4;1;#123456;2;rgb:1/2/3\x07\x1B]11;#fff\x07",
	"\x1B]8;id=a;http://x\x07link\x1B]8;;http://y\x1B\\two\x1B]8;;\x07\x1BPq junk\x1B\\\x1B_junk\x1B\\",
	"\x1B[3g\x1B[5G\x1BH\x1B[9G\x1BH\r\tx\ty\x1B*0\x1BNq\x1B)A\x0E#\x0F\x1Bn\x1Bo",
	"\x1B[?1;5;12;25l\x1B[?66;67;1003;1006;1007;1004;2004;2031;2026h\x1B[3 q\x1B[4h\x1B[20h\x1B[>4;2m\x1B[=3;1u\x1B[>9u",
	"\x1B]7501;state=blocked:app=a:kind=k:msg=aGVsbG8=\x07\x1B]7501;state=working:id=1:title=dA==\x07\x1B]9;4;2;33\x07\x1B]133;D;2\x07",
	"\x1B[1\"qprotected\x1B[0\"q plain\x1B[?2K\x1B#8\x1B[2;3H\x1B[J\x1BM\x1BM\x1BM\x1B[2L\x1B[S\x1B[T",
	"\xF0\x9F\x91\x80\xE2\x82\xC3\xC2\x9B\xFF\x1B[1;2;3\n4m\x1B[?\x18\x1B]0;x\x18\x1B[1<m\x1B[<<",
};

static void hand_made_streams_at_every_cut(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
		struct bh_screen *s = screen_with(20, 5, "");
		struct bh_screen *twin = screen_with(20, 5, "");

		for (size_t at = 0; streams[i][at] != '\0'; at++) {
			bh_screen_feed(s, streams[i] + at, 1, 0);
			// The twin of the last cut must have stayed equal over this byte.
			bh_screen_feed(twin, streams[i] + at, 1, 0);
			const char *why = "";

			if (!bh_screen_equal(s, twin, &why)) {
				print_error("stream %zu, byte %zu: %s\n", i, at, why);
				fail();
			}
			bh_screen_free(twin);
			twin = screen_expect_repaint(s, streams[i]);
		}
		bh_screen_free(twin);
		bh_screen_free(s);
	}
}

static void streams_in_every_order(void **state)
{
	size_t count = sizeof(streams) / sizeof(streams[0]);

	(void)state;
	for (size_t i = 0; i < count * count; i++) {
		struct bh_screen *s = screen_with(13, 4, streams[i / count]);

		bh_screen_free(screen_expect_repaint(s, streams[i / count]));
		bh_screen_resize(s, 5 + (int)(i % 17), 2 + (int)(i % 5));
		bh_screen_free(screen_expect_repaint(s, "resized"));
		screen_feed(s, streams[i % count]);
		bh_screen_free(screen_expect_repaint(s, streams[i % count]));
		bh_screen_free(s);
	}
}

/** Feed one event of a recording in odd pieces, with a repaint after each. */
static void play_output(struct bh_screen *s, const struct bh_cast_event *event, uint32_t *random,
                        const char *path)
{
	for (size_t at = 0; at < event->len;) {
		*random = *random * 1664525U + 1013904223U;
		size_t step = 1 + (*random >> 8) % 150;

		step = step < event->len - at ? step : event->len - at;
		bh_screen_feed(s, event->data + at, step, event->at_ms);
		at += step;
		bh_screen_free(screen_expect_repaint(s, path));
		if ((*random >> 20) % 64 == 0) {
			bh_screen_resize(s, 20 + (int)(*random >> 4) % 120,
			                 5 + (int)(*random >> 12) % 40);
			bh_screen_free(screen_expect_repaint(s, path));
		}
	}
}

static void play(const char *path)
{
	struct bh_err err;
	FILE *file = fopen(path, "r");
	struct bh_cast *cast = file != NULL ? bh_cast_new(file, path, &err) : NULL;
	struct bh_cast_event event;
	uint32_t random = 7;

	assert_non_null(cast);
	struct bh_screen *s = screen_with(bh_cast_cols(cast), bh_cast_rows(cast), "");

	while (bh_cast_next(cast, &event, &err) == 1) {
		if (event.kind == 'o') {
			play_output(s, &event, &random, path);
		}
	}
	bh_screen_free(s);
	bh_cast_free(cast);
	(void)fclose(file); // read only
}

/** Every recording below tests/casts. */
static void recordings_at_many_cuts_and_sizes(void **state)
{
	const char *top = getenv("BELLHOP_TEST_SRCDIR");
	char folder[4096];
	int played = 0;

	(void)state;
	(void)snprintf(folder, sizeof(folder), "%s/tests/casts", top != NULL ? top : "."); // fits
	DIR *agents = opendir(folder);

	assert_non_null(agents);
	for (struct dirent *agent = readdir(agents); agent != NULL; agent = readdir(agents)) {
		char path[8192];

		(void)snprintf(path, sizeof(path), "%s/%s", folder, agent->d_name); // fits
		DIR *casts = agent->d_name[0] != '.' ? opendir(path) : NULL;

		if (casts == NULL) {
			continue;
		}
		for (struct dirent *cast = readdir(casts); cast != NULL; cast = readdir(casts)) {
			if (strstr(cast->d_name, ".cast") != NULL) {
				char file[12288];

				(void)snprintf(file, sizeof(file), "%s/%s", path,
				               cast->d_name); // fits
				play(file);
				played++;
			}
		}
		(void)closedir(casts); // read only
	}
	(void)closedir(agents); // read only
	assert_true(played >= 10);
}

static void history_can_be_repainted(void **state)
{
	struct bh_screen *s = screen_with(
		10, 3, "one\r\n\x1B[1mtwo\x1B[m\r\na long line of text\r\nx\r\n\r\ny\u6F22\r\nend");
	struct bh_screen *twin = screen_with(10, 3, "");
	char a[64];
	char b[64];
	size_t len;
	char *bytes = bh_screen_repaint_history(s, 1000, &len);

	(void)state;
	bh_screen_feed(twin, bytes, len, 0);
	free(bytes);
	assert_true(bh_screen_equal(s, twin, NULL));
	assert_int_equal(bh_screen_history_count(twin), bh_screen_history_count(s));
	for (uint64_t id = 0; id < bh_screen_history_count(s); id++) {
		(void)bh_screen_history_text(s, id, a, sizeof(a));    // compared as strings
		(void)bh_screen_history_text(twin, id, b, sizeof(b)); // likewise
		assert_string_equal(a, b);
		assert_int_equal(bh_screen_history_is_wrapped(s, id),
		                 bh_screen_history_is_wrapped(twin, id));
	}
	bh_screen_free(twin);
	// Only the newest.
	twin = screen_with(10, 3, "");
	bytes = bh_screen_repaint_history(s, 2, &len);
	bh_screen_feed(twin, bytes, len, 0);
	free(bytes);
	assert_int_equal(bh_screen_history_count(twin), 2);
	assert_true(bh_screen_equal(s, twin, NULL));
	bh_screen_free(twin);
	bh_screen_free(s);
}

/** Fill the screen, each cell with another one of two links of @link_len and in a pen of its own. */
static struct bh_screen *expensive_screen(int cols, int rows, int link_len)
{
	struct bh_screen *s = screen_with(cols, rows, "");
	struct bh_bytes cell = {0};

	for (int i = 0; i < cols * rows; i++) {
		cell.len = 0;
		bh_bytes_printf(&cell, "\x1B]8;;http://%0*d\x07\x1B[1;38;2;%d;200;200mx", link_len,
		                i % 2, 100 + i % 99);
		bh_screen_feed(s, cell.data, cell.len, 0);
	}
	bh_bytes_clear(&cell);
	return s;
}

static void a_repaint_is_bounded_whatever_the_screen_costs(void **state)
{
	static const struct {
		int cols, rows, link_len;
		bool has_pens;
	} sizes[] = {{200, 50, 2000, true}, {1000, 400, 20, false}};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct bh_screen *s =
			expensive_screen(sizes[i].cols, sizes[i].rows, sizes[i].link_len);
		struct bh_screen *twin = screen_with(sizes[i].cols, sizes[i].rows, "");
		size_t len;
		char *bytes = bh_screen_repaint_history(s, 1000, &len);

		assert_in_range(len, 1000, BH_SCREEN_REPAINT_MAX);
		bh_screen_feed(twin, bytes, len, 0);
		free(bytes);
		struct bh_cell cell = bh_screen_cell(twin, sizes[i].rows - 1, 3);

		assert_string_equal(cell.text, "x");
		assert_null(cell.link);
		assert_int_equal(cell.attrs, sizes[i].has_pens ? BH_ATTR_BOLD : 0);
		assert_int_equal(bh_screen_cursor(twin).row, bh_screen_cursor(s).row);
		assert_true(bh_screen_cursor(twin).is_wrap_pending);
		bh_screen_free(twin);
		bh_screen_free(s);
	}
}

static void less_room_leaves_out_history_first(void **state)
{
	struct bh_screen *s = screen_with(20, 4, "");
	size_t whole;
	size_t len;

	(void)state;
	for (int i = 0; i < 50; i++) {
		screen_feed(s, "\x1B[1mbold\x1B[m \x1B]8;;http://x\x07link\x1B]8;;\x07 \u6F22\r\n");
	}
	free(bh_screen_repaint(s, &whole));
	for (size_t max = whole + 1000; max > 0; max -= 10) {
		struct bh_screen *twin = screen_with(20, 4, "");
		char *bytes = bh_screen_repaint_within(s, 40, max, &len);

		bh_screen_feed(twin, bytes, len, 0);
		free(bytes);
		if (max >= whole) {
			assert_true(len <= max);
			assert_true(bh_screen_equal(s, twin, NULL));
		}
		// Without history, links, looks and content: always the cursor.
		assert_int_equal(bh_screen_cursor(twin).row, bh_screen_cursor(s).row);
		bh_screen_free(twin);
		if (max < 10) {
			break;
		}
	}
	bh_screen_free(s);
}

static void no_question_is_repainted(void **state)
{
	struct bh_screen *s =
		screen_with(20, 5, "\x1B[?2004h\x1B[>1u\x1B[c\x1B[6n\x1B]11;?\x07text");
	struct bh_screen *twin = screen_expect_repaint(s, "questions");
	size_t len;

	(void)state;
	(void)bh_screen_replies(twin, &len); // only the length counts
	assert_int_equal(len, 0);
	bh_screen_free(twin);
	bh_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hand_made_streams_at_every_cut),
		cmocka_unit_test(streams_in_every_order),
		cmocka_unit_test(recordings_at_many_cuts_and_sizes),
		cmocka_unit_test(history_can_be_repainted),
		cmocka_unit_test(a_repaint_is_bounded_whatever_the_screen_costs),
		cmocka_unit_test(less_room_leaves_out_history_first),
		cmocka_unit_test(no_question_is_repainted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
