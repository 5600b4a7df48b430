#include "src/server/connection.h"

#include "src/base/frame.h"
#include "src/base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// The first byte of a frame; no JSON text begins with it.
#define FRAME_MARK 0x00
// How much is read at once (bytes): more than most requests and keys; every connection has this room.
#define READ_SIZE (8 * 1024)

struct bh_connection {
	uv_pipe_t pipe;
	uv_shutdown_t shutdown;
	const struct bh_connection_events *events;
	void *user;
	pid_t pid;
	// What came in and is no whole line or frame yet.
	struct bh_buf in;
	bool is_reading;
	// The backlog was above BH_CONNECTION_LOW.
	bool is_behind;
	bool closing;
	bool is_reported;
	char chunk[READ_SIZE];
};

// A write carries its bytes; it is freed in its callback whatever the status.
struct write_request {
	uv_write_t write;
	struct bh_connection *connection;
	size_t len;
	char bytes[];
};

static void connection_read(struct bh_connection *connection);

static void on_closed(uv_handle_t *handle)
{
	struct bh_connection *connection =
		bh_container_of((uv_pipe_t *)handle, struct bh_connection, pipe);

	bh_buf_clear(&connection->in);
	if (!connection->is_reported) {
		connection->is_reported = true;
		connection->events->closed(connection, connection->user);
	}
	free(connection);
}

static void connection_destroy(struct bh_connection *connection)
{
	connection->closing = true;
	if (!uv_is_closing((uv_handle_t *)&connection->pipe)) {
		uv_close((uv_handle_t *)&connection->pipe, on_closed);
	}
}

static void on_shutdown(uv_shutdown_t *shutdown, int status)
{
	(void)status; // either way nothing more can be done for the peer
	connection_destroy(bh_container_of(shutdown, struct bh_connection, shutdown));
}

void bh_connection_close(struct bh_connection *connection)
{
	if (connection->closing) {
		return;
	}
	connection->closing = true;
	(void)uv_read_stop((uv_stream_t *)&connection->pipe); // never fails
	// A shutdown is reported when all writes before it are done.
	if (uv_shutdown(&connection->shutdown, (uv_stream_t *)&connection->pipe, on_shutdown) !=
	    0) {
		connection_destroy(connection);
	}
}

size_t bh_connection_backlog(const struct bh_connection *connection)
{
	return uv_stream_get_write_queue_size((const uv_stream_t *)&connection->pipe);
}

pid_t bh_connection_pid(const struct bh_connection *connection)
{
	return connection->pid;
}

static void connection_wrote(struct bh_connection *connection, int status)
{
	size_t backlog = bh_connection_backlog(connection);

	if (status < 0) {
		connection_destroy(connection);
		return;
	}
	if (!connection->is_reading && !connection->closing && backlog < BH_CONNECTION_HIGH) {
		connection_read(connection);
	}
	if (connection->is_behind && backlog < BH_CONNECTION_LOW && !connection->closing) {
		connection->is_behind = false;
		connection->events->drained(connection, connection->user);
	}
}

static void on_write(uv_write_t *write, int status)
{
	struct write_request *request = bh_container_of(write, struct write_request, write);
	struct bh_connection *connection = request->connection;

	free(request);
	connection_wrote(connection, status);
}

// Two parts, so that a header or a newline needs no copy of the rest.
static void connection_send(struct bh_connection *connection, struct bh_span first,
                            struct bh_span second)
{
	uv_buf_t parts[2] = {{.base = (char *)(uintptr_t)first.data, .len = first.len},
	                     {.base = (char *)(uintptr_t)second.data, .len = second.len}};
	uv_stream_t *stream = (uv_stream_t *)&connection->pipe;
	size_t total = first.len + second.len;
	size_t done = 0;

	if (connection->closing || uv_is_closing((uv_handle_t *)stream)) {
		return;
	}
	if (bh_connection_backlog(connection) == 0) {
		int sent = uv_try_write(stream, parts, 2);

		done = sent > 0 ? (size_t)sent : 0; // an error comes again with the write below
	}
	if (done == total) {
		return;
	}
	struct write_request *request = bh_xmalloc(sizeof *request + total - done);
	size_t first_done = done < first.len ? done : first.len;

	request->connection = connection;
	request->len = total - done;
	if (first.len > first_done) {
		memcpy(request->bytes, first.data + first_done, first.len - first_done);
	}
	if (second.len > done - first_done) {
		memcpy(request->bytes + (first.len - first_done), second.data + (done - first_done),
		       second.len - (done - first_done));
	}
	uv_buf_t rest = {.base = request->bytes, .len = request->len};

	if (uv_write(&request->write, stream, &rest, 1, on_write) != 0) {
		free(request);
		connection_destroy(connection);
		return;
	}
	size_t backlog = bh_connection_backlog(connection);

	connection->is_behind = connection->is_behind || backlog >= BH_CONNECTION_LOW;
	if (backlog > BH_CONNECTION_MAX) {
		connection_destroy(connection);
	} else if (backlog > BH_CONNECTION_HIGH && connection->is_reading) {
		connection->is_reading = false;
		(void)uv_read_stop(stream); // never fails
	}
}

void bh_connection_send_line(struct bh_connection *connection, struct bh_span line)
{
	connection_send(connection, line, (struct bh_span){"\n", 1});
}

void bh_connection_send_bytes(struct bh_connection *connection, struct bh_span bytes)
{
	connection_send(connection, bytes, (struct bh_span){0});
}

static void connection_break(struct bh_connection *connection, const char *what)
{
	connection->events->broken(connection, what, connection->user);
	bh_connection_close(connection);
}

// A frame longer than a client may send, as its header says, before it is there whole.
static bool frame_is_too_long(struct bh_span rest)
{
	const unsigned char *in = (const unsigned char *)rest.data;

	return rest.len >= BH_FRAME_HEADER && in[0] == FRAME_MARK &&
	       (in[4] | (uint32_t)in[5] << 8 | (uint32_t)in[6] << 16 | (uint32_t)in[7] << 24) >
	               BH_CONNECTION_FRAME_MAX;
}

// Take one line or frame of @rest; gives its length, 0 when it is not whole or all is over.
static size_t connection_take(struct bh_connection *connection, struct bh_span rest)
{
	struct bh_frame_unit unit = {.kind = BH_FRAME_PARTIAL};
	struct bh_err err = {0};

	if (frame_is_too_long(rest)) {
		connection_break(connection, "a frame to the server has at most 64 KiB");
		return 0;
	}
	if (bh_frame_split(rest, &unit, &err) != 0) {
		connection_break(connection, err.text);
		return 0;
	}
	switch (unit.kind) {
	case BH_FRAME_PARTIAL:
		return 0;
	case BH_FRAME_LINE:
		connection->events->line(connection, unit.line, connection->user);
		break;
	case BH_FRAME_BINARY:
		connection->events->frame(connection, unit.frame.type, unit.frame.stream,
		                          unit.frame.payload, connection->user);
		break;
	}
	return unit.used;
}

static void connection_take_all(struct bh_connection *connection)
{
	size_t taken = 0;
	size_t used = 1;

	while (used > 0 && !connection->closing && taken < connection->in.len) {
		used = connection_take(connection, (struct bh_span){connection->in.data + taken,
		                                                    connection->in.len - taken});
		taken += used;
	}
	bh_buf_consume(&connection->in, taken);
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *out)
{
	struct bh_connection *connection =
		bh_container_of((uv_pipe_t *)handle, struct bh_connection, pipe);

	(void)suggested;
	out->base = connection->chunk;
	out->len = sizeof connection->chunk;
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *chunk)
{
	struct bh_connection *connection =
		bh_container_of((uv_pipe_t *)stream, struct bh_connection, pipe);

	if (count > 0) {
		bh_buf_append(&connection->in, chunk->base, (size_t)count);
		connection_take_all(connection);
	} else if (count < 0) {
		bh_connection_close(connection);
	}
}

static void connection_read(struct bh_connection *connection)
{
	connection->is_reading =
		uv_read_start((uv_stream_t *)&connection->pipe, on_alloc, on_read) == 0;
}

// The kernel's word about the peer; false when it is not our user.
static bool connection_check_peer(struct bh_connection *connection)
{
	struct ucred peer;
	socklen_t size = sizeof peer;
	uv_os_fd_t fd;

	if (uv_fileno((uv_handle_t *)&connection->pipe, &fd) != 0 ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
		return false;
	}
	connection->pid = peer.pid;
	return peer.uid == geteuid();
}

struct bh_connection *bh_connection_accept(uv_pipe_t *listener,
                                           const struct bh_connection_events *events, void *user)
{
	struct bh_connection *connection = bh_xmalloc(sizeof *connection);

	connection->events = events;
	connection->user = user;
	if (uv_pipe_init(listener->loop, &connection->pipe, 0) != 0) {
		free(connection);
		return NULL;
	}
	if (uv_accept((uv_stream_t *)listener, (uv_stream_t *)&connection->pipe) != 0 ||
	    !connection_check_peer(connection)) {
		connection->is_reported = true; // nobody knows it
		connection_destroy(connection);
		return NULL;
	}
	connection_read(connection);
	return connection;
}
