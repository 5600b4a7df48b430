#include "src/server/keepsake.h"

#include "src/base/file.h"
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/base/mem.h"
#include "src/server/server.h"

#include <stdlib.h>

// Longest file that is read (bytes).
#define FILE_MAX (1024 * 1024)

static char *keepsake_path(const struct bh_server *server, const char *name)
{
	return bh_xasprintf("%s/%s", server->paths.runtime_dir, name);
}

void bh_keepsake_save(const struct bh_server *server, const char *name, const char *what,
                      cJSON *json)
{
	char *path = keepsake_path(server, name);
	char *text = bh_json_print(json);
	struct bh_err err = {0};

	if (bh_file_replace(path, bh_span_of(text), 0600, BH_FILE_ATOMIC, &err) != 0) {
		bh_log(BH_LOG_WARN, "server", "", "%s will not survive a restart: %s", what,
		       err.text);
	}
	free(text);
	free(path);
	cJSON_Delete(json);
}

cJSON *bh_keepsake_load(const struct bh_server *server, const char *name)
{
	char *path = keepsake_path(server, name);
	struct bh_buf text = {0};
	cJSON *json = NULL;

	if (bh_file_read(path, FILE_MAX, &text, NULL) == 0) {
		json = bh_json_parse(text.data, text.len, NULL);
	}
	bh_buf_clear(&text);
	free(path);
	if (!cJSON_IsArray(json)) {
		cJSON_Delete(json);
		json = cJSON_CreateArray();
	}
	return json;
}
