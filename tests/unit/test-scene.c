#include "src/ui/scene.h"

#include "src/base/mem.h"
#include "src/ui/question.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	COLS = 60,
	ROWS = 10
};

/** A session with two panes side by side, what they show, and a terminal to draw it on. */
struct desk {
	struct bh_model_pane panes[2];
	struct bh_model_tab tabs[2];
	struct bh_model_terminal terminals[2];
	struct bh_model model;
	struct bh_screen *screens[2];
	struct bh_question question;
	struct bh_config config;
	struct bh_bindings bindings;
	struct bh_scene scene;
	struct bh_draw *draw;
	struct bh_screen *outer;
};

static const struct bh_screen *screen_of(void *user, const char *terminal_id)
{
	struct desk *desk = user;

	return desk->screens[strcmp(terminal_id, "a") == 0 ? 0 : 1];
}

static int desk_make(void **state)
{
	struct desk *desk = calloc(1, sizeof(*desk));
	struct bh_draw_settings settings = {.cols = COLS, .rows = ROWS, .outer = bh_outer_full};
	struct bh_screen_settings outer = {.cols = COLS, .rows = ROWS};
	struct bh_screen_settings inner = {.cols = 29, .rows = 7};

	desk->panes[0] = (struct bh_model_pane){"a", 1, 0, 7, 29, true, ""};
	desk->panes[1] = (struct bh_model_pane){"b", 1, 30, 7, 30, true, ""};
	desk->tabs[0] = (struct bh_model_tab){.id = 1,
	                                      .index = 1,
	                                      .name = "api",
	                                      .is_active = true,
	                                      .focus = "b",
	                                      .panes = desk->panes,
	                                      .pane_count = 2};
	desk->tabs[1] = (struct bh_model_tab){.id = 2, .index = 2, .name = "docs", .is_last = true};
	desk->terminals[0] = (struct bh_model_terminal){
		.id = "a", .identity = "coder", .profile = "claude", .state = "working"};
	desk->terminals[1] =
		(struct bh_model_terminal){.id = "b", .identity = "sh", .profile = "generic"};
	desk->model = (struct bh_model){.area_cols = COLS,
	                                .area_rows = ROWS - 2,
	                                .tabs = desk->tabs,
	                                .tab_count = 2,
	                                .terminals = desk->terminals,
	                                .terminal_count = 2};
	desk->screens[0] = bh_screen_new(&inner);
	inner.cols = 30;
	desk->screens[1] = bh_screen_new(&inner);
	bh_screen_feed(desk->screens[0], "left pane", 9, 1);
	bh_screen_feed(desk->screens[1], "right\r\n$ ", 9, 1);
	bh_config_init(&desk->config);
	bh_bindings_set(&desk->bindings, &desk->config);
	desk->scene = (struct bh_scene){.bindings = &desk->bindings,
	                                .model = &desk->model,
	                                .place = bh_scene_divide(COLS, ROWS, true, 0),
	                                .session = "work",
	                                .screen_of = screen_of,
	                                .user = desk,
	                                .question = &desk->question,
	                                .message = "",
	                                .now_ms = 1000};
	desk->draw = bh_draw_new(&settings);
	desk->outer = bh_screen_new(&outer);
	*state = desk;
	return 0;
}

static int desk_remove(void **state)
{
	struct desk *desk = *state;

	bh_bindings_clear(&desk->bindings);
	bh_config_clear(&desk->config);
	bh_draw_free(desk->draw);
	bh_screen_free(desk->outer);
	bh_screen_free(desk->screens[0]);
	bh_screen_free(desk->screens[1]);
	free(desk);
	return 0;
}

/** Draw the scene; gives the number of bytes it took. */
static size_t show(struct desk *desk)
{
	struct bh_buf out = {0};
	size_t len = 0;

	bh_scene_draw(desk->draw, &desk->scene);
	bh_draw_flush(desk->draw, &out);
	bh_screen_feed(desk->outer, out.data, out.len, 2);
	len = out.len;
	bh_buf_clear(&out);
	return len;
}

static void expect_row(struct desk *desk, int row, const char *wanted)
{
	char text[COLS * 4 + 1];

	(void)bh_screen_row_text(desk->outer, row, text, sizeof(text));
	assert_string_equal(text, wanted);
}

static void a_place_is_divided(void **state)
{
	struct bh_scene_place place = bh_scene_divide(120, 40, true, 0);

	(void)state;
	assert_int_equal(place.sidebar_cols, 24);
	assert_int_equal(place.area.row, 1);
	assert_int_equal(place.area.col, 24);
	assert_int_equal(place.area.rows, 38);
	assert_int_equal(place.area.cols, 96);
	assert_int_equal(bh_scene_divide(120, 40, false, 0).area.cols, 120);
	assert_int_equal(bh_scene_divide(65, 40, true, 0).sidebar_cols, 22);
	assert_int_equal(bh_scene_divide(300, 40, true, 0).sidebar_cols, 36);
	assert_int_equal(bh_scene_divide(64, 40, true, 0).sidebar_cols, 0);
	assert_int_equal(bh_scene_divide(120, 40, true, 18).sidebar_cols, 18);
	assert_int_equal(bh_scene_divide(120, 40, false, 18).sidebar_cols, 0);
	assert_int_equal(bh_scene_divide(20, 3, true, 0).area.rows, 3);
}

static void tabs_panes_and_status_are_drawn(void **state)
{
	struct desk *desk = *state;

	(void)show(desk);
	expect_row(desk, 0, " 1:api*  2:docs-                             bellhop · work");
	expect_row(desk, 1, "─ coder · working ───────────┲━ sh ━━━━━━━━━━━━━━━━━━━━━━━━━");
	expect_row(desk, 2, "left pane                    ┃right");
	expect_row(desk, 3, "                             ┃$");
	expect_row(desk, 9, " C-b ? help   C-b d detach");
	assert_int_equal(bh_screen_cursor(desk->outer).row, 3);
	assert_int_equal(bh_screen_cursor(desk->outer).col, 32);
	assert_true(bh_screen_cursor(desk->outer).is_visible);
}

static void nothing_is_written_when_nothing_changed(void **state)
{
	struct desk *desk = *state;

	assert_true(show(desk) > 0);
	assert_int_equal(show(desk), 0);
}

static void a_screen_alone_is_drawn_where_it_was(void **state)
{
	struct desk *desk = *state;
	struct bh_buf out = {0};

	(void)show(desk);
	bh_screen_feed(desk->screens[1], "echo", 4, 3);
	bh_screen_feed(desk->screens[0], " unseen", 7, 3);
	bh_scene_draw_screen(desk->draw, &desk->scene, &desk->panes[1]);
	bh_scene_draw_cursor(desk->draw, &desk->scene);
	bh_draw_flush(desk->draw, &out);
	bh_screen_feed(desk->outer, out.data, out.len, 4);
	bh_buf_clear(&out);
	expect_row(desk, 2, "left pane                    ┃right");
	expect_row(desk, 3, "                             ┃$ echo");
	assert_int_equal(bh_screen_cursor(desk->outer).col, 36);
	// It is what the whole would have been.
	bh_scene_draw_screen(desk->draw, &desk->scene, &desk->panes[0]);
	bh_draw_flush(desk->draw, &out);
	bh_buf_clear(&out);
	assert_int_equal(show(desk), 0);
}

static void borders_say_why_mail_waits(void **state)
{
	struct desk *desk = *state;

	desk->terminals[0].queued = 1;
	(void)strcpy(desk->terminals[0].mail_reason, "draft");
	desk->tabs[0].is_zoomed = true;
	desk->panes[1].is_visible = false;
	desk->panes[0].cols = 60;
	(void)show(desk);
	expect_row(desk, 1, "─ coder · working · zoomed · mail waits: draft ─────────────");
	// The server says it, too: once is enough.
	(void)strcpy(desk->terminals[0].note, "mail waits: draft");
	(void)show(desk);
	expect_row(desk, 1, "─ coder · working · zoomed · mail waits: draft ─────────────");
}

static void borders_say_what_a_program_calls_itself(void **state)
{
	struct desk *desk = *state;

	(void)strcpy(desk->terminals[0].title, "an agent's is not told");
	(void)strcpy(desk->terminals[1].title, "~/src 日本語 and more of it");
	(void)show(desk);
	expect_row(desk, 1, "─ coder · working ───────────┲━ sh · ~/src 日本語 and more ━");
}

static void a_pane_that_waits_for_its_program_says_so(void **state)
{
	struct desk *desk = *state;

	(void)strcpy(desk->panes[0].identity, "nightly");
	desk->model.terminals++;
	desk->model.terminal_count = 1;
	(void)show(desk);
	expect_row(desk, 1, "─ nightly · ended, starts ag─┲━ sh ━━━━━━━━━━━━━━━━━━━━━━━━━");
}

static void who_needs_a_person_is_told(void **state)
{
	struct desk *desk = *state;
	struct bh_model_pane hidden = {.terminal_id = "a", .is_visible = true};

	desk->tabs[0].panes++;
	desk->tabs[0].pane_count = 1;
	desk->tabs[1].panes = &hidden;
	desk->tabs[1].pane_count = 1;
	(void)strcpy(desk->terminals[0].state, "awaiting");
	(void)show(desk);
	expect_row(desk, 0, " 1:api*  2:docs-!                            bellhop · work");
	expect_row(desk, 9, " C-b ? help   C-b a next needing you: coder (awaiting)");
}

static void a_message_and_a_question_take_the_status_line(void **state)
{
	struct desk *desk = *state;

	desk->scene.message = "no room for two panes here";
	(void)show(desk);
	expect_row(desk, 9, " no room for two panes here");
	bh_question_ask(&desk->question, "name:", "api");
	(void)show(desk);
	expect_row(desk, 9, " name: api");
	assert_int_equal(bh_screen_cursor(desk->outer).row, 9);
	assert_int_equal(bh_screen_cursor(desk->outer).col, 10);
}

static void a_long_message_takes_more_rows(void **state)
{
	struct desk *desk = *state;

	desk->scene.message = "there is no room: a pane needs its title line, two rows and two "
			      "columns; a tab of its own takes it";
	assert_int_equal(bh_scene_message_rows(&desk->scene), 2);
	(void)show(desk);
	expect_row(desk, 8, " there is no room: a pane needs its title line, two rows and");
	expect_row(desk, 9, " two columns; a tab of its own takes it");
	desk->scene.message =
		"日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語";
	assert_int_equal(bh_scene_message_rows(&desk->scene), 2);
	(void)show(desk);
	expect_row(desk, 9, " 語日本語日本語");
	desk->scene.message = "";
	assert_int_equal(bh_scene_message_rows(&desk->scene), 0);
	(void)show(desk);
	expect_row(desk, 8, "                             ┃");
}

static void of_a_long_answer_the_end_is_seen(void **state)
{
	struct desk *desk = *state;

	bh_question_ask(&desk->question, "name of the tab (Escape: as it is):",
	                "a name that goes on and on, to 日本語");
	(void)show(desk);
	expect_row(desk, 9, "‹ (Escape: as it is): a name that goes on and on, to 日本語");
	assert_int_equal(bh_screen_cursor(desk->outer).col, COLS - 1);
	bh_question_ask(&desk->question, ":", "");
	(void)strcpy(desk->question.hint,
	             "new-tab  next-tab  previous-tab  last-tab  select-tab  rename-tab");
	(void)show(desk);
	expect_row(desk, 9, " :   new-tab  next-tab  previous-tab  last-tab  select-tab …");
	bh_question_confirm(
		&desk->question,
		"close tab api and end its 2 programs, an agent at work among them? (y/n)");
	(void)show(desk);
	expect_row(desk, 9, "‹nd end its 2 programs, an agent at work among them? (y/n)");
}

static void a_small_window_shows_the_part_with_the_cursor(void **state)
{
	struct desk *desk = *state;
	struct bh_scene_origin origin;
	struct bh_draw_rect rect;

	// A terminal of 40 columns beside a session of 60: the cursor stands in column 32.
	desk->scene.place = bh_scene_divide(30, 9, false, 0);
	bh_draw_resize(desk->draw, 30, 9);
	origin = bh_scene_origin(&desk->scene);
	assert_int_equal(origin.row, 0);
	assert_int_equal(origin.col, 3);
	rect = bh_scene_pane_rect(&desk->scene, origin, &desk->panes[1]);
	assert_int_equal(rect.col, 27);
	assert_int_equal(rect.cols, 3);
	rect = bh_scene_pane_rect(&desk->scene, origin, &desk->panes[0]);
	assert_int_equal(rect.col, 0);
	assert_int_equal(rect.cols, 26);
	(void)show(desk);
	expect_row(desk, 2, "t pane                    ┃rig");
}

static void who_waits_for_a_person_is_told_by_colour_too(void **state)
{
	struct desk *desk = *state;

	(void)show(desk);
	assert_int_equal(bh_screen_cell(desk->outer, 1, 2).fg, BH_COLOR_DEFAULT);
	strcpy(desk->terminals[1].state, "working");
	assert_string_equal(bh_scene_glyph(&desk->terminals[0]), "*");
	assert_string_equal(bh_scene_glyph(&desk->terminals[1]), "·");
	strcpy(desk->terminals[0].state, "awaiting");
	(void)show(desk);
	expect_row(desk, 1, "─ coder · awaiting ──────────┲━ sh ━━━━━━━━━━━━━━━━━━━━━━━━━");
	assert_int_equal(bh_screen_cell(desk->outer, 1, 2).fg, BH_COLOR_INDEX(3));
}

static void a_place_beyond_the_session_has_dots(void **state)
{
	struct desk *desk = *state;

	desk->model.area_cols = COLS - 4;
	desk->model.area_rows = ROWS - 3;
	desk->panes[0].rows = 6;
	desk->panes[1] = (struct bh_model_pane){"b", 1, 30, 6, 26, true, ""};
	(void)show(desk);
	expect_row(desk, 2, "left pane                    ┃right                     ····");
	expect_row(desk, 8, "····························································");
	expect_row(desk, 9, " C-b ? help   C-b d detach");
}

static void a_session_without_tabs_is_drawn(void **state)
{
	struct desk *desk = *state;

	desk->model.tab_count = 0;
	(void)show(desk);
	expect_row(desk, 0, "                                             bellhop · work");
	expect_row(desk, 4, "");
	assert_false(bh_screen_cursor(desk->outer).is_visible);
}

#define DESK_TEST(name) cmocka_unit_test_setup_teardown(name, desk_make, desk_remove)

static void the_status_line_says_the_keys_in_force(void **state)
{
	struct desk *desk = *state;

	desk->scene.is_prefix = true;
	(void)show(desk);
	expect_row(desk, 9, " C-b ...   d detach   c new tab   % split right   \" split do");
	desk->config.prefix = ' ';
	desk->config.keys.items = bh_xcalloc(2, sizeof(desk->config.keys.items[0]));
	desk->config.keys.items[0] = (struct bh_config_binding){bh_xstrdup("help"), bh_xstrdup("")};
	desk->config.keys.items[1] =
		(struct bh_config_binding){bh_xstrdup("detach"), bh_xstrdup("D")};
	desk->config.keys.count = 2;
	bh_bindings_set(&desk->bindings, &desk->config);
	desk->scene.is_prefix = false;
	(void)show(desk);
	expect_row(desk, 9, " C-Space D detach");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_place_is_divided),
		DESK_TEST(tabs_panes_and_status_are_drawn),
		DESK_TEST(nothing_is_written_when_nothing_changed),
		DESK_TEST(a_screen_alone_is_drawn_where_it_was),
		DESK_TEST(borders_say_why_mail_waits),
		DESK_TEST(borders_say_what_a_program_calls_itself),
		DESK_TEST(a_pane_that_waits_for_its_program_says_so),
		DESK_TEST(who_needs_a_person_is_told),
		DESK_TEST(a_message_and_a_question_take_the_status_line),
		DESK_TEST(a_long_message_takes_more_rows),
		DESK_TEST(of_a_long_answer_the_end_is_seen),
		DESK_TEST(a_small_window_shows_the_part_with_the_cursor),
		DESK_TEST(who_waits_for_a_person_is_told_by_colour_too),
		DESK_TEST(a_place_beyond_the_session_has_dots),
		DESK_TEST(a_session_without_tabs_is_drawn),
		DESK_TEST(the_status_line_says_the_keys_in_force),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
