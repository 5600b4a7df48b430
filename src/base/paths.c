#include "src/base/paths.h"

#include "src/base/limits.h"
#include "src/base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

bool bh_paths_is_session(const char *name)
{
	size_t len = strlen(name);

	if (len == 0 || len > BH_LIMIT_NAME || !isalnum((unsigned char)name[0])) {
		return false;
	}
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)name[i];

		if (c >= 0x80 || (!isalnum(c) && strchr("._-", c) == NULL)) {
			return false;
		}
	}
	return true;
}

const char *bh_paths_env(const char *const *env, const char *name)
{
	size_t len = strlen(name);

	for (; *env != NULL; env++) {
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=') {
			return *env + len + 1;
		}
	}
	return NULL;
}

// The value of a variable that holds a path: NULL when it is unset or empty, an error when it is
// relative (the server and its clients have different working folders).
static int env_path(const char *const *env, const char *name, const char **out, struct bh_err *err)
{
	const char *value = bh_paths_env(env, name);

	if (value == NULL || value[0] == '\0') {
		*out = NULL;
		return 0;
	}
	if (value[0] != '/') {
		return bh_err_set(err, BH_EINVALID,
		                  "%s must be an absolute path, but is \"%.100s\"", name, value);
	}
	*out = value;
	return 0;
}

// $XDG_RUNTIME_DIR often survives su and sudo; somebody else's is as good as none.
static bool is_own_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

static int runtime_root(const char *const *env, char **out, struct bh_err *err)
{
	const char *ours = NULL;
	const char *xdg = NULL;

	if (env_path(env, "BELLHOP_RUNTIME_DIR", &ours, err) != 0 ||
	    env_path(env, "XDG_RUNTIME_DIR", &xdg, err) != 0) {
		return BH_EINVALID;
	}
	if (ours != NULL) {
		*out = bh_xstrdup(ours);
	} else if (xdg != NULL && is_own_dir(xdg)) {
		*out = bh_xasprintf("%s/bellhop", xdg);
	} else {
		*out = bh_xasprintf("/tmp/bellhop-%lu", (unsigned long)geteuid());
	}
	return 0;
}

static int home_dir(const char *const *env, const char **out, struct bh_err *err)
{
	const struct passwd *entry;

	if (env_path(env, "HOME", out, err) != 0) {
		return BH_EINVALID;
	}
	if (*out == NULL) {
		entry = getpwuid(geteuid());
		*out = entry == NULL || entry->pw_dir[0] != '/' ? NULL : entry->pw_dir;
	}
	if (*out == NULL) {
		return bh_err_set(err, BH_EINVALID, "find the home folder: set HOME");
	}
	return 0;
}

// One of the XDG base folders, with "/bellhop" after it.
static int xdg_root(const char *const *env, const char *variable, const char *below_home,
                    char **out, struct bh_err *err)
{
	const char *base = NULL;
	const char *home = NULL;

	if (env_path(env, variable, &base, err) != 0) {
		return BH_EINVALID;
	}
	if (base != NULL) {
		*out = bh_xasprintf("%s/bellhop", base);
		return 0;
	}
	if (home_dir(env, &home, err) != 0) {
		return BH_EINVALID;
	}
	*out = bh_xasprintf("%s/%s/bellhop", home, below_home);
	return 0;
}

static int state_root(const char *const *env, char **out, struct bh_err *err)
{
	const char *ours = NULL;

	if (env_path(env, "BELLHOP_STATE_DIR", &ours, err) != 0) {
		return BH_EINVALID;
	}
	if (ours != NULL) {
		*out = bh_xstrdup(ours);
		return 0;
	}
	return xdg_root(env, "XDG_STATE_HOME", ".local/state", out, err);
}

static int session_name(const char *session, const char *const *env, char **out, struct bh_err *err)
{
	if (session == NULL) {
		session = bh_paths_env(env, "BELLHOP_SESSION");
	}
	if (session == NULL || session[0] == '\0') {
		session = BH_PATHS_SESSION;
	}
	if (!bh_paths_is_session(session)) {
		return bh_err_set(err, BH_EINVALID,
		                  "session \"%.80s\": a name has 1 to %d letters, digits, '.', '_' "
		                  "or '-' and begins with a letter or digit",
		                  session, BH_LIMIT_NAME);
	}
	*out = bh_xstrdup(session);
	return 0;
}

static int socket_check_len(const char *path, struct bh_err *err)
{
	const size_t max = sizeof(((struct sockaddr_un *)NULL)->sun_path) - 1;

	if (strlen(path) > max) {
		return bh_err_set(err, BH_EINVALID,
		                  "the socket path is %zu bytes long and may have %zu: set "
		                  "BELLHOP_RUNTIME_DIR to a shorter path (%.80s...)",
		                  strlen(path), max, path);
	}
	return 0;
}

int bh_paths_init(struct bh_paths *paths, const char *session, const char *const *env,
                  struct bh_err *err)
{
	const char *config_file = NULL;

	*paths = (struct bh_paths){0};
	if (session_name(session, env, &paths->session, err) != 0 ||
	    env_path(env, "BELLHOP_CONFIG", &config_file, err) != 0 ||
	    runtime_root(env, &paths->runtime_root, err) != 0 ||
	    state_root(env, &paths->state_root, err) != 0 ||
	    xdg_root(env, "XDG_CONFIG_HOME", ".config", &paths->config_dir, err) != 0) {
		bh_paths_clear(paths);
		return BH_EINVALID;
	}
	paths->runtime_dir = bh_xasprintf("%s/%s", paths->runtime_root, paths->session);
	paths->socket = bh_xasprintf("%s/server.sock", paths->runtime_dir);
	paths->keeper_lock = bh_xasprintf("%s/keeper.lock", paths->runtime_dir);
	paths->keeper_state = bh_xasprintf("%s/keeper.state", paths->runtime_dir);
	paths->spool_dir = bh_xasprintf("%s/spool", paths->runtime_dir);
	paths->state_dir = bh_xasprintf("%s/%s", paths->state_root, paths->session);
	paths->mail_db = bh_xasprintf("%s/mail.db", paths->state_dir);
	paths->server_log = bh_xasprintf("%s/server.log", paths->state_dir);
	paths->keeper_log = bh_xasprintf("%s/keeper.log", paths->state_dir);
	paths->profiles_dir = bh_xasprintf("%s/profiles", paths->config_dir);
	paths->config_file = config_file == NULL ? bh_xasprintf("%s/config.json", paths->config_dir)
	                                         : bh_xstrdup(config_file);
	paths->is_config_named = config_file != NULL;
	if (socket_check_len(paths->socket, err) != 0) {
		bh_paths_clear(paths);
		return BH_EINVALID;
	}
	return 0;
}

void bh_paths_clear(struct bh_paths *paths)
{
	free(paths->session);
	free(paths->runtime_root);
	free(paths->runtime_dir);
	free(paths->socket);
	free(paths->keeper_lock);
	free(paths->keeper_state);
	free(paths->spool_dir);
	free(paths->state_root);
	free(paths->state_dir);
	free(paths->mail_db);
	free(paths->server_log);
	free(paths->keeper_log);
	free(paths->config_dir);
	free(paths->profiles_dir);
	free(paths->config_file);
	*paths = (struct bh_paths){0};
}

static int dir_check(const char *path, struct bh_err *err)
{
	struct stat st;

	if (lstat(path, &st) != 0) {
		return bh_err_sys(err, errno, "look at folder %s", path);
	}
	if (!S_ISDIR(st.st_mode)) {
		return bh_err_set(err, BH_EDENIED,
		                  "%s must be a folder, not a link or file: remove it", path);
	}
	if (st.st_uid != geteuid()) {
		return bh_err_set(err, BH_EDENIED,
		                  "%s belongs to another user (uid %lu, you are %lu): set "
		                  "BELLHOP_RUNTIME_DIR or BELLHOP_STATE_DIR to a folder of yours",
		                  path, (unsigned long)st.st_uid, (unsigned long)geteuid());
	}
	if ((st.st_mode & 0077) != 0) {
		return bh_err_set(err, BH_EDENIED,
		                  "%s is open to other users (mode %04o): name a folder that is "
		                  "yours alone, or make this one so with chmod 700",
		                  path, (unsigned)(st.st_mode & 07777));
	}
	return 0;
}

static int mkdir_failed(struct bh_err *err, int error, const char *path)
{
	return bh_err_set(
		err, -error,
		"create folder %s: %s; BELLHOP_RUNTIME_DIR and BELLHOP_STATE_DIR may name "
		"another place",
		path, strerror(error));
}

int bh_paths_make_dir(const char *path, struct bh_err *err)
{
	if (mkdir(path, 0700) != 0 && errno != EEXIST) {
		return mkdir_failed(err, errno, path);
	}
	return dir_check(path, err);
}

// The parents of @path, as mkdir -p; they may be anybody's. A race with another maker is no error.
static int parents_make(const char *path, struct bh_err *err)
{
	char *copy = bh_xstrdup(path);
	int rc = 0;

	for (char *at = strchr(copy + 1, '/'); at != NULL && rc == 0; at = strchr(at + 1, '/')) {
		*at = '\0';
		int error = mkdir(copy, 0700) == 0 ? 0 : errno;

		if (error != 0 && error != EEXIST && access(copy, F_OK) != 0) {
			rc = mkdir_failed(err, error, copy);
		}
		*at = '/';
	}
	free(copy);
	return rc;
}

int bh_paths_make(const struct bh_paths *paths, struct bh_err *err)
{
	const char *const dirs[] = {paths->runtime_root, paths->runtime_dir, paths->spool_dir,
	                            paths->state_root, paths->state_dir};
	int rc = parents_make(paths->runtime_root, err);

	if (rc == 0) {
		rc = parents_make(paths->state_root, err);
	}
	for (size_t i = 0; rc == 0 && i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		rc = bh_paths_make_dir(dirs[i], err);
	}
	return rc;
}

char *bh_paths_self(void)
{
	char path[BH_LIMIT_PATH];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path));

	if (len <= 0 || (size_t)len >= sizeof(path)) {
		return NULL;
	}
	return bh_xmemdup(path, (size_t)len);
}

// "<folder of the running program>/<name>", or NULL.
static char *beside_self(const char *name)
{
	char *self = bh_paths_self();
	char *slash = self == NULL ? NULL : strrchr(self, '/');
	char *path = NULL;

	if (slash != NULL) {
		*slash = '\0';
		path = bh_xasprintf("%s/%s", self, name);
	}
	free(self);
	return path;
}

char *bh_paths_helper(const char *name, const char *const *env, struct bh_err *err)
{
	const char *libexec = NULL;
	char *path;

	if (env_path(env, "BELLHOP_LIBEXECDIR", &libexec, err) != 0) {
		return NULL;
	}
	if (libexec == NULL) {
		path = beside_self(name);
		if (path != NULL && access(path, X_OK) == 0) {
			return path;
		}
		free(path);
		libexec = BH_PKGLIBEXECDIR;
	}
	path = bh_xasprintf("%s/%s", libexec, name);
	if (access(path, X_OK) != 0) {
		(void)bh_err_sys(err, errno, "find program %s (looked for %s)", name, path);
		free(path);
		return NULL;
	}
	return path;
}
