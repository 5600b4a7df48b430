#include "src/ui/sessionpicker.h"

#include "src/base/mem.h"
#include "src/base/paths.h"
#include "src/ui/panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sessionpicker {
	struct bh_layer layer;
	struct bh_sessions sessions;
	char current[BH_SESSIONS_NAME];
	/** The row that is chosen, of those that the filter leaves. */
	size_t at;
	/** What is looked for, or the name of a new one. */
	char filter[BH_SESSIONS_NAME];
	bh_sessionpicker_go *go;
	void *user;
};

static const struct bh_draw_style plain = {0};
static const struct bh_draw_style dim = {.attrs = BH_ATTR_DIM};

/** The @index-th session that the filter leaves, or NULL. */
static const struct bh_sessions_item *item_at(const struct sessionpicker *picker, size_t index)
{
	for (size_t i = 0; i < picker->sessions.count; i++) {
		const struct bh_sessions_item *item = &picker->sessions.items[i];

		if (bh_panel_matches(item->name, picker->filter) && index-- == 0) {
			return item;
		}
	}
	return NULL;
}

/** Whether what was typed can be a session that there is not yet. */
static bool has_new(const struct sessionpicker *picker)
{
	return bh_paths_is_session(picker->filter) &&
	       bh_sessions_named(&picker->sessions, picker->filter) == NULL;
}

/** The rows: sessions, and behind them the new one. */
static struct bh_panel_list list_of(const struct sessionpicker *picker)
{
	struct bh_panel_list list = {.at = picker->at};

	while (item_at(picker, list.count) != NULL) {
		list.count++;
	}
	list.count += has_new(picker);
	list.at = list.at < list.count ? list.at : 0;
	return list;
}

static void row_text(const struct sessionpicker *picker, size_t index, char *out, size_t size)
{
	const struct bh_sessions_item *item = item_at(picker, index);

	if (item == NULL) {
		(void)snprintf(out, size, "begin a session %s", picker->filter);
	} else {
		(void)snprintf(out, size, "%s%s", item->name,
		               strcmp(item->name, picker->current) == 0 ? " *"
		               : item->is_running                       ? ""
		                                  : " (no server: it is started anew)");
	}
}

static void go_to(struct sessionpicker *picker, size_t index)
{
	const struct bh_layer_host *host = picker->layer.host;
	const struct bh_sessions_item *item = item_at(picker, index);

	if (item != NULL) {
		picker->go(picker->user, item->name);
	} else if (has_new(picker)) {
		picker->go(picker->user, picker->filter);
	} else {
		return;
	}
	host->close(host->user);
}

static void sessionpicker_draw(const struct bh_layer *layer, struct bh_draw *draw,
                               const struct bh_scene *scene, struct bh_draw_rect rect)
{
	const struct sessionpicker *picker = (const struct sessionpicker *)layer;
	struct bh_panel_list list = list_of(picker);
	struct bh_draw_rect body;
	struct bh_draw_rect line;
	char title[128];
	char text[BH_SESSIONS_NAME + 64];

	(void)scene;
	bh_panel_title("sessions", picker->filter, title, sizeof(title));
	body = bh_panel_draw(draw, rect, title, "type a name   Enter goes   Escape closes");
	bh_panel_cursor(draw, rect, title);
	for (size_t i = 0; i < list.count; i++) {
		if (bh_panel_row(draw, body, &list, i, &line)) {
			row_text(picker, i, text, sizeof(text));
			(void)bh_draw_text(draw, line.row, line.col, line.cols, text,
			                   bh_panel_style(&list, i, plain));
		}
	}
	if (list.count == 0) {
		(void)bh_draw_text(draw, body.row, body.col, body.cols,
		                   "no session has this in its name, and none can be called so",
		                   dim);
	}
}

static void sessionpicker_key(struct bh_layer *layer, const struct bh_layer_key *key)
{
	struct sessionpicker *picker = (struct sessionpicker *)layer;
	struct bh_panel_list list = list_of(picker);

	if (bh_panel_is_leave(key)) {
		layer->host->close(layer->host->user);
		return;
	}
	if (key->key == '\r') {
		go_to(picker, list.at);
	} else if (bh_panel_key(&list, key, false)) {
		picker->at = list.at;
	} else if (bh_panel_edit(picker->filter, sizeof(picker->filter), key)) {
		picker->at = 0;
	}
	layer->host->redraw(layer->host->user);
}

static void sessionpicker_paste(struct bh_layer *layer, struct bh_span text)
{
	struct sessionpicker *picker = (struct sessionpicker *)layer;

	if (bh_panel_paste(picker->filter, sizeof(picker->filter), text)) {
		picker->at = 0;
		layer->host->redraw(layer->host->user);
	}
}

static void sessionpicker_mouse(struct bh_layer *layer, const struct bh_layer_mouse *mouse,
                                struct bh_draw_rect rect)
{
	struct sessionpicker *picker = (struct sessionpicker *)layer;
	struct bh_panel_list list = list_of(picker);

	if (bh_panel_mouse(&list, mouse, bh_panel_body(rect))) {
		go_to(picker, list.at);
	}
	picker->at = list.at;
	layer->host->redraw(layer->host->user);
}

static void sessionpicker_free(struct bh_layer *layer)
{
	bh_sessions_clear(&((struct sessionpicker *)layer)->sessions);
	free(layer);
}

static const struct bh_layer_ops ops = {
	.name = "the list of sessions",
	.draw = sessionpicker_draw,
	.key = sessionpicker_key,
	.paste = sessionpicker_paste,
	.mouse = sessionpicker_mouse,
	.free = sessionpicker_free,
};

struct bh_layer *bh_sessionpicker_new(const struct bh_layer_host *host,
                                      struct bh_sessions *sessions, const char *current,
                                      bh_sessionpicker_go *go, void *user)
{
	struct sessionpicker *picker = bh_xcalloc(1, sizeof(*picker));

	picker->layer.ops = &ops;
	picker->layer.host = host;
	picker->sessions = *sessions;
	*sessions = (struct bh_sessions){0};
	picker->go = go;
	picker->user = user;
	(void)snprintf(picker->current, sizeof(picker->current), "%s", current);
	for (size_t i = 0; i < picker->sessions.count; i++) {
		if (strcmp(picker->sessions.items[i].name, current) == 0) {
			picker->at = i;
		}
	}
	return &picker->layer;
}
