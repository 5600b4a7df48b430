// The UI on a PTY, against a played server. Covers: src/ui/app_keys.
#include "src/ui/app.h"

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
#include <unistd.h>

#include <cmocka.h>

enum {
	COLS = 60,
	ROWS = 12
};

/** What the fake server's session is: one tab with one pane. */
#define STATE \
	"{\"layout\":{\"area\":{\"cols\":60,\"rows\":10},\"tabs\":[{\"id\":1,\"index\":1," \
	"\"name\":\"api\",\"is_active\":true,\"focus\":\"a\",\"panes\":[{\"terminal_id\":\"a\"," \
	"\"row\":1,\"col\":0,\"rows\":9,\"cols\":60,\"is_visible\":true}]}]}," \
	"\"terminals\":[{\"terminal_id\":\"a\",\"identity\":\"coder\",\"state\":\"idle\"," \
	"\"profile\":\"claude\"}],\"mail\":[]}"

/** A person at a terminal of our own, a UI in a child, and a fake server. */
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
	bh_screen_feed(scene->outer, "$ bellhop", 9, 1);
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

/** Run the UI in a child; its exit status is the outcome, or 100 when it failed. */
static void scene_show(struct scene *scene, int connections, fake_server_play play)
{
	struct bh_client_settings client = {.socket_path = scene->socket};
	struct bh_app_settings settings = {.client = &client,
	                                   .session = "work",
	                                   .in_fd = scene->slave,
	                                   .out_fd = scene->slave};
	struct bh_app_end end;

	scene->server = fake_server_start(scene->dir, connections, play);
	scene->child = fork();
	if (scene->child == 0) {
		alarm(20);
		close(scene->master);
		int rc = bh_app_run(&settings, &end, NULL);
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

/** Wait for both children and check that the terminal is as it was. */
static void scene_end(struct scene *scene, int outcome)
{
	char text[COLS * 4 + 1];

	assert_int_equal(fake_server_wait(scene->child), outcome);
	assert_int_equal(fake_server_wait(scene->server), 0);
	scene_see(scene, NULL);
	assert_false(bh_screen_mode(scene->outer, BH_SCREEN_MODE_ALT_SCREEN));
	assert_false(bh_screen_mode(scene->outer, BH_SCREEN_MODE_MOUSE));
	assert_false(bh_screen_mode(scene->outer, BH_SCREEN_MODE_BRACKETED_PASTE));
	assert_true(bh_screen_mode(scene->outer, BH_SCREEN_MODE_CURSOR_VISIBLE));
	assert_int_equal(bh_screen_kitty_flags(scene->outer), 0);
	(void)bh_screen_row_text(scene->outer, 0, text, sizeof(text));
	assert_string_equal(text, "$ bellhop");
}

// --------------------------------------------------------------------------- the fake server

/** Read a line, which must have @wanted in it; answer. */
static void expect_line(int fd, const char *wanted, const char *answer)
{
	char line[4000];

	(void)fake_server_read_line(fd, line, sizeof(line));
	if (strstr(line, wanted) == NULL) {
		(void)fprintf(stderr, "wanted %s, got %s\n", wanted, line);
		_exit(1);
	}
	fake_server_write(fd, answer);
}

/** Keys must come for stream 3. */
static void expect_keys(int fd, const char *wanted)
{
	char bytes[BH_FRAME_HEADER + 64];
	size_t len = BH_FRAME_HEADER + strlen(wanted);
	size_t got = 0;

	while (got < len) {
		ssize_t n = read(fd, bytes + got, len - got);

		if (n <= 0) {
			_exit(2);
		}
		got += (size_t)n;
	}
	if (bytes[1] != BH_FRAME_INPUT || bytes[2] != 3 ||
	    memcmp(bytes + BH_FRAME_HEADER, wanted, strlen(wanted)) != 0) {
		_exit(3);
	}
}

static void write_frames(int fd, struct bh_buf *out)
{
	if (write(fd, out->data, out->len) != (ssize_t)out->len) {
		_exit(4);
	}
	bh_buf_clear(out);
}

static void write_output(int fd, const char *text)
{
	struct bh_buf out = {0};

	bh_frame_append(&out, BH_FRAME_OUTPUT, 3, bh_span_of(text));
	write_frames(fd, &out);
}

/** The attach of the UI, and of the only pane's stream. */
static void play_begin(int fd, const char *stream_id, const char *repaint)
{
	struct bh_frame_snapshot snapshot = {.size = {60, 9}, .repaint = bh_span_of(repaint)};
	struct bh_buf out = {0};
	char answer[100];

	expect_line(fd, "\"ui.attach\",\"params\":{\"cols\":60,\"rows\":10",
	            "{\"id\":1,\"result\":{}}\n");
	expect_line(fd, "\"events.subscribe\"", "{\"id\":2,\"result\":" STATE "}\n");
	(void)snprintf(answer, sizeof(answer), "{\"id\":%s,\"result\":{\"stream\":3}}\n",
	               stream_id);
	expect_line(fd, "\"terminal.attach\",\"params\":{\"name\":\"a\",\"resize\":false}", answer);
	bh_frame_append_snapshot(&out, 3, &snapshot);
	write_frames(fd, &out);
}

static void wait_closed(int fd)
{
	char byte = 0;

	while (read(fd, &byte, 1) > 0) {
	}
}

static void play_pane(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	play_begin(fd, "1000001", "\x1b[>1uhello");
	expect_keys(fd, "ab");
	expect_keys(fd, "\x02");
	write_output(fd, "\r\ngot them");
	expect_line(fd, "\"pane.split\",\"params\":{\"direction\":\"down\",\"name\":\"a\"}",
	            "{\"id\":1000002,\"error\":{\"code\":-32000,\"message\":\"no room for two\","
	            "\"data\":{\"word\":\"no_room\"}}}\n");
	wait_closed(fd);
}

static void keys_go_to_the_pane_and_actions_to_the_server(void **state)
{
	struct scene *scene = *state;

	scene_show(scene, 1, play_pane);
	scene_see(scene, "hello");
	scene_see(scene, "1:api*");
	scene_see(scene, "coder · idle");
	assert_int_equal(bh_screen_kitty_flags(scene->outer), 1);
	scene_type(scene, "ab\x02\x02");
	scene_see(scene, "got them");
	scene_type(scene, "\x02\"");
	scene_see(scene, "no room for two");
	scene_type(scene, "\x02?");
	scene_see(scene, "keys after C-b");
	// Our own keys are a plain terminal's.
	assert_int_equal(bh_screen_kitty_flags(scene->outer), 0);
	scene_type(scene, "q");
	scene_see(scene, "got them");
	scene_type(scene, "\x02"
	                  "d");
	scene_end(scene, BH_APP_DETACHED);
}

static void play_rename(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	play_begin(fd, "1000001", "hello");
	expect_line(fd, "\"tab.rename\",\"params\":{\"tab\":1,\"name\":\"apix\"}",
	            "{\"id\":1000002,\"result\":{}}\n");
	expect_line(fd, "\"tab.select\",\"params\":{\"index\":7}",
	            "{\"id\":1000003,\"error\":{\"code\":-32000,\"message\":\"no tab 7\","
	            "\"data\":{\"word\":\"not_found\"}}}\n");
	wait_closed(fd);
}

static void a_name_is_asked_for(void **state)
{
	struct scene *scene = *state;

	scene_show(scene, 1, play_rename);
	scene_see(scene, "hello");
	// Given up once: nothing is sent.
	scene_type(scene, "\x02,");
	scene_see(scene, "name of the tab (Escape: as it is): api");
	scene_type(scene, "y\x03");
	scene_see(scene, "C-b d detach");
	scene_type(scene, "\x02,");
	scene_see(scene, "name of the tab (Escape: as it is): api");
	scene_type(scene, "x\r\x02"
	                  "7");
	scene_see(scene, "no tab 7");
	scene_type(scene, "\x02Q");
	scene_see(scene, "that key does nothing");
	scene_type(scene, "\x02\x04");
	scene_end(scene, BH_APP_DETACHED);
}

static void play_close(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	play_begin(fd, "1000001", "hello");
	expect_line(fd, "\"pane.close\",\"params\":{\"name\":\"a\"}",
	            "{\"id\":1000002,\"error\":{\"code\":-32000,\"message\":\"coder works again\","
	            "\"data\":{\"word\":\"needs_confirmation\"}}}\n");
	expect_line(fd, "\"pane.close\",\"params\":{\"name\":\"a\",\"force\":true}",
	            "{\"id\":1000003,\"result\":{}}\n{\"method\":\"layout.changed\",\"params\":"
	            "{\"area\":{\"cols\":60,\"rows\":10},\"tabs\":[]}}\n");
	wait_closed(fd);
}

static void closing_asks_as_often_as_it_must(void **state)
{
	struct scene *scene = *state;

	scene_show(scene, 1, play_close);
	scene_see(scene, "hello");
	scene_type(scene, "\x02x");
	scene_see(scene, "close this pane and end coder?");
	scene_type(scene, "n");
	scene_type(scene, "\x02x");
	scene_see(scene, "close this pane and end coder?");
	scene_type(scene, "y");
	scene_see(scene, "coder works again (y/n)");
	scene_type(scene, "y");
	scene_end(scene, BH_APP_EMPTY);
}

static void play_twice(int fd, int connection, const char *dir)
{
	char path[200];

	play_begin(fd, connection == 0 ? "1000001" : "1000002",
	           connection == 0 ? "before" : "after");
	if (connection == 0) {
		expect_keys(fd, "x");
		return; // the server dies
	}
	(void)snprintf(path, sizeof(path), "%s/server.sock", dir);
	(void)unlink(path);
	wait_closed(fd);
}

static void a_server_that_comes_back_is_found_again(void **state)
{
	struct scene *scene = *state;

	scene_show(scene, 2, play_twice);
	scene_see(scene, "before");
	scene_type(scene, "x");
	scene_see(scene, "after");
	scene_see(scene, "connected again");
	assert_int_equal(kill(scene->child, SIGTERM), 0);
	scene_end(scene, BH_APP_SIGNALLED);
}

static void play_nothing(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	expect_line(fd, "\"ui.attach\"", "{\"id\":1,\"result\":{}}\n");
	expect_line(fd, "\"events.subscribe\"",
	            "{\"id\":2,\"result\":{\"layout\":{\"area\":{},\"tabs\":[]},\"terminals\":[],"
	            "\"mail\":[]}}\n");
	expect_line(fd, "\"tab.new\"", "{\"id\":1000001,\"result\":{}}\n");
	wait_closed(fd);
}

static void a_session_with_nothing_in_it_gets_a_shell(void **state)
{
	struct scene *scene = *state;

	scene_show(scene, 1, play_nothing);
	scene_see(scene, "bellhop · work");
	scene_type(scene, "\x02"
	                  "d");
	scene_end(scene, BH_APP_DETACHED);
}

static void play_refusal(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	expect_line(fd, "\"ui.attach\"",
	            "{\"id\":1,\"error\":{\"code\":-32000,\"message\":\"only with observe\","
	            "\"data\":{\"word\":\"denied\"}}}\n");
}

static void a_refusal_leaves_the_terminal_alone(void **state)
{
	struct scene *scene = *state;

	scene_show(scene, 1, play_refusal);
	scene_end(scene, 100);
}

static void without_a_terminal_nothing_is_tried(void **state)
{
	struct bh_client_settings client = {.socket_path = "/nowhere"};
	struct bh_app_settings settings = {.client = &client, .session = "work"};
	struct bh_app_end end;
	struct bh_err err = {0};
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	settings.in_fd = fds[0];
	settings.out_fd = fds[1];
	assert_int_equal(bh_app_run(&settings, &end, &err), BH_EUNSUPPORTED);
	assert_non_null(strstr(err.text, "must be a terminal"));
	close(fds[0]);
	close(fds[1]);
}

#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, scene_make, scene_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE_TEST(keys_go_to_the_pane_and_actions_to_the_server),
		SCENE_TEST(a_name_is_asked_for),
		SCENE_TEST(closing_asks_as_often_as_it_must),
		SCENE_TEST(a_server_that_comes_back_is_found_again),
		SCENE_TEST(a_session_with_nothing_in_it_gets_a_shell),
		SCENE_TEST(a_refusal_leaves_the_terminal_alone),
		cmocka_unit_test(without_a_terminal_nothing_is_tried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
