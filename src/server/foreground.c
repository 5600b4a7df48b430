#include "src/server/foreground.h"

#include "src/agent/profile.h"
#include "src/base/mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// How much of a command line is looked at (bytes), and how many of its arguments: interpreter and
// script stand in front.
#define CMDLINE_MAX 4096
#define ARGUMENTS_MAX 3
// How many arguments a program may have whose name stands behind launchers (`env A=1 nice claude`).
#define COMMAND_MAX 16
// How many processes below one are looked at.
#define FAMILY_MAX 48
// How much of an environment is looked at (bytes).
#define ENVIRON_MAX (256 * 1024)
// Name of the process that holds a session (src/keeper).
#define KEEPER_NAME "bellhop-keeper"

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

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static bool argument_is_known(const struct bh_profile *profile, const char *argument)
{
	return bh_profile_knows_process(profile, base_name(argument));
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

// Whether a program of this name runs another, its first argument.
static bool is_interpreter(const char *name)
{
	static const char *const names[] = {"node", "bun", "deno", "python", "python3"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcmp(name, names[i]) == 0) {
			return true;
		}
	}
	return false;
}

// Profiles know interpreters, too, which run anything: in a terminal of theirs that is enough.
static bool name_is_agents(const struct bh_profiles *profiles, const char *name)
{
	for (size_t i = 0; i < bh_profiles_count(profiles); i++) {
		if (bh_profile_knows_process(bh_profiles_at(profiles, i), name)) {
			return !is_interpreter(name);
		}
	}
	return strcmp(name, KEEPER_NAME) == 0;
}

bool bh_foreground_is_agent(const struct bh_profiles *profiles, pid_t pid)
{
	char text[CMDLINE_MAX];

	if (proc_read(pid, "comm", text, sizeof text) > 0) {
		text[strcspn(text, "\n")] = '\0';
		if (name_is_agents(profiles, text)) {
			return true;
		}
	}
	size_t len = proc_read(pid, "cmdline", text, sizeof text);
	size_t first = strlen(text) + 1;

	return len > 0 && (name_is_agents(profiles, base_name(text)) ||
	                   (is_interpreter(base_name(text)) && first < len &&
	                    name_is_agents(profiles, base_name(text + first))));
}

// ---- an agent that somebody typed into a shell ----

// The profile of one process; NULL: none. A dead one that nobody has reaped has no command line.
static const struct bh_profile *process_profile(const struct bh_profiles *profiles, pid_t pid)
{
	const struct bh_profile *generic = bh_profiles_find(profiles, "generic");
	char text[CMDLINE_MAX];
	char path[64];
	const char *argv[COMMAND_MAX + 1] = {NULL};
	size_t len = proc_read(pid, "cmdline", text, sizeof text);
	size_t at = 0;

	for (size_t i = 0; i < COMMAND_MAX && at < len; i++) {
		argv[i] = text + at;
		at += strlen(text + at) + 1;
	}
	const struct bh_profile *found = bh_profiles_match(profiles, argv);

	if (found == generic && len > 0) { // what it is called may be its user's choice
		(void)snprintf(path, sizeof path, "/proc/%d/exe", (int)pid); // always fits
		ssize_t got = readlink(path, text, sizeof text - 1);

		text[got > 0 ? got : 0] = '\0';
		argv[0] = base_name(text);
		argv[1] = NULL;
		found = bh_profiles_match(profiles, argv);
	}
	return found != generic ? found : NULL;
}

// Whether a file that a process has open is a terminal.
static bool file_is_terminal(int folder, const char *name)
{
	static const char ptys[] = "/dev/pts/";
	char target[64] = "";

	return readlinkat(folder, name, target, sizeof target - 1) > 0 &&
	       (strncmp(target, ptys, sizeof ptys - 1) == 0 || strcmp(target, "/dev/tty") == 0);
}

// Whether it reads a terminal: by its standard input or, in a pipeline, by one that it opened itself.
// One that reads a pipe alone shows nothing of its own.
static bool process_reads_terminal(pid_t pid)
{
	char path[64];
	bool is_reader = false;

	(void)snprintf(path, sizeof path, "/proc/%d/fd", (int)pid); // always fits
	DIR *files = opendir(path);
	const struct dirent *file;

	while (files != NULL && !is_reader && (file = readdir(files)) != NULL) {
		bool is_output = strcmp(file->d_name, "1") == 0 || strcmp(file->d_name, "2") == 0;

		is_reader = !is_output && file_is_terminal(dirfd(files), file->d_name);
	}
	if (files != NULL) {
		(void)closedir(files); // read only: nothing can be lost
	}
	return is_reader;
}

// Add the children of @family[@at].
static size_t family_add(pid_t *family, size_t at, size_t count)
{
	char name[64];
	char text[1024];
	const char *word = text;
	char *end = NULL;

	(void)snprintf(name, sizeof name, "task/%d/children", (int)family[at]); // always fits
	(void)proc_read(family[at], name, text, sizeof text);
	for (long pid = strtol(word, &end, 10); end != word && count < FAMILY_MAX;
	     pid = strtol(word, &end, 10)) {
		family[count++] = (pid_t)pid;
		word = end;
	}
	return count;
}

// The agent of a group among a process and all below it.
static const struct bh_profile *family_search(const struct bh_profiles *profiles, pid_t root,
                                              pid_t group, pid_t *pid_out)
{
	pid_t family[FAMILY_MAX] = {root};
	size_t count = root > 0 ? 1 : 0;

	for (size_t i = 0; i < count; i++) {
		const struct bh_profile *found =
			getpgid(family[i]) == group ? process_profile(profiles, family[i]) : NULL;

		if (found != NULL && process_reads_terminal(family[i])) {
			*pid_out = family[i];
			return found;
		}
		count = family_add(family, i, count);
	}
	return NULL;
}

const struct bh_profile *bh_foreground_find(const struct bh_profiles *profiles, pid_t group,
                                            pid_t child, pid_t *pid_out)
{
	const struct bh_profile *found =
		group > 0 ? family_search(profiles, group, group, pid_out) : NULL;

	// The leader of a pipeline's group is its first program, which may be over; the others are the
	// shell's children, as it is.
	return found != NULL || group <= 0 ? found : family_search(profiles, child, group, pid_out);
}

char *bh_foreground_env(pid_t pid, const char *name)
{
	char *text = bh_xmalloc(ENVIRON_MAX);
	size_t len = proc_read(pid, "environ", text, ENVIRON_MAX);
	size_t name_len = strlen(name);
	char *value = NULL;

	for (size_t at = 0; at < len && value == NULL; at += strlen(text + at) + 1) {
		if (strncmp(text + at, name, name_len) == 0 && text[at + name_len] == '=') {
			value = bh_xstrdup(text + at + name_len + 1);
		}
	}
	free(text);
	return value;
}
