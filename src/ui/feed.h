/** @file
 * The screen of one terminal as its stream of frames draws it. Pure.
 */
#ifndef BH_UI_FEED_H
#define BH_UI_FEED_H

#include "src/client/conn.h"
#include "term/screen.h"

#include <stdbool.h>
#include <stdint.h>

/** One stream. Zero-initialise; end with bh_feed_clear(). */
struct bh_feed {
	/** The screen, NULL before the first snapshot. Replaced by every snapshot. */
	struct bh_screen *screen;
	/** Another one that rang, notified or set the clipboard, of which nobody may have heard: output
	 * was left out, or its screen replaced. The user of it clears it, bh_feed_take_aside(). NULL:
	 * none. */
	struct bh_screen *aside;
	/** The server's note for the border ("typing mail"), "" for none. */
	char note[256];
	/** A snapshot, size, note or end came; the user of it clears it. */
	bool has_news;
	/** Its program has ended, with this wait status. */
	bool is_over;
	int32_t status;
};

/** Free; usable again. */
void bh_feed_clear(struct bh_feed *feed);

/** Take a frame of the stream. 0, or BH_EPROTOCOL: no server of ours sends this. */
int bh_feed_take(struct bh_feed *feed, const struct bh_conn_item *item, uint64_t now_ms);

/** Take `aside`, and what changed there; the caller frees the screen. NULL: there is none. */
struct bh_screen *bh_feed_take_aside(struct bh_feed *feed, uint32_t *changes_out);

#endif
