#include "src/ui/viewer.h"

#include "src/base/frame.h"
#include "src/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Of a stream that was asked for; of one to ask for; of one whose terminal has ended. */
#define STREAM_ASKED (-1)
#define STREAM_NONE (-2)
#define STREAM_OVER (-3)

void bh_viewer_clear(struct bh_viewer *viewer)
{
	for (size_t i = 0; i < viewer->count; i++) {
		bh_feed_clear(&viewer->views[i].feed);
		bh_typed_clear(&viewer->views[i].typed);
	}
	free(viewer->views);
	viewer->views = NULL;
	viewer->count = 0;
}

static void ask(struct bh_viewer *viewer, struct bh_view *view, struct bh_link *link)
{
	cJSON *params = cJSON_CreateObject();

	view->stream = STREAM_ASKED;
	(void)cJSON_AddStringToObject(params, "name", view->terminal_id);
	(void)cJSON_AddBoolToObject(params, "newest", true);
	if (viewer->is_observing) {
		(void)cJSON_AddBoolToObject(params, "observe", true);
	} else {
		// Sizes are the layout's business.
		(void)cJSON_AddBoolToObject(params, "resize", false);
		if (viewer->token[0] == '\0') {
			struct bh_uuid token = bh_uuid_new();

			(void)bh_uuid_format(&token, viewer->token);
		}
		(void)cJSON_AddStringToObject(params, "input_token", viewer->token);
	}
	// One too many: asked for with the next change.
	if (!bh_link_request(link, "terminal.attach", params)) {
		view->stream = STREAM_NONE;
	}
}

static void detach(struct bh_link *link, int stream)
{
	cJSON *params = cJSON_CreateObject();

	(void)cJSON_AddNumberToObject(params, "stream", stream);
	(void)bh_link_request(link, "terminal.detach", params);
}

void bh_viewer_restart(struct bh_viewer *viewer)
{
	for (size_t i = 0; i < viewer->count; i++) {
		viewer->views[i].stream = STREAM_NONE;
	}
}

static void view_remove(struct bh_viewer *viewer, size_t index, struct bh_link *link)
{
	struct bh_view *view = &viewer->views[index];

	if (view->stream >= 0) {
		detach(link, view->stream);
	}
	bh_feed_clear(&view->feed);
	bh_typed_clear(&view->typed);
	*view = viewer->views[--viewer->count];
}

static void view_add(struct bh_viewer *viewer, const char *terminal_id, struct bh_link *link)
{
	struct bh_view *view = NULL;

	viewer->views = bh_xrealloc(viewer->views, viewer->count + 1, sizeof(*viewer->views));
	view = &viewer->views[viewer->count++];
	*view = (struct bh_view){0};
	(void)snprintf(view->terminal_id, sizeof(view->terminal_id), "%s", terminal_id);
	ask(viewer, view, link);
}

void bh_viewer_follow(struct bh_viewer *viewer, const struct bh_model *model, struct bh_link *link)
{
	const struct bh_model_tab *tab = bh_model_active(model);

	for (size_t i = viewer->count; i-- > 0;) {
		if (!bh_model_is_seen(model, viewer->views[i].terminal_id)) {
			view_remove(viewer, i, link);
		} else if (viewer->views[i].stream == STREAM_NONE) {
			ask(viewer, &viewer->views[i], link);
		}
	}
	for (size_t i = 0; tab != NULL && i < tab->pane_count; i++) {
		const struct bh_model_pane *pane = &tab->panes[i];

		if (pane->is_visible && bh_viewer_find(viewer, pane->terminal_id) == NULL) {
			view_add(viewer, pane->terminal_id, link);
		}
	}
}

void bh_viewer_opened(struct bh_viewer *viewer, const cJSON *params, const cJSON *result,
                      struct bh_link *link)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(params, "name");
	const cJSON *stream = cJSON_GetObjectItemCaseSensitive(result, "stream");
	struct bh_view *view =
		cJSON_IsString(name) ? bh_viewer_find(viewer, name->valuestring) : NULL;

	if (!cJSON_IsNumber(stream) || stream->valueint < 0 || stream->valueint > UINT16_MAX) {
		return;
	}
	if (view != NULL && view->stream == STREAM_ASKED) {
		view->stream = stream->valueint;
		bh_link_keys(link, (uint16_t)view->stream, bh_typed_resume(&view->typed, result));
	} else {
		// The pane left the view before the answer came.
		detach(link, stream->valueint);
	}
}

void bh_viewer_refused(struct bh_viewer *viewer, const cJSON *params)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(params, "name");
	struct bh_view *view =
		cJSON_IsString(name) ? bh_viewer_find(viewer, name->valuestring) : NULL;

	if (view != NULL && view->stream == STREAM_ASKED) {
		view->stream = STREAM_NONE;
	}
}

struct bh_view *bh_viewer_take(struct bh_viewer *viewer, const struct bh_conn_item *frame,
                               uint64_t now_ms, int *rc_out)
{
	*rc_out = 0;
	for (size_t i = 0; i < viewer->count; i++) {
		struct bh_view *view = &viewer->views[i];

		if (view->stream == frame->stream) {
			*rc_out = bh_feed_take(&view->feed, frame, now_ms);
			if (frame->type == BH_FRAME_EXIT) {
				view->stream = STREAM_OVER; // its number is another's now
			}
			return view;
		}
	}
	return NULL;
}

void bh_viewer_keys(struct bh_view *view, struct bh_span keys, struct bh_link *link)
{
	bool is_open = view->stream >= 0 && bh_link_is_open(link);

	if (view->stream != STREAM_OVER) {
		bh_typed_add(&view->typed, keys, is_open);
	}
	if (is_open) {
		bh_link_keys(link, (uint16_t)view->stream, keys);
	}
}

void bh_viewer_forget_keys(struct bh_viewer *viewer)
{
	for (size_t i = 0; i < viewer->count; i++) {
		bh_typed_forget(&viewer->views[i].typed);
	}
}

struct bh_view *bh_viewer_find(const struct bh_viewer *viewer, const char *terminal_id)
{
	for (size_t i = 0; i < viewer->count; i++) {
		if (strcmp(viewer->views[i].terminal_id, terminal_id) == 0) {
			return &viewer->views[i];
		}
	}
	return NULL;
}

bool bh_viewer_is_opening(const struct bh_view *view)
{
	return view->stream == STREAM_ASKED;
}

bool bh_viewer_is_waiting(const struct bh_viewer *viewer)
{
	for (size_t i = 0; i < viewer->count; i++) {
		if (viewer->views[i].feed.screen == NULL) {
			return true;
		}
	}
	return false;
}

void bh_viewer_tick(struct bh_viewer *viewer, uint64_t now_ms)
{
	for (size_t i = 0; i < viewer->count; i++) {
		if (viewer->views[i].feed.screen != NULL) {
			bh_screen_tick(viewer->views[i].feed.screen, now_ms);
		}
	}
}

uint64_t bh_viewer_due_ms(const struct bh_viewer *viewer)
{
	uint64_t due_ms = 0;

	for (size_t i = 0; i < viewer->count; i++) {
		const struct bh_screen *screen = viewer->views[i].feed.screen;
		uint64_t at_ms = screen == NULL ? 0 : bh_screen_tick_due_ms(screen);

		if (at_ms != 0 && (due_ms == 0 || at_ms < due_ms)) {
			due_ms = at_ms;
		}
	}
	return due_ms;
}
