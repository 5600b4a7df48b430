// What goes past the screens to the person's terminal: bells, notifications, clipboard.
#include "src/ui/app_state.h"
#include "src/ui/errand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** How long a program's text waits to be let into the clipboard (ms). */
#define CLIPBOARD_MS 60000

/** Whoever does not read it now has missed it. */
static void put(struct bh_app *app, struct bh_buf *out)
{
	if (!bh_tty_is_behind(&app->tty)) {
		bh_tty_put(&app->tty, (struct bh_span){.data = out->data, .len = out->len});
	}
	bh_buf_clear(out);
}

static void ring(struct bh_app *app)
{
	if (bh_attention_bell(&app->attention, app->now_ms) && !bh_tty_is_behind(&app->tty)) {
		bh_tty_put(&app->tty, bh_span_of("\a"));
	}
}

static const char *field_str(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(item) ? item->valuestring : "";
}

// --------------------------------------------------------------------- what programs ask for

void bh_app_hear(struct bh_app *app, const char *method, const cJSON *params)
{
	struct bh_buf out = {0};

	// What is in view rings and notifies by its own output.
	if (bh_viewer_find(&app->viewer, field_str(params, "terminal_id")) != NULL) {
		return;
	}
	if (strcmp(method, "terminal.bell") == 0) {
		ring(app);
	} else if (strcmp(method, "terminal.notification") == 0) {
		bh_pass_note(field_str(params, "title"), field_str(params, "body"), &out);
		put(app, &out);
	}
}

static void clipboard_forget(struct bh_app *app)
{
	bh_buf_clear(&app->offered);
	app->offered_until_ms = 0;
}

/** The program in focus set the clipboard. */
static void take_clipboard(struct bh_app *app, const struct bh_view *view, struct bh_screen *screen)
{
	const struct bh_model_terminal *terminal =
		bh_model_terminal(&app->model, view->terminal_id);
	const char *name = terminal == NULL ? "the program" : terminal->identity;
	char key[BH_BINDINGS_KEY * 2];
	char text[BH_MODEL_TEXT];
	size_t len = 0;
	char *bytes = bh_screen_take_clipboard(screen, &len);

	if (bytes == NULL) {
		return;
	}
	clipboard_forget(app);
	bh_buf_append(&app->offered, bytes, len);
	free(bytes);
	if (app->config.clipboard == BH_CONFIG_CLIPBOARD_ALLOW) {
		bh_app_accept_clipboard(app);
	} else if (app->config.clipboard == BH_CONFIG_CLIPBOARD_DENY) {
		clipboard_forget(app);
	} else {
		// The keys go on to where they went: a question would take what is being typed.
		bh_bindings_hint(&app->bindings, BH_ACTION_ALLOW_CLIPBOARD, key, sizeof(key));
		(void)snprintf(text, sizeof(text),
		               "%s wants to put %zu bytes into your clipboard: %s lets it", name,
		               len, key[0] == '\0' ? ":allow-clipboard" : key);
		app->offered_until_ms = app->now_ms + CLIPBOARD_MS;
		bh_app_say(app, app->now_ms, text);
	}
}

void bh_app_accept_clipboard(struct bh_app *app)
{
	struct bh_buf out = {0};

	if (app->offered.len == 0 ||
	    (app->offered_until_ms != 0 && app->offered_until_ms <= app->now_ms)) {
		clipboard_forget(app);
		bh_app_say(app, app->now_ms,
		           "no program wants to put anything into your clipboard");
		return;
	}
	if (app->offered_until_ms != 0) {
		bh_app_say(app, app->now_ms, "it is in your clipboard");
	}
	bh_pass_yank((struct bh_span){.data = app->offered.data, .len = app->offered.len}, &out);
	put(app, &out);
	clipboard_forget(app);
}

void bh_app_pass(struct bh_app *app, struct bh_view *view, struct bh_screen *screen,
                 uint32_t changes, bool is_focus)
{
	struct bh_buf out = {0};

	if ((changes & BH_SCREEN_CHANGED_BELL) != 0) {
		ring(app);
	}
	if ((changes & BH_SCREEN_CHANGED_NOTIFICATION) != 0) {
		bh_pass_notification(screen, &out);
		put(app, &out);
	}
	if ((changes & BH_SCREEN_CHANGED_CLIPBOARD) != 0 && is_focus &&
	    !app->settings->is_observing) {
		take_clipboard(app, view, screen);
	}
}

// ------------------------------------------------------------------------------ our own

/** Run the person's command for each of those who need one. */
static void run_command(struct bh_app *app, const struct bh_attention_notice *notice)
{
	for (size_t i = 0; i < notice->count; i++) {
		const struct bh_attention_agent *agent = &notice->agents[i];
		struct bh_errand_variable variables[] = {{"BELLHOP_IDENTITY", agent->identity},
		                                         {"BELLHOP_STATE", agent->state},
		                                         {"BELLHOP_TERMINAL", agent->terminal_id}};

		if (bh_errand_run(app->config.notify.command, variables, 3) != 0) {
			bh_app_say(app, app->now_ms, "notify.command could not be started");
			return;
		}
	}
}

void bh_app_tell_attention(struct bh_app *app)
{
	struct bh_attention_notice notice;
	struct bh_buf out = {0};

	if (!bh_attention_take(&app->attention, &app->model, app->now_ms, &notice)) {
		return;
	}
	if (app->config.notify.bell) {
		ring(app);
	}
	if (app->config.notify.osc9) {
		bh_pass_note("", notice.text, &out);
		put(app, &out);
	}
	// Every UI rings where it is; the command is run by the one that was used last.
	if (app->config.notify.command[0] != '\0' && !app->settings->is_observing &&
	    (app->model.latest_client == 0 ||
	     app->model.latest_client == bh_link_number(app->link))) {
		run_command(app, &notice);
	}
}
