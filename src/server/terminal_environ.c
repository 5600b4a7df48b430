#include "src/server/terminal_environ.h"

#include "src/agent/proof.h"
#include "src/base/buf.h"
#include "src/base/file.h"
#include "src/base/limits.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/base/paths.h"
#include "src/server/childenv.h"
#include "src/server/server.h"

#include <libgen.h>
#include <stdlib.h>
#include <unistd.h>

static char *environ_path(const struct bh_terminal *terminal)
{
	return bh_xasprintf("%s/environ-%s", terminal->server->paths.runtime_dir,
	                    terminal->id_text);
}

void bh_terminal_environ_save(const struct bh_terminal *terminal)
{
	if (terminal->setup.environ_base == NULL) {
		return;
	}
	char *path = environ_path(terminal);
	char *text = bh_setup_strings_print(terminal->setup.environ_base);
	struct bh_err err = {0};

	if (bh_file_replace(path, bh_span_of(text), 0600, BH_FILE_ATOMIC, &err) != 0) {
		bh_log(BH_LOG_WARN, "terminals", terminal->identity,
		       "a successor after a crash will have the server's environment: %s",
		       err.text);
	}
	free(text);
	free(path);
}

void bh_terminal_environ_load(struct bh_terminal *terminal)
{
	char *path = environ_path(terminal);
	struct bh_buf text = {0};

	if (bh_file_read(path, BH_LIMIT_STRINGS_BYTES * 2, &text, NULL) == 0) {
		terminal->setup.environ_base = bh_setup_strings_parse(text.data);
	}
	bh_buf_clear(&text);
	free(path);
}

void bh_terminal_environ_remove(const struct bh_terminal *terminal)
{
	char *path = environ_path(terminal);

	(void)bh_file_remove(path, NULL); // one that stays is swept with the runtime folder
	free(path);
}

char **bh_terminal_environ_build(struct bh_terminal *terminal, const char *const *launch_env)
{
	const struct bh_server *server = terminal->server;
	char *program = bh_xstrdup(server->bellhop_path);
	char *const *own = terminal->setup.env;
	size_t count = 0;

	// The user's own assignments stand last: they win over the profile's.
	for (size_t i = 0; launch_env != NULL && launch_env[i] != NULL; i++) {
		count++;
	}
	for (size_t i = 0; own != NULL && own[i] != NULL; i++) {
		count++;
	}
	const char **extra = bh_xcalloc(count + 1, sizeof *extra);

	count = 0;
	for (size_t i = 0; launch_env != NULL && launch_env[i] != NULL; i++) {
		extra[count++] = launch_env[i];
	}
	for (size_t i = 0; own != NULL && own[i] != NULL; i++) {
		extra[count++] = own[i];
	}
	const struct bh_childenv_settings settings = {
		.profiles = server->profiles,
		.base = terminal->setup.environ_base != NULL
	                        ? (const char *const *)terminal->setup.environ_base
	                        : (const char *const *)environ,
		.extra = extra,
		.terminal = terminal->id_text,
		.identity = terminal->identity,
		.socket = server->paths.socket,
		.spool = terminal->spool_path,
		.token = terminal->token,
		.program_dir = dirname(program),
	};
	char **env = bh_childenv_new(&settings);

	free(extra);
	free(program);
	return env;
}

void bh_terminal_environ_note(struct bh_terminal *terminal, const char *const *env)
{
	const char *variable = bh_proof_folder_variable(terminal->profile);

	free(terminal->home);
	free(terminal->config_folder);
	terminal->home = bh_xstrdup(bh_paths_env(env, "HOME"));
	terminal->config_folder = variable != NULL ? bh_xstrdup(bh_paths_env(env, variable)) : NULL;
}

void bh_terminal_environ_learn(struct bh_terminal *terminal)
{
	char **env = bh_terminal_environ_build(terminal, NULL);

	bh_terminal_environ_note(terminal, (const char *const *)env);
	bh_childenv_free(env);
}
