#include "src/ui/tty.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/** Both ends of a pseudo terminal. */
struct ends {
	int master;
	int slave;
};

static int ends_make(void **state)
{
	struct ends *ends = calloc(1, sizeof(*ends));

	ends->master = posix_openpt(O_RDWR | O_NOCTTY);
	if (ends->master < 0 || grantpt(ends->master) != 0 || unlockpt(ends->master) != 0) {
		return 1;
	}
	ends->slave = open(ptsname(ends->master), O_RDWR | O_NOCTTY);
	*state = ends;
	return ends->slave < 0;
}

static int ends_remove(void **state)
{
	struct ends *ends = *state;

	if (ends->master >= 0) {
		close(ends->master);
	}
	close(ends->slave);
	free(ends);
	return 0;
}

static void raw_mode_and_back(void **state)
{
	struct ends *ends = *state;
	struct bh_tty tty = {0};
	struct termios before;
	struct termios now;
	sigset_t mask;

	assert_int_equal(tcgetattr(ends->slave, &before), 0);
	assert_int_equal(bh_tty_open(&tty, ends->slave, ends->slave, NULL), 0);
	assert_int_equal(tcgetattr(ends->slave, &now), 0);
	assert_int_equal(now.c_lflag & (ICANON | ECHO | ISIG), 0);
	assert_int_equal(now.c_oflag & OPOST, 0);
	assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &mask), 0);
	assert_int_equal(sigismember(&mask, SIGWINCH), 1);
	bh_tty_close(&tty);
	bh_tty_close(&tty);
	assert_int_equal(tcgetattr(ends->slave, &now), 0);
	assert_int_equal(now.c_lflag, before.c_lflag);
	assert_int_equal(now.c_oflag, before.c_oflag);
	assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &mask), 0);
	assert_int_equal(sigismember(&mask, SIGWINCH), 0);
}

static void what_is_no_terminal_is_refused(void **state)
{
	struct ends *ends = *state;
	struct bh_tty tty = {0};
	struct bh_err err = {0};
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(bh_tty_open(&tty, fds[0], ends->slave, &err), BH_EUNSUPPORTED);
	assert_int_equal(bh_tty_open(&tty, ends->slave, fds[1], &err), BH_EUNSUPPORTED);
	assert_false(tty.is_open);
	close(fds[0]);
	close(fds[1]);
}

static void the_size_is_read(void **state)
{
	struct ends *ends = *state;
	struct winsize size = {.ws_col = 132, .ws_row = 43};
	int cols = 0;
	int rows = 0;

	bh_tty_size(ends->slave, &cols, &rows);
	assert_int_equal(cols, 80);
	assert_int_equal(rows, 24);
	assert_int_equal(ioctl(ends->master, TIOCSWINSZ, &size), 0);
	bh_tty_size(ends->slave, &cols, &rows);
	assert_int_equal(cols, 132);
	assert_int_equal(rows, 43);
}

static void signals_come_as_numbers(void **state)
{
	struct ends *ends = *state;
	struct bh_tty tty = {0};

	assert_int_equal(bh_tty_open(&tty, ends->slave, ends->slave, NULL), 0);
	assert_int_equal(bh_tty_signal(&tty), 0);
	assert_int_equal(kill(getpid(), SIGWINCH), 0);
	assert_int_equal(kill(getpid(), SIGHUP), 0);

	int first = bh_tty_signal(&tty);
	int second = bh_tty_signal(&tty);
	assert_true((first == SIGWINCH && second == SIGHUP) ||
	            (first == SIGHUP && second == SIGWINCH));
	assert_int_equal(bh_tty_signal(&tty), 0);
	bh_tty_close(&tty);
}

/** A terminal that takes nothing must not block us, nor lose a byte. */
static void a_slow_terminal_gets_it_later(void **state)
{
	struct ends *ends = *state;
	struct bh_tty tty = {0};
	static char bytes[200000];
	size_t got = 0;

	memset(bytes, 'x', sizeof(bytes));
	assert_int_equal(bh_tty_open(&tty, ends->slave, ends->slave, NULL), 0);
	bh_tty_put(&tty, (struct bh_span){.data = bytes, .len = sizeof(bytes)});
	assert_int_equal(bh_tty_write(&tty), 0);
	assert_true(tty.out.len > 0);
	while (got < sizeof(bytes)) {
		ssize_t n = read(ends->master, bytes, sizeof(bytes));

		assert_true(n > 0);
		got += (size_t)n;
		assert_int_equal(bh_tty_write(&tty), 0);
	}
	assert_int_equal(tty.out.len, 0);
	bh_tty_close(&tty);
}

/** What stands behind a frame that nobody wants any more arrives, whole; so does all without one. */
static void only_a_frame_is_dropped(void **state)
{
	struct ends *ends = *state;
	struct bh_tty tty = {0};
	static char bytes[200000];
	size_t got = 0;

	memset(bytes, 'x', sizeof(bytes));
	assert_int_equal(bh_tty_open(&tty, ends->slave, ends->slave, NULL), 0);
	bh_tty_put(&tty, bh_span_of("enter"));
	bh_tty_drop_frame(&tty);
	assert_int_equal(bh_tty_write(&tty), 0);
	bh_tty_put_frame(&tty, (struct bh_span){.data = bytes, .len = sizeof(bytes)});
	assert_int_equal(bh_tty_write(&tty), 0);
	bh_tty_put(&tty, bh_span_of("mode"));
	bh_tty_drop_frame(&tty);
	assert_int_equal(tty.out.len, 4);
	while (got < 4 || memcmp(bytes + got - 4, "mode", 4) != 0) {
		ssize_t n = read(ends->master, bytes + got, sizeof(bytes) - got);

		assert_true(n > 0);
		got += (size_t)n;
		assert_int_equal(bh_tty_write(&tty), 0);
	}
	assert_memory_equal(bytes, "enterx", 6);
	bh_tty_close(&tty);
}

/** Read 60000 bytes slowly up to the '!', in a process of its own, and then say @answer. */
static pid_t read_slowly(const struct ends *ends, const char *answer)
{
	static char bytes[1000];
	char last = '\0';
	pid_t child = fork();

	if (child != 0) {
		return child;
	}
	(void)alarm(60);
	while (last != '!') {
		ssize_t n = read(ends->master, bytes, sizeof(bytes));

		last = n > 0 ? bytes[n - 1] : '!';
		(void)usleep(40000); // 2.4 s in all, at the least
	}
	_exit(write(ends->master, answer, strlen(answer)) == (ssize_t)strlen(answer) ? 0 : 1);
}

/** The way back is written also to a terminal that takes it slowly. */
static void a_slow_terminal_is_waited_for_on_the_way_out(void **state)
{
	struct ends *ends = *state;
	struct bh_tty tty = {0};
	static char bytes[60000];
	pid_t child = -1;
	int status = 0;

	memset(bytes, 'x', sizeof(bytes));
	assert_int_equal(bh_tty_open(&tty, ends->slave, ends->slave, NULL), 0);
	bh_tty_put(&tty, (struct bh_span){.data = bytes, .len = sizeof(bytes)});
	bh_tty_put(&tty, bh_span_of("!"));
	child = read_slowly(ends, "");
	bh_tty_close(&tty);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/** Its time to answer begins when it has taken all. */
static void a_slow_terminal_may_answer_on_the_way_out(void **state)
{
	struct ends *ends = *state;
	struct bh_tty tty = {0};
	static char bytes[60000];
	struct pollfd left = {.fd = ends->slave, .events = POLLIN};
	pid_t child = -1;
	int status = 0;

	memset(bytes, 'x', sizeof(bytes));
	assert_int_equal(bh_tty_open(&tty, ends->slave, ends->slave, NULL), 0);
	bh_tty_put(&tty, (struct bh_span){.data = bytes, .len = sizeof(bytes)});
	bh_tty_put(&tty, bh_span_of("!"));
	child = read_slowly(ends, "\x1b[?62;22c");
	bh_tty_forget_answers(&tty, 2000);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(poll(&left, 1, 50), 0);
	bh_tty_close(&tty);
}

static void it_is_behind_by_all_but_a_frame(void **state)
{
	static char bytes[100000];
	struct bh_tty tty = {0};

	(void)state;
	assert_false(bh_tty_is_behind(&tty));
	bh_tty_put_frame(&tty, (struct bh_span){.data = bytes, .len = sizeof(bytes)});
	bh_tty_put(&tty, bh_span_of("title"));
	assert_false(bh_tty_is_behind(&tty));
	bh_tty_put(&tty, (struct bh_span){.data = bytes, .len = sizeof(bytes)});
	assert_true(bh_tty_is_behind(&tty));
	bh_buf_clear(&tty.out);
}

static void a_terminal_that_is_gone_is_an_error(void **state)
{
	struct ends *ends = *state;
	struct bh_tty tty = {0};

	assert_int_equal(bh_tty_open(&tty, ends->slave, ends->slave, NULL), 0);
	close(ends->master);
	ends->master = -1;
	bh_tty_put(&tty, bh_span_of("x"));
	assert_true(bh_tty_write(&tty) < 0);
	bh_tty_close(&tty);
}

int main(void)
{
#define ENDS(name) cmocka_unit_test_setup_teardown(name, ends_make, ends_remove)
	const struct CMUnitTest tests[] = {
		ENDS(raw_mode_and_back),
		ENDS(what_is_no_terminal_is_refused),
		ENDS(the_size_is_read),
		ENDS(signals_come_as_numbers),
		ENDS(a_slow_terminal_gets_it_later),
		ENDS(only_a_frame_is_dropped),
		ENDS(a_slow_terminal_is_waited_for_on_the_way_out),
		ENDS(a_slow_terminal_may_answer_on_the_way_out),
		cmocka_unit_test(it_is_behind_by_all_but_a_frame),
		ENDS(a_terminal_that_is_gone_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
