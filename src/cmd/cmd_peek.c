#include "src/cmd/commands.h"
#include "src/cmd/mail_view.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {
		.method = "inbox.peek", .params = cJSON_CreateObject(), .is_repeatable = true};
	cJSON *result = NULL;
	int status = bh_mail_view_limit(cmd, request.params);

	if (status != BH_EXIT_OK) {
		cJSON_Delete(request.params);
		return status;
	}
	if (cmd->args.word_count > 0) {
		(void)cJSON_AddStringToObject(request.params, "name", cmd->args.words[0]);
	}
	status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		bh_mail_view_print(result);
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"limit", 0, "N", "at most N messages (default: 50)"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_peek = {
	.name = "peek",
	.arguments = "[NAME]",
	.summary = "look at unread mail and leave it unread",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_max = 1,
	.run = run,
};
