#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

static void print_steps(const cJSON *result)
{
	struct bh_table table = {.columns = 3};
	const cJSON *step = NULL;
	char when[32];

	(void)printf("%s to %s\n", bh_print_str(result, "id", "?"),
	             bh_print_str(result, "to", "?"));
	cJSON_ArrayForEach(step, cJSON_GetObjectItemCaseSensitive(result, "steps"))
	{
		bh_table_add(&table, "%s", bh_print_time(bh_print_num(step, "at", 0), when));
		bh_table_add(&table, "%s", bh_print_str(step, "step", "?"));
		bh_table_add(&table, "%s", bh_print_str(step, "cause", ""));
	}
	bh_table_print(&table, stdout);
}

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {
		.method = "mail.receipt", .params = cJSON_CreateObject(), .is_repeatable = true};
	cJSON *result = NULL;

	(void)cJSON_AddStringToObject(request.params, "id", bh_args_word(&cmd->args, 0));

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		print_steps(result);
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_receipt = {
	.name = "receipt",
	.arguments = "ID",
	.summary = "show every step of a message you sent",
	.help = "ID is m42 or the message_id that `send` printed. Steps: stored, queued, noticed,\n"
		"handed_over, typed, seen, returned, parked; each with its time and cause.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 1,
	.words_max = 1,
	.run = run,
};
