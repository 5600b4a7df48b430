#include "src/cmd/print.h"

#include "src/base/json.h"
#include "src/base/mem.h"
#include "src/client/client.h"
#include "src/client/mail_text.h"
#include "src/cmd/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/** Most columns of a table. */
#define COLUMNS_MAX 16

bool bh_print_flush(void)
{
	errno = 0;
	if (fflush(stdout) == 0 && ferror(stdout) == 0) {
		return true;
	}
	// Once it was told, nothing is left to be written (errno 0).
	if (errno != EPIPE && errno != 0) {
		(void)fprintf(stderr, "bellhop: write output: %s\n", strerror(errno));
	}
	return false;
}

void bh_print_json(FILE *out, const cJSON *value)
{
	char *text = bh_json_print(value);

	(void)fprintf(out, "%s\n", text);
	free(text);
}

bool bh_print_if_json(const struct bh_cmd *cmd, const cJSON *result)
{
	bool is_json = bh_args_has(&cmd->args, "json");

	if (is_json) {
		bh_print_json(stdout, result);
	}
	return is_json;
}

void bh_print_text(FILE *out, const char *text)
{
	struct bh_buf safe = {0};

	bh_mail_text_safe(&safe, text, strlen(text));
	if (safe.len == 0 || safe.data[safe.len - 1] != '\n') {
		bh_buf_puts(&safe, "\n");
	}
	(void)fwrite(safe.data, 1, safe.len, out);
	bh_buf_clear(&safe);
}

void bh_print_buf(FILE *out, struct bh_buf *text)
{
	(void)fwrite(text->data, 1, text->len, out);
	bh_buf_clear(text);
}

const char *bh_print_str(const cJSON *object, const char *key, const char *otherwise)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(item) ? item->valuestring : otherwise;
}

double bh_print_num(const cJSON *object, const char *key, double otherwise)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsNumber(item) ? item->valuedouble : otherwise;
}

bool bh_print_flag(const cJSON *object, const char *key)
{
	return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, key));
}

const char *bh_print_age(double ms, char out[16])
{
	static const struct {
		double ms;
		const char *unit;
	} units[] = {{86400000, "d"}, {3600000, "h"}, {60000, "m"}, {1000, "s"}};
	size_t i = 0;

	while (i < 3 && ms < units[i].ms) {
		i++;
	}
	(void)snprintf(out, 16, "%.0f%s", ms < 0 ? 0 : (double)(long)(ms / units[i].ms),
	               units[i].unit);
	return out;
}

const char *bh_print_time(double wall_ms, char out[32])
{
	time_t seconds = (time_t)(wall_ms / 1000);
	struct tm parts = {0};

	if (localtime_r(&seconds, &parts) == NULL ||
	    strftime(out, 32, "%Y-%m-%d %H:%M:%S", &parts) == 0) {
		(void)snprintf(out, 32, "?");
	}
	return out;
}

void bh_table_add(struct bh_table *table, const char *format, ...)
{
	struct bh_buf text = {0};
	struct bh_buf safe = {0};
	va_list args;

	va_start(args, format);
	bh_buf_vprintf(&text, format, args);
	va_end(args);
	for (size_t i = 0; i < text.len; i++) {
		text.data[i] = text.data[i] == '\n' || text.data[i] == '\t' ? ' ' : text.data[i];
	}
	bh_mail_text_safe(&safe, text.data, text.len);
	bh_buf_clear(&text);
	table->cells =
		bh_xrealloc(table->cells, (size_t)table->cell_count + 1, sizeof(*table->cells));
	table->cells[table->cell_count++] = bh_buf_detach(&safe);
}

/** Characters of a cell: what aligns columns of names, numbers and words. */
static int cell_width(const char *cell)
{
	int width = 0;

	for (; *cell != '\0'; cell++) {
		width += ((unsigned char)*cell & 0xc0) != 0x80;
	}
	return width;
}

/** Whether all cells after @cell are empty in its row. */
static bool row_ends_at(const struct bh_table *table, int cell, int columns)
{
	for (int i = cell + 1; i % columns != 0 && i < table->cell_count; i++) {
		if (table->cells[i][0] != '\0') {
			return false;
		}
	}
	return true;
}

void bh_table_print(struct bh_table *table, FILE *out)
{
	int widths[COLUMNS_MAX] = {0};
	int columns = table->columns < COLUMNS_MAX ? table->columns : COLUMNS_MAX;

	for (int i = 0; i < table->cell_count; i++) {
		int width = cell_width(table->cells[i]);

		widths[i % columns] = width > widths[i % columns] ? width : widths[i % columns];
	}
	for (int i = 0; i < table->cell_count; i++) {
		int column = i % columns;

		if (column == columns - 1) {
			(void)fprintf(out, "%s\n", table->cells[i]);
		} else if (row_ends_at(table, i, columns)) {
			(void)fputs(table->cells[i], out); // no blanks at the end of a line
		} else {
			(void)fprintf(out, "%s%*s", table->cells[i],
			              widths[column] - cell_width(table->cells[i]) + 2, "");
		}
		free(table->cells[i]);
	}
	free(table->cells);
	*table = (struct bh_table){.columns = columns};
}

void bh_print_program(FILE *out, const struct bh_cmd *cmd)
{
	(void)fputs("bellhop", out);
	if (cmd->argc > 0) {
		(void)fprintf(out, " %s", cmd->command->name);
	}
	(void)fputs(": ", out);
}

/**
 * The sentence to standard error, with the server's word for it where @data has one; and with --json
 * an object to standard output.
 */
static int print_error(const struct bh_cmd *cmd, const char *word, const char *sentence,
                       const cJSON *data)
{
	struct bh_buf safe = {0};

	bh_mail_text_safe(&safe, sentence, strlen(sentence));
	if (data != NULL) {
		bh_buf_printf(&safe, " (%s)", word);
	}
	bh_print_program(stderr, cmd);
	(void)fprintf(stderr, "%s\n", safe.data);
	bh_buf_clear(&safe);
	if (bh_cmd_is_json(cmd)) {
		cJSON *object = cJSON_CreateObject();

		(void)cJSON_AddStringToObject(object, "error", word);
		(void)cJSON_AddStringToObject(object, "message", sentence);
		if (data != NULL) {
			(void)cJSON_AddItemToObject(object, "data", cJSON_Duplicate(data, true));
		}
		bh_print_json(stdout, object);
		cJSON_Delete(object);
	}
	return BH_EXIT_FAILED;
}

int bh_cmd_fail(const struct bh_cmd *cmd, const struct bh_err *err)
{
	return print_error(cmd, bh_err_word(err->code), err->text, NULL);
}

int bh_print_no_server(const struct bh_cmd *cmd, const struct bh_err *err)
{
	return print_error(cmd, "no_server", err->text, NULL);
}

int bh_print_failure(const struct bh_cmd *cmd, const struct bh_client *client,
                     const struct bh_err *err)
{
	const cJSON *data = bh_client_fault_data(client);
	const char *word = bh_client_fault(client);

	return print_error(cmd, word[0] == '\0' ? bh_err_word(err->code) : word, err->text, data);
}
