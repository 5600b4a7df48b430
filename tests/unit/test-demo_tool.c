#include "src/demo/demo_tool.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* All output of the tool up to its end; the tool's fd does not block. */
static void expect_output(const struct bh_demo_tool *tool, const char *text)
{
	char bytes[256];
	size_t len = 0;
	ssize_t got;

	do {
		struct pollfd polled = {.fd = tool->fd, .events = POLLIN};

		assert_true(poll(&polled, 1, 30000) == 1);
		got = read(tool->fd, bytes + len, sizeof(bytes) - len);
		assert_true(got >= 0);
		len += (size_t)got;
	} while (got > 0);
	assert_int_equal(len, strlen(text));
	assert_memory_equal(bytes, text, len);
}

static int reap(struct bh_demo_tool *tool)
{
	int status = -1;

	for (int tries = 0; tries < 500 && !bh_demo_tool_reap(tool, &status); tries++) {
		(void)poll(NULL, 0, 10);
	}
	return status;
}

static void test_runs_a_command(void **state)
{
	struct bh_demo_tool tool = BH_DEMO_TOOL_INIT;

	(void)state;
	assert_int_equal(bh_demo_tool_start(&tool, "echo out; echo err >&2; cat; exit 3"), 0);
	expect_output(&tool, "out\nerr\n");
	assert_int_equal(reap(&tool), 3);
	assert_int_equal(tool.pid, 0);
	assert_int_equal(tool.fd, -1);
}

static void test_tells_of_a_signal(void **state)
{
	struct bh_demo_tool tool = BH_DEMO_TOOL_INIT;

	(void)state;
	assert_int_equal(bh_demo_tool_start(&tool, "kill -TERM $$"), 0);
	assert_int_equal(reap(&tool), 128 + SIGTERM);
}

static void test_kills_the_whole_group(void **state)
{
	struct bh_demo_tool tool = BH_DEMO_TOOL_INIT;
	pid_t group;

	(void)state;
	assert_int_equal(bh_demo_tool_start(&tool, "sleep 60 & sleep 60"), 0);
	group = tool.pid;
	bh_demo_tool_kill(&tool);
	assert_int_equal(tool.pid, 0);
	for (int tries = 0; tries < 500 && kill(-group, 0) == 0; tries++) {
		(void)poll(NULL, 0, 10);
	}
	assert_int_equal(kill(-group, 0), -1);
	assert_int_equal(errno, ESRCH);
	bh_demo_tool_kill(&tool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs_a_command),
		cmocka_unit_test(test_tells_of_a_signal),
		cmocka_unit_test(test_kills_the_whole_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
