// Copy mode as a layer: keys and mouse in; requests, copied text and pictures out.
#include "src/ui/copymode.h"

#include "src/base/mem.h"
#include "src/ui/keytable.h"
#include "tests/unit/copy_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	COLS = 30,
	ROWS = 6
};

/** A host that writes down what it is asked for. */
struct world {
	struct bh_layer_host host;
	struct bh_layer *layer;
	/** The parameters of the request that has no answer yet. */
	cJSON *asked;
	int asked_count;
	char said[256];
	struct bh_buf yanked;
	bool is_closed;
};

static bool host_request(void *user, const char *method, cJSON *params)
{
	struct world *world = user;

	assert_string_equal(method, "terminal.history");
	cJSON_Delete(world->asked);
	world->asked = params;
	world->asked_count++;
	return true;
}

static void host_say(void *user, const char *text)
{
	struct world *world = user;

	(void)snprintf(world->said, sizeof(world->said), "%s", text);
}

static void host_yank(void *user, struct bh_span text)
{
	struct world *world = user;

	bh_buf_clear(&world->yanked);
	bh_buf_append(&world->yanked, text.data, text.len);
}

static void host_redraw(void *user)
{
	(void)user;
}

static void host_close(void *user)
{
	struct world *world = user;

	world->is_closed = true;
}

static struct bh_screen *screen_of(int cols, const char *bytes)
{
	struct bh_screen_settings settings = {.cols = cols, .rows = ROWS};
	struct bh_screen *screen = bh_screen_new(&settings);

	bh_screen_feed(screen, bytes, strlen(bytes), 1);
	return screen;
}

static const char screen_bytes[] = "alpha beta\r\ngamma delta\r\n\r\nlast (one) here\r\n$ ";
static const char screen_rows[] = "alpha beta|gamma delta||last (one) here|$ |";

static void world_open(struct world *world, bool is_emacs)
{
	struct bh_copymode_settings settings = {.is_emacs = is_emacs};
	struct bh_screen *screen = screen_of(COLS, screen_bytes);

	*world = (struct world){0};
	world->host = (struct bh_layer_host){.user = world,
	                                     .request = host_request,
	                                     .say = host_say,
	                                     .yank = host_yank,
	                                     .redraw = host_redraw,
	                                     .close = host_close};
	world->layer = bh_copymode_new(&world->host, "t", screen, &settings);
	bh_screen_free(screen);
}

static void world_close(struct world *world)
{
	world->layer->ops->free(world->layer);
	cJSON_Delete(world->asked);
	bh_buf_clear(&world->yanked);
}

/** Answer what was asked; the answer is taken. */
static void answer(struct world *world, cJSON *result)
{
	cJSON *asked = world->asked;

	assert_non_null(asked);
	world->asked = NULL;
	world->layer->ops->result(world->layer, "terminal.history", asked, result, NULL);
	cJSON_Delete(asked);
	cJSON_Delete(result);
}

/** All of the history, of eight rows with the ids 0 to 7. */
static void answer_all(struct world *world)
{
	cJSON *result = copy_first_answer(
		0, 0, "h0|h1|h2 alpha|h3|h4|h5|h6 ........................ li\\|ne h7", COLS,
		screen_rows);

	// The helper does not count the blank row at the end.
	cJSON_ReplaceItemInObject(cJSON_GetObjectItem(result, "screen"), "count",
	                          cJSON_CreateNumber(ROWS));
	answer(world, result);
}

static void key(struct world *world, uint32_t code)
{
	struct bh_layer_key pressed = {.key = code};

	world->layer->ops->key(world->layer, &pressed);
}

static void control(struct world *world, uint32_t code)
{
	struct bh_layer_key pressed = {.key = code, .is_control = true};

	world->layer->ops->key(world->layer, &pressed);
}

static void keys(struct world *world, const char *text)
{
	for (; *text != '\0'; text++) {
		key(world, (uint32_t)(unsigned char)*text);
	}
}

static void mouse(struct world *world, enum bh_layer_mouse_kind kind, int row, int col, int clicks)
{
	struct bh_layer_mouse report = {
		.kind = kind, .row = row, .col = col, .clicks = clicks, .now_ms = 1000};

	world->layer->ops->mouse(world->layer, &report, (struct bh_draw_rect){0, 0, ROWS, COLS});
}

/** Fail unless it shows these rows, parted by '|', and has the cursor there. */
static void expect_view(struct world *world, const char *wanted, int row, int col)
{
	struct bh_draw_settings draw_settings = {.cols = COLS, .rows = ROWS};
	struct bh_draw *draw = bh_draw_new(&draw_settings);
	struct bh_screen *outer = screen_of(COLS, "");
	struct bh_scene scene = {0};
	struct bh_buf out = {0};
	struct bh_buf text = {0};

	world->layer->ops->draw(world->layer, draw, &scene,
	                        (struct bh_draw_rect){0, 0, ROWS, COLS});
	bh_draw_flush(draw, &out);
	bh_screen_feed(outer, out.data, out.len, 1);
	for (int i = 0; i < ROWS; i++) {
		char line[COLS * BH_CELL_TEXT];

		(void)bh_screen_row_text(outer, i, line, sizeof(line));
		bh_buf_printf(&text, "%s%s", i > 0 ? "|" : "", line);
	}
	assert_string_equal(text.data, wanted);
	assert_int_equal(bh_screen_cursor(outer).row, row);
	assert_int_equal(bh_screen_cursor(outer).col, col);
	bh_buf_clear(&out);
	bh_buf_clear(&text);
	bh_screen_free(outer);
	bh_draw_free(draw);
}

static void expect_yank(const struct world *world, const char *text)
{
	assert_string_equal(world->yanked.data == NULL ? "" : world->yanked.data, text);
}

static void it_shows_the_screen_before_any_answer(void **state)
{
	struct world world;

	(void)state;
	world_open(&world, false);
	assert_string_equal(world.layer->terminal_id, "t");
	assert_int_equal(world.asked_count, 1);
	expect_view(&world, "alpha beta               [0/0]|gamma delta||last (one) here|$|", 4, 0);
	answer_all(&world);
	expect_view(&world, "alpha beta               [0/8]|gamma delta||last (one) here|$|", 4, 0);
	// All is there, so nothing more is asked for.
	assert_int_equal(world.asked_count, 1);
	key(&world, 'q');
	assert_true(world.is_closed);
	world_close(&world);
}

static void keys_before_the_answer_are_not_lost(void **state)
{
	struct world world;

	(void)state;
	world_open(&world, false);
	key(&world, BH_KEY_PAGE_UP);
	answer_all(&world);
	expect_view(
		&world,
		"h4                       [4/8]|h5|h6 ........................ li|ne h7|alpha beta|gamma delta",
		4, 0);
	world_close(&world);
	world_open(&world, false);
	keys(&world, "/h2\r");
	answer_all(&world);
	expect_view(&world, "h0                       [8/8]|h1|h2 alpha|h3|h4|h5", 2, 0);
	world_close(&world);
}

static void vi_marks_and_copies(void **state)
{
	static const struct {
		const char *keys;
		const char *text;
	} rows[] = {
		{"4kwvey", "beta"},
		{"4k0v$hy", "alpha bet"},
		{"3kVky", "alpha beta\ngamma delta\n"},
		{"3kVy", "gamma delta\n"},
		{"4k0 fay", "alpha"},
		{"4k0 fa;y", "alpha beta"},
		{"4kwvbvvey", "alpha"},
		{"4kwD", "beta"},
		{"5kvky", "h6 ........................ lin"},
		{"k0f(%", ""},
		{"k0f(v%y", "(one)"},
		{"2k0/one\rvey", "one"},
		{"?ne h\rvly", "ne"},
		{"gjj$*vey", "alpha"},
		{"g0vGov\r", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct world world;

		world_open(&world, false);
		answer_all(&world);
		keys(&world, rows[i].keys);
		expect_yank(&world, rows[i].text);
		assert_int_equal(world.is_closed,
		                 strchr("yD\r", rows[i].keys[strlen(rows[i].keys) - 1]) != NULL);
		world_close(&world);
	}
}

static void a_rectangle_is_copied(void **state)
{
	struct world world;

	(void)state;
	world_open(&world, false);
	answer_all(&world);
	keys(&world, "4k02l");
	control(&world, 'v');
	keys(&world, "jlly");
	expect_yank(&world, "pha\nmma");
	assert_string_equal(world.said, "copied 2 lines");
	world_close(&world);
}

static void what_was_copied_is_told_in_words(void **state)
{
	static const struct {
		const char *keys;
		const char *words;
	} rows[] = {
		{"4k0Vy", "copied 1 line"},
		{"4k0Vjy", "copied 2 lines"},
		{"4k0vy", "copied 1 character"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct world world;

		world_open(&world, false);
		answer_all(&world);
		keys(&world, rows[i].keys);
		assert_string_equal(world.said, rows[i].words);
		world_close(&world);
	}
}

static void emacs_marks_and_copies(void **state)
{
	struct world world;
	struct bh_layer_key meta_w = {.key = 'w', .is_alt = true};
	struct bh_layer_key meta_f = {.key = 'f', .is_alt = true};

	(void)state;
	world_open(&world, true);
	answer_all(&world);
	control(&world, 'r');
	keys(&world, "alpha");
	// Once more: the one above it.
	control(&world, 'r');
	key(&world, '\r');
	expect_view(&world, "h0                       [8/8]|h1|h2 alpha|h3|h4|h5", 2, 3);
	control(&world, ' ');
	world.layer->ops->key(world.layer, &meta_f);
	world.layer->ops->key(world.layer, &meta_w);
	expect_yank(&world, "alpha");
	assert_string_equal(world.said, "copied 5 characters");
	assert_true(world.is_closed);
	world_close(&world);
}

static void the_search_can_be_given_up(void **state)
{
	struct world world;

	(void)state;
	world_open(&world, false);
	answer_all(&world);
	keys(&world, "?h3");
	expect_view(&world, "h0                       [8/8]|h1|h2 alpha|h3|h4|?h3", 5, 3);
	key(&world, 0x1b);
	expect_view(&world,
	            "ne h7                    [1/8]|alpha beta|gamma delta||last (one) here|$", 5,
	            0);
	assert_false(world.is_closed);
	keys(&world, "/nowhere\r");
	assert_string_equal(world.said, "not found: nowhere");
	// What is taken back may be found again.
	keys(&world, "/nowx\x7f\x7f\x7f");
	expect_view(&world,
	            "ne h7                    [1/8]|alpha beta|gamma delta||last (one) here|/n", 5,
	            2);
	key(&world, 0x1b);
	keys(&world, ":3\r");
	expect_view(
		&world,
		"h5                       [3/8]|h6 ........................ li|ne h7|alpha beta|gamma delta|",
		5, 0);
	// Escape unmarks first, then leaves.
	keys(&world, "v\033");
	assert_false(world.is_closed);
	key(&world, 0x1b);
	assert_true(world.is_closed);
	world_close(&world);
}

static void output_does_not_move_what_is_read(void **state)
{
	struct world world;
	struct bh_screen *screen = screen_of(COLS, "other\r\nthings");

	(void)state;
	world_open(&world, false);
	answer_all(&world);
	keys(&world, "g");
	world.layer->ops->screen(world.layer, screen);
	expect_view(&world, "h0                       [8/8]|h1|h2 alpha|h3|h4|h5", 0, 0);
	assert_int_equal(world.asked_count, 1);
	// The newest is there when it is asked for.
	key(&world, 'r');
	assert_int_equal(world.asked_count, 2);
	answer(&world, copy_first_answer(0, 8, "x|y|z", COLS, "other|things||||."));
	expect_view(&world, "other                   [0/11]|things||||.", 5, 0);
	bh_screen_free(screen);
	world_close(&world);
}

static void another_size_keeps_the_place(void **state)
{
	struct world world;
	struct bh_screen *screen = screen_of(COLS + 10, screen_bytes);
	cJSON *late = NULL;

	(void)state;
	world_open(&world, false);
	answer(&world, copy_first_answer(0, 5, "h5|h6|h7|h8|h9|h10|h11", COLS, "a|b|c|d|e|f"));
	keys(&world, "7k");
	expect_view(&world, "h9                      [3/12]|h10|h11|a|b|c", 0, 0);
	// The rest of the history is still to come when the size changes.
	late = world.asked;
	world.asked = NULL;
	assert_non_null(late);
	world.layer->ops->screen(world.layer, screen);
	world.layer->ops->result(world.layer, "terminal.history", late, NULL, "late");
	assert_string_equal(world.said, "");
	answer(&world,
	       copy_first_answer(0, 5, "h5|h6|h7|h8|h9|h10|h11|a|b", COLS + 10, "c|d|e|f|g|h"));
	expect_view(&world, "h9                      [5/14]|h10|h11|a|b|c", 0, 0);
	cJSON_Delete(late);
	bh_screen_free(screen);
	world_close(&world);
}

static void a_refusal_is_told(void **state)
{
	struct world world;
	cJSON *asked = NULL;

	(void)state;
	world_open(&world, false);
	asked = world.asked;
	world.asked = NULL;
	world.layer->ops->result(world.layer, "terminal.history", asked, NULL, "it is gone");
	assert_string_equal(world.said, "it is gone");
	expect_view(&world, "alpha beta               [0/0]|gamma delta||last (one) here|$|", 4, 0);
	cJSON_Delete(asked);
	world_close(&world);
}

static void the_wheel_passes_through(void **state)
{
	struct world world;

	(void)state;
	world_open(&world, false);
	mouse(&world, BH_MOUSE_WHEEL_UP, 2, 2, 0);
	mouse(&world, BH_MOUSE_WHEEL_UP, 2, 2, 0);
	answer_all(&world);
	expect_view(&world,
	            "h2 alpha                 [6/8]|h3|h4|h5|h6 ........................ li|ne h7",
	            5, 0);
	mouse(&world, BH_MOUSE_WHEEL_DOWN, 2, 2, 0);
	assert_false(world.is_closed);
	mouse(&world, BH_MOUSE_WHEEL_DOWN, 2, 2, 0);
	assert_true(world.is_closed);
	world_close(&world);
	// Opened by a key it stays.
	world_open(&world, false);
	answer_all(&world);
	key(&world, 'k');
	mouse(&world, BH_MOUSE_WHEEL_DOWN, 2, 2, 0);
	assert_false(world.is_closed);
	world_close(&world);
}

static void the_mouse_marks_and_copies(void **state)
{
	struct world world;

	(void)state;
	world_open(&world, false);
	answer_all(&world);
	mouse(&world, BH_MOUSE_PRESS, 0, 6, 1);
	mouse(&world, BH_MOUSE_DRAG, 1, 2, 1);
	expect_yank(&world, "");
	mouse(&world, BH_MOUSE_RELEASE, 1, 2, 1);
	expect_yank(&world, "beta\ngam");
	assert_true(world.is_closed);
	world.is_closed = false;
	mouse(&world, BH_MOUSE_PRESS, 3, 7, 2);
	mouse(&world, BH_MOUSE_RELEASE, 3, 7, 2);
	expect_yank(&world, "one");
	mouse(&world, BH_MOUSE_PRESS, 1, 2, 3);
	mouse(&world, BH_MOUSE_RELEASE, 1, 2, 3);
	expect_yank(&world, "gamma delta\n");
	mouse(&world, BH_MOUSE_PRESS, 3, 0, 2);
	mouse(&world, BH_MOUSE_DRAG, 3, 7, 2);
	mouse(&world, BH_MOUSE_RELEASE, 3, 7, 2);
	expect_yank(&world, "last (one");
	// In the history it stays where it is.
	world.is_closed = false;
	mouse(&world, BH_MOUSE_WHEEL_UP, 0, 0, 0);
	mouse(&world, BH_MOUSE_PRESS, 0, 1, 2);
	mouse(&world, BH_MOUSE_RELEASE, 0, 1, 2);
	expect_yank(&world, "h5");
	assert_false(world.is_closed);
	world_close(&world);
}

static void a_drag_beyond_the_edge_goes_on(void **state)
{
	struct world world;
	const struct bh_layer_ops *ops = NULL;

	(void)state;
	world_open(&world, false);
	answer_all(&world);
	ops = world.layer->ops;
	assert_int_equal(ops->due_ms(world.layer), 0);
	mouse(&world, BH_MOUSE_PRESS, 0, 4, 1);
	mouse(&world, BH_MOUSE_DRAG, -1, 0, 1);
	assert_int_equal(ops->due_ms(world.layer), 1040);
	ops->tick(world.layer, 1040);
	ops->tick(world.layer, 1080);
	assert_int_equal(ops->due_ms(world.layer), 1120);
	expect_view(&world,
	            "h6 ......................[2/8]|ne h7|alpha beta|gamma delta||last (one) here",
	            0, 0);
	mouse(&world, BH_MOUSE_RELEASE, -1, 0, 1);
	expect_yank(&world, "h6 ........................ line h7\nalpha");
	assert_int_equal(ops->due_ms(world.layer), 0);
	world_close(&world);
}

/** An answer to whatever was asked, of a history of 40 rows of all kinds. */
static cJSON *random_answer(const struct world *world, int cols)
{
	static const char *const rows[] = {
		"",
		"one two",
		"\u6f22\u5b57\u6f22\u5b57",
		"\033[0;31mred\033[0m (x [y])",
		"tail\\",
		"e\u0301e\u0301 \U0001F642",
		"a line that is rather longer than others",
	};
	const cJSON *before = cJSON_GetObjectItem(world->asked, "before");
	int64_t to = cJSON_IsNumber(before) ? (int64_t)before->valuedouble : 40;
	int64_t first = to > 10 ? to - 10 : 0;
	struct bh_buf text = {0};
	cJSON *answer = NULL;

	for (int64_t id = first; id < to; id++) {
		bh_buf_printf(&text, "%s%s", id > first ? "|" : "", rows[id % 7]);
	}
	// The helper takes "" for no row at all, not for a blank one.
	bh_buf_puts(&text, (to - 1) % 7 == 0 ? " " : "");
	answer = cJSON_IsNumber(before)
	                 ? copy_answer(0, first, text.data, 40)
	                 : copy_first_answer(0, first, text.data, cols, "ab|\u6f22|c d|||.");
	bh_buf_clear(&text);
	return answer;
}

static unsigned random_next(unsigned *seed)
{
	*seed = *seed * 1664525U + 1013904223U;
	return *seed >> 8;
}

/** Fail unless the cursor is inside of the place that it draws to. */
static void expect_sane(struct world *world, struct bh_draw_rect rect)
{
	struct bh_draw_settings draw_settings = {.cols = 60, .rows = 20};
	struct bh_draw *draw = bh_draw_new(&draw_settings);
	struct bh_screen_settings settings = {.cols = 60, .rows = 20};
	struct bh_screen *outer = bh_screen_new(&settings);
	struct bh_scene scene = {0};
	struct bh_buf out = {0};

	world->layer->ops->draw(world->layer, draw, &scene, rect);
	bh_draw_flush(draw, &out);
	bh_screen_feed(outer, out.data, out.len, 1);
	struct bh_cursor cursor = bh_screen_cursor(outer);

	assert_true(cursor.is_visible);
	assert_in_range(cursor.row, rect.row, rect.row + rect.rows - 1);
	assert_in_range(cursor.col, rect.col, rect.col + rect.cols - 1);
	bh_buf_clear(&out);
	bh_screen_free(outer);
	bh_draw_free(draw);
}

static void anything_may_be_pressed(void **state)
{
	static const char pressed[] =
		"hjklwebWEB{}%HMLgGz:fFtT;,/?nN*#vV oyDrq0^$123\033\r\x7fxab(";
	unsigned seed = 1;

	(void)state;
	for (int round = 0; round < 20; round++) {
		struct world world;
		struct bh_draw_rect rect = {1, 2, ROWS, COLS};
		int cols = COLS;

		world_open(&world, round % 4 == 3);
		for (int step = 0; step < 300; step++) {
			unsigned what = random_next(&seed) % 100;
			struct bh_layer_key press = {
				.key = (unsigned char)
					pressed[random_next(&seed) % (sizeof(pressed) - 1)],
				.is_control = random_next(&seed) % 8 == 0,
				.is_alt = random_next(&seed) % (round % 4 == 3 ? 3 : 20) == 0};
			struct bh_layer_mouse report = {
				.kind = (enum bh_layer_mouse_kind)(random_next(&seed) % 6),
				.row = (int)(random_next(&seed) % 12) - 2,
				.col = (int)(random_next(&seed) % 40),
				.clicks = (int)(random_next(&seed) % 3) + 1,
				.now_ms = 1000};

			if (what < 15 && world.asked != NULL) {
				answer(&world, random_answer(&world, cols));
			} else if (what < 17) {
				struct bh_screen *screen = NULL;

				cols = 2 + (int)(random_next(&seed) % 50);
				screen = screen_of(cols, screen_bytes);
				world.layer->ops->screen(world.layer, screen);
				bh_screen_free(screen);
			} else if (what < 19) {
				rect.rows = 1 + (int)(random_next(&seed) % 15);
				rect.cols = 1 + (int)(random_next(&seed) % 50);
			} else if (what < 35) {
				world.layer->ops->mouse(world.layer, &report, rect);
			} else if (what < 37 && world.layer->ops->due_ms(world.layer) != 0) {
				world.layer->ops->tick(world.layer, 2000);
			} else {
				world.layer->ops->key(world.layer, &press);
			}
			expect_sane(&world, rect);
		}
		world_close(&world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_shows_the_screen_before_any_answer),
		cmocka_unit_test(keys_before_the_answer_are_not_lost),
		cmocka_unit_test(vi_marks_and_copies),
		cmocka_unit_test(a_rectangle_is_copied),
		cmocka_unit_test(what_was_copied_is_told_in_words),
		cmocka_unit_test(emacs_marks_and_copies),
		cmocka_unit_test(the_search_can_be_given_up),
		cmocka_unit_test(output_does_not_move_what_is_read),
		cmocka_unit_test(another_size_keeps_the_place),
		cmocka_unit_test(a_refusal_is_told),
		cmocka_unit_test(the_wheel_passes_through),
		cmocka_unit_test(the_mouse_marks_and_copies),
		cmocka_unit_test(anything_may_be_pressed),
		cmocka_unit_test(a_drag_beyond_the_edge_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
