#include "session_folder.h"

#include "src/base/buf.h"
#include "src/base/file.h"
#include "src/base/mem.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Longest list of projects that is read (bytes). */
#define PROJECTS_MAX (1024 * 1024)
/** Longest first line of a record that is read for the session's id (bytes). */
#define FIRST_LINE_MAX 65536
/** Length of a UUID as text. */
#define UUID_LEN 36

/** pi: "/home/u/proj" has "sessions/--home-u-proj--". */
static char *pi_folder(const char *folder, const char *cwd)
{
	char *name = bh_xstrdup(*cwd == '/' ? cwd + 1 : cwd);
	char *path;

	for (char *at = name; *at; at++) {
		*at = *at == '/' || *at == '\\' || *at == ':' ? '-' : *at;
	}
	path = bh_xasprintf("%s/sessions/--%s--", folder, name);
	free(name);
	return path;
}

/** Gemini CLI: projects.json has the name of the folder below tmp/. */
static char *gemini_folder(const char *folder, const char *cwd)
{
	char *path = bh_xasprintf("%s/projects.json", folder);
	struct bh_buf text = {0};
	cJSON *root = NULL;
	const char *name;

	if (bh_file_read(path, PROJECTS_MAX, &text, NULL) == 0 && text.data) {
		root = cJSON_ParseWithLength(text.data, text.len);
	}
	free(path);
	bh_buf_clear(&text);
	name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
		cJSON_GetObjectItemCaseSensitive(root, "projects"), cwd));
	path = name && *name && *name != '.' && !strchr(name, '/')
	               ? bh_xasprintf("%s/tmp/%s/chats", folder, name)
	               : NULL;
	cJSON_Delete(root);
	return path;
}

char *bh_session_folder(enum bh_proof_kind kind, const char *folder, const char *cwd)
{
	switch (kind) {
	case BH_PROOF_KIND_PI:
		return pi_folder(folder, cwd);
	case BH_PROOF_KIND_GEMINI:
		return gemini_folder(folder, cwd);
	case BH_PROOF_KIND_NONE:
	case BH_PROOF_KIND_CLAUDE:
	case BH_PROOF_KIND_CODEX:
	case BH_PROOF_KIND_SCREEN:
	case BH_PROOF_KIND_OPENCODE:
		break;
	}
	return NULL;
}

/** What the first line of a record tells as @key; "" when it does not. */
static void first_line_member(const char *record, const char *key, char out[BH_SESSION_ID_SIZE])
{
	struct bh_buf head = {0};
	cJSON *root = NULL;

	if (bh_file_read_head(record, FIRST_LINE_MAX, &head, NULL) == 0) {
		root = cJSON_ParseWithLength(head.data, strcspn(head.data, "\n"));
	}

	const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, key));

	(void)snprintf(out, BH_SESSION_ID_SIZE, "%s", id ? id : "");
	cJSON_Delete(root);
	bh_buf_clear(&head);
}

bool bh_session_id(enum bh_proof_kind kind, const char *record, char id_out[BH_SESSION_ID_SIZE])
{
	const char *slash = strrchr(record, '/');
	const char *name = slash ? slash + 1 : record;
	const char *end = strrchr(name, '.');
	const char *start = end ? end : name;
	char id[BH_SESSION_ID_SIZE] = "";

	end = start;
	switch (kind) {
	case BH_PROOF_KIND_CLAUDE:
		start = name;
		break;
	case BH_PROOF_KIND_CODEX:
		start = end - name > UUID_LEN ? end - UUID_LEN : end;
		break;
	case BH_PROOF_KIND_PI:
		while (start > name && start[-1] != '_') {
			start--;
		}
		break;
	case BH_PROOF_KIND_GEMINI:
		first_line_member(record, "sessionId", id);
		break;
	case BH_PROOF_KIND_OPENCODE:
		end = name + strlen(name);
		start = strrchr(name, '#') ? strrchr(name, '#') + 1 : end;
		break;
	case BH_PROOF_KIND_NONE:
	case BH_PROOF_KIND_SCREEN:
		break;
	}
	if (start < end) {
		(void)snprintf(id, sizeof id, "%.*s", (int)(end - start), start);
	}
	if (!*id || *id == '-' || strlen(id) == sizeof id - 1 ||
	    strspn(id, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_.") !=
	            strlen(id)) {
		return false;
	}
	memcpy(id_out, id, sizeof id);
	return true;
}

char *bh_session_store(const char *record)
{
	const char *mark = strrchr(record, '#');

	return mark ? bh_xmemdup(record, (size_t)(mark - record)) : NULL;
}
