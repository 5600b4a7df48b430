#include "src/server/foreground.h"

#include "src/agent/profile.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

// A process with this name that waits for its end.
static pid_t process_start(const char *name)
{
	int ready[2];
	char byte = 0;

	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();

	if (pid == 0) {
		(void)prctl(PR_SET_NAME, name);
		(void)write(ready[1], "x", 1);
		for (;;) {
			(void)pause();
		}
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	(void)close(ready[0]);
	(void)close(ready[1]);
	return pid;
}

static void process_end(pid_t pid)
{
	(void)kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void the_child_itself_and_its_program_are_ours(void **state)
{
	struct bh_profiles *profiles = bh_profiles_load(NULL, NULL, NULL);
	const struct bh_profile *claude = bh_profiles_find(profiles, "claude");
	pid_t agent = process_start("claude");
	pid_t other = process_start("vim");

	(void)state;
	assert_non_null(claude);
	assert_true(bh_foreground_is_ours(claude, 4711, 4711));
	assert_true(bh_foreground_is_ours(claude, agent, 4711));
	assert_false(bh_foreground_is_ours(claude, other, 4711));
	assert_false(bh_foreground_is_ours(claude, 0, 4711));
	assert_false(bh_foreground_is_ours(claude, 0x3ffffffe, 4711));
	process_end(agent);
	process_end(other);
	bh_profiles_free(profiles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_child_itself_and_its_program_are_ours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
