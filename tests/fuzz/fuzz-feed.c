/**
 * The screen of a client is the screen of the server, whatever comes between: output in any pieces,
 * other sizes, and snapshots in the middle, which the server sends instead of output that a client
 * was too slow for.
 *
 * The input: two bytes of size, then output of a child, with four bytes that no UTF-8 has as
 * commands between. 0xFB: what was not sent yet is dropped and a snapshot sent for it. 0xFC: time
 * passes. 0xFD: what was not sent yet is sent. 0xFE and two bytes: another size.
 */
#include "src/base/buf.h"
#include "src/base/frame.h"
#include "src/ui/feed.h"
#include "term/screen.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	COMMAND_RESYNC = 0xFB,
	COMMAND_TIME = 0xFC,
	COMMAND_SEND = 0xFD,
	COMMAND_SIZE = 0xFE,
	STREAM = 7,
};

struct session {
	struct bh_screen *server;
	struct bh_feed client;
	struct bh_buf unsent; // frames, as the server queues them
	uint64_t now_ms;
};

static uint16_t size_of(uint8_t byte)
{
	return (uint16_t)(2 + byte % 60);
}

static void check_equal(const struct session *session, const char *when)
{
	const char *why;

	if (!bh_screen_equal(session->server, session->client.screen, &why)) {
		(void)fprintf(stderr, "%s: %s differs\n", when, why);
		abort();
	}
}

/** The client gets all frames that are queued; then both must be equal. */
static void deliver(struct session *session, const char *when)
{
	size_t at = 0;

	while (at < session->unsent.len) {
		struct bh_span rest = {session->unsent.data + at, session->unsent.len - at};
		struct bh_frame_unit unit;

		if (bh_frame_split(rest, &unit, NULL) != 0 || unit.kind != BH_FRAME_BINARY) {
			abort(); // what the server appended
		}
		struct bh_conn_item item = {.kind = BH_CONN_FRAME,
		                            .type = unit.frame.type,
		                            .stream = unit.frame.stream,
		                            .bytes = unit.frame.payload};

		if (bh_feed_take(&session->client, &item, session->now_ms) != 0) {
			abort();
		}
		at += unit.used;
	}
	session->unsent.len = 0;
	check_equal(session, when);
}

static void resync(struct session *session)
{
	struct bh_frame_snapshot snapshot = {
		.size = {.cols = (uint16_t)bh_screen_cols(session->server),
	                 .rows = (uint16_t)bh_screen_rows(session->server)},
	};
	char *repaint = bh_screen_repaint(session->server, &snapshot.repaint.len);

	snapshot.repaint.data = repaint;
	session->unsent.len = 0;
	bh_frame_append_snapshot(&session->unsent, STREAM, &snapshot);
	free(repaint);
}

static size_t run_text(struct session *session, const uint8_t *data, size_t size)
{
	size_t len = 0;

	while (len < size && (data[len] < COMMAND_RESYNC || data[len] > COMMAND_SIZE)) {
		len++;
	}
	if (len > 0) {
		struct bh_span bytes = {(const char *)data, len};

		bh_screen_feed(session->server, bytes.data, bytes.len, session->now_ms);
		bh_frame_append(&session->unsent, BH_FRAME_OUTPUT, STREAM, bytes);
	}
	return len;
}

static size_t run_command(struct session *session, const uint8_t *data, size_t size)
{
	if (data[0] == COMMAND_RESYNC) {
		resync(session);
	} else if (data[0] == COMMAND_SIZE && size >= 3) {
		struct bh_frame_size to = {size_of(data[1]), size_of(data[2])};

		bh_screen_resize(session->server, to.cols, to.rows);
		bh_frame_append_resize(&session->unsent, STREAM, to);
		return 3;
	} else {
		deliver(session, "sent");
	}
	if (data[0] == COMMAND_TIME) {
		session->now_ms += BH_SCREEN_SYNC_MS;
		bh_screen_tick(session->server, session->now_ms);
		bh_screen_tick(session->client.screen, session->now_ms);
	}
	return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2) {
		return 0;
	}
	struct session session = {
		.server = bh_screen_new(&(struct bh_screen_settings){
			.cols = size_of(data[0]), .rows = size_of(data[1]), .history_rows = 50}),
	};

	resync(&session);
	deliver(&session, "attached");
	for (size_t at = 2; at < size;) {
		at += run_text(&session, data + at, size - at);
		if (at < size) {
			at += run_command(&session, data + at, size - at);
		}
	}
	deliver(&session, "end");
	resync(&session);
	deliver(&session, "resynced");
	bh_screen_free(session.server);
	bh_feed_clear(&session.client);
	bh_buf_clear(&session.unsent);
	return 0;
}
