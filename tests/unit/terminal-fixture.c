#include "tests/unit/terminal-fixture.h"

#include "src/agent/profile.h"
#include "src/base/mem.h"
#include "src/server/keeper_link.h"
#include "src/server/setup.h"
#include "src/server/tape.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

static struct fixture *fixture_of(struct bh_terminal *terminal)
{
	return bh_container_of(terminal->server, struct fixture, server);
}

static void on_evaluated(struct bh_terminal *terminal)
{
	fixture_of(terminal)->evaluated++;
}

static void on_output(struct bh_terminal *terminal)
{
	fixture_of(terminal)->output++;
}

static void on_hook(struct bh_terminal *terminal)
{
	fixture_of(terminal)->hooks++;
}

static void on_written(struct bh_terminal *terminal)
{
	fixture_of(terminal)->written++;
}

static void on_person(struct bh_terminal *terminal)
{
	fixture_of(terminal)->persons++;
}

static void on_started(struct bh_terminal *terminal)
{
	fixture_of(terminal)->started++;
}

static void on_exited(struct bh_terminal *terminal)
{
	fixture_of(terminal)->exited++;
}

static void on_closed(struct bh_terminal *terminal)
{
	fixture_of(terminal)->closed++;
}

static void on_noted(struct bh_terminal *terminal)
{
	fixture_of(terminal)->noted++;
}

static const struct bh_terminal_events events = {
	.noted = on_noted,
	.evaluated = on_evaluated,
	.output = on_output,
	.hook = on_hook,
	.written = on_written,
	.person = on_person,
	.started = on_started,
	.exited = on_exited,
	.closed = on_closed,
};

void fixture_begin(struct fixture *fixture)
{
	const char *const argv[] = {"sh", NULL};
	const struct bh_setup setup = {
		.argv = bh_setup_strings_dup(argv),
		.cwd = bh_xstrdup("/"),
		.cols = 40,
		.rows = 6,
	};
	const struct bh_uuid id = bh_uuid_new();
	const struct bh_keeper_entry entry = {
		.id = id,
		.pid = getpid(),
		.pid_start = 1,
		.master_fd = dup(fixture->master),
		.tape_fd = dup(fixture->tape),
	};

	fixture->terminal = bh_terminal_new(&fixture->server, &id, &setup);
	fixture->terminal->profile = bh_profiles_find(fixture->profiles, "generic");
	assert_int_equal(fixture->terminal->phase, BH_TERMINAL_SPAWNING);
	bh_terminal_begin(fixture->terminal, &entry);
	while (bh_terminal_replay(fixture->terminal, 100)) {
		assert_int_equal(fixture->terminal->phase, BH_TERMINAL_REPLAYING);
	}
	assert_int_equal(fixture->terminal->phase, BH_TERMINAL_RUNNING);
}

void fixture_open(struct fixture *fixture)
{
	struct termios raw;
	size_t size = bh_tape_size_for(40, 6);

	*fixture = (struct fixture){.slave = -1};
	fixture->server.events = &events;
	assert_int_equal(uv_loop_init(&fixture->server.loop), 0);
	fixture->profiles = bh_profiles_load(NULL, NULL, NULL);
	assert_int_equal(openpty(&fixture->master, &fixture->slave, NULL, NULL, NULL), 0);
	assert_int_equal(tcgetattr(fixture->slave, &raw), 0);
	cfmakeraw(&raw);
	assert_int_equal(tcsetattr(fixture->slave, TCSANOW, &raw), 0);
	assert_int_equal(fcntl(fixture->slave, F_SETFL, O_NONBLOCK), 0);
	fixture->tape = memfd_create("tape", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	assert_int_equal(ftruncate(fixture->tape, (off_t)size), 0);
	fixture_begin(fixture);
}

void fixture_end(struct fixture *fixture)
{
	bh_terminal_close(fixture->terminal);
	bh_terminal_close(fixture->terminal);
	assert_int_equal(fixture->closed, 0);
	(void)uv_run(&fixture->server.loop, UV_RUN_DEFAULT);
	assert_int_equal(fixture->closed, 1);
	fixture->closed = 0;
}

void fixture_close(struct fixture *fixture)
{
	fixture_end(fixture);
	assert_int_equal(uv_loop_close(&fixture->server.loop), 0);
	bh_profiles_free(fixture->profiles);
	(void)close(fixture->master);
	(void)close(fixture->tape);
	if (fixture->slave >= 0) {
		(void)close(fixture->slave);
	}
}

void child_prints(struct fixture *fixture, const char *text)
{
	int before = fixture->output;

	assert_int_equal(write(fixture->slave, text, strlen(text)), (ssize_t)strlen(text));
	while (fixture->output == before) {
		(void)uv_run(&fixture->server.loop, UV_RUN_ONCE);
	}
}

void assert_row(struct fixture *fixture, int row, const char *expected)
{
	char text[2048];

	(void)bh_screen_row_text(fixture->terminal->screen, row, text, sizeof text);
	assert_string_equal(text, expected);
}

void assert_child_reads(struct fixture *fixture, const char *expected)
{
	struct pollfd slave = {.fd = fixture->slave, .events = POLLIN};
	char text[256] = "";
	size_t len = 0;
	ssize_t count = read(fixture->slave, text, sizeof text - 1);

	if (expected[0] == '\0') {
		assert_int_equal(count, -1);
		assert_int_equal(errno, EAGAIN);
		return;
	}
	// The kernel hands what was written over in its own time, and each write by itself.
	do {
		len += count > 0 ? (size_t)count : 0;
		if (len >= strlen(expected) || poll(&slave, 1, 30000) != 1) {
			break;
		}
		count = read(fixture->slave, text + len, sizeof text - 1 - len);
	} while (count > 0 || errno == EAGAIN);
	assert_string_equal(text, expected);
}
