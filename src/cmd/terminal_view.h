/** @file
 * How terminal objects of the protocol are shown to people.
 */
#ifndef BH_CMD_TERMINAL_VIEW_H
#define BH_CMD_TERMINAL_VIEW_H

#include <cjson/cJSON.h>
#include <stdio.h>

/** Print an array of terminal objects as a table, or a sentence when it is empty. */
void bh_terminal_view_table(FILE *out, const cJSON *terminals);

/** Print what `run` and `respawn` tell: identity, terminal id, program, size and wake tier. */
void bh_terminal_view_born(FILE *out, const cJSON *terminal);

/** Print a wake object: tier, what is true now, conditions. */
void bh_terminal_view_wake(FILE *out, const char *name, const cJSON *wake);

#endif
