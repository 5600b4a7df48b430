#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {
		.method = "mail.ack", .params = cJSON_CreateObject(), .is_repeatable = true};
	cJSON *ids = cJSON_AddArrayToObject(request.params, "ids");
	cJSON *result = NULL;

	for (int i = 0; i < cmd->args.word_count; i++) {
		(void)cJSON_AddItemToArray(ids, cJSON_CreateString(cmd->args.words[i]));
	}

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		(void)printf("%.0f acknowledged\n", bh_print_num(result, "acked", 0));
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_ack = {
	.name = "ack",
	.arguments = "ID...",
	.summary = "say that you have seen messages",
	.help = "Doing it twice does no harm. IDs are m42 or message ids.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 1,
	.words_max = -1,
	.acts = true,
	.run = run,
};
