#include "src/ui/pane.h"

#include "fake-server.h"
#include "src/base/clock.h"
#include "src/base/frame.h"
#include "src/base/mem.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ATTACHED \
	"{\"id\":1,\"result\":{\"stream\":3,\"terminal\":{\"identity\":\"coder\"," \
	"\"terminal_id\":\"6f1c\",\"state\":\"idle\"}}}\n"

/** A folder for a fake server and a pane of a session there. */
struct scene {
	char *dir;
	char *socket;
	struct bh_client_settings client;
	struct bh_pane_settings settings;
	struct bh_pane *pane;
};

static int scene_make(void **state)
{
	struct scene *scene = bh_xmalloc(sizeof(*scene));

	scene->dir = fake_server_dir();
	scene->socket = bh_xasprintf("%s/server.sock", scene->dir);
	scene->client = (struct bh_client_settings){.socket_path = scene->socket};
	scene->settings = (struct bh_pane_settings){
		.client = &scene->client, .name = "Coder", .cols = 40, .rows = 10};
	*state = scene;
	return 0;
}

static int scene_remove(void **state)
{
	struct scene *scene = *state;

	bh_pane_free(scene->pane);
	fake_server_dir_remove(scene->dir);
	free(scene->socket);
	free(scene);
	return 0;
}

static void write_buf(int fd, struct bh_buf *out)
{
	if (write(fd, out->data, out->len) != (ssize_t)out->len) {
		_exit(9);
	}
	bh_buf_clear(out);
}

static void add_snapshot(struct bh_buf *out, uint16_t stream, const char *repaint)
{
	struct bh_frame_snapshot snapshot = {.size = {.cols = 40, .rows = 10},
	                                     .repaint = bh_span_of(repaint)};

	bh_frame_append_snapshot(out, stream, &snapshot);
}

/** Pump until @is_done says so, half a minute at most. Gives the pump's code. */
static int pump_until(struct scene *scene, bool (*is_done)(struct bh_pane *pane))
{
	uint64_t deadline_ms = bh_clock_mono_ms() + 30000;
	int rc = 0;

	while (rc == 0 && !is_done(scene->pane)) {
		struct pollfd at = {.fd = bh_pane_fd(scene->pane), .events = POLLIN};

		assert_true(bh_clock_mono_ms() < deadline_ms);
		(void)poll(&at, 1, 50);
		rc = bh_pane_pump(scene->pane, bh_clock_mono_ms());
	}
	return rc;
}

static bool pane_is_over(struct bh_pane *pane)
{
	return bh_pane_is_over(pane, NULL);
}

static bool pane_is_never(struct bh_pane *pane)
{
	(void)pane;
	return false;
}

static void play_stream(int fd, int connection, const char *dir)
{
	char line[2000];
	struct bh_buf out = {0};
	struct bh_frame_size size = {.cols = 30, .rows = 8};

	(void)connection;
	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	if (strstr(line, "\"terminal.attach\",\"params\":{\"name\":\"Coder\",\"newest\":true,"
	                 "\"cols\":40,\"rows\":10,\"input_token\":\"") == NULL) {
		_exit(1);
	}
	fake_server_write(fd, ATTACHED);
	(void)fake_server_read_line(fd, line, sizeof(line));
	if (strstr(line, "terminal.wait_state") == NULL || strstr(line, "\"idle\"") != NULL ||
	    strstr(line, "\"working\"") == NULL || strstr(line, "\"name\":\"6f1c\"") == NULL) {
		_exit(2);
	}
	add_snapshot(&out, 3, "old");
	bh_frame_append(&out, BH_FRAME_OUTPUT, 3, bh_span_of(" new\x1b[c"));
	bh_frame_append(&out, BH_FRAME_OUTPUT, 4, bh_span_of(" foreign"));
	bh_frame_append(&out, (enum bh_frame_type)99, 3, bh_span_of("later version"));
	bh_frame_append_resize(&out, 3, size);
	bh_frame_append(&out, BH_FRAME_NOTE, 3, bh_span_of("typing mail"));
	bh_buf_puts(&out, "{\"id\":1000001,\"result\":{\"state\":\"working\",\"reached\":true}}\n");
	write_buf(fd, &out);
	(void)fake_server_read_line(fd, line, sizeof(line));
	if (strstr(line, "\"working\"") != NULL || strstr(line, "\"idle\"") == NULL) {
		_exit(3);
	}
	bh_frame_append_exit(&out, 3, 256);
	write_buf(fd, &out);
}

static void a_stream_becomes_a_screen(void **state)
{
	struct scene *scene = *state;
	pid_t server = fake_server_start(scene->dir, 1, play_stream);
	int32_t status = 0;
	char text[200];

	scene->pane = bh_pane_new(&scene->settings);
	assert_string_equal(bh_pane_identity(scene->pane), "Coder");
	assert_int_equal(bh_pane_connect(scene->pane, 0, NULL), 0);
	assert_string_equal(bh_pane_identity(scene->pane), "coder");
	assert_string_equal(bh_pane_state(scene->pane), "idle");
	assert_int_equal(pump_until(scene, pane_is_over), 0);
	(void)bh_screen_row_text(bh_pane_screen(scene->pane), 0, text, sizeof(text));
	assert_string_equal(text, "old new");
	assert_int_equal(bh_screen_cols(bh_pane_screen(scene->pane)), 30);
	assert_string_equal(bh_pane_note(scene->pane), "typing mail");
	assert_string_equal(bh_pane_state(scene->pane), "working");
	assert_true(bh_pane_is_over(scene->pane, &status));
	assert_int_equal(status, 256);
	assert_true(bh_pane_take_news(scene->pane));
	assert_false(bh_pane_take_news(scene->pane));
	assert_int_equal(fake_server_wait(server), 0);
}

static void play_keys(int fd, int connection, const char *dir)
{
	static const char wanted[] = "\0\2\3\0\2\0\0\0hi\0\3\3\0\4\0\0\0\x50\0\x18\0";
	char line[2000];
	char frames[sizeof(wanted) - 1];

	(void)connection;
	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	fake_server_write(fd, ATTACHED);
	(void)fake_server_read_line(fd, line, sizeof(line));
	for (size_t at = 0; at < sizeof(frames);) {
		ssize_t n = read(fd, frames + at, sizeof(frames) - at);

		if (n <= 0) {
			_exit(1);
		}
		at += (size_t)n;
	}
	if (memcmp(frames, wanted, sizeof(frames)) != 0) {
		_exit(2);
	}
}

static void keys_and_sizes_go_to_the_server(void **state)
{
	struct scene *scene = *state;
	pid_t server = fake_server_start(scene->dir, 1, play_keys);

	scene->pane = bh_pane_new(&scene->settings);
	assert_int_equal(bh_pane_connect(scene->pane, 0, NULL), 0);
	bh_pane_keys(scene->pane, bh_span_of("hi"));
	bh_pane_resize(scene->pane, 80, 24);
	assert_true(bh_pane_wants_write(scene->pane));
	assert_int_equal(pump_until(scene, pane_is_never), BH_ECLOSED);
	assert_int_equal(fake_server_wait(server), 0);
	assert_false(bh_pane_is_connected(scene->pane));
	assert_int_equal(bh_pane_fd(scene->pane), -1);
}

/** An observer says nothing but the two requests. */
static void play_observed(int fd, int connection, const char *dir)
{
	char line[2000];

	(void)connection;
	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	if (strstr(line, "\"observe\":true") == NULL || strstr(line, "cols") != NULL) {
		_exit(1);
	}
	fake_server_write(fd, ATTACHED);
	(void)fake_server_read_line(fd, line, sizeof(line));
	if (read(fd, line, 1) != 0) {
		_exit(2);
	}
}

static void an_observer_types_nothing(void **state)
{
	struct scene *scene = *state;
	pid_t server = fake_server_start(scene->dir, 1, play_observed);

	scene->settings.is_observing = true;
	scene->pane = bh_pane_new(&scene->settings);
	assert_int_equal(bh_pane_connect(scene->pane, 0, NULL), 0);
	bh_pane_keys(scene->pane, bh_span_of("hi"));
	bh_pane_resize(scene->pane, 80, 24);
	assert_int_equal(bh_pane_pump(scene->pane, 1), 0);
	bh_pane_free(scene->pane);
	scene->pane = NULL;
	assert_int_equal(fake_server_wait(server), 0);
}

/** The second time the terminal is asked for by its id. */
static void play_again(int fd, int connection, const char *dir)
{
	char line[2000];
	struct bh_buf out = {0};

	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	if (connection == 1 && strstr(line, "\"name\":\"6f1c\"") == NULL) {
		_exit(1);
	}
	fake_server_write(fd, ATTACHED);
	(void)fake_server_read_line(fd, line, sizeof(line));
	add_snapshot(&out, 3, connection == 0 ? "first" : "second");
	write_buf(fd, &out);
}

static void the_screen_stays_until_the_next_server_draws_it(void **state)
{
	struct scene *scene = *state;
	pid_t server = fake_server_start(scene->dir, 2, play_again);
	char text[200];

	scene->pane = bh_pane_new(&scene->settings);
	assert_int_equal(bh_pane_connect(scene->pane, 0, NULL), 0);
	assert_int_equal(pump_until(scene, pane_is_never), BH_ECLOSED);
	(void)bh_screen_row_text(bh_pane_screen(scene->pane), 0, text, sizeof(text));
	assert_string_equal(text, "first");
	assert_int_equal(bh_pane_connect(scene->pane, 0, NULL), 0);
	assert_int_equal(pump_until(scene, pane_is_never), BH_ECLOSED);
	(void)bh_screen_row_text(bh_pane_screen(scene->pane), 0, text, sizeof(text));
	assert_string_equal(text, "second");
	assert_int_equal(fake_server_wait(server), 0);
}

static void play_reconnect(int fd, int connection, const char *dir)
{
	char line[2000];
	uint8_t frame[BH_FRAME_HEADER + 4];

	(void)fake_server_read_line(fd, line, sizeof(line));
	if (connection == 0) {
		return; // it dies before it has answered
	}
	if (strstr(line, "\"cols\":40,\"rows\":10") == NULL) {
		_exit(1);
	}
	if (connection == 1) {
		fake_server_write(fd, "noise\n");
		return;
	}
	fake_server_await(dir);
	fake_server_write(fd, "{\"id\":77,\"result\":{}}\n" ATTACHED);
	(void)fake_server_read_line(fd, line, sizeof(line));
	// The first that comes is the size, no keys.
	if (read(fd, frame, sizeof(frame)) != (ssize_t)sizeof(frame) ||
	    frame[1] != BH_FRAME_RESIZE || frame[BH_FRAME_HEADER] != 30) {
		_exit(2);
	}
}

/** Steps until it is no longer under way; half a minute at most. */
static int reconnect(struct bh_pane *pane, struct bh_err *err)
{
	uint64_t deadline_ms = bh_clock_mono_ms() + 30000;
	int rc = bh_pane_reconnect(pane, err);

	while (rc == BH_PANE_UNDERWAY) {
		struct pollfd at = {.fd = bh_pane_fd(pane), .events = POLLIN};

		assert_true(bh_clock_mono_ms() < deadline_ms);
		assert_true(at.fd >= 0);
		assert_false(bh_pane_is_connected(pane));
		(void)poll(&at, 1, 50);
		rc = bh_pane_reconnect(pane, err);
	}
	assert_true(bh_pane_is_connected(pane) == (rc == 0));
	return rc;
}

static void reconnecting_goes_by_steps(void **state)
{
	struct scene *scene = *state;
	pid_t server = fake_server_start(scene->dir, 3, play_reconnect);
	struct bh_err err = {0};

	scene->pane = bh_pane_new(&scene->settings);
	assert_int_equal(reconnect(scene->pane, &err), BH_ECLOSED);
	assert_non_null(strstr(err.text, "talk to the server"));
	assert_int_equal(bh_pane_fd(scene->pane), -1);
	assert_int_equal(reconnect(scene->pane, &err), BH_EPROTOCOL);
	assert_int_equal(bh_pane_reconnect(scene->pane, &err), BH_PANE_UNDERWAY);
	// What is typed now is nobody's; the window is made smaller meanwhile.
	bh_pane_keys(scene->pane, bh_span_of("x"));
	bh_pane_resize(scene->pane, 30, 8);
	fake_server_go(scene->dir);
	assert_int_equal(reconnect(scene->pane, &err), 0);
	assert_string_equal(bh_pane_identity(scene->pane), "coder");
	assert_int_equal(pump_until(scene, pane_is_never), BH_ECLOSED);
	assert_int_equal(fake_server_wait(server), 0);
	assert_int_equal(reconnect(scene->pane, &err), -ECONNREFUSED);
}

static void play_refusal(int fd, int connection, const char *dir)
{
	char line[2000];

	(void)connection;
	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	fake_server_write(fd, "{\"id\":1,\"error\":{\"code\":-32000,\"message\":\"no coder here\","
	                      "\"data\":{\"word\":\"not_found\"}}}\n");
}

static void a_refusal_is_told(void **state)
{
	struct scene *scene = *state;
	struct bh_err err = {0};

	(void)fake_server_start(scene->dir, 1, play_refusal);
	scene->pane = bh_pane_new(&scene->settings);
	assert_int_equal(bh_pane_connect(scene->pane, 0, &err), BH_ENOTFOUND);
	assert_string_equal(err.text, "no coder here");
	assert_false(bh_pane_is_connected(scene->pane));
	assert_null(bh_pane_screen(scene->pane));
}

static void play_broken_frame(int fd, int connection, const char *dir)
{
	char line[2000];
	struct bh_buf out = {0};

	(void)connection;
	(void)dir;
	(void)fake_server_read_line(fd, line, sizeof(line));
	fake_server_write(fd, ATTACHED);
	bh_frame_append(&out, BH_FRAME_SNAPSHOT, 3, bh_span_of("short"));
	write_buf(fd, &out);
	(void)fake_server_read_line(fd, line, sizeof(line));
	(void)fake_server_read_line(fd, line, sizeof(line));
}

static void a_broken_frame_ends_the_connection(void **state)
{
	struct scene *scene = *state;

	(void)fake_server_start(scene->dir, 1, play_broken_frame);
	scene->pane = bh_pane_new(&scene->settings);
	assert_int_equal(bh_pane_connect(scene->pane, 0, NULL), 0);
	assert_int_equal(pump_until(scene, pane_is_never), BH_EPROTOCOL);
	assert_false(bh_pane_is_connected(scene->pane));
}

int main(void)
{
#define SCENE(name) cmocka_unit_test_setup_teardown(name, scene_make, scene_remove)
	const struct CMUnitTest tests[] = {
		SCENE(a_stream_becomes_a_screen),
		SCENE(keys_and_sizes_go_to_the_server),
		SCENE(an_observer_types_nothing),
		SCENE(the_screen_stays_until_the_next_server_draws_it),
		SCENE(reconnecting_goes_by_steps),
		SCENE(a_refusal_is_told),
		SCENE(a_broken_frame_ends_the_connection),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
