#include "src/ui/errand.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/** Standard streams to nowhere, every other descriptor closed. */
static void leave_terminal(void)
{
	int fd = open("/dev/null", O_RDWR);

	if (fd < 0 || dup2(fd, 0) < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0 || setsid() < 0) {
		_exit(127);
	}
	(void)close_range(3, ~0U, 0); // what stays open is closed by its own flag
}

/** The UI takes its signals by a descriptor, with all of them blocked. */
static void reset_signals(void)
{
	sigset_t none;

	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)signal(SIGPIPE, SIG_DFL);
}

static void become(const char *command, const struct bh_errand_variable *variables, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (setenv(variables[i].name, variables[i].value, 1) != 0) {
			_exit(127);
		}
	}
	(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

int bh_errand_run(const char *command, const struct bh_errand_variable *variables, size_t count)
{
	pid_t child = fork();

	if (child < 0) {
		return -errno;
	}
	if (child == 0) {
		pid_t own = 0;

		leave_terminal();
		own = fork(); // what we would have to reap is a process that ends at once
		if (own != 0) {
			_exit(own < 0 ? 127 : 0);
		}
		reset_signals();
		become(command, variables, count);
	}
	while (waitpid(child, NULL, 0) < 0) {
		if (errno != EINTR) {
			return -errno;
		}
	}
	return 0;
}
