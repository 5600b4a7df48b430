// What the keeper answers to its server. Covers: src/keeper/table.
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

static void statuses_are_kept_until_forgotten(void **state)
{
	struct world world;
	struct reply spawned, entry;

	(void)state;
	world_start(&world);
	world_spawn_sh(&world, 1, "read x; kill -9 $$", &spawned);
	assert_int_equal(world_expect_refusal(&world, world_forget(&world, 1)).error,
	                 EBUSY); // it lives
	assert_int_equal(world_expect_refusal(&world, world_forget(&world, 2)).error, ESRCH);
	assert_int_equal(write(spawned.fds[0], "\n", 1), 1);
	assert_int_equal(world_expect_exit(&world, 1), SIGKILL);
	assert_int_equal(world_list(&world, 1, &entry), 1);
	assert_int_equal(entry.message.as_ENTRY.has_exited, 1);
	assert_int_equal(entry.message.as_ENTRY.status, SIGKILL);
	world_drop(&entry);
	(void)world_forget(&world, 1);
	assert_int_equal(world_list(&world, 1, &entry), 0);
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
	assert_int_equal(world_list(&world, 255, &reply),
	                 BH_WIRE_ENTRIES); // all come, with descriptors
	world_drop(&reply);
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
	assert_int_equal(world_expect_refusal(&world, 10).error, ENOSYS);
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

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(odd_requests_are_refused),
		cmocka_unit_test(statuses_are_kept_until_forgotten),
		cmocka_unit_test(a_full_table_refuses_with_words),
		cmocka_unit_test(a_newer_server_is_served),
		cmocka_unit_test(noise_is_refused_and_forgotten),
	};

	world_serve(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
