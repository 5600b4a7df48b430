#include "src/bridge/long_line.h"

#include <limits.h>
#include <string.h>

/** Keep a byte of the key or of the id; one too many makes it none. */
static void line_keep(struct bh_long_line *line, char byte)
{
	if (line->depth == 1 && line->is_key) {
		line->key[line->key_len] = byte;
		line->key_len += line->key_len + 1 < sizeof(line->key);
	} else if (line->depth == 1 && line->is_id && line->id_len < sizeof(line->id)) {
		line->id[line->id_len++] = byte;
	}
}

static void take_in_string(struct bh_long_line *line, char byte)
{
	line_keep(line, byte);
	if (line->is_escaped) {
		line->is_escaped = false;
	} else if (byte == '\\') {
		line->is_escaped = true;
	} else if (byte == '"') {
		line->in_string = false;
	}
}

/** A colon or comma of the outermost object. */
static void take_separator(struct bh_long_line *line, char byte)
{
	line->is_id = byte == ':' && line->is_key && line->key_len == 4 &&
	              memcmp(line->key, "\"id\"", 4) == 0;
	line->id_len = line->is_id ? 0 : line->id_len;
	line->is_key = false;
	line->wants_key = byte == ',';
}

static void take_byte(struct bh_long_line *line, char byte)
{
	if (line->in_string) {
		take_in_string(line, byte);
		return;
	}
	switch (byte) {
	case '"':
		line->in_string = true;
		line->is_key = line->depth == 1 && line->wants_key;
		line->key_len = 0;
		line_keep(line, byte);
		break;
	case '{':
	case '[':
		line->depth += line->depth < INT_MAX;
		line->wants_key = line->depth == 1 && byte == '{';
		break;
	case '}':
	case ']':
		line->depth -= line->depth > 0;
		break;
	case ':':
	case ',':
		if (line->depth == 1) {
			take_separator(line, byte);
		}
		break;
	case ' ':
	case '\t':
	case '\r':
		break; // no part of anything
	default:
		line_keep(line, byte);
		break;
	}
}

void bh_long_line_feed(struct bh_long_line *line, struct bh_span bytes)
{
	for (size_t i = 0; i < bytes.len; i++) {
		take_byte(line, bytes.data[i]);
	}
}

cJSON *bh_long_line_id(const struct bh_long_line *line)
{
	cJSON *id = NULL;

	// One that fills its place may go on beyond it: the begin of it is another request's.
	if (line->id_len < sizeof(line->id)) {
		id = cJSON_ParseWithLength(line->id, line->id_len);
	}
	if (cJSON_IsNumber(id) || cJSON_IsString(id)) {
		return id;
	}
	cJSON_Delete(id);
	return NULL;
}
