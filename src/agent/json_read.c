#include "json_read.h"

#include "src/base/buf.h"
#include "src/base/err.h"
#include "src/base/json_place.h"
#include "src/base/mem.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cJSON *bh_json_read_start(struct bh_json_reader *reader, const char *origin,
                                 const char *text, size_t len, struct bh_err *err)
{
	const char *end = NULL;
	cJSON *tree = cJSON_ParseWithLengthOpts(text, len, &end, false);
	int line = 1;

	*reader = (struct bh_json_reader){.origin = origin, .text = text, .len = len, .err = err};
	for (const char *at = text; end && at < end && at < text + len; at++) {
		line += *at == '\n' ? 1 : 0;
	}
	if (!tree) {
		reader->has_failed = true;
		(void)bh_err_set(err, BH_EINVALID, "%s:%d: not valid JSON", origin, line);
		return NULL;
	}
	while (end && end < text + len && strchr(" \t\r\n", *end)) {
		end++;
	}
	if (end < text + len) {
		reader->has_failed = true;
		(void)bh_err_set(err, BH_EINVALID, "%s:%d: something follows the JSON value",
		                 origin, line);
		cJSON_Delete(tree);
		return NULL;
	}
	return tree;
}

void bh_json_read_fail(struct bh_json_reader *reader, const char *key, const char *format, ...)
{
	struct bh_buf words = {0};
	size_t mark;
	va_list args;

	if (reader->has_failed) {
		return;
	}
	va_start(args, format);
	bh_buf_vprintf(&words, format, args);
	va_end(args);
	mark = bh_json_read_enter(reader, key ? key : "", 0);
	(void)bh_err_set(reader->err, BH_EINVALID, "%s:%d: %s: %s", reader->origin,
	                 bh_json_place_line(reader->text, reader->len, reader->path),
	                 *reader->path ? reader->path : "profile", words.data);
	bh_json_read_leave(reader, mark);
	bh_buf_clear(&words);
	reader->has_failed = true;
}

size_t bh_json_read_enter(struct bh_json_reader *reader, const char *key, int index)
{
	size_t mark = strlen(reader->path);
	size_t room = sizeof reader->path - mark;
	const char *dot = mark ? "." : "";

	if (!key) {
		(void)snprintf(reader->path + mark, room, "%s%d", dot, index);
	} else if (*key) {
		(void)snprintf(reader->path + mark, room, "%s%s", dot, key);
	}
	return mark;
}

void bh_json_read_leave(struct bh_json_reader *reader, size_t mark)
{
	reader->path[mark] = '\0';
}

void bh_json_read_only(struct bh_json_reader *reader, const struct cJSON *object,
                       const char *const *keys)
{
	const cJSON *member = NULL;

	if (!cJSON_IsObject(object)) {
		bh_json_read_fail(reader, NULL, "must be an object");
		return;
	}
	cJSON_ArrayForEach(member, object)
	{
		size_t i = 0;

		while (keys[i] && strcmp(keys[i], member->string) != 0) {
			i++;
		}
		if (!keys[i]) {
			bh_json_read_fail(reader, member->string, "no such key");
			return;
		}
	}
}

/** The member @key, or NULL when it is not there or the reader has failed. */
static const cJSON *reader_member(const struct bh_json_reader *reader, const cJSON *object,
                                  const char *key)
{
	return reader->has_failed ? NULL : cJSON_GetObjectItemCaseSensitive(object, key);
}

const char *bh_json_read_text(struct bh_json_reader *reader, const struct cJSON *object,
                              const char *key, const char *fallback)
{
	const cJSON *value = reader_member(reader, object, key);

	if (!value) {
		return fallback;
	}
	if (!cJSON_IsString(value)) {
		bh_json_read_fail(reader, key, "must be a string");
		return fallback;
	}
	return value->valuestring;
}

int bh_json_read_number(struct bh_json_reader *reader, const struct cJSON *object, const char *key,
                        const int range[2], int fallback)
{
	const cJSON *value = reader_member(reader, object, key);

	if (!value) {
		return fallback;
	}
	if (!cJSON_IsNumber(value) || value->valuedouble < range[0] ||
	    value->valuedouble > range[1] || floor(value->valuedouble) != value->valuedouble) {
		bh_json_read_fail(reader, key, "must be a whole number from %d to %d", range[0],
		                  range[1]);
		return fallback;
	}
	return (int)value->valuedouble;
}

bool bh_json_read_bool(struct bh_json_reader *reader, const struct cJSON *object, const char *key,
                       bool fallback)
{
	const cJSON *value = reader_member(reader, object, key);

	if (!value) {
		return fallback;
	}
	if (!cJSON_IsBool(value)) {
		bh_json_read_fail(reader, key, "must be true or false");
		return fallback;
	}
	return cJSON_IsTrue(value);
}

const struct cJSON *bh_json_read_array(struct bh_json_reader *reader, const struct cJSON *object,
                                       const char *key)
{
	const cJSON *value = reader_member(reader, object, key);

	if (value && !cJSON_IsArray(value)) {
		bh_json_read_fail(reader, key, "must be a list");
		return NULL;
	}
	return value;
}

const struct cJSON *bh_json_read_object(struct bh_json_reader *reader, const struct cJSON *object,
                                        const char *key)
{
	const cJSON *value = reader_member(reader, object, key);

	if (value && !cJSON_IsObject(value)) {
		bh_json_read_fail(reader, key, "must be an object");
		return NULL;
	}
	return value;
}

char **bh_json_read_texts(struct bh_json_reader *reader, const struct cJSON *object,
                          const char *key)
{
	const cJSON *list = bh_json_read_array(reader, object, key);
	char **texts = bh_xcalloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *texts);
	const cJSON *item = NULL;
	size_t count = 0;

	cJSON_ArrayForEach(item, list)
	{
		if (!cJSON_IsString(item)) {
			bh_json_read_fail(reader, key, "must be a list of strings");
			break;
		}
		texts[count++] = bh_xstrdup(item->valuestring);
	}
	return texts;
}

int bh_json_read_word(struct bh_json_reader *reader, const struct cJSON *object, const char *key,
                      const char *const *words, int fallback)
{
	const char *word = bh_json_read_text(reader, object, key, NULL);
	struct bh_buf known = {0};

	if (!word) {
		return fallback;
	}
	for (int i = 0; words[i]; i++) {
		if (strcmp(words[i], word) == 0) {
			bh_buf_clear(&known);
			return i;
		}
		bh_buf_printf(&known, "%s%s", i ? ", " : "", words[i]);
	}
	bh_json_read_fail(reader, key, "\"%.40s\" is not one of %s", word, known.data);
	bh_buf_clear(&known);
	return fallback;
}
