#include "src/server/streams.h"

#include "src/base/frame.h"
#include "src/base/limits.h"
#include "src/base/list.h"
#include "src/base/mem.h"
#include "src/server/connection.h"
#include "src/server/layout_host.h"
#include "src/server/rpc_server.h"
#include "src/server/server.h"
#include "src/server/terminal.h"
#include "term/screen.h"

#include <stdlib.h>

struct bh_stream {
	// In the terminal.
	struct bh_list link;
	struct bh_terminal *terminal;
	struct bh_connection *connection;
	// Where the connection keeps it; emptied when it ends.
	struct bh_stream **slot;
	uint16_t number;
	int cols, rows;
	bool is_observer;
	bool is_sizeless;
	// The first snapshot was sent.
	bool has_begun;
	// The client is behind: no output until it has caught up, then a snapshot.
	bool is_cut_off;
};

static void stream_send(struct bh_stream *stream, struct bh_buf *frame)
{
	bh_connection_send_bytes(stream->connection, (struct bh_span){frame->data, frame->len});
	bh_buf_clear(frame);
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
			stream->is_observer = settings->is_observer;
			stream->is_sizeless = settings->is_sizeless;
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

void bh_stream_frame(struct bh_stream *stream, uint8_t type, struct bh_span payload)
{
	if (stream->is_observer) {
		return;
	}
	if (type == BH_FRAME_INPUT) {
		// A child that reads nothing has its keys dropped at the bound, as a tty does.
		(void)bh_terminal_write(stream->terminal, payload.data, payload.len,
		                        BH_WRITER_PERSON);
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

	*stream->slot = NULL;
	bh_list_remove(&stream->link);
	free(stream);
	streams_settle_size(terminal);
}

void bh_streams_output(struct bh_terminal *terminal, struct bh_span bytes)
{
	bh_list_for (at, next, &terminal->streams) {
		struct bh_stream *stream = bh_container_of(at, struct bh_stream, link);

		if (stream_is_open(stream)) {
			struct bh_buf frame = {0};

			bh_frame_append(&frame, BH_FRAME_OUTPUT, stream->number, bytes);
			stream_send(stream, &frame);
		}
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

		*stream->slot = NULL;
		bh_list_remove(&stream->link);
		free(stream);
	}
}

void bh_streams_exit(struct bh_terminal *terminal, int status)
{
	bh_list_for (at, next, &terminal->streams) {
		struct bh_stream *stream = bh_container_of(at, struct bh_stream, link);
		struct bh_buf frame = {0};

		if (stream->is_cut_off) {
			stream_send_snapshot(stream); // the last screen is worth it
		}
		bh_frame_append_exit(&frame, stream->number, status);
		stream_send(stream, &frame);
		*stream->slot = NULL;
		bh_list_remove(&stream->link);
		free(stream);
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
