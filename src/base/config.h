/** @file
 * The user's settings: one file for server, UI and commands, and one const table of all its keys,
 * from which defaults, checks, error sentences and bellhop(5) come.
 *
 * The file is JSON with comments and trailing commas (src/base/json_relaxed.h). A faulty value
 * leaves that key at its default and is reported; the others hold. Nothing ever stops because of
 * the file.
 *
 *     struct bh_config config;
 *     bh_config_init(&config);
 *     bh_config_load(&config, &(struct bh_config_source){.path = paths.config_file, ...});
 *     ... config.mouse ...
 *     bh_config_clear(&config);
 */
#ifndef BH_BASE_CONFIG_H
#define BH_BASE_CONFIG_H

#include "src/base/buf.h"
#include "src/base/err.h"

#include <stdbool.h>
#include <stddef.h>

/** Largest file that is read (bytes). */
#define BH_CONFIG_FILE_MAX (256 * 1024)

/** Copy mode's keys; indices of the key's words. */
enum bh_config_mode_keys {
	BH_CONFIG_MODE_KEYS_AUTO,
	BH_CONFIG_MODE_KEYS_EMACS,
	BH_CONFIG_MODE_KEYS_VI,
};

/** What becomes of text that a program wants to put into the clipboard; indices of the words. */
enum bh_config_clipboard {
	BH_CONFIG_CLIPBOARD_ASK,
	BH_CONFIG_CLIPBOARD_ALLOW,
	BH_CONFIG_CLIPBOARD_DENY,
};

/** Direct colours; indices of the words. */
enum bh_config_truecolor {
	BH_CONFIG_TRUECOLOR_AUTO,
	BH_CONFIG_TRUECOLOR_ON,
	BH_CONFIG_TRUECOLOR_OFF,
};

/** A size policy as the protocol has it. */
struct bh_config_size {
	/** "latest", "smallest" or "fixed"; static. */
	const char *policy;
	/** Of fixed; else 0. */
	int cols, rows;
};

/** One key of an action. */
struct bh_config_binding {
	/** The action, as src/ui/keytable.h calls it. */
	char *action;
	/** The key ("C-o", "Up", "|"); "": the action has none. */
	char *key;
};

/** The keys of some actions, in the order of the file; an action may have many. */
struct bh_config_bindings {
	struct bh_config_binding *items;
	size_t count;
};

/** All settings. What is pointed at is the struct's own. */
struct bh_config {
	/** The prefix: control with this ('a', or one of space \ ] ^ _), or with BH_CONFIG_PREFIX_ALT alt
	 * with this letter. */
	int prefix;
	/** What the person bound. */
	struct bh_config_bindings keys;
	struct bh_config_bindings direct_keys;
	bool mouse;
	bool sidebar;
	/** Of the sidebar, its line included; 0: by the width of the terminal. */
	int sidebar_columns;
	/** enum bh_config_mode_keys */
	int mode_keys;
	/** Rows of history of a terminal. */
	int history_lines;
	/** enum bh_config_clipboard */
	int clipboard;
	/** How to tell that an agent that is not in view needs a person. */
	struct {
		bool bell, osc9;
		/** For sh; "": none. */
		char *command;
	} notify;
	struct bh_config_size size_policy;
	/** For sh; "": none. */
	char *link_command;
	/** For sh, in new tabs and splits; "": the user's shell. */
	char *default_command;
	/** An agent that waits for a person so long is told to the agent that started it; 0: never. */
	int child_awaiting_minutes;
	/** enum bh_config_truecolor */
	int truecolor;
	/** So long an Escape waits for the rest of a sequence (ms). */
	int escape_ms;
};

/** What kind of value a key has. */
enum bh_config_type {
	BH_CONFIG_BOOL,
	BH_CONFIG_NUMBER,
	BH_CONFIG_WORD,
	BH_CONFIG_TEXT,
	BH_CONFIG_PREFIX,
	BH_CONFIG_KEYS,
	BH_CONFIG_SIZE,
};

/** In a prefix: alt is held, not control. */
#define BH_CONFIG_PREFIX_ALT 0x100

/** Longest name of a prefix ("C-Space"), its NUL included. */
#define BH_CONFIG_PREFIX_NAME 12

/** Write what a prefix is called ("C-b", "M-a") to @out of BH_CONFIG_PREFIX_NAME bytes. */
void bh_config_prefix_name(int prefix, char *out);

/** A row of the table; all static. */
struct bh_config_row {
	/** The key; "notify.bell" stands in the object of "notify". */
	const char *name;
	enum bh_config_type type;
	/** Where its value is in struct bh_config. */
	size_t offset;
	/** Of NUMBER: the least and the greatest; 0 is allowed, too. */
	int min, max;
	bool is_zero_allowed;
	/** Of WORD: the words, ended by NULL. */
	const char *const *words;
	/** The default, as JSON. */
	const char *text;
	/** What it does: one or more sentences. */
	const char *help;
};

/** What only higher floors know; NULL members are not checked. */
struct bh_config_names {
	/** The names of actions by index; NULL beyond the last. A name may come more than once. */
	const char *(*action_at)(size_t index);
	/** Whether a key can be called that. */
	bool (*is_key)(const char *name);
	/** Whether such a key can be taken from the programs. */
	bool (*is_direct_key)(const char *name);
};

/** Where settings come from. All borrowed for the call. */
struct bh_config_source {
	/** The file. */
	const char *path;
	/** That it is not there is a fault; without it means all defaults. */
	bool is_needed;
	/** Names for the checks; NULL: those are not made. */
	const struct bh_config_names *names;
	/** Told of each fault: "PATH:LINE: KEY must be ...". NULL: nobody. */
	void (*report)(const struct bh_err *err, void *user);
	void *user;
};

/** The table; *@count_out rows, those of an object together. */
const struct bh_config_row *bh_config_table(size_t *count_out);

/** All defaults. */
void bh_config_init(struct bh_config *config);

/** Free; usable only after bh_config_init(). Zeroed memory is allowed. */
void bh_config_clear(struct bh_config *config);

/**
 * Read the file into @config (which bh_config_init() made), in place of what it had.
 *
 * @return
 *         The number of faults. What they touch has its default; a file that cannot be read or is
 *         no JSON counts as one and leaves everything at its default.
 */
int bh_config_load(struct bh_config *config, const struct bh_config_source *source);

/** Read "latest", "smallest" or "COLSxROWS". False and untouched: it is none of them. */
bool bh_config_size_parse(const char *text, struct bh_config_size *size_out);

/** Append what is allowed for a row's value ("true or false"). */
void bh_config_allowed(const struct bh_config_row *row, struct bh_buf *out);

/** Append a whole file with these settings, every key explained. */
void bh_config_print(const struct bh_config *config, struct bh_buf *out);

#endif
