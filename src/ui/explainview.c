#include "src/ui/explainview.h"

#include "src/base/mem.h"
#include "src/ui/panel.h"
#include "src/ui/textview.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Lines of a notch of the wheel. */
#define WHEEL_LINES 3

struct explainview {
	struct bh_layer layer;
	/** Whom it is about. */
	char terminal[BH_MODEL_ID];
	char identity[BH_MODEL_NAME];
	struct bh_textview *text;
	const struct bh_model *model;
	/** The news of the terminal that the last question was asked after; 0: it has ended. */
	uint64_t news;
	/** An answer is to come, and there are news since it was asked for. */
	bool is_asking, is_stale;
};

static uint64_t news_of(const struct explainview *explain)
{
	const struct bh_model_terminal *terminal =
		bh_model_terminal(explain->model, explain->terminal);

	return terminal == NULL ? 0 : terminal->news;
}

/** One question at a time, however much happens. */
static void ask(struct explainview *explain)
{
	cJSON *params = NULL;

	explain->is_stale = explain->is_asking;
	if (explain->is_asking) {
		return;
	}
	params = cJSON_CreateObject();
	(void)cJSON_AddStringToObject(params, "name", explain->terminal);
	explain->news = news_of(explain);
	explain->is_asking =
		explain->layer.host->request(explain->layer.host->user, "terminal.explain", params);
}

static void explainview_changed(struct bh_layer *layer)
{
	struct explainview *explain = (struct explainview *)layer;

	if (news_of(explain) != explain->news) {
		ask(explain);
	}
}

static void explainview_draw(const struct bh_layer *layer, struct bh_draw *draw,
                             const struct bh_scene *scene, struct bh_draw_rect rect)
{
	const struct explainview *explain = (const struct explainview *)layer;
	char title[BH_MODEL_NAME + 64];

	(void)scene;
	(void)snprintf(title, sizeof(title), "why %s is in its state", explain->identity);
	bh_textview_draw(explain->text, draw,
	                 bh_panel_draw(draw, rect, title, "r look again   ↑↓ scroll   q closes"));
}

static void explainview_key(struct bh_layer *layer, const struct bh_layer_key *key)
{
	struct explainview *explain = (struct explainview *)layer;

	if (bh_panel_is_leave(key) || key->key == 'q' || key->key == '\r') {
		layer->host->close(layer->host->user);
		return;
	}
	if (key->key == 'r') {
		ask(explain);
	} else {
		(void)bh_textview_key(explain->text, key);
	}
	layer->host->redraw(layer->host->user);
}

static void explainview_mouse(struct bh_layer *layer, const struct bh_layer_mouse *mouse,
                              struct bh_draw_rect rect)
{
	(void)rect;
	if (mouse->kind == BH_MOUSE_WHEEL_UP || mouse->kind == BH_MOUSE_WHEEL_DOWN) {
		bh_textview_scroll(((struct explainview *)layer)->text,
		                   mouse->kind == BH_MOUSE_WHEEL_UP ? -WHEEL_LINES : WHEEL_LINES);
		layer->host->redraw(layer->host->user);
	}
}

static void explainview_result(struct bh_layer *layer, const char *method, const cJSON *params,
                               const cJSON *result, const char *message)
{
	struct explainview *explain = (struct explainview *)layer;
	const cJSON *text = cJSON_GetObjectItemCaseSensitive(result, "text");

	(void)method;
	(void)params;
	if (result == NULL) {
		bh_textview_set(explain->text, message);
	} else {
		bh_textview_set(explain->text,
		                cJSON_IsString(text) ? text->valuestring : "nothing is known");
	}
	explain->is_asking = false;
	if (explain->is_stale) {
		ask(explain);
	}
	layer->host->redraw(layer->host->user);
}

static void explainview_free(struct bh_layer *layer)
{
	bh_textview_free(((struct explainview *)layer)->text);
	free(layer);
}

static const struct bh_layer_ops ops = {
	.name = "explain",
	.draw = explainview_draw,
	.key = explainview_key,
	.mouse = explainview_mouse,
	.result = explainview_result,
	.changed = explainview_changed,
	.free = explainview_free,
};

struct bh_layer *bh_explainview_new(const struct bh_layer_host *host, const struct bh_model *model,
                                    const char *id, const char *identity)
{
	struct explainview *explain = bh_xcalloc(1, sizeof(*explain));

	explain->layer.ops = &ops;
	explain->layer.host = host;
	explain->model = model;
	explain->text = bh_textview_new();
	(void)snprintf(explain->terminal, sizeof(explain->terminal), "%s", id);
	(void)snprintf(explain->identity, sizeof(explain->identity), "%s", identity);
	bh_textview_set(explain->text, "...");
	ask(explain);
	return &explain->layer;
}
