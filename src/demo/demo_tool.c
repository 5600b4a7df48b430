#include "demo_tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child: signals as a new program expects them, output to the pipe. Ends in _exit. */
static _Noreturn void child_run(const char *command, int output)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t none;

	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)setpgid(0, 0);
	if (null >= 0 && dup2(null, 0) >= 0 && dup2(output, 1) >= 0 && dup2(output, 2) >= 0) {
		(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	}
	_exit(127);
}

int bh_demo_tool_start(struct bh_demo_tool *tool, const char *command)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
		return -errno;
	}
	/* The command gets a blocking end: most programs do not expect another. */
	(void)fcntl(ends[1], F_SETFL, 0);
	pid = fork();
	if (pid < 0) {
		int code = -errno;

		(void)close(ends[0]);
		(void)close(ends[1]);
		return code;
	}
	if (pid == 0) {
		child_run(command, ends[1]);
	}
	(void)setpgid(pid, pid); /* whoever is first; the child does it too */
	(void)close(ends[1]);
	*tool = (struct bh_demo_tool){.pid = pid, .fd = ends[0]};
	return 0;
}

static void output_close(struct bh_demo_tool *tool)
{
	if (tool->fd >= 0) {
		(void)close(tool->fd);
		tool->fd = -1;
	}
}

bool bh_demo_tool_reap(struct bh_demo_tool *tool, int *status_out)
{
	int status;

	if (tool->pid == 0 || waitpid(tool->pid, &status, WNOHANG) != tool->pid) {
		return false;
	}
	tool->pid = 0;
	output_close(tool);
	*status_out = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return true;
}

void bh_demo_tool_kill(struct bh_demo_tool *tool)
{
	if (tool->pid > 0) {
		(void)kill(-tool->pid, SIGKILL);
		(void)waitpid(tool->pid, NULL, 0);
		tool->pid = 0;
	}
	output_close(tool);
}
