#include "src/client/start.h"

#include "src/base/buf.h"
#include "src/base/file.h"
#include "src/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

/** A folder with the paths that the tests use. */
struct place {
	char *dir;
	char *socket;
	char *mark;
	char *script;
};

static int place_make(void **state)
{
	const char *tmp = getenv("TMPDIR");
	struct place *place = bh_xmalloc(sizeof(*place));

	place->dir = bh_xasprintf("%s/bh-start-XXXXXX", tmp == NULL ? "/tmp" : tmp);
	if (mkdtemp(place->dir) == NULL) {
		return 1;
	}
	place->socket = bh_xasprintf("%s/server.sock", place->dir);
	place->mark = bh_xasprintf("%s/mark", place->dir);
	place->script = bh_xasprintf("%s/keeper", place->dir);
	*state = place;
	return 0;
}

static int place_remove(void **state)
{
	struct place *place = *state;

	(void)unlink(place->socket);
	(void)unlink(place->mark);
	(void)unlink(place->script);
	int rc = rmdir(place->dir);
	free(place->dir);
	free(place->socket);
	free(place->mark);
	free(place->script);
	free(place);
	return rc;
}

static int listen_at(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memcpy(address.sun_path, path, strlen(path) + 1);
	assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(fd, 4), 0);
	return fd;
}

/** A keeper that writes what it sees of its surroundings to the mark and ends. */
static void write_script(const struct place *place)
{
	char *text = bh_xasprintf("#!/bin/sh\n{ pwd; echo \"$#\"; } >>'%s'\n", place->mark);

	assert_int_equal(
		bh_file_replace(place->script, bh_span_of(text), 0700, BH_FILE_ATOMIC, NULL), 0);
	free(text);
}

static void a_listening_server_is_reached(void **state)
{
	struct place *place = *state;
	int listener = listen_at(place->socket);
	int fd = -1;

	assert_int_equal(bh_start_try(place->socket, &fd, NULL), 0);
	assert_true(fd >= 0);
	close(fd);
	close(listener);
}

static void absence_is_told_from_a_stale_socket(void **state)
{
	struct place *place = *state;
	int fd = -1;

	assert_int_equal(bh_start_try(place->socket, &fd, NULL), -ENOENT);
	close(listen_at(place->socket));
	assert_int_equal(bh_start_try(place->socket, &fd, NULL), -ECONNREFUSED);
	assert_true(bh_start_is_absent(-ENOENT));
	assert_true(bh_start_is_absent(-ECONNREFUSED));
	assert_false(bh_start_is_absent(-EACCES));
	assert_true(bh_start_is_forbidden(-EACCES));
	assert_int_equal(fd, -1);
}

static void the_socket_of_another_user_is_refused(void **state)
{
	struct place *place = *state;
	struct bh_err err = {0};
	int fd = -1;

	if (geteuid() != 0) {
		skip();
	}
	int listener = listen_at(place->socket);
	assert_int_equal(chown(place->socket, 65534, 65534), 0);
	assert_int_equal(bh_start_try(place->socket, &fd, &err), BH_EDENIED);
	assert_non_null(strstr(err.text, "65534"));
	assert_int_equal(fd, -1);
	close(listener);
}

static void a_server_that_takes_nobody_in_holds_nobody_up(void **state)
{
	struct place *place = *state;
	const char *argv[] = {place->script, NULL};
	struct bh_start_settings settings = {
		.socket_path = place->socket, .keeper_argv = argv, .timeout_ms = 100};
	int listener = listen_at(place->socket);
	int waiting[16];
	int count = 0;
	int rc = 0;
	int fd = -1;

	write_script(place);
	while (rc == 0 && count < 16) {
		rc = bh_start_try(place->socket, &waiting[count], NULL);
		count += rc == 0 ? 1 : 0;
	}
	assert_int_equal(rc, -EAGAIN);
	assert_true(bh_start_is_absent(rc));
	assert_int_equal(bh_start_connect(&settings, &fd, NULL), BH_ETIMEOUT);
	assert_int_equal(fd, -1);
	assert_int_not_equal(access(place->mark, F_OK), 0); // no keeper was started
	while (count > 0) {
		close(waiting[--count]);
	}
	close(listener);
}

static void too_long_a_path_is_refused(void **state)
{
	char path[200];
	struct bh_err err = {0};
	int fd = -1;

	(void)state;
	memset(path, 'a', sizeof(path) - 1);
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(bh_start_try(path, &fd, &err), -ENAMETOOLONG);
}

static void the_keeper_is_started_and_waited_for(void **state)
{
	struct place *place = *state;
	const char *argv[] = {place->script, "one", NULL};
	struct bh_start_settings settings = {
		.socket_path = place->socket, .keeper_argv = argv, .timeout_ms = 300};
	struct bh_buf seen = {0};
	int fd = -1;

	write_script(place);
	assert_int_equal(bh_start_connect(&settings, &fd, NULL), BH_ETIMEOUT);
	// On a busy machine it may write later.
	for (int i = 0; i < 3000 && seen.len < 4; i++) {
		bh_buf_clear(&seen);
		(void)bh_file_read(place->mark, 1000, &seen, NULL);
		(void)poll(NULL, 0, 10);
	}
	// Started once: away from our folder, with its arguments.
	assert_string_equal(seen.data, "/\n1\n");
	bh_buf_clear(&seen);
}

/** A stale socket: wait for the server only as long as a keeper lives that may restart it. */
static void a_session_that_nobody_keeps_is_not_waited_for(void **state)
{
	struct place *place = *state;
	struct bh_start_settings settings = {
		.socket_path = place->socket, .lock_path = place->mark, .timeout_ms = 60000};
	int lock = open(place->mark, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	int fd = -1;

	close(listen_at(place->socket));
	assert_int_equal(bh_start_connect(&settings, &fd, NULL), -ECONNREFUSED);
	assert_int_equal(flock(lock, LOCK_EX | LOCK_NB), 0);
	settings.timeout_ms = 60;
	assert_int_equal(bh_start_connect(&settings, &fd, NULL), BH_ETIMEOUT);
	close(lock);
}

static void a_keeper_that_is_missing_is_named(void **state)
{
	struct place *place = *state;
	const char *argv[] = {place->script, NULL};
	struct bh_start_settings settings = {
		.socket_path = place->socket, .keeper_argv = argv, .timeout_ms = 300};
	struct bh_err err = {0};
	int fd = -1;

	assert_int_equal(bh_start_connect(&settings, &fd, &err), -ENOENT);
	assert_non_null(strstr(err.text, place->script));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_listening_server_is_reached, place_make,
	                                        place_remove),
		cmocka_unit_test_setup_teardown(absence_is_told_from_a_stale_socket, place_make,
	                                        place_remove),
		cmocka_unit_test_setup_teardown(the_socket_of_another_user_is_refused, place_make,
	                                        place_remove),
		cmocka_unit_test_setup_teardown(a_server_that_takes_nobody_in_holds_nobody_up,
	                                        place_make, place_remove),
		cmocka_unit_test(too_long_a_path_is_refused),
		cmocka_unit_test_setup_teardown(the_keeper_is_started_and_waited_for, place_make,
	                                        place_remove),
		cmocka_unit_test_setup_teardown(a_session_that_nobody_keeps_is_not_waited_for,
	                                        place_make, place_remove),
		cmocka_unit_test_setup_teardown(a_keeper_that_is_missing_is_named, place_make,
	                                        place_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
