#include "src/client/start.h"

#include "src/base/clock.h"
#include "src/base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/** Pause between two tries to connect. */
#define TRY_EVERY_MS 15
/** A keeper that just ended may have made ours lose the lock: start again after this long. */
#define START_AGAIN_MS 600
/** A keeper that was just started leaves the file of an earlier failure for at most so long. */
#define GIVEN_UP_MS 1000

pid_t bh_start_keeper(const char *lock_path)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open(lock_path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	pid_t pid = 0;

	if (fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK) {
		pid = lock.l_pid;
	}
	bh_fd_close(&fd);
	return pid;
}

bool bh_start_is_absent(int code)
{
	return code == -ENOENT || code == -ECONNREFUSED || code == -ECONNRESET || code == -EAGAIN;
}

bool bh_start_is_forbidden(int code)
{
	return code == -EPERM || code == -EACCES;
}

/** The name of a user, for an error; never NULL. */
static const char *user_name(uid_t uid)
{
	const struct passwd *user = getpwuid(uid);

	return user == NULL ? "somebody else" : user->pw_name;
}

static int check_owner(uid_t uid, const char *what, const char *path, struct bh_err *err)
{
	if (uid == geteuid()) {
		return 0;
	}
	return bh_err_set(
		err, BH_EDENIED,
		"%s at %s belongs to %s (user id %u), not to you; set BELLHOP_RUNTIME_DIR "
		"to a folder of yours",
		what, path, user_name(uid), (unsigned)uid);
}

/** The server must be ours too: a socket says who made it, the peer says who listens. */
static int check_peer(int fd, const char *path, struct bh_err *err)
{
	struct ucred peer = {0};
	socklen_t len = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0) {
		return bh_err_sys(err, errno, "ask who listens at %s", path);
	}
	return check_owner(peer.uid, "the server", path, err);
}

int bh_start_try(const char *socket_path, int *fd_out, struct bh_err *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct stat st;
	int rc = 0;

	if (strlen(socket_path) >= sizeof(address.sun_path)) {
		return bh_err_set(err, -ENAMETOOLONG,
		                  "the socket path %s is longer than %zu bytes; set "
		                  "BELLHOP_RUNTIME_DIR to a shorter folder",
		                  socket_path, sizeof(address.sun_path) - 1);
	}
	if (lstat(socket_path, &st) == 0) {
		rc = check_owner(st.st_uid, "the socket", socket_path, err);
		if (rc != 0) {
			return rc;
		}
	}
	memcpy(address.sun_path, socket_path, strlen(socket_path) + 1);

	// Where a server hangs and many wait for it, connecting would wait without end.
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0) {
		return bh_err_sys(err, errno, "make a socket");
	}
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) != 0) {
		rc = bh_err_sys(err, errno, "connect to %s", socket_path);
	} else {
		rc = check_peer(fd, socket_path, err);
	}
	if (rc != 0) {
		bh_fd_close(&fd);
		return rc;
	}
	*fd_out = fd;
	return 0;
}

/** In the grandchild: no terminal, no descriptor and no folder of the caller's stays in use. */
_Noreturn static void keeper_exec(const char *const *argv)
{
	int null_fd = open("/dev/null", O_RDWR);
	sigset_t none;

	(void)setsid();
	if (null_fd < 0 || dup2(null_fd, 0) < 0 || dup2(null_fd, 1) < 0 || dup2(null_fd, 2) < 0) {
		_exit(126);
	}
	(void)close_range(3, ~0U, 0);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	for (int number = 1; number < NSIG; number++) {
		(void)signal(number, SIG_DFL);
	}
	if (chdir("/") != 0) {
		_exit(126);
	}
	(void)execv(argv[0], (char *const *)(const void *)argv);
	_exit(127);
}

/** Start the keeper as nobody's child. It ends quietly if another holds the session. */
static int start_keeper(const char *const *argv, struct bh_err *err)
{
	pid_t child = 0;

	if (access(argv[0], X_OK) != 0) {
		return bh_err_sys(err, errno, "start the keeper %s", argv[0]);
	}
	child = fork();
	if (child < 0) {
		return bh_err_sys(err, errno, "start the keeper");
	}
	if (child == 0) {
		pid_t grandchild = fork();

		if (grandchild == 0) {
			keeper_exec(argv);
		}
		_exit(grandchild < 0 ? 1 : 0);
	}
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
	}
	return 0;
}

/** Whether the keeper has given up. It had time to take the file of an earlier failure away. */
static bool is_given_up(const struct bh_start_settings *settings, uint64_t since_start_ms)
{
	return settings->given_up_path != NULL && since_start_ms >= GIVEN_UP_MS &&
	       access(settings->given_up_path, F_OK) == 0;
}

/** Whether it is certain that no keeper lives. Shared, so that askers do not see each other; a keeper
 * that starts in this very moment and loses the lock to us is started again by its client. */
static bool is_unkept(const struct bh_start_settings *settings)
{
	int fd = settings->lock_path == NULL ? -1 : open(settings->lock_path, O_RDONLY | O_CLOEXEC);
	bool is_free = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0;

	bh_fd_close(&fd);
	return is_free;
}

int bh_start_connect(const struct bh_start_settings *settings, int *fd_out, struct bh_err *err)
{
	uint64_t begin_ms = bh_clock_mono_ms();
	uint64_t started_ms = 0;
	bool is_started = false;

	for (;;) {
		int rc = bh_start_try(settings->socket_path, fd_out, err);
		uint64_t now_ms = bh_clock_mono_ms();

		if (rc == 0 || !bh_start_is_absent(rc)) {
			return rc;
		}
		if (settings->keeper_argv == NULL &&
		    now_ms - begin_ms >= (uint64_t)settings->absent_ms &&
		    (rc == -ENOENT || is_unkept(settings))) {
			return rc;
		}
		if (now_ms - begin_ms >= (uint64_t)settings->timeout_ms ||
		    ((is_started || settings->keeper_argv == NULL) &&
		     is_given_up(settings, now_ms - begin_ms))) {
			return settings->timeout_ms == 0 ? rc : BH_ETIMEOUT;
		}
		// Who listens with a full queue has a keeper.
		if (settings->keeper_argv != NULL && rc != -EAGAIN &&
		    (!is_started || now_ms - started_ms >= START_AGAIN_MS)) {
			rc = start_keeper(settings->keeper_argv, err);
			if (rc != 0) {
				return rc;
			}
			is_started = true;
			started_ms = now_ms;
		}
		(void)poll(NULL, 0, TRY_EVERY_MS); // a short sleep
	}
}
