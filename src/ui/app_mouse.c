#include "src/ui/app_copy.h"
#include "src/ui/app_layer.h"
#include "src/ui/app_state.h"
#include "src/ui/errand.h"
#include "src/ui/url.h"
#include "term/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Rows that one notch of the wheel moves a program that did not ask for the mouse. */
#define WHEEL_ROWS 3

static bool is_wheel(const struct bh_layer_mouse *mouse)
{
	return mouse->kind == BH_MOUSE_WHEEL_UP || mouse->kind == BH_MOUSE_WHEEL_DOWN;
}

void bh_app_drag_begin(struct bh_app *app, enum bh_app_drag_kind kind, const char *terminal_id,
                       const struct bh_layer_mouse *press)
{
	app->drag = (struct bh_app_drag){.kind = kind, .press = *press};
	(void)snprintf(app->drag.terminal_id, sizeof(app->drag.terminal_id), "%s", terminal_id);
}

/** Give a report to the program of a pane. False when it did not ask for it. */
static bool send_to_program(struct bh_app *app, const struct bh_model_pane *pane,
                            const struct bh_input_mouse *report)
{
	struct bh_scene scene = bh_app_scene(app);
	struct bh_draw_rect cell = bh_scene_cell_of(&scene, pane, report->row, report->col);
	const struct bh_view *view = bh_viewer_find(&app->viewer, pane->terminal_id);
	struct bh_input_mouse moved = *report;
	struct bh_buf out = {0};
	bool is_sent = false;

	if (view == NULL || view->feed.screen == NULL || app->settings->is_observing) {
		return false;
	}
	// A drag that left the pane ends at its edge.
	moved.row = cell.row < 0 ? 0 : cell.row >= pane->rows ? pane->rows - 1 : cell.row;
	moved.col = cell.col < 0 ? 0 : cell.col >= pane->cols ? pane->cols - 1 : cell.col;
	is_sent = bh_mouse_encode(view->feed.screen, &moved, &out);
	bh_app_send_keys_to(app, pane->terminal_id,
	                    (struct bh_span){.data = out.data, .len = out.len});
	bh_buf_clear(&out);
	return is_sent;
}

/** The wheel over a program that did not ask for it. */
static void scroll_program(struct bh_app *app, const struct bh_model_pane *pane,
                           const struct bh_layer_mouse *mouse)
{
	const struct bh_view *view = bh_viewer_find(&app->viewer, pane->terminal_id);
	const char *key = mouse->kind == BH_MOUSE_WHEEL_UP ? "Up" : "Down";
	struct bh_layer *layer = NULL;
	char bytes[BH_KEYS_MAX];

	if (view == NULL || view->feed.screen == NULL) {
		return;
	}
	if (bh_screen_mode(view->feed.screen, BH_SCREEN_MODE_ALT_SCREEN)) {
		size_t len = bh_keys_encode(view->feed.screen, key, bytes, sizeof(bytes));

		for (int i = 0; i < WHEEL_ROWS; i++) {
			bh_app_send_keys_to(app, pane->terminal_id,
			                    (struct bh_span){.data = bytes, .len = len});
		}
	} else if (mouse->kind == BH_MOUSE_WHEEL_UP) {
		layer = bh_app_copy_mode(app, pane->terminal_id);
		if (layer != NULL) {
			bh_app_layer_mouse(app, layer, mouse);
		}
	}
}

/** Open an address as the user has it set, or copy it. */
static void open_link(struct bh_app *app, const char *url)
{
	struct bh_errand_variable variable = {.name = "BELLHOP_LINK", .value = url};
	const char *command = app->config.link_command;
	char text[BH_MODEL_TEXT];

	if (command == NULL || command[0] == '\0') {
		bh_app_yank(app, bh_span_of(url));
		(void)snprintf(text, sizeof(text), "copied: %s", url);
	} else if (bh_errand_run(command, &variable, 1) == 0) {
		(void)snprintf(text, sizeof(text), "opening %s", url);
	} else {
		(void)snprintf(text, sizeof(text), "link_command could not be started");
	}
	bh_app_say(app, app->now_ms, text);
}

/** A press with control on something that can be opened. False: there is nothing. */
static bool press_link(struct bh_app *app, const struct bh_model_pane *pane,
                       const struct bh_layer_mouse *mouse)
{
	const struct bh_view *view = bh_viewer_find(&app->viewer, pane->terminal_id);
	struct bh_scene scene = bh_app_scene(app);
	struct bh_draw_rect cell = bh_scene_cell_of(&scene, pane, mouse->row, mouse->col);
	char *url = NULL;

	if (mouse->kind != BH_MOUSE_PRESS || mouse->button != 0 || !mouse->is_control ||
	    view == NULL || view->feed.screen == NULL) {
		return false;
	}
	url = bh_url_at(view->feed.screen, cell.row, cell.col);
	if (url == NULL) {
		return false;
	}
	open_link(app, url);
	free(url);
	return true;
}

static void take_in_pane(struct bh_app *app, const struct bh_model_pane *pane,
                         const struct bh_input_mouse *report, const struct bh_layer_mouse *mouse)
{
	bool is_focus = pane == bh_model_focus(&app->model);
	struct bh_layer *layer = bh_app_layer_of(app, pane->terminal_id);

	if (layer == NULL && press_link(app, pane, mouse)) {
		return;
	}
	if (!is_focus && mouse->kind == BH_MOUSE_PRESS && !app->settings->is_observing) {
		bh_app_focus(app, pane->terminal_id);
	}
	if (layer != NULL) {
		if (mouse->kind == BH_MOUSE_PRESS) {
			bh_app_drag_begin(app, BH_APP_DRAG_LAYER, pane->terminal_id, mouse);
		}
		bh_app_layer_mouse(app, layer, mouse);
	} else if ((is_focus || is_wheel(mouse)) && send_to_program(app, pane, report)) {
		if (mouse->kind == BH_MOUSE_PRESS) {
			bh_app_drag_begin(app, BH_APP_DRAG_PROGRAM, pane->terminal_id, mouse);
		}
	} else if (is_wheel(mouse)) {
		scroll_program(app, pane, mouse);
	} else if (mouse->kind == BH_MOUSE_PRESS && mouse->button == 1 && is_focus) {
		bh_app_paste_yanked(app);
	} else if (mouse->kind == BH_MOUSE_PRESS && mouse->button == 0) {
		bh_app_drag_begin(app, BH_APP_DRAG_TEXT, pane->terminal_id, mouse);
	}
}

/** From a press on text on: what moves selects, in copy mode. */
static void drag_text(struct bh_app *app, const struct bh_layer_mouse *mouse)
{
	struct bh_layer_mouse press = app->drag.press;
	struct bh_layer *layer = NULL;

	if (mouse->kind == BH_MOUSE_RELEASE && press.clicks < 2) {
		return; // a click, no more
	}
	layer = bh_app_copy_mode(app, app->drag.terminal_id);
	if (layer == NULL) {
		app->drag.kind = BH_APP_DRAG_NONE;
		return;
	}
	app->drag.kind = BH_APP_DRAG_LAYER;
	bh_app_layer_mouse(app, layer, &press);
	layer = bh_app_layer_of(app, app->drag.terminal_id);
	if (layer != NULL) {
		bh_app_layer_mouse(app, layer, mouse);
	}
}

/** What follows a press belongs to whom the press did. */
static void take_drag(struct bh_app *app, const struct bh_input_mouse *report,
                      const struct bh_layer_mouse *mouse)
{
	const struct bh_model_pane *pane =
		bh_model_pane_of(bh_model_active(&app->model), app->drag.terminal_id);
	struct bh_layer *layer = bh_app_layer_of(app, app->drag.terminal_id);

	switch (app->drag.kind) {
	case BH_APP_DRAG_PROGRAM:
		if (pane != NULL) {
			(void)send_to_program(app, pane, report);
		}
		break;
	case BH_APP_DRAG_LAYER:
		if (layer != NULL) {
			bh_app_layer_mouse(app, layer, mouse);
		}
		break;
	case BH_APP_DRAG_TEXT:
		drag_text(app, mouse);
		break;
	case BH_APP_DRAG_BORDER:
		bh_app_frame_drag(app, mouse);
		break;
	case BH_APP_DRAG_SIDEBAR:
		bh_app_sidebar_drag(app, mouse);
		break;
	case BH_APP_DRAG_NONE:
		break;
	}
	if (mouse->kind == BH_MOUSE_RELEASE) {
		app->drag.kind = BH_APP_DRAG_NONE;
	}
}

static bool is_over_panes(const struct bh_app *app, const struct bh_layer_mouse *mouse)
{
	const struct bh_draw_rect *area = &app->place.area;

	return mouse->row >= area->row && mouse->row < area->row + area->rows &&
	       mouse->col >= area->col && mouse->col < area->col + area->cols;
}

void bh_app_take_mouse(struct bh_app *app, const struct bh_input_mouse *report, uint64_t now_ms)
{
	struct bh_layer *over = bh_app_layer_of(app, "");
	struct bh_scene scene = bh_app_scene(app);
	const struct bh_model_pane *pane = bh_scene_pane_at(&scene, report->row, report->col);
	struct bh_layer_mouse mouse;
	bool is_ours = bh_mouse_read(&app->clicks, report, now_ms, &mouse);

	if (!is_ours || !app->config.mouse) { // only programs have a use for it
		if (pane != NULL && over == NULL && pane == bh_model_focus(&app->model)) {
			(void)send_to_program(app, pane, report);
		}
		return;
	}
	if (app->drag.kind != BH_APP_DRAG_NONE && mouse.kind != BH_MOUSE_PRESS &&
	    !is_wheel(&mouse)) {
		take_drag(app, report, &mouse);
		return;
	}
	app->drag.kind = BH_APP_DRAG_NONE;
	if (app->question.state == BH_QUESTION_OPEN) {
		return;
	}
	if (over != NULL && mouse.kind == BH_MOUSE_PRESS && !is_over_panes(app, &mouse)) {
		bh_app_layer_close(app, ""); // the person goes elsewhere
		bh_app_frame_mouse(app, &mouse);
	} else if (over != NULL) {
		if (mouse.kind == BH_MOUSE_PRESS) {
			bh_app_drag_begin(app, BH_APP_DRAG_LAYER, "", &mouse);
		}
		bh_app_layer_mouse(app, over, &mouse);
	} else if (pane != NULL) {
		take_in_pane(app, pane, report, &mouse);
	} else {
		bh_app_frame_mouse(app, &mouse);
	}
}
