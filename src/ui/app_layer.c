#include "src/ui/app_layer.h"
#include "src/base/mem.h"
#include "src/ui/app_state.h"
#include "src/ui/pass.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------- what a layer asks for

static bool host_request(void *user, const char *method, cJSON *params)
{
	struct bh_app_slot *slot = user;

	slot->app->asked_at_ms = slot->app->now_ms;
	if (bh_link_request_for(slot->app->link, slot->number, method, params)) {
		bh_gate_sent(&slot->app->gate, method);
		return true;
	}
	bh_app_say(slot->app, slot->app->now_ms, "the server does not answer now; try again");
	return false;
}

static void host_say(void *user, const char *text)
{
	struct bh_app_slot *slot = user;

	bh_app_say(slot->app, slot->app->now_ms, text);
}

static void host_yank(void *user, struct bh_span text)
{
	struct bh_app_slot *slot = user;

	bh_app_yank(slot->app, text);
}

static void host_redraw(void *user)
{
	struct bh_app_slot *slot = user;

	slot->app->is_dirty = true;
}

static void host_close(void *user)
{
	struct bh_app_slot *slot = user;

	slot->is_closing = true;
	slot->app->is_dirty = true;
}

// -------------------------------------------------------------------------------- the slots

struct bh_app_slot *bh_app_slot_new(struct bh_app *app)
{
	struct bh_app_slot *slot = bh_xmalloc(sizeof(*slot));

	*slot = (struct bh_app_slot){.app = app, .number = ++app->last_slot};
	slot->host = (struct bh_layer_host){.user = slot,
	                                    .request = host_request,
	                                    .say = host_say,
	                                    .yank = host_yank,
	                                    .redraw = host_redraw,
	                                    .close = host_close};
	return slot;
}

static void slot_free(struct bh_app_slot *slot)
{
	if (slot->layer != NULL) {
		slot->layer->ops->free(slot->layer);
	}
	free(slot);
}

static void slot_remove(struct bh_app *app, size_t index)
{
	struct bh_app_slot *slot = app->slots[index];

	memmove(&app->slots[index], &app->slots[index + 1],
	        (app->slot_count - index - 1) * sizeof(*app->slots));
	app->slot_count--;
	app->is_dirty = true;
	slot_free(slot);
}

/** Take those away that have asked for it. Never while a function of a layer runs. */
static void reap(struct bh_app *app)
{
	for (size_t i = app->slot_count; i-- > 0;) {
		if (app->slots[i]->is_closing) {
			slot_remove(app, i);
		}
	}
}

static struct bh_app_slot *slot_find(const struct bh_app *app, const char *terminal_id)
{
	for (size_t i = 0; i < app->slot_count; i++) {
		if (strcmp(app->slots[i]->layer->terminal_id, terminal_id) == 0) {
			return app->slots[i];
		}
	}
	return NULL;
}

void bh_app_slot_show(struct bh_app_slot *slot, struct bh_layer *layer)
{
	struct bh_app *app = slot->app;

	slot->layer = layer;
	if (layer == NULL || slot->is_closing) {
		slot_free(slot);
		return;
	}
	for (size_t i = app->slot_count; i-- > 0;) {
		if (strcmp(app->slots[i]->layer->terminal_id, layer->terminal_id) == 0) {
			app->slots[i]->is_closing = true; // the new one stands in its place
		}
	}
	reap(app);
	layer->host = &slot->host;
	app->slots = bh_xrealloc(app->slots, app->slot_count + 1, sizeof(struct bh_app_slot *));
	app->slots[app->slot_count++] = slot;
	app->is_dirty = true;
	if (layer->terminal_id[0] != '\0') {
		const struct bh_view *view = bh_viewer_find(&app->viewer, layer->terminal_id);

		bh_app_layer_screen(app, layer->terminal_id,
		                    view == NULL ? NULL : view->feed.screen);
	}
}

struct bh_layer *bh_app_layer_of(const struct bh_app *app, const char *terminal_id)
{
	const struct bh_app_slot *slot = slot_find(app, terminal_id);

	return slot == NULL ? NULL : slot->layer;
}

struct bh_layer *bh_app_layer(const struct bh_app *app)
{
	const struct bh_model_pane *pane = bh_model_focus(&app->model);
	struct bh_layer *layer = bh_app_layer_of(app, "");

	return layer != NULL || pane == NULL ? layer : bh_app_layer_of(app, pane->terminal_id);
}

void bh_app_layer_close(struct bh_app *app, const char *terminal_id)
{
	struct bh_app_slot *slot = slot_find(app, terminal_id);

	if (slot != NULL) {
		slot->is_closing = true;
		reap(app);
	}
}

void bh_app_layers_clear(struct bh_app *app)
{
	while (app->slot_count > 0) {
		slot_remove(app, app->slot_count - 1);
	}
	free(app->slots);
	app->slots = NULL;
}

void bh_app_layers_follow(struct bh_app *app)
{
	for (size_t i = 0; i < app->slot_count; i++) {
		const char *id = app->slots[i]->layer->terminal_id;

		if (id[0] != '\0' && bh_model_terminal(&app->model, id) == NULL) {
			app->slots[i]->is_closing = true;
		}
	}
	reap(app);
}

// --------------------------------------------------------------------- what a layer is told

void bh_app_layer_key(struct bh_app *app, const struct bh_layer_key *key)
{
	struct bh_layer *layer = bh_app_layer(app);

	if (layer != NULL) {
		layer->ops->key(layer, key);
		reap(app);
	}
}

void bh_app_layer_paste(struct bh_app *app, struct bh_span text)
{
	struct bh_layer *layer = bh_app_layer(app);

	if (layer != NULL && layer->ops->paste != NULL) {
		layer->ops->paste(layer, text);
		reap(app);
	}
}

// Where it stands; 0 rows when it is not seen.
static struct bh_draw_rect layer_rect(struct bh_app *app, const struct bh_layer *layer)
{
	const struct bh_model_pane *pane =
		bh_model_pane_of(bh_model_active(&app->model), layer->terminal_id);
	struct bh_scene scene = bh_app_scene(app);

	if (layer->terminal_id[0] == '\0') {
		return app->place.area;
	}
	if (pane == NULL || !pane->is_visible) {
		return (struct bh_draw_rect){0};
	}
	return bh_scene_pane_rect(&scene, bh_scene_origin(&scene), pane);
}

void bh_app_layer_mouse(struct bh_app *app, struct bh_layer *layer,
                        const struct bh_layer_mouse *mouse)
{
	if (layer->ops->mouse != NULL) {
		layer->ops->mouse(layer, mouse, layer_rect(app, layer));
		reap(app);
	}
}

void bh_app_layer_result(struct bh_app *app, const struct bh_link_event *event)
{
	for (size_t i = 0; i < app->slot_count; i++) {
		struct bh_layer *layer = app->slots[i]->layer;

		if (app->slots[i]->number != event->asker) {
			continue;
		}
		if (layer->ops->result != NULL) {
			layer->ops->result(layer, event->method, event->params, event->result,
			                   event->message);
		} else if (event->result == NULL) {
			bh_app_say(app, app->now_ms, event->message);
		}
		break;
	}
	reap(app);
}

void bh_app_layer_screen(struct bh_app *app, const char *terminal_id,
                         const struct bh_screen *screen)
{
	struct bh_layer *layer = bh_app_layer_of(app, terminal_id);

	if (layer != NULL && screen != NULL && layer->ops->screen != NULL) {
		layer->ops->screen(layer, screen);
		reap(app);
	}
}

void bh_app_layers_changed(struct bh_app *app)
{
	for (size_t i = 0; i < app->slot_count; i++) {
		struct bh_layer *layer = app->slots[i]->layer;

		if (layer->ops->changed != NULL) {
			layer->ops->changed(layer);
		}
	}
	reap(app);
}

uint64_t bh_app_layers_due_ms(const struct bh_app *app)
{
	uint64_t due_ms = 0;

	for (size_t i = 0; i < app->slot_count; i++) {
		const struct bh_layer *layer = app->slots[i]->layer;
		uint64_t at_ms = layer->ops->due_ms == NULL ? 0 : layer->ops->due_ms(layer);

		due_ms = at_ms != 0 && (due_ms == 0 || at_ms < due_ms) ? at_ms : due_ms;
	}
	return due_ms;
}

void bh_app_layers_tick(struct bh_app *app)
{
	for (size_t i = 0; i < app->slot_count; i++) {
		struct bh_layer *layer = app->slots[i]->layer;
		uint64_t at_ms = layer->ops->due_ms == NULL ? 0 : layer->ops->due_ms(layer);

		if (at_ms != 0 && at_ms <= app->now_ms) {
			layer->ops->tick(layer, app->now_ms);
		}
	}
	reap(app);
}

// ---------------------------------------------------------------------------------- drawing

static void draw_layer(struct bh_app *app, const struct bh_scene *scene,
                       const struct bh_layer *layer)
{
	struct bh_draw_rect rect = layer_rect(app, layer);

	if (rect.rows > 0 && rect.cols > 0) {
		layer->ops->draw(layer, app->draw, scene, rect);
	}
}

void bh_app_layers_draw(struct bh_app *app, const struct bh_scene *scene)
{
	const struct bh_layer *top = bh_app_layer(app);

	for (size_t i = 0; i < app->slot_count; i++) {
		if (app->slots[i]->layer != top) {
			draw_layer(app, scene, app->slots[i]->layer);
		}
	}
	// The cursor is that of what takes the keys.
	bh_scene_draw_cursor(app->draw, scene);
	if (top != NULL) {
		draw_layer(app, scene, top);
	}
}
