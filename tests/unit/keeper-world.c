#include "tests/unit/keeper-world.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define WAIT_MS 30000

// A complaint, then an exit that says that it is of no use.
_Noreturn static void serve_hopeless(int fd)
{
	union bh_wire message = {.as_COMPLAIN = {.text = "mail.db is from the future"}};
	size_t len = bh_wire_prepare(&message, BH_WIRE_COMPLAIN, 0);

	(void)bh_fd_send(fd, &message, len, NULL, 0); // the test looks for the text
	_exit(BH_WIRE_EXIT_HOPELESS);
}

// The server: give the socket to the test, then do as it says: one byte is an exit status.
_Noreturn static void serve(const char *path, int fd)
{
	int control = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	pid_t pid = getpid();
	uint8_t status;

	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (connect(control, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    bh_fd_send(control, &pid, sizeof(pid), &fd, 1) != 0) {
		_exit(1);
	}
	if (recv(control, &status, 1, 0) != 1) {
		_exit(0);
	}
	_exit(status);
}

// Our arguments as a server: server MODE SOCKET --keeper-fd N
void world_serve(int argc, char **argv)
{
	if (argc != 6 || strcmp(argv[1], "server") != 0) {
		return;
	}
	if (strcmp(argv[2], "crash") == 0) {
		_exit(3);
	}
	if (strcmp(argv[2], "hopeless") == 0) {
		serve_hopeless(atoi(argv[5]));
	}
	serve(argv[3], atoi(argv[5]));
}

static void path_of(const struct world *world, const char *name, char out[128])
{
	(void)snprintf(out, 128, "%s/%s", world->dir, name);
}

void world_init(struct world *world)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	const char *build = getenv("BELLHOP_TEST_BUILDDIR");

	*world = (struct world){.control = -1, .link = -1};
	(void)snprintf(world->program, sizeof(world->program), "%s/bellhop-keeper",
	               build == NULL ? "." : build);
	(void)snprintf(world->dir, sizeof(world->dir), "/tmp/bh-keeper-XXXXXX");
	assert_non_null(mkdtemp(world->dir));
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s/test.sock", world->dir);
	world->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	assert_true(world->listener >= 0);
	assert_int_equal(bind(world->listener, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(world->listener, 16), 0);
}

static void program_write(const struct world *world, const void *bytes, size_t len)
{
	char temp[160];
	int fd;

	(void)snprintf(temp, sizeof(temp), "%s/new", world->dir);
	fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	assert_true(fd >= 0);
	assert_int_equal(bh_fd_write_all(fd, bytes, len), 0);
	bh_fd_close(&fd);
	assert_int_equal(rename(temp, world->program), 0);
}

void world_copy_keeper(struct world *world)
{
	const size_t max = 64 * 1024 * 1024;
	int fd = open(world->program, O_RDONLY | O_CLOEXEC);
	char *bytes = malloc(max);
	ssize_t len;

	assert_true(fd >= 0);
	assert_non_null(bytes);
	len = bh_fd_read_all(fd, bytes, max);
	assert_true(len > 0);
	bh_fd_close(&fd);
	(void)snprintf(world->program, sizeof(world->program), "%s/keeper", world->dir);
	program_write(world, bytes, (size_t)len);
	free(bytes);
}

void world_break_keeper(struct world *world, const char *content)
{
	program_write(world, content, strlen(content));
}

// Make the process such that a careless keeper would pass bad things on to its children.
static void process_spoil(void)
{
	// The kernel's struct sigaction: SIG_IGN and zeroes. The C library would refuse its own two.
	static const uintptr_t ignore[8] = {1};
	struct rlimit limit;
	sigset_t all;

	(void)prctl(PR_SET_PDEATHSIG, SIGTERM); // a failed test leaves nothing behind
	(void)syscall(SYS_rt_sigaction, 32, ignore, NULL, (size_t)(NSIG - 1) / 8);
	(void)signal(SIGCHLD, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	(void)signal(SIGTERM, SIG_IGN);
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, NULL);
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = 123;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
	(void)dup2(STDIN_FILENO, 77); // a leak
	(void)setenv("LEAKED", "1", 1);
}

pid_t world_start_keeper(const struct world *world, const char *mode)
{
	const char *keeper = world->program;
	char self[512] = {0}, lock[128], log[128], state[128], sock[128];
	pid_t pid;

	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	path_of(world, "lock", lock);
	path_of(world, "log", log);
	path_of(world, "state", state);
	path_of(world, "test.sock", sock);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		process_spoil();
		if (mode == NULL) {
			(void)execl(keeper, keeper, "--lock", lock, "--log", log, "--state", state,
			            "--", "/nonexistent/bellhop", "server-main", (char *)NULL);
		} else {
			(void)execl(keeper, keeper, "--lock", lock, "--log", log, "--state", state,
			            "--", self, "server", mode, sock, (char *)NULL);
		}
		_exit(126);
	}
	return pid;
}

static void poll_in(int fd, const char *what)
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLIN};

	if (poll(&poll_fd, 1, WAIT_MS) != 1) {
		fail_msg("waited in vain for %s", what);
	}
}

void world_accept(struct world *world)
{
	int fds[BH_FD_PASS_MAX];
	size_t count;

	poll_in(world->listener, "a server");
	bh_fd_close(&world->control);
	bh_fd_close(&world->link);
	world->control = accept4(world->listener, NULL, NULL, SOCK_CLOEXEC);
	assert_true(world->control >= 0);
	poll_in(world->control, "the server's socket");
	assert_int_equal(bh_fd_recv(world->control, &world->server, sizeof(pid_t), fds, &count),
	                 sizeof(pid_t));
	assert_int_equal(count, 1);
	world->link = fds[0];
}

void world_start(struct world *world)
{
	world_init(world);
	world->keeper = world_start_keeper(world, "serve");
	world_accept(world);
}

void world_kill_server(struct world *world)
{
	assert_int_equal(kill(world->server, SIGKILL), 0);
}

void world_exit_server(struct world *world, int status)
{
	uint8_t byte = (uint8_t)status;

	assert_int_equal(send(world->control, &byte, 1, 0), 1);
}

int world_wait(pid_t pid, int ms)
{
	int status = 0;

	for (int i = 0; i <= ms / 10; i++) {
		pid_t got = waitpid(pid, &status, WNOHANG);

		if (got == pid) {
			return status;
		}
		(void)usleep(10000);
	}
	fail_msg("process %d does not end", (int)pid);
	return -1;
}

void world_stop(struct world *world)
{
	struct reply reply;

	assert_int_equal(kill(world->keeper, SIGTERM), 0);
	do { // exits and the like first
		poll_in(world->link, "DONE");
		assert_true(bh_fd_recv(world->link, &reply.message, sizeof(reply.message),
		                       reply.fds, &reply.count) > 0);
		world_drop(&reply);
	} while (reply.message.head.type != BH_WIRE_DONE);
	world_exit_server(world, 0);
	assert_int_equal(world_wait(world->keeper, WAIT_MS), 0);
	world_clear(world);
}

void world_clear(struct world *world)
{
	static const char *const names[] = {"lock", "log", "state", "test.sock",
	                                    "out",  "go",  "keeper"};
	char path[128];

	bh_fd_close(&world->listener);
	bh_fd_close(&world->control);
	bh_fd_close(&world->link);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		path_of(world, names[i], path);
		(void)unlink(path); // not every test makes all
	}
	assert_int_equal(rmdir(world->dir), 0);
}

uint32_t world_send(struct world *world, union bh_wire *message, enum bh_wire_type type)
{
	size_t len = bh_wire_prepare(message, type, ++world->seq);

	assert_int_equal(bh_fd_send(world->link, message, len, NULL, 0), 0);
	return world->seq;
}

static void message_take(struct world *world, struct reply *out)
{
	uint8_t packet[BH_WIRE_MAX];
	ssize_t len;

	poll_in(world->link, "a message");
	len = bh_fd_recv(world->link, packet, sizeof(packet), out->fds, &out->count);
	assert_true(len > 0);
	assert_int_equal(bh_wire_read(packet, (size_t)len, &out->message), 0);
}

void world_expect(struct world *world, enum bh_wire_type type, struct reply *out)
{
	message_take(world, out);
	assert_int_equal(out->message.head.type, type);
}

void world_drop(struct reply *reply)
{
	for (size_t i = 0; i < BH_FD_PASS_MAX; i++) {
		bh_fd_close(&reply->fds[i]);
	}
}

struct bh_wire_hello world_hello(struct world *world)
{
	union bh_wire message = {.as_HELLO = {.version = BH_WIRE_VERSION, .pid = getpid()}};
	uint32_t seq = world_send(world, &message, BH_WIRE_HELLO);
	struct reply reply;

	do { // an exit of this moment may come first
		message_take(world, &reply);
	} while (reply.message.head.type == BH_WIRE_EXITED);
	assert_int_equal(reply.message.head.type, BH_WIRE_HELLO);
	assert_int_equal(reply.message.head.seq, seq);
	return reply.message.as_HELLO;
}

static uint32_t strings_write(int fd, const char *const *strings, uint32_t *bytes)
{
	uint32_t count = 0;

	for (; strings[count] != NULL; count++) {
		size_t len = strlen(strings[count]) + 1;

		assert_int_equal(bh_fd_write_all(fd, strings[count], len), 0);
		*bytes += (uint32_t)len;
	}
	return count;
}

void world_spawn(struct world *world, uint8_t key, const char *const *argv, const char *const *env,
                 struct reply *out)
{
	const char *const cwd[] = {world->dir, NULL};
	union bh_wire message = {.as_SPAWN = {.id = {key}, .cols = 90, .rows = 30}};
	size_t len = bh_wire_prepare(&message, BH_WIRE_SPAWN, ++world->seq);
	int fd = memfd_create("strings", MFD_CLOEXEC);

	message.as_SPAWN.argc = strings_write(fd, argv, &message.as_SPAWN.bytes);
	message.as_SPAWN.envc = strings_write(fd, env, &message.as_SPAWN.bytes);
	(void)strings_write(fd, cwd, &message.as_SPAWN.bytes);
	message.as_SPAWN.tape_size = 64 * 1024;
	message.as_SPAWN.data[0] = key;
	assert_int_equal(bh_fd_send(world->link, &message, len, &fd, 1), 0);
	bh_fd_close(&fd);
	world_expect(world, BH_WIRE_SPAWNED, out);
	assert_int_equal(out->message.head.seq, world->seq);
	assert_int_equal(out->message.as_SPAWNED.id[0], key);
}

void world_spawn_sh(struct world *world, uint8_t key, const char *script, struct reply *out)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	const char *const env[] = {"PATH=/usr/bin:/bin", NULL};

	world_spawn(world, key, argv, env, out);
	assert_int_equal(out->message.as_SPAWNED.error, 0);
	assert_int_equal(out->count, 2);
}

const char *world_read_until(int master, const char *until)
{
	static char text[8192];
	size_t len = 0;

	for (text[0] = '\0'; strstr(text, until) == NULL;) {
		ssize_t got;

		poll_in(master, until);
		got = read(master, text + len, sizeof(text) - 1 - len);
		if (got <= 0 && errno != EAGAIN) {
			fail_msg("the terminal ended before \"%s\": %s", until, text);
		}
		len += got > 0 ? (size_t)got : 0;
		text[len] = '\0';
	}
	return text;
}

const char *world_file(const struct world *world, const char *name)
{
	static char text[4096];
	char path[128];
	ssize_t len = 0;
	int fd;

	path_of(world, name, path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		len = bh_fd_read_all(fd, text, sizeof(text) - 1);
		bh_fd_close(&fd);
	}
	text[len < 0 ? 0 : len] = '\0';
	return text;
}

int world_expect_exit(struct world *world, uint8_t key)
{
	struct reply reply;

	world_expect(world, BH_WIRE_EXITED, &reply);
	assert_int_equal(reply.message.as_EXITED.id[0], key);
	return reply.message.as_EXITED.status;
}

struct bh_wire_refused world_expect_refusal(struct world *world, uint32_t seq)
{
	struct reply reply;

	world_expect(world, BH_WIRE_REFUSED, &reply);
	assert_int_equal(reply.message.head.seq, seq);
	return reply.message.as_REFUSED;
}

uint32_t world_forget(struct world *world, uint8_t key)
{
	union bh_wire message = {.as_FORGET = {.id = {key}}};

	return world_send(world, &message, BH_WIRE_FORGET);
}

uint32_t world_list(struct world *world, uint8_t key, struct reply *out)
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
