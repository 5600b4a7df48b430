/** @file
 * What a terminal is started with: kept for a successor, in memory and, so that it survives the
 * server, in the terminal's record in the store and (an environment may hold secrets and is worthless
 * after a reboot) in a file of the session's runtime folder.
 */
#ifndef BH_SERVER_SETUP_H
#define BH_SERVER_SETUP_H

#include "src/base/uuid.h"
#include "src/mail/terminal_record.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

/** What to start and how. Every string is the struct's own; end with bh_setup_clear(). */
struct bh_setup {
	/** The command as the user gave it, NULL-terminated. */
	char **argv;
	/** Variables that the user added, "NAME=VALUE", NULL-terminated; NULL: none. */
	char **env;
	/** The environment of whoever ran it, in place of the server's, NULL-terminated; NULL: none was
	 * given. */
	char **environ_base;
	/** Where it runs; absolute. */
	char *cwd;
	/** Name of the profile that the user chose; NULL: by argv. */
	char *profile_name;
	/** The terminal of the agent that started it; zero: a person did. */
	struct bh_uuid launched_by;
	/** When a successor is started. */
	enum bh_respawn respawn;
	/** ... it goes on with the session, if that is known. */
	bool is_resuming;
	/** Size at the start. */
	int cols, rows;
	/** The user said that nobody need be attached. */
	bool is_headless;
	/** The mode of delivery that was asked for; BH_MODE_DEFAULT: none. */
	enum bh_mode mode;
};

/** Free the strings; the struct is empty again. */
void bh_setup_clear(struct bh_setup *setup);

/** A copy with strings of its own. */
struct bh_setup bh_setup_dup(const struct bh_setup *setup);

/** A setup as a record says. What cannot be read is left empty; `argv` is never NULL. */
struct bh_setup bh_setup_from_record(const struct bh_terminal_record *record);

/** What of a setup the record has no column for, as its `extra`; the caller frees. */
char *bh_setup_extra(const struct bh_setup *setup);

/** A vector of strings as a JSON array; the caller frees. NULL: an empty array. */
char *bh_setup_strings_print(char *const *strings);

/** The vector in a JSON array of strings; never NULL: an empty one if it is something else. The
 * caller frees it with bh_setup_strings_free(). */
char **bh_setup_strings_parse(const char *json);

/** A NULL-terminated copy of @strings; NULL for NULL. */
char **bh_setup_strings_dup(const char *const *strings);

/** Free a vector and its strings. NULL is allowed. */
void bh_setup_strings_free(char **strings);

#endif
