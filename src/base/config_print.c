// The settings as a file: every key with its explanation and its value.
#include "src/base/config.h"
#include "src/base/json.h"

#include <cjson/cJSON.h>
#include <string.h>

/** Columns of a line of explanation. */
#define COLS 78

/** A comment of as many lines as it needs. */
static void print_help(struct bh_buf *out, const char *indent, const char *text)
{
	size_t used = COLS;
	bool is_first = true;

	while (*text != '\0') {
		size_t word = strcspn(text, " ");

		if (used + 1 + word > COLS) {
			bh_buf_printf(out, "%s%s//", is_first ? "" : "\n", indent);
			used = strlen(indent) * 8 + 2;
			is_first = false;
		}
		bh_buf_printf(out, " %.*s", (int)word, text);
		used += 1 + word;
		text += word + strspn(text + word, " ");
	}
	bh_buf_puts(out, "\n");
}

static void print_string(struct bh_buf *out, const char *text)
{
	cJSON *string = cJSON_CreateString(text);
	char *json = bh_json_print(string);

	bh_buf_puts(out, json);
	cJSON_free(json);
	cJSON_Delete(string);
}

static void print_keys(struct bh_buf *out, const struct bh_config_bindings *keys)
{
	bh_buf_puts(out, "{");
	for (size_t i = 0; i < keys->count;) {
		const char *action = keys->items[i].action;
		const char *before = "";

		bh_buf_puts(out, i == 0 ? "\n\t\t" : ",\n\t\t");
		print_string(out, action);
		bh_buf_puts(out, ": [");
		for (; i < keys->count && strcmp(keys->items[i].action, action) == 0; i++) {
			bh_buf_puts(out, before);
			print_string(out, keys->items[i].key);
			before = ", ";
		}
		bh_buf_puts(out, "]");
	}
	bh_buf_puts(out, keys->count > 0 ? "\n\t}" : "}");
}

static void print_size(struct bh_buf *out, const struct bh_config_size *size)
{
	if (size->cols > 0) {
		bh_buf_printf(out, "\"%dx%d\"", size->cols, size->rows);
	} else {
		bh_buf_printf(out, "\"%s\"", size->policy);
	}
}

static void print_value(struct bh_buf *out, const struct bh_config_row *row, const void *field)
{
	char prefix[BH_CONFIG_PREFIX_NAME];

	switch (row->type) {
	case BH_CONFIG_BOOL:
		bh_buf_puts(out, *(const bool *)field ? "true" : "false");
		break;
	case BH_CONFIG_NUMBER:
		bh_buf_printf(out, "%d", *(const int *)field);
		break;
	case BH_CONFIG_WORD:
		print_string(out, row->words[*(const int *)field]);
		break;
	case BH_CONFIG_TEXT:
		print_string(out, *(char *const *)field);
		break;
	case BH_CONFIG_PREFIX:
		bh_config_prefix_name(*(const int *)field, prefix);
		print_string(out, prefix);
		break;
	case BH_CONFIG_KEYS:
		print_keys(out, field);
		break;
	case BH_CONFIG_SIZE:
		print_size(out, field);
		break;
	}
}

void bh_config_print(const struct bh_config *config, struct bh_buf *out)
{
	size_t count = 0;
	const struct bh_config_row *rows = bh_config_table(&count);
	size_t group = 0; // length of the name of the object that is open

	bh_buf_puts(out, "{\n");
	for (size_t i = 0; i < count; i++) {
		const struct bh_config_row *row = &rows[i];
		const char *dot = strchr(row->name, '.');
		size_t part = dot == NULL ? 0 : (size_t)(dot - row->name);

		if (group != part) {
			bh_buf_puts(out, group > 0 ? "\t},\n" : "");
			group = part;
			if (part > 0) {
				bh_buf_printf(out, "\t\"%.*s\": {\n", (int)part, row->name);
			}
		}
		print_help(out, part > 0 ? "\t\t" : "\t", row->help);
		bh_buf_printf(out, "%s\"%s\": ", part > 0 ? "\t\t" : "\t",
		              part > 0 ? dot + 1 : row->name);
		print_value(out, row, (const char *)config + row->offset);
		bh_buf_puts(out, ",\n");
	}
	bh_buf_puts(out, group > 0 ? "\t},\n}\n" : "}\n");
}
