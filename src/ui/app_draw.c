// A frame of the UI: when one is due, and what of it changed.
#include "src/ui/app_state.h"

#include "src/ui/app_layer.h"

/** Shortest time between two drawings (ms). */
#define FRAME_MS 16

void bh_app_redraw(struct bh_app *app)
{
	bh_draw_invalidate(app->draw);
	app->is_dirty = true;
}

static const struct bh_screen *screen_of(void *user, const char *terminal_id)
{
	const struct bh_app *app = user;
	const struct bh_view *view = bh_viewer_find(&app->viewer, terminal_id);

	return view == NULL ? NULL : view->feed.screen;
}

static void draw_over(void *user, const struct bh_scene *scene)
{
	bh_app_layers_draw(user, scene);
}

struct bh_scene bh_app_scene(struct bh_app *app)
{
	uint64_t now_ms = app->now_ms;
	const char *message = app->message_until_ms > now_ms ? app->message : "";

	if (app->lost_at_ms != 0) {
		message = "the server is gone, reconnecting ...";
	}
	return (struct bh_scene){.model = &app->model,
	                         .place = app->place,
	                         .session = app->settings->session,
	                         .bindings = &app->bindings,
	                         .screen_of = screen_of,
	                         .draw_over = draw_over,
	                         .user = app,
	                         .question = &app->question,
	                         .message = message,
	                         .is_prefix = app->input.is_prefix,
	                         .is_observing = app->settings->is_observing,
	                         .sidebar_scroll = app->sidebar_scroll,
	                         .now_ms = now_ms};
}

uint64_t bh_app_frame_due_ms(const struct bh_app *app)
{
	uint64_t due_ms = app->is_urgent ? 0 : app->drawn_at_ms + FRAME_MS;

	// A terminal that has not taken the last frame gets the next one when it has.
	if ((!app->is_dirty && !app->has_changes) || app->tty.out.len > 0) {
		return BH_APP_NEVER;
	}
	if (bh_viewer_is_waiting(&app->viewer) && due_ms < app->screens_until_ms) {
		due_ms = app->screens_until_ms;
	}
	return due_ms;
}

/** Whether what changed are screens alone, in places that are what they were. */
static bool is_only_screens(const struct bh_app *app, const struct bh_scene *scene)
{
	return !app->is_dirty && bh_scene_message_rows(scene) <= 1 &&
	       bh_app_layer_of(app, "") == NULL && app->question.state != BH_QUESTION_OPEN &&
	       app->model.area_cols <= app->place.area.cols &&
	       app->model.area_rows <= app->place.area.rows;
}

static void draw_screens(struct bh_app *app, const struct bh_scene *scene)
{
	for (size_t i = 0; i < app->viewer.count; i++) {
		const struct bh_view *view = &app->viewer.views[i];
		const struct bh_model_pane *pane =
			bh_model_pane_of(bh_model_active(&app->model), view->terminal_id);

		if (view->is_changed && pane != NULL && pane->is_visible &&
		    bh_app_layer_of(app, view->terminal_id) == NULL) {
			bh_scene_draw_screen(app->draw, scene, pane);
			bh_screen_see(view->feed.screen);
		}
	}
	if (bh_app_layer(app) == NULL) {
		bh_scene_draw_cursor(app->draw, scene);
	}
}

static void draw_all(struct bh_app *app, const struct bh_scene *scene)
{
	bh_scene_draw(app->draw, scene);
	for (size_t i = 0; i < app->viewer.count; i++) {
		if (app->viewer.views[i].feed.screen != NULL) {
			bh_screen_see(app->viewer.views[i].feed.screen);
		}
	}
}

void bh_app_draw(struct bh_app *app, uint64_t now_ms)
{
	struct bh_scene scene;
	struct bh_buf out = {0};

	if (bh_app_frame_due_ms(app) > now_ms) {
		return;
	}
	scene = bh_app_scene(app);
	if (is_only_screens(app, &scene)) {
		draw_screens(app, &scene);
	} else {
		draw_all(app, &scene);
	}
	for (size_t i = 0; i < app->viewer.count; i++) {
		app->viewer.views[i].is_changed = false;
	}
	bh_draw_flush(app->draw, &out);
	bh_tty_put_frame(&app->tty, (struct bh_span){.data = out.data, .len = out.len});
	bh_buf_clear(&out);
	app->question.is_drawn = true;
	app->is_dirty = false;
	app->has_changes = false;
	app->is_urgent = false;
	app->drawn_at_ms = now_ms;
}
