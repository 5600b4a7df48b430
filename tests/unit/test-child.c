// The children that the keeper makes, seen from the inside and from its server's seat.
#include "tests/unit/keeper-world.h"

#include "src/base/fd.h"
#include "src/keeper/wire.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const no_env[] = {NULL};

static uint32_t signal_send(struct world *world, uint8_t key, int number, uint32_t target)
{
	union bh_wire message = {.as_SIGNAL = {.id = {key}, .signal = number, .target = target}};

	return world_send(world, &message, BH_WIRE_SIGNAL);
}

static void a_child_runs_and_its_exit_is_told(void **state)
{
	struct world world;
	struct reply spawned;

	(void)state;
	world_start(&world);
	assert_int_equal(world_hello(&world).pid, world.keeper);
	world_spawn_sh(&world, 1, "stty size; read x; exit 7", &spawned);
	assert_non_null(strstr(world_read_until(spawned.fds[0], "90"), "30 90"));
	assert_true(spawned.message.as_SPAWNED.pid > 0);
	assert_true(spawned.message.as_SPAWNED.pid_start > 0);
	assert_int_equal(write(spawned.fds[0], "\n", 1), 1);
	assert_int_equal(world_expect_exit(&world, 1), 7 << 8);
	world_drop(&spawned);
	world_stop(&world);
}

static void a_child_gets_a_clean_world(void **state)
{
	struct world world;
	struct reply spawned;
	const char *text;
	char line[128];

	(void)state;
	world_start(&world);
	world_spawn_sh(&world, 1,
	               "grep Sig[BI] /proc/self/status; ls -m /proc/$$/fd; "
	               ": >/dev/tty && echo ctty=yes; echo nofile=$(ulimit -n); echo cwd=$(pwd); "
	               "echo sid=$(cut -d' ' -f6 /proc/$$/stat) pid=$$.; echo end.; read x",
	               &spawned);
	text = world_read_until(spawned.fds[0], "end.");
	assert_non_null(strstr(text, "SigBlk:\t0000000000000000"));
	assert_non_null(strstr(text, "SigIgn:\t0000000000000000"));
	assert_non_null(strstr(text, "\r\n0, 1, 2\r\nctty=yes"));
	assert_non_null(strstr(text, "nofile=123\r\n")); // as it was before the keeper raised it
	(void)snprintf(line, sizeof(line), "cwd=%s\r\n", world.dir);
	assert_non_null(strstr(text, line));
	(void)snprintf(line, sizeof(line), "sid=%d pid=%d.", spawned.message.as_SPAWNED.pid,
	               spawned.message.as_SPAWNED.pid);
	assert_non_null(strstr(text, line));
	world_drop(&spawned);
	world_stop(&world);
}

static void the_environment_is_exactly_the_given_one(void **state)
{
	const char *const argv[] = {"env", NULL};
	const char *const env[] = {"PATH=/usr/bin:/bin", "B=two words", "A=", NULL};
	struct world world;
	struct reply spawned;

	(void)state;
	world_start(&world);
	world_spawn(&world, 1, argv, env, &spawned);
	assert_string_equal(world_read_until(spawned.fds[0], "A=\r\n"),
	                    "PATH=/usr/bin:/bin\r\nB=two words\r\nA=\r\n");
	assert_int_equal(world_expect_exit(&world, 1), 0);
	world_drop(&spawned);
	world_stop(&world);
}

static void a_failed_start_names_step_and_reason(void **state)
{
	const char *const missing[] = {"/no/such/program", NULL};
	const char *const folder[] = {"/tmp", NULL};
	struct world world;
	struct reply reply;

	(void)state;
	world_start(&world);
	world_spawn(&world, 1, missing, no_env, &reply);
	assert_int_equal(reply.message.as_SPAWNED.stage, BH_WIRE_STAGE_EXEC);
	assert_int_equal(reply.message.as_SPAWNED.error, ENOENT);
	assert_int_equal(reply.count, 0);
	world_spawn(&world, 2, folder, no_env, &reply);
	assert_int_equal(reply.message.as_SPAWNED.stage, BH_WIRE_STAGE_EXEC);
	assert_int_equal(reply.message.as_SPAWNED.error, EACCES);
	(void)snprintf(world.dir + strlen(world.dir), 8, "/gone"); // the working folder
	world_spawn(&world, 3, folder, no_env, &reply);
	world.dir[strlen(world.dir) - 5] = '\0';
	assert_int_equal(reply.message.as_SPAWNED.stage, BH_WIRE_STAGE_CHDIR);
	assert_int_equal(reply.message.as_SPAWNED.error, ENOENT);
	assert_int_equal(world_list(&world, 0, &reply), 0); // no entry is left
	world_stop(&world);
}

static void signals_reach_child_group_and_session(void **state)
{
	struct world world;
	struct reply spawned;

	(void)state;
	world_start(&world);
	assert_int_equal(world_expect_refusal(&world, signal_send(&world, 5, SIGTERM, 0)).error,
	                 ESRCH);
	world_spawn_sh(&world, 1, "trap 'exit 3' USR1; echo up.; while :; do sleep 0.05; done",
	               &spawned);
	(void)world_read_until(spawned.fds[0], "up.");
	(void)signal_send(&world, 1, SIGUSR1, BH_WIRE_TARGET_CHILD);
	assert_int_equal(world_expect_exit(&world, 1), 3 << 8);
	world_drop(&spawned);
	// With job control on, the background job has a group of its own in the same session.
	world_spawn_sh(&world, 2, "set -m; sleep 1000 & echo job=$!. ; wait; echo woken.; read x",
	               &spawned);
	(void)world_read_until(spawned.fds[0], "job=");
	(void)signal_send(&world, 2, SIGTERM, BH_WIRE_TARGET_SESSION);
	assert_int_equal(world_expect_exit(&world, 2), SIGTERM);
	assert_int_equal(world_expect_refusal(&world, signal_send(&world, 2, SIGTERM, 0)).error,
	                 ESRCH);
	world_drop(&spawned);
	world_stop(&world);
}

static void daemonised_descendants_stay_below_the_keeper(void **state)
{
	char parent[32];
	struct world world;
	struct reply spawned;

	(void)state;
	world_start(&world);
	world_spawn_sh(&world, 1,
	               "setsid sh -c ': >out; while [ ! -e go ]; do sleep 0.02; done; "
	               "cut -d\" \" -f4 /proc/$$/stat >out' >/dev/null 2>&1 & "
	               "while [ ! -e out ]; do sleep 0.02; done",
	               &spawned);
	assert_int_equal(world_expect_exit(&world, 1), 0);
	world_drop(&spawned);
	world_spawn_sh(&world, 2, "touch go", &spawned);
	(void)snprintf(parent, sizeof(parent), "%d\n", (int)world.keeper);
	for (int i = 0; i < 3000 && strlen(world_file(&world, "out")) == 0; i++) {
		(void)usleep(10000);
	}
	assert_string_equal(world_file(&world, "out"), parent);
	world_drop(&spawned);
	world_stop(&world);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_runs_and_its_exit_is_told),
		cmocka_unit_test(a_child_gets_a_clean_world),
		cmocka_unit_test(the_environment_is_exactly_the_given_one),
		cmocka_unit_test(a_failed_start_names_step_and_reason),
		cmocka_unit_test(signals_reach_child_group_and_session),
		cmocka_unit_test(daemonised_descendants_stay_below_the_keeper),
	};

	world_serve(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
