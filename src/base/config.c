#include "src/base/config.h"

#include "src/base/file.h"
#include "src/base/json.h"
#include "src/base/json_place.h"
#include "src/base/json_relaxed.h"
#include "src/base/limits.h"
#include "src/base/mem.h"
#include "src/base/nearest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Longest text and longest name of a key or action (bytes). */
#define TEXT_MAX 4096
#define NAME_MAX_LEN 64
/** Most keys of one action. */
#define KEYS_MAX 16
/** Most names of actions that are looked at. */
#define ACTIONS_MAX 256
/** Characters besides letters that make a prefix with control. */
#define PREFIX_SIGNS " \\]^_"
/** What is Tab, line feed and Enter with control. */
#define PREFIX_NO_CONTROL "ijm"

// ------------------------------------------------------------------------------- the table

static const char *const mode_keys_words[] = {"auto", "emacs", "vi", NULL};
static const char *const clipboard_words[] = {"ask", "allow", "deny", NULL};
static const char *const truecolor_words[] = {"auto", "on", "off", NULL};

#define AT(field) offsetof(struct bh_config, field)

static const struct bh_config_row rows[] = {
	{
		.name = "prefix",
		.type = BH_CONFIG_PREFIX,
		.offset = AT(prefix),
		.text = "\"C-b\"",
		.help = "The key before all keys of the UI. Pressed twice it goes to the program.",
	},
	{
		.name = "keys",
		.type = BH_CONFIG_KEYS,
		.offset = AT(keys),
		.text = "{}",
		.help = "Keys after the prefix, by action; bellhop(1) lists the actions with "
			"their keys. An action named here has only the keys given: one, many in "
			"[ ], or none with \"\". A key given here is taken from the action that "
			"had it.",
	},
	{
		.name = "direct_keys",
		.type = BH_CONFIG_KEYS,
		.offset = AT(direct_keys),
		.text = "{}",
		.help = "Keys that do an action without the prefix; programs never see them. They "
			"have C-, M- or S- or a name, like M-Left or F5.",
	},
	{
		.name = "mouse",
		.type = BH_CONFIG_BOOL,
		.offset = AT(mouse),
		.text = "true",
		.help = "The mouse is used: focus, tabs, borders, wheel, selection, links. Without "
			"it, only programs that ask for the mouse get it.",
	},
	{
		.name = "sidebar",
		.type = BH_CONFIG_BOOL,
		.offset = AT(sidebar),
		.text = "true",
		.help = "The sidebar of agents is there at the start, where there is room for it.",
	},
	{
		.name = "sidebar_columns",
		.type = BH_CONFIG_NUMBER,
		.offset = AT(sidebar_columns),
		.min = 18,
		.max = 36,
		.is_zero_allowed = true,
		.text = "0",
		.help = "How wide the sidebar is; 0: by the width of the terminal. A width that you "
			"drag it to holds until this is changed.",
	},
	{
		.name = "mode_keys",
		.type = BH_CONFIG_WORD,
		.offset = AT(mode_keys),
		.words = mode_keys_words,
		.text = "\"auto\"",
		.help = "Whose keys copy mode has; auto: vi's when VISUAL or EDITOR names a vi, else "
			"those of emacs.",
	},
	{
		.name = "history_lines",
		.type = BH_CONFIG_NUMBER,
		.offset = AT(history_lines),
		.min = 100,
		.max = 1000000,
		.text = "10000",
		.help = "How many lines that left its screen a terminal keeps. Terminals that run "
			"already keep as many as when they were started.",
	},
	{
		.name = "clipboard",
		.type = BH_CONFIG_WORD,
		.offset = AT(clipboard),
		.words = clipboard_words,
		.text = "\"ask\"",
		.help = "Whether a program may put text into your clipboard (OSC 52). With ask the "
			"status line says so, and the key of allow-clipboard lets it. What you "
			"copy yourself always goes there.",
	},
	{
		.name = "notify.bell",
		.type = BH_CONFIG_BOOL,
		.offset = AT(notify.bell),
		.text = "true",
		.help = "The bell rings when an agent that is not in view waits for you, is done, or "
			"has mail that it was told of in vain (parked).",
	},
	{
		.name = "notify.osc9",
		.type = BH_CONFIG_BOOL,
		.offset = AT(notify.osc9),
		.text = "true",
		.help = "The terminal is asked to show a notification then (OSC 9).",
	},
	{
		.name = "notify.command",
		.type = BH_CONFIG_TEXT,
		.offset = AT(notify.command),
		.text = "\"\"",
		.help = "A command for sh that is run then, with BELLHOP_IDENTITY, BELLHOP_STATE "
			"(awaiting, done or parked) and BELLHOP_TERMINAL in its environment. Of several UIs the one used "
			"last runs it.",
	},
	{
		.name = "size_policy",
		.type = BH_CONFIG_SIZE,
		.offset = AT(size_policy),
		.text = "\"latest\"",
		.help = "Which size the panes have when many look at the session: that of the "
			"client used last, of the smallest one, or a fixed one.",
	},
	{
		.name = "link_command",
		.type = BH_CONFIG_TEXT,
		.offset = AT(link_command),
		.text = "\"\"",
		.help = "A command for sh that opens a link that was clicked with control held; "
			"the address is in BELLHOP_LINK. Without one the address is copied.",
	},
	{
		.name = "default_command",
		.type = BH_CONFIG_TEXT,
		.offset = AT(default_command),
		.text = "\"\"",
		.help = "A command for sh that new tabs and splits run in place of your shell.",
	},
	{
		.name = "child_awaiting_minutes",
		.type = BH_CONFIG_NUMBER,
		.offset = AT(child_awaiting_minutes),
		.min = 1,
		.max = 10080,
		.is_zero_allowed = true,
		.text = "10",
		.help = "When an agent that another agent started waits for a person's decision so "
			"long, its starter gets mail about it; 0: never.",
	},
	{
		.name = "truecolor",
		.type = BH_CONFIG_WORD,
		.offset = AT(truecolor),
		.words = truecolor_words,
		.text = "\"auto\"",
		.help = "Whether your terminal takes direct colours; auto: ask it. Else the "
			"nearest of 256 are drawn.",
	},
	{
		.name = "escape_ms",
		.type = BH_CONFIG_NUMBER,
		.offset = AT(escape_ms),
		.min = 1,
		.max = 1000,
		.text = "40",
		.help = "So many milliseconds an Escape waits whether it begins a sequence. More "
			"is for slow connections.",
	},
};

#undef AT

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

const struct bh_config_row *bh_config_table(size_t *count_out)
{
	*count_out = ROW_COUNT;
	return rows;
}

void bh_config_allowed(const struct bh_config_row *row, struct bh_buf *out)
{
	switch (row->type) {
	case BH_CONFIG_BOOL:
		bh_buf_puts(out, "true or false");
		break;
	case BH_CONFIG_NUMBER:
		bh_buf_printf(out, "a whole number from %d to %d%s", row->min, row->max,
		              row->is_zero_allowed ? ", or 0" : "");
		break;
	case BH_CONFIG_WORD:
		for (size_t i = 0; row->words[i] != NULL; i++) {
			bh_buf_printf(out, "%s\"%s\"",
			              i == 0                      ? ""
			              : row->words[i + 1] == NULL ? " or "
			                                          : ", ",
			              row->words[i]);
		}
		break;
	case BH_CONFIG_TEXT:
		bh_buf_puts(out, "a text");
		break;
	case BH_CONFIG_PREFIX:
		bh_buf_puts(out, "\"C-\" and a letter (but i, j, m), Space or one of \\ ] ^ _, or "
		                 "\"M-\" and a letter");
		break;
	case BH_CONFIG_KEYS:
		bh_buf_puts(out, "an object of actions with a key or an array of keys each");
		break;
	case BH_CONFIG_SIZE:
		bh_buf_puts(out, "\"latest\", \"smallest\" or a size like \"120x40\"");
		break;
	}
}

// --------------------------------------------------------------------------------- reading

/** A file that is being read. */
struct reader {
	struct bh_config *config;
	const struct bh_config_source *source;
	/** Its text, without comments. */
	struct bh_buf text;
	/** How many faults were found. */
	int faults;
};

/** Report a fault of which @err has the words, in line @line (0: of the file). */
static void complain_at(struct reader *reader, int line, struct bh_err *err)
{
	reader->faults++;
	if (line > 0) {
		(void)bh_err_prefix(err, "%s:%d", reader->source->path, line);
	}
	if (reader->source->report != NULL) {
		reader->source->report(err, reader->source->user);
	}
}

/** Report that the value at @place is not what it must be. */
static void complain(struct reader *reader, const char *place, struct bh_err *err)
{
	complain_at(reader, bh_json_place_line(reader->text.data, reader->text.len, place), err);
}

/** The words for a value of the wrong kind. */
static void refuse(struct reader *reader, const struct bh_config_row *row)
{
	struct bh_buf allowed = {0};
	struct bh_err err = {0};

	bh_config_allowed(row, &allowed);
	(void)bh_err_set(&err, BH_EINVALID, "%s must be %s", row->name, allowed.data);
	complain(reader, row->name, &err);
	bh_buf_clear(&allowed);
}

/** Report a name that nobody knows; @names may be the near ones. */
static void complain_name(struct reader *reader, const char *place, const char *what,
                          const char *const *names)
{
	const char *name = strrchr(place, '.') == NULL ? place : strrchr(place, '.') + 1;
	const char *near = bh_nearest(name, names);
	struct bh_err err = {0};

	if (near != NULL) {
		(void)bh_err_set(&err, BH_EINVALID,
		                 "there is no %s \"%.60s\"; did you mean \"%s\"?", what, name,
		                 near);
	} else {
		(void)bh_err_set(&err, BH_EINVALID, "there is no %s \"%.60s\"; %s", what, name,
		                 strcmp(what, "key") == 0 ? "bellhop(5) lists them"
		                                          : "bellhop(1) lists them");
	}
	complain(reader, place, &err);
}

static bool is_number_within(const cJSON *value, int min, int max)
{
	return cJSON_IsNumber(value) && value->valuedouble >= min && value->valuedouble <= max &&
	       value->valuedouble == (double)(int)value->valuedouble;
}

static bool take_number(const struct bh_config_row *row, const cJSON *value, int *out)
{
	bool is_zero = row->is_zero_allowed && is_number_within(value, 0, 0);

	if (!is_zero && !is_number_within(value, row->min, row->max)) {
		return false;
	}
	*out = (int)value->valuedouble;
	return true;
}

static bool take_word(const struct bh_config_row *row, const cJSON *value, int *out)
{
	for (int i = 0; cJSON_IsString(value) && row->words[i] != NULL; i++) {
		if (strcmp(row->words[i], value->valuestring) == 0) {
			*out = i;
			return true;
		}
	}
	return false;
}

static bool take_text(const cJSON *value, char **out)
{
	if (!cJSON_IsString(value) || strlen(value->valuestring) > TEXT_MAX) {
		return false;
	}
	free(*out);
	*out = bh_xstrdup(value->valuestring);
	return true;
}

static bool take_prefix(const cJSON *value, int *out)
{
	const char *text = cJSON_IsString(value) ? value->valuestring : "";
	bool is_one = strlen(text) == 3 && text[1] == '-';
	bool is_letter = is_one && text[2] >= 'a' && text[2] <= 'z';

	if (strcmp(text, "C-Space") == 0) {
		*out = ' ';
	} else if (is_one && text[0] == 'C' &&
	           (is_letter ? strchr(PREFIX_NO_CONTROL, text[2]) == NULL
	                      : strchr(PREFIX_SIGNS, text[2]) != NULL)) {
		*out = (unsigned char)text[2];
	} else if (is_letter && text[0] == 'M') {
		*out = (unsigned char)text[2] | BH_CONFIG_PREFIX_ALT;
	} else {
		return false;
	}
	return true;
}

void bh_config_prefix_name(int prefix, char *out)
{
	const char *modifier = (prefix & BH_CONFIG_PREFIX_ALT) != 0 ? "M-" : "C-";

	if (prefix == ' ') {
		(void)snprintf(out, BH_CONFIG_PREFIX_NAME, "C-Space");
	} else {
		(void)snprintf(out, BH_CONFIG_PREFIX_NAME, "%s%c", modifier, (char)(prefix & 0x7f));
	}
}

/** One side of a screen at *@at, moved behind it; 0: there is none, or it is too small or large. */
static int take_side(const char **at)
{
	char *end = NULL;
	long side = strtol(*at, &end, 10);
	bool is_number = end != *at && **at >= '0' && **at <= '9';

	*at = end;
	return is_number && side >= BH_LIMIT_SCREEN_MIN && side <= BH_LIMIT_SCREEN_MAX ? (int)side
	                                                                               : 0;
}

bool bh_config_size_parse(const char *text, struct bh_config_size *size_out)
{
	static const char *const words[] = {"latest", "smallest"};
	const char *at = text;
	int cols = 0;
	int rows_wanted = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], text) == 0) {
			*size_out = (struct bh_config_size){.policy = words[i]};
			return true;
		}
	}
	cols = take_side(&at);
	if (cols == 0 || *at != 'x') {
		return false;
	}
	at++;
	rows_wanted = take_side(&at);
	if (rows_wanted == 0 || *at != '\0') {
		return false;
	}
	*size_out = (struct bh_config_size){.policy = "fixed", .cols = cols, .rows = rows_wanted};
	return true;
}

// ------------------------------------------------------------------------------------ keys

static void bindings_clear(struct bh_config_bindings *bindings)
{
	for (size_t i = 0; i < bindings->count; i++) {
		free(bindings->items[i].action);
		free(bindings->items[i].key);
	}
	free(bindings->items);
	*bindings = (struct bh_config_bindings){0};
}

static void bindings_add(struct bh_config_bindings *bindings, const char *action, const char *key)
{
	bindings->items =
		bh_xrealloc(bindings->items, bindings->count + 1, sizeof(bindings->items[0]));
	bindings->items[bindings->count++] =
		(struct bh_config_binding){.action = bh_xstrdup(action), .key = bh_xstrdup(key)};
}

/** The action that has @key already, or NULL. */
static const char *bindings_find(const struct bh_config_bindings *bindings, const char *key)
{
	for (size_t i = 0; i < bindings->count; i++) {
		if (key[0] != '\0' && strcmp(bindings->items[i].key, key) == 0) {
			return bindings->items[i].action;
		}
	}
	return NULL;
}

/** One key of an action. */
static void take_key(struct reader *reader, struct bh_config_bindings *keys, const char *action,
                     const char *place, const cJSON *value)
{
	const struct bh_config_names *names = reader->source->names;
	const char *key = cJSON_IsString(value) ? value->valuestring : NULL;
	const char *before = NULL;
	struct bh_err err = {0};

	if (key == NULL) {
		(void)bh_err_set(&err, BH_EINVALID, "%s must be a key or an array of keys", place);
	} else if (key[0] != '\0' && names != NULL && names->is_key != NULL &&
	           !names->is_key(key)) {
		(void)bh_err_set(&err, BH_EINVALID,
		                 "%s: there is no key \"%.40s\"; a key is a character or a name "
		                 "like Up, Space, PageUp, with C-, M- or S- before it",
		                 place, key);
	} else if (key[0] != '\0' && keys == &reader->config->direct_keys && names != NULL &&
	           names->is_direct_key != NULL && !names->is_direct_key(key)) {
		(void)bh_err_set(&err, BH_EINVALID,
		                 "%s: programs need the key \"%.40s\"; one without the prefix has "
		                 "C-, M- or S- before it or a name like F5",
		                 place, key);
	} else if ((before = bindings_find(keys, key)) != NULL) {
		(void)bh_err_set(&err, BH_EINVALID, "%s: %.40s is the key of %.60s already", place,
		                 key, before);
	} else {
		bindings_add(keys, action, key);
		return;
	}
	complain(reader, place, &err);
}

/** The keys of one action. */
static void take_action(struct reader *reader, struct bh_config_bindings *keys, const char *place,
                        const cJSON *value)
{
	const char *action = value->string;
	const cJSON *item = NULL;
	int index = 0;

	if (!cJSON_IsArray(value) || cJSON_GetArraySize(value) > KEYS_MAX) {
		take_key(reader, keys, action, place, value);
		return;
	}
	if (cJSON_GetArraySize(value) == 0) {
		bindings_add(keys, action, "");
	}
	cJSON_ArrayForEach(item, value)
	{
		char *item_place = bh_xasprintf("%s.%d", place, index++);

		take_key(reader, keys, action, item_place, item);
		free(item_place);
	}
}

/** Whether there is an action of that name; else it is complained of. */
static bool check_action(struct reader *reader, const char *place, const char *name)
{
	const struct bh_config_names *names = reader->source->names;
	const char *known[ACTIONS_MAX + 1] = {0};

	for (size_t i = 0; names != NULL && names->action_at != NULL && i < ACTIONS_MAX; i++) {
		known[i] = names->action_at(i);
		if (known[i] == NULL) {
			complain_name(reader, place, "action", known);
			return false;
		}
		if (strcmp(known[i], name) == 0) {
			break;
		}
	}
	return true;
}

static bool take_keys(struct reader *reader, const struct bh_config_row *row, const cJSON *object)
{
	struct bh_config_bindings *keys = (void *)((char *)reader->config + row->offset);
	const cJSON *value = NULL;

	if (!cJSON_IsObject(object)) {
		return false;
	}
	cJSON_ArrayForEach(value, object)
	{
		char *place = bh_xasprintf("%s.%.*s", row->name, NAME_MAX_LEN, value->string);

		if (check_action(reader, place, value->string)) {
			take_action(reader, keys, place, value);
		}
		free(place);
	}
	return true;
}

// ------------------------------------------------------------------------------- the whole

/** Take a value; false: it is not what the row allows. */
static bool take_value(struct reader *reader, const struct bh_config_row *row, const cJSON *value)
{
	void *field = (char *)reader->config + row->offset;

	switch (row->type) {
	case BH_CONFIG_BOOL:
		if (cJSON_IsBool(value)) {
			*(bool *)field = cJSON_IsTrue(value);
		}
		return cJSON_IsBool(value);
	case BH_CONFIG_NUMBER:
		return take_number(row, value, field);
	case BH_CONFIG_WORD:
		return take_word(row, value, field);
	case BH_CONFIG_TEXT:
		return take_text(value, field);
	case BH_CONFIG_PREFIX:
		return take_prefix(value, field);
	case BH_CONFIG_KEYS:
		return take_keys(reader, row, value);
	case BH_CONFIG_SIZE:
		return cJSON_IsString(value) && bh_config_size_parse(value->valuestring, field);
	}
	return false;
}

static const struct bh_config_row *row_named(const char *name)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (strcmp(rows[i].name, name) == 0) {
			return &rows[i];
		}
	}
	return NULL;
}

/**
 * The names there are within an object: what is before the first dot of rows that begin with
 * @prefix, after it. @out has room for ROW_COUNT + 1; the names are to be freed.
 */
static void names_within(const char *prefix, char **out)
{
	size_t len = strlen(prefix);
	size_t count = 0;

	for (size_t i = 0; i < ROW_COUNT; i++) {
		const char *name = rows[i].name + len;
		size_t part = 0;

		if (strncmp(rows[i].name, prefix, len) != 0) {
			continue;
		}
		part = strcspn(name, ".");
		if (count == 0 || strlen(out[count - 1]) != part ||
		    strncmp(out[count - 1], name, part) != 0) {
			out[count++] = bh_xmemdup(name, part);
		}
	}
	out[count] = NULL;
}

static void complain_unknown(struct reader *reader, const char *prefix, const char *place)
{
	char *names[ROW_COUNT + 1];

	names_within(prefix, names);
	complain_name(reader, place, "key", (const char *const *)names);
	for (size_t i = 0; names[i] != NULL; i++) {
		free(names[i]);
	}
}

/** Whether rows stand in an object of that name. */
static bool is_group(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (strncmp(rows[i].name, name, len) == 0 && rows[i].name[len] == '.') {
			return true;
		}
	}
	return false;
}

/** The members of an object; @prefix is "" or the object's name with a dot. */
static void take_object(struct reader *reader, const cJSON *object, const char *prefix)
{
	const cJSON *value = NULL;

	cJSON_ArrayForEach(value, object)
	{
		char *name = bh_xasprintf("%s%.*s", prefix, NAME_MAX_LEN, value->string);
		const struct bh_config_row *row = row_named(name);
		struct bh_err err = {0};

		if (cJSON_GetObjectItemCaseSensitive(object, value->string) != value) {
			(void)bh_err_set(&err, BH_EINVALID, "%s is given twice", name);
			complain(reader, name, &err);
		} else if (row != NULL) {
			if (!take_value(reader, row, value)) {
				refuse(reader, row);
			}
		} else if (prefix[0] == '\0' && is_group(name) && cJSON_IsObject(value)) {
			char *inner = bh_xasprintf("%s.", name);

			take_object(reader, value, inner);
			free(inner);
		} else if (prefix[0] == '\0' && is_group(name)) {
			(void)bh_err_set(&err, BH_EINVALID, "%s must be an object ({...})", name);
			complain(reader, name, &err);
		} else {
			complain_unknown(reader, prefix, name);
		}
		free(name);
	}
}

static int line_at(const struct reader *reader, size_t at)
{
	int line = 1;

	for (size_t i = 0; i < at && i < reader->text.len; i++) {
		line += reader->text.data[i] == '\n';
	}
	return line;
}

/** Whether there is nothing but blanks; a file of comments alone is as good as none. */
static bool is_blank(const struct bh_buf *text)
{
	return text->len == 0 || strspn(text->data, " \t\r\n") == text->len;
}

/** The file as an object; NULL: there is none, or it was complained of. */
static cJSON *read_object(struct reader *reader)
{
	struct bh_err err = {0};
	size_t at = 0;
	cJSON *object = NULL;
	int rc = bh_file_read(reader->source->path, BH_CONFIG_FILE_MAX, &reader->text, &err);

	if (rc == -ENOENT && !reader->source->is_needed) {
		return NULL;
	}
	if (rc != 0) {
		complain_at(reader, 0, &err);
		return NULL;
	}
	rc = bh_json_relaxed_plain(reader->text.data, reader->text.len, &at, &err);
	if (rc == 0 && is_blank(&reader->text)) {
		return NULL;
	}
	if (rc == 0) {
		object = bh_json_parse_at(reader->text.data, reader->text.len, &at, &err);
	}
	if (object != NULL && !cJSON_IsObject(object)) {
		(void)bh_err_set(&err, BH_EINVALID, "the settings must be one object ({...})");
		cJSON_Delete(object);
		object = NULL;
		at = 0;
	}
	if (object == NULL) {
		complain_at(reader, line_at(reader, at), &err);
	}
	return object;
}

void bh_config_init(struct bh_config *config)
{
	struct bh_config_source source = {.path = "defaults"};
	struct reader reader = {.config = config, .source = &source};

	*config = (struct bh_config){0};
	for (size_t i = 0; i < ROW_COUNT; i++) {
		cJSON *value = bh_json_parse(rows[i].text, strlen(rows[i].text), NULL);

		if (value == NULL || !take_value(&reader, &rows[i], value)) {
			BH_BUG("a default is not what its row allows");
		}
		cJSON_Delete(value);
	}
}

void bh_config_clear(struct bh_config *config)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (rows[i].type == BH_CONFIG_TEXT) {
			free(*(char **)(void *)((char *)config + rows[i].offset));
		}
	}
	bindings_clear(&config->keys);
	bindings_clear(&config->direct_keys);
	*config = (struct bh_config){0};
}

int bh_config_load(struct bh_config *config, const struct bh_config_source *source)
{
	struct reader reader = {.config = config, .source = source};
	cJSON *object = NULL;

	bh_config_clear(config);
	bh_config_init(config);
	object = read_object(&reader);
	if (object != NULL) {
		take_object(&reader, object, "");
	}
	cJSON_Delete(object);
	bh_buf_clear(&reader.text);
	return reader.faults;
}
