#include "profile.h"

#include "profile_data.h"
#include "src/base/buf.h"
#include "src/base/err.h"
#include "src/base/file.h"
#include "src/base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/** Largest profile file (bytes). */
#define PROFILE_FILE_MAX (1024 * 1024)
/** Most profile files of a user. */
#define PROFILE_FILES_MAX 200

struct bh_profiles {
	struct bh_profile **list;
	size_t count;
};

/** Index of the profile of that name, or count. */
static size_t profiles_index(const struct bh_profiles *set, const char *name)
{
	size_t i = 0;

	while (i < set->count && strcmp(set->list[i]->name, name) != 0) {
		i++;
	}
	return i;
}

/** Put @profile into the set; one of the same name is replaced. */
static void profiles_put(struct bh_profiles *set, struct bh_profile *profile)
{
	size_t at = profiles_index(set, profile->name);

	if (at < set->count) {
		bh_profile_free(set->list[at]);
		set->list[at] = profile;
		return;
	}
	set->list = bh_xrealloc(set->list, set->count + 1, sizeof(struct bh_profile *));
	set->list[set->count++] = profile;
}

/** Read the user's file @name of @folder, whose profile must have the file's name. */
static struct bh_profile *file_profile(const char *folder, const char *name, struct bh_err *err)
{
	char *path = bh_xasprintf("%s/%s", folder, name);
	size_t stem = strlen(name) - strlen(".json");
	struct bh_profile *profile = NULL;
	struct bh_buf text = {0};

	if (bh_file_read(path, PROFILE_FILE_MAX, &text, err) == 0) {
		profile = bh_profile_read(text.data ? text.data : "", text.len, path, err);
	}
	if (profile && (strlen(profile->name) != stem || strncmp(profile->name, name, stem) != 0)) {
		(void)bh_err_set(err, BH_EINVALID,
		                 "%s:1: profile: \"%.40s\" is not the file's name", path,
		                 profile->name);
		bh_profile_free(profile);
		profile = NULL;
	}
	bh_buf_clear(&text);
	free(path);
	return profile;
}

static int file_is_profile(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return entry->d_name[0] != '.' && len > 5 && strcmp(entry->d_name + len - 5, ".json") == 0;
}

static void profiles_add_folder(struct bh_profiles *set, const char *folder,
                                bh_profiles_report *report, void *user)
{
	struct dirent **entries = NULL;
	struct bh_err err = {0};
	int count = scandir(folder, &entries, file_is_profile, alphasort);

	if (count < 0) {
		if (errno != ENOENT && report) {
			(void)bh_err_sys(&err, errno, "read profiles in %s", folder);
			report(&err, user);
		}
		return;
	}
	for (int i = 0; i < count; i++) {
		struct bh_profile *profile = NULL;

		err = (struct bh_err){0};
		if (i < PROFILE_FILES_MAX) {
			profile = file_profile(folder, entries[i]->d_name, &err);
		} else {
			(void)bh_err_set(&err, BH_ELIMIT, "%s: has more than %d profiles", folder,
			                 PROFILE_FILES_MAX);
		}
		if (profile) {
			profiles_put(set, profile);
		} else if (report) {
			report(&err, user);
		}
		free(entries[i]);
	}
	free(entries);
}

static int profile_compare(const void *a, const void *b)
{
	return strcmp((*(struct bh_profile *const *)a)->name,
	              (*(struct bh_profile *const *)b)->name);
}

struct bh_profiles *bh_profiles_load(const char *folder, bh_profiles_report *report, void *user)
{
	struct bh_profiles *set = bh_xmalloc(sizeof *set);

	for (const struct bh_profile_source *at = bh_profile_builtin; at->name; at++) {
		struct bh_err err = {0};
		struct bh_profile *profile =
			bh_profile_read((const char *)at->bytes, at->len, "built-in", &err);

		if (profile) {
			profiles_put(set, profile);
		} else {
			BH_BUG(err.text);
		}
	}
	if (folder) {
		profiles_add_folder(set, folder, report, user);
	}
	qsort(set->list, set->count, sizeof(struct bh_profile *), profile_compare);
	return set;
}

void bh_profiles_free(struct bh_profiles *set)
{
	if (!set) {
		return;
	}
	for (size_t i = 0; i < set->count; i++) {
		bh_profile_free(set->list[i]);
	}
	free(set->list);
	free(set);
}

const struct bh_profile *bh_profiles_find(const struct bh_profiles *set, const char *name)
{
	size_t at = profiles_index(set, name);

	return at < set->count ? set->list[at] : NULL;
}

int bh_profiles_fail_unknown(const struct bh_profiles *set, const char *name, struct bh_err *err)
{
	struct bh_buf names = {0};

	for (size_t i = 0; i < set->count; i++) {
		bh_buf_printf(&names, "%s%s", i > 0 ? ", " : "", bh_profile_name(set->list[i]));
	}
	(void)bh_err_set(err, BH_EINVALID, "there is no profile %.60s; there are %s", name,
	                 names.data != NULL ? names.data : "none");
	bh_buf_clear(&names);
	return BH_EINVALID;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool texts_have(char *const *texts, const char *text)
{
	for (; *texts; texts++) {
		if (strcmp(*texts, text) == 0) {
			return true;
		}
	}
	return false;
}

/** Programs that run the program named after them. */
static bool is_launcher(const char *name)
{
	static const char *const launchers[] = {"env",    "node",  "nodejs", "bun",    "nice",
	                                        "ionice", "nohup", "setsid", "stdbuf", "timeout"};

	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
		if (strcmp(launchers[i], name) == 0) {
			return true;
		}
	}
	return false;
}

const struct bh_profile *bh_profiles_match(const struct bh_profiles *set, const char *const *argv)
{
	bool is_launched = false;

	for (; *argv; argv++) {
		const char *name = base_name(*argv);

		for (size_t i = 0; i < set->count; i++) {
			if (texts_have(set->list[i]->programs, name)) {
				return set->list[i];
			}
		}
		// After a launcher its options, settings and numbers (`timeout 5`) are passed over.
		if (is_launcher(name)) {
			is_launched = true;
		} else if (!is_launched || !(**argv == '-' || strchr(*argv, '=') ||
		                             strspn(*argv, "0123456789.smh"))) {
			break;
		}
	}
	return bh_profiles_find(set, "generic");
}

bool bh_profiles_scrub(const struct bh_profiles *set, const char *name)
{
	for (size_t i = 0; i < set->count; i++) {
		if (texts_have(set->list[i]->scrub, name)) {
			return true;
		}
	}
	return false;
}

size_t bh_profiles_count(const struct bh_profiles *set)
{
	return set->count;
}

const struct bh_profile *bh_profiles_at(const struct bh_profiles *set, size_t index)
{
	return set->list[index];
}

const char *bh_profile_name(const struct bh_profile *profile)
{
	return profile->name;
}

const struct bh_typing_rules *bh_profile_typing(const struct bh_profile *profile)
{
	return &profile->typing;
}

bool bh_profile_counts_clusters(const struct bh_profile *profile)
{
	return profile->counts_clusters;
}

bool bh_profile_has_hooks(const struct bh_profile *profile)
{
	return profile->launch == BH_LAUNCH_KIND_CLAUDE;
}

bool bh_profile_has_shared_daemon(const struct bh_profile *profile)
{
	return profile->has_shared_daemon;
}

bool bh_profile_can_resume(const struct bh_profile *profile)
{
	return profile->resume.words != NULL;
}

const char *bh_profile_notice_advice(const struct bh_profile *profile)
{
	return profile->advice;
}

const char *const *bh_profile_programs(const struct bh_profile *profile)
{
	return (const char *const *)profile->programs;
}

bool bh_profile_knows_process(const struct bh_profile *profile, const char *process_name)
{
	return texts_have(profile->programs, process_name) ||
	       texts_have(profile->processes, process_name);
}
