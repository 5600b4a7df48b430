#include "src/server/pty.h"

#include "src/base/err.h"
#include "src/server/key_marks.h"

#include <fcntl.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

/** A PTY with both ends here. */
struct fixture {
	uv_loop_t loop;
	struct bh_pty *pty;
	int slave;
	int readable, written, closed;
};

static void on_readable(void *user)
{
	struct fixture *fixture = user;
	char bytes[64];

	fixture->readable++;
	if (read(bh_pty_fd(fixture->pty), bytes, sizeof bytes) <= 0) {
		bh_pty_set_hung_up(fixture->pty);
	}
}

static void on_written(void *user)
{
	((struct fixture *)user)->written++;
}

static void on_closed(void *user)
{
	((struct fixture *)user)->closed++;
}

static const struct bh_pty_events events = {on_readable, on_written, on_closed};

static void fixture_open(struct fixture *fixture)
{
	struct termios raw;
	int master = -1;

	*fixture = (struct fixture){.slave = -1};
	assert_int_equal(uv_loop_init(&fixture->loop), 0);
	assert_int_equal(openpty(&master, &fixture->slave, NULL, NULL, NULL), 0);
	assert_int_equal(tcgetattr(fixture->slave, &raw), 0);
	cfmakeraw(&raw);
	assert_int_equal(tcsetattr(fixture->slave, TCSANOW, &raw), 0);
	assert_int_equal(bh_pty_start(&fixture->loop, master, &events, fixture, &fixture->pty), 0);
}

static void fixture_close(struct fixture *fixture)
{
	bh_pty_close(fixture->pty);
	bh_pty_close(fixture->pty); // twice is fine
	assert_int_equal(fixture->closed, 0);
	(void)uv_run(&fixture->loop, UV_RUN_DEFAULT);
	assert_int_equal(fixture->closed, 1);
	if (fixture->slave >= 0) {
		(void)close(fixture->slave);
	}
	assert_int_equal(uv_loop_close(&fixture->loop), 0);
}

static void output_is_reported(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	assert_int_equal(write(fixture.slave, "hi", 2), 2);
	(void)uv_run(&fixture.loop, UV_RUN_ONCE);
	assert_int_equal(fixture.readable, 1);
	fixture_close(&fixture);
}

static void what_the_kernel_does_not_take_waits(void **state)
{
	struct fixture fixture;
	size_t size = 300 * 1000;
	char *bytes = malloc(size);
	size_t got = 0;
	char chunk[4096];

	(void)state;
	fixture_open(&fixture);
	for (size_t i = 0; i < size; i++) {
		bytes[i] = (char)('a' + i % 26);
	}
	assert_int_equal(fcntl(fixture.slave, F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(bh_pty_write(fixture.pty, BH_KEY_MARKS_NOBODY, bytes, size), 0);
	assert_true(bh_pty_unwritten(fixture.pty) > 0);
	while (got < size) {
		ssize_t count = read(fixture.slave, chunk, sizeof chunk);

		if (count <= 0) {
			(void)uv_run(&fixture.loop, UV_RUN_ONCE);
			continue;
		}
		assert_memory_equal(chunk, bytes + got, (size_t)count);
		got += (size_t)count;
	}
	(void)uv_run(&fixture.loop, UV_RUN_NOWAIT);
	assert_int_equal(bh_pty_unwritten(fixture.pty), 0);
	assert_int_equal(fixture.written, 1);
	free(bytes);
	fixture_close(&fixture);
}

static void marks_follow_what_the_kernel_takes(void **state)
{
	uint64_t memory[BH_KEY_MARKS_SIZE / sizeof(uint64_t)] = {0};
	struct bh_key_marks *marks = bh_key_marks_new(memory);
	struct fixture fixture;
	uint64_t before = 0;
	uint64_t after = 0;
	size_t size = 300 * 1000;
	char *bytes = calloc(1, size);

	(void)state;
	fixture_open(&fixture);
	bh_pty_set_marks(fixture.pty, marks);
	(void)bh_key_marks_open(marks, 7, &before);
	int client = bh_key_marks_find(marks, 7);

	memset(bytes, 'k', size);
	assert_int_equal(bh_pty_write(fixture.pty, client, bytes, size), 0);
	size_t waiting = bh_pty_unwritten(fixture.pty);

	assert_true(waiting > 0 && waiting < size);
	assert_true(bh_key_marks_open(marks, 7, &before));
	assert_int_equal(before, size);
	bh_key_marks_free(marks);
	marks = bh_key_marks_new(memory); // as the next server does
	assert_true(bh_key_marks_open(marks, 7, &after));
	assert_int_equal(after, size - waiting);
	free(bytes);
	bh_pty_set_marks(fixture.pty, NULL);
	bh_key_marks_free(marks);
	fixture_close(&fixture);
}

static void a_full_queue_takes_nothing(void **state)
{
	struct fixture fixture;
	char *bytes = calloc(1, BH_PTY_QUEUE_MAX);

	(void)state;
	fixture_open(&fixture);
	assert_int_equal(bh_pty_write(fixture.pty, BH_KEY_MARKS_NOBODY, bytes, BH_PTY_QUEUE_MAX),
	                 0);
	size_t before = bh_pty_unwritten(fixture.pty);

	assert_int_equal(bh_pty_write(fixture.pty, BH_KEY_MARKS_NOBODY, bytes, BH_PTY_QUEUE_MAX),
	                 BH_EBUSY);
	assert_int_equal(bh_pty_unwritten(fixture.pty), before);
	free(bytes);
	fixture_close(&fixture);
}

static void what_the_program_does_not_read_is_known(void **state)
{
	struct fixture fixture;
	char byte;

	(void)state;
	fixture_open(&fixture);
	assert_false(bh_pty_has_unread(fixture.pty));
	assert_int_equal(bh_pty_write(fixture.pty, BH_KEY_MARKS_NOBODY, "k", 1), 0);
	assert_int_equal(bh_pty_unwritten(fixture.pty), 0);
	// The kernel hands it over in its own time.
	for (int i = 0; i < 1000 && !bh_pty_has_unread(fixture.pty); i++) {
		(void)usleep(1000);
	}
	assert_true(bh_pty_has_unread(fixture.pty));
	assert_int_equal(read(fixture.slave, &byte, 1), 1);
	assert_false(bh_pty_has_unread(fixture.pty));
	// To look is no end of the other side.
	(void)uv_run(&fixture.loop, UV_RUN_NOWAIT);
	assert_int_equal(fixture.readable, 0);
	fixture_close(&fixture);
}

static void a_hang_up_does_not_spin(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	(void)close(fixture.slave);
	fixture.slave = -1;
	(void)uv_run(&fixture.loop, UV_RUN_ONCE);
	assert_int_equal(fixture.readable, 1);
	// Nothing is watched any more, so the loop has nothing to do.
	assert_int_equal(uv_run(&fixture.loop, UV_RUN_NOWAIT), 0);
	assert_int_equal(fixture.readable, 1);
	fixture_close(&fixture);
}

static void a_resting_pty_reports_later(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	bh_pty_rest(fixture.pty, 30);
	assert_int_equal(write(fixture.slave, "x", 1), 1);
	(void)uv_run(&fixture.loop, UV_RUN_NOWAIT);
	assert_int_equal(fixture.readable, 0);
	(void)uv_run(&fixture.loop, UV_RUN_ONCE); // the timer
	(void)uv_run(&fixture.loop, UV_RUN_ONCE); // what had to wait
	assert_int_equal(fixture.readable, 1);
	bh_pty_rest(fixture.pty, 60000);
	fixture_close(&fixture); // must not wait for the rest
}

static void modes_are_read(void **state)
{
	struct fixture fixture;
	struct bh_pty_tty tty;
	struct termios modes;

	(void)state;
	fixture_open(&fixture);
	bh_pty_read_tty(fixture.pty, &tty);
	assert_true(tty.is_known);
	assert_false(tty.is_canonical);
	assert_false(tty.has_echo);
	assert_int_equal(tcgetattr(fixture.slave, &modes), 0);
	modes.c_lflag |= ICANON | ECHO;
	assert_int_equal(tcsetattr(fixture.slave, TCSANOW, &modes), 0);
	bh_pty_read_tty(fixture.pty, &tty);
	assert_true(tty.is_canonical);
	assert_true(tty.has_echo);
	fixture_close(&fixture);
}

static void size_reaches_the_other_side(void **state)
{
	struct fixture fixture;
	struct winsize size;

	(void)state;
	fixture_open(&fixture);
	bh_pty_resize(fixture.pty, 132, 43);
	assert_int_equal(ioctl(fixture.slave, TIOCGWINSZ, &size), 0);
	assert_int_equal(size.ws_col, 132);
	assert_int_equal(size.ws_row, 43);
	fixture_close(&fixture);
}

static void what_must_go_now_is_not_queued_behind_a_full_kernel(void **state)
{
	struct fixture fixture;
	char bytes[4096];
	size_t waiting;

	(void)state;
	fixture_open(&fixture);
	assert_int_equal(bh_pty_write_now(fixture.pty, "now", 3), 0);
	assert_int_equal(bh_pty_unwritten(fixture.pty), 0);
	assert_int_equal(read(fixture.slave, bytes, sizeof(bytes)), 3);
	memset(bytes, 'x', sizeof(bytes));
	// Until the kernel takes no more: it makes room by itself for a moment.
	for (int still = 0; still < 30; still++) {
		while (write(bh_pty_fd(fixture.pty), bytes, 1) > 0) {
			still = 0;
		}
		(void)usleep(10000);
	}
	assert_int_equal(bh_pty_write_now(fixture.pty, "late", 4), BH_EBUSY);
	assert_int_equal(bh_pty_unwritten(fixture.pty), 0);
	assert_int_equal(bh_pty_write(fixture.pty, BH_KEY_MARKS_NOBODY, bytes, sizeof(bytes)), 0);
	waiting = bh_pty_unwritten(fixture.pty);
	assert_true(waiting > 0);
	assert_int_equal(bh_pty_write_now(fixture.pty, "late", 4), BH_EBUSY);
	assert_int_equal(bh_pty_unwritten(fixture.pty), waiting);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_is_reported),
		cmocka_unit_test(what_the_kernel_does_not_take_waits),
		cmocka_unit_test(what_must_go_now_is_not_queued_behind_a_full_kernel),
		cmocka_unit_test(marks_follow_what_the_kernel_takes),
		cmocka_unit_test(a_full_queue_takes_nothing),
		cmocka_unit_test(what_the_program_does_not_read_is_known),
		cmocka_unit_test(a_hang_up_does_not_spin),
		cmocka_unit_test(a_resting_pty_reports_later),
		cmocka_unit_test(modes_are_read),
		cmocka_unit_test(size_reaches_the_other_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
