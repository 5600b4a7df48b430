/** @file
 * The line after the colon: an action by its name, with what it is about ("rename-tab api",
 * "join-pane coder"). Actions and their names are those of the key table. Pure.
 */
#ifndef BH_UI_COMMAND_H
#define BH_UI_COMMAND_H

#include "src/base/err.h"
#include "src/ui/action.h"
#include "src/ui/keytable.h"
#include "src/ui/model.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/** A line that was understood. */
struct bh_command {
	/** The action, and the words after its name, "" for none; borrowed from the line. */
	const struct bh_key_row *row;
	const char *argument;
};

/**
 * Understand a line.
 *
 * @return
 *         0; BH_EINVALID with a sentence that names the nearest action, or says what is missing or too
 *         much.
 */
int bh_command_read(const char *line, struct bh_command *command_out, struct bh_err *err);

/** What an action may be given, for people ("[name]", "terminal"); "" when nothing. */
const char *bh_command_usage(enum bh_action action);

/** Whether an action does nothing without. */
bool bh_command_needs(enum bh_action action);

/**
 * The request of a command with an argument.
 *
 * @environ
 *         Of what starts a program: the environment it gets (object, copied), NULL for none.
 * @return
 *         The request; without method with a sentence in @err, when the argument is none for it.
 */
struct bh_action_request bh_command_request(const struct bh_model *model,
                                            const struct bh_command *command, const cJSON *environ,
                                            struct bh_err *err);

/**
 * Complete the last word of a line, as far as it is clear.
 *
 * @line, @size
 *         The line, with room for @size bytes.
 * @hint, @hint_size
 *         What it could become, where that is more than one.
 */
void bh_command_complete(const struct bh_model *model, char *line, size_t size, char *hint,
                         size_t hint_size);

#endif
