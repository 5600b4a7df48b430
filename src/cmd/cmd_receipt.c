#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

/** Of a room: who has seen it. */
static void print_members(const cJSON *result)
{
	const cJSON *counts = cJSON_GetObjectItemCaseSensitive(result, "counts");
	const cJSON *member = NULL;
	const char *separator = ":";

	if (counts == NULL) {
		return;
	}
	(void)printf("seen by %.0f of %.0f", bh_print_num(counts, "seen", 0),
	             bh_print_num(counts, "members", 0));
	cJSON_ArrayForEach(member, cJSON_GetObjectItemCaseSensitive(result, "members"))
	{
		(void)printf("%s %s %s", separator, bh_print_str(member, "name", "?"),
		             bh_print_str(member, "state", "?"));
		separator = ";";
	}
	(void)putchar('\n');
}

static void print_steps(const cJSON *result)
{
	bool is_room = cJSON_HasObjectItem(result, "members");
	struct bh_table table = {.columns = is_room ? 4 : 3};
	const cJSON *step = NULL;
	char when[32];

	(void)printf("%s to %s\n", bh_print_str(result, "id", "?"),
	             bh_print_str(result, "to", "?"));
	print_members(result);
	cJSON_ArrayForEach(step, cJSON_GetObjectItemCaseSensitive(result, "steps"))
	{
		bh_table_add(&table, "%s", bh_print_time(bh_print_num(step, "at", 0), when));
		if (is_room) {
			bh_table_add(&table, "%s", bh_print_str(step, "member", ""));
		}
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
		"handed_over, typed, seen, returned, parked; each with its time and cause. Of a\n"
		"message to a room also how many members have seen it, and whose step it was.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 1,
	.words_max = 1,
	.run = run,
};
