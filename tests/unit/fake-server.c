#include "fake-server.h"

#include "src/base/mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

char *fake_server_dir(void)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = bh_xasprintf("%s/bh-test-XXXXXX", tmp == NULL ? "/tmp" : tmp);

	if (mkdtemp(dir) == NULL) {
		abort();
	}
	return dir;
}

void fake_server_dir_remove(char *dir)
{
	DIR *at = opendir(dir);
	struct dirent *entry = NULL;

	while (at != NULL && (entry = readdir(at)) != NULL) {
		char *path = bh_xasprintf("%s/%s", dir, entry->d_name);

		(void)unlink(path);
		free(path);
	}
	if (at != NULL) {
		(void)closedir(at);
	}
	(void)rmdir(dir);
	free(dir);
}

static int listen_in(const char *dir)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char *path = bh_xasprintf("%s/server.sock", dir);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memcpy(address.sun_path, path, strlen(path) + 1);
	if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof(address)) != 0 ||
	    listen(fd, 16) != 0) {
		abort();
	}
	free(path);
	return fd;
}

pid_t fake_server_start(const char *dir, int connections, fake_server_play play)
{
	int listener = listen_in(dir);
	pid_t pid = fork();

	if (pid != 0) {
		close(listener);
		return pid;
	}
	// A pipe of the test must not stay open here.
	if (listener > 3) {
		(void)close_range(3, (unsigned)listener - 1, 0);
	}
	(void)close_range((unsigned)listener + 1, ~0U, 0);
	// A fake that waits for a client that never comes ends by itself.
	alarm(60);
	for (int i = 0; i < connections; i++) {
		int fd = accept(listener, NULL, NULL);

		play(fd, i, dir);
		close(fd);
	}
	_exit(0);
}

int fake_server_wait(pid_t pid)
{
	int status = 0;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

size_t fake_server_read_line(int fd, char *line, size_t size)
{
	size_t len = 0;

	while (len + 1 < size && read(fd, line + len, 1) == 1 && line[len] != '\n') {
		len++;
	}
	line[len] = '\0';
	return len;
}

void fake_server_write(int fd, const char *text)
{
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text)) {
		_exit(3);
	}
}

static char *go_path(const char *dir)
{
	return bh_xasprintf("%s/go", dir);
}

void fake_server_await(const char *dir)
{
	char *path = go_path(dir);

	while (access(path, F_OK) != 0) { // its alarm ends a fake that waits for ever
		(void)usleep(1000);
	}
	free(path);
}

void fake_server_go(const char *dir)
{
	char *path = go_path(dir);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0) {
		abort();
	}
	(void)close(fd); // that it is there is all
	free(path);
}
