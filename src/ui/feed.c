#include "src/ui/feed.h"

#include "src/base/frame.h"

#include <stdio.h>
#include <stdlib.h>

void bh_feed_clear(struct bh_feed *feed)
{
	bh_screen_free(feed->screen);
	bh_screen_free(feed->aside);
	*feed = (struct bh_feed){0};
}

/** Keep what output did beside the screen. */
static void take_aside(struct bh_feed *feed, struct bh_span bytes, uint64_t now_ms)
{
	const struct bh_screen_settings settings = {.cols = 2, .rows = 2, .has_no_history = true};

	if (feed->aside == NULL) {
		feed->aside = bh_screen_new(&settings);
	}
	bh_screen_feed(feed->aside, bytes.data, bytes.len, now_ms);
}

struct bh_screen *bh_feed_take_aside(struct bh_feed *feed, uint32_t *changes_out)
{
	struct bh_screen *aside = feed->aside;

	feed->aside = NULL;
	*changes_out = aside == NULL ? 0 : bh_screen_take_changes(aside);
	return aside;
}

/** The screen is to be replaced, perhaps before anybody looked at what it did beside. */
static void keep_aside(struct bh_feed *feed, uint64_t now_ms)
{
	size_t len = 0;
	char *bytes = NULL;

	if (feed->screen != NULL) {
		bytes = bh_screen_aside(feed->screen, bh_screen_take_changes(feed->screen), &len);
	}
	if (bytes != NULL) {
		take_aside(feed, (struct bh_span){.data = bytes, .len = len}, now_ms);
		free(bytes);
	}
}

/** A new screen from a snapshot: also in the middle of a stream, when we were too slow for it. */
static int take_snapshot(struct bh_feed *feed, struct bh_span payload, uint64_t now_ms)
{
	struct bh_frame_snapshot snapshot = {0};
	struct bh_screen_settings settings = {.has_no_history = true};

	if (bh_frame_read_snapshot(payload, &snapshot) != 0) {
		return BH_EPROTOCOL;
	}
	settings.cols = snapshot.size.cols;
	settings.rows = snapshot.size.rows;
	keep_aside(feed, now_ms);
	bh_screen_free(feed->screen);
	feed->screen = bh_screen_new(&settings);
	// No bell rings for what was there before.
	bh_screen_set_replay(feed->screen, true);
	bh_screen_feed(feed->screen, snapshot.repaint.data, snapshot.repaint.len, now_ms);
	bh_screen_set_replay(feed->screen, false);
	feed->has_news = true;
	return 0;
}

static void take_output(struct bh_feed *feed, struct bh_span bytes, uint64_t now_ms)
{
	size_t len = 0;

	if (feed->screen == NULL) {
		return;
	}
	bh_screen_feed(feed->screen, bytes.data, bytes.len, now_ms);
	// The server has answered the program's questions already.
	(void)bh_screen_replies(feed->screen, &len);
	bh_screen_replies_consume(feed->screen, len);
}

static int take_size(struct bh_feed *feed, struct bh_span payload)
{
	struct bh_frame_size size = {0};

	if (bh_frame_read_resize(payload, &size) != 0) {
		return BH_EPROTOCOL;
	}
	if (feed->screen != NULL) {
		bh_screen_resize(feed->screen, size.cols, size.rows);
	}
	feed->has_news = true;
	return 0;
}

int bh_feed_take(struct bh_feed *feed, const struct bh_conn_item *item, uint64_t now_ms)
{
	switch (item->type) {
	case BH_FRAME_SNAPSHOT:
		return take_snapshot(feed, item->bytes, now_ms);
	case BH_FRAME_OUTPUT:
		take_output(feed, item->bytes, now_ms);
		return 0;
	case BH_FRAME_RESIZE:
		return take_size(feed, item->bytes);
	case BH_FRAME_EXIT:
		feed->is_over = bh_frame_read_exit(item->bytes, &feed->status) == 0;
		feed->has_news = true;
		return feed->is_over ? 0 : BH_EPROTOCOL;
	case BH_FRAME_NOTE:
		(void)snprintf(feed->note, sizeof(feed->note), "%.*s", (int)item->bytes.len,
		               item->bytes.data);
		feed->has_news = true;
		return 0;
	case BH_FRAME_ASIDE:
		take_aside(feed, item->bytes, now_ms);
		return 0;
	default:
		return 0; // of a newer server
	}
}
