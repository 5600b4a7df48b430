#include "status_file.h"

#include "profile_data.h"
#include "src/base/buf.h"
#include "src/base/file.h"
#include "src/base/mem.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Largest status file (bytes). */
#define STATUS_FILE_MAX 65536
/** Size of a session's id, its NUL included. */
#define STATUS_SESSION_SIZE 64

bool bh_status_file_exists(const struct bh_profile *profile)
{
	return profile->proof == BH_PROOF_KIND_CLAUDE;
}

/** Field 22 of /proc/PID/stat, the start time, as text. */
static bool process_start(pid_t pid, char *out, size_t size)
{
	struct bh_buf text = {0};
	char path[64];
	const char *at;
	bool is_found = false;

	(void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	// /proc files have no size, but bh_file_read() reads to the end.
	if (bh_file_read(path, STATUS_FILE_MAX, &text, NULL) == 0) {
		at = strrchr(text.data, ')'); // the name before it may hold anything
		for (int field = 2; at && field < 22; field++) {
			at = strchr(at + 1, ' ');
		}
		if (at) {
			(void)snprintf(out, size, "%.*s", (int)strcspn(at + 1, " \n"), at + 1);
			is_found = true;
		}
	}
	bh_buf_clear(&text);
	return is_found;
}

static void member_copy(const cJSON *object, const char *key, char *out, size_t size)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

	(void)snprintf(out, size, "%s", text ? text : "");
}

bool bh_status_file_read(const char *folder, pid_t pid, struct bh_status_file *file_out,
                         char *session_out)
{
	char *path = bh_xasprintf("%s/sessions/%ld.json", folder, (long)pid);
	struct bh_buf text = {0};
	cJSON *root = NULL;
	char told[32] = "";
	char real[32] = "";
	bool is_own;

	if (bh_file_read(path, STATUS_FILE_MAX, &text, NULL) == 0 && text.data) {
		root = cJSON_ParseWithLength(text.data, text.len);
	}
	member_copy(root, "procStart", told, sizeof told);
	// A file without start time is taken: the pid is right, and it can only veto or agree. One of a
	// process that is gone may have been left behind by an even older one of that pid.
	is_own = cJSON_IsObject(root) &&
	         (!*told || (process_start(pid, real, sizeof real) && strcmp(told, real) == 0));
	if (is_own) {
		member_copy(root, "status", file_out->status, sizeof file_out->status);
		member_copy(root, "waitingFor", file_out->waiting_for,
		            sizeof file_out->waiting_for);
		if (session_out) {
			member_copy(root, "sessionId", session_out, STATUS_SESSION_SIZE);
		}
	}
	cJSON_Delete(root);
	bh_buf_clear(&text);
	free(path);
	return is_own;
}
