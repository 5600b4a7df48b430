#include "src/cmd/commands.h"
#include "src/cmd/print.h"
#include "src/cmd/session.h"

static int run(struct bh_cmd *cmd)
{
	struct bh_request request = {.method = "terminal.keys", .params = cJSON_CreateObject()};
	cJSON *keys = cJSON_AddArrayToObject(request.params, "keys");
	cJSON *result = NULL;

	(void)cJSON_AddStringToObject(request.params, "name", bh_args_word(&cmd->args, 0));
	for (int i = 1; i < cmd->args.word_count; i++) {
		(void)cJSON_AddItemToArray(keys, cJSON_CreateString(cmd->args.words[i]));
	}

	int status = bh_session_request(cmd, &request, &result);
	if (status == BH_EXIT_OK && !bh_print_if_json(cmd, result) &&
	    bh_print_flag(result, "held")) {
		(void)puts("held: bellhop is typing there just now; the keys follow");
	}
	cJSON_Delete(result);
	return status;
}

static const struct bh_option options[] = {
	BH_OPTION_JSON,
	{0},
};

const struct bh_command bh_cmd_keys = {
	.name = "keys",
	.arguments = "NAME KEY...",
	.summary = "press keys in a terminal",
	.help = "Keys by name: Enter, Escape, Tab, BSpace, Space, Up, Down, Left, Right, Home, End,\n"
		"PageUp, PageDown, F1 to F12, single characters, with C- (control), M- (alt) or S-\n"
		"(shift) before them: C-c, S-Enter. Only for people: refused from inside a terminal\n"
		"of bellhop.",
	.options = options,
	.group = BH_GROUP_TERMINALS,
	.words_min = 2,
	.words_max = -1,
	.acts = true,
	.run = run,
};
