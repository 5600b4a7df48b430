#include "src/cmd/commands.h"
#include "src/cmd/mail_view.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

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
	if (cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(result, "messages")) == 0) {
		(void)puts("No messages.");
	}
	if (cJSON_HasObjectItem(result, "next_before_seq")) {
		(void)printf("There are older ones: --before-seq %.0f\n",
		             bh_print_num(result, "next_before_seq", 0));
	} else if (bh_print_flag(result, "more")) {
		(void)printf("There are more: --after-seq %.0f\n",
		             bh_print_num(result, "next_seq", 0));
		return;
	}
	(void)printf("next: --after-seq %.0f\n", bh_print_num(result, "next_seq", 0));
}

static int run(struct bh_cmd *cmd)
{
	const char *with = bh_args_get(&cmd->args, "with");
	const char *thread = bh_args_get(&cmd->args, "thread");
	struct bh_request request = {
		.method = "mail.history", .params = cJSON_CreateObject(), .is_repeatable = true};
	cJSON *result = NULL;
	int status = bh_mail_view_limit(cmd, request.params);

	if (status == BH_EXIT_OK && with != NULL && thread != NULL) {
		status = bh_cmd_usage(cmd, "--with and --thread exclude each other");
	}
	if (status == BH_EXIT_OK) {
		status = bh_mail_view_seq(cmd, "after-seq", "after_seq", request.params);
	}
	if (status == BH_EXIT_OK) {
		status = bh_mail_view_seq(cmd, "before-seq", "before_seq", request.params);
	}
	if (status != BH_EXIT_OK) {
		cJSON_Delete(request.params);
		return status;
	}
	if (with != NULL) {
		(void)cJSON_AddStringToObject(request.params, "with", with);
	}
	if (thread != NULL) {
		(void)cJSON_AddStringToObject(request.params, "thread", thread);
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
	{"after-seq", 0, "N", "only messages after number N, the oldest of them"},
	{"before-seq", 0, "N", "only messages before number N"},
	{"with", 0, "NAME", "only mail from or to NAME; of a room all that was said in it"},
	{"thread", 0, "ID", "only the messages that answer each other, message ID among them"},
	{"limit", 0, "N", "at most N messages, the newest (default: 50)"},
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
