#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {.method = "terminal.resize"};
	struct bh_err err = {0};
	cJSON *result = NULL;
	int cols = 0;
	int rows = 0;

	if (bh_args_size(bh_args_word(&cmd->args, 1), &cols, &rows, &err) != 0) {
		return bh_cmd_usage(cmd, "%s", err.text);
	}
	request.params = cJSON_CreateObject();
	(void)cJSON_AddStringToObject(request.params, "name", bh_args_word(&cmd->args, 0));
	(void)cJSON_AddNumberToObject(request.params, "cols", cols);
	(void)cJSON_AddNumberToObject(request.params, "rows", rows);

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result) &&
	    bh_print_flag(result, "pending")) {
		(void)puts("pending: bellhop is typing there just now; it is resized after that");
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_resize = {
	.name = "resize",
	.arguments = "NAME COLSxROWS",
	.summary = "give a terminal another size",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 2,
	.words_max = 2,
	.acts = true,
	.run = run,
};
