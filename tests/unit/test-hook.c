#include "src/bridge/hook.h"

#include "fake-server.h"
#include "src/base/clock.h"
#include "src/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/** A folder for a fake server, and a pipe that gives the payload. */
struct scene {
	char *dir;
	char *socket;
	struct bh_client_settings settings;
	int pipe[2];
};

static int scene_make(void **state)
{
	struct scene *scene = bh_xmalloc(sizeof(*scene));

	scene->dir = fake_server_dir();
	scene->socket = bh_xasprintf("%s/server.sock", scene->dir);
	scene->settings =
		(struct bh_client_settings){.socket_path = scene->socket, .token = "secret"};
	*state = scene;
	return pipe(scene->pipe);
}

static int scene_remove(void **state)
{
	struct scene *scene = *state;

	close(scene->pipe[0]);
	if (scene->pipe[1] >= 0) {
		close(scene->pipe[1]);
	}
	fake_server_dir_remove(scene->dir);
	free(scene->socket);
	free(scene);
	return 0;
}

static void scene_say(struct scene *scene, const char *text)
{
	assert_int_equal(write(scene->pipe[1], text, strlen(text)), strlen(text));
	close(scene->pipe[1]);
	scene->pipe[1] = -1;
}

/** Take one request, compare it with the file "wanted" of the folder, answer. */
static void play_event(int fd, int connection, const char *dir)
{
	static const char wanted[] =
		"{\"jsonrpc\":\"2.0\",\"protocol\":1,\"id\":1,\"method\":\"hook.event\",\"params\":{\"agent\":"
		"\"claude\",\"event\":\"Stop\",\"payload\":{\"hook_event_name\":\"Stop\",\"n\":1}},"
		"\"token\":\"secret\"}";
	static char line[400000];

	(void)connection;
	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	if (strcmp(line, wanted) != 0) {
		(void)fprintf(stderr, "wanted %s, got %s\n", wanted, line);
		_exit(1);
	}
	fake_server_write(fd, "{\"id\":1,\"result\":{}}\n");
}

static void an_event_reaches_the_server(void **state)
{
	struct scene *scene = *state;
	struct bh_hook hook = {.agent = "claude", .fd = scene->pipe[0], .limit_ms = 5000};
	pid_t server = fake_server_start(scene->dir, 1, play_event);

	scene_say(scene, "{\"hook_event_name\":\"Stop\",\"n\":1}\n");
	assert_int_equal(bh_hook_send(&hook, &scene->settings, NULL), 0);
	assert_int_equal(fake_server_wait(server), 0);
}

/** Fails unless the bulk was left out and the prompt was not. */
static void play_slim(int fd, int connection, const char *dir)
{
	static char line[700000];

	(void)connection;
	(void)dir;
	if (fake_server_read_line(fd, line, sizeof(line)) > 300000 ||
	    strstr(line, "tool_response") != NULL || strstr(line, "Mail m7") == NULL) {
		_exit(1);
	}
	fake_server_write(fd, "{\"id\":1,\"result\":{}}\n");
}

static void bulk_is_left_out(void **state)
{
	struct scene *scene = *state;
	struct bh_hook hook = {.event = "X", .fd = scene->pipe[0], .limit_ms = 5000};
	pid_t server = fake_server_start(scene->dir, 1, play_slim);
	pid_t writer = fork();

	// More than a pipe holds: the payload is written while it is read.
	if (writer == 0) {
		char *bulk = bh_xmalloc(600001);

		memset(bulk, 'x', 600000);
		fake_server_write(scene->pipe[1], "{\"tool_response\":\"");
		for (size_t at = 0; at < 600000; at += 60000) {
			char *part = bh_xmemdup(bulk + at, 60000);

			fake_server_write(scene->pipe[1], part);
			free(part);
		}
		fake_server_write(scene->pipe[1], "\",\"prompt\":\"Mail m7\"}");
		free(bulk);
		_exit(0);
	}
	close(scene->pipe[1]);
	scene->pipe[1] = -1;
	assert_int_equal(bh_hook_send(&hook, &scene->settings, NULL), 0);
	assert_int_equal(fake_server_wait(writer), 0);
	assert_int_equal(fake_server_wait(server), 0);
}

static void an_agent_that_keeps_the_pipe_open_is_not_waited_for(void **state)
{
	struct scene *scene = *state;
	struct bh_hook hook = {.event = "X", .fd = scene->pipe[0], .limit_ms = 60};
	uint64_t begin_ms = bh_clock_mono_ms();

	assert_int_equal(bh_hook_send(&hook, &scene->settings, NULL), BH_ETIMEOUT);
	assert_true(bh_clock_mono_ms() - begin_ms < 5000);
}

static void bad_payloads_are_refused(void **state)
{
	struct scene *scene = *state;
	struct bh_hook hook = {.fd = scene->pipe[0], .limit_ms = 1000};

	scene_say(scene, "not json");
	assert_int_equal(bh_hook_send(&hook, &scene->settings, NULL), BH_EINVALID);
}

static void an_event_without_a_name_is_refused(void **state)
{
	struct scene *scene = *state;
	struct bh_hook hook = {.fd = scene->pipe[0], .limit_ms = 1000};

	scene_say(scene, "{}");
	assert_int_equal(bh_hook_send(&hook, &scene->settings, NULL), BH_EINVALID);
}

static void outside_a_terminal_nothing_is_done(void **state)
{
	struct scene *scene = *state;
	struct bh_hook hook = {.fd = -1, .limit_ms = 1000};

	scene->settings.token = NULL;
	assert_int_equal(bh_hook_send(&hook, &scene->settings, NULL), BH_EDENIED);
}

static void no_server_is_no_reason_to_wait(void **state)
{
	struct scene *scene = *state;
	struct bh_hook hook = {.event = "X", .fd = scene->pipe[0], .limit_ms = 500};

	scene_say(scene, "{}");
	assert_true(bh_hook_send(&hook, &scene->settings, NULL) < 0);
}

int main(void)
{
#define SCENE(name) cmocka_unit_test_setup_teardown(name, scene_make, scene_remove)
	const struct CMUnitTest tests[] = {
		SCENE(an_event_reaches_the_server),
		SCENE(bulk_is_left_out),
		SCENE(an_agent_that_keeps_the_pipe_open_is_not_waited_for),
		SCENE(bad_payloads_are_refused),
		SCENE(an_event_without_a_name_is_refused),
		SCENE(outside_a_terminal_nothing_is_done),
		SCENE(no_server_is_no_reason_to_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
