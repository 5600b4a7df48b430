/** @file
 * The keys in force: those of the table (src/ui/keytable.h) as the user's settings change them, and
 * the prefix. What says keys to a person asks here.
 */
#ifndef BH_UI_BINDINGS_H
#define BH_UI_BINDINGS_H

#include "src/base/buf.h"
#include "src/base/config.h"
#include "src/ui/keytable.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bh_layer_key;

/** Longest name of a key ("C-M-S-PageDown"), its NUL included. */
#define BH_BINDINGS_KEY 20

/** A key after the prefix, or one without it, and what it does. */
struct bh_binding {
	/** The key; of the digits together '0'. */
	uint32_t key;
	/** Shift counts for keys with names, and beside control; else it is in the character. */
	bool is_control, is_alt, is_shift;
	/** It stands for all ten digits. */
	bool is_digits;
	/** What it is called. */
	char name[BH_BINDINGS_KEY];
	/** The first row of its action. */
	const struct bh_key_row *row;
};

/** All of them. Zero-initialise; end with bh_bindings_clear(). */
struct bh_bindings {
	/** In the order of the table's actions. */
	struct bh_binding *items;
	size_t count;
	/** Keys that need no prefix. */
	struct bh_binding *direct;
	size_t direct_count;
	/** The prefix, as struct bh_config has it. */
	int prefix;
	/** What the prefix is called: "C-b". */
	char prefix_name[BH_BINDINGS_KEY];
};

/** The names that the settings may use: actions of the table, keys as bh_bindings_parse() has them. */
extern const struct bh_config_names bh_bindings_names;

/** The keys that @config makes, in place of those there are. */
void bh_bindings_set(struct bh_bindings *bindings, const struct bh_config *config);

/** Free; the struct is empty again. */
void bh_bindings_clear(struct bh_bindings *bindings);

/** The key that is a prefix of struct bh_config. */
struct bh_layer_key bh_bindings_prefix(int prefix);

/** What a terminal sends for it; gives the number of bytes. */
size_t bh_bindings_prefix_bytes(const struct bh_layer_key *prefix, char out[2]);

/** What a key after the prefix does; NULL when nothing. One with shift is the key without, where it has
 * nothing of its own. */
const struct bh_key_row *bh_bindings_find(const struct bh_bindings *bindings,
                                          const struct bh_layer_key *key);

/** What a key does without the prefix; NULL when nothing. */
const struct bh_key_row *bh_bindings_direct(const struct bh_bindings *bindings,
                                            const struct bh_layer_key *key);

/** Append the keys of an action ("Left h", "" for none). */
void bh_bindings_keys(const struct bh_bindings *bindings, enum bh_action action,
                      struct bh_buf *out);

/** The first key of an action, or NULL; good until the next change. */
const char *bh_bindings_key(const struct bh_bindings *bindings, enum bh_action action);

/** Write prefix and first key of an action ("C-b ?") to @out of @size bytes; "" when it has none. */
void bh_bindings_hint(const struct bh_bindings *bindings, enum bh_action action, char *out,
                      size_t size);

/**
 * Read the name of a key: one character, a name (Up, Space, F5, ..., also as tmux calls it: PPage, DC,
 * BTab), "0-9" for the digits; before it "C-" for control, "M-" for alt, "S-" for shift. What many
 * terminals send the same for is the same: C-i is Tab. False: there is none of that name.
 */
bool bh_bindings_parse(const char *name, struct bh_binding *binding_out);

#endif
