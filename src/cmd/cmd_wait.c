#include "src/cmd/commands.h"
#include "src/cmd/mail_view.h"
#include "src/cmd/session.h"

#include "src/base/limits.h"

/** What we wait longer for the answer than the server for mail (ms). */
#define ANSWER_MS 10000

static int run(struct bh_cmd *cmd)
{
	const char *limit = bh_args_get(&cmd->args, "timeout");
	struct bh_request request = {
		.method = "inbox.wait", .is_repeatable = true, .wait_param = "timeout_ms"};
	struct bh_err err = {0};
	long timeout_ms = BH_LIMIT_WAIT_MS;
	int status = BH_EXIT_OK;

	if (limit != NULL && bh_args_duration(limit, &timeout_ms, &err) != 0) {
		return bh_cmd_usage(cmd, "%s", err.text);
	}
	request.timeout_ms = timeout_ms + ANSWER_MS;
	request.params = cJSON_CreateObject();
	(void)cJSON_AddNumberToObject(request.params, "timeout_ms", (double)timeout_ms);
	status = bh_mail_view_limit(cmd, request.params);
	if (status != BH_EXIT_OK) {
		cJSON_Delete(request.params);
		return status;
	}
	return bh_mail_view_read(cmd, &request);
}

static const struct bh_option options[] = {
	{"timeout", 't', "TIME", "how long at most (default: 100s)"},
	{"limit", 0, "N", "at most N messages (default: 50)"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_wait = {
	.name = "wait",
	.summary = "wait for mail, then read it",
	.help = "For agents: blocks until mail is there and prints it like `inbox`. When the time is\n"
		"over it says so and ends with status 0.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.run = run,
};
