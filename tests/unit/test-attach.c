#include "src/ui/attach.h"

#include "fake-server.h"
#include "src/base/clock.h"
#include "src/base/frame.h"
#include "src/base/mem.h"
#include "term/screen.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
	COLS = 50,
	ROWS = 12
};

/** A person at a terminal of our own, an attach in a child, and a fake server. */
struct scene {
	char *dir;
	char *socket;
	int master;
	int slave;
	pid_t child;
	pid_t server;
	struct bh_screen *outer;
};

static int scene_make(void **state)
{
	struct scene *scene = bh_xmalloc(sizeof(*scene));
	struct bh_screen_settings settings = {.cols = COLS, .rows = ROWS};
	struct winsize size = {.ws_col = COLS, .ws_row = ROWS};

	scene->dir = fake_server_dir();
	scene->socket = bh_xasprintf("%s/server.sock", scene->dir);
	scene->outer = bh_screen_new(&settings);
	scene->master = posix_openpt(O_RDWR | O_NOCTTY);
	if (scene->master < 0 || grantpt(scene->master) != 0 || unlockpt(scene->master) != 0) {
		return 1;
	}
	scene->slave = open(ptsname(scene->master), O_RDWR | O_NOCTTY);
	bh_screen_feed(scene->outer, "$ attach", 8, 1);
	*state = scene;
	return ioctl(scene->master, TIOCSWINSZ, &size);
}

static int scene_remove(void **state)
{
	struct scene *scene = *state;

	close(scene->master);
	close(scene->slave);
	bh_screen_free(scene->outer);
	fake_server_dir_remove(scene->dir);
	free(scene->socket);
	free(scene);
	return 0;
}

/** Run the attach in a child; its exit status is the outcome, or 100 when it failed. */
static void scene_attach(struct scene *scene, int connections, fake_server_play play)
{
	struct bh_client_settings client = {.socket_path = scene->socket};
	struct bh_attach_settings settings = {
		.client = &client, .name = "coder", .in_fd = scene->slave, .out_fd = scene->slave};
	struct bh_attach_end end;

	scene->server = fake_server_start(scene->dir, connections, play);
	scene->child = fork();
	if (scene->child == 0) {
		alarm(20);
		close(scene->master);
		// Without a controlling terminal nobody tells of a new size but the test.
		int rc = bh_attach_run(&settings, &end, NULL);
		_exit(rc == 0 ? (int)end.outcome : 100);
	}
}

/** Read what is drawn, until @text stands on the screen (NULL: until nothing more comes). */
static void scene_see(struct scene *scene, const char *text)
{
	uint64_t deadline_ms = bh_clock_mono_ms() + 10000;
	char bytes[4096];

	while (bh_clock_mono_ms() < deadline_ms) {
		struct pollfd at = {.fd = scene->master, .events = POLLIN};
		size_t len = 0;
		char *all = bh_screen_text(scene->outer, &len);
		bool is_there = text != NULL && strstr(all, text) != NULL;

		free(all);
		if (is_there) {
			return;
		}
		if (poll(&at, 1, text == NULL ? 100 : 1000) == 1) {
			ssize_t n = read(scene->master, bytes, sizeof(bytes));

			if (n > 0) {
				bh_screen_feed(scene->outer, bytes, (size_t)n, 1);
			}
		} else if (text == NULL) {
			return;
		}
	}
	fail_msg("\"%s\" was never shown:\n%s", text, bh_screen_text(scene->outer, NULL));
}

static void scene_type(struct scene *scene, const char *keys)
{
	assert_int_equal(write(scene->master, keys, strlen(keys)), strlen(keys));
}

/** Wait for the child and check that the terminal is as it was. */
static void scene_end(struct scene *scene, int outcome)
{
	char text[200];

	assert_int_equal(fake_server_wait(scene->child), outcome);
	scene_see(scene, NULL);
	assert_false(bh_screen_mode(scene->outer, BH_SCREEN_MODE_ALT_SCREEN));
	assert_false(bh_screen_mode(scene->outer, BH_SCREEN_MODE_MOUSE));
	assert_false(bh_screen_mode(scene->outer, BH_SCREEN_MODE_BRACKETED_PASTE));
	assert_true(bh_screen_mode(scene->outer, BH_SCREEN_MODE_CURSOR_VISIBLE));
	(void)bh_screen_row_text(scene->outer, 0, text, sizeof(text));
	assert_string_equal(text, "$ attach");
}

static void answer_attach(int fd, const char *repaint)
{
	char line[2000];
	struct bh_buf out = {0};
	struct bh_frame_snapshot snapshot = {.size = {.cols = COLS, .rows = ROWS - 1},
	                                     .repaint = bh_span_of(repaint)};

	(void)fake_server_read_line(fd, line, sizeof(line));
	fake_server_write(fd, "{\"id\":1,\"result\":{\"stream\":3,\"terminal\":{\"identity\":"
	                      "\"coder\",\"terminal_id\":\"6f1c\",\"state\":\"idle\"}}}\n");
	(void)fake_server_read_line(fd, line, sizeof(line));
	bh_frame_append_snapshot(&out, 3, &snapshot);
	if (write(fd, out.data, out.len) != (ssize_t)out.len) {
		_exit(9);
	}
	bh_buf_clear(&out);
}

static void send_frame(int fd, enum bh_frame_type type, const char *text)
{
	struct bh_buf out = {0};

	bh_frame_append(&out, type, 3, bh_span_of(text));
	if (write(fd, out.data, out.len) != (ssize_t)out.len) {
		_exit(9);
	}
	bh_buf_clear(&out);
}

/** Read one frame; its payload to @text. Gives its type, 0 at the end. */
static int read_frame(int fd, char *text, size_t size)
{
	unsigned char head[BH_FRAME_HEADER];
	size_t len = 0;

	for (size_t at = 0; at < sizeof(head); at++) {
		if (read(fd, head + at, 1) != 1) {
			return 0;
		}
	}
	for (len = 0; len < head[4] && len + 1 < size; len++) {
		if (read(fd, text + len, 1) != 1) {
			return 0;
		}
	}
	text[len] = '\0';
	return head[1];
}

/** Echoes keys in capitals. Ends when the client does. */
static void play_echo(int fd, int connection, const char *dir)
{
	char text[100];

	(void)connection;
	(void)dir;
	answer_attach(fd, "welcome\r\n\x1b[?1000h\x1b[?1006h");
	while (read_frame(fd, text, sizeof(text)) == BH_FRAME_INPUT) {
		for (char *at = text; *at != '\0'; at++) {
			*at = *at == 2 ? '#' : *at >= 'a' && *at <= 'z' ? (char)(*at - 32) : *at;
		}
		send_frame(fd, BH_FRAME_OUTPUT, text);
	}
}

static void a_person_types_and_detaches(void **state)
{
	struct scene *scene = *state;

	scene_attach(scene, 1, play_echo);
	scene_see(scene, "welcome");
	scene_see(scene, " coder  idle");
	assert_true(bh_screen_mode(scene->outer, BH_SCREEN_MODE_ALT_SCREEN));
	assert_true(bh_screen_mode(scene->outer, BH_SCREEN_MODE_MOUSE_CLICK));
	scene_type(scene, "hello");
	scene_see(scene, "HELLO");
	scene_type(scene, "\x02?");
	scene_see(scene, "after C-b:  d detach");
	scene_type(scene, "\x02\x02");
	scene_see(scene, "HELLO#");
	scene_type(scene, "\x02z");
	scene_see(scene, "does nothing");
	scene_type(scene, "\x02"
	                  "d");
	scene_end(scene, BH_ATTACH_DETACHED);
	assert_int_equal(fake_server_wait(scene->server), 0);
}

static void play_end(int fd, int connection, const char *dir)
{
	struct bh_buf out = {0};

	(void)connection;
	(void)dir;
	answer_attach(fd, "welcome");
	bh_frame_append_exit(&out, 3, 0);
	if (write(fd, out.data, out.len) != (ssize_t)out.len) {
		_exit(9);
	}
	bh_buf_clear(&out);
}

static void the_program_ends(void **state)
{
	struct scene *scene = *state;

	scene_attach(scene, 1, play_end);
	scene_end(scene, BH_ATTACH_EXITED);
}

/** Dies after the first snapshot; shows a note in the second life. */
static void play_restart(int fd, int connection, const char *dir)
{
	char text[100];
	char *path = bh_xasprintf("%s/seen", dir);

	answer_attach(fd, connection == 0 ? "first life" : "second life");
	if (connection == 0) {
		// Until the test has seen it.
		while (access(path, F_OK) != 0) {
			(void)poll(NULL, 0, 5);
		}
	} else {
		send_frame(fd, BH_FRAME_NOTE, "typing mail");
		(void)read_frame(fd, text, sizeof(text));
	}
	free(path);
}

static void a_restart_of_the_server_is_survived(void **state)
{
	struct scene *scene = *state;
	char *path = bh_xasprintf("%s/seen", scene->dir);

	scene_attach(scene, 2, play_restart);
	scene_see(scene, "first life");
	close(open(path, O_CREAT | O_WRONLY, 0600));
	free(path);
	scene_see(scene, "second life");
	scene_see(scene, "connected again");
	scene_see(scene, "typing mail");
	scene_type(scene, "\x02"
	                  "d");
	scene_end(scene, BH_ATTACH_DETACHED);
}

static void play_wait(int fd, int connection, const char *dir)
{
	char text[100];

	(void)connection;
	(void)dir;
	answer_attach(fd, "welcome");
	(void)read_frame(fd, text, sizeof(text));
}

static void a_signal_restores_the_terminal(void **state)
{
	struct scene *scene = *state;

	scene_attach(scene, 1, play_wait);
	scene_see(scene, "welcome");
	assert_int_equal(kill(scene->child, SIGTERM), 0);
	scene_end(scene, BH_ATTACH_SIGNALLED);
}

/** Tells the size that it hears of as output. */
static void play_size(int fd, int connection, const char *dir)
{
	char text[100];
	char said[100];

	(void)connection;
	(void)dir;
	answer_attach(fd, "welcome");
	while (read_frame(fd, text, sizeof(text)) == BH_FRAME_RESIZE) {
		(void)snprintf(said, sizeof(said), "\r\n%dx%d", text[0], text[2]);
		send_frame(fd, BH_FRAME_OUTPUT, said);
	}
}

static void a_new_size_is_told(void **state)
{
	struct scene *scene = *state;
	struct winsize size = {.ws_col = 44, .ws_row = 11};

	scene_attach(scene, 1, play_size);
	scene_see(scene, "welcome");
	assert_int_equal(ioctl(scene->master, TIOCSWINSZ, &size), 0);
	bh_screen_resize(scene->outer, 44, 11);
	assert_int_equal(kill(scene->child, SIGWINCH), 0);
	scene_see(scene, "44x10");
	scene_type(scene, "\x02"
	                  "d");
	scene_end(scene, BH_ATTACH_DETACHED);
}

static void the_persons_terminal_goes_away(void **state)
{
	struct scene *scene = *state;

	scene_attach(scene, 1, play_wait);
	scene_see(scene, "welcome");
	close(scene->master);
	assert_int_equal(fake_server_wait(scene->child), BH_ATTACH_SIGNALLED);
	assert_int_equal(fake_server_wait(scene->server), 0);
	scene->master = dup(scene->slave);
}

static void no_terminal_is_refused(void **state)
{
	struct scene *scene = *state;
	struct bh_client_settings client = {.socket_path = scene->socket};
	struct bh_attach_settings settings = {
		.client = &client, .name = "coder", .in_fd = -1, .out_fd = -1};
	struct bh_attach_end end;
	struct bh_err err = {0};

	assert_int_equal(bh_attach_run(&settings, &end, &err), BH_EUNSUPPORTED);
	assert_non_null(strstr(err.text, "bellhop screen"));
}

int main(void)
{
#define SCENE(name) cmocka_unit_test_setup_teardown(name, scene_make, scene_remove)
	const struct CMUnitTest tests[] = {
		SCENE(a_person_types_and_detaches),
		SCENE(the_program_ends),
		SCENE(a_restart_of_the_server_is_survived),
		SCENE(a_signal_restores_the_terminal),
		SCENE(a_new_size_is_told),
		SCENE(the_persons_terminal_goes_away),
		SCENE(no_terminal_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
