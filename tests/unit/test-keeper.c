// The life of the keeper: its server's, its own upgrade, its end.
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

static void children_survive_the_server(void **state)
{
	struct reply cat, ends, entry;
	struct bh_wire_hello hello;
	struct stat before, after;
	struct world world;

	(void)state;
	world_start(&world);
	world_spawn_sh(&world, 1, "stty -echo; echo up.; exec cat", &cat);
	world_spawn_sh(&world, 2, "echo up.; read x; exit 5", &ends);
	(void)world_read_until(cat.fds[0], "up.");
	(void)world_read_until(ends.fds[0], "up.");
	assert_int_equal(fstat(cat.fds[1], &before), 0);
	world_kill_server(&world);
	assert_int_equal(write(ends.fds[0], "\n", 1), 1); // exits while nobody looks
	world_accept(&world);
	hello = world_hello(&world);
	assert_int_equal(hello.starts, 2);
	assert_int_equal(hello.crashes, 1);
	assert_int_equal(hello.used, 2);

	for (int i = 0; i < 3000; i++) { // its exit may come a moment later
		assert_int_equal(world_list(&world, 2, &entry), 2);
		world_drop(&entry);
		if (entry.message.as_ENTRY.has_exited) {
			break;
		}
		(void)usleep(10000);
	}
	assert_int_equal(entry.message.as_ENTRY.status, 5 << 8);
	assert_int_equal(entry.message.as_ENTRY.pid, ends.message.as_SPAWNED.pid);

	assert_int_equal(world_list(&world, 1, &entry), 2);
	assert_int_equal(entry.message.as_ENTRY.has_exited, 0);
	assert_int_equal(entry.message.as_ENTRY.pid, cat.message.as_SPAWNED.pid);
	assert_int_equal(entry.message.as_ENTRY.pid_start, cat.message.as_SPAWNED.pid_start);
	assert_int_equal(entry.message.as_ENTRY.data[0], 1);
	assert_int_equal(entry.count, 2);
	assert_int_equal(fstat(entry.fds[1], &after), 0);
	assert_int_equal(before.st_ino, after.st_ino); // the same tape
	assert_int_equal(write(entry.fds[0], "still here\n", 11), 11);
	assert_non_null(world_read_until(entry.fds[0], "still here"));
	world_drop(&entry);
	world_drop(&cat);
	world_drop(&ends);
	world_stop(&world);
}

static void nothing_of_the_starter_stays(void **state)
{
	char path[64], target[8];
	struct world world;

	(void)state;
	world_start(&world);
	(void)world_hello(&world);
	for (int i = 0; i < 2; i++) { // the keeper, then its server
		pid_t pid = i == 0 ? world.keeper : world.server;

		(void)snprintf(path, sizeof(path), "/proc/%d/fd/77", (int)pid);
		assert_int_equal(access(path, F_OK), -1);
		(void)snprintf(path, sizeof(path), "/proc/%d/cwd", (int)pid);
		assert_int_equal(readlink(path, target, sizeof(target)), 1); // "/"
		assert_int_equal(getsid(pid), world.keeper);
	}
	world_stop(&world);
}

static void of_ten_keepers_one_stays(void **state)
{
	pid_t keepers[10];
	int ended = 0;
	struct world world;

	(void)state;
	world_init(&world);
	for (int i = 0; i < 10; i++) {
		keepers[i] = world_start_keeper(&world, "serve");
	}
	world_accept(&world);
	world.keeper = world_hello(&world).pid;
	for (int i = 0; i < 10; i++) {
		if (keepers[i] != world.keeper) {
			assert_int_equal(world_wait(keepers[i], 30000), 0);
			ended++;
		}
	}
	assert_int_equal(ended, 9);
	assert_int_equal(world_hello(&world).starts, 1);
	world_stop(&world);
}

/** Bytes of memory that the table takes. */
static off_t table_bytes(const struct world *world)
{
	off_t bytes = -1;

	for (int fd = 0; fd < 64; fd++) {
		char path[64];
		char target[64] = "";
		struct stat st;

		(void)snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)world->keeper, fd);
		if (readlink(path, target, sizeof(target) - 1) > 0 &&
		    strstr(target, "bellhop-keeper") != NULL && strstr(target, "memfd:") != NULL &&
		    stat(path, &st) == 0) {
			bytes = (off_t)st.st_blocks * 512;
		}
	}
	return bytes;
}

static void room_for_many_takes_memory_for_few(void **state)
{
	struct world world;
	struct reply reply;

	(void)state;
	world_start(&world);
	world_spawn_sh(&world, 1, "sleep 100", &reply);
	world_drop(&reply);
	assert_int_equal(world_list(&world, 1, &reply), 1);
	world_drop(&reply);
	assert_in_range(table_bytes(&world), 4096, 3 * 4096);
	world_stop(&world);
}

static void an_upgrade_keeps_pid_and_children(void **state)
{
	struct world world;
	struct reply cat, reply;

	(void)state;
	world_start(&world);
	world_spawn_sh(&world, 1, "stty -echo; echo up.; read x; echo got $x.; read x; exit 4",
	               &cat);
	(void)world_read_until(cat.fds[0], "up.");
	for (int i = 0; i < 2; i++) { // twice: the arguments do not grow
		union bh_wire message = {.as_UPGRADE = {.head = {0}}};
		uint32_t seq = world_send(&world, &message, BH_WIRE_UPGRADE);

		world_expect(&world, BH_WIRE_HELLO, &reply);
		assert_int_equal(reply.message.head.seq, seq);
		assert_int_equal(reply.message.as_HELLO.pid, world.keeper);
		assert_int_equal(reply.message.as_HELLO.used, 1);
		assert_int_equal(reply.message.as_HELLO.starts, 1);
	}
	assert_non_null(strstr(world_file(&world, "log"), "upgraded"));
	assert_int_equal(world_list(&world, 1, &reply), 1);
	assert_int_equal(write(reply.fds[0], "hi\n", 3), 3);
	assert_non_null(world_read_until(reply.fds[0], "got hi."));
	assert_int_equal(write(reply.fds[0], "\n", 1), 1);
	assert_int_equal(world_expect_exit(&world, 1), 4 << 8); // still its child
	world_drop(&reply);
	world_drop(&cat);
	world_spawn_sh(&world, 2, "exit 6", &cat); // and it still spawns, with clean descriptors
	assert_int_equal(world_expect_exit(&world, 2), 6 << 8);
	world_drop(&cat);
	world_kill_server(&world); // and still watches the server
	world_accept(&world);
	assert_int_equal(world_hello(&world).starts, 2);
	world_stop(&world);
}

static void a_broken_program_does_not_take_over(void **state)
{
	union bh_wire message = {.as_UPGRADE = {.head = {0}}};
	struct bh_wire_refused refused;
	struct world world;
	struct reply cat;
	uint32_t seq;

	(void)state;
	world_init(&world);
	world_copy_keeper(&world);
	world.keeper = world_start_keeper(&world, "serve");
	world_accept(&world);
	world_spawn_sh(&world, 1, "stty -echo; exec cat", &cat);
	world_break_keeper(&world, "#!/bin/sh\nexit 3\n"); // runs, but is no keeper
	seq = world_send(&world, &message, BH_WIRE_UPGRADE);
	assert_int_equal(world_expect_refusal(&world, seq).error, ENOEXEC);
	world_break_keeper(&world, "\177ELF, the first half"); // a copy that was cut
	seq = world_send(&world, &message, BH_WIRE_UPGRADE);
	refused = world_expect_refusal(&world, seq);
	assert_int_equal(refused.error, ENOEXEC);
	assert_int_equal(refused.type, BH_WIRE_UPGRADE);
	assert_int_equal(write(cat.fds[0], "alive\n", 6), 6);
	assert_non_null(world_read_until(cat.fds[0], "alive"));
	assert_int_equal(world_hello(&world).pid, world.keeper);
	world_drop(&cat);
	world_stop(&world);
}

static void both_upgrade_together(void **state)
{
	union bh_wire message = {.as_UPGRADE = {.head = {0}}};
	struct bh_wire_hello hello;
	struct world world;
	struct reply cat, entry;

	(void)state;
	world_start(&world);
	(void)world_hello(&world);
	world_spawn_sh(&world, 1, "echo up.; exec cat", &cat);
	(void)world_read_until(cat.fds[0], "up.");
	(void)world_send(&world, &message, BH_WIRE_UPGRADE);
	world_exit_server(&world, BH_WIRE_EXIT_RESTART); // without waiting for the greeting
	world_accept(&world);
	hello = world_hello(&world);
	assert_int_equal(hello.pid, world.keeper);
	assert_int_equal(hello.starts, 2);
	assert_int_equal(hello.crashes, 0);
	assert_int_equal(world_list(&world, 1, &entry), 1);
	assert_int_equal(entry.message.as_ENTRY.pid, cat.message.as_SPAWNED.pid);
	assert_int_equal(entry.count, 2);
	assert_non_null(strstr(world_file(&world, "log"), "keeper upgraded"));
	world_drop(&entry);
	world_drop(&cat);
	world_stop(&world);
}

static void shutdown_ends_sessions_whatever_they_ignore(void **state)
{
	union bh_wire message = {.as_SHUTDOWN = {.head = {0}}};
	const char *const argv[] = {"true", NULL};
	struct world world;
	struct reply polite, stubborn, reply;
	int status;

	(void)state;
	world_start(&world);
	world_spawn_sh(&world, 1, "set -m; sleep 1000 & echo job=$!.; exec cat", &polite);
	(void)world_read_until(polite.fds[0], "job=");
	world_spawn_sh(&world, 2, "trap '' HUP TERM; echo up.; while :; do sleep 1; done",
	               &stubborn);
	(void)world_read_until(stubborn.fds[0], "up.");
	(void)world_send(&world, &message, BH_WIRE_SHUTDOWN);
	assert_int_equal(world_expect_exit(&world, 1), SIGHUP);
	world_spawn(&world, 3, argv, no_env, &reply);
	assert_int_equal(reply.message.as_SPAWNED.stage, BH_WIRE_STAGE_LEAVING);
	assert_int_equal(world_expect_exit(&world, 2), SIGKILL);
	world_expect(&world, BH_WIRE_DONE, &reply);
	world_exit_server(&world, 0);
	status = world_wait(world.keeper, 30000);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	world_drop(&polite);
	world_drop(&stubborn);
	world_clear(&world);
}

static void a_server_that_does_not_end_is_killed(void **state)
{
	union bh_wire message = {.as_SHUTDOWN = {.head = {0}}};
	struct world world;
	struct reply reply;

	(void)state;
	world_start(&world);
	(void)world_send(&world, &message, BH_WIRE_SHUTDOWN);
	world_expect(&world, BH_WIRE_DONE, &reply);
	assert_int_equal(world_wait(world.keeper, 30000), 0); // 5 s later
	world_clear(&world);
}

static void a_crashing_server_is_given_up(void **state)
{
	struct world world;

	(void)state;
	world_init(&world);
	world.keeper = world_start_keeper(&world, "crash");
	assert_int_equal(world_wait(world.keeper, 30000), 1 << 8);
	assert_string_equal(
		world_file(&world, "state"),
		"the server crashed 6 times in a row, the last time by exit status 3\n");
	assert_non_null(strstr(world_file(&world, "log"), "next start in 1600 ms"));
	world_clear(&world);
}

static void a_hopeless_server_is_given_up_at_once(void **state)
{
	struct world world;

	(void)state;
	world_init(&world);
	world.keeper = world_start_keeper(&world, "hopeless");
	assert_int_equal(world_wait(world.keeper, 30000), 1 << 8);
	assert_string_equal(world_file(&world, "state"),
	                    "the server cannot run: mail.db is from the future\n");
	world.keeper = world_start_keeper(&world, NULL); // not even a program
	assert_int_equal(world_wait(world.keeper, 30000), 1 << 8);
	assert_string_equal(world_file(&world, "state"),
	                    "the server cannot run: cannot run /nonexistent/bellhop: No such file "
	                    "or directory\n");
	world_clear(&world);
}

static void children_wait_for_a_server_that_was_given_up(void **state)
{
	struct world world;
	struct reply cat, entry;

	(void)state;
	world_start(&world);
	world_spawn_sh(&world, 1, "echo up.; exec cat", &cat);
	(void)world_read_until(cat.fds[0], "up.");
	world_exit_server(&world, BH_WIRE_EXIT_HOPELESS);
	for (int i = 0; i < 3000 && strlen(world_file(&world, "state")) == 0; i++) {
		(void)usleep(10000);
	}
	assert_string_equal(world_file(&world, "state"), "the server cannot run\n");
	assert_int_equal(kill(cat.message.as_SPAWNED.pid, 0), 0);
	// Somebody starts anew: that keeper ends, ours tries again.
	assert_int_equal(world_wait(world_start_keeper(&world, "serve"), 30000), 0);
	world_accept(&world);
	assert_int_equal(world_hello(&world).used, 1);
	assert_string_equal(world_file(&world, "state"), "");
	assert_int_equal(world_list(&world, 1, &entry), 1);
	assert_int_equal(entry.message.as_ENTRY.pid, cat.message.as_SPAWNED.pid);
	world_drop(&entry);
	world_drop(&cat);
	world_stop(&world);
}

static void a_wanted_restart_is_no_crash(void **state)
{
	struct bh_wire_hello hello;
	struct world world;

	(void)state;
	world_start(&world);
	for (int i = 0; i < 8; i++) { // more often than it may crash
		(void)world_hello(&world);
		world_exit_server(&world, BH_WIRE_EXIT_RESTART);
		world_accept(&world);
	}
	hello = world_hello(&world);
	assert_int_equal(hello.starts, 9);
	assert_int_equal(hello.crashes, 0);
	world_exit_server(&world, BH_WIRE_EXIT_RESTART);
	world_accept(&world);
	world_exit_server(&world, BH_WIRE_EXIT_RESTART); // before it greets: could go on for ever
	world_accept(&world);
	assert_int_equal(world_hello(&world).crashes, 1);
	world_stop(&world);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_survive_the_server),
		cmocka_unit_test(nothing_of_the_starter_stays),
		cmocka_unit_test(of_ten_keepers_one_stays),
		cmocka_unit_test(room_for_many_takes_memory_for_few),
		cmocka_unit_test(an_upgrade_keeps_pid_and_children),
		cmocka_unit_test(a_broken_program_does_not_take_over),
		cmocka_unit_test(both_upgrade_together),
		cmocka_unit_test(shutdown_ends_sessions_whatever_they_ignore),
		cmocka_unit_test(a_server_that_does_not_end_is_killed),
		cmocka_unit_test(a_crashing_server_is_given_up),
		cmocka_unit_test(a_hopeless_server_is_given_up_at_once),
		cmocka_unit_test(children_wait_for_a_server_that_was_given_up),
		cmocka_unit_test(a_wanted_restart_is_no_crash),
	};

	world_serve(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
