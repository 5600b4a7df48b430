// The way to other sessions. Covers: src/ui/app_sessions.
#include "src/base/mem.h"
#include "src/ui/app_layer.h"
#include "tests/unit/app-world.h"

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

/** A folder with a session "other", at whose socket somebody listens. */
static int listen_at(char *root, size_t size)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(root, size, "/tmp/bh-other-XXXXXX");
	assert_non_null(mkdtemp(root));
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s/other", root);
	assert_int_equal(mkdir(address.sun_path, 0700), 0);
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s/other/server.sock", root);
	assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(fd, 5), 0);
	return fd;
}

static void stop_listening(const char *root, int fd)
{
	char path[128];

	(void)close(fd);
	(void)snprintf(path, sizeof(path), "%s/other/server.sock", root);
	assert_int_equal(unlink(path), 0);
	(void)snprintf(path, sizeof(path), "%s/other", root);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rmdir(root), 0);
}

static void the_next_session_is_gone_to(void **state)
{
	struct app_world *world = *state;
	char root[64];
	int fd = listen_at(root, sizeof(root));

	app_world_show(world);
	world->settings.sessions_dir = root;
	bh_app_previous_session(&world->app);
	assert_true(world->app.is_done);
	assert_int_equal(world->end.outcome, BH_APP_SWITCHED);
	assert_string_equal(world->end.session, "other");
	stop_listening(root, fd);
}

static void one_is_chosen_of_the_list(void **state)
{
	struct app_world *world = *state;
	char root[64];
	int fd = listen_at(root, sizeof(root));

	app_world_show(world);
	world->settings.sessions_dir = root;
	bh_app_show_sessions(&world->app);
	assert_string_equal(app_world_layer(world), "the list of sessions");
	bh_app_layer_key(&world->app, &(struct bh_layer_key){.key = '\r'});
	assert_string_equal(app_world_layer(world), "");
	assert_string_equal(world->end.session, "other");
	stop_listening(root, fd);
}

static void without_another_one_there_is_nothing_to_do(void **state)
{
	struct app_world *world = *state;

	bh_app_next_session(&world->app);
	assert_string_equal(world->app.message, "other sessions cannot be reached from here");
	bh_app_show_sessions(&world->app);
	assert_string_equal(app_world_layer(world), "");
	world->settings.sessions_dir = "/nowhere at all";
	bh_app_next_session(&world->app);
	assert_string_equal(world->app.message, "there is no other session");
	assert_false(world->app.is_done);
}

#define WORLD_TEST(name) cmocka_unit_test_setup_teardown(name, app_world_make, app_world_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WORLD_TEST(the_next_session_is_gone_to),
		WORLD_TEST(one_is_chosen_of_the_list),
		WORLD_TEST(without_another_one_there_is_nothing_to_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
