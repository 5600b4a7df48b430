/** @file
 * The screens of the panes that are seen: one stream each, opened when the pane comes into view and
 * closed when it leaves. Knows the link, draws nothing.
 */
#ifndef BH_UI_VIEWER_H
#define BH_UI_VIEWER_H

#include "src/base/uuid.h"
#include "src/ui/feed.h"
#include "src/ui/link.h"
#include "src/ui/model.h"
#include "src/ui/typed.h"

#include <stdbool.h>
#include <stdint.h>

/** A pane in view. */
struct bh_view {
	/** Its terminal. */
	char terminal_id[BH_MODEL_ID];
	/** Its stream; less than 0: none yet. */
	int stream;
	struct bh_feed feed;
	/** What was typed into it. */
	struct bh_typed typed;
	/** Its screen has changed since it was drawn; the drawer of it clears it. */
	bool is_changed;
};

/** All of them. Zero-initialise; end with bh_viewer_clear(). */
struct bh_viewer {
	struct bh_view *views;
	size_t count;
	/** Streams are opened for looking only. */
	bool is_observing;
	/** The server knows us by it; made up when the first stream is opened. */
	char token[BH_UUID_TEXT];
};

/** Close all (without telling the server); usable again. */
void bh_viewer_clear(struct bh_viewer *viewer);

/** After a new connection: no stream is open, the screens stay until new ones come. */
void bh_viewer_restart(struct bh_viewer *viewer);

/** Open and close streams so that they are those of the panes in view. */
void bh_viewer_follow(struct bh_viewer *viewer, const struct bh_model *model, struct bh_link *link);

/** The result of a terminal.attach with @params. */
void bh_viewer_opened(struct bh_viewer *viewer, const cJSON *params, const cJSON *result,
                      struct bh_link *link);

/** A terminal.attach with @params was refused: it is asked again with the next follow. */
void bh_viewer_refused(struct bh_viewer *viewer, const cJSON *params);

/** Take a frame. The view it was for, or NULL; @rc_out is that of bh_feed_take(). */
struct bh_view *bh_viewer_take(struct bh_viewer *viewer, const struct bh_conn_item *frame,
                               uint64_t now_ms, int *rc_out);

/** Send keys to a view; or keep them until its stream is open, which without a link is the next one. */
void bh_viewer_keys(struct bh_view *view, struct bh_span keys, struct bh_link *link);

/** Nothing that was typed so far is sent again. */
void bh_viewer_forget_keys(struct bh_viewer *viewer);

/** The view of a terminal, or NULL. */
struct bh_view *bh_viewer_find(const struct bh_viewer *viewer, const char *terminal_id);

/** Whether the stream of a view is being opened: keys for it can go soon. */
bool bh_viewer_is_opening(const struct bh_view *view);

/** Whether a pane in view has no screen yet. */
bool bh_viewer_is_waiting(const struct bh_viewer *viewer);

/** bh_screen_tick() for all. */
void bh_viewer_tick(struct bh_viewer *viewer, uint64_t now_ms);

/** When that is due, 0: not. */
uint64_t bh_viewer_due_ms(const struct bh_viewer *viewer);

#endif
