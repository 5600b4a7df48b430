#include "src/server/foreground.h"

#include "src/agent/profile.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// How much of a command line is looked at (bytes), and how many of its arguments: interpreter and
// script stand in front.
#define CMDLINE_MAX 4096
#define ARGUMENTS_MAX 3

static size_t proc_read(pid_t pid, const char *name, char *out, size_t size)
{
	char path[64];

	(void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name); // always fits
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd >= 0 ? read(fd, out, size - 1) : -1;

	if (fd >= 0) {
		(void)close(fd); // read only: nothing can be lost
	}
	out[len > 0 ? len : 0] = '\0';
	return len > 0 ? (size_t)len : 0;
}

static bool argument_is_known(const struct bh_profile *profile, const char *argument)
{
	const char *slash = strrchr(argument, '/');

	return bh_profile_knows_process(profile, slash != NULL ? slash + 1 : argument);
}

bool bh_foreground_is_ours(const struct bh_profile *profile, pid_t foreground, pid_t child)
{
	char text[CMDLINE_MAX];

	if (foreground == child) {
		return true;
	}
	if (foreground <= 0) {
		return false;
	}
	if (proc_read(foreground, "comm", text, sizeof text) > 0) {
		text[strcspn(text, "\n")] = '\0';
		if (bh_profile_knows_process(profile, text)) {
			return true;
		}
	}
	size_t len = proc_read(foreground, "cmdline", text, sizeof text);
	size_t at = 0;

	for (int i = 0; i < ARGUMENTS_MAX && at < len; i++) {
		if (argument_is_known(profile, text + at)) {
			return true;
		}
		at += strlen(text + at) + 1;
	}
	return false;
}
