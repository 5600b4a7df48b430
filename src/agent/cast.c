#include "cast.h"

#include "src/base/buf.h"
#include "src/base/err.h"
#include "src/base/mem.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** Largest size of a recorded terminal. */
#define CAST_SIZE_MAX 1000
/** Longest recording (s): a year, so that times stay far from overflow. */
#define CAST_TIME_MAX 31536000.0

struct bh_cast {
	FILE *in;
	char *name;
	struct bh_buf line;
	int line_number;
	int cols;
	int rows;
	char program[64];
	uint64_t last_ms;
	cJSON *event;
};

/** Read one line without its end: 1, 0 at the end of the file, or a negative code. */
static int cast_line(struct bh_cast *cast, struct bh_err *err)
{
	char block[8192];

	cast->line.len = 0;
	while (fgets(block, sizeof block, cast->in)) {
		size_t len = strlen(block);

		bh_buf_append(&cast->line, block, len);
		if (cast->line.len > BH_CAST_LINE_MAX) {
			return bh_err_set(err, BH_ELIMIT, "%s:%d: longer than %d bytes", cast->name,
			                  cast->line_number + 1, BH_CAST_LINE_MAX);
		}
		if (len > 0 && block[len - 1] == '\n') {
			break;
		}
	}
	if (ferror(cast->in)) {
		return bh_err_sys(err, errno, "read %s", cast->name);
	}
	if (cast->line.len == 0) {
		return 0;
	}
	cast->line_number++;
	return 1;
}

/** Take the first word of a string member, its path cut off. */
static bool cast_take_program(struct bh_cast *cast, const cJSON *head, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(head, key));
	size_t len = text ? strcspn(text, " ") : 0;

	for (size_t i = len; i > 0; i--) {
		if (text[i - 1] == '/') {
			text += i;
			len -= i;
			break;
		}
	}
	if (len == 0 || len >= sizeof cast->program) {
		return false;
	}
	memcpy(cast->program, text, len);
	cast->program[len] = '\0';
	return true;
}

/** A size of the header, or 0. */
static int head_size(const cJSON *head, const char *key)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(head, key);

	return cJSON_IsNumber(value) && value->valuedouble >= 1 &&
	                       value->valuedouble <= CAST_SIZE_MAX
	               ? (int)value->valuedouble
	               : 0;
}

static int cast_read_head(struct bh_cast *cast, struct bh_err *err)
{
	int code = cast_line(cast, err);
	const cJSON *version;
	cJSON *head;

	if (code < 0) {
		return code;
	}
	head = code ? cJSON_ParseWithLength(cast->line.data, cast->line.len) : NULL;
	version = cJSON_GetObjectItemCaseSensitive(head, "version");
	cast->cols = head_size(head, "width");
	cast->rows = head_size(head, "height");
	if (!cJSON_IsNumber(version) || version->valueint != 2 || !cast->cols || !cast->rows) {
		cJSON_Delete(head);
		return bh_err_set(err, BH_EINVALID,
		                  "%s:1: is no asciicast of version 2 with a width and a height",
		                  cast->name);
	}
	if (!cast_take_program(cast, head, "command")) {
		(void)cast_take_program(cast, head, "title");
	}
	cJSON_Delete(head);
	return 0;
}

struct bh_cast *bh_cast_new(FILE *in, const char *name, struct bh_err *err)
{
	struct bh_cast *cast = bh_xmalloc(sizeof *cast);

	cast->in = in;
	cast->name = bh_xstrdup(name);
	if (cast_read_head(cast, err) < 0) {
		bh_cast_free(cast);
		return NULL;
	}
	return cast;
}

void bh_cast_free(struct bh_cast *cast)
{
	if (!cast) {
		return;
	}
	cJSON_Delete(cast->event);
	bh_buf_clear(&cast->line);
	free(cast->name);
	free(cast);
}

int bh_cast_cols(const struct bh_cast *cast)
{
	return cast->cols;
}

int bh_cast_rows(const struct bh_cast *cast)
{
	return cast->rows;
}

const char *bh_cast_program(const struct bh_cast *cast)
{
	return cast->program;
}

int bh_cast_next(struct bh_cast *cast, struct bh_cast_event *event_out, struct bh_err *err)
{
	const cJSON *at;
	const cJSON *kind;
	const cJSON *data;
	int code;

	do {
		code = cast_line(cast, err);
	} while (code > 0 && strspn(cast->line.data, " \t\r\n") == cast->line.len);
	if (code <= 0) {
		return code;
	}
	cJSON_Delete(cast->event);
	cast->event = cJSON_ParseWithLength(cast->line.data, cast->line.len);
	at = cJSON_GetArrayItem(cast->event, 0);
	kind = cJSON_GetArrayItem(cast->event, 1);
	data = cJSON_GetArrayItem(cast->event, 2);
	if (!cJSON_IsNumber(at) || !(at->valuedouble >= 0 && at->valuedouble <= CAST_TIME_MAX) ||
	    !cJSON_IsString(kind) || strlen(kind->valuestring) != 1 || !cJSON_IsString(data)) {
		return bh_err_set(err, BH_EINVALID, "%s:%d: is no event [TIME, KIND, DATA]",
		                  cast->name, cast->line_number);
	}
	event_out->at_ms = (uint64_t)(at->valuedouble * 1000.0 + 0.5);
	// Events written by several threads may be out of order by a hair; time never goes back.
	if (event_out->at_ms < cast->last_ms) {
		event_out->at_ms = cast->last_ms;
	}
	cast->last_ms = event_out->at_ms;
	event_out->kind = kind->valuestring[0];
	event_out->data = data->valuestring;
	event_out->len = strlen(data->valuestring);
	return 1;
}
