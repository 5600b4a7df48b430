#include "src/server/keeper_link.h"

#include "tests/unit/keeper-world.h"

#include "src/base/fd.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include <cmocka.h>

// What was heard, and the last of each.
struct heard {
	uv_loop_t loop;
	uv_timer_t limit;
	struct bh_keeper_link *link;
	bool is_in_call; // a public function runs: no callback may come
	int adopted, ready, exited, done, lost, closed, spawned, pinged;
	struct bh_keeper_entry entry;
	struct bh_uuid exited_id;
	int status;
	struct bh_keeper_health health;
	int ping_code;
	struct bh_err err;
};

static void entry_drop(struct bh_keeper_entry *entry)
{
	bh_fd_close(&entry->master_fd);
	bh_fd_close(&entry->tape_fd);
}

static struct heard *heard_of(void *user)
{
	struct heard *heard = user;

	assert_false(heard->is_in_call);
	return heard;
}

static void on_adopted(void *user, const struct bh_keeper_entry *entry)
{
	struct heard *heard = heard_of(user);

	assert_int_equal(heard->ready, 0); // first all of them, then ready
	heard->adopted++;
	entry_drop(&heard->entry);
	heard->entry = *entry;
}

static void on_ready(void *user)
{
	heard_of(user)->ready++;
}

static void on_exited(void *user, const struct bh_uuid *id, int status)
{
	struct heard *heard = heard_of(user);

	heard->exited++;
	heard->exited_id = *id;
	heard->status = status;
}

static void on_done(void *user)
{
	heard_of(user)->done++;
}

static void on_lost(void *user, const struct bh_err *err)
{
	struct heard *heard = heard_of(user);

	heard->lost++;
	heard->err = *err;
}

static void on_closed(void *user)
{
	heard_of(user)->closed++;
}

static void on_spawned(void *user, const struct bh_keeper_entry *entry, const struct bh_err *err)
{
	struct heard *heard = heard_of(user);

	heard->spawned++;
	if (entry == NULL) {
		heard->err = *err;
		return;
	}
	entry_drop(&heard->entry);
	heard->entry = *entry;
}

static void on_pinged(void *user, const struct bh_keeper_health *health, const struct bh_err *err)
{
	struct heard *heard = heard_of(user);

	heard->pinged++;
	if (health != NULL) {
		heard->health = *health;
	} else {
		heard->ping_code = err->code;
	}
}

static const struct bh_keeper_link_events events = {
	.adopted = on_adopted,
	.ready = on_ready,
	.exited = on_exited,
	.done = on_done,
	.lost = on_lost,
	.closed = on_closed,
};

static void on_limit(uv_timer_t *timer)
{
	(void)timer;
	fail_msg("nothing more is heard from the keeper");
}

static void heard_start(struct heard *heard, int fd)
{
	*heard = (struct heard){.entry = {.master_fd = -1, .tape_fd = -1}};
	assert_int_equal(uv_loop_init(&heard->loop), 0);
	assert_int_equal(uv_timer_init(&heard->loop, &heard->limit), 0);
	heard->is_in_call = true;
	assert_int_equal(bh_keeper_link_start(&heard->loop, fd, &events, heard, &heard->link, NULL),
	                 0);
	heard->is_in_call = false;
}

// Run until *@count is @want.
static void heard_until(struct heard *heard, const int *count, int want)
{
	assert_int_equal(uv_timer_start(&heard->limit, on_limit, 60000, 0), 0);
	while (*count < want) {
		(void)uv_run(&heard->loop, UV_RUN_ONCE);
	}
	assert_int_equal(*count, want);
	(void)uv_timer_stop(&heard->limit);
}

static void heard_end(struct heard *heard)
{
	heard->is_in_call = true;
	bh_keeper_link_close(heard->link);
	bh_keeper_link_close(heard->link); // allowed
	heard->is_in_call = false;
	heard_until(heard, &heard->closed, 1);
	uv_close((uv_handle_t *)&heard->limit, NULL);
	(void)uv_run(&heard->loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&heard->loop), 0);
	entry_drop(&heard->entry);
}

static int spawn(struct heard *heard, uint8_t key, const char *const *argv, const char *cwd)
{
	const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
	const struct bh_keeper_spawn settings = {
		.id = {{key}},
		.argv = argv,
		.env = env,
		.cwd = cwd,
		.cols = 80,
		.rows = 24,
		.tape_size = 64 * 1024,
		.data = {key, 42},
	};
	int rc;

	heard->is_in_call = true;
	rc = bh_keeper_link_spawn(heard->link, &settings, on_spawned, heard, &heard->err);
	heard->is_in_call = false;
	return rc;
}

// Give the socket of the world's server to a link.
static void link_world(struct world *world, struct heard *heard)
{
	int fd = world->link;

	world->link = -1;
	heard_start(heard, fd);
	heard_until(heard, &heard->ready, 1);
}

static void a_server_lives_with_its_keeper(void **state)
{
	const char *const argv[] = {"sh", "-c", "read x; exit 3", NULL};
	struct world world;
	struct heard heard;
	struct bh_uuid id = {{7}};

	(void)state;
	world_start(&world);
	link_world(&world, &heard);
	assert_int_equal(heard.adopted, 0);
	assert_int_equal(bh_keeper_link_pid(heard.link), world.keeper);
	assert_int_equal(spawn(&heard, 7, argv, "/tmp"), 0);
	heard_until(&heard, &heard.spawned, 1);
	assert_true(heard.entry.pid > 0);
	assert_true(heard.entry.pid_start > 0);
	assert_true(heard.entry.tape_fd >= 0);
	heard_end(&heard);

	// The next server adopts it.
	world_kill_server(&world);
	world_accept(&world);
	link_world(&world, &heard);
	assert_int_equal(heard.adopted, 1);
	assert_int_equal(bh_keeper_link_crashes(heard.link), 1);
	assert_true(bh_uuid_is_equal(&heard.entry.id, &id));
	assert_int_equal(heard.entry.data[1], 42);
	assert_false(heard.entry.has_exited);
	assert_int_equal(write(heard.entry.master_fd, "\n", 1), 1);
	heard_until(&heard, &heard.exited, 1);
	assert_true(bh_uuid_is_equal(&heard.exited_id, &id));
	assert_int_equal(heard.status, 3 << 8);
	assert_int_equal(bh_keeper_link_forget(heard.link, &id), 0);
	assert_int_equal(bh_keeper_link_upgrade(heard.link), 0); // greets again: no second `ready`

	assert_int_equal(spawn(&heard, 8, argv, NULL), 0);
	heard_until(&heard, &heard.spawned, 1);
	assert_int_equal(
		bh_keeper_link_signal(heard.link, &heard.entry.id, SIGKILL, BH_WIRE_TARGET_GROUP),
		0);
	heard_until(&heard, &heard.exited, 2);
	assert_int_equal(heard.status, SIGKILL);
	assert_int_equal(bh_keeper_link_shutdown(heard.link), 0);
	heard_until(&heard, &heard.done, 1);
	heard_end(&heard);
	world_exit_server(&world, 0);
	assert_int_equal(world_wait(world.keeper, 30000), 0);
	world_clear(&world);
}

static void the_keeper_says_how_it_is(void **state)
{
	const char *const argv[] = {"true", NULL};
	struct world world;
	struct heard heard;

	(void)state;
	world_start(&world);
	link_world(&world, &heard);
	assert_int_equal(bh_keeper_link_ping(heard.link, on_pinged, &heard), 0);
	assert_int_equal(bh_keeper_link_ping(heard.link, on_pinged, &heard), 0);
	heard_until(&heard, &heard.pinged, 2);
	assert_int_equal(heard.health.used, 0);
	assert_int_equal(heard.health.entries, BH_WIRE_ENTRIES);
	assert_int_equal(heard.health.starts, 1);
	assert_int_equal(spawn(&heard, 7, argv, "/tmp"), 0);
	heard_until(&heard, &heard.spawned, 1);
	assert_int_equal(bh_keeper_link_ping(heard.link, on_pinged, &heard), 0);
	heard_until(&heard, &heard.pinged, 3);
	assert_int_equal(heard.health.used, 1);
	assert_int_equal(heard.ready, 1); // it greets again, and is no second server
	assert_int_equal(heard.adopted, 0);
	assert_int_equal(heard.ping_code, 0);
	heard_end(&heard);
	assert_int_equal(kill(world.keeper, SIGTERM), 0);
	world_exit_server(&world, 0);
	assert_int_equal(world_wait(world.keeper, 30000), 0);
	world_clear(&world);
}

static void failed_spawns_have_words(void **state)
{
	const char *const none[] = {NULL};
	const char *const missing[] = {"clod", NULL};
	const char *const sh[] = {"sh", NULL};
	struct world world;
	struct heard heard;

	(void)state;
	world_start(&world);
	link_world(&world, &heard);
	assert_int_equal(spawn(&heard, 1, none, NULL), BH_EINVALID);
	assert_int_equal(spawn(&heard, 1, missing, NULL), 0);
	heard_until(&heard, &heard.spawned, 1);
	assert_int_equal(heard.err.code, -ENOENT);
	assert_string_equal(
		heard.err.text,
		"start clod: run the program: No such file or directory; is it installed, "
		"and in a folder of PATH?");
	assert_int_equal(spawn(&heard, 2, sh, "/no/folder"), 0);
	heard_until(&heard, &heard.spawned, 2);
	assert_string_equal(heard.err.text,
	                    "start sh: enter the working folder: No such file or directory");
	heard_end(&heard);
	assert_int_equal(kill(world.keeper, SIGTERM), 0);
	world_exit_server(&world, 0);
	assert_int_equal(world_wait(world.keeper, 30000), 0);
	world_clear(&world);
}

static void many_spawns_wait_for_the_socket(void **state)
{
	const char *const argv[] = {"true", NULL};
	struct world world;
	struct heard heard;

	(void)state;
	world_start(&world);
	link_world(&world, &heard);
	for (int i = 0; i < 300; i++) { // more than the socket takes at once
		assert_int_equal(spawn(&heard, (uint8_t)(i % 250), argv, NULL), 0);
	}
	heard_until(&heard, &heard.spawned, 300); // 50 of them: the id exists
	heard_until(&heard, &heard.exited, 250);
	heard_end(&heard);
	assert_int_equal(kill(world.keeper, SIGTERM), 0);
	world_exit_server(&world, 0);
	assert_int_equal(world_wait(world.keeper, 30000), 0);
	world_clear(&world);
}

// The server may not open more files: the child is ended again, the keeper forgets it.
static void a_spawn_without_room_for_its_terminal_fails(void **state)
{
	const char *const argv[] = {"sleep", "1000", NULL};
	const char *const quick[] = {"true", NULL};
	struct rlimit limit, low;
	struct world world;
	struct heard heard;
	int next_fd;

	(void)state;
	world_start(&world);
	link_world(&world, &heard);
	assert_int_equal(spawn(&heard, 1, argv, NULL), 0);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	next_fd = dup(0);
	(void)close(next_fd);
	low = (struct rlimit){(rlim_t)next_fd, limit.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	heard_until(&heard, &heard.spawned, 1);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_int_equal(heard.err.code, -EMFILE);
	assert_string_equal(heard.err.text,
	                    "start sleep: create a pseudo terminal: Too many open files");
	do { // the id is free again once it is forgotten
		heard.spawned = heard.err.code = 0;
		assert_int_equal(spawn(&heard, 1, quick, NULL), 0);
		heard_until(&heard, &heard.spawned, 1);
	} while (heard.err.code == -EEXIST);
	assert_int_equal(heard.err.code, 0);
	heard_until(&heard, &heard.exited, 1); // of the second only
	assert_int_equal(heard.status, 0);
	heard_end(&heard);
	assert_int_equal(kill(world.keeper, SIGTERM), 0);
	world_exit_server(&world, 0);
	assert_int_equal(world_wait(world.keeper, 30000), 0);
	world_clear(&world);
}

static void a_gone_keeper_is_reported_once(void **state)
{
	const char *const argv[] = {"true", NULL};
	struct heard heard;
	int fds[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds), 0);
	heard_start(&heard, fds[0]);
	assert_int_equal(spawn(&heard, 1, argv, NULL), 0);
	assert_int_equal(bh_keeper_link_ping(heard.link, on_pinged, &heard), 0);
	(void)close(fds[1]);
	heard_until(&heard, &heard.lost, 1);
	assert_int_equal(heard.pinged, 1);
	assert_int_equal(heard.ping_code, BH_ECLOSED);
	assert_int_equal(bh_keeper_link_ping(heard.link, on_pinged, &heard), BH_ECLOSED);
	assert_int_equal(heard.err.code, BH_ECLOSED);
	assert_int_equal(heard.spawned, 1); // answered, with the error
	assert_int_equal(spawn(&heard, 2, argv, NULL), BH_ECLOSED);
	assert_int_equal(bh_keeper_link_shutdown(heard.link), BH_ECLOSED);
	heard_end(&heard);
	assert_int_equal(heard.lost, 1);
}

static void nonsense_from_the_keeper_is_a_loss(void **state)
{
	union bh_wire message = {.as_SPAWNED = {.pid = 1}};
	struct bh_wire_head newer = {.type = 300, .size = sizeof(newer)};
	size_t len = bh_wire_prepare(&message, BH_WIRE_SPAWNED, 99);
	struct heard heard;
	int fds[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds), 0);
	heard_start(&heard, fds[0]);
	assert_int_equal(bh_fd_send(fds[1], &newer, sizeof(newer), NULL, 0), 0); // is skipped
	assert_int_equal(bh_fd_send(fds[1], &message, len, NULL, 0), 0); // was never asked for
	heard_until(&heard, &heard.lost, 1);
	assert_int_equal(heard.err.code, BH_EPROTOCOL);
	heard_end(&heard);
	(void)close(fds[1]);
}

static void a_complaint_goes_out_within_the_call(void **state)
{
	union bh_wire message;
	uint8_t packet[BH_WIRE_MAX];
	char long_text[1000];
	ssize_t len;
	int fds[2];

	(void)state;
	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds), 0);
	assert_int_equal(bh_keeper_link_complain_fd(fds[0], long_text), 0);
	len = recv(fds[1], packet, sizeof(packet), MSG_DONTWAIT);
	assert_true(len > 0);
	assert_int_equal(bh_wire_read(packet, (size_t)len, &message), 0);
	assert_int_equal(strlen(message.as_COMPLAIN.text), BH_WIRE_TEXT - 1);
	(void)close(fds[0]);
	(void)close(fds[1]);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_server_lives_with_its_keeper),
		cmocka_unit_test(the_keeper_says_how_it_is),
		cmocka_unit_test(failed_spawns_have_words),
		cmocka_unit_test(many_spawns_wait_for_the_socket),
		cmocka_unit_test(a_spawn_without_room_for_its_terminal_fails),
		cmocka_unit_test(a_gone_keeper_is_reported_once),
		cmocka_unit_test(nonsense_from_the_keeper_is_a_loss),
		cmocka_unit_test(a_complaint_goes_out_within_the_call),
	};

	world_serve(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
