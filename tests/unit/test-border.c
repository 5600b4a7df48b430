#include "src/ui/border.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum {
	COLS = 12,
	ROWS = 8
};

/** Draw the lines of @panes, of which @focus has the focus, on a terminal of COLS x ROWS. */
static struct bh_screen *drawn(struct bh_model_pane *panes, size_t count, const char *focus,
                               struct bh_scene_origin origin, struct bh_draw_rect area)
{
	struct bh_draw_settings settings = {.cols = COLS, .rows = ROWS};
	struct bh_screen_settings screen_settings = {.cols = COLS, .rows = ROWS};
	struct bh_model_tab tab = {.is_active = true, .panes = panes, .pane_count = count};
	struct bh_model model = {
		.area_cols = COLS, .area_rows = ROWS, .tabs = &tab, .tab_count = 1};
	struct bh_draw *draw = bh_draw_new(&settings);
	struct bh_screen *screen = bh_screen_new(&screen_settings);
	struct bh_buf out = {0};

	strcpy(tab.focus, focus);
	bh_border_draw(draw, area, origin, &model);
	bh_draw_flush(draw, &out);
	bh_screen_feed(screen, out.data, out.len, 1);
	bh_buf_clear(&out);
	bh_draw_free(draw);
	return screen;
}

static void expect_screen(struct bh_screen *screen, const char *const *wanted)
{
	char text[COLS * 4 + 1];

	for (int row = 0; row < ROWS; row++) {
		(void)bh_screen_row_text(screen, row, text, sizeof(text));
		assert_string_equal(text, wanted[row]);
	}
	bh_screen_free(screen);
}

static const struct bh_draw_rect all = {0, 0, ROWS, COLS};

static void lines_meet_in_joints_heavy_at_the_focus(void **state)
{
	// a | b
	//   | c
	struct bh_model_pane panes[] = {{"a", 1, 0, 7, 5, true, ""},
	                                {"b", 1, 6, 3, 6, true, ""},
	                                {"c", 5, 6, 3, 6, true, ""}};
	static const char *const at_a[] = {"━━━━━┱──────", "     ┃", "     ┃", "     ┃",
	                                   "     ┠──────", "     ┃", "     ┃", "     ┃"};
	static const char *const at_b[] = {"─────┲━━━━━━", "     ┃", "     ┃", "     ┃",
	                                   "     ┞──────", "     │", "     │", "     │"};
	static const char *const at_c[] = {"─────┬──────", "     │", "     │", "     │",
	                                   "     ┢━━━━━━", "     ┃", "     ┃", "     ┃"};

	(void)state;
	expect_screen(drawn(panes, 3, "a", (struct bh_scene_origin){0}, all), at_a);
	expect_screen(drawn(panes, 3, "b", (struct bh_scene_origin){0}, all), at_b);
	expect_screen(drawn(panes, 3, "c", (struct bh_scene_origin){0}, all), at_c);
}

static void a_cross_is_drawn_where_four_panes_meet(void **state)
{
	struct bh_model_pane panes[] = {{"a", 1, 0, 3, 5, true, ""},
	                                {"b", 1, 6, 3, 6, true, ""},
	                                {"c", 5, 0, 3, 5, true, ""},
	                                {"d", 5, 6, 3, 6, true, ""}};
	static const char *const wanted[] = {"─────┬──────", "     │", "     │", "     │",
	                                     "━━━━━╅──────", "     ┃", "     ┃", "     ┃"};

	(void)state;
	expect_screen(drawn(panes, 4, "c", (struct bh_scene_origin){0}, all), wanted);
}

static void a_hidden_pane_has_no_lines(void **state)
{
	struct bh_model_pane panes[] = {{"a", 1, 0, 7, 12, true, ""}, {"b", 5, 6, 3, 6, false, ""}};
	static const char *const wanted[] = {"━━━━━━━━━━━━", "", "", "", "", "", "", ""};

	(void)state;
	expect_screen(drawn(panes, 2, "a", (struct bh_scene_origin){0}, all), wanted);
}

static void a_part_of_a_larger_session_is_drawn(void **state)
{
	struct bh_model_pane panes[] = {{"a", 1, 0, 7, 5, true, ""}, {"b", 1, 6, 7, 6, true, ""}};
	static const char *const wanted[] = {"", "  ┃", "  ┃", "", "", "", "", ""};

	(void)state;
	expect_screen(drawn(panes, 2, "b", (struct bh_scene_origin){.row = 3, .col = 4},
	                    (struct bh_draw_rect){1, 1, 2, 4}),
	              wanted);
}

static void nothing_is_drawn_beyond_the_session(void **state)
{
	struct bh_model_pane panes[] = {{"a", 1, 0, 7, 5, true, ""}, {"b", 1, 6, 7, 6, true, ""}};
	static const char *const wanted[] = {"", "      ┃", "      ┃", "      ┃", "", "", "", ""};

	(void)state;
	// The last three rows of the session, in the middle of a place that would have more.
	expect_screen(drawn(panes, 2, "a", (struct bh_scene_origin){.row = 5, .col = 0},
	                    (struct bh_draw_rect){1, 1, 7, 11}),
	              wanted);
}

static void a_cell_is_on_a_border_or_none(void **state)
{
	// a | b
	//   | c
	struct bh_model_pane panes[] = {{"a", 1, 0, 7, 5, true, ""},
	                                {"b", 1, 6, 3, 6, true, ""},
	                                {"c", 5, 6, 3, 6, true, ""}};
	struct bh_model_tab tab = {.is_active = true, .panes = panes, .pane_count = 3};
	struct bh_model model = {
		.area_cols = COLS, .area_rows = ROWS, .tabs = &tab, .tab_count = 1};
	struct bh_border border = bh_border_at(&model, 3, 5);

	(void)state;
	assert_ptr_equal(border.pane, &panes[0]);
	assert_true(border.is_vertical);
	assert_int_equal(border.at, 5);
	border = bh_border_at(&model, 4, 8);
	assert_ptr_equal(border.pane, &panes[1]);
	assert_false(border.is_vertical);
	assert_int_equal(border.at, 4);
	assert_null(bh_border_at(&model, 0, 8).pane);
	assert_null(bh_border_at(&model, 2, 2).pane);
	assert_ptr_equal(bh_border_title_at(&model, 4, 8), &panes[2]);
	assert_ptr_equal(bh_border_title_at(&model, 0, 8), &panes[1]);
	assert_null(bh_border_title_at(&model, 1, 8));
	assert_int_equal(bh_border_find(&model, "a", true), 5);
	assert_int_equal(bh_border_find(&model, "a", false), -1);
	assert_int_equal(bh_border_find(&model, "b", false), 4);
	panes[1].is_visible = false;
	assert_int_equal(bh_border_find(&model, "b", false), -1);
	assert_null(bh_border_at(&model, 4, 8).pane);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_meet_in_joints_heavy_at_the_focus),
		cmocka_unit_test(a_cross_is_drawn_where_four_panes_meet),
		cmocka_unit_test(a_hidden_pane_has_no_lines),
		cmocka_unit_test(a_part_of_a_larger_session_is_drawn),
		cmocka_unit_test(nothing_is_drawn_beyond_the_session),
		cmocka_unit_test(a_cell_is_on_a_border_or_none),
	};

	return cmocka_run_group_tests_name("border", tests, NULL, NULL);
}
