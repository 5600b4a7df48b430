#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include <stdlib.h>

/** Most lines that the server gives. */
#define LINES_MAX 20000

static int run(struct bh_cmd *cmd)
{
	const char *lines = bh_args_get(&cmd->args, "lines");
	struct bh_request request = {.method = "terminal.log", .is_repeatable = true};
	cJSON *result = NULL;
	char *end = NULL;
	long count = lines == NULL ? 200 : strtol(lines, &end, 10);

	if (count < 1 || count > LINES_MAX || (end != NULL && *end != '\0')) {
		return bh_cmd_usage(cmd, "--lines wants a number from 1 to %d, not \"%.40s\"",
		                    LINES_MAX, lines);
	}
	request.params = cJSON_CreateObject();
	(void)cJSON_AddStringToObject(request.params, "name", bh_args_word(&cmd->args, 0));
	(void)cJSON_AddNumberToObject(request.params, "lines", (double)count);

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		bh_print_text(stdout, bh_print_str(result, "text", ""));
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"lines", 'n', "N", "the last N lines (default: 200)"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_log = {
	.name = "log",
	.arguments = "NAME",
	.summary = "print the scrollback of a terminal as text",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 1,
	.words_max = 1,
	.run = run,
};
