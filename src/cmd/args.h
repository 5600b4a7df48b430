/** @file
 * A command line against a table of options. Long options (`--size 80x24`, `--size=80x24`), short
 * ones where the table gives a letter (`-S x`, `-Sx`), options and words in any order unless the
 * command says otherwise; `--` ends the options. A lone `-`, and what cannot be an option by its
 * form ("- item", "--- a"), is a word.
 */
#ifndef BH_CMD_ARGS_H
#define BH_CMD_ARGS_H

#include <stdbool.h>
#include <stddef.h>

struct bh_err;

/** An option of a command. */
struct bh_option {
	/** The long name without its dashes; NULL ends a table. */
	const char *name;
	/** The short form, or 0. */
	char letter;
	/** Name of its argument for help ("CxR"); NULL for a flag. */
	const char *argument;
	/** One line of help: no capital, no full stop. */
	const char *help;
};

/** How to parse. */
struct bh_args_settings {
	/** The command's own options; NULL for none. */
	const struct bh_option *options;
	/** Options that every command has; NULL for none. */
	const struct bh_option *common;
	/** The first word ends the options. */
	bool stops_at_word;
};

/** An option found on the command line. */
struct bh_arg_value {
	/** Its entry in the table. */
	const struct bh_option *option;
	/** Its argument, borrowed from argv; NULL for a flag. */
	const char *value;
};

/** A parsed command line. Ends with bh_args_clear(). */
struct bh_args {
	/** The words, borrowed from argv; words[word_count] is NULL. */
	const char **words;
	/** How many. */
	int word_count;
	/** The options in the order given. */
	struct bh_arg_value *values;
	/** How many. */
	int value_count;
	/** The tables, for the check of names asked for. */
	struct bh_args_settings settings;
};

/**
 * Parse @argc strings of @argv (without the command's name). Strings stay owned by the caller.
 *
 * @return
 *         0, or BH_EINVALID with a sentence for the user in @err: unknown option (with the nearest
 *         name), missing or needless argument. @args_out is valid for bh_args_clear() either way.
 */
int bh_args_parse(const struct bh_args_settings *settings, int argc, const char *const *argv,
                  struct bh_args *args_out, struct bh_err *err);

/** Free what bh_args_parse() allocated. */
void bh_args_clear(struct bh_args *args);

/** Whether option @name was given. A name that is in no table is a bug and aborts. */
bool bh_args_has(const struct bh_args *args, const char *name);

/** The argument of option @name, the last if given more than once, or NULL. */
const char *bh_args_get(const struct bh_args *args, const char *name);

/** Word @index, or NULL beyond the last. */
const char *bh_args_word(const struct bh_args *args, int index);

/**
 * Read "COLSxROWS". Both 2 to 1000.
 *
 * @return 0, or BH_EINVALID with words in @err.
 */
int bh_args_size(const char *text, int *cols_out, int *rows_out, struct bh_err *err);

/**
 * Read a time: a number with optional ms, s, m or h; a bare number is seconds. At most a week.
 *
 * @return 0, or BH_EINVALID with words in @err.
 */
int bh_args_duration(const char *text, long *ms_out, struct bh_err *err);

#endif
