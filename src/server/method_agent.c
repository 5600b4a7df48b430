#include "src/agent/profile.h"
#include "src/base/mem.h"
#include "src/server/methods.h"
#include "src/server/server.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Longest search path that is looked through (bytes). */
#define PATH_MAX_BYTES (64 * 1024)

/** Whether a program can be started from @file: an executable that is no folder. */
static bool is_program(const char *file)
{
	struct stat about;

	return stat(file, &about) == 0 && S_ISREG(about.st_mode) && access(file, X_OK) == 0;
}

/** Where @program stands on the search path @path; the caller frees. NULL: nowhere. Relative folders
 * would be those of the server, which is nobody's idea of them. */
static char *path_find(const char *path, const char *program)
{
	while (*path != '\0') {
		size_t len = strcspn(path, ":");
		char *file = bh_xasprintf("%.*s/%s", (int)len, path, program);

		if (path[0] == '/' && is_program(file)) {
			return file;
		}
		free(file);
		path += len + (path[len] == ':');
	}
	return NULL;
}

static void agents_add(cJSON *agents, const struct bh_profile *profile, const char *path)
{
	for (const char *const *at = bh_profile_programs(profile); *at != NULL; at++) {
		char *file = path_find(path, *at);
		cJSON *agent = NULL;

		if (file == NULL) {
			continue;
		}
		agent = cJSON_CreateObject();
		cJSON_AddStringToObject(agent, "profile", bh_profile_name(profile));
		cJSON_AddStringToObject(agent, "program", *at);
		cJSON_AddStringToObject(agent, "path", file);
		cJSON_AddItemToArray(agents, agent);
		free(file);
	}
}

void bh_method_agent_installed(struct bh_request *request)
{
	const struct bh_profiles *profiles = bh_request_server(request)->profiles;
	const char *path = bh_request_string(request, "path");
	cJSON *result = NULL;
	cJSON *agents = NULL;

	if (path == NULL) {
		return;
	}
	if (strlen(path) > PATH_MAX_BYTES) {
		bh_request_fail(request, "limit", "path has more than %d bytes", PATH_MAX_BYTES);
		return;
	}
	result = cJSON_CreateObject();
	agents = cJSON_AddArrayToObject(result, "agents");
	for (size_t i = 0; i < bh_profiles_count(profiles); i++) {
		agents_add(agents, bh_profiles_at(profiles, i), path);
	}
	bh_request_answer(request, result);
}
