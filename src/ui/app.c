#include "src/ui/app.h"

#include "src/base/clock.h"
#include "src/base/frame.h"
#include "src/base/utf8.h"
#include "src/ui/app_layer.h"
#include "src/ui/app_state.h"
#include "src/ui/sidebar.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
/** So long after a person asked for something a new focus is taken to come of it (ms). */
#define FOCUS_MS 2000

void bh_app_say(struct bh_app *app, uint64_t now_ms, const char *text)
{
	bh_utf8_copy(app->message, sizeof(app->message), text);
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

// -------------------------------------------------------------------------------- requests

void bh_app_send(struct bh_app *app, struct bh_action_request request, uint64_t now_ms)
{
	if (request.method == NULL) {
		return;
	}
	app->asked_at_ms = now_ms;
	if (bh_link_request(app->link, request.method, request.params)) {
		bh_gate_sent(&app->gate, request.method);
	} else {
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

/** Tell a program that asked for it that its pane got or lost the focus. */
static void tell_focus(struct bh_app *app, const struct bh_view *view, const char *report)
{
	if (view != NULL && view->feed.screen != NULL &&
	    bh_screen_mode(view->feed.screen, BH_SCREEN_MODE_FOCUS)) {
		bh_app_send_keys_to(app, view->terminal_id, bh_span_of(report));
	}
}

/** Another pane has the focus. Only the UI whose person did it tells the programs, so that they hear
 * it once. */
static void follow_focus(struct bh_app *app, uint64_t now_ms)
{
	const struct bh_model_pane *pane = bh_model_focus(&app->model);
	const char *id = pane == NULL ? "" : pane->terminal_id;

	if (strcmp(app->focus_id, id) == 0) {
		return;
	}
	app->is_focus_due = app->asked_at_ms != 0 && now_ms - app->asked_at_ms < FOCUS_MS;
	if (app->is_focus_due) {
		tell_focus(app, bh_viewer_find(&app->viewer, app->focus_id), "\x1b[O");
	}
	(void)snprintf(app->focus_id, sizeof(app->focus_id), "%s", id);
}

static void follow_layout(struct bh_app *app, uint64_t now_ms)
{
	follow_focus(app, now_ms);
	bh_viewer_follow(&app->viewer, &app->model, app->link);
	app->screens_until_ms = now_ms + WAIT_SCREENS_MS;
	app->is_dirty = true;
}

/** Tell the server of our place, when it is another. One word at a time: what changes until it is
 * answered is told then, however often it was. */
static void tell_size(struct bh_app *app)
{
	const struct bh_draw_rect *area = &app->place.area;
	cJSON *params = NULL;

	if (app->is_telling_size || !bh_link_is_open(app->link) ||
	    (app->told_cols == area->cols && app->told_rows == area->rows)) {
		return;
	}
	params = cJSON_CreateObject();
	(void)cJSON_AddNumberToObject(params, "cols", area->cols);
	(void)cJSON_AddNumberToObject(params, "rows", area->rows);
	app->is_telling_size = bh_link_request(app->link, "ui.size", params);
	app->told_cols = app->is_telling_size ? area->cols : app->told_cols;
	app->told_rows = app->is_telling_size ? area->rows : app->told_rows;
}

void bh_app_take_size(struct bh_app *app)
{
	int cols = 0;
	int rows = 0;

	bh_tty_size(app->settings->out_fd, &cols, &rows);
	if (app->draw != NULL && (cols != app->place.cols || rows != app->place.rows)) {
		bh_draw_resize(app->draw, cols, rows);
	}
	app->place = bh_scene_divide(cols, rows, app->wants_sidebar, bh_app_sidebar_columns(app));
	app->is_dirty = true;
	tell_size(app);
}

// ----------------------------------------------------------------------------------- panes

/** What the program in a pane did since the last time. */
static void follow_view(struct bh_app *app, struct bh_view *view, bool is_focus)
{
	struct bh_screen *screen = view->feed.screen;
	uint32_t changes = screen == NULL ? 0 : bh_screen_take_changes(screen);
	bool is_drawn = bh_app_layer_of(app, view->terminal_id) == NULL;

	if (!is_drawn && (view->feed.has_news || changes != 0)) {
		bh_app_layer_screen(app, view->terminal_id, screen);
	}

	if (view->feed.has_news ||
	    (changes & (BH_SCREEN_CHANGED_SIZE | BH_SCREEN_CHANGED_MODES)) != 0) {
		app->is_dirty = true;
		view->feed.has_news = false;
	}
	if (is_drawn && (changes & (BH_SCREEN_CHANGED_CELLS | BH_SCREEN_CHANGED_CURSOR)) != 0) {
		view->is_changed = true;
		app->has_changes = true;
	}
	bh_app_pass(app, view, screen, changes, is_focus);
	screen = bh_feed_take_aside(&view->feed, &changes);
	bh_app_pass(app, view, screen, changes, is_focus);
	bh_screen_free(screen);
}

/** Let the person's terminal follow the panes: modes and title of the one in focus. */
static void follow_panes(struct bh_app *app)
{
	struct bh_buf out = {0};
	struct bh_view *focus = bh_app_focus_view(app);
	const struct bh_model_terminal *terminal =
		focus == NULL ? NULL : bh_model_terminal(&app->model, focus->terminal_id);
	bool is_plain = false;

	for (size_t i = 0; i < app->viewer.count; i++) {
		struct bh_view *view = &app->viewer.views[i];

		follow_view(app, view, view == focus);
	}
	if (app->is_focus_due && focus != NULL && focus->stream >= 0 &&
	    focus->feed.screen != NULL) {
		tell_focus(app, focus, "\x1b[I");
		app->is_focus_due = false;
	}
	if (bh_tty_is_behind(&app->tty)) {
		return; // it follows when it takes something again
	}
	// One who only looks has no use for the program's modes, but for the mouse all the same.
	is_plain = bh_app_is_ours(app) || app->settings->is_observing;
	bh_modes_follow(&app->modes, is_plain ? NULL : bh_app_focus_screen(app), &out);
	if (!app->modes.is_plain) {
		bh_pass_title(&app->title, bh_app_focus_screen(app),
		              terminal == NULL ? app->settings->session : terminal->identity, &out);
	}
	put(app, &out);
}

/** Read keys. Without a server they wait a while, then they are dropped, but for those that are ours. */
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
	bh_app_layers_follow(app);
	bh_viewer_restart(&app->viewer);
	follow_layout(app, now_ms);
	populate(app, now_ms);
}

static void take_notification(struct bh_app *app, const struct bh_link_event *event,
                              uint64_t now_ms)
{
	unsigned changes = bh_model_take(&app->model, event->method, event->params, now_ms);

	bh_app_hear(app, event->method, event->params);
	// Who was told all anew may have missed that the settings changed.
	if (strcmp(event->method, "config.changed") == 0 ||
	    strcmp(event->method, "events.resync") == 0) {
		bh_app_read_config(app, now_ms);
	}
	if (strcmp(event->method, "server.stopping") == 0) {
		bh_app_finish(app, BH_APP_STOPPED);
	}
	if ((changes & BH_MODEL_NOTICE) != 0) {
		bh_app_say(app, now_ms, app->model.notice);
	}
	if (changes != BH_MODEL_NOTHING) {
		bh_app_layers_changed(app);
	}
	if ((changes & BH_MODEL_ATTENTION) != 0) {
		bh_attention_add(&app->attention, app->model.attention);
	}
	if ((changes & BH_MODEL_LAYOUT) != 0) {
		follow_layout(app, now_ms);
		bh_app_layers_follow(app);
		bh_app_frame_moved(app);
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
		(void)snprintf(question, sizeof(question), "%.*s (y/n)",
		               (int)bh_utf8_cut(event->message, strlen(event->message), 140),
		               event->message);
		bh_app_ask(app, question, request);
	} else if (strcmp(event->method, "terminal.detach") != 0) {
		app->drag.is_waiting = false;
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
	if (event->kind == BH_LINK_FRAME) {
		return take_frame(app, &event->frame, now_ms);
	}
	if (event->kind == BH_LINK_RESULT || event->kind == BH_LINK_REFUSAL) {
		bh_gate_answered(&app->gate, event->method, event->result, now_ms);
	}
	if (strcmp(event->method, "ui.size") == 0) {
		app->is_telling_size = false;
		tell_size(app);
	}
	if (event->asker != 0) {
		bh_app_layer_result(app, event);
		return 0;
	}
	switch (event->kind) {
	case BH_LINK_NOTIFICATION:
		take_notification(app, event, now_ms);
		break;
	case BH_LINK_RESULT:
		if (strcmp(event->method, "terminal.attach") == 0) {
			bh_viewer_opened(&app->viewer, event->params, event->result, app->link);
		} else if (strcmp(event->method, "pane.resize") == 0) {
			bh_app_frame_answered(app, event->result);
		}
		break;
	case BH_LINK_REFUSAL:
		take_refusal(app, event, now_ms);
		break;
	case BH_LINK_FRAME:
		break; // see above: it alone has no method
	}
	return 0;
}

/** The server knows our place. */
static void take_place(struct bh_app *app, struct bh_link_place place)
{
	app->told_cols = place.cols;
	app->told_rows = place.rows;
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
	} else if (now_ms < app->retry_at_ms && bh_link_fd(app->link) < 0) {
		return;
	}
	app->retry_at_ms = now_ms + RECONNECT_EVERY_MS;
	if (now_ms - app->lost_at_ms > BH_TYPED_KEPT_MS) {
		bh_viewer_forget_keys(&app->viewer);
	}
	rc = bh_link_reconnect(app->link, place, &state, err);
	if (rc == BH_LINK_UNDERWAY) {
		return;
	}
	if (rc == 0) {
		app->lost_at_ms = 0;
		app->is_late = false;
		take_place(app, place);
		take_state(app, state, now_ms);
		bh_app_redraw(app);
		bh_app_say(app, now_ms, "connected again: the server was restarted");
		bh_app_read_config(app, now_ms); // the new server has, too
	} else if (rc == BH_EDENIED || rc == BH_EUNSUPPORTED ||
	           now_ms - app->lost_at_ms > (rc == -ENOENT ? STOPPED_MS : RECONNECT_MS)) {
		bh_app_finish(app, BH_APP_LOST);
	}
	cJSON_Delete(state);
}

/** Close it, and tell those who wait for an answer. */
static void lose_link(struct bh_app *app)
{
	struct bh_link_event event;

	while (bh_link_give_up(app->link, &event)) {
		if (event.asker != 0) {
			bh_app_layer_result(app, &event);
		}
	}
	bh_link_close(app->link);
	bh_gate_clear(&app->gate);
	app->is_telling_size = false;
	bh_buf_clear(&app->held);
	app->reopen_at_ms = 0;
	app->drag.kind = BH_APP_DRAG_NONE;
	app->drag.is_waiting = false;
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
	rc = rc == 0 && got == 0 ? bh_link_flush(app->link) : BH_ECLOSED;
	if (rc != 0) {
		lose_link(app);
	}
}

// ------------------------------------------------------------------------------------ loop

static void take_signals(struct bh_app *app)
{
	int number = 0;

	while ((number = bh_tty_signal(&app->tty)) != 0) {
		if (number == SIGWINCH) {
			bh_app_take_size(app);
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
	uint64_t due_ms = bh_app_frame_due_ms(app);

	due_ms = sooner(due_ms, bh_app_input_due_ms(app));
	due_ms = sooner(due_ms, app->message_until_ms);
	due_ms = sooner(due_ms, app->reopen_at_ms);
	due_ms = sooner(due_ms, bh_viewer_due_ms(&app->viewer));
	due_ms = sooner(due_ms, bh_app_layers_due_ms(app));
	due_ms = sooner(due_ms, bh_attention_due_ms(&app->attention));
	// What is to be drawn anyhow needs no waking; a terminal that takes nothing would spin us.
	if (app->place.sidebar_cols > 0 && !app->is_dirty) {
		due_ms = sooner(due_ms, bh_sidebar_due_ms(&app->model, app->drawn_at_ms));
	}
	if (!bh_link_is_open(app->link)) {
		due_ms = due_ms < app->retry_at_ms ? due_ms : app->retry_at_ms;
	}
	if (due_ms == BH_APP_NEVER) {
		return -1;
	}
	return due_ms <= now_ms ? 0 : (int)(due_ms - now_ms);
}

/** What time alone changes. */
static void take_time(struct bh_app *app, uint64_t now_ms)
{
	uint64_t age_due_ms = 0;

	if (app->message_until_ms != 0 && app->message_until_ms <= now_ms) {
		app->message_until_ms = 0;
		app->is_dirty = true;
	}
	if (app->place.sidebar_cols > 0) {
		age_due_ms = bh_sidebar_due_ms(&app->model, app->drawn_at_ms);
	}
	app->is_dirty = app->is_dirty || (age_due_ms != 0 && age_due_ms <= now_ms);
	bh_viewer_tick(&app->viewer, now_ms);
	bh_app_layers_tick(app);
	bh_app_tell_attention(app);
}

/** Whether keys were all that came, and all went to a program. They are sent before anything else is done:
 * what else may be due is done while it answers, in the next turn. */
static bool passes_keys_on(struct bh_app *app)
{
	return !app->is_done && !app->is_dirty && !app->has_changes && bh_link_is_open(app->link) &&
	       bh_link_wants_write(app->link) && bh_link_flush(app->link) == 0;
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
	app->now_ms = now_ms;
	if (fds[SIGNALS].revents != 0) {
		take_signals(app);
	}
	if (fds[KEYS].revents != 0 && !app->is_done) {
		read_keys(app, now_ms);
	}
	bh_app_take_input(app, now_ms);
	if (fds[LINK].revents == 0 && passes_keys_on(app)) {
		return;
	}
	if (!app->is_done) {
		take_link(app, now_ms, err);
		bh_app_take_input(app, now_ms); // what waited for it
	}
	take_time(app, now_ms);
	follow_panes(app);
	bh_app_draw(app, now_ms);
	if (bh_tty_write(&app->tty) != 0) {
		bh_app_finish(app, BH_APP_SIGNALLED);
	}
	app->question.is_shown =
		app->question.is_shown || (app->question.is_drawn && app->tty.out.len == 0);
}

/** From raw mode to the end of it. */
static int show(struct bh_app *app, struct bh_err *err)
{
	struct bh_buf out = {0};
	int rc = bh_tty_open(&app->tty, app->settings->in_fd, app->settings->out_fd, err);

	if (rc != 0) {
		return rc;
	}
	bh_app_use_outer(app);
	bh_modes_enter(&app->modes, &out);
	bh_outer_ask(&app->outer, &out);
	put(app, &out);
	while (!app->is_done) {
		turn(app, err);
	}
	// What was not drawn yet is of no use any more; the way back is.
	bh_tty_drop_frame(&app->tty);
	bh_modes_leave(&app->modes, &out);
	put(app, &out);
	bh_tty_forget_answers(&app->tty, app->outer.is_waiting ? BH_OUTER_ANSWER_MS : 0);
	bh_tty_close(&app->tty);
	return app->end->outcome == BH_APP_LOST ? err->code : 0;
}

/** Connect, and show what is there. */
static int start(struct bh_app *app, struct bh_err *err)
{
	struct bh_draw_settings draw_settings = {.outer = app->outer};
	struct bh_link_place place = {.is_observing = app->settings->is_observing};
	cJSON *state = NULL;
	int rc = 0;

	bh_app_take_size(app);
	place.cols = app->place.area.cols;
	place.rows = app->place.area.rows;
	draw_settings.cols = app->place.cols;
	draw_settings.rows = app->place.rows;
	rc = bh_link_connect(app->link, app->settings->client->connect_ms, place, &state, err);
	if (rc == 0) {
		app->draw = bh_draw_new(&draw_settings);
		take_place(app, place);
		app->now_ms = bh_clock_mono_ms();
		take_state(app, state, app->now_ms);
		if (app->settings->greeting != NULL) {
			bh_app_say(app, app->now_ms, app->settings->greeting);
		}
		rc = show(app, err);
	}
	cJSON_Delete(state);
	return rc;
}

int bh_app_run(const struct bh_app_settings *settings, struct bh_app_end *end_out,
               struct bh_err *err)
{
	struct bh_err own = {0};
	struct bh_app app = {.settings = settings, .end = end_out, .outer = settings->outer};
	int rc = 0;

	*end_out = (struct bh_app_end){0};
	if (!isatty(settings->in_fd) || !isatty(settings->out_fd)) {
		return bh_err_set(err, BH_EUNSUPPORTED,
		                  "standard input and output must be a terminal; `bellhop list` "
		                  "prints what runs");
	}
	bh_app_read_config(&app, bh_clock_mono_ms());
	app.wants_sidebar = app.config.sidebar;
	if (settings->remembered_file != NULL) {
		bh_remembered_load(&app.remembered, settings->remembered_file);
	}
	app.link = bh_link_new(settings->client);
	app.viewer.is_observing = settings->is_observing;
	rc = start(&app, &own);
	bh_app_forget_asked(&app);
	bh_app_layers_clear(&app);
	bh_gate_clear(&app.gate);
	bh_buf_clear(&app.held);
	bh_buf_clear(&app.yanked);
	bh_buf_clear(&app.offered);
	bh_draw_free(app.draw);
	bh_input_clear(&app.input);
	bh_viewer_clear(&app.viewer);
	bh_model_clear(&app.model);
	bh_link_free(app.link);
	bh_bindings_clear(&app.bindings);
	bh_config_clear(&app.config);
	if (rc != 0 && err != NULL) {
		*err = own;
	}
	return rc;
}
