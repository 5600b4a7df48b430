#include "src/server/retire.h"

#include "tests/unit/mail-driver.h"

#include "src/keeper/wire.h"
#include "src/server/keeper_link.h"
#include "src/server/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// A server as far as this module looks: a store, and a keeper that only the test hears.
struct world {
	struct driver *driver;
	struct bh_server *server;
	struct bh_terminal terminal;
	int keeper;
	bool is_closed;
};

static void on_nothing(void *user)
{
	(void)user;
}

static void on_adopted(void *user, const struct bh_keeper_entry *entry)
{
	(void)user;
	(void)entry;
}

static void on_exited(void *user, const struct bh_uuid *id, int status)
{
	(void)user;
	(void)id;
	(void)status;
}

static void on_lost(void *user, const struct bh_err *err)
{
	(void)user;
	(void)err;
}

static void on_closed(void *user)
{
	struct world *world = user;

	world->is_closed = true;
}

static const struct bh_keeper_link_events events = {
	.adopted = on_adopted,
	.ready = on_nothing,
	.exited = on_exited,
	.done = on_nothing,
	.lost = on_lost,
	.closed = on_closed,
};

// Take what was sent to the keeper; whether a FORGET of the terminal was among it.
static bool has_forget(struct world *world)
{
	uint8_t packet[BH_WIRE_MAX];
	union bh_wire message;
	bool is_found = false;
	ssize_t len;

	while ((len = recv(world->keeper, packet, sizeof(packet), MSG_DONTWAIT)) > 0) {
		assert_int_equal(bh_wire_read(packet, (size_t)len, &message), 0);
		if (message.head.type == BH_WIRE_FORGET) {
			assert_memory_equal(message.as_FORGET.id, world->terminal.id.bytes, 16);
			is_found = true;
		}
	}
	return is_found;
}

static void world_start(struct world *world, struct driver *driver, unsigned n)
{
	int fds[2];

	memset(world, 0, sizeof(*world));
	world->driver = driver;
	world->server = calloc(1, sizeof(*world->server));
	assert_non_null(world->server);
	world->server->store = driver->store;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
	world->keeper = fds[1];
	assert_int_equal(bh_keeper_link_start(&driver->loop, fds[0], &events, world,
	                                      &world->server->keeper, NULL),
	                 0);
	world->terminal.server = world->server;
	world->terminal.exit_status = 7 << 8;
	(void)snprintf(world->terminal.id_text, sizeof(world->terminal.id_text), "%s", uuid_of(n));
	assert_true(bh_uuid_parse(uuid_of(n), &world->terminal.id));
	assert_false(has_forget(world));
}

static void world_stop(struct world *world)
{
	bh_keeper_link_close(world->server->keeper);
	while (!world->is_closed) {
		(void)uv_run(&world->driver->loop, UV_RUN_ONCE);
	}
	(void)close(world->keeper);
	free(world->server);
}

static void the_keeper_forgets_what_is_on_disk(void **state)
{
	struct driver *driver = *state;
	const struct bh_terminal_record *record;
	struct world world;

	assert_int_equal(driver_bind(driver, 3, "ci")->code, 0);
	world_start(&world, driver, 3);
	bh_retire_exited(&world.terminal, true);
	assert_false(has_forget(&world)); // it is only asked for
	record = bh_store_terminal(driver->store, uuid_of(3));
	assert_int_equal(record->status, BH_TERMINAL_LIVE);
	while (!has_forget(&world)) {
		(void)uv_run(&driver->loop, UV_RUN_ONCE);
	}
	record = bh_store_terminal(driver->store, uuid_of(3));
	assert_int_equal(record->status, BH_TERMINAL_WAITS_RESPAWN);
	assert_int_equal(record->exit_status, 7 << 8);
	world_stop(&world);
}

static void one_without_a_record_is_forgotten_too(void **state)
{
	struct driver *driver = *state;
	struct world world;

	world_start(&world, driver, 4);
	bh_retire_exited(&world.terminal, false);
	while (!has_forget(&world)) {
		(void)uv_run(&driver->loop, UV_RUN_ONCE);
	}
	world_stop(&world);
}

static void what_the_keeper_does_not_hold_is_only_written_down(void **state)
{
	struct driver *driver = *state;
	struct world world;

	assert_int_equal(driver_bind(driver, 5, "ci")->code, 0);
	world_start(&world, driver, 5);
	bh_retire_terminal(world.server, uuid_of(5), -1, false);
	while (bh_store_terminal(driver->store, uuid_of(5)) != NULL &&
	       bh_store_terminal(driver->store, uuid_of(5))->status == BH_TERMINAL_LIVE) {
		(void)uv_run(&driver->loop, UV_RUN_ONCE);
	}
	assert_false(has_forget(&world));
	world_stop(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(the_keeper_forgets_what_is_on_disk),
		driver_test(one_without_a_record_is_forgotten_too),
		driver_test(what_the_keeper_does_not_hold_is_only_written_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
