#include "src/base/shell_words.h"

#include "src/base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** Signs that mean something to a shell. */
#define SIGNS "|&;<>()$`\\\"'*?[]{}#~!\n"

/** Whether @word is one that a shell carries out by itself. */
static bool is_of_shell(const char *word, size_t len)
{
	static const char *const words[] = {
		".",    ":",      "alias",    "bg",      "break", "case",  "cd",    "command",
		"eval", "exec",   "exit",     "export",  "fg",    "for",   "hash",  "if",
		"jobs", "read",   "readonly", "return",  "set",   "shift", "times", "trap",
		"type", "ulimit", "umask",    "unalias", "unset", "until", "wait",  "while",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i]) == len && memcmp(words[i], word, len) == 0) {
			return true;
		}
	}
	return memchr(word, '=', len) != NULL;
}

/** Copies of @count words (ended by what is none of them) in one piece of memory. */
static char **words_join(const char *const *words, const size_t *lens, size_t count)
{
	size_t size = (count + 1) * sizeof(char *);
	char **argv = NULL;
	char *at = NULL;

	for (size_t i = 0; i < count; i++) {
		size += lens[i] + 1;
	}
	argv = bh_xmalloc(size);
	at = (char *)(argv + count + 1);
	for (size_t i = 0; i < count; i++) {
		argv[i] = memcpy(at, words[i], lens[i]);
		at += lens[i] + 1; // the memory is zeroed
	}
	return argv;
}

char **bh_shell_words(const char *command)
{
	const char *first = command + strspn(command, " \t");
	size_t first_len = strcspn(first, " \t");
	size_t count = 0;
	const char **words = NULL;
	size_t *lens = NULL;
	char **argv = NULL;

	if (first_len == 0 || strpbrk(command, SIGNS) != NULL || is_of_shell(first, first_len)) {
		const char *const shell[] = {"/bin/sh", "-c", command};
		const size_t shell_lens[] = {7, 2, strlen(command)};

		return words_join(shell, shell_lens, 3);
	}
	words = bh_xcalloc(strlen(command) / 2 + 1, sizeof(*words));
	lens = bh_xcalloc(strlen(command) / 2 + 1, sizeof(*lens));
	for (const char *at = first; *at != '\0'; at += strspn(at, " \t")) {
		words[count] = at;
		lens[count] = strcspn(at, " \t");
		at += lens[count++];
	}
	argv = words_join(words, lens, count);
	free(words);
	free(lens);
	return argv;
}
