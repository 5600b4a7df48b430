#include "src/ui/attach.h"

#include "fake-person.h"
#include "src/base/clock.h"
#include "src/base/frame.h"
#include "src/base/mem.h"

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

static int scene_make(void **state)
{
	*state = fake_person_new(COLS, ROWS);
	return 0;
}

static int scene_remove(void **state)
{
	fake_person_free(*state);
	return 0;
}

/** Run the attach; the exit status is the outcome, or 100 when it failed. Without a controlling
 * terminal nobody tells of a new size but the test. */
static int run_attach(const struct fake_person *person)
{
	struct bh_client_settings client = {.socket_path = person->socket};
	struct bh_attach_settings settings = {.client = &client,
	                                      .outer = bh_outer_full,
	                                      .name = "coder",
	                                      .in_fd = person->slave,
	                                      .out_fd = person->slave};
	struct bh_attach_end end;
	int rc = bh_attach_run(&settings, &end, NULL);

	return rc == 0 ? (int)end.outcome : 100;
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
	struct fake_person *scene = *state;

	fake_person_start(scene, 1, play_echo, run_attach);
	fake_person_see(scene, "welcome");
	fake_person_see(scene, " coder  idle");
	assert_true(bh_screen_mode(scene->outer, BH_SCREEN_MODE_ALT_SCREEN));
	assert_true(bh_screen_mode(scene->outer, BH_SCREEN_MODE_MOUSE_CLICK));
	fake_person_type(scene, "hello");
	fake_person_see(scene, "HELLO");
	fake_person_type(scene, "\x02?");
	fake_person_see(scene, "after C-b:  d detach");
	fake_person_type(scene, "\x02\x02");
	fake_person_see(scene, "HELLO#");
	fake_person_type(scene, "\x02z");
	fake_person_see(scene, "does nothing");
	fake_person_type(scene, "\x02"
	                        "d");
	fake_person_end(scene, BH_ATTACH_DETACHED);
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
	struct fake_person *scene = *state;

	fake_person_start(scene, 1, play_end, run_attach);
	fake_person_end(scene, BH_ATTACH_EXITED);
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
	struct fake_person *scene = *state;
	char *path = bh_xasprintf("%s/seen", scene->dir);

	fake_person_start(scene, 2, play_restart, run_attach);
	fake_person_see(scene, "first life");
	close(open(path, O_CREAT | O_WRONLY, 0600));
	free(path);
	fake_person_see(scene, "second life");
	fake_person_see(scene, "connected again");
	fake_person_see(scene, "typing mail");
	fake_person_type(scene, "\x02"
	                        "d");
	fake_person_end(scene, BH_ATTACH_DETACHED);
}

static void play_back_soon(int fd, int connection, const char *dir)
{
	char text[100];

	if (connection == 0) {
		answer_attach(fd, "first life");
		(void)read_frame(fd, text, sizeof(text));
		return;
	}
	fake_server_await(dir);
	answer_attach(fd, "second life");
	while (read_frame(fd, text, sizeof(text)) == BH_FRAME_RESIZE) {
	}
	send_frame(fd, BH_FRAME_OUTPUT, strcmp(text, "yz") == 0 ? "\r\nall of it" : text);
	(void)read_frame(fd, text, sizeof(text));
}

static void keys_wait_for_a_server_that_is_back_soon(void **state)
{
	struct fake_person *scene = *state;

	fake_person_start(scene, 2, play_back_soon, run_attach);
	fake_person_see(scene, "first life");
	fake_person_type(scene, "x");
	fake_person_see(scene, "reconnecting");
	fake_person_type(scene, "yz");
	fake_server_go(scene->dir);
	fake_person_see(scene, "all of it");
	fake_person_type(scene, "\x02"
	                        "d");
	fake_person_end(scene, BH_ATTACH_DETACHED);
}

static void play_hang(int fd, int connection, const char *dir)
{
	char text[100];

	(void)dir;
	if (connection == 0) {
		answer_attach(fd, "first life");
		(void)read_frame(fd, text, sizeof(text));
		return; // the next one takes the connection and nothing more
	}
	while (read(fd, text, sizeof(text)) > 0) {
	}
}

static void a_server_that_hangs_does_not_hold_the_keys_up(void **state)
{
	struct fake_person *scene = *state;
	uint64_t begin_ms = 0;

	fake_person_start(scene, 2, play_hang, run_attach);
	fake_person_see(scene, "first life");
	fake_person_type(scene, "x");
	fake_person_see(scene, "reconnecting");
	fake_person_see(scene, NULL);
	begin_ms = bh_clock_mono_ms();
	fake_person_type(scene, "\x02"
	                        "d");
	fake_person_end(scene, BH_ATTACH_DETACHED);
	assert_true(bh_clock_mono_ms() - begin_ms < 4500); // not until it gives up
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
	struct fake_person *scene = *state;

	fake_person_start(scene, 1, play_wait, run_attach);
	fake_person_see(scene, "welcome");
	assert_int_equal(kill(scene->child, SIGTERM), 0);
	fake_person_end(scene, BH_ATTACH_SIGNALLED);
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
	struct fake_person *scene = *state;
	struct winsize size = {.ws_col = 44, .ws_row = 11};

	fake_person_start(scene, 1, play_size, run_attach);
	fake_person_see(scene, "welcome");
	assert_int_equal(ioctl(scene->master, TIOCSWINSZ, &size), 0);
	bh_screen_resize(scene->outer, 44, 11);
	assert_int_equal(kill(scene->child, SIGWINCH), 0);
	fake_person_see(scene, "44x10");
	fake_person_type(scene, "\x02"
	                        "d");
	fake_person_end(scene, BH_ATTACH_DETACHED);
}

static void the_persons_terminal_goes_away(void **state)
{
	struct fake_person *scene = *state;

	fake_person_start(scene, 1, play_wait, run_attach);
	fake_person_see(scene, "welcome");
	close(scene->master);
	assert_int_equal(fake_server_wait(scene->child), BH_ATTACH_SIGNALLED);
	assert_int_equal(fake_server_wait(scene->server), 0);
	scene->master = dup(scene->slave);
}

static void no_terminal_is_refused(void **state)
{
	struct fake_person *scene = *state;
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
		SCENE(keys_wait_for_a_server_that_is_back_soon),
		SCENE(a_server_that_hangs_does_not_hold_the_keys_up),
		SCENE(a_signal_restores_the_terminal),
		SCENE(a_new_size_is_told),
		SCENE(the_persons_terminal_goes_away),
		SCENE(no_terminal_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
