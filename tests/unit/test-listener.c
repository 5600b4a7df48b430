#include "src/server/listener.h"

#include "src/base/err.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

/** A listener in a folder of its own. */
struct fixture {
	uv_loop_t loop;
	char folder[32];
	char path[48];
	struct bh_listener *listener;
	int connected, lost, closed;
};

static void on_connected(void *user, uv_pipe_t *pipe)
{
	struct fixture *fixture = user;
	uv_pipe_t client;

	fixture->connected++;
	assert_int_equal(uv_pipe_init(&fixture->loop, &client, 0), 0);
	assert_int_equal(uv_accept((uv_stream_t *)pipe, (uv_stream_t *)&client), 0);
	uv_close((uv_handle_t *)&client, NULL);
	(void)uv_run(&fixture->loop, UV_RUN_NOWAIT); // the handle stands on our stack
}

static int on_lost(void *user, struct bh_err *err)
{
	struct fixture *fixture = user;

	fixture->lost++;
	if (mkdir(fixture->folder, 0700) != 0 && errno != EEXIST) {
		return bh_err_sys(err, errno, "make %s", fixture->folder);
	}
	return 0;
}

static void on_closed(void *user)
{
	((struct fixture *)user)->closed++;
}

static int fixture_start(struct fixture *fixture, struct bh_err *err)
{
	const struct bh_listener_settings settings = {.loop = &fixture->loop,
	                                              .path = fixture->path,
	                                              .connected = on_connected,
	                                              .lost = on_lost,
	                                              .closed = on_closed,
	                                              .user = fixture};

	return bh_listener_start(&settings, &fixture->listener, err);
}

static void fixture_open(struct fixture *fixture)
{
	struct bh_err err = {0};

	*fixture = (struct fixture){.folder = "/tmp/bh-listener.XXXXXX"};
	assert_int_equal(uv_loop_init(&fixture->loop), 0);
	assert_non_null(mkdtemp(fixture->folder));
	(void)snprintf(fixture->path, sizeof fixture->path, "%s/sock", fixture->folder);
	assert_int_equal(fixture_start(fixture, &err), 0);
}

static void fixture_close(struct fixture *fixture)
{
	bh_listener_close(fixture->listener);
	assert_int_equal(access(fixture->path, F_OK), -1);
	(void)uv_run(&fixture->loop, UV_RUN_DEFAULT);
	assert_int_equal(fixture->closed, 1);
	assert_int_equal(uv_loop_close(&fixture->loop), 0);
	assert_int_equal(rmdir(fixture->folder), 0);
}

/** Whether a client is heard. */
static bool can_connect(struct fixture *fixture)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int before = fixture->connected;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool is_connected;

	(void)snprintf(address.sun_path, sizeof address.sun_path, "%s", fixture->path);
	is_connected = connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
	(void)uv_run(&fixture->loop, UV_RUN_NOWAIT);
	(void)close(fd);
	return is_connected && fixture->connected == before + 1;
}

/** Run the loop for at most half a minute, until the socket is there. */
static void wait_for_socket(struct fixture *fixture)
{
	for (int i = 0; i < 3000 && access(fixture->path, F_OK) != 0; i++) {
		(void)uv_run(&fixture->loop, UV_RUN_NOWAIT);
		(void)usleep(10000);
	}
}

static void clients_are_heard(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	assert_true(can_connect(&fixture));
	fixture_close(&fixture);
}

static void a_removed_socket_is_there_again(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	for (int i = 1; i <= 2; i++) {
		assert_int_equal(unlink(fixture.path), 0);
		wait_for_socket(&fixture);
		assert_true(can_connect(&fixture));
		assert_int_equal(fixture.lost, i);
	}
	fixture_close(&fixture);
}

static void a_removed_folder_is_there_again(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	for (int i = 1; i <= 2; i++) {
		assert_int_equal(unlink(fixture.path), 0);
		assert_int_equal(rmdir(fixture.folder), 0);
		wait_for_socket(&fixture);
		assert_true(can_connect(&fixture));
	}
	fixture_close(&fixture);
}

static void a_stale_socket_is_replaced_and_a_bad_path_told(void **state)
{
	struct fixture fixture;
	struct bh_listener *first;
	struct bh_err err = {0};

	(void)state;
	fixture_open(&fixture);
	first = fixture.listener;
	assert_int_equal(fixture_start(&fixture, &err), 0);
	bh_listener_close(fixture.listener);
	(void)uv_run(&fixture.loop, UV_RUN_NOWAIT);
	fixture.listener = first;
	fixture.closed = 0;
	wait_for_socket(&fixture);
	(void)snprintf(fixture.path, sizeof fixture.path, "/nowhere/sock");
	assert_int_not_equal(fixture_start(&fixture, &err), 0);
	assert_non_null(strstr(err.text, "/nowhere/sock"));
	(void)snprintf(fixture.path, sizeof fixture.path, "%s/sock", fixture.folder);
	fixture.listener = first;
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clients_are_heard),
		cmocka_unit_test(a_removed_socket_is_there_again),
		cmocka_unit_test(a_removed_folder_is_there_again),
		cmocka_unit_test(a_stale_socket_is_replaced_and_a_bad_path_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
