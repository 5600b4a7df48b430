#include "src/ui/app_state.h"

#include "src/base/clock.h"
#include "src/ui/keytable.h"

/** So long after a key its echo is drawn at once, once (ms). */
#define ECHO_MS 100
/** So long after a border was moved it is moved on without the prefix (ms). */
#define REPEAT_MS 500

bool bh_app_is_ours(const struct bh_app *app)
{
	return app->is_help || app->question.state == BH_QUESTION_OPEN;
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
	app->is_help = false;
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

/** The person has answered. */
static void take_answer(struct bh_app *app, uint64_t now_ms)
{
	struct bh_action_request request = app->asked;

	app->asked = (struct bh_action_request){0};
	if (request.method == NULL) {
		request = bh_action_rename(app->rename_tab, app->question.text);
	}
	close_own(app);
	bh_app_send(app, request, now_ms);
}

static void take_question_keys(struct bh_app *app, struct bh_span keys, uint64_t now_ms)
{
	enum bh_question_state state = bh_question_keys(&app->question, keys);

	app->is_dirty = true;
	if (state == BH_QUESTION_ACCEPTED) {
		take_answer(app, now_ms);
	} else if (state == BH_QUESTION_CANCELLED) {
		close_own(app);
	}
}

/** Keys of the person, for the program in focus. */
static void send_keys(struct bh_app *app, struct bh_span keys, uint64_t now_ms)
{
	struct bh_view *view = bh_app_focus_view(app);

	if (view != NULL && view->stream >= 0 && !app->settings->is_observing) {
		bh_link_keys(app->link, (uint16_t)view->stream, keys);
		app->echo_until_ms = now_ms + ECHO_MS;
	}
}

static void take_bytes(struct bh_app *app, struct bh_span keys, uint64_t now_ms)
{
	if (app->question.state == BH_QUESTION_OPEN) {
		take_question_keys(app, keys, now_ms);
	} else if (app->is_help) {
		close_own(app);
	} else {
		send_keys(app, keys, now_ms);
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
		bh_app_say(app, now_ms, "you only look here (--observe): C-b d detaches");
		return;
	}
	request = bh_action_request(&app->model, row->action, key, app->settings->environ);
	if (request.method == NULL) {
		bh_app_say(app, now_ms,
		           row->action == BH_ACTION_NEXT_NEEDING ? "no agent needs you now"
		                                                 : "there is no pane here");
		return;
	}
	if (row->action >= BH_ACTION_RESIZE_LEFT && row->action <= BH_ACTION_RESIZE_DOWN) {
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
	app->wants_sidebar = !app->wants_sidebar;
	bh_app_take_size(app, true);
}

static void do_prefix(struct bh_app *app)
{
	send_keys(app, bh_span_of("\x02"), bh_clock_mono_ms());
}

static void do_help(struct bh_app *app)
{
	app->is_help = true;
}

/** What the UI does itself; all else is a request. */
static const struct {
	enum bh_action action;
	void (*run)(struct bh_app *app);
} own_actions[] = {
	{BH_ACTION_TAB_RENAME, ask_name},  {BH_ACTION_SIDEBAR, do_sidebar},
	{BH_ACTION_REDRAW, bh_app_redraw}, {BH_ACTION_SEND_PREFIX, do_prefix},
	{BH_ACTION_DETACH, do_detach},     {BH_ACTION_HELP, do_help},
};

static void do_action(struct bh_app *app, const struct bh_key_row *row, uint32_t key,
                      uint64_t now_ms)
{
	for (size_t i = 0; i < sizeof(own_actions) / sizeof(own_actions[0]); i++) {
		if (own_actions[i].action == row->action) {
			own_actions[i].run(app);
			return;
		}
	}
	do_request(app, row, key, now_ms);
}

static void take_command(struct bh_app *app, const struct bh_input_event *event, uint64_t now_ms)
{
	const struct bh_key_row *row = bh_keytable_find(event->key, event->is_control);

	app->message_until_ms = 0;
	close_own(app);
	if (row != NULL) {
		do_action(app, row, event->key, now_ms);
	} else {
		bh_app_say(app, now_ms,
		           "that key does nothing after C-b; C-b ? lists those that do");
	}
}

void bh_app_take_input(struct bh_app *app, uint64_t now_ms)
{
	struct bh_input_event event;
	const struct bh_screen *screen = bh_app_focus_screen(app);

	app->input.is_paste_plain =
		bh_app_is_ours(app) ||
		(screen != NULL && !bh_screen_mode(screen, BH_SCREEN_MODE_BRACKETED_PASTE));
	while (!app->is_done && bh_input_next(&app->input, now_ms, &event)) {
		switch (event.kind) {
		case BH_INPUT_BYTES:
			take_bytes(app, event.bytes, now_ms);
			break;
		case BH_INPUT_PREFIX_SEEN:
			app->is_dirty = true;
			break;
		case BH_INPUT_FOCUS:
			send_keys(app, bh_span_of(event.key == 'I' ? "\x1b[I" : "\x1b[O"), now_ms);
			break;
		case BH_INPUT_COMMAND:
			take_command(app, &event, now_ms);
			break;
		}
	}
}
