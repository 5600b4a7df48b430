#include "src/server/streams.h"

#include "src/agent/profile.h"
#include "src/base/frame.h"
#include "src/base/json.h"
#include "src/base/mem.h"
#include "src/server/events.h"
#include "src/server/keeper_link.h"
#include "src/server/rpc_server.h"
#include "src/server/server.h"
#include "src/server/setup.h"
#include "src/server/tape.h"
#include "term/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

/** A server with one terminal, whose child is the test, and an attached client. */
struct fixture {
	struct bh_server server;
	struct bh_callers_world callers;
	struct bh_profiles *profiles;
	struct bh_terminal *terminal;
	int master, slave, output;
	char folder[64], path[96];
	/** The client: what came and was not looked at, and the screen that it draws. */
	int client;
	struct bh_buf in;
	struct bh_screen *view;
	int snapshots, exit_status;
	bool is_newest;
	/** What came beside snapshots. */
	struct bh_buf aside;
	size_t raw; // bytes of output
	char note[128];
	bool has_exit;
};

static void on_terminal(struct bh_terminal *terminal)
{
	(void)terminal;
}

static void on_output(struct bh_terminal *terminal)
{
	bh_container_of(terminal->server, struct fixture, server)->output++;
	bh_events_output(terminal);
}

static const struct bh_terminal_events events = {
	.evaluated = on_terminal,
	.output = on_output,
	.hook = on_terminal,
	.written = on_terminal,
	.person = on_terminal,
	.started = on_terminal,
	.exited = on_terminal,
	.noted = on_terminal,
	.closed = on_terminal,
};

static void method_attach(struct bh_request *request)
{
	struct fixture *fixture =
		bh_container_of(bh_request_server(request), struct fixture, server);
	struct bh_stream_settings settings = {.cols = 40, .rows = 6};
	bool is_observer = false;

	if (!bh_request_flag(request, "observe", &is_observer)) {
		return;
	}
	settings.is_observer = is_observer;
	settings.is_newest = fixture->is_newest;
	struct bh_stream *stream = bh_stream_open(fixture->terminal, request, &settings);

	assert_non_null(stream);
	assert_int_equal(bh_stream_number(stream), 1);
	bh_request_answer(request, cJSON_CreateObject());
	bh_stream_begin(stream);
}

static const struct bh_method methods[] = {
	{"attach", BH_METHOD_ALL, method_attach},
	{NULL, 0, NULL},
};

static bool world_process(void *user, pid_t pid, struct bh_caller_process *out)
{
	(void)user;
	*out = (struct bh_caller_process){.ppid = 1, .sid = pid, .start = 1};
	return true;
}

static bool world_no(void *user, pid_t pid)
{
	(void)user;
	(void)pid;
	return false;
}

static bool world_yes(void *user, pid_t pid)
{
	(void)user;
	(void)pid;
	return true;
}

static bool world_no_child(void *user, pid_t pid, uint64_t start, struct bh_uuid *id_out)
{
	(void)user;
	(void)pid;
	(void)start;
	(void)id_out;
	return false;
}

static void terminal_open(struct fixture *fixture)
{
	const char *const argv[] = {"sh", NULL};
	const struct bh_setup setup = {
		.argv = bh_setup_strings_dup(argv),
		.cwd = bh_xstrdup("/"),
		.cols = 40,
		.rows = 6,
	};
	const struct bh_uuid id = bh_uuid_new();
	struct bh_keeper_entry entry = {
		.id = id,
		.pid = getpid(),
		.tape_fd = memfd_create("tape", MFD_CLOEXEC | MFD_ALLOW_SEALING),
	};

	assert_int_equal(openpty(&fixture->master, &fixture->slave, NULL, NULL, NULL), 0);
	assert_int_equal(fcntl(fixture->slave, F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(ftruncate(entry.tape_fd, (off_t)bh_tape_size_for(40, 6)), 0);
	entry.master_fd = fixture->master;
	fixture->terminal = bh_terminal_new(&fixture->server, &id, &setup);
	fixture->terminal->profile = bh_profiles_find(fixture->profiles, "generic");
	bh_terminal_begin(fixture->terminal, &entry);
	assert_false(bh_terminal_replay(fixture->terminal, 100));
}

static void client_open(struct fixture *fixture, bool is_observer)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char line[128];

	fixture->client = socket(AF_UNIX, SOCK_STREAM, 0);
	(void)snprintf(address.sun_path, sizeof address.sun_path, "%s", fixture->path);
	assert_int_equal(connect(fixture->client, (struct sockaddr *)&address, sizeof address), 0);
	assert_int_equal(fcntl(fixture->client, F_SETFL, O_NONBLOCK), 0);
	(void)snprintf(line, sizeof line,
	               "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"attach\",\"params\":{"
	               "\"observe\":%s}}\n",
	               is_observer ? "true" : "false");
	assert_int_equal(write(fixture->client, line, strlen(line)), (ssize_t)strlen(line));
}

static void fixture_open(struct fixture *fixture)
{
	*fixture = (struct fixture){.slave = -1};
	fixture->server.events = &events;
	fixture->callers = (struct bh_callers_world){
		.process = world_process,
		.has_agent_env = world_no,
		.is_our_namespace = world_yes,
		.terminal_of_child = world_no_child,
		.keeper_pid = 100,
	};
	(void)snprintf(fixture->folder, sizeof fixture->folder, "/tmp/bh-stream-XXXXXX");
	assert_non_null(mkdtemp(fixture->folder));
	(void)snprintf(fixture->path, sizeof fixture->path, "%s/s", fixture->folder);
	assert_int_equal(uv_loop_init(&fixture->server.loop), 0);
	fixture->profiles = bh_profiles_load(NULL, NULL, NULL);
	terminal_open(fixture);
	assert_int_equal(bh_rpc_start(&(struct bh_rpc_settings){.server = &fixture->server,
	                                                        .methods = methods,
	                                                        .world = &fixture->callers,
	                                                        .loop = &fixture->server.loop,
	                                                        .path = fixture->path},
	                              &fixture->server.rpc, NULL),
	                 0);
}

static void fixture_close(struct fixture *fixture)
{
	(void)close(fixture->client);
	bh_rpc_close(fixture->server.rpc);
	bh_terminal_close(fixture->terminal);
	(void)uv_run(&fixture->server.loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&fixture->server.loop), 0);
	bh_profiles_free(fixture->profiles);
	bh_screen_free(fixture->view);
	bh_buf_clear(&fixture->in);
	bh_buf_clear(&fixture->aside);
	(void)close(fixture->slave);
	(void)unlink(fixture->path);
	assert_int_equal(rmdir(fixture->folder), 0);
}

static void view_snapshot(struct fixture *fixture, struct bh_span payload)
{
	struct bh_frame_snapshot snapshot;

	assert_int_equal(bh_frame_read_snapshot(payload, &snapshot), 0);
	const struct bh_screen_settings settings = {
		.cols = snapshot.size.cols, .rows = snapshot.size.rows, .is_replay = true};

	bh_screen_free(fixture->view);
	fixture->view = bh_screen_new(&settings);
	bh_screen_feed(fixture->view, snapshot.repaint.data, snapshot.repaint.len, 1);
	fixture->snapshots++;
}

static void view_frame(struct fixture *fixture, const struct bh_frame *frame)
{
	struct bh_frame_size size;

	assert_int_equal(frame->stream, 1);
	switch (frame->type) {
	case BH_FRAME_SNAPSHOT:
		view_snapshot(fixture, frame->payload);
		break;
	case BH_FRAME_OUTPUT:
		assert_non_null(fixture->view);
		fixture->raw += frame->payload.len;
		bh_screen_feed(fixture->view, frame->payload.data, frame->payload.len, 1);
		break;
	case BH_FRAME_RESIZE:
		assert_int_equal(bh_frame_read_resize(frame->payload, &size), 0);
		bh_screen_resize(fixture->view, size.cols, size.rows);
		break;
	case BH_FRAME_EXIT:
		assert_int_equal(bh_frame_read_exit(frame->payload, &fixture->exit_status), 0);
		fixture->has_exit = true;
		break;
	case BH_FRAME_ASIDE:
		bh_buf_append(&fixture->aside, frame->payload.data, frame->payload.len);
		break;
	case BH_FRAME_NOTE:
		(void)snprintf(fixture->note, sizeof fixture->note, "%.*s", (int)frame->payload.len,
		               frame->payload.data);
		break;
	default:
		fail_msg("frame type %d", frame->type);
	}
}

// Let the loop turn, take what came; false when nothing did.
static bool client_read(struct fixture *fixture)
{
	char chunk[65536];
	struct bh_frame_unit unit;
	size_t used = 1;

	(void)uv_run(&fixture->server.loop, UV_RUN_NOWAIT);
	ssize_t count = read(fixture->client, chunk, sizeof chunk);

	if (count > 0) {
		bh_buf_append(&fixture->in, chunk, (size_t)count);
	}
	while (used > 0 && fixture->in.len > 0) {
		assert_int_equal(bh_frame_split((struct bh_span){fixture->in.data, fixture->in.len},
		                                &unit, NULL),
		                 0);
		used = unit.kind == BH_FRAME_PARTIAL ? 0 : unit.used;
		if (unit.kind == BH_FRAME_BINARY) {
			view_frame(fixture, &unit.frame);
		}
		bh_buf_consume(&fixture->in, used);
	}
	return count > 0;
}

// Until the client has all that the terminal had to say.
static void assert_same_view(struct fixture *fixture)
{
	const char *why = NULL;
	bool is_same = false;

	for (int i = 0; i < 100000 && !is_same; i++) {
		(void)client_read(fixture);
		is_same = fixture->view != NULL &&
		          bh_screen_equal(fixture->view, fixture->terminal->screen, &why);
	}
	if (!is_same) {
		fail_msg("the client shows something else: %s", why != NULL ? why : "nothing");
	}
}

static void child_prints(struct fixture *fixture, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t count = write(fixture->slave, text, len);

		if (count > 0) {
			text += count;
			len -= (size_t)count;
		} else {
			(void)uv_run(&fixture->server.loop, UV_RUN_NOWAIT);
		}
	}
	(void)uv_run(&fixture->server.loop, UV_RUN_NOWAIT);
}

static void a_client_sees_what_the_server_sees(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	child_prints(&fixture, "before \033[1;3", 12); // the cut is inside a sequence
	client_open(&fixture, false);
	assert_same_view(&fixture);
	child_prints(&fixture, "1mred\033[m\r\n", 10);
	assert_same_view(&fixture);
	(void)bh_terminal_resize(fixture.terminal, 30, 9);
	child_prints(&fixture, "after", 5);
	assert_same_view(&fixture);
	assert_int_equal(fixture.snapshots, 1);
	fixture_close(&fixture);
}

// Print, in pieces as big as the kernel takes, and have the client read now and then.
static void child_floods(struct fixture *fixture, size_t size)
{
	struct bh_buf text = {0};

	for (int i = 0; text.len < size; i++) {
		bh_buf_printf(&text, "line %d of a flood\r\n", i);
	}
	for (size_t at = 0; at < text.len;) {
		size_t len = text.len - at < 64 * 1024 ? text.len - at : 64 * 1024;

		child_prints(fixture, text.data + at, len);
		(void)client_read(fixture);
		at += len;
	}
	bh_buf_clear(&text);
}

static bool is_shown(const struct bh_screen *screen, const char *text)
{
	char row[256];

	for (int i = 0; screen != NULL && i < bh_screen_rows(screen); i++) {
		(void)bh_screen_row_text(screen, i, row, sizeof row);
		if (strstr(row, text) != NULL) {
			return true;
		}
	}
	return false;
}

// Print @text, and wait until the client shows it.
static void assert_prints(struct fixture *fixture, const char *text)
{
	child_prints(fixture, text, strlen(text));
	for (int i = 0; i < 5000 && !is_shown(fixture->view, text); i++) {
		if (!client_read(fixture)) {
			(void)usleep(1000);
		}
	}
	assert_true(is_shown(fixture->view, text));
	assert_same_view(fixture);
}

static void a_flood_is_shown_by_snapshots_to_who_wants_the_newest(void **state)
{
	struct fixture fixture;
	size_t raw = 0;

	(void)state;
	fixture_open(&fixture);
	fixture.is_newest = true;
	client_open(&fixture, false);
	assert_same_view(&fixture);
	child_floods(&fixture, 2 * 1024 * 1024);
	(void)bh_terminal_resize(fixture.terminal, 30, 9);
	assert_prints(&fixture, "the end");
	assert_true(fixture.snapshots > 1);
	assert_true(fixture.raw < 1024 * 1024);
	// What comes slowly comes as it is.
	(void)usleep(2 * BH_STREAM_FRAME_MS * 1000);
	(void)client_read(&fixture);
	raw = fixture.raw;
	assert_prints(&fixture, "slowly");
	assert_int_equal(fixture.raw, raw + 6);
	fixture_close(&fixture);
}

static void what_a_flood_did_beside_the_screen_is_told(void **state)
{
	static const char asides[] = "\a\x1b]777;notify;old;old\x1b\\\a\x1b]777;notify;a;b\x1b\\"
				     "\x1b]52;c;aGVsbG8=\x1b\\";
	static const char wanted[] = "\a\x1b]777;notify;a;b\x1b\\\x1b]52;c;aGVsbG8=\x1b\\";
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	fixture.is_newest = true;
	client_open(&fixture, false);
	assert_same_view(&fixture);
	// Perhaps the flood is over too soon: then they come as output.
	for (int i = 0; i < 200 && fixture.aside.len == 0; i++) {
		child_floods(&fixture, 64 * 1024);
		child_prints(&fixture, asides, sizeof asides - 1);
		assert_prints(&fixture, "the end");
	}
	assert_true(fixture.aside.len > 0);
	assert_string_equal(fixture.aside.data, wanted);
	// Once, and not when the output itself came.
	bh_buf_clear(&fixture.aside);
	(void)usleep(2 * BH_STREAM_FRAME_MS * 1000);
	(void)client_read(&fixture);
	child_prints(&fixture, "\a", 1);
	assert_prints(&fixture, "slowly");
	assert_int_equal(fixture.aside.len, 0);
	fixture_close(&fixture);
}

static void the_end_of_a_flood_is_the_last_screen(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	fixture.is_newest = true;
	client_open(&fixture, false);
	child_floods(&fixture, 1024 * 1024);
	bh_terminal_child_gone(fixture.terminal, 0);
	for (int i = 0; i < 5000 && !fixture.has_exit; i++) {
		if (!client_read(&fixture)) {
			(void)usleep(1000);
		}
	}
	assert_true(fixture.has_exit);
	assert_same_view(&fixture);
	fixture_close(&fixture);
}

static void all_output_comes_to_who_wants_all(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	client_open(&fixture, false);
	assert_same_view(&fixture);
	child_floods(&fixture, 1024 * 1024);
	assert_prints(&fixture, "the end");
	assert_int_equal(fixture.snapshots, 1);
	assert_true(fixture.raw > 1024 * 1024);
	fixture_close(&fixture);
}

static void keys_and_sizes_reach_the_child(void **state)
{
	struct fixture fixture;
	struct bh_buf frames = {0};
	struct winsize size;
	char text[16] = "";

	(void)state;
	fixture_open(&fixture);
	client_open(&fixture, false);
	assert_same_view(&fixture);
	bh_frame_append(&frames, BH_FRAME_INPUT, 1, bh_span_of("hi\n"));
	bh_frame_append_resize(&frames, 1, (struct bh_frame_size){.cols = 33, .rows = 11});
	bh_frame_append(&frames, BH_FRAME_RESIZE, 1, bh_span_of("x")); // too short: ignored
	assert_int_equal(write(fixture.client, frames.data, frames.len), (ssize_t)frames.len);
	while (bh_terminal_cols(fixture.terminal) != 33) {
		(void)uv_run(&fixture.server.loop, UV_RUN_NOWAIT);
	}
	assert_int_equal(read(fixture.slave, text, sizeof text - 1), 3);
	assert_string_equal(text, "hi\n");
	assert_int_equal(ioctl(fixture.slave, TIOCGWINSZ, &size), 0);
	assert_int_equal(size.ws_row, 11);
	bh_buf_clear(&frames);
	fixture_close(&fixture);
}

/** A child that does not read loses one piece of a paste, not the end of it. */
static void a_paste_that_is_too_long_has_an_end(void **state)
{
	struct fixture fixture;
	struct termios raw;
	struct bh_buf got = {0};
	char chunk[32768];
	size_t wanted = 0;

	(void)state;
	fixture_open(&fixture);
	assert_int_equal(tcgetattr(fixture.slave, &raw), 0);
	cfmakeraw(&raw);
	assert_int_equal(tcsetattr(fixture.slave, TCSANOW, &raw), 0);
	client_open(&fixture, false);
	assert_same_view(&fixture);
	memset(chunk, 'x', sizeof chunk);
	for (int i = 0; i < 50; i++) {
		struct bh_buf frame = {0};

		memcpy(chunk + sizeof chunk - 6, i == 49 ? "\x1b[201~" : "xxxxxx", 6);
		bh_frame_append(&frame, BH_FRAME_INPUT, 1,
		                (struct bh_span){.data = chunk, .len = sizeof chunk});
		for (size_t at = 0; at < frame.len;) {
			ssize_t n = write(fixture.client, frame.data + at, frame.len - at);

			at += n > 0 ? (size_t)n : 0;
			(void)uv_run(&fixture.server.loop, UV_RUN_NOWAIT);
		}
		bh_buf_clear(&frame);
	}
	do {
		struct pollfd at = {.fd = fixture.slave, .events = POLLIN};
		ssize_t n = 0;

		(void)uv_run(&fixture.server.loop, UV_RUN_NOWAIT);
		// The kernel hands it over in its own time.
		wanted = poll(&at, 1, got.len < 1000000 ? 30000 : 100) == 1;
		n = wanted != 0 ? read(fixture.slave, chunk, sizeof chunk) : 0;
		bh_buf_append(&got, chunk, n > 0 ? (size_t)n : 0);
	} while (wanted != 0);
	assert_in_range(got.len, 1000000, 1100000);
	assert_memory_equal(got.data + got.len - 6, "\x1b[201~", 6);
	bh_buf_clear(&got);
	fixture_close(&fixture);
}

static void an_observer_only_looks(void **state)
{
	struct fixture fixture;
	struct bh_buf frames = {0};

	(void)state;
	fixture_open(&fixture);
	client_open(&fixture, true);
	assert_same_view(&fixture);
	assert_int_equal(bh_streams_count(fixture.terminal), 0);
	bh_frame_append(&frames, BH_FRAME_INPUT, 1, bh_span_of("hi\n"));
	bh_frame_append_resize(&frames, 1, (struct bh_frame_size){.cols = 33, .rows = 11});
	assert_int_equal(write(fixture.client, frames.data, frames.len), (ssize_t)frames.len);
	for (int i = 0; i < 20; i++) {
		(void)uv_run(&fixture.server.loop, UV_RUN_NOWAIT);
	}
	assert_int_equal(bh_terminal_cols(fixture.terminal), 40);
	bh_buf_clear(&frames);
	fixture_close(&fixture);
}

static void a_slow_client_gets_a_fresh_snapshot(void **state)
{
	struct fixture fixture;
	char line[64];
	struct bh_buf flood = {0};

	(void)state;
	fixture_open(&fixture);
	client_open(&fixture, false);
	assert_same_view(&fixture);
	for (int i = 0; i < 100000; i++) {
		(void)snprintf(line, sizeof line, "\033[3%dmline %d of a flood\033[m\r\n", i % 8,
		               i);
		bh_buf_puts(&flood, line);
	}
	child_prints(&fixture, flood.data, flood.len); // and the client does not read
	assert_same_view(&fixture);
	assert_true(fixture.snapshots > 1);
	child_prints(&fixture, "calm", 4);
	assert_same_view(&fixture);
	bh_buf_clear(&flood);
	fixture_close(&fixture);
}

static void notes_and_the_end_are_told(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	client_open(&fixture, false);
	assert_same_view(&fixture);
	assert_int_equal(bh_streams_count(fixture.terminal), 1);
	bh_terminal_note(fixture.terminal, "typing mail");
	while (fixture.note[0] == '\0') {
		(void)client_read(&fixture);
	}
	assert_string_equal(fixture.note, "typing mail");
	bh_terminal_child_gone(fixture.terminal, 9);
	while (!fixture.has_exit) {
		(void)client_read(&fixture);
	}
	assert_int_equal(fixture.exit_status, 9);
	assert_int_equal(bh_streams_count(fixture.terminal), 0);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_client_sees_what_the_server_sees),
		cmocka_unit_test(a_flood_is_shown_by_snapshots_to_who_wants_the_newest),
		cmocka_unit_test(what_a_flood_did_beside_the_screen_is_told),
		cmocka_unit_test(the_end_of_a_flood_is_the_last_screen),
		cmocka_unit_test(all_output_comes_to_who_wants_all),
		cmocka_unit_test(keys_and_sizes_reach_the_child),
		cmocka_unit_test(a_paste_that_is_too_long_has_an_end),
		cmocka_unit_test(an_observer_only_looks),
		cmocka_unit_test(a_slow_client_gets_a_fresh_snapshot),
		cmocka_unit_test(notes_and_the_end_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
