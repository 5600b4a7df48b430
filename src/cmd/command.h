/** @file
 * What a subcommand is: one const descriptor per command. Everything that knows commands derives
 * from it: parsing, `bellhop help`, usage errors with "did you mean", the check of the man page.
 *
 * To add a command: write cmd_<name>.c with `const struct bh_command bh_cmd_<name>`, declare it in
 * table.h, list it in table.c, describe it in doc/bellhop.1.
 */
#ifndef BH_CMD_COMMAND_H
#define BH_CMD_COMMAND_H

#include "src/base/words.h"
#include "src/cmd/args.h"

#include <stdbool.h>

struct bh_err;

/** The sections of `bellhop help`, in their order there. */
enum bh_command_group {
	BH_GROUP_TERMINALS,
	BH_GROUP_MAIL,
	BH_GROUP_SESSION,
	BH_GROUP_TOOLS,
	/** Called by programs, not by people; shown only by `help CMD`. */
	BH_GROUP_HIDDEN,
	BH_GROUP_COUNT,
};

struct bh_cmd;

/** A subcommand. All strings are static. */
struct bh_command {
	/** The word on the command line. */
	const char *name;
	/** What follows the options in the usage line: "NAME TEXT"; NULL for nothing. */
	const char *arguments;
	/** One line for the list of commands: a verb phrase, no capital, no full stop. */
	const char *summary;
	/** Paragraphs for `help CMD`, lines of at most 78 columns; NULL for none. */
	const char *help;
	/** The options, ended by an entry without name; NULL for none. */
	const struct bh_option *options;
	/** Where the list of commands shows it. */
	enum bh_command_group group;
	/** Fewest words after the options. */
	int words_min;
	/** Most words after the options; -1 for any number. */
	int words_max;
	/** The first word ends the options (the rest is another program's command line). */
	bool stops_at_word;
	/** Nothing is parsed, `--help` neither: run() looks at argv of struct bh_cmd itself. */
	bool is_raw;
	/** What it does is done before its answer is printed: when that is lost, it was done all the same. */
	bool acts;
	/** Do it. Gives one of enum bh_exit (src/base/words.h), or for hidden programs any exit status. */
	int (*run)(struct bh_cmd *cmd);
};

/** One call of a command. */
struct bh_cmd {
	/** Whose call it is. */
	const struct bh_command *command;
	/** The command line, from the command's name on; argv[argc] is NULL. */
	int argc;
	char **argv;
	/** The same, parsed; empty for a command that is_raw. */
	struct bh_args args;
	/** The session: `-S NAME`, else $BELLHOP_SESSION, else "default". */
	const char *session;
	/** Whether `-S` was given: then the environment of a terminal does not choose the server. */
	bool is_session_given;
};

/** Parse, dispatch, flush. All of the program but main(). Gives the exit status. */
int bh_cmd_main(int argc, char **argv);

/** Print "bellhop CMD: <formatted>", the usage line and where help is; gives BH_EXIT_USAGE. */
int bh_cmd_usage(const struct bh_cmd *cmd, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Whether the command has an option `--json` and it was given. */
bool bh_cmd_is_json(const struct bh_cmd *cmd);

/**
 * Print an error for a person on standard error; where the command has `--json` and it was given,
 * also `{"error":WORD,"message":TEXT}` on standard output. Gives BH_EXIT_FAILED.
 */
int bh_cmd_fail(const struct bh_cmd *cmd, const struct bh_err *err);

#endif
