/** @file
 * How terminal objects of the protocol are shown to people.
 */
#ifndef BH_CMD_TERMINAL_VIEW_H
#define BH_CMD_TERMINAL_VIEW_H

#include <cjson/cJSON.h>
#include <stdio.h>

struct bh_cmd;
struct bh_request;

/** Print an array of terminal objects as a table, or a sentence when it is empty. */
void bh_terminal_view_table(FILE *out, const cJSON *terminals);

/**
 * Make a call that starts a program (its parameters are taken) and ask how far it can be woken; the
 * answer is put into the terminal object as `wake`, if it has none. A failure is printed.
 *
 * @terminal_out
 *         On BH_EXIT_OK the terminal object; the caller deletes it.
 * @return
 *         BH_EXIT_OK or BH_EXIT_FAILED.
 */
int bh_terminal_view_start(const struct bh_cmd *cmd, const struct bh_request *request,
                           cJSON **terminal_out);

/** Print what `run` and `respawn` tell: identity, terminal id, program, size and wake tier. */
void bh_terminal_view_born(FILE *out, const cJSON *terminal);

/** Print a wake object: tier, what is true now, conditions. */
void bh_terminal_view_wake(FILE *out, const char *name, const cJSON *wake);

#endif
