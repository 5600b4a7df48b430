#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

static void print_blocked(const cJSON *result)
{
	const char *name = bh_print_str(result, "name", "?");
	const cJSON *senders = cJSON_GetObjectItemCaseSensitive(result, "blocked");
	const cJSON *at;

	if (cJSON_GetArraySize(senders) == 0) {
		(void)printf("%s blocks nobody\n", name);
		return;
	}
	(void)printf("%s blocks:", name);
	cJSON_ArrayForEach(at, senders)
	{
		(void)printf(" %s", cJSON_IsString(at) ? at->valuestring : "?");
	}
	(void)printf("\n");
}

static int call(struct bh_cmd *cmd, bool is_off)
{
	struct bh_request request = {
		.method = "guard.block", .params = cJSON_CreateObject(), .is_repeatable = true};
	const char *sender = bh_args_word(&cmd->args, 1);
	cJSON *result = NULL;

	(void)cJSON_AddStringToObject(request.params, "name", bh_args_word(&cmd->args, 0));
	if (sender != NULL) {
		(void)cJSON_AddStringToObject(request.params, "sender", sender);
		(void)cJSON_AddBoolToObject(request.params, "off", is_off);
	}

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result)) {
		print_blocked(result);
	}
	cJSON_Delete(result);
	return status;
}

static int run_block(struct bh_cmd *cmd)
{
	return call(cmd, false);
}

static int run_unblock(struct bh_cmd *cmd)
{
	return call(cmd, true);
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_block = {
	.name = "block",
	.arguments = "NAME [SENDER]",
	.summary = "let mail of a sender wake an agent no more",
	.help = "Unread mail of the sender is shown by `inbox` only: it is not typed, noticed, or\n"
		"given to `wait`, and the sender is told. Without SENDER it lists whom NAME blocks. An\n"
		"agent may say it for its own names (`me`), a person for all. The operator cannot be\n"
		"blocked.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 1,
	.words_max = 2,
	.acts = true,
	.run = run_block,
};

const struct bh_command bh_cmd_unblock = {
	.name = "unblock",
	.arguments = "NAME SENDER",
	.summary = "end what `block` began",
	.help = "What the sender wrote meanwhile and is unread is ordinary mail from then on.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 2,
	.words_max = 2,
	.acts = true,
	.run = run_unblock,
};
