// The keeper as its server sees it. Covers: src/keeper/keeper, src/keeper/dialog, src/keeper/child,
// src/keeper/table.
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

// Wait for the exit of the terminal with this key; gives the wait status.
static int expect_exit(struct world *world, uint8_t key)
{
	struct reply reply;

	world_expect(world, BH_WIRE_EXITED, &reply);
	assert_int_equal(reply.message.as_EXITED.id[0], key);
	return reply.message.as_EXITED.status;
}

static struct bh_wire_refused expect_refusal(struct world *world, uint32_t seq)
{
	struct reply reply;

	world_expect(world, BH_WIRE_REFUSED, &reply);
	assert_int_equal(reply.message.head.seq, seq);
	return reply.message.as_REFUSED;
}

static uint32_t forget(struct world *world, uint8_t key)
{
	union bh_wire message = {.as_FORGET = {.id = {key}}};

	return world_send(world, &message, BH_WIRE_FORGET);
}

// LIST; gives the number of entries, and the one with @key in @out (descriptors are the caller's).
static uint32_t list(struct world *world, uint8_t key, struct reply *out)
{
	union bh_wire message = {.as_LIST = {.head = {0}}};
	uint32_t seq = world_send(world, &message, BH_WIRE_LIST);
	struct reply reply;
	uint32_t count = 0;

	memset(out, 0, sizeof(*out));
	for (;; count++) {
		uint8_t packet[BH_WIRE_MAX];
		ssize_t len =
			bh_fd_recv(world->link, packet, sizeof(packet), reply.fds, &reply.count);

		assert_true(len > 0);
		assert_int_equal(bh_wire_read(packet, (size_t)len, &reply.message), 0);
		if (reply.message.head.type == BH_WIRE_EXITED) {
			count--; // happens just now; its entry says it again
			continue;
		}
		assert_int_equal(reply.message.head.seq, seq);
		if (reply.message.head.type == BH_WIRE_LISTED) {
			break;
		}
		assert_int_equal(reply.message.head.type, BH_WIRE_ENTRY);
		if (reply.message.as_ENTRY.id[0] == key) {
			*out = reply;
		} else {
			world_drop(&reply);
		}
	}
	assert_int_equal(reply.message.as_LISTED.count, count);
	return count;
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
	assert_int_equal(expect_exit(&world, 1), 7 << 8);
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
	assert_int_equal(expect_exit(&world, 1), 0);
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
	assert_int_equal(list(&world, 0, &reply), 0); // no entry is left
	world_stop(&world);
}

// Send a SPAWN whose strings are not what it says.
static struct reply spawn_odd(struct world *world, const struct bh_wire_spawn *odd, int fd)
{
	union bh_wire message = {.as_SPAWN = *odd};
	size_t len = bh_wire_prepare(&message, BH_WIRE_SPAWN, ++world->seq);
	struct reply reply;

	assert_int_equal(bh_fd_send(world->link, &message, len, &fd, fd >= 0 ? 1 : 0), 0);
	world_expect(world, BH_WIRE_SPAWNED, &reply);
	assert_int_equal(reply.count, 0);
	return reply;
}

static void odd_requests_are_refused(void **state)
{
	struct bh_wire_spawn odd = {.id = {9}, .argc = 1, .bytes = 8, .cols = 80, .rows = 24};
	int fd = memfd_create("strings", MFD_CLOEXEC);
	struct world world;
	struct reply reply, spawned;

	(void)state;
	assert_int_equal(write(fd, "/bin/sh", 8), 8);
	world_start(&world);
	reply = spawn_odd(&world, &odd, fd); // no working folder after the arguments
	assert_int_equal(reply.message.as_SPAWNED.stage, BH_WIRE_STAGE_STRINGS);
	odd.bytes = 4000; // more than the file has
	assert_int_equal(spawn_odd(&world, &odd, fd).message.as_SPAWNED.stage,
	                 BH_WIRE_STAGE_STRINGS);
	odd.bytes = UINT32_MAX;
	assert_int_equal(spawn_odd(&world, &odd, fd).message.as_SPAWNED.stage,
	                 BH_WIRE_STAGE_REQUEST);
	odd.bytes = 8;
	odd.argc = 0;
	assert_int_equal(spawn_odd(&world, &odd, fd).message.as_SPAWNED.stage,
	                 BH_WIRE_STAGE_REQUEST);
	assert_int_equal(spawn_odd(&world, &odd, -1).message.as_SPAWNED.error, EBADF);
	world_spawn_sh(&world, 1, "read x", &spawned);
	odd = (struct bh_wire_spawn){.id = {1}, .argc = 1, .bytes = 8};
	assert_int_equal(spawn_odd(&world, &odd, fd).message.as_SPAWNED.error, EEXIST);
	bh_fd_close(&fd);
	world_drop(&spawned);
	world_stop(&world);
}

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

	for (int i = 0; i < 500; i++) { // its exit may come a moment later
		assert_int_equal(list(&world, 2, &entry), 2);
		world_drop(&entry);
		if (entry.message.as_ENTRY.has_exited) {
			break;
		}
		(void)usleep(10000);
	}
	assert_int_equal(entry.message.as_ENTRY.status, 5 << 8);
	assert_int_equal(entry.message.as_ENTRY.pid, ends.message.as_SPAWNED.pid);

	assert_int_equal(list(&world, 1, &entry), 2);
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

static void statuses_are_kept_until_forgotten(void **state)
{
	struct world world;
	struct reply spawned, entry;

	(void)state;
	world_start(&world);
	world_spawn_sh(&world, 1, "read x; kill -9 $$", &spawned);
	assert_int_equal(expect_refusal(&world, forget(&world, 1)).error, EBUSY); // it lives
	assert_int_equal(expect_refusal(&world, forget(&world, 2)).error, ESRCH);
	assert_int_equal(write(spawned.fds[0], "\n", 1), 1);
	assert_int_equal(expect_exit(&world, 1), SIGKILL);
	assert_int_equal(list(&world, 1, &entry), 1);
	assert_int_equal(entry.message.as_ENTRY.has_exited, 1);
	assert_int_equal(entry.message.as_ENTRY.status, SIGKILL);
	world_drop(&entry);
	(void)forget(&world, 1);
	assert_int_equal(list(&world, 1, &entry), 0);
	world_drop(&spawned);
	world_stop(&world);
}

static uint32_t signal_send(struct world *world, uint8_t key, int number, uint32_t target)
{
	union bh_wire message = {.as_SIGNAL = {.id = {key}, .signal = number, .target = target}};

	return world_send(world, &message, BH_WIRE_SIGNAL);
}

static void signals_reach_child_group_and_session(void **state)
{
	struct world world;
	struct reply spawned;

	(void)state;
	world_start(&world);
	assert_int_equal(expect_refusal(&world, signal_send(&world, 5, SIGTERM, 0)).error, ESRCH);
	world_spawn_sh(&world, 1, "trap 'exit 3' USR1; echo up.; while :; do sleep 0.05; done",
	               &spawned);
	(void)world_read_until(spawned.fds[0], "up.");
	(void)signal_send(&world, 1, SIGUSR1, BH_WIRE_TARGET_CHILD);
	assert_int_equal(expect_exit(&world, 1), 3 << 8);
	world_drop(&spawned);
	// With job control on, the background job has a group of its own in the same session.
	world_spawn_sh(&world, 2, "set -m; sleep 1000 & echo job=$!. ; wait; echo woken.; read x",
	               &spawned);
	(void)world_read_until(spawned.fds[0], "job=");
	(void)signal_send(&world, 2, SIGTERM, BH_WIRE_TARGET_SESSION);
	assert_int_equal(expect_exit(&world, 2), SIGTERM);
	assert_int_equal(expect_refusal(&world, signal_send(&world, 2, SIGTERM, 0)).error, ESRCH);
	world_drop(&spawned);
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
			assert_int_equal(world_wait(keepers[i], 5000), 0);
			ended++;
		}
	}
	assert_int_equal(ended, 9);
	assert_int_equal(world_hello(&world).starts, 1);
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
	assert_int_equal(expect_exit(&world, 1), 0);
	world_drop(&spawned);
	world_spawn_sh(&world, 2, "touch go", &spawned);
	(void)snprintf(parent, sizeof(parent), "%d\n", (int)world.keeper);
	for (int i = 0; i < 500 && strlen(world_file(&world, "out")) == 0; i++) {
		(void)usleep(10000);
	}
	assert_string_equal(world_file(&world, "out"), parent);
	world_drop(&spawned);
	world_stop(&world);
}

static void a_full_table_refuses_with_words(void **state)
{
	struct rlimit limit;
	struct world world;
	struct reply reply;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	if (limit.rlim_max < 3 * BH_WIRE_ENTRIES) {
		skip(); // the descriptors run out before the table
	}
	world_start(&world);
	for (int i = 0; i <= BH_WIRE_ENTRIES; i++) {
		union bh_wire message = {
			.as_SPAWN = {.id = {(uint8_t)i, (uint8_t)(i >> 8)},
		                     .argc = 2,
		                     .bytes = 17, // both arguments and an empty folder
		                     .cols = 80,
		                     .rows = 24}};
		size_t len = bh_wire_prepare(&message, BH_WIRE_SPAWN, ++world.seq);
		int fd = memfd_create("strings", MFD_CLOEXEC);

		assert_int_equal(write(fd, "/bin/sleep\0001000\0", 17), 17);
		assert_int_equal(bh_fd_send(world.link, &message, len, &fd, 1), 0);
		bh_fd_close(&fd);
		world_expect(&world, BH_WIRE_SPAWNED, &reply);
		world_drop(&reply);
		if (i < BH_WIRE_ENTRIES) {
			assert_int_equal(reply.message.as_SPAWNED.error, 0);
		}
	}
	assert_int_equal(reply.message.as_SPAWNED.stage, BH_WIRE_STAGE_TABLE);
	assert_int_equal(reply.message.as_SPAWNED.error, ENOSPC);
	assert_int_equal(list(&world, 255, &reply), BH_WIRE_ENTRIES); // all come, with descriptors
	world_drop(&reply);
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
	assert_int_equal(list(&world, 1, &reply), 1);
	assert_int_equal(write(reply.fds[0], "hi\n", 3), 3);
	assert_non_null(world_read_until(reply.fds[0], "got hi."));
	assert_int_equal(write(reply.fds[0], "\n", 1), 1);
	assert_int_equal(expect_exit(&world, 1), 4 << 8); // still its child
	world_drop(&reply);
	world_drop(&cat);
	world_spawn_sh(&world, 2, "exit 6", &cat); // and it still spawns, with clean descriptors
	assert_int_equal(expect_exit(&world, 2), 6 << 8);
	world_drop(&cat);
	world_kill_server(&world); // and still watches the server
	world_accept(&world);
	assert_int_equal(world_hello(&world).starts, 2);
	world_stop(&world);
}

static void a_newer_server_is_served(void **state)
{
	struct {
		struct bh_wire_hello hello;
		uint8_t more[300];
	} hello = {.hello = {.head = {.type = BH_WIRE_HELLO, .size = sizeof(hello), .seq = 9},
	                     .version = 99}};
	struct bh_wire_head unknown = {.type = 200, .size = sizeof(unknown), .seq = 10};
	struct world world;
	struct reply reply;

	(void)state;
	world_start(&world);
	assert_int_equal(bh_fd_send(world.link, &hello, sizeof(hello), NULL, 0), 0);
	world_expect(&world, BH_WIRE_HELLO, &reply);
	assert_int_equal(reply.message.head.seq, 9);
	assert_int_equal(reply.message.as_HELLO.version, BH_WIRE_VERSION);
	assert_int_equal(bh_fd_send(world.link, &unknown, sizeof(unknown), NULL, 0), 0);
	assert_int_equal(expect_refusal(&world, 10).error, ENOSYS);
	world_stop(&world);
}

// Anything but SHUTDOWN and UPGRADE, whole or cut, with and without a descriptor.
static void noise_is_refused_and_forgotten(void **state)
{
	struct world world;
	struct reply reply;

	(void)state;
	world_start(&world);
	srandom(11);
	for (int i = 0; i < 4000; i++) {
		uint8_t packet[1200];
		struct bh_wire_head head = {.type = (uint16_t)(random() % 18), .seq = 1};
		size_t len = 1 + (size_t)random() % (i % 50 == 0 ? sizeof(packet) : 200);

		if (head.type == BH_WIRE_SHUTDOWN || head.type == BH_WIRE_UPGRADE) {
			continue;
		}
		for (size_t at = 0; at < len; at++) {
			packet[at] = (uint8_t)random();
		}
		head.size = (uint16_t)(random() % 8 == 0 ? random() : (long)len);
		memcpy(packet, &head, len < sizeof(head) ? len : sizeof(head));
		assert_int_equal(
			bh_fd_send(world.link, packet, len, &world.listener, (size_t)random() % 2),
			0);
		// Take the answers, so that the keeper need not wait for us.
		while (recv(world.link, packet, sizeof(packet), MSG_DONTWAIT) > 0) {
		}
	}
	(void)usleep(100000);
	while (recv(world.link, &reply, sizeof(reply), MSG_DONTWAIT) > 0) {
	}
	assert_int_equal(world_hello(&world).used, 0);
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
	assert_int_equal(expect_exit(&world, 1), SIGHUP);
	world_spawn(&world, 3, argv, no_env, &reply);
	assert_int_equal(reply.message.as_SPAWNED.stage, BH_WIRE_STAGE_LEAVING);
	assert_int_equal(expect_exit(&world, 2), SIGKILL);
	world_expect(&world, BH_WIRE_DONE, &reply);
	world_exit_server(&world, 0);
	status = world_wait(world.keeper, 5000);
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
	assert_int_equal(world_wait(world.keeper, 8000), 0); // 5 s later
	world_clear(&world);
}

static void a_crashing_server_is_given_up(void **state)
{
	struct world world;

	(void)state;
	world_init(&world);
	world.keeper = world_start_keeper(&world, "crash");
	assert_int_equal(world_wait(world.keeper, 10000), 1 << 8);
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
	assert_int_equal(world_wait(world.keeper, 3000), 1 << 8);
	assert_string_equal(world_file(&world, "state"),
	                    "the server cannot run: mail.db is from the future\n");
	world.keeper = world_start_keeper(&world, NULL); // not even a program
	assert_int_equal(world_wait(world.keeper, 3000), 1 << 8);
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
	for (int i = 0; i < 500 && strlen(world_file(&world, "state")) == 0; i++) {
		(void)usleep(10000);
	}
	assert_string_equal(world_file(&world, "state"), "the server cannot run\n");
	assert_int_equal(kill(cat.message.as_SPAWNED.pid, 0), 0);
	// Somebody starts anew: that keeper ends, ours tries again.
	assert_int_equal(world_wait(world_start_keeper(&world, "serve"), 3000), 0);
	world_accept(&world);
	assert_int_equal(world_hello(&world).used, 1);
	assert_string_equal(world_file(&world, "state"), "");
	assert_int_equal(list(&world, 1, &entry), 1);
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
	(void)usleep(1100000); // sooner it could go on for ever
	world_exit_server(&world, BH_WIRE_EXIT_RESTART);
	world_accept(&world);
	hello = world_hello(&world);
	assert_int_equal(hello.starts, 2);
	assert_int_equal(hello.crashes, 0);
	world_stop(&world);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_runs_and_its_exit_is_told),
		cmocka_unit_test(a_child_gets_a_clean_world),
		cmocka_unit_test(the_environment_is_exactly_the_given_one),
		cmocka_unit_test(a_failed_start_names_step_and_reason),
		cmocka_unit_test(odd_requests_are_refused),
		cmocka_unit_test(children_survive_the_server),
		cmocka_unit_test(statuses_are_kept_until_forgotten),
		cmocka_unit_test(signals_reach_child_group_and_session),
		cmocka_unit_test(of_ten_keepers_one_stays),
		cmocka_unit_test(daemonised_descendants_stay_below_the_keeper),
		cmocka_unit_test(a_full_table_refuses_with_words),
		cmocka_unit_test(an_upgrade_keeps_pid_and_children),
		cmocka_unit_test(a_newer_server_is_served),
		cmocka_unit_test(noise_is_refused_and_forgotten),
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
