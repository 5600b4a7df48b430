#include "tests/faults/fault.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_SIZE 300
#define LINE_SIZE 600
#define POINT_WORD(name, word, meaning) [BH_POINT_##name] = (word),

static const char *const words[] = {BH_DELIVER_POINTS(POINT_WORD)};

static void point_log(const char *path, const char *word)
{
	char log_path[PATH_SIZE];
	FILE *file;

	(void)snprintf(log_path, sizeof(log_path), "%s.log", path);
	file = fopen(log_path, "ae");
	if (file != NULL) {
		(void)fprintf(file, "%s\n", word);
		(void)fclose(file);
	}
}

/** The command for @word, which is taken out of the file; false: there is none. */
static bool fault_take(const char *path, const char *word, char line[LINE_SIZE])
{
	FILE *file = fopen(path, "re");
	size_t len = strlen(word);
	bool is_read;

	if (file == NULL) {
		return false;
	}
	is_read = fgets(line, LINE_SIZE, file) != NULL;
	(void)fclose(file);
	if (!is_read || strncmp(line, word, len) != 0 || line[len] != ' ') {
		return false;
	}
	line[strcspn(line, "\n")] = '\0';
	memmove(line, line + len + 1, strlen(line + len + 1) + 1);
	return unlink(path) == 0;
}

void bh_fault_point(void *user, const struct bh_uuid *terminal, enum bh_deliver_point point)
{
	const char *path = getenv("BELLHOP_TEST_FAULTS");
	char line[LINE_SIZE];

	(void)user;
	(void)terminal;
	if (path == NULL) {
		return;
	}
	point_log(path, words[point]);
	if (!fault_take(path, words[point], line)) {
		return;
	}
	if (strcmp(line, "kill") == 0) {
		(void)kill(getpid(), SIGKILL);
		pause();
	}
	if (system(line) != 0) {
		point_log(path, "failed");
	}
}
