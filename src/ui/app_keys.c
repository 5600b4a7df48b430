#include "src/ui/app_copy.h"
#include "src/ui/app_layer.h"
#include "src/ui/app_state.h"

#include "src/ui/command.h"
#include "src/ui/keytable.h"

#include <stdio.h>
#include <string.h>

/** So long after a key its echo is drawn at once, once (ms). */
#define ECHO_MS 100
/** So long keys wait for the pane that they are for; then those that are ours are looked at all the
 * same (ms). */
#define HOLD_MS 1000
/** Most that is kept for a program until then (bytes). */
#define HELD_MAX (64 * 1024)
/** So long after a border was moved it is moved on without the prefix (ms). */
#define REPEAT_MS 500

bool bh_app_is_ours(const struct bh_app *app)
{
	return app->question.state == BH_QUESTION_OPEN || bh_app_layer(app) != NULL;
}

void bh_app_forget_asked(struct bh_app *app)
{
	cJSON_Delete(app->asked.params);
	app->asked = (struct bh_action_request){0};
}

static void close_own(struct bh_app *app)
{
	bh_app_forget_asked(app);
	app->question.state = BH_QUESTION_CLOSED;
	app->is_command = false;
	bh_app_layer_close(app, "");
	app->is_dirty = true;
}

void bh_app_ask(struct bh_app *app, const char *question, struct bh_action_request request)
{
	close_own(app);
	app->asked = request;
	bh_question_confirm(&app->question, question);
}

static void ask_name(struct bh_app *app)
{
	const struct bh_model_tab *tab = bh_model_active(&app->model);

	if (tab != NULL && !app->settings->is_observing) {
		close_own(app);
		app->rename_tab = tab->id;
		bh_question_ask(&app->question, "name of the tab (Escape: as it is):", tab->name);
	}
}

void bh_app_send_keys_to(struct bh_app *app, const char *terminal_id, struct bh_span keys)
{
	struct bh_view *view = bh_viewer_find(&app->viewer, terminal_id);

	if (view != NULL && !app->settings->is_observing &&
	    (bh_link_is_open(app->link) || !app->is_late)) {
		bh_viewer_keys(view, keys, app->link);
	}
}

/** Whether it is not known yet, or not open, where keys go: also without a server, for it may be back at
 * once. */
static bool is_shut(const struct bh_app *app)
{
	const struct bh_model_pane *pane = bh_model_focus(&app->model);
	const struct bh_view *view = bh_app_focus_view(app);

	if (app->settings->is_observing || !bh_link_is_open(app->link)) {
		return !app->settings->is_observing;
	}
	return bh_gate_is_shut(&app->gate, app->model.version,
	                       pane == NULL ? NULL : pane->terminal_id, app->now_ms) ||
	       (view != NULL && bh_viewer_is_opening(view));
}

void bh_app_send_keys(struct bh_app *app, struct bh_span keys, uint64_t now_ms)
{
	const struct bh_model_pane *pane = bh_model_focus(&app->model);

	if (bh_link_is_open(app->link) && is_shut(app)) {
		size_t room = HELD_MAX - app->held.len;

		bh_buf_append(&app->held, keys.data, keys.len < room ? keys.len : room);
	} else if (pane != NULL) {
		bh_app_send_keys_to(app, pane->terminal_id, keys);
		app->echo_until_ms = now_ms + ECHO_MS;
	}
}

/** Say something, and which key goes on from there. */
static void say_keys(struct bh_app *app, uint64_t now_ms, const char *text, enum bh_action action,
                     const char *what)
{
	char hint[2 * BH_BINDINGS_KEY];
	char said[160];

	bh_bindings_hint(&app->bindings, action, hint, sizeof(hint));
	(void)snprintf(said, sizeof(said), "%s; %s %s", text, hint, what);
	bh_app_say(app, now_ms, hint[0] == '\0' ? text : said);
}

static void say_observing(struct bh_app *app, uint64_t now_ms)
{
	say_keys(app, now_ms, "you only look here (--observe)", BH_ACTION_DETACH, "detaches");
}

/** The command line, with @text in it. */
static void open_command_line(struct bh_app *app, const char *text)
{
	close_own(app);
	app->is_command = true;
	bh_question_ask(&app->question, ":", text);
}

static void do_command_line(struct bh_app *app)
{
	open_command_line(app, "");
}

/** Tab completes, Up brings the line before. */
static void edit_command_line(struct bh_app *app, uint32_t key)
{
	struct bh_question *question = &app->question;

	if (key == '\t') {
		bh_command_complete(&app->model, question->text, sizeof(question->text),
		                    question->hint, sizeof(question->hint));
	} else {
		bh_question_ask(question, ":", app->last_command);
	}
}

/** Do what the command line says. */
static void take_command_line(struct bh_app *app, uint64_t now_ms)
{
	struct bh_command command;
	struct bh_err err = {0};

	(void)snprintf(app->last_command, sizeof(app->last_command), "%s", app->question.text);
	close_own(app);
	if (app->last_command[strspn(app->last_command, " ")] == '\0') {
		return;
	}
	if (bh_command_read(app->last_command, &command, &err) != 0) {
		bh_app_say(app, now_ms, err.text);
	} else if (command.argument[0] == '\0') {
		bh_app_do(app, command.row, 0);
	} else if (app->settings->is_observing) {
		say_observing(app, now_ms);
	} else {
		struct bh_action_request request =
			bh_command_request(&app->model, &command, app->settings->environ, &err);

		if (request.method == NULL) {
			bh_app_say(app, now_ms, err.text);
		}
		bh_app_send(app, request, now_ms);
	}
}

/** The person has answered. */
static void take_answer(struct bh_app *app, uint64_t now_ms)
{
	struct bh_action_request request = app->asked;

	if (app->is_command) {
		take_command_line(app, now_ms);
		return;
	}
	app->asked = (struct bh_action_request){0};
	if (request.method == NULL) {
		request = bh_action_rename(app->rename_tab, app->question.text);
	}
	close_own(app);
	bh_app_send(app, request, now_ms);
}

static void take_question_key(struct bh_app *app, const struct bh_layer_key *key, uint64_t now_ms)
{
	enum bh_question_state state;

	app->is_dirty = true;
	if (app->is_command && !key->is_control && (key->key == '\t' || key->key == BH_KEY_UP)) {
		edit_command_line(app, key->key);
		return;
	}
	state = bh_question_key(&app->question, key);
	if (state == BH_QUESTION_ACCEPTED) {
		take_answer(app, now_ms);
	} else if (state == BH_QUESTION_CANCELLED) {
		close_own(app);
	}
}

/** A key while the UI takes them. */
static void take_key(struct bh_app *app, const struct bh_layer_key *key, uint64_t now_ms)
{
	if (app->question.state == BH_QUESTION_OPEN) {
		take_question_key(app, key, now_ms);
	} else {
		bh_app_layer_key(app, key);
	}
}

static void take_paste(struct bh_app *app, struct bh_span text)
{
	if (app->question.state == BH_QUESTION_OPEN) {
		bh_question_paste(&app->question, text);
		app->is_dirty = true;
	} else {
		bh_app_layer_paste(app, text);
	}
}

/** An action that is a request. */
static void do_request(struct bh_app *app, const struct bh_key_row *row, uint32_t key,
                       uint64_t now_ms)
{
	struct bh_action_request request;
	char question[160];
	bool is_forced = false;

	if (app->settings->is_observing) {
		say_observing(app, now_ms);
		return;
	}
	request = bh_action_request(&app->model, row->action, key, app->settings->environ);
	if (request.method == NULL) {
		bh_app_say(app, now_ms,
		           row->action == BH_ACTION_NEXT_NEEDING ? "no agent needs you now"
		                                                 : "there is no pane here");
		return;
	}
	if (row->action >= BH_ACTION_RESIZE_LEFT && row->action <= BH_ACTION_RESIZE_DOWN_FAR) {
		app->input.repeat_until_ms = now_ms + REPEAT_MS;
	}
	is_forced = bh_action_question(&app->model, row->action, question, sizeof(question));
	if (is_forced) {
		(void)cJSON_AddBoolToObject(request.params, "force", true);
	}
	if (question[0] != '\0') {
		bh_app_ask(app, question, request);
	} else {
		bh_app_send(app, request, now_ms);
	}
}

static void do_detach(struct bh_app *app)
{
	app->end->terminals = (int)app->model.terminal_count;
	bh_app_finish(app, BH_APP_DETACHED);
}

static void do_sidebar(struct bh_app *app)
{
	app->wants_sidebar = app->place.sidebar_cols == 0;
	bh_app_take_size(app);
	if (app->wants_sidebar && app->place.sidebar_cols == 0) {
		bh_app_say(app, app->now_ms, "the sidebar comes when the terminal is wider");
	}
}

static void do_prefix(struct bh_app *app)
{
	struct bh_layer_key prefix = bh_bindings_prefix(app->bindings.prefix);
	char bytes[2];
	size_t len = bh_bindings_prefix_bytes(&prefix, bytes);

	bh_app_send_keys(app, (struct bh_span){.data = bytes, .len = len}, app->now_ms);
}

/** What the UI does itself; all else is a request. */
static const struct {
	enum bh_action action;
	void (*run)(struct bh_app *app);
} own_actions[] = {
	{BH_ACTION_TAB_RENAME, ask_name},
	{BH_ACTION_COMMAND, do_command_line},
	{BH_ACTION_SIDEBAR, do_sidebar},
	{BH_ACTION_REDRAW, bh_app_redraw},
	{BH_ACTION_SEND_PREFIX, do_prefix},
	{BH_ACTION_DETACH, do_detach},
	{BH_ACTION_HELP, bh_app_show_help},
	{BH_ACTION_COPY_MODE, bh_app_begin_copy},
	{BH_ACTION_COPY_PAGE_UP, bh_app_copy_page_up},
	{BH_ACTION_PASTE, bh_app_paste_yanked},
	{BH_ACTION_CHOOSE_TAB, bh_app_show_tabs},
	{BH_ACTION_CHOOSE_SESSION, bh_app_show_sessions},
	{BH_ACTION_SESSION_NEXT, bh_app_next_session},
	{BH_ACTION_SESSION_PREVIOUS, bh_app_previous_session},
	{BH_ACTION_MAIL, bh_app_show_mail},
	{BH_ACTION_EXPLAIN, bh_app_show_explanation},
	{BH_ACTION_NEW_AGENT, bh_app_show_agents},
	{BH_ACTION_ALLOW_CLIPBOARD, bh_app_accept_clipboard},
};

void bh_app_do(struct bh_app *app, const struct bh_key_row *row, uint32_t key)
{
	bool is_digit = row->action == BH_ACTION_TAB_INDEX && key >= '0' && key <= '9';
	char line[64];

	for (size_t i = 0; i < sizeof(own_actions) / sizeof(own_actions[0]); i++) {
		if (own_actions[i].action == row->action) {
			own_actions[i].run(app);
			return;
		}
	}
	if (bh_command_needs(row->action) && !is_digit) { // the person says with what
		(void)snprintf(line, sizeof(line), "%s ", row->name);
		open_command_line(app, line);
	} else {
		do_request(app, row, key, app->now_ms);
	}
}

static void take_command(struct bh_app *app, const struct bh_input_event *event, uint64_t now_ms)
{
	const struct bh_key_row *row = bh_bindings_find(&app->bindings, &event->pressed);

	app->message_until_ms = 0;
	close_own(app);
	if (row != NULL) {
		bh_app_do(app, row, event->pressed.key);
	} else {
		char text[64];

		(void)snprintf(text, sizeof(text), "that key does nothing after %s",
		               app->bindings.prefix_name);
		say_keys(app, now_ms, text, BH_ACTION_HELP, "lists those that do");
	}
}

/** A key that needs no prefix. */
static void take_direct(struct bh_app *app, const struct bh_input_event *event)
{
	const struct bh_key_row *row = bh_bindings_direct(&app->bindings, &event->pressed);

	if (row != NULL) {
		bh_app_do(app, row, event->pressed.key);
	}
}

/** Who gets the keys may change with each of them. */
static void prepare_input(struct bh_app *app)
{
	const struct bh_screen *screen = bh_app_focus_screen(app);

	app->input.is_decoding = bh_app_is_ours(app);
	app->input.is_kitty = screen != NULL && bh_screen_kitty_flags(screen) != 0;
	app->input.is_paste_plain =
		screen != NULL && !bh_screen_mode(screen, BH_SCREEN_MODE_BRACKETED_PASTE);
}

static void take_input_event(struct bh_app *app, const struct bh_input_event *event,
                             uint64_t now_ms)
{
	// What it would have done is not known: who typed on may have meant another pane.
	app->is_late =
		app->is_late || (event->kind != BH_INPUT_BYTES && !bh_link_is_open(app->link));
	switch (event->kind) {
	case BH_INPUT_BYTES:
		bh_app_send_keys(app, event->bytes, now_ms);
		break;
	case BH_INPUT_KEY:
		take_key(app, &event->pressed, now_ms);
		break;
	case BH_INPUT_PASTE:
		take_paste(app, event->bytes);
		break;
	case BH_INPUT_PREFIX_SEEN:
		app->is_dirty = true;
		break;
	case BH_INPUT_FOCUS:
		bh_app_send_keys(app, bh_span_of(event->key == 'I' ? "\x1b[I" : "\x1b[O"), now_ms);
		break;
	case BH_INPUT_MOUSE:
		bh_app_take_mouse(app, &event->mouse, now_ms);
		break;
	case BH_INPUT_COMMAND:
		take_command(app, event, now_ms);
		break;
	case BH_INPUT_DIRECT:
		take_direct(app, event);
		break;
	case BH_INPUT_ANSWER:
		app->is_dirty = bh_outer_answer(&app->outer, event->bytes) || app->is_dirty;
		bh_app_use_outer(app);
		break;
	}
}

/** Whether keys wait. When they need not any more, what was kept goes first. */
static bool is_waiting(struct bh_app *app, uint64_t now_ms)
{
	struct bh_gate *gate = &app->gate;

	if (is_shut(app)) {
		gate->shut_at_ms = gate->shut_at_ms == 0 ? now_ms : gate->shut_at_ms;
		return now_ms - gate->shut_at_ms < HOLD_MS;
	}
	gate->shut_at_ms = 0;
	if (app->held.len > 0) {
		bh_app_send_keys(app,
		                 (struct bh_span){.data = app->held.data, .len = app->held.len},
		                 now_ms);
		bh_buf_clear(&app->held);
	}
	return false;
}

uint64_t bh_app_input_due_ms(const struct bh_app *app)
{
	uint64_t opens_at_ms = app->gate.shut_at_ms + HOLD_MS;

	return app->gate.shut_at_ms != 0 && app->now_ms < opens_at_ms
	               ? opens_at_ms
	               : bh_input_due_ms(&app->input);
}

void bh_app_take_input(struct bh_app *app, uint64_t now_ms)
{
	struct bh_input_event event;
	bool was_asked = false;

	prepare_input(app);
	while (!app->is_done && !is_waiting(app, now_ms) &&
	       bh_input_next(&app->input, now_ms, &event)) {
		// What was typed ahead of an answer is nobody's, until a key that is none of the text.
		if (!was_asked || event.kind != BH_INPUT_BYTES) {
			was_asked = app->question.state == BH_QUESTION_OPEN;
			take_input_event(app, &event, now_ms);
		}
		prepare_input(app);
	}
	// What came in the first second was kept.
	app->is_late = app->is_late || (!bh_link_is_open(app->link) && !is_waiting(app, now_ms));
}
