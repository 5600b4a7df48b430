#include "src/server/watchdog.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define TURN_MS 50

static void burn(unsigned ms)
{
	clock_t end = clock() + (clock_t)ms * CLOCKS_PER_SEC / 1000;

	while (clock() < end) {
		// processor time is what is wanted
	}
}

static void on_endless(uv_timer_t *timer)
{
	(void)timer;
	burn(TURN_MS * 100);
}

static void on_short(uv_timer_t *timer)
{
	burn(TURN_MS / 2);
	// Turns that end are fine, however many there are.
	if (uv_timer_get_repeat(timer) > 20) {
		uv_timer_stop(timer);
	} else {
		uv_timer_set_repeat(timer, uv_timer_get_repeat(timer) + 1);
	}
}

// Run a loop with a watchdog in a process of its own; gives its wait status.
static int run(uv_timer_cb work)
{
	const struct rlimit no_core = {0, 0};
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		struct bh_watchdog *watchdog = NULL;
		uv_loop_t loop;
		uv_timer_t timer;

		(void)setrlimit(RLIMIT_CORE, &no_core);
		(void)signal(SIGABRT, SIG_DFL);
		(void)freopen("/dev/null", "w", stderr);
		(void)uv_loop_init(&loop);
		(void)uv_timer_init(&loop, &timer);
		if (bh_watchdog_start(&loop, TURN_MS, &watchdog, NULL) != 0) {
			_exit(2);
		}
		(void)uv_timer_start(&timer, work, 1, 1);
		(void)uv_run(&loop, UV_RUN_DEFAULT);
		uv_close((uv_handle_t *)&timer, NULL);
		bh_watchdog_close(watchdog);
		(void)uv_run(&loop, UV_RUN_DEFAULT);
		_exit(uv_loop_close(&loop) == 0 ? 0 : 3);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void an_endless_turn_is_ended(void **state)
{
	int status = run(on_endless);

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void many_short_turns_are_fine(void **state)
{
	int status = run(on_short);

	(void)state;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_endless_turn_is_ended),
		cmocka_unit_test(many_short_turns_are_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
