#include "src/server/setup.h"

#include "src/base/json.h"
#include "src/base/mem.h"

#include <stdlib.h>
#include <string.h>

void bh_setup_strings_free(char **strings)
{
	for (size_t i = 0; strings != NULL && strings[i] != NULL; i++) {
		free(strings[i]);
	}
	free(strings);
}

char **bh_setup_strings_dup(const char *const *strings)
{
	size_t count = 0;

	if (strings == NULL) {
		return NULL;
	}
	while (strings[count] != NULL) {
		count++;
	}
	char **copy = bh_xcalloc(count + 1, sizeof *copy);

	for (size_t i = 0; i < count; i++) {
		copy[i] = bh_xstrdup(strings[i]);
	}
	return copy;
}

char *bh_setup_strings_print(char *const *strings)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; strings != NULL && strings[i] != NULL; i++) {
		cJSON_AddItemToArray(array, cJSON_CreateString(strings[i]));
	}
	char *text = bh_json_print(array);

	cJSON_Delete(array);
	return text;
}

char **bh_setup_strings_parse(const char *json)
{
	cJSON *array = json != NULL ? bh_json_parse(json, strlen(json), NULL) : NULL;
	size_t size = cJSON_IsArray(array) ? (size_t)cJSON_GetArraySize(array) : 0;
	char **strings = bh_xcalloc(size + 1, sizeof *strings);
	size_t count = 0;
	const cJSON *item = NULL;

	if (size > 0) {
		cJSON_ArrayForEach(item, array)
		{
			if (cJSON_IsString(item)) {
				strings[count++] = bh_xstrdup(item->valuestring);
			}
		}
	}
	cJSON_Delete(array);
	return strings;
}

void bh_setup_clear(struct bh_setup *setup)
{
	bh_setup_strings_free(setup->argv);
	bh_setup_strings_free(setup->env);
	bh_setup_strings_free(setup->environ_base);
	free(setup->cwd);
	free(setup->profile_name);
	*setup = (struct bh_setup){0};
}

struct bh_setup bh_setup_dup(const struct bh_setup *setup)
{
	struct bh_setup copy = *setup;

	copy.argv = bh_setup_strings_dup((const char *const *)setup->argv);
	copy.env = bh_setup_strings_dup((const char *const *)setup->env);
	copy.environ_base = bh_setup_strings_dup((const char *const *)setup->environ_base);
	copy.cwd = bh_xstrdup(setup->cwd);
	copy.profile_name = bh_xstrdup(setup->profile_name);
	return copy;
}

// Everything that can stand there so far.
static const char extra_resuming[] = "{\"resume\":true}";

char *bh_setup_extra(const struct bh_setup *setup)
{
	return bh_xstrdup(setup->is_resuming ? extra_resuming : "");
}

struct bh_setup bh_setup_from_record(const struct bh_terminal_record *record)
{
	struct bh_setup setup = {
		.argv = bh_setup_strings_parse(record->argv),
		.env = bh_setup_strings_parse(record->env),
		.cwd = bh_xstrdup(record->cwd),
		.respawn = record->respawn,
		.cols = record->cols,
		.rows = record->rows,
		.is_headless = record->is_headless,
		.mode = record->mode,
	};

	setup.is_resuming = record->extra != NULL && strcmp(record->extra, extra_resuming) == 0;
	if (record->profile != NULL && record->profile[0] != '\0') {
		setup.profile_name = bh_xstrdup(record->profile);
	}
	if (record->launched_by[0] != '\0') {
		(void)bh_uuid_parse(record->launched_by, &setup.launched_by); // else: a person
	}
	return setup;
}
