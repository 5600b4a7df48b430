#include "src/base/turns.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct sched_attr attributes(void)
{
	struct sched_attr attr = {.size = sizeof(attr), .sched_policy = SCHED_IDLE};

	// Where the call is forbidden it stays the policy that no case is for.
	(void)syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0);
	return attr;
}

/** In a child, so that the other cases are as they were. */
static void in_a_child(void (*body)(void))
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		body();
		_exit(0); // a case that fails in it exits with another status
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void expect(bool is_true)
{
	if (!is_true) {
		_exit(1);
	}
}

/** Older kernels say 0 and know no length. */
static void is_brief_and_children_are_not(void)
{
	uint64_t before = attributes().sched_runtime;
	struct sched_attr attr;
	pid_t pid;
	int status = 0;

	bh_turns_be_brief();
	attr = attributes();
	expect(attr.sched_policy == SCHED_NORMAL);
	expect(attr.sched_runtime == (before == 0 ? 0 : BH_TURNS_BRIEF_NS));
	pid = fork();
	if (pid == 0) {
		expect(attributes().sched_runtime == before);
		expect((attributes().sched_flags & SCHED_FLAG_RESET_ON_FORK) == 0);
		_exit(0);
	}
	expect(waitpid(pid, &status, 0) == pid && status == 0);
}

static void asks_for_short_turns_for_itself_alone(void **state)
{
	(void)state;
	if (attributes().sched_policy != SCHED_NORMAL) {
		skip(); // the tests were started so
	}
	in_a_child(is_brief_and_children_are_not);
}

static void stays_as_nice(void)
{
	expect(nice(3) != -1);
	int before = getpriority(PRIO_PROCESS, 0);

	bh_turns_be_brief();
	expect(getpriority(PRIO_PROCESS, 0) == before);
}

static void keeps_the_nice_value(void **state)
{
	(void)state;
	in_a_child(stays_as_nice);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asks_for_short_turns_for_itself_alone),
		cmocka_unit_test(keeps_the_nice_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
