#include "src/client/conn.h"

#include "src/base/clock.h"
#include "src/base/fd.h"
#include "src/base/frame.h"
#include "src/base/mem.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/** Bytes asked for in one read. */
#define READ_SIZE (64 * 1024)

struct bh_conn {
	/** The socket. */
	int fd;
	/** Read and not yet taken; items before in_at were handed out. */
	struct bh_buf in;
	size_t in_at;
	/** Bytes of an unfinished line that were already searched for its end. */
	size_t searched;
	/** Not yet written. */
	struct bh_buf out;
};

struct bh_conn *bh_conn_new(int fd)
{
	struct bh_conn *conn = bh_xmalloc(sizeof(*conn));

	conn->fd = fd;
	(void)bh_fd_set_nonblock(fd, true); // a bad descriptor fails at the first read
	return conn;
}

void bh_conn_free(struct bh_conn *conn)
{
	if (conn == NULL) {
		return;
	}
	bh_fd_close(&conn->fd);
	bh_buf_clear(&conn->in);
	bh_buf_clear(&conn->out);
	free(conn);
}

int bh_conn_fd(const struct bh_conn *conn)
{
	return conn->fd;
}

bool bh_conn_wants_write(const struct bh_conn *conn)
{
	return conn->out.len > 0;
}

bool bh_conn_is_ended(const struct bh_conn *conn)
{
	char byte;

	return conn->in.len == conn->in_at &&
	       recv(conn->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void bh_conn_put_line(struct bh_conn *conn, struct bh_span line)
{
	bh_buf_append(&conn->out, line.data, line.len);
	bh_buf_append(&conn->out, "\n", 1);
}

void bh_conn_put_frame(struct bh_conn *conn, uint8_t type, uint16_t stream, const void *payload,
                       size_t len)
{
	bh_frame_append(&conn->out, (enum bh_frame_type)type, stream,
	                (struct bh_span){.data = payload, .len = len});
}

/** What an errno of a socket means for a caller. */
static int code_of_errno(int errnum)
{
	return errnum == EPIPE || errnum == ECONNRESET ? BH_ECLOSED : -errnum;
}

int bh_conn_write(struct bh_conn *conn)
{
	while (conn->out.len > 0) {
		ssize_t n = send(conn->fd, conn->out.data, conn->out.len, MSG_NOSIGNAL);

		if (n >= 0) {
			bh_buf_consume(&conn->out, (size_t)n);
		} else if (errno == EAGAIN) {
			return 0;
		} else if (errno != EINTR) {
			return code_of_errno(errno);
		}
	}
	return 0;
}

int bh_conn_read(struct bh_conn *conn)
{
	// Items handed out before are no longer borrowed: make their room free.
	bh_buf_consume(&conn->in, conn->in_at);
	conn->in_at = 0;
	bh_buf_reserve(&conn->in, READ_SIZE);
	for (;;) {
		ssize_t n = recv(conn->fd, conn->in.data + conn->in.len, READ_SIZE, 0);

		if (n > 0) {
			conn->in.len += (size_t)n;
			conn->in.data[conn->in.len] = '\0';
			return 0;
		}
		if (n == 0) {
			return BH_ECLOSED;
		}
		if (errno == EAGAIN) {
			return 0;
		}
		if (errno != EINTR) {
			return code_of_errno(errno);
		}
	}
}

/** The next line of @rest. Not bh_frame_split(): answers may be longer than requests. */
static int next_line(struct bh_conn *conn, struct bh_span rest, struct bh_conn_item *item_out)
{
	const char *end = memchr(rest.data + conn->searched, '\n', rest.len - conn->searched);

	if (end == NULL) {
		conn->searched = rest.len;
		return rest.len >= BH_CONN_LINE_MAX ? BH_EPROTOCOL : 0;
	}
	conn->searched = 0;
	*item_out = (struct bh_conn_item){
		.kind = BH_CONN_LINE,
		.bytes = {.data = rest.data, .len = (size_t)(end - rest.data)},
	};
	conn->in_at += item_out->bytes.len + 1;
	return 1;
}

int bh_conn_next(struct bh_conn *conn, struct bh_conn_item *item_out)
{
	struct bh_frame_unit unit = {0};
	struct bh_span rest;

	if (conn->in_at == conn->in.len) {
		return 0; // before the first byte there is no memory either
	}
	rest = (struct bh_span){.data = conn->in.data + conn->in_at,
	                        .len = conn->in.len - conn->in_at};
	if (rest.data[0] != '\0') {
		return next_line(conn, rest, item_out);
	}
	if (bh_frame_split(rest, &unit, NULL) != 0) {
		return BH_EPROTOCOL;
	}
	if (unit.kind == BH_FRAME_PARTIAL) {
		return 0;
	}
	conn->in_at += unit.used;
	*item_out = (struct bh_conn_item){
		.kind = BH_CONN_FRAME,
		.type = unit.frame.type,
		.stream = unit.frame.stream,
		.bytes = unit.frame.payload,
	};
	return 1;
}

/** Wait for @events until the deadline. 0 or BH_ETIMEOUT or -errno. */
static int wait_for(const struct bh_conn *conn, short events, uint64_t deadline_ms)
{
	struct pollfd at = {.fd = conn->fd, .events = events};
	uint64_t now_ms = bh_clock_mono_ms();
	uint64_t left_ms = deadline_ms <= now_ms ? 0 : deadline_ms - now_ms;

	if (left_ms == 0) {
		return BH_ETIMEOUT;
	}
	// A deadline that is far or never is waited for in pieces.
	int n = poll(&at, 1, left_ms > 60000 ? 60000 : (int)left_ms);
	return n < 0 && errno != EINTR ? -errno : 0;
}

int bh_conn_flush(struct bh_conn *conn, uint64_t deadline_ms)
{
	for (;;) {
		int rc = bh_conn_write(conn);

		if (rc != 0 || conn->out.len == 0) {
			return rc;
		}
		rc = wait_for(conn, POLLOUT, deadline_ms);
		if (rc != 0) {
			return rc;
		}
	}
}

int bh_conn_wait(struct bh_conn *conn, uint64_t deadline_ms, struct bh_conn_item *item_out)
{
	for (;;) {
		int rc = bh_conn_next(conn, item_out);

		if (rc != 0) {
			return rc < 0 ? rc : 0;
		}
		rc = bh_conn_write(conn);
		rc = rc == 0 || rc == BH_ECLOSED ? bh_conn_read(conn) : rc;
		if (rc != 0) {
			return rc;
		}
		rc = bh_conn_next(conn, item_out);
		if (rc != 0) {
			return rc < 0 ? rc : 0;
		}
		rc = wait_for(conn, conn->out.len > 0 ? POLLIN | POLLOUT : POLLIN, deadline_ms);
		if (rc != 0) {
			return rc;
		}
	}
}
