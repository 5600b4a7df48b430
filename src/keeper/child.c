#include "src/keeper/child.h"

#include "src/base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

// The pipe's number in the child; everything above it is closed.
#define PIPE_FD 3

// Give every signal its default action and unblock all: an inherited ignored SIGCHLD breaks the
// hooks of agents, a full mask makes them deaf to SIGTERM. The kernel is asked directly, since the C
// library keeps two signals for itself and refuses to reset them, also if they came ignored.
static void signals_reset(void)
{
	static const uint64_t default_action[8]; // the kernel's struct is smaller, and all zero
	sigset_t none;

	for (int i = 1; i < NSIG; i++) {
		// Fails for SIGKILL and SIGSTOP.
		(void)syscall(SYS_rt_sigaction, i, default_action, NULL, (size_t)(NSIG - 1) / 8);
	}
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL); // cannot fail
}

// In the child from here on: it reports the first failure and ends.
_Noreturn static void child_fail(enum bh_wire_stage stage, int error)
{
	const struct bh_child_failure failure = {.stage = (int32_t)stage, .error = error};

	(void)!write(PIPE_FD, &failure, sizeof(failure)); // the exit status says it, too
	_exit(127);
}

// Become a session leader with the slave as controlling terminal and standard files. The slave is
// asked of the master, which works whatever is mounted at /dev/pts here.
static void child_take_tty(int master, int pipe_fd)
{
	struct termios modes;
	int slave;

	if (setsid() < 0) {
		int error = errno;

		(void)dup2(pipe_fd, PIPE_FD);
		child_fail(BH_WIRE_STAGE_SESSION, error);
	}
	slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY);
	if (slave < 0) {
		char path[64];

		slave = ptsname_r(master, path, sizeof(path)) == 0 ? open(path, O_RDWR | O_NOCTTY)
		                                                   : -1;
	}
	if (slave < 0 || ioctl(slave, TIOCSCTTY, 0) != 0) {
		int error = errno;

		(void)dup2(pipe_fd, PIPE_FD);
		child_fail(BH_WIRE_STAGE_TTY, error);
	}
	if (tcgetattr(slave, &modes) == 0) {
		modes.c_iflag |= IUTF8;                  // erase whole characters in line mode
		(void)tcsetattr(slave, TCSANOW, &modes); // as good without
	}
	// The pipe first to where nothing else stands: it may have a number below 4.
	pipe_fd = fcntl(pipe_fd, F_DUPFD_CLOEXEC, PIPE_FD + 1);
	slave = fcntl(slave, F_DUPFD_CLOEXEC, PIPE_FD + 1);
	if (dup2(pipe_fd, PIPE_FD) < 0 || bh_fd_set_cloexec(PIPE_FD, true) != 0 ||
	    dup2(slave, 0) < 0 || dup2(slave, 1) < 0 || dup2(slave, 2) < 0) {
		child_fail(BH_WIRE_STAGE_TTY, errno);
	}
}

static void fds_close_from(unsigned first)
{
	if (close_range(first, ~0U, 0) != 0) {
		long last = sysconf(_SC_OPEN_MAX);

		for (long fd = first; fd < last; fd++) {
			(void)close((int)fd); // most are not open
		}
	}
}

// Cut @count strings off the text; NULL when it has fewer.
static char *strings_cut(char *at, const char *end, char **out, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		size_t len = strnlen(at, (size_t)(end - at));

		if (len == (size_t)(end - at)) {
			return NULL;
		}
		out[i] = at;
		at += len + 1;
	}
	out[count] = NULL;
	return at;
}

// What the child runs, pointing into memory of its own.
struct command {
	char **argv;
	char **env;
	char *cwd;
};

static void child_read_command(const struct bh_wire_spawn *request, int strings_fd,
                               struct command *out)
{
	size_t pointers = ((size_t)request->argc + request->envc + 3) * sizeof(char *);
	// cppcheck-suppress invalidFunctionArg // anonymous memory has the descriptor -1
	char **room = mmap(NULL, pointers + request->bytes, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *text, *end, *at;

	if (room == MAP_FAILED) {
		child_fail(BH_WIRE_STAGE_STRINGS, errno);
	}
	text = (char *)room + pointers;
	end = text + request->bytes;
	if (lseek(strings_fd, 0, SEEK_SET) != 0 ||
	    bh_fd_read_all(strings_fd, text, request->bytes) != (ssize_t)request->bytes) {
		child_fail(BH_WIRE_STAGE_STRINGS, EINVAL);
	}
	out->argv = room;
	out->env = room + request->argc + 1;
	at = strings_cut(text, end, out->argv, request->argc);
	at = at == NULL ? NULL : strings_cut(at, end, out->env, request->envc);
	at = at == NULL ? NULL : strings_cut(at, end, &out->cwd, 0);
	if (at == NULL || strnlen(at, (size_t)(end - at)) == (size_t)(end - at)) {
		child_fail(BH_WIRE_STAGE_STRINGS, EINVAL);
	}
	out->cwd = at;
}

_Noreturn static void child_main(const struct bh_table *table, const struct bh_wire_spawn *request,
                                 int strings_fd, int master, int pipe_fd)
{
	const struct rlimit limit = {table->nofile_soft, table->nofile_hard};
	struct command command;

	signals_reset();
	child_take_tty(master, pipe_fd);
	child_read_command(request, strings_fd, &command);
	fds_close_from(PIPE_FD + 1);
	if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
		child_fail(BH_WIRE_STAGE_LIMITS, errno);
	}
	if (chdir(command.cwd[0] == '\0' ? "/" : command.cwd) != 0) {
		child_fail(BH_WIRE_STAGE_CHDIR, errno);
	}
	environ = command.env; // execvp() looks the program up in this PATH
	(void)execvp(command.argv[0], command.argv);
	child_fail(BH_WIRE_STAGE_EXEC, errno);
}

static int pty_new(uint16_t cols, uint16_t rows)
{
	const struct winsize size = {.ws_col = cols, .ws_row = rows};
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (fd < 0) {
		return -1;
	}
	if (grantpt(fd) != 0 || unlockpt(fd) != 0 || ioctl(fd, TIOCSWINSZ, &size) != 0 ||
	    bh_fd_set_nonblock(fd, true) != 0) {
		int error = errno;

		bh_fd_close(&fd);
		errno = error;
	}
	return fd;
}

static int tape_new(uint32_t size)
{
	int fd = memfd_create("bellhop-tape", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd >= 0 && (ftruncate(fd, (off_t)size) != 0 ||
	                fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)) {
		int error = errno;

		bh_fd_close(&fd);
		errno = error;
	}
	return fd;
}

static bool is_sane(const struct bh_wire_spawn *request)
{
	return request->argc >= 1 && request->argc <= BH_WIRE_STRINGS &&
	       request->envc <= BH_WIRE_STRINGS && request->bytes >= 1 &&
	       request->bytes <= BH_WIRE_STRINGS_BYTES && request->tape_size <= BH_WIRE_TAPE_MAX;
}

// All that must be there before the fork; the descriptors go to @entry.
static enum bh_wire_stage spawn_prepare(const struct bh_wire_spawn *request, struct bh_entry *entry,
                                        int *pipe_out)
{
	int pipe_fds[2];

	if (!is_sane(request)) {
		errno = EINVAL;
		return BH_WIRE_STAGE_REQUEST;
	}
	entry->master_fd = pty_new(request->cols, request->rows);
	if (entry->master_fd < 0) {
		return BH_WIRE_STAGE_PTY;
	}
	if (request->tape_size > 0) {
		entry->tape_fd = tape_new(request->tape_size);
		if (entry->tape_fd < 0) {
			return BH_WIRE_STAGE_TAPE;
		}
	}
	if (pipe2(pipe_fds, O_CLOEXEC | O_NONBLOCK) != 0) {
		return BH_WIRE_STAGE_FORK;
	}
	entry->exec_fd = pipe_fds[0];
	*pipe_out = pipe_fds[1];
	return BH_WIRE_STAGE_NONE;
}

// Read /proc/<pid>/stat and give the text after the command's name, which may hold anything.
static const char *stat_read(int32_t pid, char *buffer, size_t size)
{
	char path[32];
	ssize_t len;
	int fd;
	char *name_end;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		return NULL;
	}
	len = bh_fd_read_all(fd, buffer, size - 1);
	bh_fd_close(&fd);
	if (len <= 0) {
		return NULL;
	}
	buffer[len] = '\0';
	name_end = strrchr(buffer, ')');
	return name_end == NULL ? NULL : name_end + 1;
}

// A numeric field of the stat file, counted from 1 as in proc(5); @at is what stat_read() gave, the
// space before field 3.
static uint64_t stat_field(const char *at, int field)
{
	for (int i = 3; at != NULL && i < field; i++) {
		at = strchr(at + 1, ' ');
	}
	return at == NULL ? 0 : strtoull(at, NULL, 10);
}

// Field 22 of the stat file of @pid (clock ticks since boot); 0 when it cannot be read.
static uint64_t start_time_read(int32_t pid)
{
	char buffer[1024];

	return stat_field(stat_read(pid, buffer, sizeof(buffer)), 22);
}

enum bh_wire_stage bh_child_spawn(const struct bh_table *table, const struct bh_wire_spawn *request,
                                  int strings_fd, struct bh_entry *entry, int *error_out)
{
	int pipe_fd = -1;
	enum bh_wire_stage stage;

	entry->master_fd = entry->tape_fd = entry->exec_fd = -1;
	stage = spawn_prepare(request, entry, &pipe_fd);
	if (stage == BH_WIRE_STAGE_NONE) {
		// The table is shared with the child: what fork() gives it must not be stored there.
		pid_t pid = fork();

		if (pid == 0) {
			child_main(table, request, strings_fd, entry->master_fd, pipe_fd);
		}
		entry->pid = pid;
		stage = pid < 0 ? BH_WIRE_STAGE_FORK : BH_WIRE_STAGE_NONE;
	}
	if (stage != BH_WIRE_STAGE_NONE) {
		*error_out = errno;
		bh_fd_close(&pipe_fd);
		bh_table_release(entry);
		return stage;
	}
	bh_fd_close(&pipe_fd);
	memcpy(entry->id, request->id, sizeof(entry->id));
	memcpy(entry->data, request->data, sizeof(entry->data));
	entry->seq = request->head.seq;
	entry->pid_start = start_time_read(entry->pid);
	entry->state = BH_ENTRY_STARTING;
	return stage;
}

_Noreturn static void server_main(struct bh_table *table, char **argv, int argc, int fd)
{
	char number[16];

	signals_reset();
	(void)snprintf(number, sizeof(number), "%d", fd);
	argv[argc] = (char[]){"--keeper-fd"};
	argv[argc + 1] = number;
	argv[argc + 2] = NULL;
	if (bh_fd_set_cloexec(fd, false) == 0) {
		(void)execv(argv[0], argv);
	}
	(void)snprintf(table->server.complaint, BH_WIRE_TEXT, "cannot run %.100s: %s", argv[0],
	               strerror(errno));
	_exit(BH_WIRE_EXIT_HOPELESS);
}

int bh_child_start_server(struct bh_table *table, char **argv, int argc, int *fd_out)
{
	int fds[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0) {
		return -errno;
	}
	pid = fork();
	if (pid == 0) {
		server_main(table, argv, argc, fds[1]);
	}
	if (pid < 0) {
		pid = -errno;
		bh_fd_close(&fds[0]);
	} else {
		(void)bh_fd_set_nonblock(fds[0], true); // cannot fail on a socket of ours
		*fd_out = fds[0];
	}
	bh_fd_close(&fds[1]);
	return pid;
}

// The session of a process; 0 for zombies and what cannot be read.
static int32_t session_of(int32_t pid)
{
	char buffer[1024];
	const char *at = stat_read(pid, buffer, sizeof(buffer));

	if (at == NULL || strncmp(at, " Z", 2) == 0 || strncmp(at, " X", 2) == 0) {
		return 0;
	}
	return (int32_t)stat_field(at, 6);
}

static bool is_doomed(struct bh_table *table, int32_t session)
{
	for (uint32_t i = 0; i < table->used; i++) {
		const struct bh_entry *entry = bh_table_at(table, i);

		if (entry->state != BH_ENTRY_FREE && entry->is_doomed && entry->pid == session) {
			return true;
		}
	}
	return false;
}

static int process_signal(struct bh_table *table, int32_t pid, int32_t only, int signal)
{
	int32_t session = pid <= 0 ? 0 : session_of(pid);

	if (session == 0 || (only != 0 ? session != only : !is_doomed(table, session))) {
		return 0;
	}
	if (signal != 0) {
		(void)kill(pid, signal); // it may be gone by now
	}
	return 1;
}

int bh_child_signal_sessions(struct bh_table *table, int32_t only, int signal)
{
	_Alignas(8) char names[4096];
	int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int count = 0;
	long got;

	if (fd < 0) {
		return -errno;
	}
	while ((got = syscall(SYS_getdents64, fd, names, sizeof(names))) > 0) {
		for (long at = 0; at < got;) {
			// struct linux_dirent64: inode 8, offset 8, length 2, type 1, name
			uint16_t len;

			memcpy(&len, names + at + 16, sizeof(len));
			count += process_signal(table, (int32_t)strtol(names + at + 19, NULL, 10),
			                        only, signal);
			at += len;
		}
	}
	bh_fd_close(&fd);
	return count;
}
