#include "src/server/connection.h"

#include "src/base/frame.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/** A listener, a connection and its peer. */
struct fixture {
	uv_loop_t loop;
	uv_pipe_t listener;
	struct bh_connection *connection;
	char folder[64], path[96];
	int peer;
	/** What was reported, as text: "L<line>", "F<type>/<stream>:<payload>", "D" drained, "C". */
	struct bh_buf seen;
};

static void on_line(struct bh_connection *connection, struct bh_span line, void *user)
{
	struct fixture *fixture = user;

	(void)connection;
	bh_buf_puts(&fixture->seen, "L");
	bh_buf_append(&fixture->seen, line.data, line.len);
}

static void on_frame(struct bh_connection *connection, uint8_t type, uint16_t stream,
                     struct bh_span payload, void *user)
{
	struct fixture *fixture = user;

	(void)connection;
	bh_buf_printf(&fixture->seen, "F%d/%d:", type, stream);
	bh_buf_append(&fixture->seen, payload.data, payload.len);
}

static void on_broken(struct bh_connection *connection, const char *what, void *user)
{
	struct fixture *fixture = user;

	(void)connection;
	(void)what;
	bh_buf_puts(&fixture->seen, "B");
}

static void on_drained(struct bh_connection *connection, void *user)
{
	(void)connection;
	bh_buf_puts(&((struct fixture *)user)->seen, "D");
}

static void on_closed(struct bh_connection *connection, void *user)
{
	struct fixture *fixture = user;

	(void)connection;
	fixture->connection = NULL;
	bh_buf_puts(&fixture->seen, "C");
}

static const struct bh_connection_events events = {
	.line = on_line,
	.frame = on_frame,
	.broken = on_broken,
	.drained = on_drained,
	.closed = on_closed,
};

static void on_connection(uv_stream_t *listener, int status)
{
	struct fixture *fixture = bh_container_of((uv_pipe_t *)listener, struct fixture, listener);

	assert_int_equal(status, 0);
	fixture->connection = bh_connection_accept(&fixture->listener, &events, fixture);
}

static void fixture_open(struct fixture *fixture)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	*fixture = (struct fixture){.peer = -1};
	(void)snprintf(fixture->folder, sizeof fixture->folder, "/tmp/bh-conn-XXXXXX");
	assert_non_null(mkdtemp(fixture->folder));
	(void)snprintf(fixture->path, sizeof fixture->path, "%s/s", fixture->folder);
	assert_int_equal(uv_loop_init(&fixture->loop), 0);
	assert_int_equal(uv_pipe_init(&fixture->loop, &fixture->listener, 0), 0);
	assert_int_equal(uv_pipe_bind(&fixture->listener, fixture->path), 0);
	assert_int_equal(uv_listen((uv_stream_t *)&fixture->listener, 8, on_connection), 0);
	fixture->peer = socket(AF_UNIX, SOCK_STREAM, 0);
	(void)snprintf(address.sun_path, sizeof address.sun_path, "%s", fixture->path);
	assert_int_equal(connect(fixture->peer, (struct sockaddr *)&address, sizeof address), 0);
	assert_int_equal(fcntl(fixture->peer, F_SETFL, O_NONBLOCK), 0);
	while (fixture->connection == NULL) {
		(void)uv_run(&fixture->loop, UV_RUN_ONCE);
	}
}

static void fixture_close(struct fixture *fixture)
{
	if (fixture->peer >= 0) {
		(void)close(fixture->peer);
	}
	uv_close((uv_handle_t *)&fixture->listener, NULL);
	(void)uv_run(&fixture->loop, UV_RUN_DEFAULT);
	assert_null(fixture->connection);
	assert_int_equal(uv_loop_close(&fixture->loop), 0);
	bh_buf_clear(&fixture->seen);
	(void)unlink(fixture->path);
	assert_int_equal(rmdir(fixture->folder), 0);
}

static void wait_for(struct fixture *fixture, const char *seen)
{
	while (fixture->seen.len < strlen(seen)) {
		(void)uv_run(&fixture->loop, UV_RUN_ONCE);
	}
	assert_string_equal(fixture->seen.data, seen);
}

static void the_peer_is_known(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	assert_int_equal(bh_connection_pid(fixture.connection), getpid());
	fixture_close(&fixture);
}

#define STRANGER 65534

/** Whether we may be somebody else: as root, where that user exists. */
static bool may_be_a_stranger(void)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		_exit(setresuid(STRANGER, STRANGER, STRANGER) == 0 ? 0 : 1);
	}
	return waitpid(pid, &status, 0) == pid && status == 0 && geteuid() == 0;
}

/** Another user connects; the result is 0 if that is the end of it. */
static int stranger_connects(const struct fixture *fixture)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char byte;

	memcpy(address.sun_path, fixture->path, sizeof fixture->path);
	if (setresuid(STRANGER, STRANGER, STRANGER) != 0 ||
	    connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
		return 2;
	}
	return read(fd, &byte, 1) == 0 ? 0 : 1;
}

static void another_user_is_turned_away(void **state)
{
	struct fixture fixture;
	struct bh_connection *own;
	int status = -1;
	pid_t pid;

	(void)state;
	if (!may_be_a_stranger()) {
		skip();
	}
	fixture_open(&fixture);
	own = fixture.connection;
	assert_int_equal(chmod(fixture.folder, 0755), 0);
	assert_int_equal(chmod(fixture.path, 0777), 0);
	pid = fork();
	if (pid == 0) {
		_exit(stranger_connects(&fixture));
	}
	fixture.connection = own;
	(void)uv_run(&fixture.loop, UV_RUN_ONCE);
	assert_null(fixture.connection);
	fixture.connection = own;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	fixture_close(&fixture);
}

static void lines_and_frames_are_cut_wherever_they_are_split(void **state)
{
	struct bh_buf bytes = {0};

	(void)state;
	bh_buf_puts(&bytes, "one\n");
	bh_frame_append(&bytes, BH_FRAME_INPUT, 7, (struct bh_span){"a\nb", 3});
	bh_buf_puts(&bytes, "two\n");
	bh_frame_append(&bytes, BH_FRAME_RESIZE, 300, bh_span_of(""));
	bh_buf_puts(&bytes, "\n");
	for (size_t cut = 1; cut < bytes.len; cut++) {
		struct fixture fixture;

		fixture_open(&fixture);
		assert_int_equal(write(fixture.peer, bytes.data, cut), (ssize_t)cut);
		(void)uv_run(&fixture.loop, UV_RUN_NOWAIT);
		assert_int_equal(write(fixture.peer, bytes.data + cut, bytes.len - cut),
		                 (ssize_t)(bytes.len - cut));
		wait_for(&fixture, "LoneF2/7:a\nbLtwoF3/300:L");
		fixture_close(&fixture);
	}
	bh_buf_clear(&bytes);
}

static void a_slow_reader_gets_all_of_it_and_drains(void **state)
{
	struct fixture fixture;
	size_t size = 3 * 1024 * 1024;
	char *bytes = malloc(size);
	char chunk[65536];
	size_t got = 0;

	(void)state;
	fixture_open(&fixture);
	memset(bytes, 'x', size);
	bytes[size - 1] = 'y';
	bh_connection_send_line(fixture.connection, (struct bh_span){bytes, size});
	assert_true(bh_connection_backlog(fixture.connection) > BH_CONNECTION_LOW);
	while (got < size + 1) {
		ssize_t count = read(fixture.peer, chunk, sizeof chunk);

		if (count > 0) {
			got += (size_t)count;
		} else {
			assert_int_equal(errno, EAGAIN);
			(void)uv_run(&fixture.loop, UV_RUN_NOWAIT);
		}
	}
	wait_for(&fixture, "D");
	assert_int_equal(bh_connection_backlog(fixture.connection), 0);
	free(bytes);
	fixture_close(&fixture);
}

static void a_reader_that_never_reads_is_given_up(void **state)
{
	struct fixture fixture;
	size_t size = 1024 * 1024;
	char *bytes = calloc(1, size);

	(void)state;
	fixture_open(&fixture);
	for (size_t sent = 0; sent < (size_t)BH_CONNECTION_MAX + 4 * size; sent += size) {
		bh_connection_send_bytes(fixture.connection, (struct bh_span){bytes, size});
	}
	wait_for(&fixture, "C");
	free(bytes);
	fixture_close(&fixture);
}

static void close_lets_what_was_sent_arrive(void **state)
{
	struct fixture fixture;
	char text[16] = "";

	(void)state;
	fixture_open(&fixture);
	bh_connection_send_line(fixture.connection, bh_span_of("bye"));
	bh_connection_close(fixture.connection);
	bh_connection_close(fixture.connection);
	bh_connection_send_line(fixture.connection, bh_span_of("too late"));
	wait_for(&fixture, "C");
	assert_int_equal(read(fixture.peer, text, sizeof text - 1), 4);
	assert_string_equal(text, "bye\n");
	assert_int_equal(read(fixture.peer, text, sizeof text), 0);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_peer_is_known),
		cmocka_unit_test(another_user_is_turned_away),
		cmocka_unit_test(lines_and_frames_are_cut_wherever_they_are_split),
		cmocka_unit_test(a_slow_reader_gets_all_of_it_and_drains),
		cmocka_unit_test(a_reader_that_never_reads_is_given_up),
		cmocka_unit_test(close_lets_what_was_sent_arrive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
