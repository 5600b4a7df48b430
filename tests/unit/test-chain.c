#include "src/server/chain.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void our_own_chain_is_whole(void **state)
{
	struct bh_chain chain;

	(void)state;
	bh_chain_read(&chain, getpid(), 0);
	assert_true(chain.count >= 2);
	assert_int_equal(chain.pids[0], getpid());
	assert_int_equal(chain.pids[1], getppid());
	assert_true(bh_chain_is_whole(&chain));
	bh_chain_read(&chain, getpid(), getppid());
	assert_int_equal(chain.count, 1);
}

static void no_process_is_taken_for_whole(void **state)
{
	struct bh_chain chain;

	(void)state;
	bh_chain_read(&chain, 0, 0);
	assert_int_equal(chain.count, 0);
	assert_true(bh_chain_is_whole(&chain));
	assert_true(bh_chain_is_from(&chain, 4711));
}

static void a_chain_whose_middle_died_is_broken(void **state)
{
	struct bh_chain chain;
	int tell[2];
	pid_t middle;
	pid_t last = 0;

	(void)state;
	assert_int_equal(pipe(tell), 0);
	middle = fork();
	if (middle == 0) {
		last = fork();
		if (last == 0) {
			pause();
			_exit(0);
		}
		(void)!write(tell[1], &last, sizeof(last));
		pause();
		_exit(0);
	}
	assert_int_equal(read(tell[0], &last, sizeof(last)), sizeof(last));
	bh_chain_read(&chain, last, getpid());
	assert_int_equal(chain.count, 2);
	assert_true(bh_chain_is_whole(&chain));
	assert_true(bh_chain_is_from(&chain, middle));
	assert_false(bh_chain_is_from(&chain, last));
	kill(middle, SIGKILL);
	assert_int_equal(waitpid(middle, NULL, 0), middle);
	assert_false(bh_chain_is_whole(&chain));
	kill(last, SIGKILL);
	close(tell[0]);
	close(tell[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_own_chain_is_whole),
		cmocka_unit_test(no_process_is_taken_for_whole),
		cmocka_unit_test(a_chain_whose_middle_died_is_broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
