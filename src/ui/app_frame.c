// The mouse where no program draws: tab bar, sidebar, title lines, borders.
#include "src/ui/app_state.h"
#include "src/ui/border.h"
#include "src/ui/sidebar.h"
#include "src/ui/tabbar.h"

#include <stdio.h>
#include <string.h>

/** Lines of the sidebar that one notch of the wheel scrolls. */
#define WHEEL_LINES 2

static void do_named(struct bh_app *app, const char *name)
{
	const struct bh_key_row *row = bh_keytable_named(name);

	if (row != NULL) {
		bh_app_do(app, row, 0);
	}
}

void bh_app_focus(struct bh_app *app, const char *terminal_id)
{
	struct bh_action_request request = {.method = "pane.focus", .params = cJSON_CreateObject()};

	(void)cJSON_AddStringToObject(request.params, "name", terminal_id);
	bh_app_send(app, request, app->now_ms);
}

static void press_tab(struct bh_app *app, const struct bh_scene *scene,
                      const struct bh_layer_mouse *mouse)
{
	const struct bh_model_tab *tab = bh_tabbar_at(scene, mouse->col);
	struct bh_action_request request = {.method = "tab.select"};

	if (tab == NULL) {
		return;
	}
	if (tab->is_active && mouse->clicks == 2) {
		do_named(app, "rename-tab");
	} else if (!tab->is_active) {
		request.params = cJSON_CreateObject();
		(void)cJSON_AddNumberToObject(request.params, "tab", tab->id);
		bh_app_send(app, request, app->now_ms);
	}
}

static void take_tab_bar(struct bh_app *app, const struct bh_scene *scene,
                         const struct bh_layer_mouse *mouse)
{
	if (app->settings->is_observing) {
		return;
	}
	if (mouse->kind == BH_MOUSE_WHEEL_UP) {
		do_named(app, "previous-tab");
	} else if (mouse->kind == BH_MOUSE_WHEEL_DOWN) {
		do_named(app, "next-tab");
	} else if (mouse->kind == BH_MOUSE_PRESS && mouse->button == 0) {
		press_tab(app, scene, mouse);
	}
}

/** The width that was dragged to is kept for the next time. */
static void keep_sidebar(struct bh_app *app, int columns)
{
	struct bh_err err = {0};
	char text[BH_ERR_TEXT_MAX + 40];

	app->remembered = (struct bh_remembered){.sidebar_columns = columns,
	                                         .sidebar_configured = app->config.sidebar_columns};
	bh_app_take_size(app);
	if (app->settings->remembered_file != NULL &&
	    bh_remembered_save(&app->remembered, app->settings->remembered_file, &err) != 0) {
		(void)snprintf(text, sizeof(text), "the width is not kept: %s", err.text);
		bh_app_say(app, app->now_ms, text);
	}
}

int bh_app_sidebar_columns(const struct bh_app *app)
{
	const struct bh_remembered *remembered = &app->remembered;

	return remembered->sidebar_columns > 0 &&
	                       remembered->sidebar_configured == app->config.sidebar_columns
	               ? remembered->sidebar_columns
	               : app->config.sidebar_columns;
}

void bh_app_sidebar_drag(struct bh_app *app, const struct bh_layer_mouse *mouse)
{
	int columns = mouse->col + 1;
	bool is_moved = app->drag.wanted != 0;

	columns = columns < BH_SCENE_SIDEBAR_MIN ? BH_SCENE_SIDEBAR_MIN : columns;
	columns = columns > BH_SCENE_SIDEBAR_MAX ? BH_SCENE_SIDEBAR_MAX : columns;
	if (mouse->kind == BH_MOUSE_RELEASE) {
		if (is_moved) { // else it was a click
			keep_sidebar(app, columns);
		}
	} else if (columns != app->place.sidebar_cols) {
		app->drag.wanted = columns;
		app->remembered =
			(struct bh_remembered){.sidebar_columns = columns,
		                               .sidebar_configured = app->config.sidebar_columns};
		bh_app_take_size(app);
	}
}

/** A press on the line between sidebar and panes: from there it is dragged; twice, it is as wide as the
 * settings say. */
static void press_edge(struct bh_app *app, const struct bh_layer_mouse *mouse)
{
	if (mouse->clicks == 2) {
		keep_sidebar(app, 0);
		return;
	}
	bh_app_drag_begin(app, BH_APP_DRAG_SIDEBAR, "", mouse);
	app->drag.wanted = 0;
}

static void press_sidebar(struct bh_app *app, struct bh_draw_rect rect,
                          const struct bh_layer_mouse *mouse)
{
	struct bh_sidebar sidebar = {.model = &app->model, .scroll = app->sidebar_scroll};
	const struct bh_model_terminal *terminal = bh_sidebar_at(rect, &sidebar, mouse->row);
	struct bh_action_request request = {.method = "pane.show"};

	if (bh_sidebar_is_mail(rect, mouse->row)) {
		do_named(app, "mail");
	} else if (terminal != NULL && !app->settings->is_observing) {
		request.params = cJSON_CreateObject();
		(void)cJSON_AddStringToObject(request.params, "name", terminal->id);
		bh_app_send(app, request, app->now_ms);
	}
}

static void take_sidebar(struct bh_app *app, struct bh_draw_rect rect,
                         const struct bh_layer_mouse *mouse)
{
	int max = bh_sidebar_scroll_max(rect, &app->model);
	int scroll = app->sidebar_scroll < max ? app->sidebar_scroll : max;

	if (mouse->kind == BH_MOUSE_PRESS && mouse->button == 0) {
		if (mouse->col == rect.col + rect.cols - 1) {
			press_edge(app, mouse);
		} else {
			press_sidebar(app, rect, mouse);
		}
		return;
	}
	if (mouse->kind == BH_MOUSE_WHEEL_UP) {
		scroll = scroll < WHEEL_LINES ? 0 : scroll - WHEEL_LINES;
	} else if (mouse->kind == BH_MOUSE_WHEEL_DOWN) {
		scroll = scroll + WHEEL_LINES > max ? max : scroll + WHEEL_LINES;
	}
	app->is_dirty = app->is_dirty || scroll != app->sidebar_scroll;
	app->sidebar_scroll = scroll;
}

/** A press on the lines around panes: the focus where it is a title, and the border to be moved. */
static void press_border(struct bh_app *app, int row, int col, const struct bh_layer_mouse *mouse)
{
	const struct bh_model_pane *title = bh_border_title_at(&app->model, row, col);
	struct bh_border border = bh_border_at(&app->model, row, col);

	if (app->settings->is_observing || mouse->button != 0) {
		return;
	}
	if (title != NULL && title != bh_model_focus(&app->model)) {
		bh_app_focus(app, title->terminal_id);
	}
	if (border.pane != NULL) {
		bh_app_drag_begin(app, BH_APP_DRAG_BORDER, border.pane->terminal_id, mouse);
		app->drag.is_vertical = border.is_vertical;
		app->drag.wanted = border.at;
	}
}

static bool rect_has(struct bh_draw_rect rect, int row, int col)
{
	return row >= rect.row && row < rect.row + rect.rows && col >= rect.col &&
	       col < rect.col + rect.cols;
}

void bh_app_frame_mouse(struct bh_app *app, const struct bh_layer_mouse *mouse)
{
	struct bh_scene scene = bh_app_scene(app);
	struct bh_draw_rect sidebar = bh_scene_sidebar_rect(&app->place);
	const struct bh_draw_rect *area = &app->place.area;

	if (mouse->row < app->place.top_rows) {
		take_tab_bar(app, &scene, mouse);
	} else if (rect_has(sidebar, mouse->row, mouse->col)) {
		take_sidebar(app, sidebar, mouse);
	} else if (rect_has(*area, mouse->row, mouse->col) && mouse->kind == BH_MOUSE_PRESS) {
		struct bh_scene_origin origin = bh_scene_origin(&scene);

		press_border(app, mouse->row - area->row + origin.row,
		             mouse->col - area->col + origin.col, mouse);
	}
}

/** Ask for the border to be where the mouse has it; one question at a time. */
static void border_follow(struct bh_app *app)
{
	struct bh_action_request request = {.method = "pane.resize"};
	int at = bh_border_find(&app->model, app->drag.terminal_id, app->drag.is_vertical);

	if (at < 0 || at == app->drag.wanted || app->drag.is_waiting) {
		return;
	}
	request.params = cJSON_CreateObject();
	(void)cJSON_AddStringToObject(request.params, "name", app->drag.terminal_id);
	(void)cJSON_AddStringToObject(request.params, "direction",
	                              app->drag.is_vertical ? "right" : "down");
	(void)cJSON_AddNumberToObject(request.params, "cells", app->drag.wanted - at);
	app->drag.is_waiting = true;
	bh_app_send(app, request, app->now_ms);
}

void bh_app_frame_drag(struct bh_app *app, const struct bh_layer_mouse *mouse)
{
	struct bh_scene scene = bh_app_scene(app);
	struct bh_scene_origin origin = bh_scene_origin(&scene);
	const struct bh_draw_rect *area = &app->place.area;

	app->drag.wanted = app->drag.is_vertical ? mouse->col - area->col + origin.col
	                                         : mouse->row - area->row + origin.row;
	border_follow(app);
}

void bh_app_frame_moved(struct bh_app *app)
{
	bool was_waiting = app->drag.is_waiting;

	// Where the button was let go counts, also when we heard of it before the answer.
	app->drag.is_waiting = false;
	if (app->drag.kind == BH_APP_DRAG_BORDER || was_waiting) {
		border_follow(app);
	}
}

void bh_app_frame_answered(struct bh_app *app, const cJSON *result)
{
	const cJSON *moved = cJSON_GetObjectItemCaseSensitive(result, "moved");

	if (!cJSON_IsNumber(moved) || moved->valueint == 0) {
		app->drag.is_waiting = false;
	}
}
