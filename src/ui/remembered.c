#include "src/ui/remembered.h"

#include "src/base/file.h"
#include "src/base/json.h"
#include "src/ui/scene.h"

#include <stdlib.h>
#include <string.h>

/** Longest file that is read (bytes). */
#define FILE_MAX 4096

void bh_remembered_load(struct bh_remembered *remembered, const char *path)
{
	struct bh_buf text = {0};
	cJSON *object = NULL;
	int64_t columns = 0;
	int64_t configured = 0;

	*remembered = (struct bh_remembered){0};
	if (bh_file_read(path, FILE_MAX, &text, NULL) == 0) {
		object = bh_json_parse_object(text.data, text.len, NULL);
	}
	if (object != NULL &&
	    bh_json_opt_int(object, "sidebar_columns", BH_SCENE_SIDEBAR_MIN, BH_SCENE_SIDEBAR_MAX,
	                    &columns, NULL) == 0 &&
	    bh_json_opt_int(object, "sidebar_configured", 0, BH_SCENE_SIDEBAR_MAX, &configured,
	                    NULL) == 0) {
		remembered->sidebar_columns = (int)columns;
		remembered->sidebar_configured = (int)configured;
	}
	cJSON_Delete(object);
	bh_buf_clear(&text);
}

int bh_remembered_save(const struct bh_remembered *remembered, const char *path, struct bh_err *err)
{
	cJSON *object = cJSON_CreateObject();
	char *text = NULL;
	int rc = 0;

	if (remembered->sidebar_columns > 0) {
		(void)cJSON_AddNumberToObject(object, "sidebar_columns",
		                              remembered->sidebar_columns);
		(void)cJSON_AddNumberToObject(object, "sidebar_configured",
		                              remembered->sidebar_configured);
	}
	text = bh_json_print(object);
	rc = bh_file_replace(path, bh_span_of(text), 0600, BH_FILE_ATOMIC, err);
	free(text);
	cJSON_Delete(object);
	return rc;
}
