// The UI on a PTY, against a played server.
#include "src/ui/app.h"

#include "app-scene.h"
#include "fake-session.h"
#include "src/base/clock.h"

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

static int scene_make(void **state)
{
	*state = fake_person_new(COLS, ROWS);
	return 0;
}

// --------------------------------------------------------------------------- the fake server

/** The attach of the UI, and of the only pane's stream. */
static void play_begin(int fd, const char *stream_id, const char *repaint)
{
	char answer[100];

	fake_session_line(fd, "\"ui.attach\",\"params\":{\"cols\":60,\"rows\":10",
	                  "{\"id\":1,\"result\":{}}\n");
	fake_session_line(fd, "\"events.subscribe\"", "{\"id\":2,\"result\":" STATE "}\n");
	(void)snprintf(answer, sizeof(answer), "{\"id\":%s,\"result\":{\"stream\":3}}\n",
	               stream_id);
	fake_session_line(
		fd,
		"\"terminal.attach\",\"params\":{\"name\":\"a\",\"newest\":true,\"resize\":false,"
		"\"input_token\":\"",
		answer);
	fake_session_snapshot(fd, 3, 60, 9, repaint);
}

static void play_pane(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	play_begin(fd, "1000001", "\x1b[>1uhello");
	fake_session_keys(fd, 3, "ab");
	fake_session_keys(fd, 3, "\x02");
	fake_session_output(fd, 3, "\r\ngot them");
	fake_session_line(
		fd, "\"pane.split\",\"params\":{\"direction\":\"down\",\"name\":\"a\"}",
		"{\"id\":1000002,\"error\":{\"code\":-32000,\"message\":\"no room for two\","
		"\"data\":{\"word\":\"no_room\"}}}\n");
	fake_session_over(fd);
}

static void keys_go_to_the_pane_and_actions_to_the_server(void **state)
{
	struct fake_person *scene = *state;

	fake_person_start(scene, 1, play_pane, app_scene_run);
	fake_person_see(scene, "hello");
	fake_person_see(scene, "1:api*");
	fake_person_see(scene, "coder · idle");
	assert_int_equal(bh_screen_kitty_flags(scene->outer), 1);
	fake_person_type(scene, "ab\x02\x02");
	fake_person_see(scene, "got them");
	fake_person_type(scene, "\x02\"");
	fake_person_see(scene, "no room for two");
	fake_person_type(scene, "\x02?");
	fake_person_see(scene, "keys after C-b");
	// Our own keys are a plain terminal's.
	assert_int_equal(bh_screen_kitty_flags(scene->outer), 0);
	fake_person_type(scene, "q");
	fake_person_see(scene, "got them");
	fake_person_type(scene, "\x02"
	                        "d");
	app_scene_end(scene, BH_APP_DETACHED);
}

static void play_rename(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	play_begin(fd, "1000001", "hello");
	fake_session_line(fd, "\"tab.rename\",\"params\":{\"tab\":1,\"name\":\"apix\"}",
	                  "{\"id\":1000002,\"result\":{}}\n");
	fake_session_line(fd, "\"tab.select\",\"params\":{\"index\":7}",
	                  "{\"id\":1000003,\"error\":{\"code\":-32000,\"message\":\"no tab 7\","
	                  "\"data\":{\"word\":\"not_found\"}}}\n");
	fake_session_over(fd);
}

static void a_name_is_asked_for(void **state)
{
	struct fake_person *scene = *state;

	fake_person_start(scene, 1, play_rename, app_scene_run);
	fake_person_see(scene, "hello");
	// Given up once: nothing is sent.
	fake_person_type(scene, "\x02,");
	fake_person_see(scene, "name of the tab (Escape: as it is): api");
	fake_person_type(scene, "y\x03");
	fake_person_see(scene, "C-b d detach");
	fake_person_type(scene, "\x02,");
	fake_person_see(scene, "name of the tab (Escape: as it is): api");
	fake_person_type(scene, "x\r\x02"
	                        "7");
	fake_person_see(scene, "no tab 7");
	fake_person_type(scene, "\x02Q");
	fake_person_see(scene, "that key does nothing");
	fake_person_type(scene, "\x02\x04");
	app_scene_end(scene, BH_APP_DETACHED);
}

static void play_close(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	play_begin(fd, "1000001", "hello");
	fake_session_line(
		fd, "\"pane.close\",\"params\":{\"name\":\"a\"}",
		"{\"id\":1000002,\"error\":{\"code\":-32000,\"message\":\"coder works again\","
		"\"data\":{\"word\":\"needs_confirmation\"}}}\n");
	fake_session_line(
		fd, "\"pane.close\",\"params\":{\"name\":\"a\",\"force\":true}",
		"{\"id\":1000003,\"result\":{}}\n{\"method\":\"layout.changed\",\"params\":"
		"{\"area\":{\"cols\":60,\"rows\":10},\"tabs\":[]}}\n");
	fake_session_over(fd);
}

static void closing_asks_as_often_as_it_must(void **state)
{
	struct fake_person *scene = *state;

	fake_person_start(scene, 1, play_close, app_scene_run);
	fake_person_see(scene, "hello");
	// An answer that was typed before the question was there is none.
	fake_person_type(scene, "\x02xy");
	fake_person_see(scene, "close this pane and end coder?");
	fake_person_see(scene, NULL);
	fake_person_see(scene, "close this pane and end coder?");
	fake_person_type(scene, "n");
	fake_person_see(scene, "C-b d detach");
	fake_person_type(scene, "\x02x");
	fake_person_see(scene, "close this pane and end coder?");
	fake_person_type(scene, "y");
	fake_person_see(scene, "coder works again (y/n)");
	fake_person_type(scene, "y");
	app_scene_end(scene, BH_APP_EMPTY);
}

/** A layout of two panes, the right one in focus. */
#define TWO_PANES \
	"{\"method\":\"layout.changed\",\"params\":{\"version\":2,\"area\":{\"cols\":60," \
	"\"rows\":10},\"tabs\":[{\"id\":1,\"index\":1,\"name\":\"api\",\"is_active\":true," \
	"\"focus\":\"b\",\"panes\":[{\"terminal_id\":\"a\",\"row\":1,\"col\":0,\"rows\":9," \
	"\"cols\":30,\"is_visible\":true},{\"terminal_id\":\"b\",\"row\":1,\"col\":31," \
	"\"rows\":9,\"cols\":29,\"is_visible\":true}]}]}}\n"

static void play_ahead(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	play_begin(fd, "1000001", "hello");
	fake_session_line(fd, "\"pane.split\"", "{\"id\":1000002,\"result\":{\"version\":2}}\n");
	fake_server_write(fd, TWO_PANES);
	fake_session_line(fd, "\"terminal.attach\",\"params\":{\"name\":\"b\"",
	                  "{\"id\":1000003,\"result\":{\"stream\":4}}\n");
	fake_session_keys(fd, 4, "text");
	// One that is refused: what follows stays where it is.
	fake_session_line(
		fd, "\"pane.focus\"",
		"{\"id\":1000004,\"error\":{\"code\":-32000,\"message\":\"no pane there\","
		"\"data\":{\"word\":\"not_found\"}}}\n");
	fake_session_keys(fd, 4, "more");
	fake_session_output(fd, 4, "");
	fake_session_snapshot(fd, 4, 29, 9, "all of it");
	// One that the server does not answer: ours goes on, the program's waits.
	fake_session_line(fd, "\"pane.focus\"", "");
	fake_session_over(fd);
}

static void what_is_typed_ahead_goes_where_the_focus_goes(void **state)
{
	struct fake_person *scene = *state;

	fake_person_start(scene, 1, play_ahead, app_scene_run);
	fake_person_see(scene, "hello");
	fake_person_type(scene, "\x02%text\x02lmore");
	fake_person_see(scene, "all of it");
	fake_person_type(scene, "\x02hnever\x02"
	                        "d");
	app_scene_end(scene, BH_APP_DETACHED);
}

static void play_stop(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	play_begin(fd, "1000001", "hello");
	fake_session_keys(fd, 3, "x");
	fake_server_write(fd, "{\"method\":\"server.stopping\",\"params\":{}}\n");
}

static void a_server_that_is_stopped_is_not_waited_for(void **state)
{
	struct fake_person *scene = *state;

	fake_person_start(scene, 1, play_stop, app_scene_run);
	fake_person_see(scene, "hello");
	fake_person_type(scene, "x");
	app_scene_end(scene, BH_APP_STOPPED);
}

static void play_sizes(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	play_begin(fd, "1000001", "hello");
	fake_session_line(fd, "\"ui.size\",\"params\":{\"cols\":50,\"rows\":10}", "");
	fake_session_output(fd, 3, "\r\ntold");
	fake_session_keys(fd, 3, "k");
	fake_server_write(fd, "{\"id\":1000002,\"result\":{}}\n");
	fake_session_line(fd, "\"ui.size\",\"params\":{\"cols\":44,\"rows\":8}",
	                  "{\"id\":1000003,\"result\":{}}\n");
	fake_session_output(fd, 3, "\r\nlast");
	fake_session_over(fd);
}

static void resize(struct fake_person *scene, int cols, int rows)
{
	struct winsize size = {.ws_col = (unsigned short)cols, .ws_row = (unsigned short)rows};

	assert_int_equal(ioctl(scene->master, TIOCSWINSZ, &size), 0);
	bh_screen_resize(scene->outer, cols, rows);
	assert_int_equal(kill(scene->child, SIGWINCH), 0);
}

static void a_server_that_is_slow_hears_of_the_last_size(void **state)
{
	struct fake_person *scene = *state;

	fake_person_start(scene, 1, play_sizes, app_scene_run);
	fake_person_see(scene, "hello");
	resize(scene, 50, 12);
	fake_person_see(scene, "told");
	for (int i = 0; i < 70; i++) {
		resize(scene, 40 + i % 3, 12);
		fake_person_see(scene, i % 10 == 0 ? NULL : "told");
	}
	resize(scene, 44, 10);
	fake_person_see(scene, NULL);
	fake_person_type(scene, "k");
	fake_person_see(scene, "last");
	fake_person_type(scene, "\x02"
	                        "d");
	app_scene_end(scene, BH_APP_DETACHED);
}

static void play_twice(int fd, int connection, const char *dir)
{
	char path[200];

	play_begin(fd, connection == 0 ? "1000001" : "1000002",
	           connection == 0 ? "before" : "after");
	if (connection == 0) {
		fake_session_keys(fd, 3, "x");
		return; // the server dies
	}
	(void)snprintf(path, sizeof(path), "%s/server.sock", dir);
	(void)unlink(path);
	fake_session_over(fd);
}

static void a_server_that_comes_back_is_found_again(void **state)
{
	struct fake_person *scene = *state;

	fake_person_start(scene, 2, play_twice, app_scene_run);
	fake_person_see(scene, "before");
	fake_person_type(scene, "x");
	fake_person_see(scene, "after");
	fake_person_see(scene, "connected again");
	assert_int_equal(kill(scene->child, SIGTERM), 0);
	app_scene_end(scene, BH_APP_SIGNALLED);
}

static void play_again_slowly(int fd, int connection, const char *dir)
{
	char path[200];

	if (connection == 1) {
		fake_server_await(dir);
	}
	play_begin(fd, connection == 0 ? "1000001" : "1000002",
	           connection == 0 ? "before" : "after");
	if (connection == 0) {
		fake_session_keys(fd, 3, "x");
		return; // the server dies
	}
	fake_session_keys(fd, 3, "yz");
	(void)snprintf(path, sizeof(path), "%s/server.sock", dir);
	(void)unlink(path);
	fake_session_over(fd);
}

static void keys_wait_for_a_server_that_is_back_soon(void **state)
{
	struct fake_person *scene = *state;

	fake_person_start(scene, 2, play_again_slowly, app_scene_run);
	fake_person_see(scene, "before");
	fake_person_type(scene, "x");
	fake_person_see(scene, "the server is gone");
	fake_person_type(scene, "yz");
	fake_server_go(scene->dir);
	fake_person_see(scene, "after");
	fake_person_see(scene, NULL);
	fake_person_type(scene, "\x02"
	                        "d");
	app_scene_end(scene, BH_APP_DETACHED);
}

static void play_then_hang(int fd, int connection, const char *dir)
{
	(void)dir;
	if (connection == 0) {
		play_begin(fd, "1000001", "before");
		fake_session_keys(fd, 3, "x");
		return; // the server dies; the next one takes the connection and nothing more
	}
	fake_session_swallow(fd);
}

static void a_server_that_hangs_does_not_hold_the_keys_up(void **state)
{
	struct fake_person *scene = *state;
	uint64_t begin_ms = 0;

	fake_person_start(scene, 2, play_then_hang, app_scene_run);
	fake_person_see(scene, "before");
	fake_person_type(scene, "x");
	fake_person_see(scene, "the server is gone");
	fake_person_see(scene, NULL);
	begin_ms = bh_clock_mono_ms();
	fake_person_type(scene, "\x02"
	                        "d");
	app_scene_end(scene, BH_APP_DETACHED);
	assert_true(bh_clock_mono_ms() - begin_ms < 4500); // not until it gives up
}

static void play_nothing(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	fake_session_line(fd, "\"ui.attach\"", "{\"id\":1,\"result\":{}}\n");
	fake_session_line(
		fd, "\"events.subscribe\"",
		"{\"id\":2,\"result\":{\"layout\":{\"area\":{},\"tabs\":[]},\"terminals\":[],"
		"\"mail\":[]}}\n");
	fake_session_line(fd, "\"tab.new\"", "{\"id\":1000001,\"result\":{}}\n");
	fake_session_over(fd);
}

static void a_session_with_nothing_in_it_gets_a_shell(void **state)
{
	struct fake_person *scene = *state;

	fake_person_start(scene, 1, play_nothing, app_scene_run);
	fake_person_see(scene, "bellhop · work");
	fake_person_type(scene, "\x02"
	                        "d");
	app_scene_end(scene, BH_APP_DETACHED);
}

static void play_refusal(int fd, int connection, const char *dir)
{
	(void)connection;
	(void)dir;
	fake_session_line(fd, "\"ui.attach\"",
	                  "{\"id\":1,\"error\":{\"code\":-32000,\"message\":\"only with observe\","
	                  "\"data\":{\"word\":\"denied\"}}}\n");
}

static void a_refusal_leaves_the_terminal_alone(void **state)
{
	struct fake_person *scene = *state;

	fake_person_start(scene, 1, play_refusal, app_scene_run);
	app_scene_end(scene, 100);
}

static void without_a_terminal_nothing_is_tried(void **state)
{
	struct bh_client_settings client = {.socket_path = "/nowhere"};
	struct bh_app_settings settings = {
		.client = &client, .outer = bh_outer_full, .session = "work"};
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

#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, scene_make, app_scene_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE_TEST(keys_go_to_the_pane_and_actions_to_the_server),
		SCENE_TEST(a_name_is_asked_for),
		SCENE_TEST(closing_asks_as_often_as_it_must),
		SCENE_TEST(what_is_typed_ahead_goes_where_the_focus_goes),
		SCENE_TEST(a_server_that_is_stopped_is_not_waited_for),
		SCENE_TEST(a_server_that_is_slow_hears_of_the_last_size),
		SCENE_TEST(a_server_that_comes_back_is_found_again),
		SCENE_TEST(keys_wait_for_a_server_that_is_back_soon),
		SCENE_TEST(a_server_that_hangs_does_not_hold_the_keys_up),
		SCENE_TEST(a_session_with_nothing_in_it_gets_a_shell),
		SCENE_TEST(a_refusal_leaves_the_terminal_alone),
		cmocka_unit_test(without_a_terminal_nothing_is_tried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
