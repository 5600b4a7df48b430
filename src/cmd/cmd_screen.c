#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include <errno.h>
#include <stdlib.h>

static int run(struct bh_cmd *cmd)
{
	bool is_json = bh_args_has(&cmd->args, "json");
	bool is_ansi = bh_args_has(&cmd->args, "ansi");
	struct bh_request request = {
		.method = "terminal.screen", .params = cJSON_CreateObject(), .is_repeatable = true};
	cJSON *result = NULL;

	if (is_json && bh_args_has(&cmd->args, "history")) {
		cJSON_Delete(request.params);
		return bh_cmd_usage(cmd, "--history gives text: it does not go with --json");
	}
	(void)cJSON_AddStringToObject(request.params, "name", bh_args_word(&cmd->args, 0));
	(void)cJSON_AddStringToObject(request.params, "format",
	                              is_json   ? "json"
	                              : is_ansi ? "ansi"
	                                        : "text");
	if (bh_args_has(&cmd->args, "history")) {
		const char *text = bh_args_get(&cmd->args, "history");
		char *end = NULL;
		long rows = strtol(text, &end, 10);

		if (end == text || *end != '\0' || rows < 0 || rows > 1000000) {
			cJSON_Delete(request.params);
			return bh_cmd_usage(cmd, "--history wants a number of rows, not \"%.40s\"",
			                    text);
		}
		(void)cJSON_AddNumberToObject(request.params, "history", (double)rows);
	}

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		const char *text = bh_print_str(result, is_ansi ? "ansi" : "text", "");

		// With --ansi the sequences are the server's own, made from cells.
		if (is_ansi) {
			(void)puts(text);
		} else {
			bh_print_text(stdout, text);
		}
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"ansi", 0, NULL, "with colours and attributes"},
	{"history", 0, "ROWS", "put so many rows of scrollback before it (not with --json)"},
	{"json", 0, NULL, "text, colours, cursor and title as one line of JSON"},
	{0},
};

const struct bh_command bh_cmd_screen = {
	.name = "screen",
	.arguments = "NAME",
	.summary = "print what a terminal shows now",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 1,
	.words_max = 1,
	.run = run,
};
