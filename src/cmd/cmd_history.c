#include "src/cmd/commands.h"
#include "src/cmd/mail_view.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

#include <stdlib.h>

static void print_messages(const cJSON *result)
{
	const cJSON *message = NULL;
	char when[32];

	cJSON_ArrayForEach(message, cJSON_GetObjectItemCaseSensitive(result, "messages"))
	{
		(void)printf("%s  %s -> %s  %s\n",
		             bh_print_time(bh_print_num(message, "sent_at", 0), when),
		             bh_print_str(message, "from", "?"), bh_print_str(message, "to", "?"),
		             bh_print_str(message, "state", "?"));
		bh_print_text(stdout, bh_print_str(message, "text", ""));
		(void)putchar('\n');
	}
	(void)printf("next: --after-seq %.0f\n", bh_print_num(result, "next_seq", 0));
}

static int run(struct bh_cmd *cmd)
{
	const char *after = bh_args_get(&cmd->args, "after-seq");
	const char *with = bh_args_get(&cmd->args, "with");
	struct bh_request request = {
		.method = "mail.history", .params = cJSON_CreateObject(), .is_repeatable = true};
	cJSON *result = NULL;
	int status = bh_mail_view_limit(cmd, request.params);

	if (status == BH_EXIT_OK && after != NULL) {
		char *end = NULL;
		long seq = strtol(after, &end, 10);

		if (end == after || *end != '\0' || seq < 0) {
			status = bh_cmd_usage(cmd, "--after-seq wants a number, not \"%.40s\"",
			                      after);
		}
		(void)cJSON_AddNumberToObject(request.params, "after_seq", (double)seq);
	}
	if (status != BH_EXIT_OK) {
		cJSON_Delete(request.params);
		return status;
	}
	if (with != NULL) {
		(void)cJSON_AddStringToObject(request.params, "with", with);
	}
	if (cmd->args.word_count > 0) {
		(void)cJSON_AddStringToObject(request.params, "name", cmd->args.words[0]);
	}
	status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		print_messages(result);
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	{"after-seq", 0, "N", "only messages after number N"},
	{"with", 0, "NAME", "only mail from or to NAME"},
	{"limit", 0, "N", "at most N messages (default: 50)"},
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_history = {
	.name = "history",
	.arguments = "[NAME]",
	.summary = "read old mail, sent and received",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_max = 1,
	.run = run,
};
