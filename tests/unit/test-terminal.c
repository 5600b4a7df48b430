// Covers: src/server/checkpoint.
#include "src/server/terminal.h"

#include "src/agent/profile.h"
#include "src/base/err.h"
#include "src/base/mem.h"
#include "src/server/keeper_link.h"
#include "src/server/server.h"
#include "src/server/setup.h"
#include "src/server/tape.h"
#include "term/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

/** A terminal whose child is the test: it has the slave. */
struct fixture {
	struct bh_server server;
	struct bh_profiles *profiles;
	struct bh_terminal *terminal;
	int master, slave, tape;
	int evaluated, output, written, started, exited, closed, hooks, noted;
};

static struct fixture *fixture_of(struct bh_terminal *terminal)
{
	return bh_container_of(terminal->server, struct fixture, server);
}

static void on_evaluated(struct bh_terminal *terminal)
{
	fixture_of(terminal)->evaluated++;
}

static void on_output(struct bh_terminal *terminal)
{
	fixture_of(terminal)->output++;
}

static void on_hook(struct bh_terminal *terminal)
{
	fixture_of(terminal)->hooks++;
}

static void on_written(struct bh_terminal *terminal)
{
	fixture_of(terminal)->written++;
}

static void on_started(struct bh_terminal *terminal)
{
	fixture_of(terminal)->started++;
}

static void on_exited(struct bh_terminal *terminal)
{
	fixture_of(terminal)->exited++;
}

static void on_closed(struct bh_terminal *terminal)
{
	fixture_of(terminal)->closed++;
}

static void on_noted(struct bh_terminal *terminal)
{
	fixture_of(terminal)->noted++;
}

static const struct bh_terminal_events events = {
	.noted = on_noted,
	.evaluated = on_evaluated,
	.output = on_output,
	.hook = on_hook,
	.written = on_written,
	.started = on_started,
	.exited = on_exited,
	.closed = on_closed,
};

// A terminal on the fixture's PTY and tape, as a fresh one or as found after a restart.
static void terminal_begin(struct fixture *fixture)
{
	const char *const argv[] = {"sh", NULL};
	const struct bh_setup setup = {
		.argv = bh_setup_strings_dup(argv),
		.cwd = bh_xstrdup("/"),
		.cols = 40,
		.rows = 6,
	};
	const struct bh_uuid id = bh_uuid_new();
	const struct bh_keeper_entry entry = {
		.id = id,
		.pid = getpid(),
		.pid_start = 1,
		.master_fd = dup(fixture->master),
		.tape_fd = dup(fixture->tape),
	};

	fixture->terminal = bh_terminal_new(&fixture->server, &id, &setup);
	fixture->terminal->profile = bh_profiles_find(fixture->profiles, "generic");
	assert_int_equal(fixture->terminal->phase, BH_TERMINAL_SPAWNING);
	bh_terminal_begin(fixture->terminal, &entry);
	while (bh_terminal_replay(fixture->terminal, 100)) {
		assert_int_equal(fixture->terminal->phase, BH_TERMINAL_REPLAYING);
	}
	assert_int_equal(fixture->terminal->phase, BH_TERMINAL_RUNNING);
}

static void fixture_open(struct fixture *fixture)
{
	struct termios raw;
	size_t size = bh_tape_size_for(40, 6);

	*fixture = (struct fixture){.slave = -1};
	fixture->server.events = &events;
	assert_int_equal(uv_loop_init(&fixture->server.loop), 0);
	fixture->profiles = bh_profiles_load(NULL, NULL, NULL);
	assert_int_equal(openpty(&fixture->master, &fixture->slave, NULL, NULL, NULL), 0);
	assert_int_equal(tcgetattr(fixture->slave, &raw), 0);
	cfmakeraw(&raw);
	assert_int_equal(tcsetattr(fixture->slave, TCSANOW, &raw), 0);
	assert_int_equal(fcntl(fixture->slave, F_SETFL, O_NONBLOCK), 0);
	fixture->tape = memfd_create("tape", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	assert_int_equal(ftruncate(fixture->tape, (off_t)size), 0);
	terminal_begin(fixture);
}

static void terminal_end(struct fixture *fixture)
{
	bh_terminal_close(fixture->terminal);
	bh_terminal_close(fixture->terminal);
	assert_int_equal(fixture->closed, 0);
	(void)uv_run(&fixture->server.loop, UV_RUN_DEFAULT);
	assert_int_equal(fixture->closed, 1);
	fixture->closed = 0;
}

static void fixture_close(struct fixture *fixture)
{
	terminal_end(fixture);
	assert_int_equal(uv_loop_close(&fixture->server.loop), 0);
	bh_profiles_free(fixture->profiles);
	(void)close(fixture->master);
	(void)close(fixture->tape);
	if (fixture->slave >= 0) {
		(void)close(fixture->slave);
	}
}

static void child_prints(struct fixture *fixture, const char *text)
{
	int before = fixture->output;

	assert_int_equal(write(fixture->slave, text, strlen(text)), (ssize_t)strlen(text));
	while (fixture->output == before) {
		(void)uv_run(&fixture->server.loop, UV_RUN_ONCE);
	}
}

static void assert_row(struct fixture *fixture, int row, const char *expected)
{
	char text[2048];

	(void)bh_screen_row_text(fixture->terminal->screen, row, text, sizeof text);
	assert_string_equal(text, expected);
}

static void assert_child_reads(struct fixture *fixture, const char *expected)
{
	char text[256] = "";
	ssize_t count = read(fixture->slave, text, sizeof text - 1);

	if (expected[0] == '\0') {
		assert_int_equal(count, -1);
		assert_int_equal(errno, EAGAIN);
		return;
	}
	assert_string_equal(text, expected);
}

static void output_reaches_screen_and_judge(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	assert_int_equal(fixture.started, 1);
	child_prints(&fixture, "hello");
	assert_row(&fixture, 0, "hello");
	assert_int_equal(fixture.terminal->offset, 5);
	while (fixture.evaluated == 0) {
		(void)uv_run(&fixture.server.loop, UV_RUN_ONCE);
	}
	assert_false(fixture.terminal->verdict.is_typable);
	fixture_close(&fixture);
}

static void a_quiet_terminal_has_no_timer(void **state)
{
	struct fixture fixture;
	uint64_t started;

	(void)state;
	fixture_open(&fixture);
	child_prints(&fixture, "hello");
	started = uv_hrtime();
	// Whatever the judge wants to look at again must end, or an idle session would use the CPU.
	while (uv_backend_timeout(&fixture.server.loop) != -1 &&
	       uv_hrtime() - started < 20ULL * 1000000000) {
		(void)uv_run(&fixture.server.loop, UV_RUN_ONCE);
	}
	assert_int_equal(uv_backend_timeout(&fixture.server.loop), -1);
	fixture_close(&fixture);
}

static void queries_are_answered_once(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	child_prints(&fixture, "\033[6n");
	assert_child_reads(&fixture, "\033[1;1R");
	terminal_end(&fixture);
	terminal_begin(&fixture);
	assert_child_reads(&fixture, "");
	fixture_close(&fixture);
}

static void the_screen_survives_the_server(void **state)
{
	struct fixture fixture;
	char line[64];
	const char *why = NULL;
	size_t len = 0;

	(void)state;
	fixture_open(&fixture);
	// Enough for several checkpoints, with a resize on the way and an unfinished sequence.
	for (int i = 0; i < 6000; i++) {
		(void)snprintf(line, sizeof line, "\033[3%dmline %d of some length\033[m\r\n",
		               i % 8, i);
		child_prints(&fixture, line);
		if (i == 3000) {
			assert_false(bh_terminal_resize(fixture.terminal, 50, 8));
		}
	}
	child_prints(&fixture, "\033]0;title\007half \033[3");
	uint64_t offset = fixture.terminal->offset;
	char *repaint = bh_screen_repaint(fixture.terminal->screen, &len);
	const struct bh_screen_settings settings = {.cols = 50, .rows = 8};
	struct bh_screen *before = bh_screen_new(&settings);

	bh_screen_feed(before, repaint, len, 1);
	free(repaint);
	terminal_end(&fixture);
	terminal_begin(&fixture);
	if (!bh_screen_equal(before, fixture.terminal->screen, &why)) {
		fail_msg("the screen differs: %s", why);
	}
	assert_int_equal(fixture.terminal->offset, offset);
	assert_string_equal(bh_screen_title(fixture.terminal->screen), "title");
	child_prints(&fixture, "1mred");
	bh_screen_free(before);
	fixture_close(&fixture);
}

static void what_a_dead_server_did_not_answer_is_answered(void **state)
{
	struct fixture fixture;
	struct bh_tape *tape = NULL;
	struct bh_span bytes;

	(void)state;
	fixture_open(&fixture);
	child_prints(&fixture, "ab\033[6n");
	assert_child_reads(&fixture, "\033[1;3R");
	terminal_end(&fixture);
	// Killed between the read and the answer: the query is on the tape only.
	assert_int_equal(write(fixture.slave, "\033[6n", 4), 4);
	assert_int_equal(bh_tape_open(dup(fixture.tape), fixture.master, &tape, NULL), 0);
	assert_int_equal(bh_tape_read(tape, fixture.master, &bytes), 0);
	bh_tape_free(tape);
	terminal_begin(&fixture);
	(void)uv_run(&fixture.server.loop, UV_RUN_NOWAIT);
	assert_child_reads(&fixture, "\033[1;3R");
	fixture_close(&fixture);
}

static void a_tape_that_killed_us_is_put_aside(void **state)
{
	struct fixture fixture;
	struct bh_tape *tape = NULL;
	struct bh_tape_event event;
	char folder[] = "/tmp/bh-poison-XXXXXX";
	char path[256];
	struct winsize size;
	int rows;

	(void)state;
	fixture_open(&fixture);
	assert_non_null(mkdtemp(folder));
	fixture.server.paths.state_dir = folder;
	child_prints(&fixture, "poison");
	terminal_end(&fixture);
	for (int i = 0; i < BH_TAPE_DEATHS_MAX; i++) {
		assert_int_equal(bh_tape_open(dup(fixture.tape), fixture.master, &tape, NULL), 0);
		assert_false(bh_tape_is_poisoned(tape));
		bh_tape_replay_start(tape);
		assert_true(bh_tape_replay_next(tape, 1, &event)); // and here the server died
		bh_tape_free(tape);
	}
	terminal_begin(&fixture);
	assert_row(&fixture, 0, "");
	// The program is made to draw again: another size, and in a moment the old one.
	rows = bh_screen_rows(fixture.terminal->screen);
	assert_int_equal(ioctl(fixture.master, TIOCGWINSZ, &size), 0);
	assert_int_equal(size.ws_row, rows);
	for (int i = 0; i < 500 && size.ws_row == rows; i++) {
		(void)uv_run(&fixture.server.loop, UV_RUN_ONCE);
		assert_int_equal(ioctl(fixture.master, TIOCGWINSZ, &size), 0);
	}
	assert_int_equal(size.ws_row, rows - 1);
	(void)snprintf(path, sizeof path, "%s/poisoned-%s.tape", folder, fixture.terminal->id_text);
	assert_int_equal(access(path, R_OK), 0);
	child_prints(&fixture, "on");
	assert_row(&fixture, 0, "on");
	(void)unlink(path);
	(void)rmdir(folder);
	fixture_close(&fixture);
}

static void held_keys_wait_and_go_in_order(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	bh_terminal_hold(fixture.terminal);
	assert_int_equal(bh_terminal_write(fixture.terminal, "one", 3, BH_WRITER_PERSON), 0);
	assert_true(bh_terminal_resize(fixture.terminal, 60, 10));
	assert_int_equal(bh_terminal_write(fixture.terminal, "MAIL", 4, BH_WRITER_TYPIST_TEXT), 0);
	assert_int_equal(bh_terminal_write(fixture.terminal, "two\r", 4, BH_WRITER_PERSON), 0);
	assert_child_reads(&fixture, "MAIL");
	assert_child_reads(&fixture, "");
	assert_int_equal(bh_terminal_cols(fixture.terminal), 40);
	assert_int_equal(bh_terminal_release(fixture.terminal, false), 0);
	assert_child_reads(&fixture, "onetwo\r");
	assert_int_equal(bh_terminal_cols(fixture.terminal), 60);
	fixture_close(&fixture);
}

static void held_answers_are_dropped_when_a_dialog_came(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	bh_terminal_hold(fixture.terminal);
	assert_int_equal(bh_terminal_write(fixture.terminal, "a1\r", 3, BH_WRITER_PERSON), 0);
	assert_int_equal(bh_terminal_release(fixture.terminal, true), 2);
	assert_child_reads(&fixture, "a");
	// The warning is not wiped away by whoever comes next.
	bh_terminal_note(fixture.terminal, "");
	assert_non_null(strstr(fixture.terminal->note, "dropped"));
	fixture_close(&fixture);
}

static void the_last_output_comes_before_the_exit(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	assert_int_equal(write(fixture.slave, "last words", 10), 10);
	(void)close(fixture.slave);
	fixture.slave = -1;
	bh_terminal_child_gone(fixture.terminal, 3 << 8);
	assert_int_equal(fixture.exited, 0);
	while (fixture.exited == 0) {
		(void)uv_run(&fixture.server.loop, UV_RUN_ONCE);
	}
	assert_row(&fixture, 0, "last words");
	assert_int_equal(fixture.terminal->phase, BH_TERMINAL_EXITED);
	assert_int_equal(fixture.terminal->exit_status, 3 << 8);
	assert_int_equal(fixture.terminal->verdict.state, BH_STATE_EXITED);
	assert_int_equal(bh_terminal_write(fixture.terminal, "x", 1, BH_WRITER_PERSON), BH_ECLOSED);
	fixture_close(&fixture);
}

static void a_slave_that_stays_open_does_not_hold_the_exit_up(void **state)
{
	struct fixture fixture;
	uint64_t started = uv_hrtime();

	(void)state;
	fixture_open(&fixture);
	bh_terminal_child_gone(fixture.terminal, 0);
	while (fixture.exited == 0) {
		(void)uv_run(&fixture.server.loop, UV_RUN_ONCE);
	}
	assert_true(uv_hrtime() - started < 5ULL * 1000000000);
	fixture_close(&fixture);
}

static void hooks_reach_the_judge(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	bh_terminal_hook(fixture.terminal, "Stop", NULL);
	assert_int_equal(fixture.hooks, 1);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_reaches_screen_and_judge),
		cmocka_unit_test(a_quiet_terminal_has_no_timer),
		cmocka_unit_test(queries_are_answered_once),
		cmocka_unit_test(the_screen_survives_the_server),
		cmocka_unit_test(what_a_dead_server_did_not_answer_is_answered),
		cmocka_unit_test(a_tape_that_killed_us_is_put_aside),
		cmocka_unit_test(held_keys_wait_and_go_in_order),
		cmocka_unit_test(held_answers_are_dropped_when_a_dialog_came),
		cmocka_unit_test(the_last_output_comes_before_the_exit),
		cmocka_unit_test(a_slave_that_stays_open_does_not_hold_the_exit_up),
		cmocka_unit_test(hooks_reach_the_judge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
