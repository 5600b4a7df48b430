#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

int bh_cmd_ring_name(struct bh_cmd *cmd, const char *name)
{
	struct bh_request request = {.method = "notice.ring", .params = cJSON_CreateObject()};
	cJSON *result = NULL;

	(void)cJSON_AddStringToObject(request.params, "name", name);

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK) {
		const char *notice = bh_print_str(result, "notice", "unavailable");

		if (!bh_print_if_json(cmd, result)) {
			(void)printf("notice: %s\nnext: ", notice);
			bh_print_text(stdout, bh_print_str(result, "next", ""));
		}
		status = bh_word_find(BH_WORDS_FATE, notice) == BH_FATE_UNAVAILABLE
		                 ? BH_EXIT_NOT_WOKEN
		                 : BH_EXIT_OK;
	}
	cJSON_Delete(result);
	return status;
}

static int run(struct bh_cmd *cmd)
{
	return bh_cmd_ring_name(cmd, bh_args_word(&cmd->args, 0));
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_ring = {
	.name = "ring",
	.arguments = "NAME",
	.summary = "tell an agent once more that it has mail",
	.help = "For people: frees mail that is parked because its notices are used up, or because its\n"
		"chain of messages went on too long without a person.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 1,
	.words_max = 1,
	.acts = true,
	.run = run,
};
