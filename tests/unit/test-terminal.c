// Covers: src/server/checkpoint.
#include "src/server/terminal.h"

#include "src/base/err.h"
#include "src/server/tape.h"
#include "tests/unit/terminal-fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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
	fixture_end(&fixture);
	fixture_begin(&fixture);
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
	fixture_end(&fixture);
	fixture_begin(&fixture);
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
	fixture_end(&fixture);
	// Killed between the read and the answer: the query is on the tape only.
	assert_int_equal(write(fixture.slave, "\033[6n", 4), 4);
	assert_int_equal(bh_tape_open(dup(fixture.tape), fixture.master, &tape, NULL), 0);
	assert_int_equal(bh_tape_read(tape, fixture.master, &bytes), 0);
	bh_tape_free(tape);
	fixture_begin(&fixture);
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
	fixture_end(&fixture);
	for (int i = 0; i < BH_TAPE_DEATHS_MAX; i++) {
		assert_int_equal(bh_tape_open(dup(fixture.tape), fixture.master, &tape, NULL), 0);
		assert_false(bh_tape_is_poisoned(tape));
		bh_tape_replay_start(tape);
		assert_true(bh_tape_replay_next(tape, 1, &event)); // and here the server died
		bh_tape_free(tape);
	}
	fixture_begin(&fixture);
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
		cmocka_unit_test(the_last_output_comes_before_the_exit),
		cmocka_unit_test(a_slave_that_stays_open_does_not_hold_the_exit_up),
		cmocka_unit_test(hooks_reach_the_judge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
