/*
 * bellhop-keeper: holds what must not die. It starts the server and starts it again, makes children
 * on PTYs for it, keeps their descriptors and exit statuses, and parses nothing else.
 *
 * When it ends:
 * - on SHUTDOWN from the server or SIGTERM: all sessions get SIGHUP, what is left after 3 s SIGKILL;
 *   then the server ends, then the keeper;
 * - when the server was given up (it crashed again and again, or said that it is hopeless) and the
 *   table holds no terminal. With terminals it stays and holds them, until somebody starts a keeper
 *   for the same session: that one finds the lock taken and sends SIGUSR1, which means "try again".
 */
#include "src/keeper/keeper.h"

#include "src/base/clock.h"
#include "src/base/fd.h"
#include "src/keeper/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// A server that lived this long has not crashed "in a row" (ms).
#define LONG_LIFE_MS 10000
// So many crashes in a row, and it is given up; the pause doubles from the second on.
#define CRASHES_MAX 5
#define PAUSE_MS 200
// Time between SIGHUP and SIGKILL at the end (ms), and between looks at what is left.
#define LEAVE_MS 3000
#define LOOK_MS 100
// How long the program may take to say that it can take over (ms).
#define CHECK_MS 1000
// The log is emptied at the start when it is longer (bytes).
#define LOG_MAX (1024 * 1024)

uint64_t bh_keeper_now_ms(void)
{
	return bh_clock_mono_ms();
}

void bh_keeper_log(const char *level, const char *format, ...)
{
	char line[512], at[BH_CLOCK_TEXT];
	va_list args;
	int used = snprintf(line, sizeof(line), "%s %s keeper ",
	                    bh_clock_text(bh_clock_wall_ms(), at), level);

	va_start(args, format);
	(void)vsnprintf(line + used, sizeof(line) - (size_t)used, format, args); // cut is allowed
	va_end(args);
	for (char *c = line; *c != '\0'; c++) {
		*c = (unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c; // one line, no controls
	}
	(void)dprintf(STDERR_FILENO, "%s\n", line); // nowhere to report a failure to
}

// Tell people why there is no server: in the log and in the state file.
static void state_write(const struct bh_keeper *keeper, const char *text)
{
	int fd = open(keeper->state_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
	              0600);

	bh_keeper_log("error", "%s", text);
	if (fd >= 0) {
		(void)dprintf(fd, "%s\n", text); // the log has it, too
		bh_fd_close(&fd);
	}
}

static void server_give_up(struct bh_keeper *keeper, const char *why)
{
	struct bh_entry_server *server = &keeper->table->server;
	char text[512];

	server->is_given_up = 1;
	(void)snprintf(text, sizeof(text), "%s%s%s", why, server->complaint[0] == '\0' ? "" : ": ",
	               server->complaint);
	state_write(keeper, text);
}

// The file of the lock may have been removed with its folder, which the server makes again: hold the
// one that stands there now, else a second keeper would think the session free.
static void lock_renew(const struct bh_keeper *keeper)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int lock_fd = keeper->table->lock_fd;
	struct stat held;
	struct stat there;
	int fd;

	if (fstat(lock_fd, &held) == 0 && stat(keeper->lock_path, &there) == 0 &&
	    held.st_dev == there.st_dev && held.st_ino == there.st_ino) {
		return;
	}
	fd = open(keeper->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		return; // no folder yet
	}
	if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
		(void)dup3(fd, lock_fd, O_CLOEXEC); // cannot fail with open descriptors
	}
	bh_fd_close(&fd);
	(void)fcntl(lock_fd, F_SETLK, &lock); // only says our pid; a close would have taken it away
}

static void server_start(struct bh_keeper *keeper)
{
	struct bh_entry_server *server = &keeper->table->server;
	int pid;

	keeper->restart_ms = 0;
	server->complaint[0] = '\0';
	server->has_greeted = 0;
	bh_dialog_reset(keeper);
	lock_renew(keeper);
	pid = bh_child_start_server(keeper->table, keeper->server_argv, keeper->server_argc,
	                            &server->fd);
	server->started_ms = bh_keeper_now_ms();
	if (pid < 0) {
		bh_keeper_log("error", "start the server: %s", strerror(-pid));
		keeper->restart_ms = server->started_ms + PAUSE_MS * 10;
		return;
	}
	server->pid = pid;
	server->starts++;
	bh_keeper_log("info", "server pid=%d started (%u)", pid, server->starts);
}

// A crash: plan the next start, or give up.
static void server_crashed(struct bh_keeper *keeper, int status, uint64_t lived_ms)
{
	struct bh_entry_server *server = &keeper->table->server;
	uint64_t pause_ms = 0;
	char text[128];

	server->crashes++;
	server->crashes_in_row = lived_ms > LONG_LIFE_MS ? 1 : server->crashes_in_row + 1;
	(void)snprintf(text, sizeof(text),
	               "the server crashed %u times in a row, the last time by %s %d",
	               server->crashes_in_row, WIFSIGNALED(status) ? "signal" : "exit status",
	               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	if (server->crashes_in_row > CRASHES_MAX) {
		server_give_up(keeper, text);
		return;
	}
	if (server->crashes_in_row > 1) {
		pause_ms = (uint64_t)PAUSE_MS << (server->crashes_in_row - 2);
	}
	bh_keeper_log("error", "%s; next start in %u ms", text, (unsigned)pause_ms);
	keeper->restart_ms = bh_keeper_now_ms() + pause_ms;
}

static void server_exited(struct bh_keeper *keeper, int status)
{
	struct bh_entry_server *server = &keeper->table->server;
	uint64_t lived_ms = bh_keeper_now_ms() - server->started_ms;
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

	bh_keeper_log("info", "server pid=%d ended, wait status 0x%x", server->pid,
	              (unsigned)status);
	server->pid = 0;
	bh_dialog_end(keeper);
	if (keeper->is_leaving) {
		return;
	}
	if (code == BH_WIRE_EXIT_HOPELESS) {
		server->crashes++;
		server_give_up(keeper, "the server cannot run");
	} else if (code == BH_WIRE_EXIT_RESTART && server->has_greeted) {
		server_start(keeper);
	} else {
		server_crashed(keeper, status, lived_ms);
	}
}

static void children_reap(struct bh_keeper *keeper)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		struct bh_entry *entry = bh_table_find_pid(keeper->table, pid);

		if (pid == keeper->table->server.pid) {
			server_exited(keeper, status);
		} else if (entry != NULL) {
			if (entry->state == BH_ENTRY_STARTING) { // its pipe says how that came
				bh_dialog_exec_result(keeper, entry);
			}
			if (entry->state == BH_ENTRY_RUNNING) {
				entry->state = BH_ENTRY_EXITED;
				entry->status = status;
				entry->due |= keeper->table->server.fd >= 0 ? BH_DUE_EXITED : 0;
			}
		}
		// Else a daemonised descendant that became ours: reaping it was all.
	}
}

void bh_keeper_leave(struct bh_keeper *keeper)
{
	if (keeper->is_leaving) {
		return;
	}
	bh_keeper_log("info", "shutting down");
	keeper->is_leaving = true;
	keeper->restart_ms = 0;
	keeper->leave_kill_ms = bh_keeper_now_ms() + LEAVE_MS;
	for (uint32_t i = 0; i < keeper->table->used; i++) {
		struct bh_entry *entry = bh_table_at(keeper->table, i);

		entry->is_doomed =
			entry->state == BH_ENTRY_RUNNING || entry->state == BH_ENTRY_STARTING;
		if (entry->is_doomed) { // also where /proc cannot be read
			(void)kill(-entry->pid, SIGHUP);
			(void)kill(-entry->pid, SIGCONT);
		}
	}
	(void)bh_child_signal_sessions(keeper->table, 0, SIGHUP); // done as far as it can be
	(void)bh_child_signal_sessions(keeper->table, 0, SIGCONT);
}

// The time limits of a shutdown.
static void leave_step(struct bh_keeper *keeper)
{
	uint64_t now_ms = bh_keeper_now_ms();

	if (keeper->is_leaving && !keeper->has_killed && now_ms >= keeper->leave_kill_ms) {
		int count = bh_child_signal_sessions(keeper->table, 0, SIGKILL);

		keeper->has_killed = true;
		for (uint32_t i = 0; count < 0 && i < keeper->table->used; i++) {
			const struct bh_entry *entry = bh_table_at(keeper->table, i);

			if (entry->is_doomed) {
				(void)kill(-entry->pid, SIGKILL); // may be gone
			}
		}
		if (count > 0) {
			bh_keeper_log("warn", "killed %d processes that ignored SIGHUP", count);
		}
	}
	if (keeper->server_kill_ms != 0 && now_ms >= keeper->server_kill_ms) {
		bh_keeper_log("warn", "server pid=%d does not end: killed",
		              keeper->table->server.pid);
		keeper->server_kill_ms = 0;
		if (keeper->table->server.pid > 0) {
			(void)kill(keeper->table->server.pid, SIGKILL);
		}
	}
}

static bool is_over(struct bh_keeper *keeper)
{
	struct bh_table *table = keeper->table;

	if (table->server.pid > 0) {
		return false;
	}
	if (keeper->is_leaving) {
		return keeper->has_killed ? bh_keeper_now_ms() > keeper->leave_kill_ms + LEAVE_MS ||
		                                    bh_table_count(table, true) == 0
		                          : bh_table_count(table, true) == 0 &&
		                                    bh_child_signal_sessions(table, 0, 0) <= 0;
	}
	return table->server.is_given_up && bh_table_count(table, false) == 0;
}

static void signals_read(struct bh_keeper *keeper)
{
	struct bh_entry_server *server = &keeper->table->server;
	struct signalfd_siginfo info;

	while (read(keeper->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT) {
			bh_keeper_leave(keeper);
		} else if (info.ssi_signo == SIGUSR1 && server->is_given_up) {
			bh_keeper_log("info", "asked to try the server again");
			server->is_given_up = 0;
			server->crashes_in_row = 0;
			server_start(keeper);
		}
	}
	children_reap(keeper); // SIGCHLDs merge: always look
}

// How long to sleep at most: -1 for ever.
static int sleep_ms(const struct bh_keeper *keeper)
{
	uint64_t now_ms = bh_keeper_now_ms();
	uint64_t next_ms = keeper->restart_ms;

	if (keeper->server_kill_ms != 0 && (next_ms == 0 || keeper->server_kill_ms < next_ms)) {
		next_ms = keeper->server_kill_ms;
	}
	if (keeper->is_leaving || keeper->is_full) {
		return LOOK_MS; // counts what is left; and ETOOMANYREFS has no event
	}
	if (next_ms == 0) {
		return -1;
	}
	return next_ms <= now_ms ? 0 : (int)(next_ms - now_ms);
}

// One turn of the loop.
static void keeper_turn(struct bh_keeper *keeper)
{
	struct bh_table *table = keeper->table;
	struct pollfd fds[2 + BH_WIRE_ENTRIES];
	uint32_t entry_of[2 + BH_WIRE_ENTRIES];
	nfds_t count = 2;

	fds[0] = (struct pollfd){.fd = keeper->signal_fd, .events = POLLIN};
	fds[1] = (struct pollfd){.fd = table->server.fd,
	                         .events = keeper->answer_len > 0 ? 0 : POLLIN};
	fds[1].events |= keeper->is_full ? POLLOUT : 0;
	for (uint32_t i = 0; i < table->used && i < BH_WIRE_ENTRIES; i++) {
		const struct bh_entry *entry = bh_table_at(table, i);

		if (entry->state == BH_ENTRY_STARTING) {
			fds[count] = (struct pollfd){.fd = entry->exec_fd, .events = POLLIN};
			entry_of[count++] = i;
		}
	}
	if (poll(fds, count, sleep_ms(keeper)) < 0 && errno != EINTR) {
		bh_keeper_log("error", "poll: %s", strerror(errno));
		(void)poll(NULL, 0, LOOK_MS); // out of memory in the kernel: do not spin
		return;
	}
	for (nfds_t i = 2; i < count; i++) {
		struct bh_entry *entry = bh_table_at(table, entry_of[i]);

		if (fds[i].revents != 0 && entry->state == BH_ENTRY_STARTING) {
			bh_dialog_exec_result(keeper, entry);
		}
	}
	if (fds[1].revents != 0) {
		bh_dialog_read(keeper);
	}
	if (fds[0].revents != 0) {
		signals_read(keeper);
	}
	if (keeper->restart_ms != 0 && bh_keeper_now_ms() >= keeper->restart_ms) {
		server_start(keeper);
	}
	leave_step(keeper);
	bh_dialog_send(keeper);
}

// Our program again, with the table: @mode is "--table-fd", or "--check-fd" to only look at it.
static void self_exec(struct bh_keeper *keeper, const char *mode)
{
	char *argv[BH_KEEPER_ARGS + 3];
	char number[16], option[16];

	(void)snprintf(number, sizeof(number), "%d", keeper->table_fd);
	(void)snprintf(option, sizeof(option), "%s", mode);
	argv[0] = keeper->self;
	argv[1] = option;
	argv[2] = number;
	memcpy(argv + 3, keeper->argv + 1, (size_t)keeper->argc * sizeof(char *)); // with the NULL
	(void)execv(keeper->self, argv);
}

// Whether the program file runs and understands the table: if it did not, every child would be lost.
static int upgrade_check(struct bh_keeper *keeper)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		(void)bh_fd_set_cloexec(keeper->table_fd, false); // else the exec fails, with words
		self_exec(keeper, "--check-fd");
		_exit(127);
	}
	for (int i = 0; pid > 0 && i < CHECK_MS / 5; i++) {
		if (waitpid(pid, &status, WNOHANG) == pid) {
			return status == 0 ? 0 : -ENOEXEC;
		}
		(void)poll(NULL, 0, 5); // bounded, and rare
	}
	if (pid > 0) {
		(void)kill(pid, SIGKILL); // reaped with the others
	}
	return pid < 0 ? -errno : -ETIMEDOUT;
}

int bh_keeper_upgrade(struct bh_keeper *keeper, uint32_t seq)
{
	int error = -upgrade_check(keeper);

	if (error == 0) {
		bh_keeper_log("info", "upgrading to %s", keeper->self);
		keeper->table->upgrade_seq = seq;
		bh_table_set_cloexec(keeper->table, keeper->table_fd, false);
		self_exec(keeper, "--table-fd");
		error = errno;
		bh_table_set_cloexec(keeper->table, keeper->table_fd, true);
	}
	bh_keeper_log("error", "upgrade to %s: %s", keeper->self, strerror(error));
	return -error;
}

// Settings from the command line.
struct options {
	const char *lock, *log, *state;
	// Of the keeper before us; check_fd: only say whether it could be taken over.
	int table_fd, check_fd;
};

static int options_read(struct bh_keeper *keeper, struct options *options)
{
	int i = 1;

	for (; i + 1 < keeper->argc && strcmp(keeper->argv[i], "--") != 0; i += 2) {
		const char *name = keeper->argv[i], *value = keeper->argv[i + 1];

		if (strcmp(name, "--lock") == 0) {
			options->lock = value;
		} else if (strcmp(name, "--log") == 0) {
			options->log = value;
		} else if (strcmp(name, "--state") == 0) {
			options->state = value;
		} else if (strcmp(name, "--table-fd") == 0) {
			options->table_fd = (int)strtol(value, NULL, 10);
		} else if (strcmp(name, "--check-fd") == 0) {
			options->check_fd = (int)strtol(value, NULL, 10);
		} else {
			return -1;
		}
	}
	keeper->server_argc = keeper->argc - i - 1;
	if (keeper->argc > BH_KEEPER_ARGS || keeper->server_argc < 1 || options->lock == NULL ||
	    options->log == NULL || options->state == NULL) {
		return -1;
	}
	memcpy(keeper->server_argv, keeper->argv + i + 1,
	       (size_t)keeper->server_argc * sizeof(char *));
	keeper->state_path = options->state;
	keeper->lock_path = options->lock;
	if (options->table_fd >= 0) { // our own addition: the next upgrade makes its own
		keeper->argv += 2;
		keeper->argc -= 2;
	}
	return 0;
}

// Somebody holds the session: ask it to try its server again, if it gave that up. The record lock
// tells the holder's pid without a race; the file's content could be stale.
static void holder_poke(int lock_fd)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (fcntl(lock_fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK && lock.l_pid > 0) {
		(void)kill(lock.l_pid, SIGUSR1); // it may be ending just now
	}
}

// The lock, on descriptor 3 (0 to 2 are open): the child side of a spawn relies on no other file
// standing there. Ends the process when the session is held.
static int lock_take(const char *path)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0) {
		(void)fprintf(stderr, "bellhop-keeper: open %s: %s\n", path, strerror(errno));
		exit(1);
	}
	if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno == EWOULDBLOCK) {
			holder_poke(fd);
			exit(0);
		}
		(void)fprintf(stderr, "bellhop-keeper: lock %s: %s\n", path, strerror(errno));
		exit(1);
	}
	(void)fcntl(fd, F_SETLK, &lock); // only says our pid; free since we have the other lock
	return fd;
}

static void stdio_detach(const char *log_path)
{
	int log = open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct stat st;

	if (log < 0) {
		(void)fprintf(stderr, "bellhop-keeper: open %s: %s\n", log_path, strerror(errno));
		exit(1);
	}
	if (fstat(log, &st) == 0 && st.st_size > LOG_MAX) {
		(void)ftruncate(log, 0); // else it stays long
	}
	(void)dup2(null >= 0 ? null : log, STDIN_FILENO); // cannot fail with open descriptors
	(void)dup2(log, STDOUT_FILENO);
	(void)dup2(log, STDERR_FILENO);
	bh_fd_close(&null);
	bh_fd_close(&log);
}

// Standard descriptors that were closed by whoever started us would be given to other files.
static void stdio_fill(void)
{
	while (true) {
		int fd = open("/dev/null", O_RDWR);

		if (fd < 0) {
			fd = open("/", O_RDONLY | O_DIRECTORY);
		}
		if (fd > STDERR_FILENO || fd < 0) {
			bh_fd_close(&fd);
			return;
		}
	}
}

// No terminal, no session and no folder of whoever started us. A group leader cannot leave its
// session, so then a child goes on; the lock is taken after that.
static void session_leave(void)
{
	if (setsid() < 0 && getsid(0) != getpid()) {
		pid_t pid = fork();

		if (pid > 0) {
			_exit(0);
		}
		(void)setsid(); // fails only if the fork failed, too: stay where we are
	}
	(void)chdir("/"); // else we only keep a folder busy
}

static int signals_open(void)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCHLD);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGUSR1);
	// Never read on purpose: these must not end us.
	(void)sigaddset(&set, SIGHUP);
	(void)sigaddset(&set, SIGPIPE);
	(void)sigaddset(&set, SIGUSR2);
	(void)sigaddset(&set, SIGALRM);
	(void)sigprocmask(SIG_SETMASK, &set, NULL); // cannot fail
	(void)signal(SIGCHLD, SIG_DFL); // an inherited SIG_IGN would take the statuses away
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void limits_raise(struct bh_table *table)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		table->nofile_soft = limit.rlim_cur;
		table->nofile_hard = limit.rlim_max;
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit); // else spawns fail earlier, with words
	}
}

_Noreturn static void start_failed(const char *what)
{
	bh_keeper_log("error", "%s: %s", what, strerror(errno));
	exit(1);
}

// A new keeper: detach, then take the lock, then the rest.
static void keeper_begin(struct bh_keeper *keeper, const struct options *options)
{
	int lock_fd;

	stdio_fill();
	(void)close_range(3, ~0U, 0); // whatever our starter left open would stay so for ever
	session_leave();
	lock_fd = lock_take(options->lock);
	stdio_detach(options->log);
	keeper->signal_fd = signals_open();
	keeper->table = bh_table_new(&keeper->table_fd);
	if (keeper->table == NULL || keeper->signal_fd < 0) {
		start_failed("start");
	}
	keeper->table->lock_fd = lock_fd;
	limits_raise(keeper->table);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1); // since Linux 3.4
	server_start(keeper);
}

// The same keeper in a new program: all is in the table. The mask and pending signals came along.
static void keeper_resume(struct bh_keeper *keeper, int table_fd)
{
	keeper->table_fd = table_fd;
	keeper->table = bh_table_adopt(table_fd);
	keeper->signal_fd = signals_open();
	if (keeper->table == NULL || keeper->signal_fd < 0) {
		start_failed("upgrade");
	}
	bh_table_set_cloexec(keeper->table, table_fd, true);
	bh_dialog_resumed(keeper, keeper->table->upgrade_seq);
	if (keeper->table->server.pid == 0 && !keeper->table->server.is_given_up) {
		keeper->restart_ms = bh_keeper_now_ms();
	}
	children_reap(keeper);
	bh_dialog_send(keeper);
	bh_keeper_log("info", "upgraded");
}

int main(int argc, char **argv)
{
	struct bh_keeper keeper = {.argv = argv, .argc = argc, .table_fd = -1};
	struct options options = {.table_fd = -1, .check_fd = -1};
	ssize_t len = readlink("/proc/self/exe", keeper.self, sizeof(keeper.self) - 1);

	if (options_read(&keeper, &options) != 0) {
		(void)fprintf(stderr, "usage: bellhop-keeper --lock PATH --log PATH --state PATH "
		                      "-- SERVER ARGUMENT...\n(started by bellhop, not by hand)\n");
		return 2;
	}
	if (options.check_fd >= 0) {
		return bh_table_adopt(options.check_fd) == NULL;
	}
	if (len <= 0) { // no /proc
		(void)snprintf(keeper.self, sizeof(keeper.self), "%s", argv[0]);
	}
	if (options.table_fd >= 0) {
		keeper_resume(&keeper, options.table_fd);
	} else {
		keeper_begin(&keeper, &options);
	}
	while (!is_over(&keeper)) {
		keeper_turn(&keeper);
	}
	bh_keeper_log("info", "ended");
	return keeper.is_leaving ? 0 : 1;
}
