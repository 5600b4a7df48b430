#include "src/cmd/args.h"

#include "src/base/err.h"
#include "src/base/mem.h"
#include "src/base/nearest.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/** Longest duration taken: a week. */
#define DURATION_MAX_MS (7L * 24 * 3600 * 1000)

static const struct bh_option *table_find(const struct bh_option *table, const char *name,
                                          size_t len)
{
	for (; table != NULL && table->name != NULL; table++) {
		if (strlen(table->name) == len && memcmp(table->name, name, len) == 0) {
			return table;
		}
	}
	return NULL;
}

static const struct bh_option *table_find_letter(const struct bh_option *table, char letter)
{
	for (; table != NULL && table->name != NULL; table++) {
		if (table->letter != '\0' && table->letter == letter) {
			return table;
		}
	}
	return NULL;
}

static const struct bh_option *settings_find(const struct bh_args_settings *settings,
                                             const char *name, size_t len)
{
	const struct bh_option *option = table_find(settings->options, name, len);

	return option != NULL ? option : table_find(settings->common, name, len);
}

/** Whether the text can only be meant as an option: -x..., --word, --word=... */
static bool text_is_option(const char *text)
{
	if (text[0] != '-' || text[1] == '\0') {
		return false;
	}
	if (text[1] != '-') {
		return isalnum((unsigned char)text[1]);
	}
	if (text[2] == '\0') {
		return true;
	}
	for (text += 2; *text != '\0' && *text != '='; text++) {
		if (!isalnum((unsigned char)*text) && *text != '-') {
			return false;
		}
	}
	return true;
}

static int unknown_option(const struct bh_args_settings *settings, const char *name, size_t len,
                          struct bh_err *err)
{
	const char *names[65];
	const struct bh_option *tables[] = {settings->options, settings->common};
	size_t count = 0;
	char *word = bh_xmemdup(name, len);

	for (size_t t = 0; t < 2; t++) {
		for (const struct bh_option *o = tables[t]; o != NULL && o->name != NULL; o++) {
			if (count < 64) {
				names[count++] = o->name;
			}
		}
	}
	names[count] = NULL;

	const char *near = bh_nearest(word, names);
	if (near != NULL) {
		(void)bh_err_set(err, BH_EINVALID, "unknown option --%s; did you mean --%s?", word,
		                 near);
	} else {
		(void)bh_err_set(err, BH_EINVALID, "unknown option --%s", word);
	}
	free(word);
	return BH_EINVALID;
}

static void args_add(struct bh_args *args, const struct bh_option *option, const char *value)
{
	args->values[args->value_count++] = (struct bh_arg_value){.option = option, .value = value};
}

/** One long option at argv[*at]; moves @at past an argument that stands apart. */
static int parse_long(struct bh_args *args, const char *const *argv, int argc, int *at,
                      struct bh_err *err)
{
	const char *name = argv[*at] + 2;
	size_t len = strcspn(name, "=");
	const char *value = name[len] == '=' ? name + len + 1 : NULL;
	const struct bh_option *option = settings_find(&args->settings, name, len);

	if (option == NULL) {
		return unknown_option(&args->settings, name, len, err);
	}
	if (option->argument == NULL && value != NULL) {
		return bh_err_set(err, BH_EINVALID, "option --%s takes no argument", option->name);
	}
	if (option->argument != NULL && value == NULL) {
		if (*at + 1 >= argc) {
			return bh_err_set(err, BH_EINVALID, "option --%s needs an argument: %s",
			                  option->name, option->argument);
		}
		value = argv[++*at];
	}
	args_add(args, option, value);
	return 0;
}

/** The letters of argv[*at], as parse_long(). */
static int parse_short(struct bh_args *args, const char *const *argv, int argc, int *at,
                       struct bh_err *err)
{
	for (const char *letter = argv[*at] + 1; *letter != '\0'; letter++) {
		const struct bh_option *option = table_find_letter(args->settings.options, *letter);

		if (option == NULL) {
			option = table_find_letter(args->settings.common, *letter);
		}
		if (option == NULL) {
			return bh_err_set(err, BH_EINVALID,
			                  "unknown option -%c; put -- before words that begin "
			                  "with a dash",
			                  *letter);
		}
		if (option->argument == NULL) {
			args_add(args, option, NULL);
			continue;
		}
		if (letter[1] != '\0') {
			args_add(args, option, letter + 1);
			return 0;
		}
		if (*at + 1 >= argc) {
			return bh_err_set(err, BH_EINVALID, "option -%c needs an argument: %s",
			                  *letter, option->argument);
		}
		args_add(args, option, argv[++*at]);
		return 0;
	}
	return 0;
}

int bh_args_parse(const struct bh_args_settings *settings, int argc, const char *const *argv,
                  struct bh_args *args_out, struct bh_err *err)
{
	struct bh_args *args = args_out;
	bool is_options = true;
	size_t letters = 0;

	// Every letter of a cluster may be an option of its own.
	for (int i = 0; i < argc; i++) {
		letters += strlen(argv[i]) + 1;
	}
	*args = (struct bh_args){
		.words = bh_xcalloc((size_t)argc + 1, sizeof(*args->words)),
		.values = bh_xcalloc(letters + 1, sizeof(*args->values)),
		.settings = *settings,
	};
	for (int i = 0; i < argc; i++) {
		int rc = 0;

		if (!is_options || !text_is_option(argv[i])) {
			args->words[args->word_count++] = argv[i];
			is_options = is_options && !settings->stops_at_word;
		} else if (strcmp(argv[i], "--") == 0) {
			is_options = false;
		} else if (argv[i][1] == '-') {
			rc = parse_long(args, argv, argc, &i, err);
		} else {
			rc = parse_short(args, argv, argc, &i, err);
		}
		if (rc != 0) {
			return rc;
		}
	}
	return 0;
}

void bh_args_clear(struct bh_args *args)
{
	free(args->words);
	free(args->values);
	*args = (struct bh_args){0};
}

static const struct bh_arg_value *args_find(const struct bh_args *args, const char *name)
{
	if (settings_find(&args->settings, name, strlen(name)) == NULL) {
		BH_BUG("an option was asked for that is in no table");
	}
	for (int i = args->value_count - 1; i >= 0; i--) {
		if (strcmp(args->values[i].option->name, name) == 0) {
			return &args->values[i];
		}
	}
	return NULL;
}

bool bh_args_has(const struct bh_args *args, const char *name)
{
	return args_find(args, name) != NULL;
}

const char *bh_args_get(const struct bh_args *args, const char *name)
{
	const struct bh_arg_value *found = args_find(args, name);

	return found == NULL ? NULL : found->value;
}

const char *bh_args_word(const struct bh_args *args, int index)
{
	return index < args->word_count ? args->words[index] : NULL;
}

int bh_args_size(const char *text, int *cols_out, int *rows_out, struct bh_err *err)
{
	char *end = NULL;
	long cols = strtol(text, &end, 10);
	long rows = 0;

	if (end != text && (*end == 'x' || *end == 'X')) {
		const char *second = end + 1;

		rows = strtol(second, &end, 10);
		if (end == second || *end != '\0') {
			rows = 0;
		}
	}
	if (cols < 2 || cols > 1000 || rows < 2 || rows > 1000) {
		return bh_err_set(err, BH_EINVALID,
		                  "\"%.40s\" is no size; write COLSxROWS, each 2 to 1000, like "
		                  "120x40",
		                  text);
	}
	*cols_out = (int)cols;
	*rows_out = (int)rows;
	return 0;
}

int bh_args_duration(const char *text, long *ms_out, struct bh_err *err)
{
	static const struct {
		const char *unit;
		double ms;
	} units[] = {{"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}};
	char *end = NULL;
	double number = strtod(text, &end);

	for (size_t i = 0; end != text && i < sizeof(units) / sizeof(units[0]); i++) {
		double ms = number * units[i].ms;

		if (strcmp(end, units[i].unit) == 0 && ms >= 0 && ms <= (double)DURATION_MAX_MS) {
			*ms_out = (long)ms;
			return 0;
		}
	}
	return bh_err_set(err, BH_EINVALID,
	                  "\"%.40s\" is no time; write a number with ms, s, m or h, like 30s (at "
	                  "most a week)",
	                  text);
}
