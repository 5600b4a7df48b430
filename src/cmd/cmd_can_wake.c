#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"
#include "src/cmd/terminal_view.h"

/** Of a room each member's. */
static void print_wake(const cJSON *result, const char *name)
{
	const cJSON *members = cJSON_GetObjectItemCaseSensitive(result, "members");
	const cJSON *member = NULL;

	if (members == NULL) {
		bh_terminal_view_wake(stdout, bh_print_str(result, "name", name), result);
		return;
	}
	(void)printf("%s: %s, the worst of %d\n", bh_print_str(result, "name", name),
	             bh_print_str(result, "tier", "?"), cJSON_GetArraySize(members));
	cJSON_ArrayForEach(member, members)
	{
		(void)printf("%s: ", bh_print_str(member, "name", "?"));
		bh_terminal_view_wake(stdout, bh_print_str(member, "name", "?"), member);
	}
}

static int run(struct bh_cmd *cmd)
{
	const char *name = bh_args_word(&cmd->args, 0);
	struct bh_request request = {
		.method = "wake.can_wake", .params = cJSON_CreateObject(), .is_repeatable = true};
	cJSON *result = NULL;

	(void)cJSON_AddStringToObject(request.params, "name", name);

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK) {
		const char *tier = bh_print_str(result, "tier", "NONE");

		if (!bh_print_if_json(cmd, result)) {
			print_wake(result, name);
		}
		status = bh_word_find(BH_WORDS_TIER, tier) == BH_TIER_NONE ? BH_EXIT_NOT_WOKEN
		                                                           : BH_EXIT_OK;
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_can_wake = {
	.name = "can-wake",
	.arguments = "NAME",
	.summary = "tell beforehand whether mail would wake an agent",
	.help = "GUARANTEED: idle and submission were both proved in this terminal. CONDITIONAL:\n"
		"works while the named condition holds. NONE: nothing wakes it, mail is durable;\n"
		"then the exit status is 3. Besides it tells what would carry mail now, which\n"
		"proof is the newest, and how old that is.",
	.options = options,
	.group = BH_GROUP_MAIL,
	.words_min = 1,
	.words_max = 1,
	.run = run,
};
