#include "src/base/buf.h"
#include "src/base/err.h"
#include "src/base/json.h"
#include "src/cmd/commands.h"
#include "src/cmd/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Standard input, whole.
static char *input_read(void)
{
	struct bh_buf text = {0};
	char part[4096];
	size_t count = 0;

	while ((count = fread(part, 1, sizeof part, stdin)) > 0) {
		bh_buf_append(&text, part, count);
	}
	return bh_buf_detach(&text);
}

// The parameters on the command line, or on standard input for "-"; NULL with @err.
static cJSON *params_read(const struct bh_cmd *cmd, struct bh_err *err)
{
	const char *word = cmd->args.word_count > 1 ? bh_args_word(&cmd->args, 1) : "{}";
	char *text = strcmp(word, "-") == 0 ? input_read() : NULL;
	const char *params = text != NULL ? text : word;
	cJSON *object = bh_json_parse_object(params, strlen(params), err);

	free(text);
	return object;
}

static int run(struct bh_cmd *cmd)
{
	struct bh_err err = {0};
	struct bh_request request = {.method = bh_args_word(&cmd->args, 0), .timeout_ms = -1};
	cJSON *result = NULL;

	request.params = params_read(cmd, &err);
	if (request.params == NULL) {
		return bh_cmd_usage(cmd, "the parameters are no JSON object: %s", err.text);
	}
	int status = bh_session_request(cmd, &request, &result);

	if (status == BH_EXIT_OK) {
		char *text = bh_json_print(result);

		(void)puts(text); // a full disk is found when standard output is flushed
		free(text);
	}
	cJSON_Delete(result);
	return status;
}

const struct bh_command bh_cmd_rpc = {
	.name = "rpc",
	.arguments = "METHOD [PARAMS]",
	.summary = "call a method of the server, for scripts",
	.help = "PARAMS is a JSON object, or - to read it from standard input. The result is printed\n"
		"as one line of JSON. Methods and parameters: doc/PROTOCOL.md. For instance\n"
		"    bellhop rpc pane.split '{\"direction\":\"down\",\"argv\":[\"htop\"]}'\n"
		"Methods that need a connection which stays (terminal.attach, ui.attach,\n"
		"events.subscribe) end with the call.",
	.group = BH_GROUP_TOOLS,
	.words_min = 1,
	.words_max = 2,
	.acts = true,
	.run = run,
};
