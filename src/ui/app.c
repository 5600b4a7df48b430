#include "src/ui/app.h"

#include "src/base/clock.h"
#include "src/base/frame.h"
#include "src/ui/app_state.h"
#include "src/ui/sidebar.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/** Shortest time between two drawings (ms). */
#define FRAME_MS 16
/** So long a frame waits for the screens of panes that came into view (ms). */
#define WAIT_SCREENS_MS 60
/** Time between two tries to open a stream that was refused (ms). */
#define REOPEN_MS 150
/** Time between two tries to reach a server that is gone, and how long to go on (ms). */
#define RECONNECT_EVERY_MS 150
#define RECONNECT_MS 30000
/** A server that took its socket away and does not come back so soon was stopped (ms). */
#define STOPPED_MS 5000
/** How long a message stands in the status line (ms). */
#define MESSAGE_MS 5000
/** Most terminals without a pane that get a tab when there is none at all. */
#define SHOW_MAX 9
/** No deadline. */
#define NEVER UINT64_MAX

void bh_app_say(struct bh_app *app, uint64_t now_ms, const char *text)
{
	(void)snprintf(app->message, sizeof(app->message), "%s", text);
	app->message_until_ms = now_ms + MESSAGE_MS;
	app->is_dirty = true;
}

void bh_app_finish(struct bh_app *app, enum bh_app_outcome outcome)
{
	app->end->outcome = outcome;
	app->is_done = true;
}

static void put(struct bh_app *app, struct bh_buf *out)
{
	bh_tty_put(&app->tty, (struct bh_span){.data = out->data, .len = out->len});
	bh_buf_clear(out);
}

struct bh_view *bh_app_focus_view(const struct bh_app *app)
{
	const struct bh_model_pane *pane = bh_model_focus(&app->model);

	return pane == NULL ? NULL : bh_viewer_find(&app->viewer, pane->terminal_id);
}

struct bh_screen *bh_app_focus_screen(const struct bh_app *app)
{
	struct bh_view *view = bh_app_focus_view(app);

	return view == NULL ? NULL : view->feed.screen;
}

void bh_app_redraw(struct bh_app *app)
{
	bh_draw_invalidate(app->draw);
	app->is_dirty = true;
}

// -------------------------------------------------------------------------------- requests

void bh_app_send(struct bh_app *app, struct bh_action_request request, uint64_t now_ms)
{
	if (request.method == NULL) {
		return;
	}
	if (!bh_link_request(app->link, request.method, request.params)) {
		bh_app_say(app, now_ms, "the server does not answer now; try again");
	}
}

static void add_cwd(struct bh_app *app, struct bh_action_request *request)
{
	if (request->params != NULL && app->settings->cwd != NULL) {
		(void)cJSON_AddStringToObject(request->params, "cwd", app->settings->cwd);
	}
}

/** With no tab at all: tabs for what runs, or a shell. */
static void populate(struct bh_app *app, uint64_t now_ms)
{
	size_t count = app->model.terminal_count < SHOW_MAX ? app->model.terminal_count : SHOW_MAX;

	if (app->model.tab_count > 0 || app->settings->is_observing) {
		return;
	}
	for (size_t i = 0; i < count; i++) {
		struct bh_action_request request = {.method = "pane.show",
		                                    .params = cJSON_CreateObject()};

		(void)cJSON_AddStringToObject(request.params, "name", app->model.terminals[i].id);
		(void)cJSON_AddBoolToObject(request.params, "focus", i == 0);
		bh_app_send(app, request, now_ms);
	}
	if (count == 0) {
		struct bh_action_request request = bh_action_request(&app->model, BH_ACTION_TAB_NEW,
		                                                     0, app->settings->environ);

		add_cwd(app, &request);
		bh_app_send(app, request, now_ms);
	}
}

static void follow_layout(struct bh_app *app, uint64_t now_ms)
{
	bh_viewer_follow(&app->viewer, &app->model, app->link);
	app->screens_until_ms = now_ms + WAIT_SCREENS_MS;
	app->is_dirty = true;
}

void bh_app_take_size(struct bh_app *app, bool is_telling)
{
	int cols = 0;
	int rows = 0;
	struct bh_draw_rect before = app->place.area;
	cJSON *params = NULL;

	bh_tty_size(app->settings->out_fd, &cols, &rows);
	if (app->draw != NULL && (cols != app->place.cols || rows != app->place.rows)) {
		bh_draw_resize(app->draw, cols, rows);
	}
	app->place = bh_scene_divide(cols, rows, app->wants_sidebar);
	app->is_dirty = true;
	if (is_telling &&
	    (before.cols != app->place.area.cols || before.rows != app->place.area.rows)) {
		params = cJSON_CreateObject();
		(void)cJSON_AddNumberToObject(params, "cols", app->place.area.cols);
		(void)cJSON_AddNumberToObject(params, "rows", app->place.area.rows);
		(void)bh_link_request(app->link, "ui.size", params);
	}
}

// --------------------------------------------------------------------------------- drawing

static const struct bh_screen *screen_of(void *user, const char *terminal_id)
{
	const struct bh_app *app = user;
	const struct bh_view *view = bh_viewer_find(&app->viewer, terminal_id);

	return view == NULL ? NULL : view->feed.screen;
}

static struct bh_scene scene_of(struct bh_app *app, uint64_t now_ms)
{
	const char *message = app->message_until_ms > now_ms ? app->message : "";

	if (app->lost_at_ms != 0) {
		message = "the server is gone, reconnecting ...";
	}
	return (struct bh_scene){.model = &app->model,
	                         .place = app->place,
	                         .session = app->settings->session,
	                         .screen_of = screen_of,
	                         .user = app,
	                         .question = &app->question,
	                         .message = message,
	                         .is_prefix = app->input.is_prefix,
	                         .is_observing = app->settings->is_observing,
	                         .is_help = app->is_help,
	                         .now_ms = now_ms};
}

/** Where the pane in focus is, for mouse reports. */
static void place_input(struct bh_app *app, const struct bh_scene *scene)
{
	const struct bh_model_pane *pane = bh_model_focus(&app->model);
	struct bh_scene_origin origin = bh_scene_origin(scene);
	struct bh_draw_rect rect;

	app->input.view = (struct bh_input_view){.rows = 1}; // nothing is inside of no columns
	if (pane != NULL) {
		rect = bh_scene_pane_rect(scene, origin, pane);
		app->input.view.row = rect.row;
		app->input.view.col = rect.col;
		app->input.view.rows = rect.rows > 0 ? rect.rows : 1;
		app->input.view.cols = rect.rows > 0 ? rect.cols : 0;
		app->input.view.first_row =
			rect.row - (app->place.area.row + pane->row - origin.row);
		app->input.view.first_col =
			rect.col - (app->place.area.col + pane->col - origin.col);
	}
}

/** When the next frame may be drawn; NEVER when there is nothing to draw. */
static uint64_t frame_due_ms(const struct bh_app *app)
{
	uint64_t due_ms = app->is_urgent ? 0 : app->drawn_at_ms + FRAME_MS;

	// A terminal that has not taken the last frame gets the next one when it has.
	if ((!app->is_dirty && !app->has_changes) || app->tty.out.len > 0) {
		return NEVER;
	}
	if (bh_viewer_is_waiting(&app->viewer) && due_ms < app->screens_until_ms) {
		due_ms = app->screens_until_ms;
	}
	return due_ms;
}

/** Whether what changed are screens alone, in places that are what they were. */
static bool is_only_screens(const struct bh_app *app)
{
	return !app->is_dirty && !bh_app_is_ours(app) &&
	       app->model.area_cols <= app->place.area.cols &&
	       app->model.area_rows <= app->place.area.rows;
}

static void draw_screens(struct bh_app *app, const struct bh_scene *scene)
{
	for (size_t i = 0; i < app->viewer.count; i++) {
		const struct bh_view *view = &app->viewer.views[i];
		const struct bh_model_pane *pane =
			bh_model_pane_of(bh_model_active(&app->model), view->terminal_id);

		if (view->is_changed && pane != NULL && pane->is_visible) {
			bh_scene_draw_screen(app->draw, scene, pane);
		}
	}
	bh_scene_draw_cursor(app->draw, scene);
}

static void draw(struct bh_app *app, uint64_t now_ms)
{
	struct bh_scene scene;
	struct bh_buf out = {0};

	if (frame_due_ms(app) > now_ms) {
		return;
	}
	scene = scene_of(app, now_ms);
	if (is_only_screens(app)) {
		draw_screens(app, &scene);
	} else {
		place_input(app, &scene);
		bh_scene_draw(app->draw, &scene);
	}
	for (size_t i = 0; i < app->viewer.count; i++) {
		app->viewer.views[i].is_changed = false;
	}
	bh_draw_flush(app->draw, &out);
	put(app, &out);
	app->is_dirty = false;
	app->has_changes = false;
	app->is_urgent = false;
	app->drawn_at_ms = now_ms;
}

/** What the program in a pane did since the last time. */
static void follow_view(struct bh_app *app, struct bh_view *view, bool is_focus, struct bh_buf *out)
{
	struct bh_screen *screen = view->feed.screen;
	uint32_t changes = screen == NULL ? 0 : bh_screen_take_changes(screen);

	if (view->feed.has_news ||
	    (changes & (BH_SCREEN_CHANGED_SIZE | BH_SCREEN_CHANGED_MODES)) != 0) {
		app->is_dirty = true;
		view->feed.has_news = false;
	}
	if ((changes & (BH_SCREEN_CHANGED_CELLS | BH_SCREEN_CHANGED_CURSOR)) != 0) {
		view->is_changed = true;
		app->has_changes = true;
	}
	if ((changes & BH_SCREEN_CHANGED_BELL) != 0) {
		bh_buf_puts(out, "\a");
	}
	if ((changes & BH_SCREEN_CHANGED_NOTIFICATION) != 0) {
		bh_pass_notification(screen, out);
	}
	if ((changes & BH_SCREEN_CHANGED_CLIPBOARD) != 0 && is_focus &&
	    !app->settings->is_observing) {
		bh_pass_clipboard(screen, out);
	}
}

/** Let the person's terminal follow the panes: modes and title of the one in focus. */
static void follow_panes(struct bh_app *app)
{
	struct bh_buf out = {0};
	struct bh_view *focus = bh_app_focus_view(app);
	const struct bh_model_terminal *terminal =
		focus == NULL ? NULL : bh_model_terminal(&app->model, focus->terminal_id);

	for (size_t i = 0; i < app->viewer.count; i++) {
		struct bh_view *view = &app->viewer.views[i];

		follow_view(app, view, view == focus, &out);
	}
	if (!app->settings->is_observing) {
		bh_modes_follow(&app->modes, bh_app_is_ours(app) ? NULL : bh_app_focus_screen(app),
		                &out);
	}
	bh_pass_title(&app->title, bh_app_focus_screen(app),
	              terminal == NULL ? app->settings->session : terminal->identity, &out);
	put(app, &out);
}

/** Read keys. Without a server they are dropped, but for those that are ours. */
static void read_keys(struct bh_app *app, uint64_t now_ms)
{
	char bytes[16 * 1024];
	ssize_t n = read(app->tty.in_fd, bytes, sizeof(bytes));

	if (n > 0) {
		bh_input_feed(&app->input, bytes, (size_t)n, now_ms);
	} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
		bh_app_finish(app, BH_APP_SIGNALLED);
	}
}

// ------------------------------------------------------------------------ from the server

/** Take the state of a session that we have just attached to. */
static void take_state(struct bh_app *app, const cJSON *state, uint64_t now_ms)
{
	bh_model_begin(&app->model, state, now_ms);
	bh_viewer_restart(&app->viewer);
	follow_layout(app, now_ms);
	populate(app, now_ms);
}

/** An agent needs a person and is not in view: ring, and say who. */
static void ring(struct bh_app *app)
{
	const struct bh_model_terminal *who = bh_model_next_needing(&app->model, "");
	struct bh_buf out = {0};

	if (who != NULL) {
		bh_buf_printf(&out, "\a\x1b]9;%s: %s\x1b\\", who->identity,
		              who->is_done_unseen ? "done" : who->state);
		put(app, &out);
	}
}

/** The bell of a program that is not in view; those in view ring by their own output. */
static void take_bell(struct bh_app *app, const cJSON *params)
{
	const cJSON *id = cJSON_GetObjectItemCaseSensitive(params, "terminal_id");

	if (cJSON_IsString(id) && bh_viewer_find(&app->viewer, id->valuestring) == NULL) {
		bh_tty_put(&app->tty, bh_span_of("\a"));
	}
}

static void take_notification(struct bh_app *app, const struct bh_link_event *event,
                              uint64_t now_ms)
{
	unsigned changes = bh_model_take(&app->model, event->method, event->params, now_ms);

	if (strcmp(event->method, "terminal.bell") == 0) {
		take_bell(app, event->params);
	}
	if ((changes & BH_MODEL_NOTICE) != 0) {
		bh_app_say(app, now_ms, app->model.notice);
	}
	if ((changes & BH_MODEL_ATTENTION) != 0) {
		ring(app);
	}
	if ((changes & BH_MODEL_LAYOUT) != 0) {
		follow_layout(app, now_ms);
		if (app->model.tab_count == 0) {
			bh_app_finish(app, BH_APP_EMPTY);
		}
	}
	app->is_dirty = app->is_dirty || changes != BH_MODEL_NOTHING;
}

static void take_refusal(struct bh_app *app, const struct bh_link_event *event, uint64_t now_ms)
{
	if (strcmp(event->method, "terminal.attach") == 0) {
		bh_viewer_refused(&app->viewer, event->params);
		app->reopen_at_ms = now_ms + REOPEN_MS;
	} else if (strcmp(event->word, "needs_confirmation") == 0) {
		struct bh_action_request request = {.params = cJSON_Duplicate(event->params, true)};
		char question[160];

		request.method =
			strcmp(event->method, "tab.close") == 0 ? "tab.close" : "pane.close";
		cJSON_DeleteItemFromObjectCaseSensitive(request.params, "force");
		(void)cJSON_AddBoolToObject(request.params, "force", true);
		(void)snprintf(question, sizeof(question), "%.140s (y/n)", event->message);
		bh_app_ask(app, question, request);
	} else if (strcmp(event->method, "terminal.detach") != 0) {
		bh_app_say(app, now_ms, event->message);
	}
}

static int take_frame(struct bh_app *app, const struct bh_conn_item *frame, uint64_t now_ms)
{
	int rc = 0;
	struct bh_view *view = bh_viewer_take(&app->viewer, frame, now_ms, &rc);

	if (view != NULL && view == bh_app_focus_view(app) && frame->type == BH_FRAME_OUTPUT &&
	    now_ms < app->echo_until_ms) {
		app->is_urgent = true;
		app->echo_until_ms = 0;
	}
	return rc;
}

static int take_event(struct bh_app *app, const struct bh_link_event *event, uint64_t now_ms)
{
	switch (event->kind) {
	case BH_LINK_NOTIFICATION:
		take_notification(app, event, now_ms);
		break;
	case BH_LINK_RESULT:
		if (strcmp(event->method, "terminal.attach") == 0) {
			bh_viewer_opened(&app->viewer, event->params, event->result, app->link);
		}
		break;
	case BH_LINK_REFUSAL:
		take_refusal(app, event, now_ms);
		break;
	case BH_LINK_FRAME:
		return take_frame(app, &event->frame, now_ms);
	}
	return 0;
}

/** The server is gone: try to reach it again, for a while. */
static void reconnect(struct bh_app *app, uint64_t now_ms, struct bh_err *err)
{
	struct bh_link_place place = {.cols = app->place.area.cols,
	                              .rows = app->place.area.rows,
	                              .is_observing = app->settings->is_observing};
	cJSON *state = NULL;
	int rc = 0;

	if (app->lost_at_ms == 0) {
		app->lost_at_ms = now_ms;
		app->is_dirty = true;
	} else if (now_ms < app->retry_at_ms) {
		return;
	}
	app->retry_at_ms = now_ms + RECONNECT_EVERY_MS;
	rc = bh_link_connect(app->link, 0, place, &state, err);
	if (rc == 0) {
		app->lost_at_ms = 0;
		take_state(app, state, now_ms);
		bh_app_redraw(app);
		bh_app_say(app, now_ms, "connected again: the server was restarted");
	} else if (rc == BH_EDENIED || rc == BH_EUNSUPPORTED ||
	           now_ms - app->lost_at_ms > (rc == -ENOENT ? STOPPED_MS : RECONNECT_MS)) {
		bh_app_finish(app, BH_APP_LOST);
	}
	cJSON_Delete(state);
}

static void take_link(struct bh_app *app, uint64_t now_ms, struct bh_err *err)
{
	struct bh_link_event event;
	int rc = 0;
	int got = 0;

	if (!bh_link_is_open(app->link)) {
		reconnect(app, now_ms, err);
		return;
	}
	rc = bh_link_pump(app->link);
	while ((got = bh_link_next(app->link, &event)) == 1) {
		if (take_event(app, &event, now_ms) != 0) {
			got = BH_EPROTOCOL;
			break;
		}
	}
	if (app->reopen_at_ms != 0 && app->reopen_at_ms <= now_ms) {
		app->reopen_at_ms = 0;
		bh_viewer_follow(&app->viewer, &app->model, app->link);
	}
	rc = rc == 0 && got == 0 ? bh_link_pump(app->link) : BH_ECLOSED;
	if (rc != 0) {
		bh_link_close(app->link);
		app->reopen_at_ms = 0;
	}
}

// ------------------------------------------------------------------------------------ loop

static void take_signals(struct bh_app *app)
{
	int number = 0;

	while ((number = bh_tty_signal(&app->tty)) != 0) {
		if (number == SIGWINCH) {
			bh_app_take_size(app, true);
		} else if (number == SIGCONT) {
			bh_tty_resume(&app->tty);
			bh_app_redraw(app);
		} else {
			app->end->signal = number;
			bh_app_finish(app, BH_APP_SIGNALLED);
		}
	}
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return b != 0 && b < a ? b : a;
}

/** How long poll() may sleep (ms); -1: until something comes. */
static int sleep_ms(const struct bh_app *app, uint64_t now_ms)
{
	uint64_t due_ms = frame_due_ms(app);

	due_ms = sooner(due_ms, bh_input_due_ms(&app->input));
	due_ms = sooner(due_ms, app->message_until_ms);
	due_ms = sooner(due_ms, app->reopen_at_ms);
	due_ms = sooner(due_ms, bh_viewer_due_ms(&app->viewer));
	// What is to be drawn anyhow needs no waking; a terminal that takes nothing would spin us.
	if (app->place.sidebar_cols > 0 && !app->is_dirty) {
		due_ms = sooner(due_ms, bh_sidebar_due_ms(&app->model, app->drawn_at_ms));
	}
	if (!bh_link_is_open(app->link)) {
		due_ms = due_ms < app->retry_at_ms ? due_ms : app->retry_at_ms;
	}
	if (due_ms == NEVER) {
		return -1;
	}
	return due_ms <= now_ms ? 0 : (int)(due_ms - now_ms);
}

/** What time alone changes. */
static void take_time(struct bh_app *app, uint64_t now_ms)
{
	uint64_t age_due_ms = bh_sidebar_due_ms(&app->model, app->drawn_at_ms);

	if (app->message_until_ms != 0 && app->message_until_ms <= now_ms) {
		app->message_until_ms = 0;
		app->is_dirty = true;
	}
	if (app->place.sidebar_cols > 0 && age_due_ms != 0 && age_due_ms <= now_ms) {
		app->is_dirty = true;
	}
	bh_viewer_tick(&app->viewer, now_ms);
}

/** Wait for and take one round of events. */
static void turn(struct bh_app *app, struct bh_err *err)
{
	enum {
		KEYS,
		DRAW,
		SIGNALS,
		LINK,
		COUNT
	};
	struct pollfd fds[COUNT] = {
		[KEYS] = {.fd = app->tty.in_fd, .events = POLLIN},
		[DRAW] = {.fd = app->tty.out.len > 0 ? app->tty.out_fd : -1, .events = POLLOUT},
		[SIGNALS] = {.fd = app->tty.signal_fd, .events = POLLIN},
		[LINK] = {.fd = bh_link_fd(app->link),
	                  .events = bh_link_wants_write(app->link) ? POLLIN | POLLOUT : POLLIN},
	};

	if (poll(fds, COUNT, sleep_ms(app, bh_clock_mono_ms())) < 0 && errno != EINTR) {
		bh_app_finish(app, BH_APP_SIGNALLED);
		return;
	}

	uint64_t now_ms = bh_clock_mono_ms();
	take_signals(app);
	if (fds[KEYS].revents != 0 && !app->is_done) {
		read_keys(app, now_ms);
	}
	bh_app_take_input(app, now_ms);
	if (!app->is_done) {
		take_link(app, now_ms, err);
	}
	take_time(app, now_ms);
	follow_panes(app);
	draw(app, now_ms);
	if (bh_tty_write(&app->tty) != 0) {
		bh_app_finish(app, BH_APP_SIGNALLED);
	}
}

/** From raw mode to the end of it. */
static int show(struct bh_app *app, struct bh_err *err)
{
	struct bh_buf out = {0};
	int rc = bh_tty_open(&app->tty, app->settings->in_fd, app->settings->out_fd, err);

	if (rc != 0) {
		return rc;
	}
	bh_modes_enter(&app->modes, &out);
	put(app, &out);
	while (!app->is_done) {
		turn(app, err);
	}
	// What was not drawn yet is of no use any more; the way back is.
	bh_buf_clear(&app->tty.out);
	bh_modes_leave(&app->modes, &out);
	put(app, &out);
	bh_tty_close(&app->tty);
	return app->end->outcome == BH_APP_LOST ? err->code : 0;
}

/** Connect, and show what is there. */
static int start(struct bh_app *app, struct bh_err *err)
{
	struct bh_draw_settings draw_settings = {.is_truecolor = app->settings->is_truecolor};
	struct bh_link_place place = {.is_observing = app->settings->is_observing};
	cJSON *state = NULL;
	int rc = 0;

	bh_app_take_size(app, false);
	place.cols = app->place.area.cols;
	place.rows = app->place.area.rows;
	draw_settings.cols = app->place.cols;
	draw_settings.rows = app->place.rows;
	rc = bh_link_connect(app->link, app->settings->client->connect_ms, place, &state, err);
	if (rc == 0) {
		app->draw = bh_draw_new(&draw_settings);
		take_state(app, state, bh_clock_mono_ms());
		rc = show(app, err);
	}
	cJSON_Delete(state);
	return rc;
}

int bh_app_run(const struct bh_app_settings *settings, struct bh_app_end *end_out,
               struct bh_err *err)
{
	struct bh_err own = {0};
	struct bh_app app = {.settings = settings, .end = end_out, .wants_sidebar = true};
	int rc = 0;

	*end_out = (struct bh_app_end){0};
	if (!isatty(settings->in_fd) || !isatty(settings->out_fd)) {
		return bh_err_set(err, BH_EUNSUPPORTED,
		                  "standard input and output must be a terminal; `bellhop list` "
		                  "prints what runs");
	}
	app.link = bh_link_new(settings->client);
	app.viewer.is_observing = settings->is_observing;
	rc = start(&app, &own);
	bh_app_forget_asked(&app);
	bh_draw_free(app.draw);
	bh_input_clear(&app.input);
	bh_viewer_clear(&app.viewer);
	bh_model_clear(&app.model);
	bh_link_free(app.link);
	if (rc != 0 && err != NULL) {
		*err = own;
	}
	return rc;
}
