// Copy mode over a pane, and what becomes of what was copied.
#include "src/ui/app_copy.h"

#include "src/ui/app_layer.h"
#include "src/ui/app_state.h"
#include "src/ui/copykeys.h"
#include "src/ui/copymode.h"
#include "src/ui/pass.h"
#include "term/strip.h"

#include <stdio.h>
#include <stdlib.h>

/** The longest text for the clipboard of the person's terminal (bytes): terminals refuse more, and
 * slow lines would be busy with it. */
#define CLIPBOARD_MAX (768 * 1024)
/** The longest paste (bytes): what the server keeps for a program that reads slowly. */
#define PASTE_MAX (1024 * 1024)

void bh_app_yank(struct bh_app *app, struct bh_span text)
{
	struct bh_buf out = {0};

	bh_buf_clear(&app->yanked);
	bh_buf_append(&app->yanked, text.data, text.len);
	if (text.len > CLIPBOARD_MAX) {
		bh_app_say(app, app->now_ms,
		           "copied, but too much for the clipboard of your terminal");
		return;
	}
	bh_pass_yank(text, &out);
	bh_tty_put(&app->tty, (struct bh_span){.data = out.data, .len = out.len});
	bh_buf_clear(&out);
}

/** The person's editor, or NULL. */
static const char *editor_of(const struct bh_app *app)
{
	const cJSON *visual = cJSON_GetObjectItemCaseSensitive(app->settings->environ, "VISUAL");
	const cJSON *editor = cJSON_GetObjectItemCaseSensitive(app->settings->environ, "EDITOR");

	return cJSON_GetStringValue(visual != NULL ? visual : editor);
}

struct bh_layer *bh_app_copy_mode(struct bh_app *app, const char *terminal_id)
{
	struct bh_layer *layer = bh_app_layer_of(app, terminal_id);
	const struct bh_view *view = bh_viewer_find(&app->viewer, terminal_id);
	struct bh_copymode_settings settings = {
		.is_emacs = bh_copykeys_is_emacs(app->config.mode_keys, editor_of(app))};
	struct bh_app_slot *slot = NULL;

	if (layer != NULL) {
		return layer;
	}
	if (view == NULL || view->feed.screen == NULL) {
		bh_app_say(app, app->now_ms, "there is nothing to copy from here yet");
		return NULL;
	}
	slot = bh_app_slot_new(app);
	layer = bh_copymode_new(&slot->host, terminal_id, view->feed.screen, &settings);
	bh_app_slot_show(slot, layer);
	return layer;
}

/** Copy mode over the pane in focus, or NULL. */
static struct bh_layer *begin(struct bh_app *app)
{
	const struct bh_model_pane *pane = bh_model_focus(&app->model);

	if (pane == NULL) {
		bh_app_say(app, app->now_ms, "there is no pane here");
		return NULL;
	}
	return bh_app_copy_mode(app, pane->terminal_id);
}

void bh_app_begin_copy(struct bh_app *app)
{
	(void)begin(app); // the person was told
}

void bh_app_copy_page_up(struct bh_app *app)
{
	struct bh_layer_key key = {.key = BH_KEY_PAGE_UP};

	if (begin(app) != NULL) {
		bh_app_layer_key(app, &key);
	}
}

/** As a terminal pastes: lines end with Return. */
static void add_lines(struct bh_buf *out, const char *text, size_t len)
{
	size_t from = out->len;

	bh_buf_append(out, text, len);
	for (size_t i = from; i < out->len; i++) {
		if (out->data[i] == '\n') {
			out->data[i] = '\r';
		}
	}
}

void bh_app_paste_yanked(struct bh_app *app)
{
	const struct bh_screen *screen = bh_app_focus_screen(app);
	bool is_marked = screen != NULL && bh_screen_mode(screen, BH_SCREEN_MODE_BRACKETED_PASTE);
	struct bh_buf out = {0};
	size_t len = 0;
	char *text = NULL;

	if (app->yanked.len == 0) {
		bh_app_say(app, app->now_ms, "nothing was copied yet");
		return;
	}
	if (app->yanked.len > PASTE_MAX) {
		bh_app_say(app, app->now_ms, "what was copied is too much to paste (1 MiB)");
		return;
	}
	text = bh_strip_message(app->yanked.data, app->yanked.len, &len);
	bh_buf_puts(&out, is_marked ? "\x1b[200~" : "");
	add_lines(&out, text, len);
	bh_buf_puts(&out, is_marked ? "\x1b[201~" : "");
	bh_app_send_keys(app, (struct bh_span){.data = out.data, .len = out.len}, app->now_ms);
	bh_buf_clear(&out);
	free(text);
}
