// The sessions that stand beside each other.
#include "src/client/sessions.h"

#include "src/base/mem.h"

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
#include <unistd.h>

#include <cmocka.h>

static char root[64];

/** A folder of a session; with a socket, at which somebody listens: gives the descriptor. */
static int session_make(const char *name, bool has_socket, bool is_listening)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char *folder = bh_xasprintf("%s/%s", root, name);
	int fd = -1;

	assert_int_equal(mkdir(folder, 0700), 0);
	if (has_socket) {
		fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
		(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s/server.sock",
		               folder);
		assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
		assert_int_equal(is_listening ? listen(fd, 5) : 0, 0);
	}
	free(folder);
	return fd;
}

static int root_make(void **state)
{
	(void)state;
	(void)snprintf(root, sizeof(root), "/tmp/bh-sessions-XXXXXX");
	return mkdtemp(root) == NULL;
}

static int root_remove(void **state)
{
	char *command = bh_xasprintf("rm -rf %s", root);
	int rc = system(command); // NOLINT(cert-env33-c): a test's own folder

	(void)state;
	free(command);
	return rc;
}

static void those_with_a_socket_are_listed_by_name(void **state)
{
	struct bh_sessions sessions = {0};
	int work = session_make("work", true, true);
	int dead = session_make("dead", true, false);
	int home = session_make("home", true, true);

	(void)state;
	(void)session_make("empty", false, false);
	(void)session_make(".hidden", false, false);
	bh_sessions_find(&sessions, root);
	assert_int_equal(sessions.count, 3);
	assert_string_equal(sessions.items[0].name, "dead");
	assert_false(sessions.items[0].is_running);
	assert_string_equal(sessions.items[1].name, "home");
	assert_true(sessions.items[1].is_running);
	assert_ptr_equal(bh_sessions_named(&sessions, "work"), &sessions.items[2]);
	assert_null(bh_sessions_named(&sessions, "wor"));
	close(work);
	close(dead);
	close(home);
	// Looked at again it is what there is now.
	bh_sessions_find(&sessions, root);
	assert_int_equal(sessions.count, 3);
	assert_false(bh_sessions_named(&sessions, "work")->is_running);
	bh_sessions_find(&sessions, "/nowhere at all");
	assert_int_equal(sessions.count, 0);
	bh_sessions_clear(&sessions);
}

static void one_goes_round_those_that_run(void **state)
{
	struct bh_sessions_item items[] = {{"a", true}, {"b", false}, {"c", true}, {"d", true}};
	struct bh_sessions sessions = {.items = items, .count = 4};

	(void)state;
	assert_string_equal(bh_sessions_step(&sessions, "a", 1)->name, "c");
	assert_string_equal(bh_sessions_step(&sessions, "d", 1)->name, "a");
	assert_string_equal(bh_sessions_step(&sessions, "a", -1)->name, "d");
	assert_string_equal(bh_sessions_step(&sessions, "c", -1)->name, "a");
	// Also from one that is not in it.
	assert_string_equal(bh_sessions_step(&sessions, "bb", 1)->name, "c");
	sessions.count = 2;
	assert_null(bh_sessions_step(&sessions, "a", 1));
	assert_null(bh_sessions_step(&sessions, "a", -1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(those_with_a_socket_are_listed_by_name, root_make,
	                                        root_remove),
		cmocka_unit_test(one_goes_round_those_that_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
