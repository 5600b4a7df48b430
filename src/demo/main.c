/*
 * bellhop-demo-agent: a small program with the face of a coding agent, for the demo and the tests.
 * No network, no model: what is submitted tells it what to do (demo_script.h lists the directives).
 *
 * The screen, rows counted from the bottom (-1 is the last), alternate screen, bracketed paste on:
 *
 *     bellhop demo agent 0.1.0                       row 0, scrolls away with the transcript
 *
 *     > first line of what the user submitted        bold `>`; further lines indented by 2; of a
 *       more of it                                   long text 3 lines, `… +N lines`, and every
 *     ● what the agent answers                       line that begins with `Mail `; a line of more
 *     ● run COMMAND                                  than 320 bytes is cut
 *       ⎿ its output
 *     · a remark (dim): `approved: TEXT`, `denied: TEXT`, `Interrupted · …`, `Unknown command`
 *       queued: text                                 dim, one per text typed while working
 *     ✳ Working… (3s · esc to interrupt)             activity row; blank when idle. ✢ ✳ ✶ ✻ ✽
 *     ────────────────────────────────────           upper rule, dim, full width
 *     > Type a message                               row -3 and up: composer. Bold `>`, then the
 *                                                    dim placeholder (empty) or the plain draft
 *     ────────────────────────────────────           row -2: lower rule
 *       / for commands                               row -1, dim; `  esc to interrupt` (working),
 *                                                    `  ↑↓ select · enter run · esc close` (menu)
 *
 *   The cursor is visible at the end of the composer's text (column 2 of row -3 when empty) and
 *   hidden in dialogs and while starting. The slash menu stands above the upper rule: rows
 *   `  ❯ /help    …`. A paste of more than 10 lines or 1000 bytes is `[Pasted text #1 +N lines]`.
 *
 *   A dialog replaces activity row and composer:
 *
 *     ────────────────────────────────────           row -8 (for a question of one row)
 *      Permission needed                             bold; at the start: ` Trust this folder?`
 *        TEXT
 *
 *      ❯ 1. Yes                                      row -4
 *        2. No                                       row -3
 *
 *      Enter to confirm · Esc to cancel              row -1, dim
 *
 *   Starting: the banner, and `  starting` (dim) in row -1.
 *
 * Title (OSC 0): `✳ demo agent` idle, `◐ demo agent` and `◑ demo agent` working, `! demo agent`
 * in dialogs. Program status: demo_status.h; only if the terminal echoed the query before DA1.
 *
 * The map: keys (bytes to events) -> agent (the state) -> view and status (bytes); tool runs
 * commands; here are the options and the loop.
 */
#include "demo_agent.h"
#include "demo_status.h"
#include "demo_tool.h"
#include "demo_view.h"

#include "src/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* How long a lone ESC may be the start of a sequence (ms). */
#define ESCAPE_MS 50
#define LAG_MAX_MS 60000

#define SCREEN_ON "\033[?1049h\033[2J\033[?2004h" BH_DEMO_STATUS_QUERY "\033[c"
#define SCREEN_OFF "\033[?2004l\033[?25h\033[?1049l"

/* What the command line says. */
struct options {
	struct bh_demo_settings agent;
	bool is_silent;
	uint64_t lag_ms;
	const char *log_path;
};

/* Output on its way to the terminal: with --lag it is shown late. */
struct chunk {
	uint64_t due_ms;
	struct bh_buf bytes;
};

struct program {
	struct options options;
	struct bh_demo_agent agent;
	struct bh_demo_keys keys;
	struct bh_demo_view view;
	struct bh_demo_tool tool;
	struct chunk *late;
	size_t late_count;
	struct bh_buf status_shown;
	struct termios saved_tty;
	int signal_fd;
	int log_fd;
	bool is_status_wanted;
	bool is_status_settled;
	bool is_dirty;
	uint64_t input_ms;
	uint64_t drawn_ms;
};

static uint64_t clock_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* --- output --- */

static void bytes_write(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t wrote = write(fd, bytes, len);

		if (wrote < 0 && errno != EINTR) {
			return; /* the terminal is gone: SIGHUP or end of input follows */
		}
		if (wrote > 0) {
			bytes += wrote;
			len -= (size_t)wrote;
		}
	}
}

static void output_send_take(struct program *program, struct bh_buf *out, uint64_t now_ms)
{
	if (out->len > 0 && program->options.lag_ms == 0) {
		bytes_write(STDOUT_FILENO, out->data, out->len);
	} else if (out->len > 0) {
		program->late =
			bh_xrealloc(program->late, program->late_count + 1, sizeof(*program->late));
		program->late[program->late_count++] =
			(struct chunk){.due_ms = now_ms + program->options.lag_ms, .bytes = *out};
		*out = (struct bh_buf){0};
	}
	bh_buf_clear(out);
}

static void late_flush(struct program *program, uint64_t now_ms)
{
	size_t done = 0;

	while (done < program->late_count && program->late[done].due_ms <= now_ms) {
		struct bh_buf *bytes = &program->late[done++].bytes;

		bytes_write(STDOUT_FILENO, bytes->data, bytes->len);
		bh_buf_clear(bytes);
	}
	program->late_count -= done;
	if (done > 0) {
		memmove(program->late, program->late + done,
		        program->late_count * sizeof(*program->late));
	}
}

static void status_put(struct program *program, struct bh_buf *out)
{
	struct bh_buf report = {0};

	if (!program->is_status_wanted) {
		return;
	}
	bh_demo_status_print(&program->agent, &report);
	if (report.len > 0 && (program->status_shown.data == NULL ||
	                       strcmp(report.data, program->status_shown.data) != 0)) {
		bh_buf_append(out, report.data, report.len);
		bh_buf_clear(&program->status_shown);
		program->status_shown = report;
		return;
	}
	bh_buf_clear(&report);
}

static void screen_update(struct program *program, uint64_t now_ms)
{
	struct bh_buf out = {0};
	bool is_spin_due = program->agent.phase == BH_DEMO_WORKING &&
	                   now_ms - program->drawn_ms >= BH_DEMO_SPIN_MS;

	if (!program->is_dirty && !is_spin_due) {
		return;
	}
	program->is_dirty = false;
	program->drawn_ms = now_ms;
	status_put(program, &out);
	bh_demo_view_draw(&program->view, &program->agent, now_ms, &out);
	output_send_take(program, &out, now_ms);
}

static void log_flush(struct program *program)
{
	struct bh_buf *log = &program->agent.log;

	if (log->len > 0 && program->log_fd >= 0) {
		bytes_write(program->log_fd, log->data, log->len);
	}
	bh_buf_clear(log);
}

/* --- input --- */

static void size_read(struct program *program)
{
	struct winsize size = {0};

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
		size = (struct winsize){.ws_row = 24, .ws_col = 80};
	}
	bh_demo_view_resize(&program->view, size.ws_col, size.ws_row);
	program->is_dirty = true;
}

static void event_handle(struct program *program, const struct bh_demo_event *event,
                         uint64_t now_ms)
{
	if (event->key == BH_DEMO_KEY_STATUS_ANSWER && !program->is_status_settled) {
		program->is_status_wanted = !program->options.is_silent;
	}
	if (event->key == BH_DEMO_KEY_DA1_ANSWER) {
		program->is_status_settled = true;
	}
	bh_demo_agent_key(&program->agent, event, now_ms);
	program->is_dirty = true;
}

static void keys_handle(struct program *program, bool is_quiet, uint64_t now_ms)
{
	struct bh_demo_event event;

	while (bh_demo_keys_next(&program->keys, is_quiet, &event)) {
		event_handle(program, &event, now_ms);
	}
}

static void input_read(struct program *program, uint64_t now_ms)
{
	char bytes[4096];
	ssize_t len = read(STDIN_FILENO, bytes, sizeof(bytes));

	if (len > 0) {
		program->input_ms = now_ms;
		bh_demo_keys_feed(&program->keys, bytes, (size_t)len);
		keys_handle(program, false, now_ms);
	} else if (len == 0 || errno != EINTR) {
		program->agent.phase = BH_DEMO_OVER;
	}
}

static void tool_read(struct program *program)
{
	char bytes[4096];
	ssize_t len = 0;

	while (program->tool.fd >= 0 && (len = read(program->tool.fd, bytes, sizeof(bytes))) > 0) {
		bh_demo_agent_tool_output(&program->agent, bytes, (size_t)len);
		program->is_dirty = true;
	}
	if (program->tool.fd >= 0 && len == 0) {
		(void)close(program->tool.fd);
		program->tool.fd = -1;
	}
}

static void tool_update(struct program *program, uint64_t now_ms)
{
	int status;

	if (program->agent.is_tool_unwanted) {
		program->agent.is_tool_unwanted = false;
		bh_demo_tool_kill(&program->tool);
	}
	tool_read(program);
	if (bh_demo_tool_reap(&program->tool, &status)) {
		bh_demo_agent_tool_done(&program->agent, status, now_ms);
		program->is_dirty = true;
	}
	if (program->agent.command != NULL) {
		status = bh_demo_tool_start(&program->tool, program->agent.command);
		free(program->agent.command);
		program->agent.command = NULL;
		if (status != 0) {
			bh_demo_agent_tool_done(&program->agent, 127, now_ms);
		}
	}
}

static void signals_read(struct program *program, uint64_t now_ms)
{
	struct signalfd_siginfo info;

	while (read(program->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGWINCH) {
			size_read(program);
		} else if (info.ssi_signo == SIGUSR1) {
			bh_demo_agent_ask(&program->agent, "by itself", now_ms);
			program->is_dirty = true;
		} else if (info.ssi_signo == SIGUSR2) {
			bh_demo_agent_begin(&program->agent, "DEMO:work 2", now_ms);
			program->is_dirty = true;
		} else if (info.ssi_signo != SIGCHLD) {
			program->agent.exit_status = 128 + (int)info.ssi_signo;
			program->agent.phase = BH_DEMO_OVER;
		}
	}
}

/* --- the loop --- */

static int wait_until(int wait_ms, uint64_t due_ms, uint64_t now_ms)
{
	int left = due_ms <= now_ms ? 0 : (int)(due_ms - now_ms);

	return wait_ms < 0 || left < wait_ms ? left : wait_ms;
}

static int wait_of(const struct program *program, uint64_t now_ms)
{
	int wait_ms = -1;

	if (bh_demo_agent_due(&program->agent) != 0) {
		wait_ms = wait_until(wait_ms, bh_demo_agent_due(&program->agent), now_ms);
	}
	if (program->agent.phase == BH_DEMO_WORKING) {
		wait_ms = wait_until(wait_ms, program->drawn_ms + BH_DEMO_SPIN_MS, now_ms);
	}
	if (bh_demo_keys_is_waiting(&program->keys)) {
		wait_ms = wait_until(wait_ms, program->input_ms + ESCAPE_MS, now_ms);
	}
	if (program->late_count > 0) {
		wait_ms = wait_until(wait_ms, program->late[0].due_ms, now_ms);
	}
	return wait_ms;
}

static void time_handle(struct program *program, uint64_t now_ms)
{
	uint64_t due_ms = bh_demo_agent_due(&program->agent);

	if (due_ms != 0 && due_ms <= now_ms) {
		bh_demo_agent_tick(&program->agent, now_ms);
		program->is_dirty = true;
	}
	if (bh_demo_keys_is_waiting(&program->keys) && now_ms >= program->input_ms + ESCAPE_MS) {
		/* An unfinished paste stays; it does not become keys. */
		program->input_ms = now_ms;
		keys_handle(program, true, now_ms);
	}
}

static void program_run(struct program *program)
{
	while (program->agent.phase != BH_DEMO_OVER) {
		uint64_t now_ms = clock_ms();
		struct pollfd polled[] = {
			{.fd = STDIN_FILENO, .events = POLLIN},
			{.fd = program->signal_fd, .events = POLLIN},
			{.fd = program->tool.fd, .events = POLLIN},
		};

		if (poll(polled, 3, wait_of(program, now_ms)) < 0 && errno != EINTR) {
			return;
		}
		now_ms = clock_ms();
		if (polled[0].revents != 0) {
			input_read(program, now_ms);
		}
		if (polled[1].revents != 0) {
			signals_read(program, now_ms);
		}
		time_handle(program, now_ms);
		tool_update(program, now_ms);
		screen_update(program, now_ms);
		late_flush(program, now_ms);
		log_flush(program);
	}
}

/* --- start and end --- */

static const char help[] =
	"usage: bellhop-demo-agent [OPTION]...\n"
	"A small program with the face of a coding agent, for bellhop's demo and tests.\n"
	"  --no-status       send no program status reports (OSC 7501)\n"
	"  --lag MS          show everything that much later\n"
	"  --swallow-enter   lose the first Enter that would submit\n"
	"  --queue           queue texts that are submitted while it works\n"
	"  --start MS        take that long to start\n"
	"  --trust           ask for trust at the start\n"
	"  --log FILE        append a JSON line per event, with the exact text submitted\n"
	"Signals: USR1 it asks for a permission by itself, USR2 it begins a turn by itself.\n";

static uint64_t number_of(const char *text)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	if (*text == '\0' || *end != '\0' || number > LAG_MAX_MS) {
		(void)fprintf(stderr, "bellhop-demo-agent: %s: not a number of milliseconds\n",
		              text);
		exit(2);
	}
	return number;
}

static void options_parse(struct options *options, int argc, char **argv)
{
	static const struct option names[] = {
		{"no-status", no_argument, NULL, 'n'},
		{"lag", required_argument, NULL, 'l'},
		{"swallow-enter", no_argument, NULL, 's'},
		{"queue", no_argument, NULL, 'q'},
		{"start", required_argument, NULL, 'b'},
		{"trust", no_argument, NULL, 't'},
		{"log", required_argument, NULL, 'o'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int name;

	while ((name = getopt_long(argc, argv, "h", names, NULL)) != -1) {
		switch (name) {
		case 'n':
			options->is_silent = true;
			break;
		case 'l':
			options->lag_ms = number_of(optarg);
			break;
		case 's':
			options->agent.is_swallowing_enter = true;
			break;
		case 'q':
			options->agent.is_queueing = true;
			break;
		case 'b':
			options->agent.start_ms = number_of(optarg);
			break;
		case 't':
			options->agent.is_asking_trust = true;
			break;
		case 'o':
			options->log_path = optarg;
			break;
		case 'h':
			(void)fputs(help, stdout);
			exit(0);
		default:
			(void)fputs(help, stderr);
			exit(2);
		}
	}
}

static int signals_open(void)
{
	static const int caught[] = {SIGWINCH, SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGUSR1, SIGUSR2};
	sigset_t set;

	(void)sigemptyset(&set);
	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++) {
		(void)sigaddset(&set, caught[i]);
	}
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void terminal_open(struct program *program)
{
	struct termios raw;

	if (tcgetattr(STDIN_FILENO, &program->saved_tty) != 0) {
		(void)fputs("bellhop-demo-agent: standard input is not a terminal\n", stderr);
		exit(1);
	}
	raw = program->saved_tty;
	cfmakeraw(&raw);
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	bytes_write(STDOUT_FILENO, SCREEN_ON, strlen(SCREEN_ON));
	size_read(program);
}

static int program_close(struct program *program)
{
	int status = program->agent.exit_status;
	struct bh_buf out = {0};

	bh_demo_tool_kill(&program->tool);
	late_flush(program, UINT64_MAX);
	status_put(program, &out);
	bh_buf_puts(&out, SCREEN_OFF);
	bytes_write(STDOUT_FILENO, out.data, out.len);
	bh_buf_clear(&out);
	log_flush(program);
	if (program->log_fd >= 0) {
		(void)close(program->log_fd);
	}
	(void)close(program->signal_fd);
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &program->saved_tty);
	bh_demo_agent_clear(&program->agent);
	bh_demo_keys_clear(&program->keys);
	bh_demo_view_clear(&program->view);
	bh_buf_clear(&program->status_shown);
	free(program->late);
	return status;
}

static void log_open(struct program *program)
{
	const char *path = program->options.log_path;

	if (path == NULL) {
		return;
	}
	program->log_fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (program->log_fd < 0) {
		(void)fprintf(stderr, "bellhop-demo-agent: open %s: %s\n", path, strerror(errno));
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct program program = {.tool = BH_DEMO_TOOL_INIT, .log_fd = -1};

	(void)setlocale(LC_CTYPE, "C.UTF-8");
	options_parse(&program.options, argc, argv);
	log_open(&program);
	program.signal_fd = signals_open();
	terminal_open(&program);
	bh_demo_agent_init(&program.agent, &program.options.agent, clock_ms());
	program_run(&program);
	return program_close(&program);
}
