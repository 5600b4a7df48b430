#include "src/cmd/checkup.h"

#include "src/agent/profile.h"
#include "src/base/config.h"
#include "src/base/fd.h"
#include "src/base/mem.h"
#include "src/client/start.h"
#include "src/ui/bindings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/** Less room than this is soon none (bytes). */
#define ROOM_MIN (UINT64_C(100) * 1024 * 1024)

/** What others may do with a file of ours. */
struct place {
	const char *path;
	/** These bits must not be set. */
	mode_t forbidden;
	/** A file that may be missing. */
	bool is_optional;
};

static void check_place(struct bh_checkup *checkup, const struct place *place)
{
	struct bh_finding finding = {
		.check = "permissions", .level = BH_FINDING_PROBLEM, .about = place->path};
	struct stat facts;

	if (lstat(place->path, &facts) != 0) {
		bool is_missing = errno == ENOENT || errno == ENOTDIR;

		// Without a server the folders below may not be made yet: that is not what is wrong.
		if (!is_missing || (checkup->is_reached && !place->is_optional)) {
			finding.advice = "make it, or set BELLHOP_RUNTIME_DIR and "
					 "BELLHOP_STATE_DIR to folders of yours";
			bh_checkup_say(checkup, &finding, "%s", strerror(errno));
		}
		return;
	}
	if (S_ISLNK(facts.st_mode) && place->forbidden == 077) {
		finding.advice = "put a folder or file there instead of the link";
		bh_checkup_say(checkup, &finding, "it is a symbolic link");
	} else if (facts.st_uid != geteuid()) {
		finding.advice = "have its owner remove it, or set BELLHOP_RUNTIME_DIR and "
				 "BELLHOP_STATE_DIR to folders of yours";
		bh_checkup_say(checkup, &finding, "it belongs to user id %u, not to you",
		               (unsigned)facts.st_uid);
	} else if (!S_ISLNK(facts.st_mode) && (facts.st_mode & place->forbidden) != 0) {
		char *advice = bh_xasprintf("chmod go-%s '%s'",
		                            place->forbidden == 022 ? "w" : "rwx", place->path);

		finding.advice = advice;
		bh_checkup_say(checkup, &finding, "others may %s it (mode %03o)",
		               place->forbidden == 022 ? "change" : "use",
		               (unsigned)facts.st_mode & 0777);
		free(advice);
	}
}

static void check_places(struct bh_checkup *checkup)
{
	const struct bh_paths *paths = &checkup->session.paths;
	const struct place places[] = {
		{paths->runtime_root, 077, false}, {paths->runtime_dir, 077, false},
		{paths->spool_dir, 077, false},    {paths->state_root, 077, false},
		{paths->state_dir, 077, false},    {paths->mail_db, 077, true},
		{paths->server_log, 077, true},    {paths->keeper_log, 077, true},
		{paths->config_dir, 022, true},    {paths->config_file, 022, true},
		{paths->profiles_dir, 022, true},
	};
	int before = checkup->findings.problems;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		check_place(checkup, &places[i]);
	}
	if (checkup->findings.problems == before) {
		bh_checkup_say(checkup, &(struct bh_finding){.check = "permissions"},
		               "folders and files are yours alone");
	}
}

static void check_room(struct bh_checkup *checkup)
{
	const char *path = checkup->session.paths.state_dir;
	struct statvfs facts;
	uint64_t room = 0;

	if (statvfs(path, &facts) != 0) {
		return; // its permissions say more
	}
	room = (uint64_t)facts.f_bavail * facts.f_frsize;
	if (room < ROOM_MIN) {
		bh_checkup_say(checkup,
		               &(struct bh_finding){.check = "disk",
		                                    .level = BH_FINDING_WARNING,
		                                    .about = path,
		                                    .advice = "free disk space: without any, mail "
		                                              "cannot be stored"},
		               "%.0f MiB are left", (double)room / 1048576);
	}
}

static void on_config_fault(const struct bh_err *err, void *user)
{
	const char *advice = err->code == -ENOENT
	                             ? "BELLHOP_CONFIG names no file: `bellhop config show >FILE` "
	                               "makes one; the defaults hold until then"
	                             : "mend the line; its default holds until then";

	bh_checkup_say(user,
	               &(struct bh_finding){
			       .check = "settings", .level = BH_FINDING_WARNING, .advice = advice},
	               "%s", err->text);
}

static void on_profile_fault(const struct bh_err *err, void *user)
{
	bh_checkup_say(user,
	               &(struct bh_finding){.check = "profile",
	                                    .level = BH_FINDING_WARNING,
	                                    .advice =
	                                            "mend the file; until then it is left out, and "
	                                            "the built-in profile of that name holds"},
	               "%s", err->text);
}

static void check_settings(struct bh_checkup *checkup)
{
	const struct bh_paths *paths = &checkup->session.paths;
	struct bh_config_source source = {.path = paths->config_file,
	                                  .is_needed = paths->is_config_named,
	                                  .names = &bh_bindings_names,
	                                  .report = on_config_fault,
	                                  .user = checkup};
	struct bh_config config;

	bh_config_init(&config);
	(void)bh_config_load(&config, &source); // each fault was reported
	bh_config_clear(&config);
	bh_profiles_free(bh_profiles_load(paths->profiles_dir, on_profile_fault, checkup));
}

/** Whether a session's folder is all that is left of it: no keeper holds its lock. */
static bool is_dead(const char *folder)
{
	char *path = bh_xasprintf("%s/keeper.lock", folder);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool is_free = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0;

	free(path);
	bh_fd_close(&fd);
	return is_free;
}

/** A session that ended in order leaves no socket. */
static void check_session(struct bh_checkup *checkup, const char *name)
{
	char *folder = bh_xasprintf("%s/%s", checkup->session.paths.runtime_root, name);
	char *path = bh_xasprintf("%s/server.sock", folder);

	if (access(path, F_OK) == 0 && is_dead(folder)) {
		char *advice = bh_xasprintf("`bellhop -S %s server start` takes it up again, `rm "
		                            "'%s'` removes it",
		                            name, path);

		bh_checkup_say(checkup,
		               &(struct bh_finding){.check = "stale",
		                                    .level = BH_FINDING_WARNING,
		                                    .about = path,
		                                    .advice = advice},
		               "the session %s ended without removing it", name);
		free(advice);
	}
	free(path);
	free(folder);
}

static void check_sessions(struct bh_checkup *checkup)
{
	DIR *dir = opendir(checkup->session.paths.runtime_root);
	const struct dirent *entry = NULL;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (bh_paths_is_session(entry->d_name) &&
		    strcmp(entry->d_name, checkup->session.paths.session) != 0) {
			check_session(checkup, entry->d_name);
		}
	}
	if (dir != NULL) {
		(void)closedir(dir); // was only read
	}
}

void bh_checkup_files(struct bh_checkup *checkup)
{
	check_places(checkup);
	check_room(checkup);
	check_settings(checkup);
	check_sessions(checkup);
}
