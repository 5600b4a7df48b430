/** @file
 * What commands print: JSON lines, tables, and text from outside made safe for a terminal.
 */
#ifndef BH_CMD_PRINT_H
#define BH_CMD_PRINT_H

#include "src/base/buf.h"
#include "src/base/err.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct bh_client;
struct bh_cmd;

/** Print @value as one line. */
void bh_print_json(FILE *out, const cJSON *value);

/**
 * With `--json` of the command print the result as one line; gives whether it was given. The
 * command must have the option.
 */
bool bh_print_if_json(const struct bh_cmd *cmd, const cJSON *result);

/** Print a string of ours or the server's safely; a newline follows unless it ends with one. */
void bh_print_text(FILE *out, const char *text);

/** Print a finished buffer and clear it. */
void bh_print_buf(FILE *out, struct bh_buf *text);

/**
 * Write out what was printed on standard output. False when it is not whole; why is told on standard
 * error, once. A reader that has seen enough (`| head`) is no error worth words.
 */
bool bh_print_flush(void);

/** A string field of @object, or @otherwise. Borrowed. */
const char *bh_print_str(const cJSON *object, const char *key, const char *otherwise);

/** A number field of @object, or @otherwise. */
double bh_print_num(const cJSON *object, const char *key, double otherwise);

/** Whether a field of @object is true. */
bool bh_print_flag(const cJSON *object, const char *key);

/** Write a duration as "7s", "4m", "3h" or "2d" to @out; gives @out back. */
const char *bh_print_age(double ms, char out[16]);

/** Write a time of day, local, as "2026-11-30 23:45:01" to @out; gives @out back. */
const char *bh_print_time(double wall_ms, char out[32]);

/** A table under construction. Zero-initialise; ends with bh_table_print(). */
struct bh_table {
	/** Number of columns, at most 16. */
	int columns;
	/** Cells row by row, owned. */
	char **cells;
	/** How many. */
	int cell_count;
};

/** Add a cell; rows follow each other every `columns` cells. */
void bh_table_add(struct bh_table *table, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Print the rows, columns aligned, and free the cells. */
void bh_table_print(struct bh_table *table, FILE *out);

/** Begin a line of errors: "bellhop NAME: ", or "bellhop: " when no command was named. */
void bh_print_program(FILE *out, const struct bh_cmd *cmd);

/** Print that the server cannot be reached, as bh_cmd_fail() does, with the word "no_server". */
int bh_print_no_server(const struct bh_cmd *cmd, const struct bh_err *err);

/**
 * Print an error of a call as bh_cmd_fail() does, with the server's word and data where it has
 * some. Gives BH_EXIT_FAILED.
 */
int bh_print_failure(const struct bh_cmd *cmd, const struct bh_client *client,
                     const struct bh_err *err);

#endif
