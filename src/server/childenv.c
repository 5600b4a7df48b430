#include "src/server/childenv.h"

#include "src/agent/profile.h"
#include "src/base/mem.h"
#include "src/base/paths.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

// Names that never reach a child, beside those of the profiles. A '*' at the end stands for any rest.
static const char *const scrubbed[] = {
	// Ours: they name the asker's terminal, not the child's.
	"BELLHOP_IDENTITY",
	"BELLHOP_SOCKET",
	"BELLHOP_SPOOL",
	"BELLHOP_TERMINAL",
	"BELLHOP_TOKEN",
	// The asker's terminal or multiplexer. Programs choose escape sequences by these.
	"COLORTERM",
	"COLUMNS",
	"GHOSTTY_*",
	"GNOME_TERMINAL_*",
	"ITERM_*",
	"KITTY_*",
	"KONSOLE_*",
	"LC_TERMINAL",
	"LC_TERMINAL_VERSION",
	"LINES",
	"STY",
	"TERM",
	"TERMCAP",
	"TERMINFO",
	"TERM_PROGRAM",
	"TERM_PROGRAM_VERSION",
	"TERM_SESSION_ID",
	"TMUX",
	"TMUX_PANE",
	"VTE_VERSION",
	"WEZTERM_*",
	"WINDOWID",
	"WT_PROFILE_ID",
	"WT_SESSION",
	"ZELLIJ*",
};

// Set by agents for their tools; a user outside an agent may well have set them on purpose.
static const char *const scrubbed_inside_agent[] = {
	"GH_PAGER", "GIT_EDITOR", "GIT_PAGER", "LC_ALL", "LC_CTYPE", "NO_COLOR", "PAGER",
};

static bool is_match(const char *name, const char *pattern)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*') {
		return strncmp(name, pattern, len - 1) == 0;
	}
	return strcmp(name, pattern) == 0;
}

static bool is_scrubbed(const struct bh_profiles *profiles, const char *name, bool is_inside_agent)
{
	for (size_t i = 0; i < sizeof(scrubbed) / sizeof(scrubbed[0]); i++) {
		if (is_match(name, scrubbed[i])) {
			return true;
		}
	}
	for (size_t i = 0; is_inside_agent && i < sizeof(scrubbed_inside_agent) / sizeof(char *);
	     i++) {
		if (strcmp(name, scrubbed_inside_agent[i]) == 0) {
			return true;
		}
	}
	return bh_profiles_scrub(profiles, name);
}

static bool env_is_inside_agent(const char *const *env)
{
	return bh_paths_env(env, "CLAUDECODE") != NULL ||
	       bh_paths_env(env, "CODEX_THREAD_ID") != NULL;
}

// The vector while it is built.
struct vector {
	char **items;
	size_t count;
};

static size_t name_len(const char *assignment)
{
	return strcspn(assignment, "=");
}

static char **vector_find(const struct vector *vector, const char *name, size_t len)
{
	for (size_t i = 0; i < vector->count; i++) {
		if (strncmp(vector->items[i], name, len) == 0 && vector->items[i][len] == '=') {
			return &vector->items[i];
		}
	}
	return NULL;
}

// Set an assignment; takes @assignment. Text without a name or '=' is no assignment.
static void vector_set(struct vector *vector, char *assignment)
{
	size_t len = name_len(assignment);
	char **old;

	if (len == 0 || assignment[len] != '=') {
		free(assignment);
		return;
	}
	old = vector_find(vector, assignment, len);
	if (old != NULL) {
		free(*old);
		*old = assignment;
		return;
	}
	vector->items = bh_xrealloc(vector->items, vector->count + 2, sizeof(char *));
	vector->items[vector->count++] = assignment;
	vector->items[vector->count] = NULL;
}

static void vector_inherit(struct vector *vector, const struct bh_profiles *profiles,
                           const char *const *base)
{
	bool is_inside_agent = env_is_inside_agent(base);

	for (; *base != NULL; base++) {
		char *name = bh_xmemdup(*base, name_len(*base));

		if (!is_scrubbed(profiles, name, is_inside_agent)) {
			vector_set(vector, bh_xstrdup(*base));
		}
		free(name);
	}
}

// Whether an executable `bellhop` stands in one of the folders of @path.
static bool path_has_bellhop(const char *path)
{
	bool is_found = false;

	while (!is_found && *path != '\0') {
		size_t len = strcspn(path, ":");
		char *file = bh_xasprintf("%.*s/bellhop", (int)len, path);

		is_found = len > 0 && access(file, X_OK) == 0;
		free(file);
		path += len + (path[len] == ':');
	}
	return is_found;
}

static void vector_extend_path(struct vector *vector, const char *program_dir)
{
	char **old = vector_find(vector, "PATH", 4);
	const char *path = old == NULL ? DEFAULT_PATH : *old + 5;

	if (old != NULL && path_has_bellhop(path)) {
		return;
	}
	if (path[0] == '\0') {
		vector_set(vector, bh_xasprintf("PATH=%s", program_dir));
	} else {
		vector_set(vector, bh_xasprintf("PATH=%s:%s", path, program_dir));
	}
}

char **bh_childenv_new(const struct bh_childenv_settings *settings)
{
	struct vector vector = {.items = bh_xcalloc(1, sizeof(char *))};

	vector_inherit(&vector, settings->profiles, settings->base);
	vector_set(&vector, bh_xstrdup("TERM=xterm-256color"));
	vector_set(&vector, bh_xstrdup("COLORTERM=truecolor"));
	for (const char *const *at = settings->extra; at != NULL && *at != NULL; at++) {
		vector_set(&vector, bh_xstrdup(*at));
	}
	vector_set(&vector, bh_xasprintf("BELLHOP_TERMINAL=%s", settings->terminal));
	vector_set(&vector, bh_xasprintf("BELLHOP_IDENTITY=%s", settings->identity));
	vector_set(&vector, bh_xasprintf("BELLHOP_SOCKET=%s", settings->socket));
	vector_set(&vector, bh_xasprintf("BELLHOP_SPOOL=%s", settings->spool));
	vector_set(&vector, bh_xasprintf("BELLHOP_TOKEN=%s", settings->token));
	vector_extend_path(&vector, settings->program_dir);
	return vector.items;
}

void bh_childenv_free(char **env)
{
	for (char **at = env; at != NULL && *at != NULL; at++) {
		free(*at);
	}
	free(env);
}
