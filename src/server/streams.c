#include "src/server/streams.h"

#include "src/base/frame.h"
#include "src/base/limits.h"
#include "src/base/list.h"
#include "src/base/mem.h"
#include "src/server/connection.h"
#include "src/server/events.h"
#include "src/server/key_marks.h"
#include "src/server/layout_host.h"
#include "src/server/pty.h"
#include "src/server/rpc_server.h"
#include "src/server/server.h"
#include "src/server/terminal.h"
#include "term/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bh_stream {
	// In the terminal.
	struct bh_list link;
	struct bh_terminal *terminal;
	struct bh_connection *connection;
	// Where the connection keeps it; emptied when it ends.
	struct bh_stream **slot;
	uint16_t number;
	int cols, rows;
	uint64_t token;
	bool is_observer;
	bool is_sizeless;
	// Keys for a child that reads too little are dropped.
	bool is_losing_keys;
	// The first snapshot was sent.
	bool has_begun;
	// The client is behind: no output until it has caught up, then a snapshot.
	bool is_cut_off;
	// For one that wants the newest; the rest is unused without.
	bool is_newest;
	// No output until the frame is over, then a snapshot.
	bool is_skipping;
	// So it was in the frame before.
	bool is_flooded;
	uv_timer_t frame_end;
	// The frame: when it began (loop time), and the output in it (bytes).
	uint64_t frame_ms;
	size_t frame_bytes;
	// Did beside the screen what the client is to be told of; NULL: nothing.
	struct bh_screen *aside;
};

static void stream_send(struct bh_stream *stream, struct bh_buf *frame)
{
	bh_connection_send_bytes(stream->connection, (struct bh_span){frame->data, frame->len});
	bh_buf_clear(frame);
}

static void stream_send_aside(struct bh_stream *stream)
{
	struct bh_buf frame = {0};
	size_t len = 0;
	char *bytes = NULL;

	if (stream->aside != NULL) {
		bytes = bh_screen_aside(stream->aside, bh_screen_take_changes(stream->aside), &len);
		bh_screen_free(stream->aside);
		stream->aside = NULL;
	}
	if (bytes != NULL) {
		bh_frame_append(&frame, BH_FRAME_ASIDE, stream->number,
		                (struct bh_span){bytes, len});
		stream_send(stream, &frame);
		free(bytes);
	}
}

static void stream_send_snapshot(struct bh_stream *stream)
{
	const struct bh_screen *screen = stream->terminal->screen;
	struct bh_buf frame = {0};
	size_t len = 0;
	char *repaint = bh_screen_repaint(screen, &len);
	const struct bh_frame_snapshot snapshot = {
		.offset = stream->terminal->offset,
		.size = {.cols = (uint16_t)bh_screen_cols(screen),
	                 .rows = (uint16_t)bh_screen_rows(screen)},
		.repaint = {repaint, len},
	};

	bh_frame_append_snapshot(&frame, stream->number, &snapshot);
	free(repaint);
	stream->has_begun = true;
	stream->is_cut_off = false;
	stream_send(stream, &frame);
	stream_send_aside(stream);
}

static void on_frame_end(uv_timer_t *timer)
{
	struct bh_stream *stream = bh_container_of(timer, struct bh_stream, frame_end);

	stream->is_skipping = false;
	stream->is_flooded = true;
	stream->frame_ms = bh_server_now_ms(stream->terminal->server);
	stream->frame_bytes = 0;
	if (bh_connection_backlog(stream->connection) < BH_CONNECTION_LOW) {
		stream_send_snapshot(stream);
	} else {
		stream->is_cut_off = true; // it will be told when it has caught up
	}
}

// Whether to leave out output for one who wants the newest.
static bool stream_skips(struct bh_stream *stream, size_t len)
{
	uint64_t now_ms = bh_server_now_ms(stream->terminal->server);

	if (!stream->is_newest || stream->is_skipping) {
		return stream->is_skipping;
	}
	if (now_ms - stream->frame_ms >= BH_STREAM_FRAME_MS) {
		stream->is_flooded = false;
		stream->frame_ms = now_ms;
		stream->frame_bytes = 0;
	}
	stream->frame_bytes += len;
	if (stream->frame_bytes <=
	    (stream->is_flooded ? BH_STREAM_FLOOD_BYTES : BH_STREAM_FRAME_BYTES)) {
		return false;
	}
	stream->is_skipping = true;
	(void)uv_timer_start(&stream->frame_end, on_frame_end,
	                     stream->frame_ms + BH_STREAM_FRAME_MS - now_ms,
	                     0); // fails only while closing
	return true;
}

static void on_frame_end_closed(uv_handle_t *handle)
{
	free(bh_container_of((uv_timer_t *)handle, struct bh_stream, frame_end));
}

// Out of everything; the memory goes when the loop has let go of it.
static void stream_free(struct bh_stream *stream)
{
	*stream->slot = NULL;
	bh_list_remove(&stream->link);
	bh_screen_free(stream->aside);
	if (stream->is_newest) {
		uv_close((uv_handle_t *)&stream->frame_end, on_frame_end_closed);
	} else {
		free(stream);
	}
}

// Whether output goes to this client now; cuts it off when it is too far behind.
static bool stream_is_open(struct bh_stream *stream)
{
	if (stream->has_begun && !stream->is_cut_off &&
	    bh_connection_backlog(stream->connection) > BH_STREAM_BACKLOG) {
		stream->is_cut_off = true;
	}
	return stream->has_begun && !stream->is_cut_off;
}

struct bh_stream *bh_stream_open(struct bh_terminal *terminal, struct bh_request *request,
                                 const struct bh_stream_settings *settings)
{
	for (size_t i = 0; i < BH_RPC_STREAMS_MAX; i++) {
		struct bh_stream **slot = bh_rpc_stream_slot(request, i);

		if (slot == NULL) {
			return NULL;
		}
		if (*slot == NULL) {
			struct bh_stream *stream = bh_xmalloc(sizeof *stream);

			stream->terminal = terminal;
			stream->connection = bh_request_connection(request);
			stream->slot = slot;
			stream->number = (uint16_t)(i + 1);
			stream->cols = settings->cols;
			stream->rows = settings->rows;
			stream->token = settings->token;
			stream->is_observer = settings->is_observer;
			stream->is_sizeless = settings->is_sizeless;
			stream->is_newest = settings->is_newest;
			if (stream->is_newest) {
				(void)uv_timer_init(&terminal->server->loop,
				                    &stream->frame_end); // never fails
			}
			bh_list_append(&terminal->streams, &stream->link);
			*slot = stream;
			return stream;
		}
	}
	return NULL;
}

uint16_t bh_stream_number(const struct bh_stream *stream)
{
	return stream->number;
}

void bh_stream_begin(struct bh_stream *stream)
{
	struct bh_buf frame = {0};

	stream_send_snapshot(stream);
	if (stream->terminal->note[0] != '\0') {
		bh_frame_append(&frame, BH_FRAME_NOTE, stream->number,
		                bh_span_of(stream->terminal->note));
		stream_send(stream, &frame);
	}
}

static void stream_resize(struct bh_stream *stream, struct bh_span payload)
{
	struct bh_frame_size size;

	if (bh_frame_read_resize(payload, &size) != 0) {
		return;
	}
	stream->cols = size.cols;
	stream->rows = size.rows;
	(void)bh_terminal_resize(stream->terminal, size.cols, size.rows); // may wait: all the same
}

// A child that reads nothing has its keys dropped at the bound, as a tty does: until half of what waits
// was read, so that one piece is missing and not many, and said once. The end of a paste is told all
// the same, or the child would take what is typed later for more of it.
static void stream_input(struct bh_stream *stream, struct bh_span keys)
{
	static const char paste_end[] = {'\x1b', '[', '2', '0', '1', '~'};
	struct bh_terminal *terminal = stream->terminal;
	int client = bh_key_marks_find(terminal->key_marks, stream->token);
	bool is_full = stream->is_losing_keys && terminal->pty != NULL &&
	               bh_pty_unwritten(terminal->pty) > BH_PTY_QUEUE_MAX / 2;
	char text[160];

	if (!is_full && bh_terminal_write_keys(terminal, client, keys) != BH_EBUSY) {
		stream->is_losing_keys = false;
		return;
	}
	bh_key_marks_count(terminal->key_marks, client, keys.len);
	if (!stream->is_losing_keys) {
		(void)snprintf(text, sizeof text,
		               "%.60s does not read what is typed into it; what is more than 1 MiB "
		               "is lost",
		               terminal->identity);
		bh_events_notice(terminal->server, text);
	}
	stream->is_losing_keys = true;
	if (memmem(keys.data, keys.len, paste_end, sizeof paste_end) != NULL) {
		(void)bh_terminal_write(terminal, paste_end, sizeof paste_end, BH_WRITER_PERSON);
	}
}

void bh_stream_frame(struct bh_stream *stream, uint8_t type, struct bh_span payload)
{
	if (stream->is_observer) {
		return;
	}
	if (type == BH_FRAME_INPUT) {
		stream_input(stream, payload);
	} else if (type == BH_FRAME_RESIZE && !stream->is_sizeless) {
		stream_resize(stream, payload);
	}
}

void bh_stream_caught_up(struct bh_stream *stream)
{
	if (stream->is_cut_off) {
		stream_send_snapshot(stream);
	}
}

// The size of the last client that has one holds once another left.
static void streams_settle_size(struct bh_terminal *terminal)
{
	for (struct bh_list *at = terminal->streams.prev; at != &terminal->streams; at = at->prev) {
		const struct bh_stream *stream = bh_container_of(at, struct bh_stream, link);

		if (!stream->is_observer && stream->cols > 0 && stream->rows > 0) {
			(void)bh_terminal_resize(terminal, stream->cols, stream->rows);
			return;
		}
	}
	bh_layout_host_fit(terminal->server->layout, terminal);
}

void bh_stream_close(struct bh_stream *stream)
{
	struct bh_terminal *terminal = stream->terminal;

	stream_free(stream);
	streams_settle_size(terminal);
}

void bh_streams_output(struct bh_terminal *terminal, struct bh_span bytes)
{
	bh_list_for (at, next, &terminal->streams) {
		struct bh_stream *stream = bh_container_of(at, struct bh_stream, link);

		if (stream_is_open(stream) && !stream_skips(stream, bytes.len)) {
			struct bh_buf frame = {0};

			bh_frame_append(&frame, BH_FRAME_OUTPUT, stream->number, bytes);
			stream_send(stream, &frame);
		}
	}
}

// Whether it gets a snapshot in place of the output of now.
static bool stream_leaves_out(const struct bh_stream *stream)
{
	return stream->has_begun && (stream->is_cut_off || stream->is_skipping);
}

bool bh_streams_leave_out(const struct bh_terminal *terminal)
{
	bh_list_for (at, next, &terminal->streams) {
		if (stream_leaves_out(bh_container_of(at, struct bh_stream, link))) {
			return true;
		}
	}
	return false;
}

void bh_streams_aside(struct bh_terminal *terminal, struct bh_span bytes)
{
	const struct bh_screen_settings settings = {
		.cols = BH_LIMIT_SCREEN_MIN, .rows = BH_LIMIT_SCREEN_MIN, .has_no_history = true};

	bh_list_for (at, next, &terminal->streams) {
		struct bh_stream *stream = bh_container_of(at, struct bh_stream, link);

		if (!stream_leaves_out(stream)) {
			continue;
		}
		if (stream->aside == NULL) {
			stream->aside = bh_screen_new(&settings);
		}
		bh_screen_feed(stream->aside, bytes.data, bytes.len,
		               bh_server_now_ms(terminal->server));
	}
}

void bh_streams_resized(struct bh_terminal *terminal, int cols, int rows)
{
	const struct bh_frame_size size = {.cols = (uint16_t)cols, .rows = (uint16_t)rows};

	bh_list_for (at, next, &terminal->streams) {
		struct bh_stream *stream = bh_container_of(at, struct bh_stream, link);

		if (stream_is_open(stream)) {
			struct bh_buf frame = {0};

			bh_frame_append_resize(&frame, stream->number, size);
			stream_send(stream, &frame);
		}
	}
}

void bh_streams_note(struct bh_terminal *terminal, const char *text)
{
	bh_list_for (at, next, &terminal->streams) {
		struct bh_stream *stream = bh_container_of(at, struct bh_stream, link);
		struct bh_buf frame = {0};

		bh_frame_append(&frame, BH_FRAME_NOTE, stream->number, bh_span_of(text));
		stream_send(stream, &frame);
	}
}

void bh_streams_drop(struct bh_terminal *terminal)
{
	bh_list_for (at, next, &terminal->streams) {
		struct bh_stream *stream = bh_container_of(at, struct bh_stream, link);

		stream_free(stream);
	}
}

void bh_streams_exit(struct bh_terminal *terminal, int status)
{
	bh_list_for (at, next, &terminal->streams) {
		struct bh_stream *stream = bh_container_of(at, struct bh_stream, link);
		struct bh_buf frame = {0};

		if (stream->is_cut_off || stream->is_skipping) {
			stream_send_snapshot(stream); // the last screen is worth it
		}
		bh_frame_append_exit(&frame, stream->number, status);
		stream_send(stream, &frame);
		stream_free(stream);
	}
}

size_t bh_streams_count(struct bh_terminal *terminal)
{
	size_t count = 0;

	bh_list_for (at, next, &terminal->streams) {
		count += bh_container_of(at, struct bh_stream, link)->is_observer ? 0 : 1;
	}
	return count;
}
