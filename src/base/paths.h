/** @file
 * Where things are: the one place that knows the folders and files of a session.
 *
 *     runtime   $BELLHOP_RUNTIME_DIR, $XDG_RUNTIME_DIR/bellhop or /tmp/bellhop-<uid>; in it <NAME>/
 *     state     $BELLHOP_STATE_DIR, $XDG_STATE_HOME/bellhop or ~/.local/state/bellhop; in it <NAME>/
 *     config    $XDG_CONFIG_HOME/bellhop or ~/.config/bellhop; $BELLHOP_CONFIG: another file of settings
 *
 * The folders are ours alone: mode 0700, owned by the effective user, no symbolic links. Whatever
 * fails this check is refused with words, never repaired.
 */
#ifndef BH_BASE_PATHS_H
#define BH_BASE_PATHS_H

#include "src/base/err.h"

#include <stdbool.h>

/** The session that is meant when none is named. */
#define BH_PATHS_SESSION "default"

/** The paths of a session; all absolute, owned by the struct. */
struct bh_paths {
	/** The session's name. */
	char *session;
	/** The folder of all sessions' runtime folders. */
	char *runtime_root;
	/** The session's runtime folder. */
	char *runtime_dir;
	/** The server's socket. */
	char *socket;
	/** The file whose lock the keeper holds as long as it lives. */
	char *keeper_lock;
	/** Words about a server that could not be kept running; see src/keeper/wire.h. */
	char *keeper_state;
	/** The folder with one spool folder per terminal. */
	char *spool_dir;
	/** The folder of all sessions' state folders. */
	char *state_root;
	/** The session's state folder. */
	char *state_dir;
	/** The mail store. */
	char *mail_db;
	/** The server's log. */
	char *server_log;
	/** The keeper's log. */
	char *keeper_log;
	/** The user's configuration. */
	char *config_dir;
	/** The user's profiles. */
	char *profiles_dir;
	/** The user's settings: src/base/config.h. */
	char *config_file;
	/** They were named by $BELLHOP_CONFIG, so that they should be there. */
	bool is_config_named;
};

/** Whether @name can name a session: [A-Za-z0-9][A-Za-z0-9._-]{0,63}. */
bool bh_paths_is_session(const char *name);

/**
 * Compute the paths of a session; creates nothing.
 *
 * @session
 *         Its name (-S); NULL: $BELLHOP_SESSION of @env, else BH_PATHS_SESSION.
 * @env
 *         The environment (environ).
 * @return
 *         0, or BH_EINVALID: a bad session name, no home folder, a relative path in a variable, or
 *         a runtime path too long for a socket. @paths is then empty.
 */
int bh_paths_init(struct bh_paths *paths, const char *session, const char *const *env,
                  struct bh_err *err);

/** Free the strings; the struct is empty again. */
void bh_paths_clear(struct bh_paths *paths);

/**
 * Create the runtime and state folders (with spool) as far as they are missing, 0700, and check
 * those that exist.
 *
 * @return
 *         0, BH_EDENIED (a folder of another user, open to others, a symbolic link), or -errno.
 */
int bh_paths_make(const struct bh_paths *paths, struct bh_err *err);

/** Create one folder 0700 (its parents must exist) or check it as bh_paths_make() does. */
int bh_paths_make_dir(const char *path, struct bh_err *err);

/** The absolute path of the running program. The caller frees. NULL when /proc is not there. */
char *bh_paths_self(void);

/**
 * The path of a helper program ("bellhop-keeper"): in $BELLHOP_LIBEXECDIR of @env if that is set,
 * else beside the running program (a build tree), else in the installed libexec folder. The caller
 * frees; NULL with @err when it is in none of them.
 */
char *bh_paths_helper(const char *name, const char *const *env, struct bh_err *err);

/** The value of @name in an environment vector, or NULL. Borrowed. */
const char *bh_paths_env(const char *const *env, const char *name);

#endif
