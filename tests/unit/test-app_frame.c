// The mouse around the panes, in a UI that is not connected; test-app_mouse.c has what a server hears
// of it.
#include "src/ui/sidebar.h"
#include "src/ui/tabbar.h"
#include "tests/unit/app-world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/** The column where a tab's name begins. */
static int tab_col(struct app_world *world, int id)
{
	struct bh_scene scene = bh_app_scene(&world->app);

	for (int col = 0; col < world->app.place.cols; col++) {
		const struct bh_model_tab *tab = bh_tabbar_at(&scene, col);

		if (tab != NULL && tab->id == id) {
			return col;
		}
	}
	fail_msg("no tab %d", id);
	return 0;
}

static void mouse(struct app_world *world, enum bh_layer_mouse_kind kind, int row, int col)
{
	bh_app_frame_mouse(&world->app, &(struct bh_layer_mouse){
						.kind = kind, .row = row, .col = col, .clicks = 1});
}

static void tabs_are_selected_and_named(void **state)
{
	struct app_world *world = *state;
	struct bh_layer_mouse twice = {.kind = BH_MOUSE_PRESS, .clicks = 2};

	app_world_show(world);
	mouse(world, BH_MOUSE_PRESS, 0, tab_col(world, 1)); // it is the active one
	mouse(world, BH_MOUSE_PRESS, 0, world->app.place.cols - 1);
	mouse(world, BH_MOUSE_RELEASE, 0, tab_col(world, 2));
	assert_string_equal(app_world_said(world), "");
	mouse(world, BH_MOUSE_PRESS, 0, tab_col(world, 2));
	assert_string_equal(app_world_said(world), APP_WORLD_ASKED);
	mouse(world, BH_MOUSE_WHEEL_DOWN, 0, 0);
	assert_string_equal(app_world_said(world), APP_WORLD_ASKED);
	mouse(world, BH_MOUSE_WHEEL_UP, 0, 0);
	assert_string_equal(app_world_said(world), APP_WORLD_ASKED);
	assert_false(bh_app_is_ours(&world->app));
	twice.col = tab_col(world, 1);
	bh_app_frame_mouse(&world->app, &twice);
	assert_int_equal(world->app.question.state, BH_QUESTION_OPEN);
	assert_string_equal(world->app.question.text, "api");
}

static void the_sidebar_shows_scrolls_and_opens_mail(void **state)
{
	struct app_world *world = *state;
	struct bh_app *app = &world->app;
	struct bh_draw_rect rect = bh_scene_sidebar_rect(&app->place);
	struct bh_sidebar sidebar = {.model = &app->model};
	int row = rect.row;

	app_world_show(world);
	assert_true(rect.cols > 0);
	while (bh_sidebar_at(rect, &sidebar, row) == NULL) {
		row++;
	}
	mouse(world, BH_MOUSE_PRESS, row, 3);
	assert_string_equal(app_world_said(world), APP_WORLD_ASKED);
	// All of it is seen: there is nothing to scroll.
	mouse(world, BH_MOUSE_WHEEL_DOWN, row, 3);
	assert_int_equal(app->sidebar_scroll, 0);
	// On a terminal with few rows there is, to the end and back.
	app->place = bh_scene_divide(app->place.cols, 7, true, 0);
	rect = bh_scene_sidebar_rect(&app->place);
	int max = bh_sidebar_scroll_max(rect, &app->model);

	if (max > 0) {
		app->is_dirty = false;
		mouse(world, BH_MOUSE_WHEEL_DOWN, rect.row, 3);
		assert_true(app->sidebar_scroll > 0);
		assert_true(app->is_dirty);
	}
	for (int i = 0; i < 20; i++) {
		mouse(world, BH_MOUSE_WHEEL_DOWN, rect.row, 3);
	}
	assert_int_equal(app->sidebar_scroll, max);
	app->sidebar_scroll = 1000; // agents are gone meanwhile
	mouse(world, BH_MOUSE_WHEEL_UP, rect.row, 3);
	assert_true(app->sidebar_scroll < max || max == 0);
	for (int i = 0; i < 20; i++) {
		mouse(world, BH_MOUSE_WHEEL_UP, rect.row, 3);
	}
	assert_int_equal(app->sidebar_scroll, 0);
	for (row = rect.row; !bh_sidebar_is_mail(rect, row); row++) {
		assert_true(row < rect.row + rect.rows);
	}
	mouse(world, BH_MOUSE_PRESS, row, 3);
	assert_string_equal(app_world_layer(world), "the mail view");
}

/** Press where the session's area has this cell. */
static void press_area(struct app_world *world, int row, int col)
{
	mouse(world, BH_MOUSE_PRESS, world->app.place.area.row + row,
	      world->app.place.area.col + col);
}

static void a_border_is_held_until_it_is_where_the_mouse_is(void **state)
{
	struct app_world *world = *state;
	struct bh_app *app = &world->app;
	struct bh_layer_mouse at = {.kind = BH_MOUSE_DRAG};
	cJSON *moved = cJSON_Parse("{\"moved\":2}");
	cJSON *stuck = cJSON_Parse("{\"moved\":0}");

	app_world_show(world);
	press_area(world, 5, 30); // between a and b
	assert_int_equal(app->drag.kind, BH_APP_DRAG_BORDER);
	assert_string_equal(app->drag.terminal_id, "a");
	assert_true(app->drag.is_vertical);
	assert_int_equal(app->drag.wanted, 30);
	// It is there: nothing to ask for.
	at.row = app->place.area.row + 5;
	at.col = app->place.area.col + 30;
	bh_app_frame_drag(app, &at);
	assert_string_equal(app_world_said(world), "");
	assert_false(app->drag.is_waiting);
	at.col += 4;
	bh_app_frame_drag(app, &at);
	assert_int_equal(app->drag.wanted, 34);
	assert_string_equal(app_world_said(world), APP_WORLD_ASKED);
	assert_true(app->drag.is_waiting);
	// One question at a time; what has moved is asked for again when the layout is there.
	at.col += 1;
	bh_app_frame_drag(app, &at);
	assert_string_equal(app_world_said(world), "");
	bh_app_frame_answered(app, moved);
	assert_true(app->drag.is_waiting);
	bh_app_frame_moved(app);
	assert_string_equal(app_world_said(world), APP_WORLD_ASKED);
	// One that cannot be moved is not waited for.
	assert_true(app->drag.is_waiting);
	bh_app_frame_answered(app, stuck);
	assert_false(app->drag.is_waiting);
	bh_app_frame_answered(app, NULL);
	assert_false(app->drag.is_waiting);
	cJSON_Delete(moved);
	cJSON_Delete(stuck);
}

static void a_title_gives_the_focus(void **state)
{
	struct app_world *world = *state;

	app_world_show(world);
	press_area(world, 0, 3); // of a, which has it
	assert_string_equal(app_world_said(world), "");
	press_area(world, 6, 40); // of c, which is a border, too
	assert_string_equal(app_world_said(world), APP_WORLD_ASKED);
	assert_int_equal(world->app.drag.kind, BH_APP_DRAG_BORDER);
	assert_string_equal(world->app.drag.terminal_id, "b");
	assert_false(world->app.drag.is_vertical);
}

static void who_only_looks_changes_nothing(void **state)
{
	struct app_world *world = *state;
	struct bh_draw_rect rect = bh_scene_sidebar_rect(&world->app.place);

	world->settings.is_observing = true;
	app_world_show(world);
	mouse(world, BH_MOUSE_PRESS, 0, tab_col(world, 2));
	mouse(world, BH_MOUSE_WHEEL_DOWN, 0, 0);
	for (int row = rect.row; row < rect.row + rect.rows && !bh_sidebar_is_mail(rect, row);
	     row++) {
		mouse(world, BH_MOUSE_PRESS, row, 3);
	}
	press_area(world, 6, 40);
	press_area(world, 5, 30);
	assert_string_equal(app_world_said(world), "");
	assert_int_equal(world->app.drag.kind, BH_APP_DRAG_NONE);
}

/** As bh_app_take_mouse() does while the button is down. */
static void drag_sidebar(struct app_world *world, enum bh_layer_mouse_kind kind, int col)
{
	bh_app_sidebar_drag(&world->app,
	                    &(struct bh_layer_mouse){.kind = kind, .row = 5, .col = col});
}

static void the_edge_of_the_sidebar_is_dragged(void **state)
{
	struct app_world *world = *state;
	struct bh_app *app = &world->app;
	struct bh_layer_mouse twice = {.kind = BH_MOUSE_PRESS, .clicks = 2, .row = 5, .col = 21};

	app_world_show(world);
	assert_int_equal(app->place.sidebar_cols, 22);
	mouse(world, BH_MOUSE_PRESS, 5, 21);
	assert_int_equal(app->drag.kind, BH_APP_DRAG_SIDEBAR);
	drag_sidebar(world, BH_MOUSE_DRAG, 29);
	assert_int_equal(bh_app_sidebar_columns(app), 30);
	assert_true(app->is_dirty);
	drag_sidebar(world, BH_MOUSE_DRAG, 70); // not further than it can be
	assert_int_equal(bh_app_sidebar_columns(app), 36);
	drag_sidebar(world, BH_MOUSE_RELEASE, 3);
	assert_int_equal(bh_app_sidebar_columns(app), 18);
	assert_string_equal(app_world_said(world), "");
	// Settings that say something else now hold.
	app->config.sidebar_columns = 25;
	assert_int_equal(bh_app_sidebar_columns(app), 25);
	app->config.sidebar_columns = 0;
	assert_int_equal(bh_app_sidebar_columns(app), 18);
	app->place = bh_scene_divide(80, 14, true, 22);
	bh_app_frame_mouse(app, &twice);
	assert_int_equal(bh_app_sidebar_columns(app), 0);
	// A click alone changes nothing, and what cannot be kept is told.
	app->place = bh_scene_divide(80, 14, true, 22);
	world->settings.remembered_file = "/nowhere/at/all";
	mouse(world, BH_MOUSE_PRESS, 5, 21);
	drag_sidebar(world, BH_MOUSE_RELEASE, 21);
	assert_int_equal(bh_app_sidebar_columns(app), 0);
	assert_string_equal(app_world_said(world), "");
	drag_sidebar(world, BH_MOUSE_DRAG, 29);
	drag_sidebar(world, BH_MOUSE_RELEASE, 29);
	assert_non_null(strstr(app_world_said(world), "the width is not kept: "));
	assert_int_equal(bh_app_sidebar_columns(app), 30);
}

int main(void)
{
#define WORLD(test) cmocka_unit_test_setup_teardown(test, app_world_make, app_world_remove)
	const struct CMUnitTest tests[] = {
		WORLD(tabs_are_selected_and_named),
		WORLD(the_edge_of_the_sidebar_is_dragged),
		WORLD(the_sidebar_shows_scrolls_and_opens_mail),
		WORLD(a_border_is_held_until_it_is_where_the_mouse_is),
		WORLD(a_title_gives_the_focus),
		WORLD(who_only_looks_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
