#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include "src/base/file.h"

#include <string.h>
#include <unistd.h>

static int write_cast(struct bh_cmd *cmd, const char *cast)
{
	const char *path = bh_args_get(&cmd->args, "output");
	struct bh_err err = {0};

	if (path == NULL || strcmp(path, "-") == 0) {
		(void)fputs(cast, stdout);
		return BH_EXIT_OK;
	}
	if (bh_file_replace(path, bh_span_of(cast), 0600, BH_FILE_ATOMIC, &err) != 0) {
		return bh_cmd_fail(cmd, &err);
	}
	(void)fprintf(stderr, "saved to %s; it holds everything that the terminal showed\n", path);
	return BH_EXIT_OK;
}

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {.method = "terminal.capture",
	                             .params = cJSON_CreateObject(),
	                             .is_repeatable = true};
	cJSON *result = NULL;

	(void)cJSON_AddStringToObject(request.params, "name", bh_args_word(&cmd->args, 0));

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK) {
		status = write_cast(cmd, bh_print_str(result, "cast", ""));
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"output", 'o', "FILE", "write it there (default: standard output)"},
	{0},
};

const struct bh_command bh_cmd_capture = {
	.name = "capture",
	.arguments = "NAME",
	.summary = "save the last minutes of a terminal as an asciicast",
	.help = "For a bug report: `bellhop replay FILE` shows what bellhop saw in it. Output is kept\n"
		"without times: all of it stands at 0, and the last event tells how long the screen\n"
		"has stood still since.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 1,
	.words_max = 1,
	.run = run,
};
